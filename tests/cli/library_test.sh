# SPDX-License-Identifier: BSD-3-Clause
# Where the command finds the files that a model imports.
. "$SOURCE/tests/cli/claims.sh"
unset HYBRSIM_LIBRARY

mkdir -p car/parts first second
cat >car/car.hbg <<'MODEL'
import "parts/wheel.hbg"
import "body.hbg"
import "mechanical.hbg"
model Car { 1 v; Wheel w; Body body(m = 2); Fixed f; Damper d; v -> w -> body; v -> d -> f; Se e(1); e -> v; stop 1 }
MODEL
echo 'submodel Wheel(port a, port b) { TF t(1); a -> t -> b }' >car/parts/wheel.hbg
echo 'submodel Body(port a, m = 1) { I first(m); a -> first }' >first/body.hbg
echo 'submodel Body(port a, m = 1) { I second(m); a -> second }' >second/body.hbg
echo 'submodel Fixed(port body) { Se mine(0); body -> mine }
submodel Damper(port a, port b) { 0 force; R mine(1); a -> force -> b; force -> mine }' >second/mechanical.hbg
stored() { "$HYBRSIM" simulate car/car.hbg --quiet --format csv "$@" 2>&1 | head -n 1; }

"$HYBRSIM" check car/car.hbg 2>report && claim "a file that is nowhere is an error" false
claim "what was looked for is told" grep -q "looked for car/body.hbg, (built in)/body.hbg" report
claim "--library names a folder" same "time,body.first.p" "$(stored --library first)"
claim "the first folder that has the file is taken" same "time,body.first.p" "$(stored --library first --library second)"
claim "folders come from the environment, too" same "time,body.second.p" "$(HYBRSIM_LIBRARY=nowhere:second stored)"
claim "the option goes before the environment" same "time,body.first.p" "$(HYBRSIM_LIBRARY=second stored --library=first)"
cp first/body.hbg car
claim "what lies beside the model goes before all" same "time,body.first.p" "$(stored --library second)"
claim "standard input is as if it lay here" same "time,body.first.p" \
  "$(cd car && "$HYBRSIM" simulate - --quiet --format csv <car.hbg | head -n 1)"
claim "a folder goes before what is built in" same "mine" \
  "$("$HYBRSIM" causality car/car.hbg --library second --format csv 2>&1 | grep -o "mine" | head -n 1)"
claim "a parameter inside is set by its path" same "time,body.first.p" "$(stored --set body.m=3)"
"$HYBRSIM" check car/car.hbg --set body.n=3 2>report && claim "there is no body.n" false
claim "a near name is offered" grep -q "body.m" report

all_hold
