#!/usr/bin/env python3
"""A release, step by step (CONTRIBUTING.md, Releases).

    scripts/release.py                     all places have the version of VERSION; part of `make lint`
    scripts/release.py prepare X.Y.Z       writes another version into all of them, and dates the changelog; commit that, and run `make test`
    make release                           checks, builds the packages, and calls:
    scripts/release.py finish              SHA256SUMS and an SBOM in SPDX 2.3 beside the packages in dist/, and the commands that are left
    scripts/release.py --self              checks that a place that was forgotten is noticed
"""

import datetime
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NUMBER = r"\d+\.\d+\.\d+"
# Where the version stands, with what is around it.
PLACES = {
    "VERSION": rf"^({NUMBER})$",
    "Sources/PlotEngine/Version.swift": rf'text = "({NUMBER})"',
    "bindings/node/package.json": rf'^  "version": "({NUMBER})"',
    "bindings/rust/Cargo.toml": rf'^version = "({NUMBER})"',
    "docs/quickstart-tool.md": rf"^({NUMBER})$",
    "docs/quickstart-c.md": rf"^({NUMBER})$",
    "docs/quickstart-swift.md": rf'from: "({NUMBER})"',
    "docs/swift.md": rf'from: "({NUMBER})"',
}
# Inside of the library and the tool, beside our own code: name, the name of pkg-config, licence, where it is from.
INSIDE = [
    ("jansson", "jansson", "MIT", "https://github.com/akheron/jansson"),
    ("sqlite", "sqlite3", "blessing", "https://sqlite.org"),
    ("libsodium", "libsodium", "ISC", "https://libsodium.org"),
    ("zlib", "zlib", "Zlib", "https://zlib.net"),
    ("expat", "expat", "MIT", "https://libexpat.github.io"),
    ("swift-standard-library", None, "Apache-2.0 WITH Swift-exception", "https://swift.org"),
    ("swift-argument-parser", None, "Apache-2.0 WITH Swift-exception", "https://github.com/apple/swift-argument-parser"),
]


def found(root):
    """Each place with the versions that it has."""
    for name, pattern in PLACES.items():
        text = (root / name).read_text(encoding="utf-8")
        yield name, {group for match in re.finditer(pattern, text, re.M) for group in match.groups() if group}


def check(root):
    version = (root / "VERSION").read_text(encoding="utf-8").strip()
    faults = [f"{name} has {', '.join(sorted(versions)) or 'no version'}, VERSION {version}" for name, versions in found(root) if versions != {version}]
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(r"^## Unreleased$", changelog, re.M):
        faults.append("CHANGELOG.md has no section Unreleased")
    return faults


