#!/usr/bin/env bash
# Programs that use the library as others will: the C sample and the examples in C through pkg-config from build/, then the sample, from an
# installation that was moved to another place, through pkg-config and CMake, in C and C++. Each prints the same everywhere. The pages of the
# installation have no dead link.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

root=$PWD
fail() {
  echo "consumers: $*" >&2
  exit 1
}
for input in VERSION examples/first/first.c build/bin/plot build/lib/libplotengine.so.0 build/lib/libplotengine.so \
  build/include/plotengine.h build/lib/pkgconfig/plotengine.pc build/lib/cmake/plotengine/plotengine-config.cmake; do
  [[ -s $input ]] || fail "$input is missing"
done
for tool in pkg-config cmake g++ "${CC:-cc}"; do
  command -v "$tool" >/dev/null || fail "$tool is missing"
done
version=$(<VERSION)
# Started from make or not, `make install` below is a call of its own.
unset LD_LIBRARY_PATH DESTDIR MAKEFLAGS MFLAGS MAKELEVEL

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "Welcome!" >"$work/sample.expected"

runs() { # runs WHAT PROGRAM: in an empty folder, and compares what it prints
  local status=0
  mkdir -p "$work/run"
  (cd "$work/run" && "$2") >"$work/output" 2>"$work/errors" || status=$?
  [[ $status -eq 0 ]] || fail "$1: the sample ended with status $status: $(cat "$work/errors")"
  cmp -s "$work/output" "$work/sample.expected" ||
    fail "$1: the sample printed '$(cat "$work/output")', not '$(cat "$work/sample.expected")'"
}

compile() { # compile PREFIX PROGRAM [SOURCE]: a sample against the package that lies there
  local flags
  [[ $(PKG_CONFIG_PATH="$1/lib/pkgconfig" pkg-config --modversion plotengine) == "$version" ]] ||
    fail "pkg-config in $1 does not give version $version"
  read -ra flags <<<"$(PKG_CONFIG_PATH="$1/lib/pkgconfig" pkg-config --cflags --libs plotengine)"
  "${CC:-cc}" -std=c99 -Wall -Wextra -pedantic -Werror -o "$2" "${3:-examples/first/first.c}" "${flags[@]}"
}

compile "$root/build" "$work/sample"
export LD_LIBRARY_PATH="$root/build/lib"
runs "build/, pkg-config" "$work/sample"
unset LD_LIBRARY_PATH
# Tests/packages/check_pages.py runs the examples, and compares what they print.
shopt -s nullglob
examples=(examples/*/*.c)
((${#examples[@]})) || fail "examples/ has no program in C"
for example in "${examples[@]}"; do compile "$root/build" "$work/example" "$example"; done

# An installation, for a package maker first (DESTDIR), then for use; moved, for it must not know where it lies.
make --no-print-directory --silent install DESTDIR="$work/stage" PREFIX=/usr >"$work/log" 2>&1 || fail "make install: $(cat "$work/log")"
for file in bin/plot include/plotengine.h lib/libplotengine.so lib/libplotengine.so.0 lib/pkgconfig/plotengine.pc \
  lib/cmake/plotengine/plotengine-config.cmake lib/cmake/plotengine/plotengine-config-version.cmake \
  share/man/man1/plot.1 share/man/man1/plot-simulate.1 share/bash-completion/completions/plot share/zsh/site-functions/_plot \
  share/fish/vendor_completions.d/plot.fish share/doc/plotengine/README.md share/doc/plotengine/LICENSE; do
  [[ -s $work/stage/usr/$file ]] || fail "make install DESTDIR=... PREFIX=/usr gave no usr/$file"
done
make --no-print-directory --silent install PREFIX="$work/first" >"$work/log" 2>&1 || fail "make install: $(cat "$work/log")"
mv "$work/first" "$work/installed"
if grep -rlF -e "$work/first" -e "$root" "$work/installed" >"$work/leaks"; then
  fail "the installation holds a path of where it was made: $(head -n 1 "$work/leaks")"
fi
"$work/installed/bin/plot" --help >"$work/log" 2>&1 || fail "the installed plot --help failed: $(cat "$work/log")"

# With the README that the archive of `make dist` has at its top.
"${PYTHON:-python3}" scripts/package_pages.py "$work/installed/share/doc/plotengine" --readme "$work/installed/README.md" --alone
"${PYTHON:-python3}" Tests/packages/check_package_pages.py "$work/installed" --pages share/doc/plotengine || fail "the installed pages have faults"

compile "$work/installed" "$work/sample-installed"
export LD_LIBRARY_PATH="$work/installed/lib"
runs "installation, pkg-config" "$work/sample-installed"
unset LD_LIBRARY_PATH

# A project of someone else's; CMake gives its programs the way to the library.
mkdir "$work/project"
cp examples/first/first.c "$work/project/sample.c"
cat >"$work/project/version.cpp" <<'END'
#include <plotengine.h>

#include <cstdio>

int main() { return std::printf("%s %d\n", plot_version(), static_cast<int>(plot_abi_version())) < 0; }
END
cat >"$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(consumer C CXX)
find_package(plotengine ${WANTED} REQUIRED CONFIG)
add_executable(sample sample.c)
target_link_libraries(sample PRIVATE plotengine::plotengine)
add_executable(version version.cpp)
target_link_libraries(version PRIVATE plotengine::plotengine)
END
configure() { # configure VERSION FOLDER
  cmake -S "$work/project" -B "$2" -DWANTED="$1" -DCMAKE_PREFIX_PATH="$work/installed" >"$work/log" 2>&1
}
configure "$version" "$work/project/build" || fail "CMake did not find the package: $(cat "$work/log")"
cmake --build "$work/project/build" >"$work/log" 2>&1 || fail "the CMake project does not build: $(cat "$work/log")"
runs "installation, CMake" "$work/project/build/sample"
abi=$(sed -n 's/.*The version of this ABI: \([0-9]*\)\..*/\1/p' include/plotengine.h)
said=$("$work/project/build/version")
[[ $said == "$version $abi" ]] || fail "the library says version and ABI '$said', but VERSION and the header say '$version $abi'"
if configure 99.0 "$work/project/never"; then fail "CMake took version $version for 99.0"; fi

echo "consumers: C through pkg-config (build/, installation), C and C++ through CMake: the same output; ${#examples[@]} examples compile"
