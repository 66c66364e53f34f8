#!/usr/bin/env bash
# The symbols that a built library gives and needs: Tests/abi/library.sh build/lib/libplotengine.so.0
set -euo pipefail

[[ $# -eq 1 ]] || {
  echo "usage: $0 LIBRARY" >&2
  exit 2
}
library=$(realpath -m -- "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

faults=0
fault() {
  echo "library: $*" >&2
  faults=$((faults + 1))
}
fail() {
  echo "library: $*" >&2
  exit 1
}

for input in "$library" include/plotengine.h scripts/exported-symbols.txt; do
  [[ -s $input ]] || fail "$input is missing"
done
for tool in gcc nm readelf strings; do
  command -v "$tool" >/dev/null || fail "$tool is missing"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

# One set of functions in three places.
sed '/^#/d' include/plotengine.h | gcc -fpreprocessed -E -P -x c - | tr '\n' ' ' | tr ';' '\n' | grep -v typedef |
  grep -oE '\bplot_[a-z0-9_]+ *\(' | tr -d ' (' | sort >"$work/header"
[[ -s $work/header ]] || fail "no function was found in include/plotengine.h"
# The linker also keeps local names in this table, for relocations; nobody can link to those.
nm -D --defined-only --extern-only "$library" >"$work/nm"
awk '$2 == "T" && $3 ~ /^plot_/ { print $3 }' "$work/nm" | sort >"$work/exported"
awk '!($2 == "T" && $3 ~ /^plot_/)' "$work/nm" >"$work/others"
[[ ! -s $work/others ]] || fault "exports more than functions of plot_: $(head -n 3 "$work/others" | tr '\n' ' ')"
compare() {
  cmp -s "$2" "$4" || fault "$1 and $3 differ: $(diff "$2" "$4" | grep '^[<>]' | head -n 5 | tr '\n' ' ')"
}
compare "the header (<)" "$work/header" "scripts/exported-symbols.txt (>)" scripts/exported-symbols.txt
compare "scripts/exported-symbols.txt (<)" scripts/exported-symbols.txt "the library (>)" "$work/exported"

# How it is linked.
readelf -dW "$library" >"$work/dynamic"
value() { # the bracketed values of a tag
  sed -n "s/.*($1).*\[\(.*\)\]/\1/p" "$work/dynamic"
}
[[ $(value SONAME) == libplotengine.so.0 ]] || fault "the soname is '$(value SONAME)', not libplotengine.so.0"
grep -q '(FLAGS_1).*NODELETE' "$work/dynamic" || fault "NODELETE is not set"
grep -q '(TEXTREL)' "$work/dynamic" && fault "has text relocations"
for tag in RPATH RUNPATH; do
  [[ -z $(value "$tag") ]] || fault "has a $tag: $(value "$tag")"
done
for needed in $(value NEEDED); do
  case $needed in
    libjansson.so.4 | libsodium.so.23 | libsqlite3.so.0 | libstdc++.so.6 | libm.so.6 | libgcc_s.so.1 | libc.so.6 | ld-linux-x86-64.so.2) ;;
    *) fault "needs $needed" ;;
  esac
done
[[ -n $(value NEEDED) ]] || fault "needs nothing, which cannot be"

# Its sections.
readelf -SW "$library" >"$work/sections"
if grep -qE ' \.(symtab|debug_[a-z]+)\b' "$work/sections"; then fault "is not stripped"; fi
size=$(stat -c %s "$library")
((size <= 12000000)) || fault "is $size bytes, more than 12,000,000"
places=("$PWD/" /opt/swift /.build .build-release)
[[ -z ${HOME:-} || $HOME == / ]] || places+=("$HOME/")
if compiler=$(command -v "${SWIFT:-swift}"); then
  compiler=$(realpath "$compiler")
  [[ ${compiler%/usr/bin/*} == "" || $compiler != */usr/bin/* ]] || places+=("${compiler%/usr/bin/*}/")
fi
strings -a -n 4 "$library" >"$work/strings"
for place in "${places[@]}"; do
  if grep -qF -- "$place" "$work/strings"; then
    fault "holds a path of the machine that built it: $(grep -F -m 1 -- "$place" "$work/strings")"
  fi
done
# Swift's own runtime names the folders it was built in; every other home is a leak.
grep -E '(/home|/Users)/' "$work/strings" | grep -v '^/home/build-user/swift' >"$work/homes" || true
[[ ! -s $work/homes ]] || fault "holds a path of a home: $(head -n 1 "$work/homes")"

((faults == 0)) || exit 1
echo "library: $(wc -l <"$work/exported") functions, $((size / 1000)) kB, needs $(value NEEDED | tr '\n' ' ' | sed 's/ $//')"
