#!/usr/bin/env bash
# Compiles the torture of the store against the built library, and runs it (docs/reliability.md): lives that are killed, a disk that fails, files
# that are damaged, and a file that many engines want.
#   Tests/torture/run.sh [--quick] [--seed N] [--kills N] [--calls N] [--power N] [--files N] [--folder PATH]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

build=${BUILD:-build}
source=Tests/torture
source scripts/use_build.sh
use_build torture "$build" sqlite3 "$source/torture.c"
# -rdynamic: the program's own pwrite and so on stand before those of the C library.
"${CC:-cc}" -std=gnu11 -O1 -g -Wall -Wextra -Werror -Wno-format-truncation -rdynamic -o "$build/tests/torture" \
  "$source"/{torture,life,model,disk}.c "${flags[@]}"
folder=$(realpath "$build/tests")
# The short form, for which a disk has little to add but waiting.
[[ " $* " != *" --quick "* || ! -w /dev/shm ]] || folder=/dev/shm
"${CC:-cc}" -std=gnu11 -O1 -g -Wall -Wextra -Werror -Wno-format-truncation -rdynamic -o "$build/tests/locks" "$source/locks.c" "${flags[@]}"
rounds=(--rounds 500)
# The short form is the same each time, as far as the processes' turns are.
[[ " $* " != *" --quick "* ]] || rounds=(--rounds 40 --seed 1)
"$build/tests/locks" "${rounds[@]}" "$folder"
"$build/tests/torture" --folder "$folder" "$@"
