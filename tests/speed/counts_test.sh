# SPDX-License-Identifier: BSD-3-Clause
# A few small runs take as many instructions as recorded, give or take 3 %: timings are no tests, counts are. They are those of a release,
# which is built here unless nothing could be compared.
set -eu
export CC="$CC"
"$SOURCE/bench/counts" --known
folder=$BUILD/counts
"$CMAKE" -S "$SOURCE" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$CC" -DHYBRSIM_TESTS=OFF > "$BUILD/counts.log" 2>&1 &&
  "$CMAKE" --build "$folder" --target hybrsim-program >> "$BUILD/counts.log" 2>&1 || { tail -n 30 "$BUILD/counts.log"; exit 1; }
"$SOURCE/bench/counts" "$folder/hybrsim"
