#!/usr/bin/env bash
# Builds the wheel from what `make` has built: bindings/python/build_wheel.sh OUTDIR
#
# Inside are the library, the plot tool and the libraries they bring along (Jansson and what auditwheel decides), each found
# from where it lies itself, and the pages. auditwheel judges whether the wheel keeps to what its platform promises.
set -euo pipefail
[[ $# -eq 1 ]] || {
  echo "usage: $0 OUTDIR" >&2
  exit 2
}
mkdir -p "$1"
out=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$(realpath ../..)
platform=manylinux_2_34_x86_64

for input in "$root/build/lib/libplotengine.so.0" "$root/build/bin/plot" "$root/VERSION"; do
  [[ -s $input ]] || {
    echo "build_wheel: $input is missing: run make first" >&2
    exit 1
  }
done

venv=$root/.build-venv-python
[[ -x $venv/bin/python ]] || "${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r requirements-build.txt
export PATH="$venv/bin:$PATH"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Copies, stripped, and copies of the libraries that come along with their licences; none needing a newer C library than it must.
mkdir -p "$work"/{lib,bin,bundled,licenses,raw}
strip --strip-unneeded -o "$work/lib/libplotengine.so.0" "$root/build/lib/libplotengine.so.0"
strip -o "$work/bin/plot" "$root/build/bin/plot"
ldd "$work/lib/libplotengine.so.0" "$work/bin/plot" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | sort -u |
  while read -r name library; do
    case $name in libc.so.* | libm.so.* | libgcc_s.so.* | libstdc++.so.* | libz.so.*) continue ;; esac # every system has these
    real=$(realpath "$library")
    cp "$real" "$work/bundled/$name"
    package=$({ dpkg -S "$real" || dpkg -S "${real#/usr}"; } 2>/dev/null | head -n 1 | cut -d: -f1) || true
    [[ -n $package && -s /usr/share/doc/$package/copyright ]] || {
      echo "build_wheel: the licence of $name is missing" >&2
      exit 1
    }
    cp "/usr/share/doc/$package/copyright" "$work/licenses/$package.txt"
  done
python lower_versions.py "$work/lib/libplotengine.so.0" "$work/bin/plot" "$work"/bundled/*
export LD_LIBRARY_PATH=$work/bundled
"$venv/bin/python" "$root/scripts/package_pages.py" "$work/doc"

PLOTENGINE_STAGE=$work python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
  --wheel-dir "$work/raw" .
auditwheel repair --plat "$platform" --only-plat --wheel-dir "$work/repaired" "$work"/raw/*.whl >"$work/log" 2>&1 || {
  cat "$work/log" >&2
  exit 1
}
wheel=$(echo "$work"/repaired/*.whl)
case $(basename "$wheel") in
  *-py3-none-$platform.whl) ;;
  *)
    echo "build_wheel: $(basename "$wheel") is not for $platform alone" >&2
    exit 1
    ;;
esac
auditwheel show "$wheel" >"$work/show"
grep -q "\"$platform\"" "$work/show" || {
  cat "$work/show" >&2
  exit 1
}
rm -f "$out"/plotengine-*.whl
cp "$wheel" "$out/"
echo "built: $out/$(basename "$wheel") ($(du -h "$wheel" | cut -f1); auditwheel: consistent with $platform)"
