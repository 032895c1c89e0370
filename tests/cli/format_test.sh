# SPDX-License-Identifier: BSD-3-Clause
# `hybrsim format`: files in place, a filter, --check; and files that stay as they are.
. "$SOURCE/tests/cli/claims.sh"

untidy='model A {
param a=1 // one
      stop   1
}'
tidy='model A {
  param a = 1                               // one
  stop 1
}'

printf '%s' "$untidy" >a.hbg
claim "--check lists what is not laid out" same a.hbg "$("$HYBRSIM" format --check a.hbg)"
"$HYBRSIM" format --check a.hbg >output; claim "and answers 1" same 1 $?
claim "and changes nothing" same "$untidy" "$(cat a.hbg)"

chmod 640 a.hbg
ln -s a.hbg link.hbg
"$HYBRSIM" format link.hbg >output 2>errors; claim "a file is laid out in place" same 0 $?
claim "without a word" same "" "$(cat output errors)"
claim "as it should be" same "$tidy" "$(cat a.hbg)"
claim "with the rights it had" same "-rw-r-----" "$(ls -l a.hbg | cut -c 1-10)"
claim "and a link stays a link" test -L link.hbg
"$HYBRSIM" format --check a.hbg >output; claim "then it is laid out" same "0 " "$? $(cat output)"

touch -d 2001-01-01 a.hbg
"$HYBRSIM" format a.hbg
claim "a file that is laid out is not written" same 2001 "$(date -r a.hbg +%Y)"

claim "standard input goes to standard output" same "$tidy" "$(printf '%s' "$untidy" | "$HYBRSIM" format -)"
claim "also when it is laid out" same "$tidy" "$(printf '%s\n' "$tidy" | "$HYBRSIM" format -)"

wrong='model B {
param b=(1
}'
printf '%s' "$wrong" >b.hbg
printf '%s' "$untidy" >c.hbg
"$HYBRSIM" format b.hbg c.hbg >output 2>errors; claim "a file with mistakes is told" same 1 $?
claim "with its mistake" grep -q 'b.hbg:2:.*E0102' errors
claim "and stays as it is" same "$wrong" "$(cat b.hbg)"
claim "the others are laid out" same "$tidy" "$(cat c.hbg)"

# what is no mistake of reading is no matter of the layout
printf 'model D { param d=e }\n' >d.hbg
"$HYBRSIM" format d.hbg 2>errors; claim "an unknown name is laid out" same "0 model D { param d = e }" "$? $(cat d.hbg)"

"$HYBRSIM" format nothing.hbg 2>errors; claim "a file that is not there is wrong usage" same 2 $?
"$HYBRSIM" format 2>errors; claim "so is no file at all" same 2 $?
"$HYBRSIM" format --stop 1 a.hbg 2>errors; claim "and an option of other commands" same 2 $?
"$HYBRSIM" lsp a.hbg 2>errors </dev/null; claim "lsp takes no file" same 2 $?
if [ "$(id -u)" -ne 0 ]; then
  printf '%s' "$untidy" >e.hbg
  chmod 400 e.hbg
  "$HYBRSIM" format e.hbg 2>errors; claim "a file that may not be written is told" same 2 $?
fi
all_hold
