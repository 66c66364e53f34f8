#!/usr/bin/env python3
"""Builds the documentation as a site that needs no network: build/site/VERSION, with build/site/index.html leading to it.

    scripts/site.py            builds it, strictly: a warning is a fault
    scripts/site.py --check    only: each page of docs/ stands in docs/README.md, which is the one source of the site's sections

The pages are those of the repository, with their links: files that they link to come along. `make docs` makes the environment that it runs in
(scripts/site-requirements.txt).
"""

import argparse
import functools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from pages import links
from prose import GLOSSARY, entries

ROOT = Path(__file__).resolve().parents[1]
INDEX = Path("docs/README.md")
BUILD = ROOT / "build"
SOURCE = BUILD / "site-source"
FENCE = re.compile(r"^( *)```(\w+) ([^\n`{]+)$", re.M)


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def targets(path):
    """The files of the repository that a page links to."""
    for link in links(text_of(path)):
        if link.is_external or not link.path:
            continue
        found = Path(os.path.normpath(path.parent / link.path))
        if (ROOT / found).is_dir():
            found = found / "README.md"
        if (ROOT / found).is_file() or (ROOT / found.parent).is_dir() and found.name == "README.md":
            yield found


def sections():
    """Each section of docs/README.md, with its pages in order; a page stands where it comes first."""
    found, seen, section = {}, set(), None
    for line in text_of(INDEX).splitlines():
        if line.startswith("## "):
            section = found.setdefault(line[3:], [])
        elif section is not None:
            for link in re.findall(r"\]\(([^)#\s]+)", line):
                page = Path(os.path.normpath(INDEX.parent / link))
                if page not in seen:
                    seen.add(page)
                    section.append(page)
    return found


def title_of(page):
    if page.suffix != ".md":
        return page.name
    heading = re.search(r"^# (.+)$", text_of(page), re.M)[1]
    return re.sub(r"`|\[([^\]]*)\]\([^)]*\)", r"\1", heading)


def check():
    """Pages that no section has."""
    listed = {page for pages in sections().values() for page in pages}
    missing = [page for page in sorted((ROOT / "docs").glob("*.md")) if page.relative_to(ROOT) not in listed | {INDEX}]
    for page in missing:
        print(f"site: {page.relative_to(ROOT)} is in no section of {INDEX}", file=sys.stderr)
    return not missing


def rendered(path):
    """A page as MkDocs takes it: names of files in fences are titles, and outputs are text."""
    text = FENCE.sub(lambda match: f'{match[1]}```{match[2]} title="{match[3].strip()}"', text_of(path))
    text = re.sub(r"^( *)```output$", r"\1```text", text, flags=re.M)

    # A folder is its page.
    def folder(match):
        link = match[1].split("#")[0]
        place = ROOT / path.parent / link
        return f"]({link.rstrip('/')}/README.md)" if link and place.is_dir() else match[0]

    text = re.sub(r"\]\(([^)\s:]+)\)", folder, text)
    return text if str(path) == GLOSSARY else f"{text}\n{explained()}"


@functools.cache
def explained():
    """The glossary's abbreviations, which the site explains under the pointer."""
    rows = entries(text_of(GLOSSARY), "Abbreviations").items()
    return "".join(f"*[{short}]: {': '.join(filter(None, cells)).replace('`', '')}\n" for short, cells in rows)


