#!/usr/bin/env bash
# Plays what the fuzzers have kept (Tests/fuzz/corpus) against the built library, without libFuzzer and without sanitizers. Zones and tracks, which no
# function of the header reads, are played by Tests/PlotToolTests/CorpusTests.swift.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

build=${1:-build}
targets=(config feed feedfile geometry item life message numbers recording state store)
fail() {
  echo "corpus: $*" >&2
  exit 1
}
[[ -s $build/lib/libplotengine.so.0 ]] || fail "$build/lib/libplotengine.so.0 is missing"
mkdir -p "$build/tests/fuzz"
python3 Tests/fuzz/seeds.py --tables "$build/tests/fuzz/scenarios.inc"
python3 Tests/abuse/check_abuse.py --headers "$build/tests/fuzz"
read -ra flags <<<"$(pkg-config --cflags --libs jansson sqlite3 libsodium)"
LD_LIBRARY_PATH=$(realpath "$build/lib")
export LD_LIBRARY_PATH
# Not everything that is refused has a test of its own; a corpus that is not there proves nothing.
for folder in Tests/fuzz/corpus/*; do
  [[ " ${targets[*]} zone track " == *" ${folder##*/} "* ]] || fail "$folder belongs to no target"
done
total=0
for target in "${targets[@]}"; do
  [[ -d Tests/fuzz/corpus/$target ]] || fail "Tests/fuzz/corpus/$target is missing"
  "${CC:-cc}" -std=gnu11 -O1 -g -Wall -Wextra -Werror -Iinclude -I"$build/tests/fuzz" -o "$build/tests/fuzz/$target" \
    "Tests/fuzz/$target.c" Tests/fuzz/replay.c -L"$build/lib" -lplotengine "${flags[@]}" -lm
  played=$("$build/tests/fuzz/$target" "Tests/fuzz/corpus/$target" 2>"$build/tests/fuzz/$target.log") || {
    tail -n 20 "$build/tests/fuzz/$target.log" >&2
    fail "$target: something does not hold"
  }
  ((total += played))
done
echo "corpus: $total files in ${#targets[@]} targets, all as they should be"
