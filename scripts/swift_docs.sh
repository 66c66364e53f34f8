#!/usr/bin/env bash
# The documentation of the Swift modules, by DocC, without a warning: build/swift-docs. Needs the modules of `swift build --build-tests --scratch-path .build`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

swift=${SWIFT:-swift}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "swift docs: $*" >&2
  exit 1
}

# A package of its own would build all of it once more.
built=.build/debug/Modules
[[ -s $built/PlotSDK.swiftmodule ]] || fail "$built/PlotSDK.swiftmodule is missing: run make docs"
maps=()
while IFS= read -r file; do maps+=(-Xcc "-fmodule-map-file=$file"); done < <(find Sources -name module.modulemap)
tools=$(dirname "$(readlink -f "$(command -v "$swift")")")
archives=()
for module in PlotEngineKit PlotSDK; do
  mkdir -p "$work/symbols/$module"
  "$tools/swift-symbolgraph-extract" -module-name "$module" -I "$built" -Xcc -Iinclude "${maps[@]}" -target "$(uname -m)-unknown-linux-gnu" \
    -minimum-access-level public -output-dir "$work/symbols/$module" >"$work/log" 2>&1 || fail "$module has no symbols: $(tail -n 40 "$work/log")"
  "$tools/docc" convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$work/symbols/$module" --fallback-display-name "$module" \
    --fallback-bundle-identifier "$module" --warnings-as-errors --enable-experimental-external-link-support --output-path "$work/$module.doccarchive" \
    "${archives[@]/#/--dependency=}" >"$work/log" 2>&1 || fail "the documentation of $module has faults: $(tail -n 40 "$work/log")"
  archives+=("$work/$module.doccarchive")
done
# Each public name has its words.
"${PYTHON:-python3}" - "$work/symbols" <<'END' || fail "these names have no documentation"
import json, pathlib, sys

bare = []
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.symbols.json")):
    for symbol in json.loads(path.read_text())["symbols"]:
        # Names that the compiler makes have no place in a file; those that a protocol of others asks for are documented there.
        if "docComment" not in symbol and "location" in symbol:
            bare.append(f"{symbol['location']['uri'].rpartition('/')[2]}: {'.'.join(symbol['pathComponents'])}")
if bare: print("\n".join(bare))
sys.exit(bool(bare))
END
rm -rf build/swift-docs
mkdir -p build
"$tools/docc" merge "${archives[@]}" --synthesized-landing-page-name plotengine --output-path build/swift-docs >"$work/log" 2>&1 ||
  fail "the documentation is not merged: $(tail -n 40 "$work/log")"
for module in plotenginekit plotsdk; do
  [[ -s build/swift-docs/documentation/$module/index.html ]] || fail "there is no documentation of $module"
done
echo "swift docs: DocC for both modules without a warning"
