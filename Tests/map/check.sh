#!/usr/bin/env bash
# Checks the pages and pictures of `plot simulate --map --svg`, and `plot studio`, in headless Chromium, where there is one; says so where there is none.
#   Tests/map/check.sh [PLOT]    the tool to check; build/bin/plot by default
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

plot=${1:-build/bin/plot}
# The script of the page is one that JavaScript takes, also where no browser is there.
work=$(mktemp -d)
"$plot" simulate --quiet --feed demo/feed.json --track demo/walk.gpx --map "$work/map.html" >/dev/null
python3 - "$work" <<'END'
import pathlib, sys
folder = pathlib.Path(sys.argv[1])
page = (folder / "map.html").read_text()
(folder / "map.js").write_text(page[page.rindex("<script>") + 8 : page.rindex("</script>")])
END
node --check "$work/map.js"
python3 - Sources/plot/StudioPage+Script.swift "$work" <<'END'
import pathlib, sys
source = pathlib.Path(sys.argv[1]).read_text()
(pathlib.Path(sys.argv[2]) / "studio.js").write_text(source[source.index('#"""') + 4 : source.rindex('"""#')])
END
node --check "$work/studio.js"
rm -r "$work"
for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
  if [[ -n $name ]] && command -v "$name" >/dev/null 2>&1; then
    python3 Tests/map/check.py "$(command -v "$name")" "$plot"
    exec python3 Tests/studio/check.py "$(command -v "$name")" "$plot"
  fi
done
echo "LEFT OUT: the map in a browser. There is no Chromium here (apt-get install chromium, or CHROMIUM=/path/to/it)."
