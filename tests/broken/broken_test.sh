# SPDX-License-Identifier: BSD-3-Clause
# Every mistake gets the report it must get: each NAME.txt holds a command, what it says on standard error, and its exit
# status; NAME.hbg is a model with one mistake. Long decimal fractions are where a run had come to, and not compared.
# Every code of src/base/diagnostic_codes.def has its model.
set -u
program=${HYBRSIM:?the program to test} source=${SOURCE:?the folder of the project}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$source/tests/broken" || exit 1

hybrsim() { "$program" "$@"; }
without_fractions() { sed -E 's/[0-9]+\.[0-9]{4,}(e[-+]?[0-9]+)?/#/g'; }

count=0 failed=0
for expected in *.txt; do
  count=$((count + 1))
  command=$(sed -n '1s/^\$ //p' "$expected")
  { echo "\$ $command"
    eval "$command" 2>&1 >/dev/null </dev/null
    echo "exit status $?"; } >"$folder/report"
  without_fractions <"$folder/report" >"$folder/got"
  without_fractions <"$expected" | diff - "$folder/got" >"$folder/difference" && continue
  failed=$((failed + 1))
  echo "--- $expected"
  cat "$folder/difference"
done

for model in *.hbg; do
  [ -f "${model%.hbg}.txt" ] || { failed=$((failed + 1)); echo "$model has no report"; }
done

for number in $(sed -n 's/^DIAGNOSTIC([A-Z_]*, *\([0-9]*\),.*/\1/p' "$source/src/base/diagnostic_codes.def"); do
  cat ./*.txt | grep -q "\[[EW]0$number\]" || { failed=$((failed + 1)); echo "no model is told [E0$number]"; }
done

echo "$count broken models, $failed failed"
[ $count -ge 120 ] && [ $failed -eq 0 ]
