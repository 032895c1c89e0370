#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One hash over the trajectories and event tables of every model, by the integrators of our own, printed exactly: the same
# whether gcc or clang made the program, without optimisation or with all of it.
set -eu
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$SOURCE"

# What every model answers to every question, one line each; what is not reproduced by another build shows in the difference.
answers() {
  for model in models/*/*.hbg tests/models/witnesses/*.hbg; do
    for method in dp5 "euler --step 0.0009765625"; do
      for command in simulate events; do
        # shellcheck disable=SC2086
        "$1" $command "$model" --method $method --stop 0.05 --format csv --quiet >"$here/rows" 2>"$here/words" || true
        echo "$(cat "$here/rows" "$here/words" | sha256sum | cut -c1-16) $command $model $method"
      done
    done
  done
}

builds=0
for compiler in gcc clang; do
  command -v $compiler >/dev/null 2>&1 || { echo "there is no $compiler here: left out"; continue; }
  for optimisation in O0 O3; do
    folder=$BUILD/determinism/$compiler-$optimisation
    cmake -S . -B "$folder" -G Ninja -DCMAKE_C_COMPILER=$compiler -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-$optimisation \
      -DHYBRSIM_TESTS=OFF >"$here/log" 2>&1 && cmake --build "$folder" --target hybrsim-program >>"$here/log" 2>&1 ||
      { tail -n 40 "$here/log"; exit 1; }
    answers "$folder/hybrsim" >"$here/$compiler-$optimisation"
    echo "$(sha256sum <"$here/$compiler-$optimisation" | cut -c1-16) $compiler -$optimisation, $(wc -l <"$here/$compiler-$optimisation") runs"
    [ -e "$here/first" ] || cp "$here/$compiler-$optimisation" "$here/first"
    diff "$here/first" "$here/$compiler-$optimisation" || { echo "$compiler -$optimisation differs"; exit 1; }
    builds=$((builds + 1))
  done
done
[ "$builds" -ge 2 ]
