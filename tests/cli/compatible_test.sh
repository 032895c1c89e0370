# SPDX-License-Identifier: BSD-3-Clause
# `--compatible hybrsim` and the relaxation table, as files and as words. The numbers are those of Mosterman, ICBGM'99, Table 1.
. "$SOURCE/tests/cli/claims.sh"
bullet="$SOURCE/models/bullet-wood/bullet-wood.hbg"
cradle="$SOURCE/models/newtons-cradle/newtons-cradle.hbg"

table() { "$HYBRSIM" events "$bullet" --compatible hybrsim --relaxation-table --format csv "$@"; }

# the published table, to the digit
table >table.csv 2>errors
claim "the run reaches its end" same 0 $?
claim "the table is the published one" same "iteration,p1,p2_enforced,p2,transferred
0,1,1,0,0.4
1,0.6,0.6,0.4,0.08
2,0.52,0.52,0.48,0.016
3,0.504,0.504,0.496,0.0032" "$(head -n 5 table.csv)"
claim "the last pass transfers nothing" same "0" "$(tail -n 1 table.csv | cut -d, -f5)"
claim "the factor of the publication is the default" cmp -s table.csv - <<END
$(table --convergence-factor 0.4)
END
claim "the best factor needs one pass" same "0,1,1,0,0.5
1,0.5,0.5,0.5,0" "$(table --convergence-factor 0.5 | tail -n +2)"

# where it does not converge
table --set m2=4 >ill.csv 2>errors
claim "a relaxation that oscillates stops the run" same 3 $?
claim "it says so" grep -q oscillates errors
claim "it tells the cure" grep -q -- "--convergence-factor" errors
claim "what was computed is written" same "0,1,4,0,1.6
1,-0.6,-2.4,1.6,-1.6
2,1,4,0,1.6" "$(sed -n 2,4p ill.csv)"
table --set m2=9 >ill.csv 2>errors
claim "a relaxation that diverges stops the run" same 3 $?
claim "and says so" grep -q diverges errors
claim "the passes grow threefold" same "0,1,9,0,3.6
1,-2.6,-23.4,3.6,-10.8
2,8.2,73.8,-7.2,32.4" "$(sed -n 2,4p ill.csv)"
claim "a smaller factor converges" table --set m2=9 --convergence-factor 0.15 >/dev/null
table --set m2=9 --format json >ill.json 2>/dev/null
claim "JSON tells that it is partial" grep -q '"complete": false' ill.json

# two charges are called so; other ties have the names of their storages
claim "charges" same "iteration,q1,q2_enforced,q2,transferred" \
  "$("$HYBRSIM" events "$SOURCE/models/two-capacitors/two-capacitors.hbg" --compatible hybrsim --relaxation-table --format csv | head -n 1)"
"$HYBRSIM" events "$cradle" --compatible hybrsim --relaxation-table --format csv >cradle.csv
claim "three bodies" same \
  "time,eps,n,iteration,body1.p,body2.p_enforced,body2.p,body2.p_transferred,body3.p_enforced,body3.p,body3.p_transferred" \
  "$(head -n 1 cradle.csv)"
# 0.8 of restitution on both: v1 = 1, so body 3 is to have 1.8
claim "the first pass looks at what was before" same "0,1,1.8,0,0.72,1.8,0,0.72" "$(sed -n 2p cradle.csv | cut -d, -f4-)"
claim "nothing relaxed, nothing told" same "time,eps,n,iteration" \
  "$("$HYBRSIM" events "$SOURCE/models/disc-and-rope/disc-and-rope.hbg" --compatible hybrsim --relaxation-table --format csv --quiet)"
claim "a table for people" grep -q '^ *3  *0.504  *0.504  *0.496  *0.0032$' <<END
$(table --format table)
END

# the other commands
last() { tail -n 1 | awk -F, -v column="$1" '{ printf "%.6f", $column }'; }
claim "trajectories" same "0.400000" \
  "$("$HYBRSIM" simulate "$bullet" --compatible hybrsim --columns bullet_x --format csv | last 2)"
claim "events" same "0.500000" "$("$HYBRSIM" events "$bullet" --compatible hybrsim --columns bullet.p --format csv | last 6)"

# usage
refused() {
  words=$1
  shift
  "$HYBRSIM" "$@" >/dev/null 2>errors
  [ $? -eq 2 ] && grep -q -- "$words" errors
}
claim "there is one tool to be compatible with" refused "one of hybrsim" events "$bullet" --compatible 20sim
claim "the table needs it" refused "for --compatible hybrsim" events "$bullet" --relaxation-table
claim "so does the factor" refused "for --compatible hybrsim" events "$bullet" --convergence-factor 0.3
claim "the factor has a range" refused "less than 2" events "$bullet" --compatible hybrsim --convergence-factor 2
claim "the factor is a number" refused "needs a number" events "$bullet" --compatible hybrsim --convergence-factor much
claim "another method contradicts" refused "forward Euler" events "$bullet" --compatible hybrsim --method dp5
claim "the table is for events" refused "no option" simulate "$bullet" --compatible hybrsim --relaxation-table
claim "the step is the user's" "$HYBRSIM" events "$bullet" --compatible hybrsim --step 0.01 --quiet

all_hold
