#!/usr/bin/env python3
"""Checks how the pages are written: words that are spelled right, plain ones, sentences of at most 35 words, lines of at most 120 columns,
of 100 in the C header, which people read in a terminal.

    scripts/prose.py           all pages; `make lint` runs it in the environment of scripts/site-requirements.txt
    scripts/prose.py --self    checks that each kind of fault is noticed
    scripts/prose.py --figures    for each page: words in a sentence, on average and at most, and abbreviations

Abbreviations stand in docs/glossary.md, and each of its entries on a page.

Code, tables, headings and links are no prose; tables may have longer lines.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from pages import without_blocks

ROOT = Path(__file__).resolve().parents[1]
PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "docs/*.md", "demo/README.md", "demo/*/README.md"]
WORDS, COLUMNS = 35, 120
HEADER, HEADER_COLUMNS = "include/plotengine.h", 100
# Words of ours that a list of slips has: keys of documents, and the fault of an example.
OURS = "atleast,atmost,threadin,inforce,inout,acuracy"
GLOSSARY = "docs/glossary.md"
# Words in capitals that are names or values, and no abbreviations.
NAMES = {"AMD", "BY", "CC", "CHANGELOG", "CONTRIBUTING", "EPYC", "EUC", "FULL", "GET", "GL", "HA", "JP", "JS", "KEY", "LICENSE", "LISTEN", "PLOTFEED", "POST", "README", "RN",
         "SECURITY", "TEXT", "TPX", "US", "VERSIONS", "ZEGO"}  # fmt: skip
# Of proselint those that are about plain words; typography is the house style's, and repeated words are found in tables, too.
CHECKS = ["archaism", "cliches", "corporate_speak", "hedging", "hyperbole", "industrial_language", "malapropisms", "misc", "mixed_metaphors", "mondegreens", "nonwords",
          "oxymorons", "psychology", "skunked_terms", "spelling", "uncomparables", "weasel_words"]  # fmt: skip


def pages():
    return sorted({path for pattern in PAGES for path in ROOT.glob(pattern)})


def without_code(text):
    """The same lines, without what is in fences and between back quotes."""
    text = re.sub(r"(?m)^    .*$", "", without_blocks(text))
    return re.sub(r"`[^`]*`", "x", text)


def sentences(text):
    """Each sentence with the number of its words."""
    for block in re.split(r"\n\s*\n|\n(?=\s*[-*|#<]|\d+\. )", without_code(text)):
        if block.lstrip().startswith(("|", "#", "<")):
            continue
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", block)
        for sentence in re.split(r"(?<=[.!?:;])[)*]*\s+", " ".join(plain.split())):
            if sentence:
                yield len(sentence.split()), sentence


def long_lines(text):
    for number, line in enumerate(without_blocks(text).splitlines(), 1):
        if len(line.rstrip()) > COLUMNS and not line.lstrip().startswith("|") and not line.startswith("    "):
            yield number, len(line.rstrip())


def wide_header(text):
    return [f"{HEADER}:{number}: {len(line)} columns, at most {HEADER_COLUMNS}" for number, line in enumerate(text.splitlines(), 1) if len(line) > HEADER_COLUMNS]


def faults(name, text):
    found = [f"{name}: a sentence of {count} words, at most {WORDS}: {sentence[:60]}…" for count, sentence in sentences(text) if count > WORDS]
    return found + [f"{name}:{number}: {length} columns, at most {COLUMNS}" for number, length in long_lines(text)]


def abbreviations(text):
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", without_code(text))
    # Not a part of a path, and no number.
    return {word for word in re.findall(r"(?<![\w./])[A-Z][A-Z0-9]*[A-Z0-9](?!\w)", plain) if not re.search(r"\d{3}", word)} - NAMES


def entries(glossary, heading):
    """The first column of a table of the glossary, with the rest of its row."""
    part = re.search(rf"(?ms)^## {heading}\n(.*?)(?=^## |\Z)", glossary)[1]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("| ")][1:]
    return {word: cells for word, *cells in rows}


def unexplained(texts):
    """Abbreviations that the glossary lacks, and entries of it that no page has."""
    glossary = texts[GLOSSARY]
    short, words = entries(glossary, "Abbreviations"), entries(glossary, "Words")
    others = {name: text for name, text in texts.items() if name != GLOSSARY}
    found = [f"{name}: {word} is not in {GLOSSARY}" for name, text in others.items() for word in sorted(abbreviations(text) - set(short))]
    used = set().union(*map(abbreviations, others.values()))
    found += [f"{GLOSSARY}: {word} is on no page" for word in short if word not in used]
    everything = "\n".join(others.values()).lower()
    return found + [f"{GLOSSARY}: {word} is on no page" for word in words if re.sub(r" \(.*", "", word).lower() not in everything]


def tool(name):
    return str(Path(sys.executable).parent / name)


def spelling(files):
    done = subprocess.run([tool("codespell"), "--ignore-words-list", OURS, *map(str, files)], capture_output=True, text=True)
    return done.stdout.splitlines()


def plain_words(texts):
    """proselint on pages without their code."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "config.json").write_text(json.dumps({"max_errors": 1000, "checks": {check: True for check in CHECKS} | {
            "typography": False, "lexical_illusions": False, "redundancy": False, "dates_times": False, "misc.illogic": False}}))  # fmt: skip
        names = {}
        for name, text in texts.items():
            file = place / (name.replace("/", "-"))
            file.write_text(without_code(text), encoding="utf-8")
            names[str(file)] = name
        done = subprocess.run([tool("proselint"), "check", "--config", str(place / "config.json"), *names], capture_output=True, text=True)
        lines = [line for line in done.stdout.splitlines() if ": " in line]
        wanted = [line for line in lines if re.search(r": (" + "|".join(CHECKS) + r")[.:]", line)]
        return [line.replace(file, name) for line in wanted for file, name in names.items() if line.startswith(file + ":") and "misc.illogic" not in line]


