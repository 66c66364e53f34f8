#!/usr/bin/env bash
# Compiles the C runner of the shared test vectors against the built library, and runs it over all of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${1:-build}
vectors=Tests/vectors
fail() {
  echo "vectors: $*" >&2
  exit 1
}
for input in "$vectors/run.c" "$build/lib/libplotengine.so.0" "$build/lib/pkgconfig/plotengine.pc"; do
  [[ -s $input ]] || fail "$input is missing"
done

mkdir -p "$build/tests"
export PKG_CONFIG_PATH="$PWD/$build/lib/pkgconfig"
[[ $build != /* ]] || PKG_CONFIG_PATH="$build/lib/pkgconfig"
read -ra flags <<<"$(pkg-config --cflags --libs plotengine jansson)"
"${CC:-cc}" -std=gnu11 -O1 -g -Wall -Wextra -Werror -o "$build/tests/run_vectors" "$vectors/run.c" "${flags[@]}" -lm
export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$(realpath "$build/lib")
"$build/tests/run_vectors" "$vectors"

# The same, with fixes that follow each other in one call.
"$build/tests/run_vectors" --batches "$vectors" >"$build/tests/batches.txt" || {
  cat "$build/tests/batches.txt"
  fail "fixes in one call lead to something else than one by one"
}
echo "in batches: $(tail -n 1 "$build/tests/batches.txt")"
