# SPDX-License-Identifier: BSD-3-Clause
# The kinds of systems whose growth is measured come out the same by a second method, ten of each at once.
set -eu
export HYBRSIM
"$SOURCE/bench/growth" --check 10
