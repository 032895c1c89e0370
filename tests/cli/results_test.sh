# SPDX-License-Identifier: BSD-3-Clause
# What the commands write: formats, files, standard streams. The numbers are those of a free body and of two that meet.
. "$SOURCE/tests/cli/claims.sh"

cat >meet.hbg <<'MODEL'
model Meet {
  param m = 1 [kg]
  I bullet(m)  start f = 1 [m/s]
  I wood(1 [kg])
  1 bullet_motion, wood_motion
  0 contact by Contact
  bullet_motion -> bullet
  bullet_motion -> contact -> wood_motion -> wood
  signal gap = integral(wood_motion.f) - integral(bullet_motion.f, start = -0.25 [m])
  machine Contact {
    off apart  initial
    on  joined
    apart -> joined  when gap <= 0
  }
  stop 1 [s]
}
MODEL
sed 's/-> contact/-> contacts/' meet.hbg >wrong.hbg

# check is silent on standard output and tells the size of the model
claim "check answers 0" "$HYBRSIM" check meet.hbg 2>errors
claim "check writes nothing" same "" "$("$HYBRSIM" check meet.hbg 2>errors)"
claim "check tells what it read" grep -q "Meet: no mistakes" errors
claim "quiet is quiet" same "" "$("$HYBRSIM" check meet.hbg --quiet 2>&1)"
"$HYBRSIM" check wrong.hbg >output 2>errors
claim "a wrong model is answered 1" same 1 $?
claim "the diagnostic has a code" grep -q 'error\[E[0-9]*\]' errors

# trajectories
"$HYBRSIM" simulate meet.hbg --interval 0.5 >trajectory.csv
claim "the columns are those of the reference" same "time,contact,bullet.p,wood.p,gap" "$(head -n 1 trajectory.csv)"
claim "the run begins at 0" same "0,off,1,0,0.25" "$(sed -n 2p trajectory.csv)"
claim "the event has both sides" same "2" "$(awk -F, '$1 > 0.2499999999 && $1 < 0.2500000001' trajectory.csv | wc -l | tr -d ' ')"
claim "the last row is at the end" same "1,on,0.5,0.5" "$(tail -n 1 trajectory.csv | cut -d, -f1-4)"
claim "the model comes from standard input as well" same "$(cat trajectory.csv)" \
  "$("$HYBRSIM" simulate - --interval 0.5 <meet.hbg)"
claim "columns can be chosen" same "time,wood.p,\"max(gap, 0)\"" \
  "$("$HYBRSIM" simulate meet.hbg --columns 'wood.p, max(gap, 0)' | head -n 1)"
claim "parameters can be set" same "0.75" "$("$HYBRSIM" simulate meet.hbg --set m=3 --columns wood_motion.f | tail -n 1 | cut -d, -f2)"
printf '# two\n0\n\n0.125 # an eighth\n' >times
claim "the times of a file are hit" same "0.125" "$("$HYBRSIM" simulate meet.hbg --times times | sed -n 3p | cut -d, -f1)"

# events
event() { sed -n "$1p" events.csv | awk -F, '{ printf "%.10f,%s,%s,%s", $1, $2, $3, $4 }'; }
"$HYBRSIM" events meet.hbg >events.csv
claim "the events have the fixed columns" same "time,eps,n,kind,cause,contact,contact.state,bullet.p,wood.p" \
  "$(head -n 1 events.csv)"
claim "the first row of a group is before it" same "0.2500000000,-1,0,before" "$(event 2)"
claim "the last row of a group goes on" same "0.2500000000,0,0,continuous" "$(event 3)"
claim "no escape goes into a file" [ -z "$("$HYBRSIM" events meet.hbg --format table | tr -cd '\033')" ]
claim "colour comes when asked for" [ -n "$("$HYBRSIM" events meet.hbg --format table --color always 2>/dev/null | tr -cd '\033')" ]

# files
claim "output goes to a file" "$HYBRSIM" simulate meet.hbg --interval 0.5 --output written.csv
claim "the file holds what standard output would" cmp -s trajectory.csv written.csv
claim "nothing else is left behind" [ -z "$(ls written.csv.* 2>/dev/null)" ]
claim "a device is written directly" "$HYBRSIM" simulate meet.hbg --output /dev/null
claim "the drawing is SVG" "$HYBRSIM" plot meet.hbg --output meet.svg
claim "the drawing is whole" grep -q "</svg>" meet.svg

# for programs
if command -v python3 >/dev/null; then
  for command in simulate events causality; do
    claim "$command writes JSON" sh -c '"$HYBRSIM" "$1" meet.hbg --format json | python3 -m json.tool >/dev/null' sh $command
  done
fi
"$HYBRSIM" simulate meet.hbg --timing --output /dev/null 2>timing
for name in load_s compile_s run_s events steps modes islands; do
  claim "timing tells $name" grep -q "\"$name\": " timing
done
claim "causality tells every bond" same 4 "$("$HYBRSIM" causality meet.hbg --format csv | grep -c '^bond,')"
claim "a storage becomes dependent" grep -q '^storage,.*,derivative$' <<END
$("$HYBRSIM" causality meet.hbg --mode contact=on --format csv)
END

# a run that cannot go on writes what it has
cat >pile.hbg <<'MODEL'
model Pile {
  I ball(1 [kg])
  1 motion
  0 contact by Impact
  Se weight(-9.81 [N])
  Sf bounce(0.5 * pre(motion.f))
  weight -> motion -> ball
  motion -> contact
  bounce -> contact
  signal height = integral(motion.f, start = 1 [m])
  machine Impact {
    off free  initial
    on  touching
    free -> touching  when height <= 0 and motion.f < 0
    touching -> free  when pre(motion.f) > 0
  }
  stop 5 [s]
}
MODEL
"$HYBRSIM" simulate pile.hbg --format json --output pile.json 2>errors
claim "an accumulation of events is answered 3" same 3 $?
claim "the results are there" grep -q '"complete": false' pile.json
claim "they are said to be partial" grep -q "it is partial" errors

all_hold