def copy():
    """The pages and what they link to, where they are in the repository."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    left = [Path("README.md"), INDEX, *(page for pages in sections().values() for page in pages)]
    left += [path.relative_to(ROOT) for path in (ROOT / "docs" / "schema").glob("*.json")]
    seen = set()
    while left:
        path = left.pop()
        if path in seen:
            continue
        seen.add(path)
        target = SOURCE / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not (ROOT / path).exists():
            # A folder without a page of its own: its files.
            files = sorted(file for file in (ROOT / path.parent).iterdir() if file.is_file())
            target.write_text(f"# {path.parent}\n\n" + "".join(f"- [{file.name}]({file.name})\n" for file in files))
            left += [file.relative_to(ROOT) for file in files]
        elif path.suffix == ".md":
            target.write_text(rendered(path), encoding="utf-8")
            left += targets(path)
        else:
            shutil.copy(ROOT / path, target)


def configuration(version, site):
    navigation = [{"Home": "README.md"}, {"By task": str(INDEX)}]
    for section, pages in sections().items():
        entries = [{title_of(page): str(page)} for page in pages if page.suffix == ".md"]
        if section == "Reference":
            entries += [{"The C header, function by function": "api/c.md"}, {"The Python package, class by class": "api/python.md"},
                        {"The Node package, class by class": "api/node.md"}, {"The Swift modules": "api/swift.md"}, {"JSON Schemas": "api/schemas.md"}]  # fmt: skip
        navigation.append({section: entries})
    return {
        "site_name": "PlotEngine", "site_description": "Location-based notifications, decided on the device and offline", "docs_dir": str(SOURCE),
        "site_dir": str(site), "use_directory_urls": False, "strict": True, "nav": navigation,
        "theme": {
            "name": "material", "font": False, "language": "en", "features": ["navigation.tabs", "navigation.sections", "navigation.top", "search.suggest", "content.code.copy", "content.tooltips"],
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "blue grey", "toggle": {"icon": "material/weather-night", "name": "Dark"}},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "blue grey", "toggle": {"icon": "material/weather-sunny", "name": "Light"}},
            ],
        },
        "extra": {"version": {"provider": "mike"}, "generator": False},
        "plugins": ["search", {"mkdocstrings": {"handlers": {"python": {"paths": [str(ROOT / "bindings/python/src")], "options": {
            "show_root_heading": True, "show_source": False, "members_order": "source", "heading_level": 2, "docstring_style": "google",
            "show_if_no_docstring": False, "filters": ["!^_"]}}}}}],
        "markdown_extensions": ["abbr", "tables", "admonition", "attr_list", "md_in_html", "pymdownx.superfences",
                                {"toc": {"permalink": True, "slugify": "!!SLUG"}}],
        "validation": {"omitted_files": "ignore", "absolute_links": "warn", "unrecognized_links": "ignore", "anchors": "warn"},
    }  # fmt: skip


def api_pages():
    """The pages that lead to the generated references."""
    folder = SOURCE / "api"
    folder.mkdir(exist_ok=True)
    package = ROOT / "bindings/python/src/plotengine"
    names = re.findall(r"^from \._\w+ import (\w+) as \1$", (package / "__init__.py").read_text(encoding="utf-8"), re.M)
    # The engine first, then what goes with it, and the modules beside it.
    names.sort(key=lambda name: (name != "Engine", not name[0].isupper(), name))
    modules = sorted(path.stem for path in package.glob("[a-z]*.py"))
    (folder / "python.md").write_text("# The Python package\n\n" + "\n".join(f"::: plotengine.{name}\n" for name in [*names, *modules]))
    (folder / "c.md").write_text("# The C header\n\nEvery function of [plotengine.h](../include/plotengine.h), with search: [open the reference](c/index.html).\n")
    (folder / "node.md").write_text("# The Node package\n\nEvery class and function of `plotengine` for Node: [open the reference](node/index.html).\n")
    (folder / "swift.md").write_text(
        "# The Swift modules\n\n`PlotEngineKit` and `PlotSDK`, by DocC: [open the reference](swift/documentation/index.html). Its pages are drawn by a script that asks for"
        " their data, so they need a server, such as `python3 -m http.server --directory build/site`.\n")
    rows = []
    for path in sorted((ROOT / "docs/schema").glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        about = schema.get("description", "").partition("\n")[0]
        rows.append(f"| [{path.name}](../docs/schema/{path.name}) | {schema.get('title', '')} | {about} |")
    (folder / "schemas.md").write_text(
        "# JSON Schemas\n\nAn editor that knows JSON Schema completes and explains a document whose `$schema` names one of these.\n\n| file | of | |\n|---|---|---|\n"
        + "\n".join(rows) + "\n")  # fmt: skip


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"site: {words[0]} has failed:\n{(done.stdout + done.stderr)[-4000:]}")
    return done.stdout + done.stderr


def c_reference(site):
    settings = {
        "PROJECT_NAME": '"PlotEngine"', "INPUT": ROOT / "include/plotengine.h", "OUTPUT_DIRECTORY": BUILD / "site-doxygen", "HTML_OUTPUT": site / "api/c",
        "GENERATE_LATEX": "NO", "OPTIMIZE_OUTPUT_FOR_C": "YES", "EXTRACT_ALL": "YES", "JAVADOC_AUTOBRIEF": "YES", "QUIET": "YES", "WARN_IF_UNDOCUMENTED": "NO",
        "FULL_PATH_NAMES": "NO", "SHOW_NAMESPACES": "NO", "SEARCHENGINE": "YES", "WARN_AS_ERROR": "FAIL_ON_WARNINGS",
        "MACRO_EXPANSION": "YES", "PREDEFINED": '"PLOT_NULLABLE=" "PLOT_NONNULL=" "PLOT_EXPORT="', "EXPAND_ONLY_PREDEF": "YES",
        "MULTILINE_CPP_IS_BRIEF": "NO", "DISABLE_INDEX": "NO", "HAVE_DOT": "NO",
    }  # fmt: skip
    # The header's comments are plain ones; a filter makes them those of Doxygen.
    settings["FILTER_PATTERNS"] = f'*.h="{sys.executable} {ROOT}/scripts/site.py --header"'
    (BUILD / "site-doxygen").mkdir(parents=True, exist_ok=True)
    file = BUILD / "site-doxygen/Doxyfile"
    file.write_text("\n".join(f"{key} = {value}" for key, value in settings.items()) + "\n")
    run("doxygen", file)


def node_reference(site):
    """Deno reads declarations as they are, but for names of modules without an extension."""
    folder = BUILD / "site-node"
    folder.mkdir(parents=True, exist_ok=True)
    for path in (ROOT / "bindings/node").glob("*.d.ts"):
        text = re.sub(r"from '(\./\w+)'", r"from '\1.d.ts'", path.read_text(encoding="utf-8"))
        # A scheme alone is no link.
        text = re.sub(r"\b(https?)://(?=[ ,])", r"\1:", text)
        (folder / path.name).write_text(re.sub(r"^/// <reference types.*\n", "", text, flags=re.M), encoding="utf-8")
    deno, plain = Path(sys.executable).parent / "deno", {**os.environ, "NO_COLOR": "1"}
    said = subprocess.run([deno, "doc", "--lint", folder / "index.d.ts"], capture_output=True, text=True, env=plain).stderr
    # Each public name of the package has its words. Parts of documents have theirs from the pages' tables.
    bare = re.findall(r"error\[missing-jsdoc\].*\n *--> .*?(/index\.d\.ts:\d+)", said)
    if bare:
        sys.exit(f"site: names of bindings/node without documentation (lines are one lower there): {', '.join(bare)}")
    run(deno, "doc", "--html", "--name=plotengine", f"--output={site}/api/node", folder / "index.d.ts", env=plain)


def swift_reference(site, version):
    """The archive that scripts/swift_docs.sh has made, as files that a server gives out below the version's folder."""
    archive = BUILD / "swift-docs"
    if not archive.is_dir():
        sys.exit("site: build/swift-docs is missing: run make docs, or scripts/swift_docs.sh")
    tools = Path(shutil.which(os.environ.get("SWIFT", "swift"))).resolve().parent
    run(tools / "docc", "process-archive", "transform-for-static-hosting", archive, "--output-path", site / "api/swift",
        "--hosting-base-path", f"{version}/api/swift")
    # It is of a site of its own.
    (site / "api/swift/index.html").unlink()