def prepare(root, version):
    if not re.fullmatch(NUMBER, version):
        sys.exit(f"release: expected a version as 1.2.3, found {version}")
    old = (root / "VERSION").read_text(encoding="utf-8").strip()
    if [int(part) for part in version.split(".")] <= [int(part) for part in old.split(".")]:
        sys.exit(f"release: expected a version above {old}, found {version}")
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    notes = re.search(r"^## Unreleased\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if not notes or not notes[1].strip():
        sys.exit("release: CHANGELOG.md says nothing under Unreleased")
    for name, pattern in PLACES.items():
        file = root / name
        text = file.read_text(encoding="utf-8")
        file.write_text(re.sub(pattern, lambda match: match[0].replace(old, version), text, flags=re.M), encoding="utf-8")
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    (root / "CHANGELOG.md").write_text(changelog.replace("## Unreleased\n", f"## Unreleased\n\n## {version} - {today}\n", 1), encoding="utf-8")


def text_of(*words):
    try:
        return subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def sbom(version, files):
    """SPDX 2.3: the packages of dist/, and what is inside of them. The time is that of the commit, so that it comes out the same again."""
    stamp = int(text_of("git", "log", "-1", "--format=%ct") or 0)
    created = datetime.datetime.fromtimestamp(stamp, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    swift = re.search(r"Swift version (\S+)", text_of("swift", "--version"))

    def package(name, number, licence, place, **more):
        return {
            "name": name, "SPDXID": f"SPDXRef-{name}", "versionInfo": number or "NOASSERTION", "downloadLocation": place, "licenseConcluded": licence,
            "licenseDeclared": licence, "copyrightText": "NOASSERTION", "filesAnalyzed": False, **more,
        }  # fmt: skip

    packages = [package("plotengine", version, "Apache-2.0", "https://plotengine.example.org/")]
    for name, module, licence, place in INSIDE:
        number = text_of("pkg-config", "--modversion", module) if module else swift[1] if swift and name == "swift-standard-library" else None
        packages.append(package(name, number, licence, place))
    entries = [
        {"fileName": f"./{file.name}", "SPDXID": f"SPDXRef-File-{re.sub('[^A-Za-z0-9.-]', '-', file.name)}", "licenseConcluded": "NOASSERTION",
         "copyrightText": "NOASSERTION", "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(file.read_bytes()).hexdigest()},
                                                       {"algorithm": "SHA256", "checksumValue": digest(file)}]}
        for file in files
    ]  # fmt: skip
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-plotengine"}]
    relations += [{"spdxElementId": "SPDXRef-plotengine", "relationshipType": "CONTAINS", "relatedSpdxElement": f"SPDXRef-{name}"} for name, *_ in INSIDE]
    relations += [{"spdxElementId": entry["SPDXID"], "relationshipType": "GENERATED_FROM", "relatedSpdxElement": "SPDXRef-plotengine"} for entry in entries]
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"plotengine-{version}",
        "documentNamespace": f"https://plotengine.example.org/spdx/plotengine-{version}", "creationInfo": {"created": created, "creators": ["Tool: release.py"]},
        "packages": packages, "files": entries, "relationships": relations,
    }  # fmt: skip


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def finish():
    version = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    faults = check(ROOT)
    if not re.search(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$", changelog, re.M):
        faults.append(f"CHANGELOG.md has no section for {version}: scripts/release.py prepare makes it")
    if text_of("git", "status", "--porcelain"):
        faults.append("there are changes that are not committed")
    if text_of("git", "tag", "--list", f"v{version}"):
        faults.append(f"there is a tag v{version}")
    files = sorted(path for path in (ROOT / "dist").iterdir() if path.is_file() and path.name not in ("SHA256SUMS",) and not path.name.endswith(".spdx.json"))
    if not files:
        faults.append("dist/ is empty: make dist")
    if faults:
        sys.exit("\n".join(f"release: {fault}" for fault in faults))
    document = ROOT / "dist" / f"plotengine-{version}.spdx.json"
    document.write_text(json.dumps(sbom(version, files), indent=1) + "\n", encoding="utf-8")
    sums = "".join(f"{digest(file)}  {file.name}\n" for file in [*files, document])
    (ROOT / "dist/SHA256SUMS").write_text(sums)
    print(f"release {version}: {len(files)} packages, SHA256SUMS and {document.name} in dist/. What is left:")
    print(f"  git tag --sign v{version} --message 'PlotEngine {version}'\n  git push origin v{version}\n  and the packages, with the section of CHANGELOG.md as their notes.")


def check_self():
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in [*PLACES, "CHANGELOG.md"]:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place / name)
        assert not check(place), check(place)
        major = int((place / "VERSION").read_text().split(".")[0]) + 1
        prepare(place, f"{major}.0.0")
        assert not check(place), check(place)
        assert re.search(rf"^## Unreleased\n\n## {major}\.0\.0 - \d", (place / "CHANGELOG.md").read_text(), re.M), "the changelog has no date"
        for name in list(PLACES)[1:]:
            text = (place / name).read_text()
            (place / name).write_text(text.replace(f"{major}.0.0", f"{major}.0.1"))
            assert check(place), f"{name} may have another version"
            (place / name).write_text(text)
    print(f"release: {len(PLACES) - 1} planted versions were noticed")


def main():
    words = sys.argv[1:]
    if words == ["--self"]:
        check_self()
    elif words == ["finish"]:
        finish()
    elif len(words) == 2 and words[0] == "prepare":
        prepare(ROOT, words[1])
        print(f"release: {words[1]} stands in {len(PLACES)} files; scripts/openapi.py --write, make test, and commit")
    elif not words:
        faults = check(ROOT)
        if faults:
            sys.exit("\n".join(f"release: {fault}" for fault in faults))
        print(f"release: {len(PLACES)} places have one version")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
