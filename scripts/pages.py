"""The parts of a Markdown page: its fenced blocks, its links and the anchors of its headings.

check_pages.py, package_pages.py and check_package_pages.py read pages with it; checks compare what they count with a page.
"""

from __future__ import annotations

import dataclasses
import re
import urllib.parse


class Fault(Exception):
    pass


def check_figures(page, *figures):
    """Throws a `Fault` where a page does not give these figures, which a check has counted."""
    text = " ".join(page.read_text(encoding="utf-8").split())
    missing = [figure for figure in figures if figure not in text]
    if missing:
        raise Fault(f"{page.name}: expected the words {', '.join(map(repr, missing))}")


@dataclasses.dataclass
class Block:
    line: int
    language: str
    name: str
    is_part: bool
    text: str
    output: str | None = None


def blocks(text):
    found, block, fence = [], None, ""
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        opening = re.match(r"^( *)(```+)([^`]*)$", line.rstrip("\n"))
        if block is None and opening:
            fence = opening[2]
            language, _, rest = opening[3].strip().partition(" ")
            name, _, part = rest.partition(" ")
            if part not in ("", "(part)"):
                raise Fault(f"line {number}: expected ```LANGUAGE, ```LANGUAGE FILE or ```LANGUAGE FILE (part), found {line.strip()!r}")
            block = Block(number, language, name, part == "(part)", "")
        elif block is not None and line.rstrip("\n").strip() == fence:
            found.append(block)
            block = None
        elif block is not None:
            block.text += line
    if block is not None:
        raise Fault(f"line {block.line}: a block that does not end")
    joined = []
    for block in found:
        if block.language == "output":
            if not joined or joined[-1].language not in ("sh", "python", "js") or joined[-1].name or joined[-1].output is not None:
                raise Fault(f"line {block.line}: an output without a program before it")
            joined[-1].output = block.text
        else:
            joined.append(block)
    return joined


@dataclasses.dataclass
class Link:
    line: int
    start: int  # of the whole link in the text, and its end
    end: int
    place: tuple[int, int]  # of the target in the text
    label: str | None  # None where the link is no [label](target)
    is_picture: bool
    target: str

    @property
    def is_external(self):
        return bool(re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|//", self.target))

    @property
    def path(self):
        return urllib.parse.unquote(self.target.partition("#")[0])

    @property
    def anchor(self):
        return urllib.parse.unquote(self.target.partition("#")[2])


INLINE = re.compile(r'(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(\s*(?:<([^<>\n]+)>|([^\s()<]+(?:\([^\s()]*\)[^\s()]*)*))(?:\s+"[^"]*")?\s*\)')
DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\]:[ \t]*<?([^\s>]+)", re.M)
ATTRIBUTE = re.compile(r"""<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)\s*=\s*["']([^"']+)["']""", re.I)


def links(text):
    """All links and pictures in order, also a picture inside of a link, definitions ([label]: target) and those of HTML."""
    prose = blanked(without_blocks(text), r"(?<!`)(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\1(?!`)|<!--.*?-->")
    found, position = [], 0
    while match := INLINE.search(prose, position):
        group = 3 if match[3] else 4
        found.append(link(text, match, group, text[slice(*match.span(2))], bool(match[1])))
        position = match.start() + 1 + len(match[1])
    for pattern in (DEFINITION, ATTRIBUTE):
        found += [link(text, match, 1, None, match[0].lower().startswith(("<img", "<source"))) for match in pattern.finditer(prose)]
    return sorted(found, key=lambda link: link.start)


def link(text, match, group, label, is_picture):
    return Link(text.count("\n", 0, match.start()) + 1, match.start(), match.end(), match.span(group), label, is_picture, match[group])


def without_blocks(text):
    """The text, every character of a fenced block a space."""
    lines, fence = [], ""
    for line in text.splitlines(keepends=True):
        opening = re.match(r"^ *(```+)[^`]*$", line.rstrip("\n"))
        inside = bool(fence or opening)
        if not fence:
            fence = opening[1] if opening else ""
        elif line.strip() == fence:
            fence = ""
        lines.append(re.sub(r"[^\n]", " ", line) if inside else line)
    return "".join(lines)


def blanked(text, pattern):
    """The text, every character of a match a space."""
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.S)


def anchors(text):
    """The names that GitHub gives to headings, and those that <a id="..."> gives."""
    prose = without_blocks(text)
    found = set(re.findall(r"""<a\s+(?:id|name)\s*=\s*["']([^"']+)["']""", prose))
    for heading in re.findall(r"^ {0,3}#{1,6} (.*)$", prose, flags=re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        count = 0
        while (unique := f"{name}-{count}" if count else name) in found:
            count += 1
        found.add(unique)
    return found


def dead_links(page, text, inside):
    """Says of each link whose target is missing, or is not in the folder `inside`, what is wrong with it."""
    page, inside = page.resolve(), inside.resolve()
    for link in links(text):
        if link.is_external:
            continue
        target = (page.parent / link.path).resolve() if link.path else page
        if link.path.startswith("/") or not target.exists():
            yield f"line {link.line}: a dead link: {link.target}"
        elif not target.is_relative_to(inside):
            yield f"line {link.line}: a link that leaves {inside.name}: {link.target}"
        elif link.anchor and target.suffix == ".md" and link.anchor not in anchors(target.read_text(encoding="utf-8")):
            yield f"line {link.line}: a dead link: {link.target} (the page has no such heading)"
