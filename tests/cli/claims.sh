# SPDX-License-Identifier: BSD-3-Clause
# What the tests of the command line share: a folder of their own to stand in, and claims that are counted. To be read at the beginning;
# at the end: all_hold.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

# claim TEXT CONDITION...: CONDITION is true
claim() {
  text=$1
  shift
  "$@" && return
  failures=$((failures + 1))
  echo "failed: $text"
}
same() { [ "$1" = "$2" ] || { echo "expected: $1"; echo "is:       $2"; return 1; }; }

# of files that were drawn
is_png() { [ "$(od -An -tx1 -N8 "$1" | tr -d ' ')" = 89504e470d0a1a0a ]; }
well_formed() { if command -v xmllint >/dev/null; then xmllint --noout "$1"; else grep -q '</svg>' "$1"; fi; }

all_hold() { [ $failures -eq 0 ] || { echo "$failures claims failed"; exit 1; }; }
