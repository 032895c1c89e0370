# SPDX-License-Identifier: BSD-3-Clause
# What a user does in the studio, in a real browser against the real server: apps/studio/page/e2e. Servers listen on the loopback only.
# HYBRSIM_PICTURES=FOLDER keeps pictures of what was seen.
set -u
page=$SOURCE/apps/studio/page
[ -x "$BUILD/hybrsim-studio" ] || { echo "skipped: built without the studio (libmicrohttpd)"; exit 77; }
[ -f "$page/node_modules/.installed-lock" ] || { echo "the libraries are missing: run scripts/setup test"; exit 1; }
HYBRSIM_BROWSER=${HYBRSIM_BROWSER:-$(command -v chromium || true)}
[ -n "$HYBRSIM_BROWSER" ] || { echo "skipped: there is no chromium"; exit 77; }
export HYBRSIM_BROWSER HYBRSIM
cd "$page"
exec node node_modules/vitest/vitest.mjs run --config e2e/vitest.config.ts
