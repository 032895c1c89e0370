# SPDX-License-Identifier: BSD-3-Clause
# The guide to the library is right: its fragments of C are one program that compiles without a warning against the public
# headers and prints what the page says, and every public function is listed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
page=$SOURCE/docs/api.md

fences() { awk -v kind="$1" '/^```/ { inside = !inside && $0 == "```" kind; next } inside { print }' "$page"; }
fences c > "$folder/program.c"
fences output > "$folder/expected"
[ -s "$folder/expected" ] || { echo "there are no fragments"; exit 1; }

"$CC" -std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -I"$SOURCE/include" $FLAGS "$folder/program.c" \
  "$SHARED_LIBRARY" -o "$folder/program"
LD_LIBRARY_PATH=$(dirname "$SHARED_LIBRARY") "$folder/program" > "$folder/output"
diff "$folder/expected" "$folder/output" || { echo "the page (<) and the program (>) differ"; exit 1; }

for name in $(sed -n 's/^HBG_API .*[ *]\(hbg_[a-z_]*\)(.*/\1/p' "$SOURCE"/include/hybrsim/*.h); do
  grep -q "\`$name\`" "$page" || { echo "$name is not in the list of all functions"; missing=yes; }
done
[ -z "${missing-}" ]
