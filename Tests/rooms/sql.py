#!/usr/bin/env python3
"""No SQL is made of values: what Sources/PlotStore puts into the text of a statement are names and numbers of its own, listed here.

    Tests/rooms/sql.py           says what does not hold
    Tests/rooms/sql.py --self    sees that it finds what must not be there
"""

import re
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "Sources" / "PlotStore"
WORDS = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|REPLACE|PRAGMA|CREATE|ALTER|DROP|WHERE|VALUES|VACUUM)\b")

# Texts that may stand in \( ) within SQL, by file; each is a name or a number that the source itself has.
ALLOWED = {
    "Statement.swift": {"name", "fixed", "into", "$0", 'Array(repeating: "?", count: values).joined(separator: ", ")'},
    "OwnedTables.swift": {"table", "column", "most", "rest", "otherwise", "never", "keys", "$0", "Int64.max"},
    "Store.swift": {"applicationId", "Self.version"},
    "Database.swift": {"name"},
    # Names of our own tables and columns, and question marks.
    "Salvage.swift": {"table", "order", "keys", "values", "listed"},
    "Store+Image.swift": {"key", "table", 'key.joined(separator: ", ")', 'key.map { "\\($0) = ?" }.joined(separator: " AND ")', "$0"},
}  # fmt: skip


def literals(text):
    """String literals with the line each begins at."""
    at = 0
    while at < len(text):
        if text.startswith("//", at):
            at = text.find("\n", at) % (len(text) + 1)
        elif text[at] == '"':
            mark = '"""' if text.startswith('"""', at) else '"'
            start, at = at, at + len(mark)
            while not text.startswith(mark, at):
                if text.startswith("\\(", at):
                    at = closing(text, at + 1)
                else:
                    at += 2 if text[at] == "\\" else 1
            at += len(mark)
            yield text.count("\n", 0, start) + 1, text[start:at]
        else:
            at += 1


def closing(text, at):
    """Behind the bracket that closes the one at `at`; strings within may hold brackets."""
    depth = 0
    while True:
        if text[at] == '"':
            at = text.index('"', at + 1)
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            return at


def interpolations(literal):
    at = literal.find("\\(")
    while at >= 0:
        end = closing(literal, at + 1)
        yield literal[at + 2 : end - 1]
        at = literal.find("\\(", end)


def faults(name, text):
    for line, literal in literals(text):
        if not WORDS.search(literal):
            continue
        for part in interpolations(literal):
            if part not in ALLOWED.get(name, set()):
                yield f"{name}:{line}: \\({part}) in SQL"
    for match in re.finditer(r"sqlite3_(exec|prepare\w*|get_table|mprintf)\b", text):
        if name != "Database.swift":
            yield f"{name}: {match[0]} outside of Database.swift"
    for match in re.finditer(r"\.(?:execute|run)\(\s*([^\s,()]+)", text):
        first = match[1]
        if not first.startswith('"') and first not in {"sql", "statements", "rule.sql[0]", "Statement.setting.rule.sql[0]"}:
            yield f"{name}: a statement that is no literal: {first}"
    if re.search(r'"\s*\+\s*[a-z]\w*(\.\w+)*\s*\)', text) and name not in {"Store.swift", "LogFile.swift", "FileLength.swift", "Database.swift"}:
        for match in re.finditer(r'"([^"\n]*)"\s*\+\s*([a-z]\w*)', text):
            if WORDS.search(match[1]) and match[2] not in {"condition", "keys"}:
                yield f"{name}: SQL with {match[2]} behind it"


def main():
    if sys.argv[1:] == ["--self"]:
        spoilt = [
            'try database.run("DELETE FROM sent WHERE match = \'\\(match)\'")', 'try database.execute(text)',
            'try database.run("SELECT " + key)', "sqlite3_exec(a, b)",
        ]  # fmt: skip
        missed = [text for text in spoilt if not list(faults("Store+X.swift", text))]
        sys.exit(f"not found: {missed}" if missed else 0)
    files = sorted(SOURCES.glob("*.swift"))
    found = [fault for file in files for fault in faults(file.name, file.read_text())]
    used = {name for name in ALLOWED if not (SOURCES / name).is_file()}
    if not files or used:
        sys.exit(f"sources are missing: {sorted(used) or SOURCES}")
    for fault in found:
        print(fault, file=sys.stderr)
    if found:
        sys.exit(1)
    print(f"SQL of {len(files)} files: no values in it")


main()
