# SPDX-License-Identifier: BSD-3-Clause
# The studio's server over HTTP on the loopback address (server.test.js).
set -u
[ -x "$BUILD/hybrsim-studio" ] || { echo "skipped: built without the studio (libmicrohttpd)"; exit 77; }
command -v node >/dev/null 2>&1 || { echo "skipped: there is no node"; exit 77; }
exec node --test "$SOURCE/tests/studio/server.test.js"
