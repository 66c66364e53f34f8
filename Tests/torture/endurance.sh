#!/usr/bin/env bash
# Compiles the endurance test against the built library, and runs it (docs/reliability.md): so many days of one device, 365 without a number.
#   Tests/torture/endurance.sh [DAYS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

build=${BUILD:-build}
source=Tests/torture/endurance.c
source scripts/use_build.sh
use_build endurance "$build" "" "$source"
"${CC:-cc}" -std=gnu11 -O2 -g -Wall -Wextra -Werror -o "$build/tests/endurance" "$source" "${flags[@]}" -lm
folder=$(mktemp -d "$build/tests/endurance-XXXXXX")
trap 'rm -rf "$folder"' EXIT
"$build/tests/endurance" "${1:-365}" "$(realpath "$folder")"
