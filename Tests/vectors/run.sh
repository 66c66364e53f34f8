#!/usr/bin/env bash
# Compiles the C runner of the shared test vectors against the built library, and runs it over all of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

build=${1:-build}
vectors=Tests/vectors
fail() {
  echo "vectors: $*" >&2
  exit 1
}
source scripts/use_build.sh
use_build vectors "$build" jansson "$vectors/run.c"
"${CC:-cc}" -std=gnu11 -O1 -g -Wall -Wextra -Werror -o "$build/tests/run_vectors" "$vectors/run.c" "${flags[@]}" -lm
"$build/tests/run_vectors" "$vectors"

# The same, with fixes that follow each other in one call.
"$build/tests/run_vectors" --batches "$vectors" >"$build/tests/batches.txt" || {
  cat "$build/tests/batches.txt"
  fail "fixes in one call lead to something else than one by one"
}
echo "in batches: $(tail -n 1 "$build/tests/batches.txt")"
