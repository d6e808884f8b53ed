#!/usr/bin/env bash
# Builds and tests: ./test.sh [quick|full|night] [--only STEP]... [--list]. Without a tier: quick.
# Ends with `N passed, N failed`. Exits 0 when nothing failed, 1 when something did, 2 for a wrong
# argument.
set -euo pipefail
cd "$(dirname "$0")"
# shellcheck source=tests/scripts/packages.sh
source tests/scripts/packages.sh
# shellcheck source=tests/scripts/steps.sh
source tests/scripts/steps.sh

# name, first tier that runs it (with "!": the only one), budget in seconds on two cores, what it
# does
steps=(
  "format     quick  20  clang-format over every .hpp and .cpp"
  "rules      quick  90  the house rules, and that each of them bites"
  "debug      quick! 240  g++, assertions: build and tests; in the other tiers coverage does that"
  "release    quick 330  g++, optimised: build, unit, model, explore, stress and bench tests"
  "compile    quick  60  what must not compile, does not"
  "explore    full  480  every schedule of more programs of the shipped source"
  "clang14    full  260  clang++-14: build and tests"
  "small      full  260  tiny tables and batches: build and tests"
  "asan-ubsan full  360  AddressSanitizer and UndefinedBehaviorSanitizer: build and tests"
  "tsan       full  480  ThreadSanitizer: build and tests"
  "build      full  240  disassembly, refusals, consumer projects, mixed flags, shared objects"
  "bounds     full   60  as many threads as the host allows, garbage at full size, optimised"
  "coverage   full  330  g++, assertions: build, tests, and what of lib/ratchet they run"
  "tidy       full   60  clang-tidy over lib/ratchet"
  "mutants    full  360  deliberately broken copies of lib, each caught by its test"
  "scripts    full   10  shellcheck over the scripts"
  "clang19    night   0  clang++-19, as users have it: build and tests"
  "night      night   0  tests labelled night"
  "spin       night   0  the models in docs/model"
)
declare -A budget_of_tier=([quick]=720 [full]=2400 [night]=0)
tiers=(quick full night)

usage() {
  echo "test.sh: unknown $1; accepted: quick, full, night, --list, --only STEP with STEP one of" >&2
  printf '  %s\n' "${steps[@]}" >&2
  exit 2
}

tier_rank() {
  local i
  for i in "${!tiers[@]}"; do [[ ${tiers[i]} != "${1%!}" ]] || echo "$i"; done
}

# Does the tier run a step that this first tier has?
tier_runs() {
  if [[ $2 == *! ]]; then
    [[ $1 == "${2%!}" ]]
  else
    (($(tier_rank "$2") <= $(tier_rank "$1")))
  fi
}

known_step() {
  local name rest
  while read -r name rest; do [[ $name != "$1" ]] || return 0; done < <(printf '%s\n' "${steps[@]}")
  return 1
}

# Reads the arguments into tier, only and list.
parse() {
  tier="" only=() list=no
  while (($# > 0)); do
    case $1 in
      quick | full | night) tier=$1 ;;
      --list) list=yes ;;
      --only)
        if (($# < 2)) || ! known_step "$2"; then usage "step '${2:-}' after --only"; fi
        only+=("$2")
        shift
        ;;
      *) usage "argument '$1'" ;;
    esac
    shift
  done
}

wanted() {
  local name=$1 first=$2 one
  if ((${#only[@]} == 0)); then
    tier_runs "$tier" "$first"
    return
  fi
  for one in "${only[@]}"; do [[ $one != "$name" ]] || return 0; done
  return 1
}

passed_total=0 failed_total=0

# Runs one step with errexit on, its output into a log, and adds up the counts it reported.
run_step() {
  local name=$1 budget=$2 about=$3 log=build/log/$1.log status=0 began=$SECONDS
  counts=$(mktemp)
  printf '== %s: %s\n' "$name" "$about"
  set +e
  (
    set -e
    "step_${name//-/_}"
  ) >"$log" 2>&1
  status=$?
  set -e
  local passed=0 failed=0 skipped=0 p f s
  while read -r p f s; do
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  done <"$counts"
  rm -f "$counts"
  if ((status != 0 && failed == 0)); then failed=1; fi
  if ((passed + failed == 0)) && ! may_be_empty "$name"; then
    echo "$name ran no check at all" >>"$log"
    failed=1
  fi
  if ((failed > 0)); then
    tail -n 100 "$log"
  fi
  report "$name" "$budget" $((SECONDS - began)) "$passed" "$failed" "$skipped" "$log"
  passed_total=$((passed_total + passed)) failed_total=$((failed_total + failed))
}

report() {
  local name=$1 budget=$2 used=$3 passed=$4 failed=$5 skipped=$6 log=$7
  local of=", no budget" over="" skips=""
  if ((budget > 0)); then of=" of $budget s"; fi
  if ((budget > 0 && used > budget)); then over=", OVER ITS BUDGET"; fi
  if ((skipped > 0)); then skips=", $skipped skipped (see $log)"; fi
  echo "-- $name: $((passed + failed)) checks, $failed failed$skips; $used s$of$over"
}

# A step that --only names may belong to a later tier than quick.
tier_of_only() {
  local name first rest one highest=quick
  while read -r name first rest; do
    for one in "${only[@]}"; do
      if [[ $one == "$name" ]] && ! tier_runs "$highest" "$first"; then highest=${first%!}; fi
    done
  done < <(printf '%s\n' "${steps[@]}")
  echo "$highest"
}

list_steps() {
  local name first budget about
  while read -r name first budget about; do
    if [[ -z $tier ]] || tier_runs "$tier" "$first"; then
      printf '%-10s  %-5s  %4s s  %s\n' "$name" "$first" "$budget" "$about"
    fi
  done < <(printf '%s\n' "${steps[@]}")
}

main() {
  parse "$@"
  if [[ $list == yes ]]; then
    list_steps
    return 0
  fi
  if [[ -z $tier ]]; then
    tier=quick
    if ((${#only[@]} > 0)); then tier=$(tier_of_only); fi
  fi
  install_missing "$tier"
  mkdir -p build/log
  local name first budget about began=$SECONDS row
  for row in "${steps[@]}"; do
    read -r name first budget about <<<"$row"
    if wanted "$name" "$first"; then run_step "$name" "$budget" "$about"; fi
  done
  local used=$((SECONDS - began)) allowed=${budget_of_tier[$tier]}
  if ((allowed > 0)); then
    echo "$tier: $used s of $allowed s"
  else
    echo "$tier: $used s, no budget"
  fi
  if ((allowed > 0 && used > allowed)); then
    echo "$tier is over its budget, which counts as one failed check"
    failed_total=$((failed_total + 1))
  fi
  echo "$passed_total passed, $failed_total failed"
  ((failed_total == 0))
}

main "$@"
