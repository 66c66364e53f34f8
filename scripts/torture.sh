#!/usr/bin/env bash
# Compiles the torture of the store against the built library, and runs it (docs/reliability.md): lives that are killed, a disk that fails, files
# that are damaged.
#   scripts/torture.sh [--quick] [--seed N] [--kills N] [--calls N] [--power N] [--files N] [--folder PATH]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${BUILD:-build}
source=Tests/torture
for input in "$source/torture.c" "$build/lib/libplotengine.so.0" "$build/lib/pkgconfig/plotengine.pc"; do
  [[ -s $input ]] || {
    echo "torture: $input is missing" >&2
    exit 1
  }
done
mkdir -p "$build/tests"
PKG_CONFIG_PATH=$(realpath "$build/lib/pkgconfig")
LD_LIBRARY_PATH=$(realpath "$build/lib")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
read -ra flags <<<"$(pkg-config --cflags --libs plotengine sqlite3)"
# -rdynamic: the program's own pwrite and so on stand before those of the C library.
"${CC:-cc}" -std=gnu11 -O1 -g -Wall -Wextra -Werror -Wno-format-truncation -rdynamic -o "$build/tests/torture" \
  "$source"/{torture,life,model,disk}.c "${flags[@]}"
folder=$(realpath "$build/tests")
# The short form, for which a disk has little to add but waiting.
[[ " $* " != *" --quick "* || ! -w /dev/shm ]] || folder=/dev/shm
"$build/tests/torture" --folder "$folder" "$@"
