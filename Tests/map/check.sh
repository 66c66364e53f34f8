#!/usr/bin/env bash
# Checks the pages and pictures of `plot simulate --map --svg` in headless Chromium, where there is one; says so where there is none.
#   Tests/map/check.sh [PLOT]    the tool to check; build/bin/plot by default
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

plot=${1:-build/bin/plot}
for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
  if [[ -n $name ]] && command -v "$name" >/dev/null 2>&1; then
    exec python3 Tests/map/check.py "$(command -v "$name")" "$plot"
  fi
done
echo "LEFT OUT: the map in a browser. There is no Chromium here (apt-get install chromium, or CHROMIUM=/path/to/it)."
