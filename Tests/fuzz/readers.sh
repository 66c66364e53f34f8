#!/usr/bin/env bash
# Checks that the readers of the tool that the fuzzers watch (Fuzz/Sources/FuzzReaders) are all that these need: the package of the fuzzers is built by
# `make fuzz` only. Needs the modules of `swift build --scratch-path .build`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

modules=.build/debug/Modules
[[ -s $modules/PlotDocuments.swiftmodule ]] || {
  echo "fuzz readers: $modules has no PlotDocuments: build the tests first" >&2
  exit 1
}
# Each module that they import is a target of their package, too.
for module in $(cat Fuzz/Sources/*/*.swift Fuzz/Sources/*/*/*.swift 2>/dev/null | sed -nE 's/^(@[a-z_]+ )?((public|package|internal) )?import ((Plot|C)[A-Z][A-Za-z]*)$/\4/p' | sort -u); do
  [[ -e Fuzz/Sources/$module ]] && grep -q "name: \"$module\"" Fuzz/Package.swift || {
    echo "fuzz readers: the package of the fuzzers has no $module, which its sources import" >&2
    exit 1
  }
done
flags=(-swift-version 6 -enable-upcoming-feature InternalImportsByDefault -I "$modules")
for map in Sources/C*/module.modulemap Sources/C*/include/module.modulemap; do
  [[ -e $map ]] && flags+=(-Xcc "-fmodule-map-file=$PWD/$map")
done
compiler=$(dirname "$(realpath "$(command -v "${SWIFT:-swift}")")")/swiftc
# The identity of a root package is the name of its folder.
"$compiler" -typecheck -package-name "$(basename "$PWD" | tr '[:upper:]' '[:lower:]' | sed 's|[^[:alnum:]]|_|g')" -suppress-warnings "${flags[@]}" Fuzz/Sources/FuzzReaders/*.swift
echo "fuzz readers: $(find Fuzz/Sources/FuzzReaders -name '*.swift' | wc -l) files, and nothing is missing"
