# SPDX-License-Identifier: BSD-3-Clause
# Every global symbol of the library starts with hbg_, so that it never meets one of the program it is linked into.
set -eu
foreign=$("$NM" -g --defined-only "$LIBRARY" | awk 'NF == 3 && $3 !~ /^(hbg_|__odr_asan\.|__asan|__gcov|__llvm)/ { print $3 }' | sort -u)
if [ -n "$foreign" ]; then
  echo "global symbols that do not start with hbg_:"
  echo "$foreign"
  exit 1
fi

# A static library hides two functions of one name: whichever object is linked first wins.
twice=$("$NM" -g --defined-only "$LIBRARY" | awk 'NF == 3 && $3 ~ /^hbg_/ { print $3 }' | sort | uniq -d)
if [ -n "$twice" ]; then
  echo "global symbols defined twice:"
  echo "$twice"
  exit 1
fi

# The shared library shows what the headers promise, all of it and nothing else, each with the version of the library.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed -n 's/^HBG_API .*[ *]\(hbg_[a-z_]*\)(.*/\1/p' "$SOURCE"/include/hybrsim/*.h | sort > "$folder/promised"
[ "$(uniq -d "$folder/promised")" = "" ] || { echo "declared twice:"; uniq -d "$folder/promised"; exit 1; }
[ "$(wc -l < "$folder/promised")" -gt 60 ] || { echo "the headers were not read"; exit 1; }
"$NM" -D --defined-only "$SHARED_LIBRARY" | awk '$2 ~ /^[TDBRW]$/ && $3 !~ /^(__odr_asan|__asan|__gcov|__llvm)/ { print $3 }' | sort > "$folder/shown"
sed 's/$/@@HYBRSIM_0.1/' "$folder/promised" | diff - "$folder/shown" || { echo "headers (<) and shared library (>) differ"; exit 1; }

# One version in the headers, the soname and the build.
version=$(sed -n 's/^#define HBG_VERSION "\(.*\)"/\1/p' "$SOURCE/include/hybrsim/hybrsim.h")
[ "$("$HYBRSIM" --version)" = "hybrsim $version" ] || { echo "the program has another version than the headers"; exit 1; }
[ -f "$(dirname "$SHARED_LIBRARY")/libhybrsim.so.$version" ] || { echo "the library has another version than the headers"; exit 1; }
objdump -p "$SHARED_LIBRARY" | grep -q "SONAME *libhybrsim\.so\.${version%.*}\$" || { echo "the soname is wrong"; exit 1; }
