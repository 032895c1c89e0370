# SPDX-License-Identifier: BSD-3-Clause
# The kinds of systems whose growth is measured come out the same by a second method, in several sizes: each size comes to other modes.
set -eu
export HYBRSIM
"$SOURCE/bench/growth" --check 2 3 4 5 7 8 10
