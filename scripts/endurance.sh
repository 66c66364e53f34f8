#!/usr/bin/env bash
# Compiles the endurance test against the built library, and runs it (docs/reliability.md): so many days of one device, 365 without a number.
#   scripts/endurance.sh [DAYS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${BUILD:-build}
source=Tests/torture/endurance.c
for input in "$source" "$build/lib/libplotengine.so.0" "$build/lib/pkgconfig/plotengine.pc"; do
  [[ -s $input ]] || {
    echo "endurance: $input is missing" >&2
    exit 1
  }
done
mkdir -p "$build/tests"
PKG_CONFIG_PATH=$(realpath "$build/lib/pkgconfig")
LD_LIBRARY_PATH=$(realpath "$build/lib")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
read -ra flags <<<"$(pkg-config --cflags --libs plotengine)"
"${CC:-cc}" -std=gnu11 -O2 -g -Wall -Wextra -Werror -o "$build/tests/endurance" "$source" "${flags[@]}" -lm
folder=$(mktemp -d "$build/tests/endurance-XXXXXX")
trap 'rm -rf "$folder"' EXIT
"$build/tests/endurance" "${1:-365}" "$(realpath "$folder")"
