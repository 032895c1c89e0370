# SPDX-License-Identifier: BSD-3-Clause
# What the benchmark measures is right: its models, at small sizes, give their exact answers and switch as often as they should.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$SOURCE"/bench/models/*.hbg "$folder"
"$CC" -std=gnu17 -O2 -Wall -Wextra -Werror "$SOURCE"/bench/*/*.c -o "$folder/hybrsim-bench" -lm
"$folder/hybrsim-bench" "$HYBRSIM" "$folder" "$folder" --most 10 --no-times
