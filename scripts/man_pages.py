#!/usr/bin/env python3
"""Writes the man pages of `plot` from its own help: one for the tool, and one for each of its commands.

    scripts/man_pages.py TOOL FOLDER

The same help gives the same bytes. The version is that of VERSION; the date that of its section in CHANGELOG.md, none before its release.
Another command needs nothing here: what it says of itself (`--experimental-dump-help`) is its page.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.M)


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def italic(text):
    return f"\\fI{escaped(text)}\\fR"


def argument(text):
    """A word for a macro."""
    return '"' + text.replace("\\", "\\e").replace('"', '""') + '"'


def spelled(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def sections(discussion):
    """The text, and what stands under a line with a colon at its end as rows of two columns: (text, {heading: [(word, meaning)]})."""
    text, rows, heading = [], {}, None
    for line in discussion.strip().split("\n"):
        row = re.fullmatch(r"  (\S+)  +(.+)", line)
        if row and heading:
            rows[heading].append((row[1], row[2]))
        elif re.fullmatch(r"[A-Z][A-Za-z ]+:", line):
            heading = line[:-1]
            rows[heading] = []
        else:
            heading = heading if not line else None
            text.append(line)
    return "\n".join(text).strip(), rows


def usage(path, command):
    parts = [bold(" ".join(path))]
    if command.get("subcommands"):
        return " ".join([*parts, italic("command")])
    options = [entry for entry in command.get("arguments", []) if entry["shouldDisplay"]]
    for entry in [entry for entry in options if entry["kind"] != "positional" and not entry["isOptional"]]:
        parts.append(f"{bold(spelled(entry['preferredName']))} {italic(entry['valueName'])}")
    parts.append(f"[{italic('options')}]")
    for entry in [entry for entry in options if entry["kind"] == "positional"]:
        word = italic(entry["valueName"]) + ("\\ ..." if entry["isRepeating"] else "")
        parts.append(f"[{word}]" if entry["isOptional"] else word)
    return " ".join(parts)


def option(entry):
    lines = [".TP"]
    if entry["kind"] == "positional":
        lines.append(italic(entry["valueName"]))
    else:
        value = "" if entry["kind"] == "flag" else " " + italic(entry["valueName"])
        names = sorted(entry["names"], key=lambda name: name["kind"] == "long")
        lines.append(", ".join(bold(spelled(name)) for name in names) + value)
    meaning = entry.get("abstract", "") + (" " + entry["discussion"] if entry.get("discussion") else "")
    if not meaning:
        sys.exit(f"man_pages.py: {entry.get('valueName')} has no help")
    lines.append(escaped(meaning.replace("\n", " ")))
    if values := entry.get("allValues"):
        lines.append(escaped(f"One of {', '.join(values)}."))
    if entry.get("isRepeating") and "repeated" not in meaning:
        lines.append("May be repeated.")
    if entry.get("defaultValue"):
        lines.append(f"Default: {escaped(entry['defaultValue'])}.")
    return lines


def page(path, command, root, stamp):
    name = "-".join(path)
    text, rows = sections(command.get("discussion", ""))
    shared = sections(root.get("discussion", ""))[1]
    if not command.get("abstract"):
        sys.exit(f"man_pages.py: {' '.join(path)} has no abstract")
    lines = ['.\\" Made from the help of plot by scripts/man_pages.py.', f".TH {argument(name.upper())} 1 {stamp}"]
    lines += [".SH NAME", f"{escaped(name)} \\- {escaped(command['abstract'].rstrip('.'))}", ".SH SYNOPSIS", usage(path, command)]
    lines += [".SH DESCRIPTION", escaped(command["abstract"])]
    for paragraph in filter(None, re.split(r"\n\n+", text)):
        lines += [".PP", escaped(paragraph.replace("\n", " "))]
    subcommands = visible(command)
    if subcommands:
        lines.append(".SH COMMANDS")
        for sub in subcommands:
            lines += [".TP", bold(sub["commandName"]), escaped(sub["abstract"]), f"See {bold('-'.join([*path, sub['commandName']]))}(1)."]
    lines.append(".SH OPTIONS")
    for entry in command.get("arguments", []):
        if entry["shouldDisplay"]:
            lines += option(entry)
    for heading, entries in {**shared, **rows}.items():
        lines.append(f".SH {argument(heading.upper())}")
        for word, meaning in entries:
            lines += [".TP", bold(word), escaped(meaning)]
    others = [path[:-1]] if path[:-1] else []
    others += [[*path, sub["commandName"]] for sub in subcommands]
    if others:
        lines += [".SH SEE ALSO", ",\n".join(f"{bold('-'.join(other))}(1)" for other in others)]
    return name, "\n".join(lines) + "\n"


def visible(command):
    return [sub for sub in command.get("subcommands", []) if sub["shouldDisplay"] and sub["commandName"] != "help"]


def pages(path, command, root, stamp):
    yield page(path, command, root, stamp)
    for sub in visible(command):
        yield from pages([*path, sub["commandName"]], sub, root, stamp)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    dump = subprocess.run([sys.argv[1], "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    root = json.loads(dump)["command"]
    version = (ROOT / "VERSION").read_text().strip()
    date = re.search(rf"^## \[{re.escape(version)}\] - (\d{{4}}-\d\d-\d\d)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    stamp = f'"{date[1] if date else ""}" "PlotEngine {version}" "PlotEngine"'
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("plot*.1"):
        old.unlink()
    for name, text in pages([root["commandName"]], root, root, stamp):
        (folder / f"{name}.1").write_text(text, encoding="utf-8")


main()
