#!/usr/bin/env bash
# The runners of the vectors in C, Swift, Python, Node and Rust print the same: for the vectors as they are, and for some that were spoilt.
# After Tests/vectors/run.sh, and the front ends' own tests, which build what Node needs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
  echo "runners: $*" >&2
  exit 1
}
for input in build/tests/run_vectors build/bin/plot bindings/node/build/shim.node .build-rust/debug/vectors; do
  [[ -s $input ]] || fail "$input is missing"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

c() { LD_LIBRARY_PATH=build/lib build/tests/run_vectors "$@"; }
swift() { build/bin/plot vectors "$@"; }
python() { PYTHONPATH=bindings/python/src "${PYTHON:-python3}" -m plotengine.vectors "$@"; }
node_() { node bindings/node/lib/vectors.js "$@"; }
rust() { LD_LIBRARY_PATH=build/lib .build-rust/debug/vectors "$@"; }

compare() { # compare STATUS ARGUMENT...: all end with that status, and print what C prints
  local expected=$1 runner status
  shift
  for runner in c swift python node_ rust; do
    status=0
    "$runner" "$@" >"$work/$runner" 2>"$work/errors" || status=$?
    [[ $status -eq $expected ]] || fail "$runner $* ends with $status, not $expected: $(head -n 1 "$work/errors")"
    cmp -s "$work/c" "$work/$runner" || fail "$runner and c differ: $(diff "$work/c" "$work/$runner" | head -n 3)"
  done
}
compare 0 Tests/vectors
count=$(tail -n 1 "$work/c")
compare 0 --json Tests/vectors

# One of each kind of fault.
cp -r Tests/vectors "$work/spoilt"
(
  cd "$work/spoilt"
  sed -i '3s/"time"/"tome"/' */enter-and-exit.effects.jsonl
  for name in once-only coalescing country corridor resend antimeridian multipolygon; do mv */"$name".* .; done
  echo '{}' >>once-only.effects.jsonl
  printf 'x' >>coalescing.effects.jsonl
  sed -i '$d' country.effects.jsonl
  truncate -s -1 corridor.effects.jsonl
  : >resend.effects.jsonl
  rm antimeridian.json multipolygon.effects.jsonl
)
compare 1 "$work/spoilt"
[[ $(grep -c 'FAIL$' "$work/c") -eq 8 ]] || fail "not each of eight faults is found: $(grep 'FAIL$' "$work/c")"
compare 1 --json "$work/spoilt"
echo "runners: C, Swift, Python, Node and Rust print the same: $count; and of eight that were spoilt"
