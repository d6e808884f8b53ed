#!/usr/bin/env bash
# mixed_flags.sh COMPILER INCLUDE_DIR LIBRATCHET.a STORE: halves with and without -mcx16 -mavx2 work
# in one program; a ThreadSanitizer half does not link with a library built without it, since it
# synchronises differently.
set -euo pipefail
compiler=$1 include=$2 library=$3 store=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

compile() { "$compiler" -std=c++20 -O1 -I"$include" -DRATCHET_TEST_STORE="$store" -c "$@"; }

has_avx2() { grep -qm1 '^flags.* avx2' /proc/cpuinfo; }

mixed() {
  compile "$@" "$here/main.cpp" -o main.o
  compile "$here/other.cpp" -o other.o
  "$compiler" main.o other.o "$library" -pthread -o mixed
  ./mixed
  echo "linked and ran: one half with $*"
}

mixed -mcx16
if has_avx2; then
  mixed -mcx16 -mavx2
else
  echo "this CPU has no AVX2: a half with -mavx2 was not tried"
fi

tsan() {
  local said
  compile -fsanitize=thread "$here/main.cpp" -o main.o
  compile -fsanitize=thread "$here/other.cpp" -o other.o
  if said=$(LC_ALL=C "$compiler" -fsanitize=thread main.o other.o "$library" -pthread -o tsan 2>&1)
  then
    echo "a ThreadSanitizer program linked with a library built without it" >&2
    return 1
  fi
  if [[ $said != *"undefined reference"*v0_tsan* ]]; then
    printf 'the link failed for another reason:\n%s\n' "$said" >&2
    return 1
  fi
  echo "a ThreadSanitizer half does not link, as it must be"
}
tsan
