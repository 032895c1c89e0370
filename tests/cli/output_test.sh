# SPDX-License-Identifier: BSD-3-Clause
# A file of results is whole or not there: interruptions, full disks, closed streams, folders that may not be written.
set -u
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

cat >bullet.hbg <<'MODEL'
model Bullet {
  I bullet(1 [kg])  start f = 1 [m/s]
  1 motion
  motion -> bullet
  signal x = integral(motion.f)
  stop 1 [s]
}
MODEL
cat >endless.hbg <<'MODEL'
model Endless {
  signal x = integral(y, start = 1), y = integral(-x)
  stop 1e7 [s]
  interval 0.1 [s]
}
MODEL
cat >conflict.hbg <<'MODEL'
model Conflict {
  Se a(1); Se b(2); 0 z; R r(1)
  a -> z; b -> z; z -> r
  stop 1 [s]
}
MODEL
cat >later.hbg <<'MODEL'
model Later {
  signal x = integral(x^2, start = 1)
  stop 2 [s]
}
MODEL

wrong() {
  failures=$((failures + 1))
  echo "$*"
  [ ! -s errors ] || cat errors
}

# answers STATUS TEXT COMMAND...: the command answers STATUS, and TEXT is in what it says on standard error
answers() {
  status=$1 text=$2
  shift 2
  "$@" 2>errors
  answer=$?
  [ $answer -eq "$status" ] || wrong "$*: exit status $answer, expected $status; it says:"
  grep -qF -- "$text" errors || [ -z "$text" ] || wrong "$*: '$text' was expected; it says:"
}

# until there is a file that is not whole; half a minute is for machines that do much else
await_partial() { for wait in $(seq 300); do ls | grep -q partial && return; sleep 0.1; done; }
nothing_partial() { ls | grep -q partial && wrong "$1: a half file was left: $(ls)"; }

# -- interruptions
for signal in INT TERM HUP; do
  echo before >result.csv
  # a shell without job control starts what is in the background with SIGINT ignored; env of coreutils undoes it
  env --default-signal=INT "$HYBRSIM" simulate endless.hbg --output result.csv 2>errors &
  process=$!
  await_partial
  ls | grep -q partial || wrong "$signal: there should be a file that is not whole yet"
  kill -s $signal $process
  wait $process
  [ $? -gt 128 ] || wrong "$signal: the program should end by the signal"
  nothing_partial $signal
  [ "$(cat result.csv)" = before ] || wrong "$signal: the file of before is no more"
done

echo before >result.csv
"$HYBRSIM" simulate endless.hbg --output result.csv 2>errors &
process=$!
await_partial
kill -s KILL $process
wait $process 2>/dev/null
[ "$(cat result.csv)" = before ] || wrong "KILL: the file of before is no more"
rm -f result.csv.partial-*

# -- runs that fail
answers 3 "'result.csv' is left as it was" "$HYBRSIM" simulate conflict.hbg --output result.csv
[ "$(cat result.csv)" = before ] || wrong "nothing was computed, but the file of before is no more"
nothing_partial conflict
answers 3 "nothing was computed" "$HYBRSIM" plot conflict.hbg --output result.svg
[ ! -e result.svg ] || wrong "nothing was computed, but it is drawn"
answers 3 "written to result.csv; it is partial" "$HYBRSIM" simulate later.hbg --output result.csv
[ "$(head -c 4 result.csv)" = time ] || wrong "what was computed is not in the file"
[ "$(wc -l <result.csv)" -gt 10 ] || wrong "what was computed is not in the file"

# -- streams
answers 3 "No space left on device" "$HYBRSIM" simulate bullet.hbg --output /dev/full
answers 0 "" "$HYBRSIM" simulate bullet.hbg --output /dev/null
"$HYBRSIM" simulate bullet.hbg 2>errors >/dev/full
[ $? -eq 3 ] || wrong "standard output on a full disk: exit status"
grep -q "cannot write standard output: No space left" errors || wrong "standard output on a full disk is not told"
"$HYBRSIM" simulate bullet.hbg 2>errors >&-
[ $? -eq 3 ] || wrong "standard output closed: exit status"
grep -q "cannot write standard output" errors || wrong "standard output closed is not told"
"$HYBRSIM" simulate bullet.hbg --output result.csv >&- 2>&- <&- || wrong "all streams closed: exit status $?"
[ "$(head -c 4 result.csv)" = time ] || wrong "all streams closed: the file is not what it should be"
"$HYBRSIM" simulate conflict.hbg --output closed.csv >&- 2>&- <&-
[ ! -e closed.csv ] || wrong "a message went into a file of results"
"$HYBRSIM" simulate bullet.hbg --interval 1e-6 2>errors | head -n 1 >first
[ "$(head -c 4 first)" = time ] || wrong "a pipe that is closed early"
[ ! -s errors ] || wrong "a pipe that is closed early is no news:"
mkfifo pipe
cat pipe >through &
answers 0 "" "$HYBRSIM" simulate bullet.hbg --output pipe
wait
[ "$(head -c 4 through)" = time ] || wrong "a named pipe"
(ulimit -f 8; "$HYBRSIM" simulate bullet.hbg --interval 1e-5 --output large.csv 2>errors)
[ $? -eq 3 ] || wrong "a file larger than allowed: exit status"
grep -q "File too large" errors || wrong "a file larger than allowed is not told"
[ ! -e large.csv ] || wrong "a half file stands under the final name"
nothing_partial "too large"

# -- names
answers 2 "No such file or directory" "$HYBRSIM" simulate bullet.hbg --output no/such.csv
answers 2 "Is a directory" "$HYBRSIM" simulate bullet.hbg --output .
answers 2 "--output needs a value" "$HYBRSIM" simulate bullet.hbg --output ''
mkdir kept
ln -s kept/real.csv link.csv
answers 0 "" "$HYBRSIM" simulate bullet.hbg --output link.csv
{ [ -L link.csv ] && [ -s kept/real.csv ]; } || wrong "a link must stay a link"
chmod 640 kept/real.csv
answers 0 "" "$HYBRSIM" simulate bullet.hbg --output kept/real.csv
[ "$(stat -c %a kept/real.csv)" = 640 ] || wrong "the permissions of the file that is replaced"
if [ "$(id -u)" -ne 0 ]; then
  chmod 500 kept
  answers 2 "Permission denied" "$HYBRSIM" simulate bullet.hbg --output kept/new.csv
  chmod 700 kept; chmod 400 kept/real.csv
  answers 2 "Permission denied" "$HYBRSIM" simulate bullet.hbg --output kept/real.csv
  chmod 000 bullet.hbg
  answers 2 "cannot read 'bullet.hbg': Permission denied" "$HYBRSIM" check bullet.hbg
elif [ -d /proc/self ]; then
  # root may write nearly anywhere
  answers 2 "cannot write '/proc/new.csv'" "$HYBRSIM" simulate bullet.hbg --output /proc/new.csv
fi

[ $failures -eq 0 ] || { echo "$failures claims failed"; exit 1; }
