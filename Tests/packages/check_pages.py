#!/usr/bin/env python3
"""Runs every program that a page shows, in an empty folder, against the packages of `make dist`, and compares what it prints with the page.

    Tests/packages/check_pages.py           all pages
    Tests/packages/check_pages.py PAGE...   only these
    Tests/packages/check_pages.py --self    checks that a broken program, a wrong output, a dead link and a "not yet" are noticed

What a fenced block means is said by its first line:

    ```c first.c          a file, written into the folder; examples/ has the same file, which is the one source
    ```c first.c (part)   lines of a file of examples/, in its order
    ```json feed.json     a file of data, written into the folder; on an example's page, the folder's file of this name
    ```sh                 commands for bash; all of a page run in one shell, where $PLOTENGINE is the root of the source tree
    ```python             a part of one program, run in the order of the page (docs/python.md)
    ```js                 a program of its own (docs/node.md)
    ```output             what the block before it prints
    ```json, ```text      data, and anything else that is not a program; JSON must parse

A page that needs files or folders beside its programs says so in a comment, <!-- Beside it: demo/feed.json demo/plotconfig.json -->, and has the
tool on its PATH then. An example's README (examples/NAME/README.md) has the files of its folder beside it.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / folder) for folder in ("scripts", "Tests/newcomers")]
import tasks  # noqa: E402
from pages import Fault, blocks, dead_links  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = {"c", "cpp", "python", "js", "ts", "swift", "sh", "console"}
PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "examples/README.md", "examples/*/README.md", "demo/README.md", "demo/*/README.md",
         "bindings/*/README.md"]
# Their programs are commands of this source tree, which other parts of `make test` run: nothing of them could run in an empty folder.
OF_THE_TREE = {"CONTRIBUTING.md", "docs/performance.md", "docs/reliability.md"}
# A program that the part "swift package" builds, too, from the same file, in minutes: the page's own commands run in `make test-long`, or where the
# page is named.
OF_THE_LONG_FORM = {"docs/quickstart-swift.md"}
UNFINISHED = re.compile(r"\b(not (yet )?(there|implemented|supported|available) yet|not yet (there|implemented|supported|available)|coming soon|TODO)\b", re.I)


def example(name):
    """The files of examples/ that have this name."""
    return [path for path in sorted((ROOT / "examples").glob("*/*")) if path.name == Path(name).name]


def check_block(block, page):
    if not block.language:
        raise Fault(f"line {block.line}: a block without a language; ```text is one that nobody runs")
    if block.language == "text" and re.search(r"^\$ ", block.text, re.M):
        raise Fault(f"line {block.line}: commands in a text; ```sh and ```output are run")
    if block.language in ("c", "cpp", "ts", "swift") and not block.name:
        raise Fault(f"line {block.line}: a program in {block.language} that nothing runs: give it the name of a file of examples/")
    if block.name and block.language in PROGRAMS:
        sources = [path.read_text(encoding="utf-8") for path in example(block.name)]
        if not sources:
            raise Fault(f"line {block.line}: examples/ has no {block.name}")
        if block.is_part:
            wanted = [line.strip() for line in block.text.splitlines() if line.strip()]
            if not any(is_within(wanted, [line.strip() for line in source.splitlines()]) for source in sources):
                raise Fault(f"line {block.line}: these lines are not in examples/*/{block.name}")
        elif block.text not in sources:
            raise Fault(f"line {block.line}: this is not what examples/*/{block.name} is")
    if block.name and block.language not in PROGRAMS and page.parent.parent == ROOT / "examples" and not block.is_part:
        beside = page.parent / block.name
        if not beside.is_file() or beside.read_text(encoding="utf-8") != block.text:
            raise Fault(f"line {block.line}: this is not what {beside.relative_to(ROOT)} is")
    if block.language == "json":
        try:
            json.loads(block.text)
        except ValueError as error:
            raise Fault(f"line {block.line}: JSON that does not parse: {error}") from None


def is_within(wanted, lines):
    """Whether the lines come in this order; others may stand between."""
    rest = iter(lines)
    return all(line in rest for line in wanted)


def check_links(page, text):
    for dead in dead_links(page, text, ROOT):
        raise Fault(dead)


# Seconds that the programs of one page, or its commands together, may take.
TIMEOUT = 300

class Packages:
    """The wheel and the tarball of dist/, each installed once for the pages whose blocks have no file."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.startswith(("PLOT", "PYTHON", "NODE", "npm_", "MAKE", "MFLAGS", "PKG_CONFIG", "LD_")) and name != "TZ"
        }
        self.environment |= {
            "PLOTENGINE": str(ROOT), "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_QUIET": "1", "TZ": "UTC", "LC_ALL": "C.UTF-8",
            "npm_config_offline": "true", "npm_config_cache": str(folder / "npm"), "npm_config_update_notifier": "false", "npm_config_fund": "false",
            "npm_config_audit": "false",
        }

    def one(self, pattern):
        found = sorted((ROOT / "dist").glob(pattern))
        if len(found) != 1:
            raise SystemExit(f"Tests/packages/check_pages.py: dist/ has {len(found)} of {pattern}: run make dist first")
        return str(found[0])

    def call(self, *words, **options):
        done = subprocess.run(words, **{"env": self.environment, "capture_output": True, "text": True, **options})
        if done.returncode:
            raise SystemExit(f"Tests/packages/check_pages.py: {' '.join(words)} has failed:\n{done.stdout}{done.stderr}")

    def python(self):
        program = self.folder / "venv/bin/python"
        if not program.exists():
            self.call(os.environ.get("PYTHON", "python3"), "-m", "venv", str(self.folder / "venv"))
            self.call(str(program), "-m", "pip", "install", self.one("plotengine-*.whl"))
            self.call(str(program), "-m", "pip", "install", *self.requirements("numpy"), env=self.environment | {"PIP_NO_INDEX": "0"})
        return str(program)

    @staticmethod
    def requirements(*names):
        """Modules that pages use beside the package, from where pip usually finds it."""
        text = (ROOT / "bindings/python/requirements-test.txt").read_text(encoding="utf-8")
        return [re.search(rf"^{name}==.*$", text, re.M)[0] for name in names]

    def wheels(self):
        """So that a page's own `pip install` finds NumPy and PyArrow."""
        place = self.folder / "wheels"
        if not place.exists():
            self.call(self.python(), "-m", "pip", "download", "--no-deps", "--dest", str(place), *self.requirements("numpy", "pyarrow"),
                      env=self.environment | {"PIP_NO_INDEX": "0"})
        self.environment["PIP_FIND_LINKS"] = str(place)

    def node_modules(self):
        place = self.folder / "node"
        if not place.exists():
            place.mkdir()
            self.call("npm", "install", "--prefix", str(place), self.one("plotengine-*.tgz"))
        return place / "node_modules"


