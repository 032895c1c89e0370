# SPDX-License-Identifier: BSD-3-Clause
# 'hybrsim plot': what it draws from a model and from files, in which format and size, and how wrong usage is answered.
. "$SOURCE/tests/cli/claims.sh"

# refused STATUS TEXT ARGUMENT...: 'hybrsim plot ARGUMENT...' answers STATUS, says TEXT, and writes no drawing
refused() {
  status=$1 text=$2
  shift 2
  rm -f refused.svg
  "$HYBRSIM" plot "$@" --output refused.svg 2>errors
  answer=$?
  if [ $answer -ne "$status" ] || ! grep -qF -- "$text" errors || [ -e refused.svg ] || ls refused.svg.* >/dev/null 2>&1; then
    failures=$((failures + 1))
    echo "hybrsim plot $*: exit status $answer, expected $status and '$text'; it says:"
    cat errors
  fi
}

# size FILE: width and height of a PNG, from the first 24 bytes
size() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $1*16777216+$2*65536+$3*256+$4, $5*16777216+$6*65536+$7*256+$8 }'; }

cat >meet.hbg <<'MODEL'
model Meet {
  param m = 1 [kg]
  I bullet(m)  start f = 1 [m/s]
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
}
MODEL

# formats
"$HYBRSIM" plot meet.hbg --output meet.svg
claim "SVG is well formed" well_formed meet.svg
claim "it has the name of the model" grep -q '<title>Meet</title>' meet.svg
claim "it has the unit of a signal" grep -q 'gap \[m\]' meet.svg
claim "standard output has the same bytes" sh -c '"$HYBRSIM" plot meet.hbg | cmp -s - meet.svg'
"$HYBRSIM" plot meet.hbg --output meet.png
claim "an ending of .png makes a PNG" is_png meet.png
claim "it has two dots for each pixel" same 1280 "$(size meet.png | cut -d' ' -f1)"
for model in "$SOURCE"/models/*/*.hbg; do
  "$HYBRSIM" plot "$model" --zeno continue --quiet --output gallery.svg 2>/dev/null
  claim "$model becomes well-formed SVG" well_formed gallery.svg
done

# sizes
"$HYBRSIM" plot meet.hbg --width 500 --height 400px --output sized.png
claim "pixels are pixels" same "500 400" "$(size sized.png)"
"$HYBRSIM" plot meet.hbg --width 2in --height 5.08cm --dpi 300 --font-size 6pt --output sized.png
claim "inches and centimetres go by dots per inch" same "600 600" "$(size sized.png)"
"$HYBRSIM" plot meet.hbg --width 76.2mm --height 216pt --output sized.svg
claim "SVG has CSS pixels" grep -q 'width="288" height="288"' sized.svg

# content
"$HYBRSIM" plot meet.hbg --panes 'bullet.f, wood.f; gap' --title '' --grid off --output panes.svg
claim "panes bring their columns with them" grep -q '>bullet.f</text>' panes.svg
claim "what is not in a pane is not drawn" sh -c '! grep -q bullet.p panes.svg'
claim "an empty title is none" sh -c '! grep -q class=.title panes.svg'
claim "the grid can be left out" sh -c '! grep -q class=.grid panes.svg'
"$HYBRSIM" plot meet.hbg --from 0.2 --to 0.3 --output window.svg
claim "a window shows its times" grep -q '>0.30\?</text>' window.svg
claim "and nothing else" sh -c '! grep -q ">0.5</text>" window.svg'

# files of results
"$HYBRSIM" simulate meet.hbg --output slow.csv
"$HYBRSIM" simulate meet.hbg --set m=3 --format json --output fast.json
"$HYBRSIM" events meet.hbg --output events.csv
"$HYBRSIM" plot slow.csv fast.json --output both.svg
claim "two files are well formed" well_formed both.svg
for name in slow fast bullet.p 'contact, slow' 'contact, fast'; do
  claim "their legend has '$name'" grep -q ">$name</text>" both.svg
done
"$HYBRSIM" plot slow.csv --panes 'bullet.p,wood.p' --output file.svg
"$HYBRSIM" plot meet.hbg --panes 'bullet.p,wood.p' --title= --output model.svg
strip() { grep -o ' d="M[^"]*"' "$1" | sort -u; }
claim "a file gives the curves of its model" same "$(strip model.svg)" "$(strip file.svg)"
claim "a model and its events can be drawn together" "$HYBRSIM" plot meet.hbg events.csv --output mixed.svg
claim "they are well formed" well_formed mixed.svg
mkdir other && cp slow.csv other/
"$HYBRSIM" plot slow.csv other/slow.csv --output names.svg
claim "files of one name are told by their paths" grep -q '>other/slow.csv</text>' names.svg

# a run that cannot go on is drawn as far as it came
"$HYBRSIM" plot "$SOURCE/models/bouncing-ball/bouncing-ball.hbg" --output partial.svg 2>errors
claim "an accumulation of events is answered 3" same 3 $?
claim "the drawing is there" well_formed partial.svg
claim "it is said to be partial" grep -q "it is partial" errors
claim "what lies behind the window is not simulated" "$HYBRSIM" plot "$SOURCE/models/bouncing-ball/bouncing-ball.hbg" --to 2 --output early.svg
claim "a window may reach behind the end" "$HYBRSIM" plot meet.hbg --from -1 --to 3 --output late.svg

# without cairo there is SVG, and an answer
if command -v cc >/dev/null && mkdir empty && cc -shared -x c /dev/null -o empty/libcairo.so.2 2>/dev/null; then
  LD_LIBRARY_PATH=$folder/empty "$HYBRSIM" plot meet.hbg --output without.png 2>errors
  claim "a PNG without cairo is answered 2" same 2 $?
  claim "the cure is told" grep -q "libcairo2" errors
  claim "no file is left" [ ! -e without.png ]
  LD_LIBRARY_PATH=$folder/empty "$HYBRSIM" plot meet.hbg --output without.svg
  claim "SVG does not need it" cmp -s without.svg meet.svg
fi

# usage
printf 'time,x\n0,1\n1,one\n' >wrong.csv
printf '{"columns": [' >wrong.json
printf 'a,b\n1,2\n' >strange.csv
refused 2 "needs a model or files of results"
refused 2 "wrong.csv:3:3: 'one' is no number" wrong.csv
refused 2 "wrong.json:1:" wrong.json
refused 2 "no column 'time'" strange.csv
refused 2 "cannot read 'missing.csv'" missing.csv
refused 2 "one model at a time" meet.hbg meet.hbg
refused 2 "--set is for a run" slow.csv --set m=2
refused 2 "no column 'nothing'" slow.csv --panes nothing
refused 2 "--panes" meet.hbg --panes nothing
refused 2 "a pane has an empty name" meet.hbg --panes 'gap,,bullet.p'
refused 2 "is no number: it has a lane" meet.hbg --panes contact
refused 2 "--width needs a length" meet.hbg --width wide
refused 2 "--width needs a length" meet.hbg --width -3mm
refused 2 "--width needs a length" meet.hbg --width 3parsec
refused 2 "width is too small" meet.hbg --width 10mm
refused 2 "height is too small for 2 panes" meet.hbg --height 10mm
refused 2 "size of the letters" meet.hbg --font-size 1e6
refused 2 "--dpi must be positive" meet.hbg --dpi 0
refused 2 "--from needs a finite number" meet.hbg --from nan
refused 2 "window of time is empty" meet.hbg --from 1 --to 0.5
refused 2 "nothing in the window" slow.csv --from 5 --to 6
refused 2 "--grid is one of on|off" meet.hbg --grid maybe
"$HYBRSIM" simulate meet.hbg --dpi 3 2>errors
claim "other commands do not know these options" grep -q "'simulate' has no option --dpi" errors
"$HYBRSIM" plot meet.hbg --output meet.pdf 2>errors
claim "another format is refused" grep -q "SVG or PNG" errors
"$HYBRSIM" plot meet.hbg --dpi 10000 --width 100in --output large.png 2>errors
claim "a picture that is too large is refused" grep -q 32767 errors
claim "and leaves no file" [ ! -e large.png ]

all_hold
