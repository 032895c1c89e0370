# SPDX-License-Identifier: BSD-3-Clause
# Every model in the documentation is right: each ```hbg fence of docs/*.md, README.md and the pages of the gallery passes
# `hybrsim check`, and each ```hbg-wrong CODE fence fails with that code. Fragments are marked ```hbg-fragment.
set -eu
program=${HYBRSIM:?the program to test} source=${SOURCE:?the folder of the project}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# each fence becomes a file: folder/<page>-<line>.hbg, its code (or "right") in the file of the same name with .code
for page in "$source"/docs/*.md "$source"/README.md "$source"/models/*/README.md "$source"/library/README.md; do
  [ -f "$page" ] || continue
  name=$(printf '%s' "${page#"$source"/}" | tr '/' '_')
  awk -v base="$folder/$name" '
    /^ *```/ && inside { inside = 0; close(file); next }
    /^ *```hbg *$/ || /^ *```hbg-wrong / {
      inside = 1; file = base "-" NR ".hbg"
      print ($1 == "```hbg-wrong" ? $2 : "right") > (base "-" NR ".code"); close(base "-" NR ".code"); next }
    inside { print > file }' "$page"
done

count=0 failed=0
for model in "$folder"/*.hbg; do
  [ -f "$model" ] || { echo "there is no example in the documentation"; exit 1; }
  count=$((count + 1))
  expected=$(cat "${model%.hbg}.code") status=0
  "$program" check "$model" > "$folder/output" 2>&1 || status=$?
  if [ "$expected" = right ]; then
    [ $status -eq 0 ] && continue
  else
    [ $status -eq 1 ] && grep -q "\[$expected\]" "$folder/output" && continue
  fi
  failed=$((failed + 1))
  echo "--- $(basename "$model"): exit status $status, expected $expected"
  cat "$folder/output"
done
echo "$count examples, $failed failed"
[ $failed -eq 0 ]
