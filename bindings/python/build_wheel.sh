#!/usr/bin/env bash
# Builds the wheels from what `make` has built: bindings/python/build_wheel.sh OUTDIR
#
# plotengine has the library and the pages, plotengine-cli the plot tool; each the libraries that these bring along (Jansson and what
# auditwheel decides), found from where they lie themselves. auditwheel judges whether a wheel keeps to what its platform promises.
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

# wheel FOLDER NAME PART MOST: packs the Python project in FOLDER with a copy of PART, stripped, with copies of the libraries that come along and
# their licences, none needing a newer C library than it must. The wheel may have MOST kilobytes.
wheel() {
  local folder=$1 distribution=$2 part=$3 most=$4 stage=$work/$2
  mkdir -p "$stage"/{bundled,licenses,raw} "$stage/$(dirname "$part")"
  strip --strip-unneeded -o "$stage/$part" "$root/build/$part"
  ldd "$stage/$part" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | sort -u |
    while read -r name library; do
      case $name in libc.so.* | libm.so.* | libgcc_s.so.* | libstdc++.so.* | libz.so.*) continue ;; esac # every system has these
      real=$(realpath "$library")
      cp "$real" "$stage/bundled/$name"
      package=$({ dpkg -S "$real" || dpkg -S "${real#/usr}"; } 2>/dev/null | head -n 1 | cut -d: -f1) || true
      [[ -n $package && -s /usr/share/doc/$package/copyright ]] || {
        echo "build_wheel: the licence of $name is missing" >&2
        exit 1
      }
      cp "/usr/share/doc/$package/copyright" "$stage/licenses/$package.txt"
    done
  python lower_versions.py "$stage/$part" "$stage"/bundled/*
  [[ $distribution != plotengine ]] || python "$root/scripts/package_pages.py" "$stage/doc"
  PLOTENGINE_STAGE=$stage python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
    --wheel-dir "$stage/raw" "$folder"
  LD_LIBRARY_PATH=$stage/bundled auditwheel repair --plat "$platform" --only-plat --wheel-dir "$stage/repaired" "$stage"/raw/*.whl >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
  }
  local made size
  made=$(echo "$stage"/repaired/*.whl)
  case $(basename "$made") in
    *-py3-none-$platform.whl) ;;
    *)
      echo "build_wheel: $(basename "$made") is not for $platform alone" >&2
      exit 1
      ;;
  esac
  auditwheel show "$made" >"$work/show"
  grep -q "\"$platform\"" "$work/show" || {
    cat "$work/show" >&2
    exit 1
  }
  size=$(du -k --apparent-size "$made" | cut -f1)
  ((size <= most)) || {
    echo "build_wheel: $(basename "$made") has $size KiB; at most $most" >&2
    exit 1
  }
  rm -f "$out/${distribution//-/_}"-*.whl
  cp "$made" "$out/"
  echo "built: $out/$(basename "$made") ($size KiB; auditwheel: consistent with $platform)"
}

wheel . plotengine lib/libplotengine.so.0 6500
wheel ./cli plotengine-cli bin/plot 10000
