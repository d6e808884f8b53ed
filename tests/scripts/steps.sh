# shellcheck shell=bash
# The steps of test.sh: step_NAME builds and checks, prints into its log, and tells `checked` what
# it counted.

jobs=$(nproc)

# Steps that may find nothing to do: every other one fails when it ran no check.
may_be_empty() { [[ $1 == night || $1 == spin ]]; }

# checked PASSED FAILED [SKIPPED]: may be called more than once in a step. test.sh names the file.
checked() { echo "$1 $2 ${3:-0}" >>"${counts:?}"; }

sources() { find lib stress bench tests docs -type f \( -name '*.hpp' -o -name '*.cpp' \) | sort; }

# Counts how many of the files standard input names the command accepts.
check_each() {
  local file passed=0 failed=0
  while read -r file; do
    if "$@" "$file"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  done
  checked "$passed" "$failed"
  ((failed == 0))
}

build_preset() {
  cmake --preset "$1"
  cmake --build --preset "$1" -j "$jobs" -- -k 0
}

# For steps that use what an earlier one built, when they are run alone.
build_preset_once() { [[ -f build/$1/CTestTestfile.cmake ]] || build_preset "$1"; }

# The attribute of the outermost element of a JUnit file.
junit_count() { grep -o -m1 "[[:space:]]$2=\"[0-9]*\"" "$1" | head -n 1 | tr -dc 0-9; }

