# SPDX-License-Identifier: BSD-3-Clause
# `--compile`: machine code changes no result; what the system's compiler makes is kept, and trusted only when it is whole.
. "$SOURCE/tests/cli/claims.sh"
XDG_CACHE_HOME=$folder/cache
TMPDIR=$folder/tmp
export XDG_CACHE_HOME TMPDIR
mkdir tmp

cat >chain.hbg <<'END'
model Chain(n = 40) {
  1 a; Sf left(0); left -> a; 1 b; Sf right(0.1*sin(time)); right -> b
  for i in 1..n { 1 v[i]; I mass[i](1 + i/n) start f = sin(i); v[i] -> mass[i]; }
  for i in 0..n {
    0 link[i]; 1 s[i]; C spring[i]: e = q + q^3; R damper[i]: e = 0.1*f + 0.1*sin(f)
    link[i] -> s[i]; s[i] -> spring[i]; s[i] -> damper[i]
  }
  for i in 1..n { link[i-1] -> v[i]; v[i] -> link[i] }
  a -> link[0]; link[n] -> b
  stop 10
}
END
run() { "$HYBRSIM" simulate chain.hbg --columns 'mass[1].p,spring[7].q,mass[40].f' --format csv "$@"; }

# a compiler that is there: runs that last twice as long each time, until the compiler has done its work beside one of them. How
# long it takes is nobody's claim: it may be ten milliseconds or, beside other work, a minute.
has_cc=false
"${CC:-cc}" --version >/dev/null 2>&1 && has_cc=true
run_until() {
  stop=100
  while [ $stop -lt 50000000 ]; do
    run --compile=cc --stop $stop >/dev/null 2>&1
    "$@" && return 0
    stop=$((stop * 2))
  done
  return 1
}
is_kept() { ls cache/hybrsim/*.so >/dev/null 2>&1; }
same_size() { [ -f "$2" ] && [ "$(wc -c <"$1")" = "$(wc -c <"$2")" ]; }
# some file is as long as it was before it was damaged
is_made_again() {
  for file in cache/hybrsim/*.so; do same_size "$file" "whole/${file##*/}" && return 0; done
  return 1
}

run --compile=off >expected.csv
claim "byte code goes to the end" same 0 $?
for way in auto tcc cc; do
  run --compile=$way >$way.csv 2>errors
  claim "the run goes to its end with $way" same 0 $?
  claim "the results are the same with $way" cmp -s expected.csv $way.csv
done

if $has_cc; then
  claim "the code is kept" run_until is_kept
  claim "nothing unfinished is left" same "" "$(find cache/hybrsim -type f ! -name '*.so')"
  run --compile=cc >kept.csv 2>errors
  claim "results with kept code are the same" cmp -s expected.csv kept.csv
  claim "nothing is told" same "" "$(cat errors)"

  # damage
  cp -r cache/hybrsim whole
  for file in cache/hybrsim/*.so; do echo damaged >"$file"; done
  run --compile=cc >damaged.csv 2>errors
  claim "damaged code is not used" cmp -s expected.csv damaged.csv
  claim "it is made again" run_until is_made_again
  for file in cache/hybrsim/*.so; do
    size=$(wc -c <"$file")
    head -c $((size / 2)) "$file" >half && cat half >"$file"
  done
  run --compile=cc >half.csv 2>errors
  claim "half a file is not used" cmp -s expected.csv half.csv
  claim "and made again" run_until is_made_again
  for file in cache/hybrsim/*.so; do cp "$file" cache/hybrsim/other && mv cache/hybrsim/other "$file" && printf x >>"$file"; done
  run --compile=cc >longer.csv 2>errors
  claim "a file that is too long is not used" cmp -s expected.csv longer.csv

  # several at once
  rm -r cache
  for process in 1 2 3 4; do run --compile=cc >"$process.csv" 2>/dev/null & done
  wait
  for process in 1 2 3 4; do claim "runs at the same time agree" cmp -s expected.csv $process.csv; done
fi

# folders that cannot be used
rm -rf cache
: >cache
run --compile=cc >file.csv 2>errors
claim "a file in place of the folder is no hindrance" cmp -s expected.csv file.csv
claim "the temporary folder goes with the run" same "" "$(ls tmp)"
rm cache
mkdir -p cache/hybrsim
chmod 777 cache/hybrsim
run --compile=cc >open.csv 2>errors
claim "a folder that everybody can write to is no hindrance" cmp -s expected.csv open.csv
claim "but nothing is kept there" same "" "$(ls cache/hybrsim)"
chmod 700 cache/hybrsim

# no compiler
CC=$folder/none run --compile=cc >none.csv 2>errors
claim "without a compiler byte code does it" cmp -s expected.csv none.csv
claim "and this is told once" same 1 "$(grep -c "no compiler" errors)"
CC=$folder/none run >none.csv 2>errors
claim "and not where nobody asked for it" same "" "$(cat errors)"
CC=false run --compile=cc --stop 40 >false.csv 2>errors
claim "a compiler that fails does no harm" same 0 $?

run --compile=llvm >wrong.csv 2>errors
claim "another compiler is a mistake of usage" same 2 $?
all_hold
