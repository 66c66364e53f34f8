#!/usr/bin/env bash
# Plays a scenario again and again, with another allocation, another question of SQLite's to its files or another one of the log's failing
# each time (Tests/faults/faults.c; docs/reliability.md).
#   Tests/faults/check.sh [--all | --most RUNS] [--only KIND] [BUILD]    at most 120 runs of each kind; --all: all
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

options=(--most 120)
build=build
while (($#)); do
  case $1 in
    --all) options=(--most 0) ;;
    --most | --only) options+=("$1" "$2"); shift ;;
    --spoil) options+=("$1") ;;
    *) build=$1 ;;
  esac
  shift
done
source scripts/use_build.sh
use_build faults "$build" "jansson sqlite3" Tests/faults/faults.c
# -rdynamic: the program's own open, pwrite, ... stand in the place of the C library's, for the library too.
"${CC:-cc}" -std=gnu11 -O1 -g -Wall -Wextra -Werror -rdynamic -o "$build/tests/faults" Tests/faults/faults.c "${flags[@]}"
# In memory, where that can be: a disk has nothing to add but waiting.
folder=$(mktemp -d -p "$([[ -w /dev/shm ]] && echo /dev/shm || echo "${TMPDIR:-/tmp}")" plot-faults.XXXXXX)
trap 'rm -rf "$folder"' EXIT
"$build/tests/faults" "${options[@]}" "$folder"
