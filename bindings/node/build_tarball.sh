#!/usr/bin/env bash
# Packs the npm tarball: build_tarball.sh OUTDIR
# The C library of the last `make`, the libraries it needs beyond glibc and the C++ runtime, and the shim, compiled here,
# go into prebuilds/linux-x64-glibc and find each other there. The pages go to where they are in the source tree; README.md is that of the front end,
# and the project's is docs/overview.md.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
project="$(cd "$here/../.." && pwd)"
mkdir -p "${1:?usage: build_tarball.sh OUTDIR}"
out="$(cd "$1" && pwd)"
library="$project/build/lib/libplotengine.so.0"

fail() { echo "build_tarball.sh: $*" >&2; exit 1; }
python=${PYTHON:-python3}
for tool in cc patchelf readelf strip npm node "$python"; do
  command -v "$tool" >/dev/null || fail "$tool is missing (Debian: apt-get install gcc binutils patchelf nodejs python3)"
done
[ -f "$library" ] || fail "$library is missing: run make first"
[ "$(uname -sm)" = "Linux x86_64" ] || fail "this packs for Linux on x86-64 only"
version="$(node -p "require('$here/package.json').version")"
[ "$version" = "$(cat "$project/VERSION")" ] || fail "package.json says $version, VERSION says $(cat "$project/VERSION")"

stage="$(mktemp -d)"
trap 'rm -rf "$stage"' EXIT
for part in README.md index.js index.mjs index.d.ts index.d.mts documents.d.ts package.json lib cordova titanium react-native sync shim; do
  cp -r "$here/$part" "$stage/"
done
[ ! -d "$here/samples" ] || cp -r "$here/samples" "$stage/"
"$python" "$project/scripts/package_pages.py" "$stage" --readme "$stage/docs/overview.md"

place="$stage/prebuilds/linux-x64-glibc"
mkdir -p "$place/licenses"
node "$here/shim/build.js" --output "$place/shim.node" >/dev/null
strip --strip-unneeded "$place/shim.node"
cp "$library" "$place/"

# Libraries that every glibc system has.
system=' libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 ld-linux-x86-64.so.2 libgcc_s.so.1 libstdc++.so.6 '
bundle() { # FILE: copies what it needs beside it
  local name path package
  patchelf --set-rpath '$ORIGIN' "$1"
  for name in $(patchelf --print-needed "$1"); do
    case "$system" in *" $name "*) continue ;; esac
    [ -f "$place/$name" ] && continue
    path="$(ldd "$2" | awk -v name="$name" '$1 == name { print $3 }')"
    [ -n "$path" ] || fail "$name, which $1 needs, is not on this machine"
    cp -L "$path" "$place/$name"
    chmod 644 "$place/$name"
    package="$(dpkg -S "$(realpath "$path")" 2>/dev/null | head -1 | cut -d: -f1 || true)"
    if [ -f "/usr/share/doc/$package/copyright" ]; then cp "/usr/share/doc/$package/copyright" "$place/licenses/$package.txt"; fi
    bundle "$place/$name" "$path"
  done
}
bundle "$place/libplotengine.so.0" "$library"
bundle "$place/shim.node" "$place/shim.node"
chmod 644 "$place"/*.so* "$place/shim.node"
# None needs a newer C library than it must; the script is that of the wheels.
venv=$project/.build-venv-python
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$project/bindings/python/requirements-build.txt"
"$venv/bin/python" "$project/bindings/python/lower_versions.py" "$place"/*.so* "$place/shim.node"

needs="$(readelf -V "$place"/*.so* "$place/shim.node" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1)"
[ "$(printf '%s\n' GLIBC_2.34 "$needs" | sort -V | tail -1)" = GLIBC_2.34 ] || fail "it needs $needs, and may need GLIBC_2.34 at most"
name="$(cd "$stage" && npm pack --offline --silent --pack-destination "$out")"
[ -s "$out/$name" ] || fail "npm pack wrote no tarball"
echo "packed: $out/$name ($(du -h "$out/$name" | cut -f1), needs $needs)"
