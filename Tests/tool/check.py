#!/usr/bin/env python3
"""Checks `plot` as a program among others: exit statuses, output that cannot be written, quiet, colours, progress, hostile texts, files that
are none, great numbers, man pages, completion.

    Tests/tool/check.py TOOL [SHARE]

SHARE holds the man pages and completions of the build (build/share); without it they are made. What holds for every command is asked of
each that the tool has. Prints one line per fault and exits with 1, or says how many checks passed.
"""

import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else sys.exit(__doc__)
SHARE = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
DEMO = ["simulate", *(f"--{name}={ROOT}/demo/{file}" for name, file in (("config", "plotconfig.json"), ("feed", "feed.json"), ("track", "walk.gpx")))]
PLAIN = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS")}
FULL = b"Error: standard output cannot be written: No space left on device\n"
faults, passed = [], 0


def check(good, what):
    global passed
    if good:
        passed += 1
    else:
        faults.append(what)


def run(*arguments, stdout=subprocess.PIPE, **environment):
    return subprocess.run([TOOL, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, env={**PLAIN, **environment})


def ends(status, *arguments, says=None):
    """The command ends with a status, and says why on standard error where it is not 0."""
    done = run(*arguments)
    words = " ".join(map(str, arguments))
    check(done.returncode == status, f"{words}: status {done.returncode}, not {status}: {done.stderr.decode()}")
    check(bool(done.stderr) == (status not in (0, 1)), f"{words}: standard error says {done.stderr!r}")
    check(says is None or says.encode() in done.stderr, f"{words}: standard error does not say {says!r}: {done.stderr!r}")
    return done


def terminal(arguments, out=False, err=False, typed=(), **environment):
    """Runs with standard output or standard error on a terminal; what comes there."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        arguments, stdin=slave if typed else subprocess.DEVNULL, stdout=slave if out else subprocess.DEVNULL,
        stderr=slave if err else subprocess.DEVNULL, env={**PLAIN, "TERM": "xterm", **environment}, start_new_session=True)  # fmt: skip
    os.close(slave)
    found, lines, end = b"", list(typed), time.monotonic() + 60
    while time.monotonic() < end:
        if lines and lines[0][0] in found:
            os.write(master, lines.pop(0)[1])
        if select.select([master], [], [], 0.2)[0]:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            if not part:
                break
            found += part
        elif process.poll() is not None:
            break
    if process.poll() is None and time.monotonic() >= end:
        process.kill()
    process.wait()
    os.close(master)
    return found


def commands(path, command):
    """Every command that people see, with its words."""
    yield path, command
    for sub in command.get("subcommands", []):
        if sub["shouldDisplay"] and sub["commandName"] != "help":
            yield from commands([*path, sub["commandName"]], sub)


def options(command):
    return {("--" if name["kind"] == "long" else "-") + name["name"] for entry in command["arguments"] for name in entry.get("names", [])}


def check_commands(all_commands):
    for path, command in all_commands:
        words = " ".join(["plot", *path])
        check(command.get("abstract"), f"{words}: has no abstract")
        for entry in command["arguments"]:
            check(entry.get("abstract"), f"{words}: {entry.get('valueName')} has no help")
        if not command.get("subcommands"):
            check({"--quiet", "-q"} <= options(command), f"{words}: has no --quiet, or no -q for it")
        shown = ends(0, *path, "--help")
        check(command["abstract"].split(" ")[0].encode() in shown.stdout, f"{words} --help: does not say what it does")
        ends(64, *path, "--no-such-option", says="Usage: ")


def check_statuses(work):
    for status in ("0 ", "1 ", "64", "65", "74"):
        check(re.search(rf"^  {status}  \S", run("--help").stdout.decode(), re.M), f"--help: does not name the status {status}")
    page = (ROOT / "docs/tool.md").read_text()
    for heading in ("Exit status", "Environment"):
        part = run("--help").stdout.decode().split(f"{heading}:\n")[1].split("\n\n")[0]
        for word, meaning in (re.fullmatch(r"  (\S+) +(.+)", line).groups() for line in part.splitlines()):
            check(re.search(rf"^\| `?{word}`? \| {re.escape(meaning)} \|$", page, re.M), f"docs/tool.md: does not say of {word}: {meaning}")
    ends(0, "--version")
    ends(0, "feed", "check", ROOT / "demo/feed.json")
    ends(64, "no-such-command")
    ends(64, "simulate", says="--feed")
    ends(64, *DEMO, "--speed=0", says="--speed must be above 0")
    (work / "broken.json").write_text('{"version": 1,')
    ends(65, "feed", "check", work / "broken.json", says="broken.json")
    ends(65, "feed", "check", work / "nothing.json", says="No such file or directory")
    ends(65, "feed", "import", work / "broken.json")
    ends(0, "feed", "compile", ROOT / "demo/feed.json", "-o", work / "feed.bin")
    ends(0, "feed", "check", work / "feed.bin")
    ends(65, "feed", "compile", work / "broken.json", "-o", work / "broken.bin", says="broken.json")
    ends(74, "feed", "compile", ROOT / "demo/feed.json", "-o", work / "none/feed.bin", says="No such file or directory")
    ends(74, "feed", "compile", ROOT / "demo/feed.json", "-o", "/dev/full", says="not a plain file")
    compiled = [word.replace(f"{ROOT}/demo/feed.json", f"{work}/feed.bin") for word in DEMO]
    check(compiled != DEMO and run(*compiled).stdout == run(*DEMO).stdout, "simulate with a compiled feed tells something else")
    (work / "feed.bin").write_bytes((work / "feed.bin").read_bytes()[:-64])
    ends(65, *compiled, says="feed.bin: expected a compiled feed of ")
    ends(65, "simulate", f"--feed={ROOT}/demo/feed.json", f"--track={work}/nothing.gpx")
    ends(65, "vectors", work / "nothing")
    ends(74, *DEMO, "--events=/dev/full", says="/dev/full: cannot be written: No space left on device")
    ends(74, *DEMO, f"--events={work}/none/events.jsonl", says="No such file or directory")
    ends(74, *DEMO, f"--map={work}/none/map.html", says="none/map.html: cannot be opened: No such file or directory\n")
    ends(74, *DEMO, "--map=/dev/full", says="/dev/full: cannot be written: No space left on device\n")
    ends(74, *DEMO, f"--store={work}/none/store")
    (work / "not-a-store").write_text("no database at all, but some text that is long enough " * 20)
    ends(65, *DEMO, f"--store={work}/not-a-store")
    vectors = work / "vectors"
    vectors.mkdir()
    for file in sorted((ROOT / "Tests/vectors").glob("*/enter-and-exit.*")):
        shutil.copy(file, vectors)
    check(b"1 passed, 0 failed\n" in ends(0, "vectors", vectors).stdout, "vectors: does not count what passes")
    check(ends(0, "vectors", "--quiet", vectors).stdout == b"", "vectors --quiet: says more than what fails")
    effects = vectors / "enter-and-exit.effects.jsonl"
    effects.write_text(effects.read_text().replace('"effect":"show"', '"effect":"shew"', 1))
    failed = ends(1, "vectors", vectors).stdout.decode()
    check(re.search(r'FAIL\n    line \d+, from byte 14 on\n      expected \{"effect":"shew".*\n      actual   \{"effect":"show"', failed), f"vectors: a difference is shown as {failed}")
    one = json.loads(ends(1, "vectors", "--json", vectors).stdout)
    check((one["passed"], one["failed"], one["vectors"][0]["pass"], one["vectors"][0]["byte"]) == (0, 1, False, 14), f"vectors --json: {one}")


def check_names(work):
    """Names that are slips change nothing, so that they are errors; and a track that comes near no region says how far it was."""
    feed = work / "names.json"
    campaign = {
        "id": "c", "type": "notification", "message": "Hello {{user.name|you}}", "messages": {"nl": "Hallo"}, "regions": ["a"],
        "holdout": {"percent": 1}, "segmentation": {"not": {"property": "premium", "equals": True}},
    }  # fmt: skip
    region = {"id": "a", "type": "geofence", "latitude": 52.0, "longitude": 4.0, "name": "The pier"}
    feed.write_text(json.dumps({"version": 1, "regions": [region], "campaigns": [campaign]}))
    track = work / "far.csv"
    track.write_text("time,latitude,longitude\n2026-05-16T10:00:00Z,52.1,4.0\n2026-05-16T10:10:00Z,53.0,4.0\n")
    words = ("simulate", "--feed", feed, "--track", track, "--quiet")
    for setting, cure in (("engine.noize=exact", 'Write "noise"'), ("cooldwnPeriod=5", 'Write "cooldownPeriod"'), ("engine.x.y=1", '"x" is unknown')):
        ends(65, *words, "--set", setting, says=cure)
    ends(65, *words, "--property", "premiun=true", says='did you mean "premium"?')
    ends(65, *words, "--property", "shoe=42", says="it asks for bucket, languages, name, premium")
    for good in ("premium=true", "name=Ann", "languages=nl", "bucket=7"):
        ends(0, *words, "--property", good)
    said = run(*words).stdout.decode()
    check(said.endswith("; the nearest region, The pier, was 10.9 km away\n"), f"simulate far from all regions: says {said!r}")
    # One inside that is too fast, beside one that no policy believes.
    track.write_text("time,latitude,longitude,speed\n2026-05-16T10:00:00Z,52.02,4.0,1\n2026-05-16T10:05:00Z,52.0,4.0,20\n")
    said = run(*words, "--set", 'engine.noise={"preset": "exact", "maxSpeed": 5}').stdout.decode()
    check(said.endswith("2 fixes, 0 enters, 0 exits, 0 notifications, 0 geotriggers, 0 not shown; a fix was inside The pier, and no visit began: speed\n"),
          f"simulate with a fix that is held: says {said!r}")


def check_tokens(work):
    """An engine that asks nobody needs no token: a note says so, and nothing fails for it."""
    bare = work / "bare.json"
    bare.write_text('{"engine": {}}')
    for arguments in (["lint", bare], ["lint", "--strict", bare], ["lint", "--config", bare, "--feed", ROOT / "demo/feed.json"]):
        found = ends(0, *arguments).stdout
        check(b"[no-public-token]" in found and b"1 note\n" in found, f"{arguments[:2]} says of no token: {found!r}")
    bare.write_text('{"publicToken": ""}')
    ends(1, "lint", bare)
    ends(0, *(word for word in DEMO if not word.startswith("--config=")))


def check_output(all_commands):
    every = [["--version"], ["--experimental-dump-help"], DEMO, ["feed", "check", f"{ROOT}/demo/feed.json"], ["vectors", f"{ROOT}/Tests/vectors"]]
    every += [[*path, "--help"] for path, _ in all_commands] + [["--generate-completion-script", shell] for shell in ("bash", "zsh", "fish")]
    for arguments in every:
        words = " ".join(arguments)
        with open("/dev/full", "wb") as full:
            done = run(*arguments, stdout=full)
        check((done.returncode, done.stderr) == (74, FULL), f"{words} >/dev/full: status {done.returncode}, {done.stderr!r}")
        reader, writer = os.pipe()
        os.close(reader)
        done = run(*arguments, stdout=writer)
        os.close(writer)
        check((done.returncode, done.stderr) == (0, b""), f"{words} | (nobody): status {done.returncode}, {done.stderr!r}")
    done = subprocess.run(["bash", "-c", 'set -o pipefail; "$0" vectors "$1" | head -n 1', TOOL, f"{ROOT}/Tests/vectors"], capture_output=True)
    check((done.returncode, done.stderr, done.stdout.count(b"\n")) == (0, b"", 1), f"vectors | head -n 1: status {done.returncode}, {done.stderr!r}")


def check_terminal(work):
    done = run(*DEMO, "--quiet")
    check((done.stdout.count(b"\n"), done.stderr) == (1, b""), f"simulate --quiet says {done.stdout!r} and {done.stderr!r}")
    done = run("feed", "check", "--quiet", ROOT / "demo/feed.json")
    check((done.stdout, done.stderr) == (b"", b""), "feed check --quiet says something")
    (work / "odd.json").write_text('{"publicToken": "simulation", "noSuchKey": 1}')
    odd = [*DEMO, f"--config={work}/odd.json"]
    loud, quiet = run(*odd), run(*odd, "-q")
    check(b"warning: " in loud.stderr and loud.returncode == 0, f"a warning is not on standard error: {loud.stderr!r}")
    check((quiet.stderr, quiet.returncode) == (b"", 0), f"simulate --quiet warns: {quiet.stderr!r}")

    demo, escape = [TOOL, *DEMO], b"\x1b["
    check(escape in terminal(demo, out=True), "a terminal gets no colours")
    check(escape in terminal(demo, out=True, NO_COLOR=""), "an empty NO_COLOR takes colours away")
    check(escape not in terminal(demo, out=True, NO_COLOR="1"), "NO_COLOR is not honoured")
    check(escape not in terminal(demo, out=True, TERM="dumb"), "TERM=dumb is not honoured")
    check(escape not in run(*DEMO, TERM="xterm").stdout, "a pipe gets colours")
    check(escape in run(*DEMO, CLICOLOR_FORCE="1").stdout, "CLICOLOR_FORCE is not honoured")
    check(escape not in run(*DEMO, CLICOLOR_FORCE="0").stdout, "CLICOLOR_FORCE=0 gives colours")
    check(escape not in run(*DEMO, CLICOLOR_FORCE="1", NO_COLOR="1").stdout, "NO_COLOR does not go before CLICOLOR_FORCE")

    check(b"fixes" in terminal(demo, err=True), "a terminal gets no progress")
    check(terminal(demo, err=True).endswith(b"\r" + escape + b"2K"), "the progress is not cleared")
    record = work / "progress.jsonl.gz"
    ends(0, *DEMO, "--quiet", "--record", record)
    for command in ("explain", "replay"):
        drawn = terminal([TOOL, command, record], err=True)
        check(b"%" in drawn and drawn.endswith(b"\r" + escape + b"2K"), f"{command} shows no progress of its file: {drawn[-80:]}")
        check(terminal([TOOL, command, "-q", record], err=True) == b"", f"{command} -q draws progress")
    check(terminal([*demo, "--quiet"], err=True) == b"", "simulate --quiet draws progress")
    check(terminal(demo, err=True, TERM="dumb") == b"", "TERM=dumb gets progress")
    check(run(*DEMO, TERM="xterm").stderr == b"", "progress goes to a pipe")


STEERING = "\x1b[31m\x1b]0;title\x07\x7f\x85\x9b2J\u061c\u202e\u2066\u2028\u2029\r"


def harmless(text):
    """Nothing in it steers a terminal."""
    return not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]", text.decode())


def check_steering(work):
    """Texts of documents and file names are escaped; JSON stays as it is."""
    name = work / f"a{STEERING}\nforged: all is well"
    feed = json.loads((ROOT / "demo/feed.json").read_text())
    feed["regions"][0]["id"] = 7
    feed["regions"][1]["type"] = "b" + STEERING + "\nforged"
    name.write_text(json.dumps(feed))
    key = work / "key.json"
    key.write_text(json.dumps({"publicToken": "t", f"k{STEERING}\nforged": 1}))
    for arguments in (
        ["feed", "check", name], ["feed", "check", f"{name}-missing"], ["feed", "import", name], ["lint", name], ["lint", "--feed", name],
        ["explain", name], ["replay", name], ["vectors", name], [*DEMO, f"--track={name}"], [*DEMO, f"--rules={name}"], [*DEMO, f"--moves={name}"],
        [*DEMO, f"--background={name}", "--map", work / "m.html"], [*DEMO, f"--events={name}/x"], [*DEMO, f"--map={name}/x"],
        [*DEMO, f"--config={key}"], ["feed", "compile", ROOT / "demo/feed.json", "-o", f"{name}/x"], ["lint", "--config", key],
    ):  # fmt: skip
        for environment in ({}, {"CLICOLOR_FORCE": "1"}):
            done = run(*arguments, **environment)
            words = " ".join(map(str, arguments))
            said = done.stdout if not environment else re.sub(rb"\x1b\[(0|1|2|3[1-6])m", b"", done.stdout)
            check(said or done.stderr, f"{words!r}: says nothing")
            check(harmless(said) and harmless(done.stderr), f"{words!r}: steers the terminal: {done.stdout!r} {done.stderr!r}")
            check(not re.search(rb"^forged", done.stdout + done.stderr, re.M), f"{words!r}: a line is forged: {done.stdout!r} {done.stderr!r}")
    good = work / f"good{STEERING}.json"
    feed = json.loads((ROOT / "demo/feed.json").read_text())
    feed["campaigns"][0]["message"] = f"now{STEERING}"
    good.write_text(json.dumps(feed))
    done = ends(0, "feed", "check", good)
    check(b"\\u001b[31m" in done.stdout and harmless(done.stdout), f"feed check: {done.stdout!r}")
    done = run(*[word.replace(f"{ROOT}/demo/feed.json", str(good)) for word in DEMO], f"--record={work}/steering.jsonl")
    check(done.returncode == 0 and harmless(done.stdout), f"simulate: {done.stdout!r}")
    for line in (work / "steering.jsonl").read_text().split("\n")[:-1]:
        json.loads(line)


def check_waiting(work):
    """A path that is no plain file is refused at once, for reading and for writing; descriptors that the process has are read and written."""

    def ended(arguments, status, says, **more):
        words = " ".join(map(str, arguments))
        try:
            done = subprocess.run([TOOL, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, env=PLAIN, timeout=60, **more)
        except subprocess.TimeoutExpired:
            return check(False, f"{words}: waits")
        check(done.returncode == status, f"{words}: status {done.returncode}, not {status}: {done.stderr!r}")
        check(says in done.stderr, f"{words}: does not say {says!r}: {done.stderr!r}")

    pipe = work / "pipe"
    os.mkfifo(pipe)
    places = [(pipe, b"a named pipe"), (work, b"a directory"), ("/dev/zero", b"a device")]
    for path, found in places:
        for arguments in (
            ["feed", "check", path], ["feed", "import", path], ["feed", "compile", path, "-o", work / "waiting.bin"], ["lint", path],
            ["lint", "--config", path], ["explain", path], *([["replay", path]] if path != work else []), [*DEMO, f"--config={path}"],
            [*DEMO, f"--feed={path}"], [*DEMO, f"--track={path}"], [*DEMO, f"--rules={path}"], [*DEMO, f"--moves={path}"],
            [*DEMO, f"--background={path}", "--map", work / "m.html"],
        ):  # fmt: skip
            ended(arguments, 65, b"found " + found)
    for option in ("--events", "--decisions", "--record", "--map", "--svg"):
        ended([*DEMO, f"{option}={pipe}"], 74, b"a pipe that is being read")
    ended(["feed", "compile", ROOT / "demo/feed.json", "-o", pipe], 74, b"not a plain file")
    plain = run(*DEMO)
    words = " ".join(f"--{name}=<(cat {ROOT}/demo/{file})" for name, file in (("config", "plotconfig.json"), ("feed", "feed.json"), ("track", "walk.gpx")))
    for line, expected in (
        (f'"$0" simulate {words}', plain.stdout),
        (f'"$0" simulate {words} --set cooldownPeriod=600 --compare | head -c 20', run(*DEMO, "--set", "cooldownPeriod=600", "--compare").stdout[:20]),
        (f'"$0" simulate {words} --quiet --events >(cat)', None),
        (f'"$0" feed check /dev/stdin <{ROOT}/demo/feed.json', None),
        (f'cat {ROOT}/demo/feed.json | "$0" lint --feed /dev/stdin', None),
        (f'"$0" simulate {words} --record - | "$0" replay /dev/stdin', None),
        (f'"$0" simulate {words} --record >(cat >{work}/r.jsonl) --quiet; sleep 0.2; "$0" replay {work}/r.jsonl', None),
    ):  # fmt: skip
        done = subprocess.run(["bash", "-c", f"set -o pipefail; {line}", TOOL], capture_output=True, env=PLAIN, timeout=120)
        check(done.returncode == 0, f"{line}: status {done.returncode}, {done.stderr!r}")
        check(expected is None or done.stdout == expected, f"{line}: says {done.stdout!r}")


def check_feeds(work):
    """A feed from answers, a feed from a table, and how two feeds differ."""
    feed = work / "new.json"
    answers = "nowhere\nhttps://example.org/#map=17/52.37020/4.88910\n\nDe Lantaarn\n60\nmaybe\nyes\n-33.87 151.2\nDe lantaarn\n\nno\n\ndwelling\n3\n5\n09:00-18:00\nonce\n"
    done = subprocess.run([TOOL, "feed", "new", "-o", feed], input=answers.encode(), capture_output=True, env=PLAIN)
    check(done.returncode == 0 and done.stdout == b"", f"feed new: {done}")
    check(done.stderr.count(b"That cannot be taken") == 4, f"feed new asks again: {done.stderr.decode()}")
    made = json.loads(feed.read_text())
    check([one["id"] for one in made["regions"]] == ["de-lantaarn", "de-lantaarn-2"], f"feed new: {made}")
    check([one["timeZone"] for one in made["regions"]] == ["Europe/Amsterdam", "Australia/Sydney"], f"feed new: {made}")
    check(made["campaigns"][0]["dwellingMinutes"] == 5 and "cooldownPeriod" not in made["campaigns"][0], f"feed new: {made}")
    ends(0, "lint", feed)
    ends(65, "feed", "new", "-o", feed, says="expected a name that is free")
    done = subprocess.run([TOOL, "feed", "new"], input=b"1.5,2\n", capture_output=True, env=PLAIN)
    check(done.returncode == 65 and done.stdout == b"" and b"found its end" in done.stderr, f"feed new without answers: {done}")
    table = work / "shops.csv"
    table.write_text("id;latitude;longitude;radius;city\na;52,36;4,885;80;Delft\n")
    shops = json.loads(run("feed", "import", table).stdout)
    check(shops["regions"][0]["radius"] == 80 and shops["regions"][0]["customFields"] == {"city": "Delft"}, f"feed import: {shops}")
    table.write_text("id,latitude,longitude\na,52.36,4.885\nb,52.36,east\n")
    ends(65, "feed", "import", table, says="shops.csv: line 3, column 9: expected a longitude")
    other = work / "other.json"
    made["regions"][0]["latitude"] = 52.3712
    made["campaigns"].append({**made["campaigns"][0], "id": "second", "regions": ["de-lantaarn"]})
    other.write_text(json.dumps(made, indent=4))
    ends(0, "feed", "diff", feed, feed)
    found = ends(1, "feed", "diff", feed, other).stdout.decode()
    check(found == '~ region de-lantaarn, moved by 111 m\n    latitude: 52.3702 → 52.3712\n+ campaign second, "Welcome to {{name}}"\n', f"feed diff: {found}")
    changes = json.loads(run("feed", "diff", "--json", other, feed).stdout)["changes"]
    check([one["state"] for one in changes] == ["changed", "removed"], f"feed diff --json: {changes}")


def check_tour(work):
    """The tour of `make try`, where nobody types."""
    done = subprocess.run([sys.executable, ROOT / "demo/try.py", TOOL, work / "try"], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=PLAIN)
    check(done.returncode == 0, f"the tour: {done.stderr}")
    for number, words in enumerate(("Dam square", "lacks the field offer", "as it is: 11 notifications", "map.html in a browser", "plot studio"), 1):
        part = done.stdout.partition(f"{number} of 5.")[2]
        check(words in part, f"the tour, part {number}, does not say {words!r}")
    check((work / "try/map.html").stat().st_size > 50_000, "the tour has no map")


def check_studio(work):
    """Faults of its files and its port come at once, before it waits for a browser."""
    ends(65, "studio", "--feed", work / "none.json", says="none.json")
    ends(65, "studio", "--track", work, says="directory")
    compiled = work / "feed.bin"
    ends(0, "feed", "compile", "-q", ROOT / "demo/feed.json", "-o", compiled)
    ends(65, "studio", "--feed", compiled, says="expected a feed as JSON, found a compiled one")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ends(74, "studio", "--port", taken.getsockname()[1], says="cannot be listened on")


def check_watch(work):
    """A command runs again when an input is saved, also by another file of its name, and not for what it writes itself."""
    feed, words = work / "watched.json", work / "watch.err"
    feed.write_bytes((ROOT / "demo" / "feed.json").read_bytes())
    events = work / "watched.jsonl"
    command = ["watch", "simulate", "--quiet", f"--feed={feed}", "--track", ROOT / "demo/walk.gpx", "--events", events]

    def until(count):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if words.read_text().count("waiting until") >= count:
                return
            time.sleep(0.05)
        check(False, f"watch: {words.read_text()!r} after a minute")

    with open(words, "wb") as stream, subprocess.Popen([TOOL, *map(str, command)], stdout=subprocess.PIPE, stderr=stream, env=PLAIN) as process:
        until(1)
        time.sleep(0.5)
        check(words.read_text().count("was saved") == 0, f"watch runs for its own output: {words.read_text()}")
        saved = work / "saved.json"
        saved.write_text(feed.read_text().replace('"amsterdam-centraal"', '"station"').replace("Fijne", "Mooie"))
        os.replace(saved, feed)
        until(2)
        process.send_signal(signal.SIGINT)
        try:
            shown = process.communicate(timeout=60)[0].decode().splitlines()
        except subprocess.TimeoutExpired:
            process.kill()
            shown = "control-C did not end it within a minute"
        check(len(shown) == 2 and all("13 enters" in line for line in shown), f"watch: {shown}")
        check(f"{feed} was saved" in words.read_text(), f"watch: {words.read_text()}")
    check("Mooie" in events.read_text(), "watch: the second run is not that of the new feed")
    ends(65, "watch", "lint", work / "nothing.json", says="expected a file that can be read")
    ends(64, "watch", "run", says="plot watch takes one of")
    # Each option that names a file to be written is known to it.
    written = {name for command in ("simulate", "replay", "explain") for name, help in re.findall(r"^  (--[a-z-]+) <[^>]+>\s+((?:.|\n {20,})*)", run(command, "--help").stdout.decode(), re.M)
               if re.match(r"(Write|Record|Draw|Append|A store)", help)}  # fmt: skip
    source = (ROOT / "Sources/plot/WatchCommand.swift").read_text()
    missing = sorted(name for name in written if f'"{name}"' not in source)
    check(len(written) > 5 and not missing, f"watch does not know that a command writes the file of {missing or written}")


def check_numbers(work):
    """A number that the tool takes can be told of."""
    track = work / "far.csv"
    for accuracy in ("1e300", "9.3e18", "1e9", "5"):
        track.write_text("time,latitude,longitude,accuracy\n" + "".join(f"2026-05-16T11:{minute:02}:00Z,52.37,4.89,{accuracy}\n" for minute in range(20, 25)))
        recording = work / "far.jsonl"
        done = run("simulate", f"--feed={ROOT}/demo/feed.json", f"--track={track}", f"--record={recording}", "--map", work / "far.html")
        check(done.returncode in (0, 65), f"simulate with an accuracy of {accuracy}: status {done.returncode}, {done.stderr!r}")
        if done.returncode == 0:
            for more in (["--at", "11:22"], ["--map", work / "far.html"], ["--json"], []):
                done = run("explain", recording, *more)
                check(done.returncode == 0, f"explain {more} with an accuracy of {accuracy}: status {done.returncode}, {done.stderr!r}")


def check_pages(all_commands, work):
    made = [work / name for name in ("man", "again")]
    for folder in made:
        subprocess.run([sys.executable, ROOT / "scripts/man_pages.py", TOOL, folder], check=True, env={**PLAIN, "TZ": "Asia/Tokyo" if folder is made[1] else "UTC"})
    folder = SHARE / "man/man1" if SHARE else made[0]
    texts = [{file.name: file.read_text() for file in place.glob("*.1")} for place in (folder, made[1])]
    check(texts[0] == texts[1], "man pages: not the same when they are made again")
    check(set(texts[0]) == {"-".join(["plot", *path]) + ".1" for path, _ in all_commands}, f"man pages: there are {', '.join(sorted(texts[0]))}")
    checkers = [["groff", "-man", "-Tutf8", "-ww", "-z"], ["mandoc", "-T", "lint", "-W", "warning"]]
    for path, command in all_commands:
        name = "-".join(["plot", *path]) + ".1"
        text = texts[0].get(name, "")
        for option in options(command):
            check(f"\\fB{option.replace('-', chr(92) + '-')}\\fR" in text, f"{name}: does not name {option}")
        for part in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", '"EXIT STATUS"', '"ENVIRONMENT"', "SEE ALSO"):
            check(f"\n.SH {part}\n" in text, f"{name}: has no part {part}")
        for checker in checkers:
            if shutil.which(checker[0]):
                done = subprocess.run([*checker, folder / name], capture_output=True, text=True)
                # Before its release a version has no date.
                said = [line for line in (done.stdout + done.stderr).splitlines() if "missing date" not in line]
                check(not said, f"{name}: {checker[0]} says {said[:1]}")
    check(shutil.which("groff") or shutil.which("mandoc"), "neither groff nor mandoc is there to check the man pages")


def check_completion(work):
    places = {"bash": "bash-completion/completions/plot", "zsh": "zsh/site-functions/_plot", "fish": "fish/vendor_completions.d/plot.fish"}
    for shell, place in places.items():
        script = work / f"plot.{shell}"
        script.write_bytes(ends(0, "--generate-completion-script", shell).stdout)
        if SHARE:
            check((SHARE / place).read_bytes() == script.read_bytes(), f"{shell}: the completion of the build is another one")
        if shutil.which(shell):
            done = subprocess.run([shell, "-n", script], capture_output=True, text=True)
            check((done.returncode, done.stderr) == (0, ""), f"{shell}: the completion has a fault: {done.stderr}")
    check(places["zsh"] and (work / "plot.zsh").read_bytes().startswith(b"#compdef plot"), "zsh: the completion does not name plot")

    def complete(typed):
        """The words that bash makes of a line with a tab behind it."""
        ready = b"ready " + str(os.getpid()).encode()
        start = f"PS1=; bind 'set enable-bracketed-paste off'; source {work}/plot.bash; plot() {{ if [[ $1 == ---completion ]]; then {TOOL} \"$@\"; else echo \"given: $*.\"; fi; }}; echo ready $((1 * {os.getpid()}))\n"
        lines = [(b"", start.encode()), (ready + b"\r\n", typed.encode() + b"\t\n"), (b"given: ", b"exit\n")]
        found = terminal(["bash", "--norc", "--noprofile", "-i"], out=True, err=True, typed=lines, TERM="dumb")
        match = re.search(rb"\ngiven: (.*)\.\r", found)
        return match[1].decode() if match else found.decode(errors="replace")

    (work / "only-one.json").write_text("{}")
    # A name that would be a command in bash, if it were completed.
    feed, harm = work / "feed.json", work / "harm"
    regions = [{"id": "square", "type": "geofence", "latitude": 52, "longitude": 5, "radius": 100}]
    campaigns = [
        {"id": name, "type": "notification", "message": "m", "regions": ["square"], "segmentation": {"property": key, "equals": 1}}
        for name, key in (("lunch", "diet"), (f"$(touch {harm})", f"`touch {harm}`"))
    ]
    feed.write_text(json.dumps({"version": 1, "regions": regions, "campaigns": campaigns}))
    for typed, expected in (
        ("plot sim", "simulate"), ("plot feed ch", "feed check"), ("plot simulate --fe", "simulate --feed"),
        ("plot simulate --noise exa", "simulate --noise exact"), (f"plot simulate --feed {work}/only-o", f"simulate --feed {work}/only-one.json"),
        ("plot simulate --set engine.filterF", "simulate --set engine.filterFallback="),
        (f"plot simulate --feed {feed} --set cam", f"simulate --feed {feed} --set campaigns[lunch]."),
        (f"plot simulate --feed {feed} --property ", f"simulate --feed {feed} --property diet="),
    ):  # fmt: skip
        found = complete(typed)
        check(found == expected, f"bash completes {typed!r} to {found!r}, not {expected!r}")
    # bash takes "=" for the end of a word; the others ask for all of it.
    for typed, expected in (("engine.filterFallback=sh", "engine.filterFallback=showOriginal"), ("campaigns[lunch].filterAt=e", "campaigns[lunch].filterAt=enter")):
        words = ["plot", "simulate", "--feed", str(feed), "--set", typed]
        found = run("---completion", "simulate", "--", "--set", str(len(words) - 1), str(len(typed)), *words).stdout.decode().split()
        check(found == [expected], f"{typed!r} is completed to {found}, not {expected!r}")
    check(not harm.exists(), "a name in a feed was a command")
    if shutil.which("fish"):
        done = subprocess.run(["fish", "-c", f"source {work}/plot.fish; complete -C 'plot sim'"], capture_output=True, text=True)
        check(done.stdout.startswith("simulate\t"), f"fish completes 'plot sim' to {done.stdout!r} {done.stderr!r}")


def main():
    # A shell's job in the background ignores control-C, and so would the tool.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    everything = list(commands([], json.loads(run("--experimental-dump-help").stdout)["command"]))
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        check_commands(everything)
        check_statuses(work)
        check_names(work)
        check_tokens(work)
        check_output(everything)
        check_terminal(work)
        check_steering(work)
        check_waiting(work)
        check_numbers(work)
        check_feeds(work)
        check_tour(work)
        check_studio(work)
        check_watch(work)
        check_pages(everything, work)
        check_completion(work)
    for fault in dict.fromkeys(faults):
        print(f"tool: {fault}")
    if faults:
        sys.exit(1)
    print(f"tool: {len(everything)} commands, {passed} checks passed")


main()
