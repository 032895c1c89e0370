# SPDX-License-Identifier: BSD-3-Clause
# The studio's page by itself, without its server: its types, and the tests that stand beside its sources (*.test.ts).
set -eu
page=$SOURCE/apps/studio/page
[ -f "$page/node_modules/.installed-lock" ] || { echo "the libraries are missing: run scripts/setup test"; exit 1; }
cd "$page"
node node_modules/typescript/bin/tsc --noEmit
exec node node_modules/vitest/vitest.mjs run
