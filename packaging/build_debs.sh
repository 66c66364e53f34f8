#!/usr/bin/env bash
# Builds the Debian packages from what `make` has built: packaging/build_debs.sh OUTDIR
#
# libplotengine0, libplotengine-dev, plotengine-tools and python3-plotengine, by dpkg-buildpackage in a folder of its own, and judged by lintian: an
# error or a warning is a fault.
set -euo pipefail
[[ $# -eq 1 ]] || {
  echo "usage: $0 OUTDIR" >&2
  exit 2
}
mkdir -p "$1"
out=$(realpath "$1")
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
[[ -s $root/build/lib/libplotengine.so.0 && -s $root/build/bin/plot ]] || {
  echo "build_debs: build/ is missing: run make first" >&2
  exit 1
}
for tool in dpkg-buildpackage dh lintian; do
  command -v "$tool" >/dev/null || {
    echo "build_debs: $tool is missing (Debian: apt-get install dpkg-dev debhelper dh-python lintian)" >&2
    exit 1
  }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(cat "$root/VERSION")
mkdir "$work/plotengine-$version"
cd "$work/plotengine-$version"
cp -r "$root/packaging/debian" debian
# The time of the last commit, so that the same tree gives the same packages.
date=$(git -C "$root" log -1 --format=%cd --date=rfc2822 2>/dev/null || date -R)
cat >debian/changelog <<EOF
plotengine ($version) unstable; urgency=medium

  * See /usr/share/doc/libplotengine0/changelog.gz for what has changed.

 -- The PlotEngine authors <plotengine@example.org>  $date
EOF
# Swift is no package of Debian's, so what the build needs is not looked up (-d).
PLOT_SOURCE=$root dpkg-buildpackage --build=binary --no-sign -d -us -uc >"$work/log" 2>&1 || {
  cat "$work/log" >&2
  exit 1
}
lintian --fail-on error,warning --tag-display-limit 0 "$work"/plotengine_*.changes || {
  echo "build_debs: lintian has found faults" >&2
  exit 1
}
rm -f "$out"/*.deb
cp "$work"/*.deb "$out/"
(cd "$out" && du -h --apparent-size ./*.deb)
