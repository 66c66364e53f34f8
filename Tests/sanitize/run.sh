#!/usr/bin/env bash
# The library and programs in C that use it, both built with a sanitizer; none may report anything (docs/reliability-faults.md, Sanitizers).
#   Tests/sanitize/run.sh [address|thread]    both without a word; address has the leaks in it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
  echo "sanitize: $*" >&2
  exit 1
}
swift=${SWIFT:-swift}
read -ra more <<<"${SWIFTFLAGS:-}"
kinds=("$@")
((${#kinds[@]})) || kinds=(address thread)
for kind in "${kinds[@]}"; do
  [[ $kind == address || $kind == thread ]] || { echo "sanitize: $kind is neither address nor thread" >&2; exit 2; }
done
# Programs that Swift's own clang links hand the sanitizer's functions to libswiftCore, too; those that SwiftPM links keep them to themselves.
toolchain=$(dirname "$(realpath "$(command -v "$swift")")")
runtime=$toolchain/../lib/swift/linux
[[ -x $toolchain/clang ]] || fail "$toolchain/clang is missing; take a toolchain of swift.org, which has it"
export CC=$toolchain/clang
[[ ! -x $toolchain/llvm-symbolizer ]] || export ASAN_SYMBOLIZER_PATH=$toolchain/llvm-symbolizer TSAN_SYMBOLIZER_PATH=$toolchain/llvm-symbolizer
# Swift's own backtrace would wait for a debugger.
export SWIFT_BACKTRACE=enable=no
read -ra libraries <<<"$(pkg-config --cflags --libs jansson sqlite3 libsodium)"

compile() { # compile PROGRAM SOURCE FLAG...
  "$CC" -std=gnu11 -O1 -g -Wall -Wextra -Werror "${flags[@]}" -Iinclude -o "$place/$1" "$2" "${@:3}" -L"$place/lib" -lplotengine "${libraries[@]}" -lm
}
run() { # run WHAT COMMAND...: it ends well, and there is no report
  local what=$1 began=$SECONDS status=0
  shift
  rm -f "$place"/report.*
  timeout 900 "$@" >"$place/said.txt" 2>&1 || status=$?
  if compgen -G "$place/report.*" >/dev/null; then
    cat "$place"/report.* >&2
    fail "$what: the $kind sanitizer has something to report"
  fi
  ((status == 0)) || { cat "$place/said.txt" >&2; fail "$what: ended with $status"; }
  echo "$what ($((SECONDS - began)) s): $(tail -n 1 "$place/said.txt")"
}
spoilt() { # spoilt HOW WORDS: the sanitizer must say this of a run that is spoilt so
  rm -f "$place"/report.*
  ! TSAN_OPTIONS=$TSAN_OPTIONS:halt_on_error=1 timeout 900 "$place/threads" --in-memory --spoil "$1" "$folder" >"$place/said.txt" 2>&1 || fail "a run that is spoilt ($1) ends well"
  grep -qs "$2" "$place"/report.* || { cat "$place/said.txt" >&2; fail "a run that is spoilt ($1) is not reported as: $2"; }
  rm -rf "${folder:?}"/*
}

folder=$(mktemp -d -p "$([[ -w /dev/shm ]] && echo /dev/shm || echo "${TMPDIR:-/tmp}")" plot-sanitize.XXXXXX)
trap 'rm -rf "$folder"' EXIT
for kind in "${kinds[@]}"; do
  echo "== $kind sanitizer"
  scratch=.build-asan
  flags=(-fsanitize="$kind" -fno-omit-frame-pointer -fuse-ld=lld)
  build=()
  if [[ $kind == thread ]]; then
    scratch=.build-tsan
    build=(-Xswiftc -DPLOT_TSAN)
  fi
  began=$SECONDS
  "$swift" build -c release --product plotengine --sanitize="$kind" --scratch-path "$scratch" "${build[@]}" "${more[@]}"
  echo "built ($((SECONDS - began)) s)"
  place=$PWD/$scratch/sanitize
  mkdir -p "$place/lib"
  ln -sfn "$PWD/$scratch/release/libplotengine.so" "$place/lib/libplotengine.so"
  ln -sfn libplotengine.so "$place/lib/libplotengine.so.0"
  if [[ $kind == thread ]]; then
    "$CC" -std=gnu11 -O1 -g -Wall -Wextra -Werror -c -o "$place/references.o" Tests/sanitize/references.c
    # The sanitizer of Swift's clang knows libdispatch, and must be linked with it.
    flags+=("$place/references.o" -L"$runtime" -Wl,-rpath,"$runtime" -lswiftCore -ldispatch -lBlocksRuntime -ldl)
  fi
  export LD_LIBRARY_PATH=$place/lib
  export ASAN_OPTIONS="detect_leaks=1:detect_stack_use_after_return=0:log_path=$place/report"
  # Files put nothing in an order here; with io_sync each write to one would.
  export TSAN_OPTIONS="io_sync=0:second_deadlock_stack=1:log_path=$place/report"

  compile threads Tests/sanitize/threads.c -pthread
  if [[ $kind == address ]]; then
    spoilt leak "detected memory leaks"
    spoilt freed heap-use-after-free
    spoilt overflow heap-buffer-overflow
  else
    spoilt callback "data race"
    spoilt item "access race"
    spoilt lock "Sources/PlotEngine/Engine.swift"
  fi
  echo "what is spoilt is reported"
  for seed in 1 2 3; do run "threads, seed $seed" "$place/threads" --seed "$seed" "$folder"; done
  for seed in 4 5 6; do run "threads, in memory, seed $seed" "$place/threads" --in-memory --seed "$seed" "$folder"; done
  compile vectors Tests/vectors/run.c
  run "vectors" "$place/vectors" Tests/vectors
  run "vectors, in batches" "$place/vectors" --batches Tests/vectors
  run "callbacks" Tests/abuse/callbacks.py --library "$place/lib" --flags "${flags[*]}"
  run "abuse" Tests/abuse/check_abuse.py --library "$place/lib" --flags "${flags[*]}"
  if [[ $kind == address ]]; then
    # Output after an error: a thread has nothing to add.
    compile faults Tests/faults/faults.c -rdynamic
    for what in jansson vfs vfs-dead log log-dead; do run "faults, $what" "$place/faults" --most 0 --only "$what" "$folder"; done
    run "faults, sqlite-memory" "$place/faults" --most 600 --only sqlite-memory "$folder"
  fi
done
echo "no report: ${kinds[*]}"
