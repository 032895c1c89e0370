# SPDX-License-Identifier: BSD-3-Clause
# Half arrows and strokes lie at the same places on the studio's page as in the drawings of the library.
set -eu
page=$SOURCE/apps/studio/page
[ -f "$page/node_modules/.installed-lock" ] || { echo "the libraries are missing: run scripts/setup test"; exit 1; }
HYBRSIM_GEOMETRY=$PWD/geometry.json
export HYBRSIM_GEOMETRY
"$BUILD/tests/diagram_geometry_test" --print >"$HYBRSIM_GEOMETRY"
cd "$page"
node node_modules/vitest/vitest.mjs run src/geometry.cases.test.ts | tee "$HYBRSIM_GEOMETRY.log"
grep -q "1 passed" "$HYBRSIM_GEOMETRY.log" # and not left out
