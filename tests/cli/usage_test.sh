# SPDX-License-Identifier: BSD-3-Clause
# Wrong usage is answered with exit status 2, a sentence that names the mistake, and nothing on standard output.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

cat >bullet.hbg <<'MODEL'
model Bullet {
  param m = 1 [kg]
  I bullet(m)  start f = 1 [m/s]
  1 motion
  motion -> bullet
  stop 1 [s]
}
MODEL
cat >switched.hbg <<'MODEL'
model Switched { I coil(1); 1 valve by Valve; valve -> coil; machine Valve { }; stop 1 [s] }
MODEL

# refused STATUS TEXT ARGUMENT...: the program answers STATUS, and TEXT is in what it says
refused() {
  status=$1 text=$2
  shift 2
  "$HYBRSIM" "$@" >output 2>errors
  answer=$?
  if [ $answer -ne "$status" ] || ! grep -qF -- "$text" errors || [ -s output ]; then
    failures=$((failures + 1))
    echo "hybrsim $*: exit status $answer, expected $status and '$text'; it says:"
    cat output errors
  fi
}

# accepted TEXT ARGUMENT...: exit status 0, and TEXT is on standard output
accepted() {
  text=$1
  shift
  if ! "$HYBRSIM" "$@" >output 2>errors || ! grep -qF -- "$text" output; then
    failures=$((failures + 1))
    echo "hybrsim $*: '$text' was expected on standard output; it says:"
    cat output errors
  fi
}

refused 2 "a command is needed"
refused 2 "did you mean 'simulate'" simulte bullet.hbg
refused 2 "did you mean '--help'" --hepl
refused 2 "'simulate' needs a model" simulate
refused 2 "one model at a time" simulate bullet.hbg bullet.hbg
refused 2 "cannot read 'missing.hbg'" simulate missing.hbg
refused 2 "it is a folder" check .
refused 2 "did you mean --columns" simulate bullet.hbg --colums bullet.p
refused 2 "'check' has no option --stop" check bullet.hbg --stop 1
refused 2 "--stop needs a value" simulate bullet.hbg --stop
refused 2 "--stop needs a value" simulate bullet.hbg --stop --quiet
refused 2 "--stop must be positive" simulate bullet.hbg --stop -1
refused 2 "--stop must be positive" simulate bullet.hbg --stop inf
refused 2 "--tolerance must be positive" simulate bullet.hbg --tolerance=nan
refused 2 "--stop needs a number" simulate bullet.hbg --stop 1s
refused 2 "--interval must be positive" simulate bullet.hbg --interval 0
refused 2 "did you mean 'euler'" simulate bullet.hbg --method eular
refused 2 "--threads needs a whole number from 1 to 64, not '65'" simulate bullet.hbg --threads 65
refused 2 "not '2.5'" simulate bullet.hbg --threads 2.5
refused 2 "--step is for --method euler" simulate bullet.hbg --method dp5 --step 0.1
refused 2 "--format is one of table|csv|json" simulate bullet.hbg --format xml
refused 2 "--zeno is one of stop|continue" simulate bullet.hbg --zeno go
refused 2 "--set needs NAME=VALUE" simulate bullet.hbg --set m
refused 2 "no parameter 'mass'" check bullet.hbg --set mass=2
refused 2 "given for 'm'" check bullet.hbg --set 'm=2 [s]'
refused 2 "given for 'm'" check bullet.hbg --set 'm=2 +'
refused 2 "empty name" simulate bullet.hbg --columns bullet.p,,motion.f
refused 2 "--columns" simulate bullet.hbg --columns nothing_of_that_name
refused 2 "--mode" causality bullet.hbg --mode nothing=on
refused 2 "cannot be in two states at once" causality switched.hbg --mode valve=on,valve=off
refused 2 "--quiet takes no value" check bullet.hbg --quiet=1
refused 2 "options have two dashes" check bullet.hbg -q
refused 2 "exclude each other" simulate bullet.hbg --times times --interval 1
refused 2 "cannot read 'missing'" simulate bullet.hbg --times missing
printf '0\n0.5 # half\n0.25\n' >times
refused 2 "times:3: this is before the time above it; times must ascend: '0.25'" simulate bullet.hbg --times times
printf '0\n2\n' >times
"$HYBRSIM" simulate bullet.hbg --stop 1 --times times >output 2>errors
grep -q "the run ends at 1 s, and has no rows for the times behind that, up to 2 s" errors || { failures=$((failures + 1)); echo "times behind the end are not told"; }
printf '0\nsoon\n' >times
refused 2 "times:2: this is no time in seconds, one to a line: 'soon'" simulate bullet.hbg --times times
printf -- '-1\n0\n' >times
refused 2 "times:1: this is before the start of the run, which is 0: '-1'" simulate bullet.hbg --times times
printf '1\n\0002\n' >times
refused 2 "it is no text" simulate bullet.hbg --times times
printf '1\n\033[2Jx\n' >times
refused 2 "one to a line: ''" simulate bullet.hbg --times times
refused 2 "has no times" simulate bullet.hbg --times /dev/null
refused 2 "it is a folder" simulate bullet.hbg --times .
refused 2 "--stop must be positive and finite" simulate bullet.hbg --stop 1e999
refused 2 "the stop time is too small" simulate bullet.hbg --stop 5e-324
refused 2 "more than 1e9 rows" simulate bullet.hbg --interval 1e-300
refused 2 "more than 1e9 steps" simulate bullet.hbg --method euler --step 1e-300
refused 2 "between 1e-14 and 0.1" simulate bullet.hbg --tolerance 1
refused 2 "no parameter 'm[1]'" check bullet.hbg --set 'm[1]=2'
refused 2 "cannot write" simulate bullet.hbg --output no/such/folder.csv
refused 2 "cannot write" simulate bullet.hbg --output .
: >empty.hbg
refused 1 "" check empty.hbg
head -c 1000 /dev/zero >zeros.hbg
refused 1 "this is no text" check zeros.hbg
awk 'BEGIN { printf "model Long { param a = 1"; for (i = 0; i < 300000; i++) printf " + 1"; print " }" }' >long.hbg
refused 1 "nested more than 1000 deep" check long.hbg
[ -c /dev/full ] && refused 3 "cannot write" simulate bullet.hbg --output /dev/full

accepted "Usage: hybrsim COMMAND" --help
accepted "hybrsim 0." --version
for command in check simulate events causality plot; do
  accepted "Usage: hybrsim $command" $command --help
  accepted "Usage: hybrsim $command" $command bullet.hbg --help
done

[ $failures -eq 0 ] || { echo "$failures claims failed"; exit 1; }
