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
