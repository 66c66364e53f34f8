#!/usr/bin/env bash
# Swift apps that name this package by its URL: the programs of examples/first, examples/streams and examples/ios-sdk. They are built from a copy of
# the sources, as a repository with a tag, in a package outside the tree, and print what their pages say.
#   Tests/packages/swift_package.sh         builds and runs them
#   Tests/packages/swift_package.sh --docs  also makes the documentation of both modules (scripts/swift_docs.sh)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

root=$PWD
swift=${SWIFT:-swift}
fail() {
  echo "swift package: $*" >&2
  exit 1
}
for file in VERSION examples/first/first.swift examples/streams/streams.swift examples/ios-sdk/main.swift; do
  [[ -s $file ]] || fail "$file is missing"
done
# The tool with its parts, and `plot run`, are Linux's alone. The C library has another module on each system, and some calls are Linux's alone: Sources/PlotFiles/SystemCalls.swift has those.
if grep -rnE '^(internal |public )?import (Glibc|Musl|Darwin)' Sources --include='*.swift' --exclude-dir={plot,PlotTracks,PlotStory,PlotRun}; then
  fail "these name the C library of one system; put the import into #if canImport(Glibc), as Sources/PlotCore/Geometry/Area.swift does"
fi
if grep -rnE '\b(fdatasync|posix_fallocate|MAP_POPULATE|F_OFD_SETLK|F_OFD_GETLK)\b' Sources --include='*.swift' --exclude-dir={plot,PlotTracks,PlotStory,PlotRun} |
  grep -vE '/SystemCalls.swift:|: *///? '; then
  fail "Apple's systems lack these calls; call what SystemCalls has"
fi
version=$(<VERSION)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The files that git has, or, in an unpacked archive, all that are not built.
mkdir -p "$work/plotengine"
if [[ -e .git ]]; then
  git ls-files -co --exclude-standard -z -- Package.swift Sources include scripts/exports.map scripts/link-order.txt Tests/PlotTesting |
    while IFS= read -r -d '' file; do [[ ! -e $file ]] || printf '%s\0' "$file"; done | tar c --null -T - | tar x -C "$work/plotengine"
else
  tar c --exclude='.build*' Package.swift Sources include scripts/exports.map scripts/link-order.txt Tests/PlotTesting | tar x -C "$work/plotengine"
fi
(
  cd "$work/plotengine"
  git init --quiet
  git add --all
  git -c user.name=nobody -c user.email=nobody@localhost -c commit.gpgsign=false commit --quiet --message "$version"
  git -c tag.gpgsign=false tag "$version"
)

for program in first/first.swift streams/streams.swift ios-sdk/main.swift; do
  mkdir -p "$work/app/Sources/${program%/*}"
  cp "examples/$program" "$work/app/Sources/${program%/*}/main.swift"
done
cat >"$work/app/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "app",
  dependencies: [.package(url: "$work/plotengine", from: "$version")],
  targets: [
    .executableTarget(name: "first", dependencies: [.product(name: "PlotEngineKit", package: "plotengine")]),
    .executableTarget(name: "streams", dependencies: [.product(name: "PlotEngineKit", package: "plotengine")]),
    .executableTarget(name: "ios-sdk", dependencies: [.product(name: "PlotSDK", package: "plotengine")]),
  ])
END
cd "$work/app"
"$swift" build -Xswiftc -gnone >"$work/log" 2>&1 || fail "an app that names the package by URL does not build: $(tail -n 40 "$work/log")"
if grep -i "warning:" "$work/log"; then fail "an app that names the package is built with warnings"; fi
# The output of an example, as its page has it.
printed() { sed -n '/^```text$/,/^```$/p' "$root/examples/$1/README.md" | sed '1d;$d'; }
count=0
for program in first streams ios-sdk; do
  mkdir "$work/$program"
  cp "$root"/examples/ios-sdk/*.json "$work/$program"
  wanted=$(printed "$program")
  output=$(cd "$work/$program" && timeout 60 "$work/app/.build/debug/$program") || fail "$program ended with status $?"
  [[ $output == "${wanted:-Welcome!}" ]] || fail "$program printed '$output', not '$wanted'"
  count=$((count + 1))
done
mkdir -p "$root/build/support"
release=$("$swift" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
printf 'Swift\t%s\tapps that name the package by URL\t%s\n' "$release" "$count" >"$root/build/support/swift.tsv"
"${PYTHON:-python3}" "$root/scripts/support_table.py" --check swift
echo "swift package: by URL, PlotEngineKit and PlotSDK: $count programs print what their pages say"

[[ ${1:-} == --docs ]] || exit 0
cd "$root"
scripts/swift_docs.sh
