# SPDX-License-Identifier: BSD-3-Clause
# What is installed serves a program outside: the examples are built against it by CMake, shared and static, and by pkg-config,
# and print what examples/*.txt says. None has more than 60 lines.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
installed=$folder/installed

quietly() {
  "$@" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
}

# Compares what the programs of a folder print.
compare() {
  for example in "$SOURCE"/examples/*.c; do
    name=$(basename "$example" .c)
    LD_LIBRARY_PATH=$library "$1/$name" > "$folder/output" || { echo "$1/$name failed"; exit 1; }
    diff "${example%.c}.txt" "$folder/output" || { echo "$1/$name prints something else"; exit 1; }
  done
}

quietly "$CMAKE" --install "$BUILD" --prefix "$installed"
pc=$(find "$installed" -name hybrsim.pc)
library=$(dirname "$(dirname "$pc")")
[ -f "$installed/share/hybrsim/library/electrical.hbg" ] || { echo "the submodels of the library are not installed"; exit 1; }

for static in OFF ON; do
  quietly "$CMAKE" -S "$SOURCE/examples" -B "$folder/$static" -DCMAKE_PREFIX_PATH="$installed" -DLINK_STATIC=$static \
    -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="-Werror $FLAGS" -DCMAKE_BUILD_TYPE=Debug
  quietly "$CMAKE" --build "$folder/$static"
  compare "$folder/$static"
done

# both in one project; a component that there is not is named
mkdir "$folder/both"
cat > "$folder/both/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.21)
project(both C)
find_package(hybrsim REQUIRED COMPONENTS shared static ${OTHER})
if(NOT TARGET hybrsim::hybrsim OR NOT TARGET hybrsim::static)
  message(FATAL_ERROR "a target is missing")
endif()
END
quietly "$CMAKE" -S "$folder/both" -B "$folder/both/build" -DCMAKE_PREFIX_PATH="$installed" -DCMAKE_C_COMPILER="$CC"
if "$CMAKE" -S "$folder/both" -B "$folder/both/build" -DOTHER=python > "$folder/log" 2>&1; then echo "a component python was found"; exit 1; fi
grep -q "there are shared and static" "$folder/log" || { cat "$folder/log"; exit 1; }

# a static program needs no libhybrsim.so, a shared one does
objdump -p "$folder/OFF/table" | grep -q 'NEEDED.*libhybrsim\.so\.' || { echo "the shared example is not linked shared"; exit 1; }
if objdump -p "$folder/ON/table" | grep -q 'NEEDED.*libhybrsim'; then echo "the static example is linked shared"; exit 1; fi

export PKG_CONFIG_PATH="$(dirname "$pc")"
mkdir "$folder/pc" "$folder/pc-static"
for example in "$SOURCE"/examples/*.c; do
  name=$(basename "$example" .c)
  lines=$(wc -l < "$example")
  [ "$lines" -le 60 ] || { echo "$example has $lines lines"; exit 1; }
  quietly "$CC" -std=c17 $FLAGS "$example" $(pkg-config --cflags --libs hybrsim) -pthread -lm -o "$folder/pc/$name"
done
compare "$folder/pc"
quietly "$CC" -std=c17 $FLAGS "$SOURCE/examples/table.c" $(pkg-config --cflags hybrsim) "$library/libhybrsim.a" \
  $(pkg-config --static --libs hybrsim | sed 's/-lhybrsim//') -o "$folder/pc-static/table"
"$folder/pc-static/table" | diff "$SOURCE/examples/table.txt" -

# the program itself
"$installed/bin/hybrsim" --version > /dev/null
