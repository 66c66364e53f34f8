#!/usr/bin/env bash
# The C surface tests, and the programs in C, under the sanitizers; none may report anything (docs/reliability.md).
#   scripts/sanitize.sh [address|thread]    both without a word
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

swift=${SWIFT:-swift}
read -ra more <<<"${SWIFTFLAGS:-}"
kinds=("$@")
((${#kinds[@]})) || kinds=(address thread)
for kind in "${kinds[@]}"; do
  case $kind in
    address) scratch=.build-asan ;;
    thread) scratch=.build-tsan ;;
    *) echo "sanitize: $kind is neither address nor thread" >&2; exit 2 ;;
  esac
  echo "== $kind sanitizer"
  # The tests of the rooms below are the same code through another door.
  "$swift" build --build-tests --sanitize="$kind" --scratch-path "$scratch" "${more[@]}"
  bundle=$(echo "$scratch"/*/debug/*PackageTests.xctest)
  [[ -x $bundle ]] || { echo "sanitize: there are no tests in $scratch" >&2; exit 1; }
  # Leaks are looked for when the tests end. Suppressed is only what Tests/sanitize/*.supp says, each with a reason.
  log=$scratch/report
  rm -f "$log".*
  status=0
  ASAN_OPTIONS="detect_leaks=1:abort_on_error=0:log_path=$log" \
    LSAN_OPTIONS="suppressions=Tests/sanitize/leak.supp:print_suppressions=0" \
    TSAN_OPTIONS="halt_on_error=0:second_deadlock_stack=1:suppressions=Tests/sanitize/thread.supp:log_path=$log" \
    "$bundle" --filter CSurfaceTests --no-parallel --testing-library swift-testing || status=$?
  reports=("$log".*)
  if [[ -e ${reports[0]} ]]; then
    cat "${reports[@]}" >&2
    echo "sanitize: the $kind sanitizer has something to report" >&2
    exit 1
  fi
  ((status == 0)) || { echo "sanitize: the tests have failed under the $kind sanitizer" >&2; exit 1; }
done
echo "no report: ${kinds[*]}"
