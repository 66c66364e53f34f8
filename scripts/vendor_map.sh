#!/usr/bin/env bash
# Fetches MapLibre GL JS, which draws the dashboard's maps, out of a package of PyPI into server/web/vendor; does nothing when it is there.
# Without it the dashboard has no map, and says so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

vendor=server/web/vendor
package=maplibre==0.3.6 # with MapLibre GL JS 5.3.0
[[ ! -s $vendor/maplibre-gl.js || ! -s $vendor/maplibre-gl.css ]] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "installing by pip: $package, for the dashboard's map"
if python3 -m venv "$work/venv" && "$work/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --dest "$work" "$package" \
  && python3 -m zipfile -e "$work"/maplibre-*.whl "$work"; then
  mkdir -p "$vendor"
  cp "$work/maplibre/srcjs/maplibre-gl.css" "$work/maplibre/srcjs/maplibre-gl.js" "$vendor/"
else
  echo "left out: $package could not be had, and the dashboard will have no map" >&2
fi
