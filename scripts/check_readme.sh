#!/usr/bin/env bash
# README shows what is there: its C program is bindings/c/sample.c, and its demo is what the tool prints.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  echo "readme: $*" >&2
  exit 1
}
block() { # the first fenced block after the line that matches
  awk -v start="$1" '$0 ~ start { found = 1 } found && /^```/ { inside++; next } inside == 1 { print } inside > 1 { exit }' README.md
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

block '^## Ten lines' >"$work/program"
sed '1,/\*\/$/d' bindings/c/sample.c >"$work/sample"
[[ -s $work/program ]] || fail "no program was found"
cmp -s "$work/program" "$work/sample" || fail "its C program is not bindings/c/sample.c: $(diff "$work/program" "$work/sample" | head -n 3)"

block 'prints what a phone would show:$' >"$work/shown"
build/bin/plot simulate --config demo/plotconfig.json --feed demo/feed.json --track demo/walk.gpx \
  --property language=en --property premiumMember=true >"$work/demo"
[[ -s $work/shown ]] || fail "no output of the demo was found"
cmp -s "$work/shown" "$work/demo" || fail "its demo is not what the tool prints: $(diff "$work/shown" "$work/demo" | head -n 3)"
echo "readme: its program and its demo are true"
