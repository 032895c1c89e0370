# SPDX-License-Identifier: BSD-3-Clause
# 'hybrsim draw': the bond graph as a picture, in a mode, at a time, at a level; and how wrong usage is answered.
. "$SOURCE/tests/cli/claims.sh"

# refused STATUS TEXT ARGUMENT...: 'hybrsim draw ARGUMENT...' answers STATUS, says TEXT, and writes no drawing
refused() {
  status=$1 text=$2
  shift 2
  rm -f refused.svg
  "$HYBRSIM" draw "$@" --output refused.svg 2>errors
  answer=$?
  if [ $answer -ne "$status" ] || ! grep -qF -- "$text" errors || [ -e refused.svg ]; then
    failures=$((failures + 1))
    echo "hybrsim draw $*: exit status $answer, expected $status and '$text'; it says:"
    cat errors
  fi
}

# within ROLE FILE: the lines of the groups of this role
within() { awk -v "role=<g class=\"$1\"" 'index($0, role) { inside = 1; next } /<\/g>/ { inside = 0 } inside' "$2"; }
count() { within "$1" "$2" | wc -l | tr -d ' '; }

cradle="$SOURCE/models/newtons-cradle/newtons-cradle.hbg"
cat >meet.hbg <<'MODEL'
model Meet {
  I bullet(1 [kg])  start f = 1 [m/s]
  I wood(1 [kg])
  1 bullet_motion, wood_motion
  0 contact by Contact
  bullet_motion -> bullet
  bullet_motion -> contact -> wood_motion -> wood
  signal gap = integral(wood_motion.f - bullet_motion.f, start = 0.25 [m]) [m]
  machine Contact {
    off apart  initial
    on  joined
    apart -> joined  when gap <= 0
  }
  stop 1 [s]
  drawing {
    bullet_motion at 100, 100
    contact at 300, 100
  }
}
MODEL

"$HYBRSIM" draw meet.hbg --output meet.svg
claim "SVG is well formed" well_formed meet.svg
claim "every bond is a line with its half arrow" same 4 "$(count bond meet.svg)"
claim "every bond has a causal stroke" same 4 "$(count stroke meet.svg)"
claim "what is off says so" grep -q 'contact (off)' meet.svg
claim "no storage is in derivative causality while they are apart" same 0 "$(count derivative meet.svg)"
"$HYBRSIM" draw meet.hbg --mode contact=on --output joined.svg
claim "joined, one storage is in derivative causality" same 1 "$(count derivative joined.svg)"
claim "what is on does not say off" sh -c '! grep -q "(off)" joined.svg'
"$HYBRSIM" draw meet.hbg --at 0.5 --output at.svg
claim "at a time its mode is drawn" same 1 "$(count derivative at.svg)"
claim "with the velocity after the impact, half of that before" sh -c 'grep -q ">0.5<" at.svg'
claim "an instant is drawn as what it led to" sh -c '"$HYBRSIM" draw meet.hbg --at 0.25 | grep -q ">0.5<"'
claim "two drawings are the same bytes" sh -c '"$HYBRSIM" draw meet.hbg | cmp -s - meet.svg'
claim "without signals there are none" same 0 "$("$HYBRSIM" draw "$cradle" --signals off --output plain.svg; count signal plain.svg)"

"$HYBRSIM" draw meet.hbg --output meet.png
claim "an ending of .png makes a PNG" is_png meet.png
claim "--format says more than the ending" sh -c '"$HYBRSIM" draw meet.hbg --format png | od -An -tx1 -N4 | grep -q "89 50 4e 47"'

for model in "$SOURCE"/models/*/*.hbg; do
  case $model in */wagon.hbg) continue ;; esac # holds parts
  "$HYBRSIM" draw "$model" --output gallery.svg
  claim "$model is drawn" well_formed gallery.svg
done

"$HYBRSIM" draw "$SOURCE/models/shunting/shunting.hbg" --output top.svg
"$HYBRSIM" draw "$SOURCE/models/shunting/shunting.hbg" --level row --output row.svg
claim "a level shows what is inside" grep -q '>between\[1\]<' row.svg
claim "and the level above does not" sh -c '! grep -q "between" top.svg'

refused 2 "exclude each other" meet.hbg --mode contact=on --at 1
refused 2 "--at must be positive" meet.hbg --at -1
refused 2 "--level nothing: there is no such level" meet.hbg --level nothing
refused 2 "--mode nothing=on: there is no such mode" meet.hbg --mode nothing=on
refused 2 "one of svg|png" meet.hbg --format pdf
refused 1 "error" "$SOURCE/tests/broken/bond-to-a-signal.hbg"

all_hold