PYTHON_DRIVER = """
import contextlib, io, json, sys
blocks, names, printed = json.load(open(sys.argv[1])), {"__name__": "__main__"}, []
for number, (line, text) in enumerate(blocks):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile("\\n" * line + text, sys.argv[2], "exec"), names)
    printed.append(out.getvalue())
json.dump(printed, open(sys.argv[1], "w"))
"""


def compare(block, printed):
    if block.output is not None and printed != block.output:
        raise Fault(f"line {block.line}: it prints\n{printed}and not\n{block.output}")


def run_page(page, packages, found):
    """Runs the blocks of a page in an empty folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        beside = re.search(r"<!-- Beside it: (.*?) -->", page.read_text(encoding="utf-8"))
        files = [ROOT / file for file in beside[1].split()] if beside else []
        if page.parent.parent == ROOT / "examples":
            files += [file for file in page.parent.iterdir() if file.is_file() and file != page]
        for file in files:
            shutil.copytree(file, folder / file.name) if file.is_dir() else shutil.copy(file, folder)
        run_shell(page, packages, found, folder, with_tool=beside is not None)
        run_python(page, packages, [block for block in found if block.language == "python" and not block.name], folder)
        for block in found:
            if block.language == "js" and not block.name:
                run_js(packages, block, folder)


def run_shell(page, packages, found, folder, with_tool):
    """All commands of a page, in one shell; files are written when their turn comes."""
    commands = [block for block in found if block.language == "sh"]
    if not commands:
        return
    out = folder.parent / f"{folder.name}.out"
    out.mkdir()
    try:
        script = ["set -euo pipefail"] + ['PATH="$PLOTENGINE/build/bin:$PATH"'] * with_tool
        for number, block in enumerate(found):
            if block.name and not block.is_part:
                place = folder / block.name
                script.append(f"cat >'{place}' <<'END OF FILE'\n{block.text}END OF FILE")
            elif block.language == "sh":
                script.append(f"exec >'{out}/{number}' 2>&1\n{block.text}")
        # Not on standard input: a command that reads that would swallow the rest of the page.
        (out / "commands").write_text("\n".join(script), encoding="utf-8")
        if any("pyarrow" in block.text for block in found if block.language == "sh"):
            packages.wheels()
        done = run(["bash", out / "commands"], folder, packages, stdin=subprocess.DEVNULL)
        for number, block in enumerate(found):
            if block.language != "sh":
                continue
            place = out / str(number)
            printed = place.read_text(encoding="utf-8") if place.exists() else ""
            if done.returncode and not (out / str(next_command(found, number))).exists():
                raise Fault(f"line {block.line}: the commands end with status {done.returncode}:\n{printed}{done.stderr}")
            if not place.exists():
                raise Fault(f"line {block.line}: the commands before it ended the shell")
            compare(block, printed)
    finally:
        shutil.rmtree(out)


def run(words, folder, packages, **options):
    """The commands of a page; a program that waits for something that does not happen is a fault."""
    try:
        return subprocess.run(words, cwd=folder, env=packages.environment, text=True, capture_output=True, timeout=TIMEOUT, **options)
    except subprocess.TimeoutExpired as late:
        raise Fault(f"{words[0]} has not ended after {TIMEOUT} s") from late


def next_command(found, number):
    return next((n for n in range(number + 1, len(found)) if found[n].language == "sh"), "none")


def run_python(page, packages, found, folder):
    if not found:
        return
    job = folder / "blocks.json"
    job.write_text(json.dumps([(block.line, block.text) for block in found]), encoding="utf-8")
    done = run([packages.python(), "-c", PYTHON_DRIVER, str(job), page.name], folder, packages)
    if done.returncode:
        raise Fault(f"its Python ends with status {done.returncode}:\n{done.stderr}")
    for block, printed in zip(found, json.loads(job.read_text(encoding="utf-8"))):
        if block.output is None and printed:
            raise Fault(f"line {block.line}: it prints\n{printed}and the page does not say so")
        compare(block, printed)


def run_js(packages, block, folder):
    modules = folder / "node_modules"
    if not modules.exists():
        modules.symlink_to(packages.node_modules())
    (folder / "program.js").write_text(block.text, encoding="utf-8")
    done = run(["node", "program.js"], folder, packages)
    if done.returncode or done.stderr:
        raise Fault(f"line {block.line}: it ends with status {done.returncode}:\n{done.stdout}{done.stderr}")
    if block.output is None:
        raise Fault(f"line {block.line}: the page does not say what it prints")
    compare(block, done.stdout)


def outputs(name):
    """All that a page says that its commands print."""
    return "\n".join(block.output or "" for block in blocks((ROOT / name).read_text(encoding="utf-8")))


def check_page(page, packages, commands, seconds, is_short=False):
    """How many programs a page has. `seconds` gets how long they took."""
    text = page.read_text(encoding="utf-8")
    found = blocks(text)
    for block in found:
        check_block(block, page)
        if block.name and block.language in PROGRAMS and Path(block.name).stem not in commands:
            raise Fault(f"line {block.line}: no page runs {block.name}")
    check_links(page, text)
    if unfinished := UNFINISHED.search(text):
        raise Fault(f"a promise: {unfinished[0]!r}")
    if is_short and str(page.relative_to(ROOT)) in OF_THE_LONG_FORM:
        print(f"LEFT OUT: the commands of {page.relative_to(ROOT)}; make test-long runs them")
    elif str(page.relative_to(ROOT)) not in OF_THE_TREE:
        began = time.monotonic()
        run_page(page, packages, found)
        seconds[str(page.relative_to(ROOT))] = time.monotonic() - began
    return sum(block.language in PROGRAMS for block in found)


def all_pages():
    return sorted({path for pattern in PAGES for path in ROOT.glob(pattern)})


def words_of_commands():
    """The words of all commands that are run on some page, or for the Swift programs, without their endings: `cc first.c` runs `first`."""
    commands = "".join(
        block.text for page in all_pages() if str(page.relative_to(ROOT)) not in OF_THE_TREE
        for block in blocks(page.read_text(encoding="utf-8")) if block.language == "sh")
    # The Swift programs are built there, all in one package.
    script = ROOT / "Tests/packages/swift_package.sh"
    return set(re.findall(r"[\w-]+", commands + (script.read_text(encoding="utf-8") if script.exists() else "")))


def check_examples(commands):
    """Every program of examples/ is run by some page."""
    idle = [path for path in sorted((ROOT / "examples").glob("*/*")) if path.suffix in (".c", ".py", ".js", ".swift") and path.stem not in commands]
    if idle:
        raise Fault(f"no page runs {', '.join(str(path.relative_to(ROOT)) for path in idle)}")


def check_self():
    """Each planted fault is found, and the page without one passes."""
    global ROOT
    here, good = ROOT, "```python a.py\nprint(1)\n```\n\n```sh\npython3 a.py\n```\n\n```output\n1\n```\n[a](README.md#a-b)\n# A, b\n"
    planted = {
        "a program that is broken": (good.replace("python3 a.py", "python3 a.py\nfalse"), "end with status 1"),
        "commands that are not reached": (good + "```sh\nexit 0\n```\n\n```sh\ntrue\n```\n", "ended the shell"),
        "a fault after a command that reads": (good + "```sh\ncat\n```\n\n```sh\nfalse\n```\n", "end with status 1"),
        "an output that differs": (good.replace("output\n1", "output\n2"), "it prints"),
        "a program that examples/ has otherwise": (good.replace("print(1)", "print(2)"), "not what examples/"),
        "a program that examples/ does not have": (good.replace("a.py", "b.py"), "examples/ has no b.py"),
        "a program that nobody runs": (good.replace("sh\npython3 a.py", "sh\necho 1"), "no page runs a.py"),
        "a part that is in no example": (good.replace("a.py\nprint(1)", "a.py (part)\nprint(3)"), "these lines are not in"),
        "C without a file": (good + "```c\nint x;\n```\n", "nothing runs"),
        "a block without a language": (good + "```\nx\n```\n", "without a language"),
        "a block without an end": (good + "```sh\nx\n", "does not end"),
        "an output alone": (good + "```output\nx\n```\n", "without a program"),
        "JSON that does not parse": (good + "```json\n{\n```\n", "does not parse"),
        "a dead link": (good + "[b](b.md)\n", "a dead link: b.md"),
        "a dead anchor": (good + "[b](#b)\n", "a dead link: #b"),
        "a promise": (good + "Trains are not supported yet.\n", "a promise"),
    }
    with tempfile.TemporaryDirectory() as folder:
        ROOT = Path(folder).resolve()
        (ROOT / "examples/a").mkdir(parents=True)
        (ROOT / "examples/a/a.py").write_text("print(1)\n", encoding="utf-8")
        page = ROOT / "README.md"
        for name, (text, expected) in {"nothing": (good, ""), **planted}.items():
            page.write_text(text, encoding="utf-8")
            try:
                check_page(page, Packages(ROOT), words_of_commands() if "not end" not in expected else set(), {})
                found = ""
            except Fault as fault:
                found = str(fault)
            if expected not in found or (found and not expected):
                raise SystemExit(f"Tests/packages/check_pages.py --self: {name}: expected {expected!r}, found {found!r}")
        page.write_text("nothing\n", encoding="utf-8")
        try:
            check_examples(words_of_commands())
            raise SystemExit("Tests/packages/check_pages.py --self: an example that nobody runs was not found")
        except Fault:
            pass
    ROOT = here
    print(f"pages: {len(planted) + 1} planted faults were found")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", metavar="PAGE")
    parser.add_argument("--self", action="store_true", dest="is_self")
    arguments = parser.parse_args()
    if arguments.is_self:
        check_self()
        return 0
    pages = [Path(page).resolve() for page in arguments.pages]
    faults = programs = 0

    def report(where, fault):
        nonlocal faults
        faults += 1
        print(f"pages: {where}: {fault}", file=sys.stderr)

    commands = words_of_commands()
    if not pages:
        try:
            check_examples(commands)
        except Fault as fault:
            report("examples", fault)
        for fault in [*tasks.without_words(outputs), *(f"nobody follows {page}" for *_, page, _ in tasks.TASKS if ROOT / page not in all_pages())]:
            report("newcomers", fault)
    seconds = {}
    with tempfile.TemporaryDirectory() as folder:
        packages = Packages(Path(folder))
        for page in pages or all_pages():
            try:
                programs += check_page(page, packages, commands, seconds, is_short=not pages and "PLOT_LONG" not in os.environ)
            except Fault as fault:
                report(page.relative_to(ROOT), fault)
    if not pages:
        print(*tasks.lines(seconds), sep="\n")
    print(f"pages: {len(pages or all_pages())} pages, {programs} programs and commands, {faults} faults")
    return 1 if faults or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