def check_self():
    long = "\n".join(["word"] * 36) + "."
    assert faults("x", long) and not faults("x", long[5:]), "sentences"
    assert faults("x", "a" * 121) and not faults("x", "| " + "a" * 200) and not faults("x", "```\n" + "a" * 200 + "\n```"), "lines"
    assert wide_header("a" * 101) and not wide_header("a" * 100), "the header"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "x.md"
        file.write_text("It was recieved.\n")
        assert spelling([file]), "spelling"
    assert plain_words({"x.md": "It was there for ever.\n"}) and not plain_words({"x.md": "It was there.\n"}), "plain words"
    page = "## Words\n| word | meaning |\n|---|---|\n| visit | a stay |\n\n## Abbreviations\n| short | in full |\n|---|---|\n| ABI | calls |\n"
    texts = {GLOSSARY: page, "x": "A visit by the ABI."}
    assert not unexplained(texts) and len(unexplained(texts | {"y": "A CRC."})) == 1 and len(unexplained(texts | {"x": "None."})) == 2, "the glossary"
    print("prose: 6 planted faults were noticed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--self", action="store_true", dest="own")
    parser.add_argument("--figures", action="store_true")
    given = parser.parse_args()
    if given.own:
        return check_self()
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in pages()}
    if given.figures:
        known = set(entries(texts[GLOSSARY], "Abbreviations"))
        for name, text in texts.items():
            counts = [count for count, _ in sentences(text)] or [0]
            short = abbreviations(text)
            print(f"{name:40} {sum(counts) / len(counts):5.1f} words a sentence, {max(counts):3} at most, {len(counts):4} sentences, {len(short):2} abbreviations, "
                  f"{len(short - known)} not in the glossary")  # fmt: skip
        return None
    found = [fault for name, text in texts.items() for fault in faults(name, text)] + wide_header((ROOT / HEADER).read_text(encoding="utf-8")) + unexplained(texts) + spelling(pages()) + plain_words(texts)
    for fault in found:
        print(f"prose: {fault}", file=sys.stderr)
    if found:
        sys.exit(1)
    print(f"prose: {len(texts)} pages")
    return None


if __name__ == "__main__":
    main()
