#!/usr/bin/env python3
"""Installs the Debian packages in a system of their own (debootstrap), and uses each of them there.

    Tests/packages/debs.py DEBS    DEBS: the folder with the packages

The bare system is made once and kept in .build-debian; a run uses a copy of it. Needs root, or sudo.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from pages import blocks  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
BASE = ROOT / ".build-debian/base"
MIRROR = "http://deb.debian.org/debian"
# Packages that ours depend on, and those that a C program is built with.
PACKAGES = "libjansson4,libsodium23,libsqlite3-0,libexpat1,zlib1g,libstdc++6,python3,gcc,libc6-dev,pkg-config"
AS_ROOT = [] if os.geteuid() == 0 else ["sudo"]


# The Debian that the packages were built on.
SUITE = re.search(r"^VERSION_CODENAME=(\w+)$", Path("/etc/os-release").read_text(), re.M)[1]


def run(*words, **options):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=600, **options)
    if done.returncode:
        sys.exit(f"check_debs: {' '.join(map(str, words))} has failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def same(given, expected, what):
    if given != expected:
        sys.exit(f"check_debs: {what}: expected\n{expected}found\n{given}")


def main():
    debs = sorted(Path(sys.argv[1]).glob("*.deb")) if len(sys.argv) == 2 else sys.exit(__doc__)
    names = [deb.name.split("_")[0] for deb in debs]
    same(names, ["libplotengine-dev", "libplotengine0", "plotengine-tools", "python3-plotengine"], "packages")
    if not (BASE / "done").exists():
        shutil.rmtree(BASE, ignore_errors=True)
        BASE.parent.mkdir(exist_ok=True)
        run(*AS_ROOT, "debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, BASE, MIRROR)
        run(*AS_ROOT, "touch", BASE / "done")
    with tempfile.TemporaryDirectory() as folder:
        system = Path(folder) / "system"
        run(*AS_ROOT, "cp", "-a", "--reflink=auto", BASE, system)
        # Swift reads its arguments there.
        run(*AS_ROOT, "mount", "-t", "proc", "proc", system / "proc")
        try:
            use(system, debs)
        finally:
            run(*AS_ROOT, "umount", system / "proc")
            run(*AS_ROOT, "rm", "-rf", system)
    print(f"debian packages: {', '.join(names)}: installed in {SUITE}, used and removed")


def use(system, debs):
    def inside(*words):
        return run(*AS_ROOT, "chroot", system, "env", "LC_ALL=C.UTF-8", "TZ=UTC", *words)

    for deb in debs:
        run(*AS_ROOT, "cp", deb, system / "tmp")
    run(*AS_ROOT, "cp", "-r", ROOT / "demo", system / "tmp/demo")
    inside("sh", "-c", "dpkg --install /tmp/*.deb")
    version = (ROOT / "VERSION").read_text().strip()

    same(inside("plot", "--version").strip(), version, "plot --version")
    demo = ["--config", "/tmp/demo/plotconfig.json", "--feed", "/tmp/demo/feed.json", "--track", "/tmp/demo/walk.gpx"]
    here = run(ROOT / "build/bin/plot", "simulate", *[word.replace("/tmp/demo", str(ROOT / "demo")) for word in demo])
    same(inside("plot", "simulate", *demo), here, "plot simulate")
    # Of plot run, what a bare system can show: its libraries load, and nothing runs yet.
    unit = inside("cat", "/usr/lib/systemd/user/plot-run.service")
    same(unit, (ROOT / "packaging/systemd/plot-run.service").read_text(encoding="utf-8"), "the unit of plot run")
    inside("sh", "-c", "echo '{}' | plot run --feed /tmp/demo/feed.json --no-gpsd --no-geoclue --no-bluetooth --screen terminal --input -")

    page = (ROOT / "bindings/python/README.md").read_text(encoding="utf-8")
    first = next(block for block in blocks(page) if block.language == "python")
    (system / "tmp/first.py").write_text(first.text, encoding="utf-8")
    same(inside("python3", "-W", "error", "/tmp/first.py"), first.output, "the first program of the Python package")

    (system / "tmp/version.c").write_text(
        '#include <plotengine.h>\n#include <stdio.h>\nint main(void) { puts(plot_version()); return plot_live_objects() != 0; }\n', encoding="utf-8")
    inside("sh", "-c", "cc -Wall -Werror /tmp/version.c $(pkg-config --cflags --libs plotengine) -o /tmp/version")
    same(inside("/tmp/version").strip(), version, "a C program")

    inside("dpkg", "--purge", "python3-plotengine", "plotengine-tools", "libplotengine-dev", "libplotengine0")
    left = inside("sh", "-c", "find /usr -name '*plotengine*' -not -path '/usr/share/doc/*'")
    same(left, "", "what is left after the packages are gone")


if __name__ == "__main__":
    main()
