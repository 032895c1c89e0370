# SPDX-License-Identifier: BSD-3-Clause
# libFuzzer, a few thousand executions of each entry from the kept corpus, always the same ones; the long runs are
# scripts/fuzz. Skipped where clang has no libFuzzer.
set -u
source=${SOURCE:?the folder of the project}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

echo 'int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size) { return (int)(size && !data); }' >"$folder/entry.c"
if ! clang -fsanitize=fuzzer,address "$folder/entry.c" -o "$folder/entry" 2>"$folder/errors"; then
  echo "skipped: there is no clang with libFuzzer (Debian: clang, libclang-rt-14-dev)"
  exit 77
fi
exec "$source/scripts/fuzz" short
