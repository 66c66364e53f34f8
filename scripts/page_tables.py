"""The tables of the pages, and what their cells say: for scripts that compare a page with something, or make something of it."""

import json
import re


class Absent:
    def __repr__(self):
        return "nothing"


ABSENT = Absent()


def code(cell):
    """The words between backticks."""
    return re.findall(r"`([^`]*)`", cell)


def tables(text):
    """The tables of a page: [(heading above, column names, rows of cells)]."""
    found, heading, columns = [], "", None
    for line in text.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ").strip()
        if not line.startswith("|"):
            columns = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if columns is None:
            columns = cells
            found.append((heading, columns, []))
        elif not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            found[-1][2].append(cells)
    return found


NUMBER = r"(-?\d[\d,]*\d|-?\d)"


def number(text):
    return int(text.replace(",", ""))


def bounds_in_words(kind, text):
    """The range in a sentence about a value of this kind, as JSON Schema keywords."""
    text = re.sub(r"\([^)]*\)", "", text)
    bounds = {}
    low, high = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}.get(
        kind, ("minimum", "maximum")
    )
    if match := re.search(rf"{NUMBER} to {NUMBER}", text):
        bounds[low], bounds[high] = number(match[1]), number(match[2])
    if match := re.search(rf"\babove {NUMBER}(?=[,;.]|$)", text):
        bounds["exclusiveMinimum"] = number(match[1])
    if match := re.search(rf"\bat most {NUMBER}", text):
        bounds[high] = number(match[1])
    if match := re.search(rf"\bexactly {NUMBER}", text):
        bounds[low] = bounds[high] = number(match[1])
    if kind == "string" and "not empty" in text:
        bounds["minLength"] = 1
    if kind == "array" and "at least one" in text:
        bounds["minItems"] = 1
    if kind == "array" and "none twice" in text:
        bounds["uniqueItems"] = True
    # A number that only has an upper bound counts from 0.
    if "maximum" in bounds and not bounds.keys() & {"minimum", "exclusiveMinimum"}:
        bounds["minimum"] = 0
    return bounds


def type_in_words(cell):
    """("string" | "integer" | ... , enumeration or None)."""
    words = code(cell)
    if words and all(word.startswith('"') for word in words):
        return "string", [json.loads(word) for word in words]
    return {"array": "array", "object": "object"}.get(cell.split(" ")[0], cell), None


def default_in_words(cell):
    text = (code(cell) or [cell])[0]
    try:
        return json.loads(text)
    except ValueError:
        return ABSENT
