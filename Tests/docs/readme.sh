#!/usr/bin/env bash
# README shows what is there: the first lines of the demo, and the pictures of its map in docs/pictures.
#   Tests/docs/readme.sh [--draw]   with --draw it draws the pictures anew
# Its programs are run by Tests/packages/check_pages.py, like those of all pages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
  echo "readme: $*" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
plot=${PLOT:-build/bin/plot}
walk=(simulate --config demo/plotconfig.json --feed demo/feed.json --track demo/walk.gpx --property language=en --property premiumMember=true)

for theme in light dark; do
  "$plot" "${walk[@]}" --svg "$work/walk-$theme.svg" --svg-theme "$theme" >"$work/demo"
done
if [[ ${1:-} == --draw ]]; then
  mkdir -p docs/pictures
  cp "$work"/walk-*.svg docs/pictures
fi
for theme in light dark; do
  cmp -s "$work/walk-$theme.svg" "docs/pictures/walk-$theme.svg" ||
    fail "docs/pictures/walk-$theme.svg is not what the tool draws: Tests/docs/readme.sh --draw"
done

awk '/The demo begins like this:$/ { found = 1 } found && /^```/ { inside++; next } inside == 1 { print } inside > 1 { exit }' README.md >"$work/shown"
lines=$(wc -l <"$work/shown")
((lines >= 5)) || fail "no lines of the demo were found"
cmp -s "$work/shown" <(head -n "$lines" "$work/demo") ||
  fail "its demo is not what the tool prints: $(diff "$work/shown" <(head -n "$lines" "$work/demo") | head -n 3)"
echo "readme: its demo and its pictures are true"
