# SPDX-License-Identifier: BSD-3-Clause
# Memory is refused to the program at one request after the other: it ends with exit status 3 and a message, or as it would
# have ended; never by a signal, and never with a half file of results. The first 40 requests one by one, then every 61st.
set -u
source=${SOURCE:?the folder of the project}
program=$(dirname "${HYBRSIM:?the program}")/tests/hybrsim-refusing
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0 refusals=0
# a program that ends leaves its memory to the system; that the library loses none is refusal/places
export ASAN_OPTIONS=detect_leaks=0

wrong() {
  failures=$((failures + 1))
  echo "request $request refused, $*"
  cat errors
}

# refuse EXPECTED ARGUMENT...: EXPECTED is the exit status when nothing is refused
refuse() {
  expected=$1
  shift
  HYBRSIM_REFUSE=0 HYBRSIM_REFUSE_COUNT=count "$program" "$@" --output whole >output 2>errors
  [ $? -eq "$expected" ] || { request=0; wrong "$*: exit status should be $expected"; }
  request=1
  while [ $request -le "$(cat count)" ]; do
    rm -f result
    HYBRSIM_REFUSE=$request "$program" "$@" --output result >output 2>errors
    status=$?
    refusals=$((refusals + 1))
    case $status in
      3) grep -q "the allocator refused memory\|could not go on" errors || wrong "$*: what happened is not told" ;;
      "$expected") ;;
      *) wrong "$*: exit status $status" ;;
    esac
    ls | grep -q partial && wrong "$*: a half file stays behind"
    if [ $request -lt 40 ]; then request=$((request + 1)); else request=$((request + 61)); fi
  done
}

model=$source/models/bullet-wood/bullet-wood.hbg
refuse 0 events "$model" --format json
refuse 0 events "$model" --format table
refuse 0 simulate "$model" --format csv --columns 'bullet.f,impulse(contact.e)' --interval 0.1 --set m1=2
refuse 0 causality "$model" --mode contact=on --format json
refuse 0 plot "$model" --interval 0.1
refuse 3 events "$source/tests/broken/endless-loop.hbg"
refuse 1 simulate "$source/tests/broken/unknown-element.hbg"
refuse 2 simulate "$model" --columns nothing_of_that_name

echo "$refusals refusals, $failures wrong"
[ $failures -eq 0 ]
