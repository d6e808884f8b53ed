#!/usr/bin/env bash
# Installs what is missing, builds, and runs ratchet-stress: ./run.sh [arguments of ratchet-stress]
set -euo pipefail
cd "$(dirname "$0")"
# shellcheck source=tests/scripts/packages.sh
source tests/scripts/packages.sh

results=results/local/latest.json

build() {
  local log=build/run.log strictness=()
  # Our warnings are errors with the compiler we know; another one may know more of them.
  [[ $(g++ -dumpversion) == 12* ]] || strictness=(-DRATCHET_WARNINGS_AS_ERRORS=OFF)
  mkdir -p build results/local
  if ! { cmake --preset release "${strictness[@]}" &&
    cmake --build --preset release -j "$(nproc)" --target ratchet-stress; } >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "run.sh: the build did not succeed; all of it: $log" >&2
    return 1
  fi
}

# `run` without a --json of its own writes to $results.
names_a_file() {
  local argument
  for argument in "$@"; do
    [[ $argument == --json || $argument == --json=* ]] && return 0
  done
  return 1
}

main() {
  (($# > 0)) || set -- run rate-limiter wallet
  install_missing run
  build
  local status=0
  if [[ $1 == run ]] && ! names_a_file "$@"; then
    build/release/stress/ratchet-stress "$@" --json "$results" || status=$?
    [[ ! -s $results ]] || echo "results: $results"
  else
    build/release/stress/ratchet-stress "$@" || status=$?
  fi
  return "$status"
}

main "$@"