def header(path):
    """The header with comments as Doxygen reads them."""
    text = Path(path).read_text(encoding="utf-8")
    text = re.sub(r"^(\s*)/\* (?!-)", r"\1/** ", text, flags=re.M)
    # Angle brackets, hashes and the like are text.
    return re.sub(r"/\*\*.*?\*/", lambda match: re.sub(r"([<>#@\\])", r"\\\1", match[0]), text, flags=re.S)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--header", metavar="FILE", help="for Doxygen: the header with comments as it reads them")
    given = parser.parse_args()
    if given.header:
        print(header(given.header), end="")
        return
    if not check():
        sys.exit(1)
    if given.check:
        print(f"site: {sum(len(pages) for pages in sections().values())} pages in {len(sections())} sections")
        return
    import yaml

    version = (ROOT / "VERSION").read_text().strip()
    site = BUILD / "site" / version
    copy()
    api_pages()
    words = yaml.safe_dump(configuration(version, site), sort_keys=False, allow_unicode=True)
    words = words.replace("'!!SLUG'", "!!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}")
    (BUILD / "mkdocs.yml").write_text(words)
    said = run(sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", BUILD / "mkdocs.yml", env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    c_reference(site)
    node_reference(site)
    swift_reference(site, version)
    (BUILD / "site/versions.json").write_text(json.dumps([{"version": version, "title": version, "aliases": ["latest"]}]))
    (BUILD / "site/index.html").write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={version}/index.html"><a href="{version}/index.html">PlotEngine {version}</a>\n')
    # Deno's pages lead to a group that it makes only where there are several.
    for page in (site / "api/node").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if "uncategorized.html" in text and not (site / "api/node/uncategorized.html").exists():
            page.write_text(text.replace("uncategorized.html", "index.html"), encoding="utf-8")
    run(Path(sys.executable).parent / "lychee", "--offline", "--no-progress", "--include-fragments=anchor-only", "--exclude-path", site / "404.html", "--exclude-path", site / "api/swift", site)
    pages = len(list(site.rglob("*.html")))
    print(f"site: build/site/{version}/index.html, {pages} pages{chr(10) + said if said.strip() else ''}")


if __name__ == "__main__":
    main()
