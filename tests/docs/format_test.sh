# SPDX-License-Identifier: BSD-3-Clause
# Every model of the project, in files and in the documents, is laid out as `hybrsim format` does it.
set -eu
"$SOURCE/scripts/format" --check "$HYBRSIM" || { echo "run scripts/format"; exit 1; }
