# SPDX-License-Identifier: BSD-3-Clause
# On a terminal the event table fits into the window, and tells everything however narrow it is.
command -v script >/dev/null || exit 77
. "$SOURCE/tests/cli/claims.sh"

# on_terminal WIDTH ARGUMENT...: what a terminal of this width shows
on_terminal() {
  width=$1
  shift
  LC_ALL=C COLUMNS=$width script -qec "'$HYBRSIM' $*" /dev/null </dev/null | tr -d '\r'
}
widest() { awk '{ if (length($0) > most) most = length($0) } END { print most + 0 }' "$1"; }

cat >meet.hbg <<'MODEL'
model Meet {
  I bullet(1 [kg])  start f = 1 [m/s]
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

on_terminal 120 "events meet.hbg --color never" >wide
claim "a table is what a terminal gets" grep -q "kind" wide
claim "the junction and the state of its machine share a column" grep -q "on joined" wide
claim "nothing is coloured when colours are not wanted" [ -z "$(tr -cd '\033' <wide)" ]

for width in 80 60 40; do
  on_terminal $width "events meet.hbg --color never --quiet" >narrow
  claim "the table fits into $width places" [ "$(widest narrow)" -le $width ]
  claim "$width places tell what happened to the bullet" grep -q "0\.5" narrow
  claim "$width places tell why" grep -q "gap" narrow
done

on_terminal 30 "simulate meet.hbg --color never" >narrow
claim "what there is no room for is named" grep -q "no room for" narrow

NO_COLOR=1
export NO_COLOR
on_terminal 80 "events meet.hbg" >plain
claim "NO_COLOR is respected" [ -z "$(tr -cd '\033' <plain)" ]
unset NO_COLOR
TERM=xterm
export TERM
on_terminal 80 "events meet.hbg" >coloured
claim "a terminal has colours otherwise" [ -n "$(tr -cd '\033' <coloured)" ]

all_hold