# run_ctest PRESET[/FOLDER] [ctest arguments]: a test that did not run is told as skipped.
run_ctest() {
  local preset=$1 junit status=0 all failed skipped
  shift
  junit=$PWD/build/log/${preset//\//.}.junit.xml
  rm -f "$junit"
  ctest --test-dir "build/$preset" --output-on-failure -j "$jobs" --timeout 300 --no-tests=ignore \
    --output-junit "$junit" "$@" || status=$?
  if [[ -s $junit ]]; then
    all=$(junit_count "$junit" tests)
    failed=$(junit_count "$junit" failures)
    skipped=$(($(junit_count "$junit" skipped) + $(junit_count "$junit" disabled)))
    checked $((all - failed - skipped)) "$failed" "$skipped"
  fi
  return "$status"
}

# All but what other steps run once for all presets.
test_preset() {
  build_preset "$1"
  run_ctest "$1" -LE '^(build|compile|deep|rules|night)$'
}

step_format() { sources | check_each clang-format-19 --dry-run -Werror; }

# run_python NAME SCRIPT [arguments]: its last line is `N passed, N failed`.
run_python() {
  local out=build/log/$1.out status=0 passed failed
  python3 "${@:2}" | tee "$out" || status=$?
  read -r passed _ failed _ <<<"$(tail -n 1 "$out")"
  checked "$passed" "$failed"
  return "$status"
}

step_rules() { run_python rules tests/rules/check.py --root .; }
step_mutants() { run_python mutants tests/mutants/run.py --root .; }

step_debug() { test_preset debug; }

step_release() {
  build_preset release
  run_ctest release -L '^(unit|model|explore|scenario|stress|bench)$'
}

step_compile() {
  build_preset_once release
  run_ctest release -L '^compile$'
}

step_explore() {
  build_preset_once release
  run_ctest release -L '^deep$' --timeout 900
}

# Another compiler must also refuse what must not compile.
step_clang14() {
  build_preset clang14
  run_ctest clang14 -LE '^(build|rules|night)$'
}

step_clang19() {
  build_preset clang19
  run_ctest clang19 -LE '^(build|rules|night)$'
}

step_small() { test_preset small-limits; }
step_asan_ubsan() { test_preset asan-ubsan; }
step_tsan() { test_preset tsan; }

step_build() {
  build_preset_once release
  run_ctest release -L '^build$'
}

step_bounds() {
  build_preset_once release
  run_ctest release -L '^bounds$'
}

# Of the build with tiny tables: what makes its rare paths common.
small_coverage=(store_model index_race edge_unit each_unit handle_unit erased_keys_unit threads_race
  garbage_race destructors_race)

# The tests, and one check more: enough lines and branches of lib/ratchet were run. F53 reads
# hundreds of millions of values, for what no count of lines can show.
step_coverage() {
  local preset folder status=0 bad=0 names
  local folders=(unit patterns model faults reclaim process)
  local targets=("${folders[@]/#/tests/}")
  targets=("${targets[@]/%//all}")
  for preset in coverage coverage-small; do
    cmake --preset "$preset"
    find "build/$preset" -name '*.gcda' -delete
  done
  cmake --build --preset coverage -j "$jobs" --target "${targets[@]}"
  cmake --build --preset coverage-small -j "$jobs" --target "${small_coverage[@]}"
  for folder in "${folders[@]}"; do
    run_ctest "coverage/tests/$folder" -LE '^night$' -E F53 || status=1
  done
  names=$(printf '|%s' "${small_coverage[@]}")
  run_ctest coverage-small -R "^(${names:1})[.]" || status=1
  python3 tests/scripts/coverage.py --root . --lines 95 --branches 90 --jobs "$jobs" \
    --report build/log/coverage.missing build/coverage build/coverage-small || bad=1
  checked $((1 - bad)) "$bad"
  ((status == 0 && bad == 0))
}

# All headers as one, in a fraction of the time that each alone would take.
step_tidy() {
  local all=build/tidy/every_header.cpp out=build/log/tidy.out status=0 files bad
  mkdir -p build/tidy
  find lib/ratchet -name '*.hpp' | sort | sed 's|lib/\(.*\)|#include <\1>|' >"$all"
  { find lib/ratchet -name '*.cpp' | sort && echo "$all"; } |
    xargs -P "$jobs" -I{} clang-tidy-19 --quiet --warnings-as-errors='*' \
      --header-filter='lib/ratchet/' {} -- -std=c++20 -Ilib | tee "$out" || status=$?
  files=$(find lib/ratchet -name '*.[hc]pp' | wc -l)
  bad=$({ grep -oE '^[^ :]*lib/ratchet/[^:]+' "$out" || true; } | sort -u | wc -l)
  if ((status != 0 && bad == 0)); then bad=1; fi
  checked $((files - bad)) "$bad"
  ((status == 0 && bad == 0))
}

step_scripts() {
  { printf '%s\n' run.sh test.sh .ci/run && find tests -name '*.sh'; } |
    sort -u | check_each shellcheck -x
}

step_night() {
  build_preset_once release
  run_ctest release -L '^night$' --timeout 14400
}

# spin_list LIST GOOD BAD: runs docs/model/LIST.sh. Each line it prints is a check, passed when
# it matches GOOD and not BAD.
spin_list() {
  local out=build/log/$1.out all good
  TMO=${TMO:-3600} "docs/model/$1.sh" | tee "$out"
  all=$(grep -c ' | errors: ' "$out" || true)
  good=$(grep -E "$2" "$out" | grep -cvE "$3" || true)
  checked "$good" $((all - good))
  ((all > 0 && all == good))
}

# The protocol as built holds, and each rule left out is found. Of the fences (tso.sh) these hold
# and the others do not.
step_spin() {
  if [[ ! -d docs/model ]]; then
    echo "docs/model is not there: no model was checked"
    return 0
  fi
  local status=0
  spin_list baselines 'errors: 0 ' 'INCOMPLETE' || status=1
  spin_list mutants 'errors: [1-9]' '^$' || status=1
  local holds='-DRFENCE|-DMB=1|-DLOCKEDRECHECK|-DMB=1 -DUNLINKPLAIN'
  holds+='|-DCHAIN -DMB=1|-DCHAIN -DRFENCE'
  spin_list tso "^tso \\| ($holds) +\\| errors: 0 |errors: [1-9]" \
    "^tso \\| ($holds) +\\| errors: [1-9]" || status=1
  return "$status"
}
