"""The declarations of include/plotengine.h, for the checks that must know all of it: functions, callbacks, types, numbers.

    python3 scripts/plot_header.py [HEADER]     says how much of each was found

Anything between the declarations that is not understood is a fault, so that nothing can be overlooked.
"""

import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "include" / "plotengine.h"


# Whether a pointer may be NULL.
MARK = re.compile(r"\bPLOT_(NULLABLE|NONNULL)\b")


class Fault(Exception):
    """The header is not as it should be."""


class Parameter(NamedTuple):
    type: str  # with one space before the stars: "const char *"
    name: str
    is_nullable: bool = False  # PLOT_NULLABLE

    @property
    def is_pointer(self):
        return "*" in self.type or self.type.endswith("_fn")


class Function(NamedTuple):
    name: str
    result: str
    parameters: tuple
    since: int  # the ABI that brought it
    gives_null: bool = False  # its result may be NULL


class Header(NamedTuple):
    functions: dict  # name: Function, in the order of the header
    callbacks: dict  # name of the type: (result, parameters), plot_destroy_fn among them
    opaque: tuple  # types that are only named
    structs: dict  # name: the text of its body
    constants: dict  # name: its value as text, without parentheses
    abi: int


def spelled(text):
    """A type, spelled in one way."""
    text = re.sub(r"\s*\*\s*", "*", re.sub(r"\s+", " ", text.strip()))
    match = re.fullmatch(r"([\w ]+?)((?:\*(?: ?const\b ?)?)*)", text)
    if not match:
        raise Fault(f"this is no type: {text!r}")
    base, stars = match[1].strip(), match[2].strip()
    # `plot_engine *const *` has a const between its stars.
    return base + (" " + stars.replace("*const*", "*const *") if stars else "")


def parameters(text, is_marked):
    if text.strip() in ("", "void"):
        return ()
    found = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(.*?[\s*])(\w+)\s*", part, re.S)
        if not match:
            raise Fault(f"this is no parameter: {part.strip()!r}")
        marks = set(MARK.findall(match[1]))
        parameter = Parameter(spelled(MARK.sub("", match[1])), match[2], "NULLABLE" in marks)
        if marks and not parameter.is_pointer or len(marks) > 1:
            raise Fault(f"this is no pointer, or has two marks: {part.strip()!r}")
        # Where clang assumes nothing, it has to stand there.
        if is_marked and not marks and parameter.type.count("*") > 1:
            raise Fault(f"PLOT_NULLABLE or PLOT_NONNULL is missing: {part.strip()!r}")
        found.append(parameter)
    return tuple(found)


def read(path=HEADER):
    """The header at `path`, whole."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    version = re.search(r"The version of this ABI: (\d+)\.", text)
    if not version:
        raise Fault(f"{path}: does not say which version of the ABI it is")
    since = numbers_since(text)
    is_marked = "PLOT_NULLABLE" in text  # the first headers say nothing of it
    code = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    constants = {}
    for name, value in re.findall(r"^#define (PLOT_\w+)[ \t]+(.+?)[ \t]*$", code, re.M):
        if not MARK.fullmatch(name):
            constants[name] = re.sub(r"^\((.*)\)$", r"\1", value)
    code = re.sub(r"^#.*$", "", code, flags=re.M)
    code = re.sub(r'extern "C" \{|^\}$', "", code, flags=re.M)
    functions, callbacks, opaque, structs = {}, {}, [], {}

    def struct(match):
        structs[match[2]] = re.sub(r"\s+", " ", match[1]).strip()
        return ""

    code = re.sub(r"typedef struct \w+ \{([^}]*)\} (\w+);", struct, code)
    for declaration in code.split(";"):
        declaration = re.sub(r"\s+", " ", declaration).strip()
        if not declaration:
            continue
        if match := re.fullmatch(r"typedef struct (\w+) (\w+)", declaration):
            opaque.append(match[2])
        elif match := re.fullmatch(r"typedef (.+?) ?\(\*(\w+_fn)\)\((.*)\)", declaration):
            callbacks[match[2]] = (spelled(match[1]), parameters(match[3], is_marked))
        elif match := re.fullmatch(r"([\w ]+? \**)(PLOT_NULLABLE )?(plot_\w+)\((.*)\)", declaration):
            name = match[3]
            if name in functions:
                raise Fault(f"{path}: {name} is declared twice")
            functions[name] = Function(name, spelled(match[1]), parameters(match[4], is_marked), since.get(name, 0), bool(match[2]))
        else:
            raise Fault(f"{path}: this declaration is not understood: {declaration}")
    if not functions or not callbacks or not opaque or not constants:
        raise Fault(f"{path}: no functions, callbacks, types or numbers were found")
    return Header(functions, callbacks, tuple(opaque), structs, constants, int(version[1]))


def numbers_since(text):
    """{function: the ABI that brought it}: what the comment right above says, or that above the functions it stands with, or the heading
    of its part."""
    found, part, comment = {}, 0, 0
    for token in re.finditer(r"/\*.*?\*/|^[^\n/#]*?\b(plot_\w+)\(|\n\s*?\n", text, re.M | re.S):
        said = re.findall(r"\bSince (\d+)\b", token[0]) if token[0].startswith("/*") else []
        if token[0].startswith("/* ----"):
            part, comment = (int(said[-1]) if said else 0), 0
        elif token[0].startswith("/*"):
            comment = int(said[-1]) if said else 0
        elif token[1] is None:
            comment = 0
        elif "typedef" not in token[0]:
            found.setdefault(token[1], comment or part)
    return found


def stub(header, include="plotengine.h"):
    """A C file that defines every function of the header, with nothing in it."""
    lines = [f'#include "{include}"']
    for function in header.functions.values():
        declared = ", ".join(f"{p.type}{'' if p.type.endswith('*') else ' '}{p.name}" for p in function.parameters) or "void"
        space = "" if function.result.endswith("*") else " "
        body = "" if function.result == "void" else " return 0; "
        unused = "".join(f" (void){p.name};" for p in function.parameters)
        lines.append(f"{function.result}{space}{function.name}({declared}) {{{unused}{body}}}")
    return "\n".join(lines) + "\n"


def exported(library):
    """The names of plot_ that a library gives."""
    listing = subprocess.run(["nm", "-D", "--defined-only", "--extern-only", str(library)], check=True, capture_output=True, text=True)
    return {fields[2] for line in listing.stdout.splitlines() if len(fields := line.split()) == 3 and fields[1] == "T"}


if __name__ == "__main__":
    found = read(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HEADER)
    print(
        f"ABI {found.abi}: {len(found.functions)} functions, {len(found.callbacks)} callbacks, {len(found.opaque)} opaque types, "
        f"{len(found.structs)} structs, {len(found.constants)} constants"
    )
