#!/usr/bin/env bash
# Proves that the vectors guard the order of the decision steps: each patch of Tests/mutations/patches/ swaps two steps in a copy of the sources; then
# at least one vector must fail, while all pass without it. Minutes of building, so `make test` does not run it: make mutations.
#   Tests/mutations/check.sh [NAME...]   all patches, or those named
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
  echo "mutations: $*" >&2
  exit 2
}
for tool in patch pkg-config "${CC:-cc}" "${SWIFT:-swift}"; do
  command -v "$tool" >/dev/null || fail "$tool is missing"
done
patches=(Tests/mutations/patches/*.patch)
if (($#)); then patches=("${@/#/Tests/mutations/patches/}") && patches=("${patches[@]/%/.patch}"); fi
for patch in "${patches[@]}"; do [[ -s $patch ]] || fail "$patch is missing"; done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
copy=$work/copy
mkdir -p "$copy/scripts" "$work/lib"
cp -r Package.swift Sources Tests include "$copy"
cp scripts/exports.map scripts/link-order.txt "$copy/scripts"
[[ ! -f Package.resolved ]] || cp Package.resolved "$copy"

build() { # the library of the copy, without optimisation
  read -ra flags <<<"${SWIFTFLAGS:-}"
  (cd "$copy" && "${SWIFT:-swift}" build --product plotengine "${flags[@]}") >"$work/log" 2>&1 || return 1
  ln -sfn "$copy/.build/debug/libplotengine.so" "$work/lib/libplotengine.so.0"
}
play() { # the vectors, with the library of the copy
  LD_LIBRARY_PATH=$work/lib "$work/run_vectors" Tests/vectors >"$work/table" 2>&1
}

build || fail "the sources do not build: $(grep -m 1 'error:' "$work/log" || tail -n 1 "$work/log")"
read -ra flags <<<"$(pkg-config --cflags --libs jansson)"
"${CC:-cc}" -std=gnu11 -O1 -o "$work/run_vectors" Tests/vectors/run.c -Iinclude "$work/lib/libplotengine.so.0" "${flags[@]}" -lm
play || fail "the vectors fail before anything is swapped: $(tail -n 1 "$work/table")"

missed=0
for patch in "${patches[@]}"; do
  name=$(basename "$patch" .patch)
  patch --silent --fuzz=0 --batch -p1 -d "$copy" <"$patch" >"$work/log" 2>&1 || fail "$name does not apply any more: $(head -n 1 "$work/log")"
  build || fail "$name does not build: $(grep -m 1 'error:' "$work/log" || tail -n 1 "$work/log")"
  status=0
  play || status=$?
  if ((status == 1)); then
    printf '%-32s caught by %s vectors, such as %s\n' "$name" "$(grep -c 'FAIL$' "$work/table")" "$(awk '/FAIL$/ { print $1; exit }' "$work/table")"
  elif ((status == 0)); then
    printf '%-32s NOT CAUGHT: no vector fails\n' "$name"
    missed=$((missed + 1))
  else
    fail "$name: the runner ended with status $status: $(tail -n 1 "$work/table")"
  fi
  patch --silent --fuzz=0 --batch -R -p1 -d "$copy" <"$patch" >"$work/log" 2>&1 || fail "$name cannot be taken back: $(head -n 1 "$work/log")"
done
((missed == 0)) || exit 1
echo "mutations: ${#patches[@]} swaps of two steps, each caught by the vectors"
