#!/usr/bin/env bash
# What the library cannot be built with is refused in words: refused.sh COMPILER INCLUDE_DIR
set -euo pipefail
compiler=$1 include=$2

preprocess() {
  LC_ALL=C "$compiler" "$@" -I"$include" -E -x c++ "$include/ratchet/base/config.hpp"
}

# refused WORDS FLAG...: preprocessing under these flags fails with these words.
refused() {
  local words=$1 said
  shift
  if said=$(preprocess "$@" 2>&1 >/dev/null); then
    echo "$compiler $*: is accepted, and must be refused" >&2
    return 1
  fi
  if [[ $said != *"$words"* ]]; then
    printf '%s: refused without the words "%s":\n%s\n' "$compiler $*" "$words" "$said" >&2
    return 1
  fi
  echo "refused, as it must be: $*"
}

preprocess -std=c++20 >/dev/null
refused "ratchet needs exceptions" -std=c++20 -fno-exceptions
refused "ratchet needs C++20" -std=c++17
refused "ratchet runs on 64-bit x86-64 Linux" -std=c++20 -m32
refused "ratchet runs on 64-bit x86-64 Linux" -std=c++20 -mx32
