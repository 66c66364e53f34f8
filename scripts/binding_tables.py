#!/usr/bin/env python3
"""Writes what follows from include/plotengine.h alone: the tables of the bindings, the list of exported functions, the number of the ABI.

    scripts/binding_tables.py           says what is not as the header has it, and fails
    scripts/binding_tables.py --write   writes it
    scripts/binding_tables.py --self    checks that a change of the header is noticed in every file

The header is the one source: a new function is declared there, and everything in these files comes from it.
"""

import re

import generated
import plot_header

MADE = "Made from include/plotengine.h by scripts/binding_tables.py: do not edit."
# The name of a type in node:ffi; a text of the host's is a string, and with a length behind it a buffer.
NODE = {"void": "void", "int32_t": "int32", "int64_t": "int64", "uint32_t": "uint32", "uint64_t": "uint64", "size_t": "uint64", "double": "float64"}
SHORT = {"void": "'void'", "int32": "I32", "int64": "I64", "uint32": "U32", "uint64": "U64", "float64": "F64", "pointer": "P", "string": "S", "buffer": "B"}


def numbers(header):
    """{name: value} of the constants that are numbers."""
    found = {}
    for name, text in header.constants.items():
        if re.fullmatch(r"\d+[uU]?", text):
            found[name] = int(text.rstrip("uU"))
    return found


def python_table(header):
    lines = ["# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.", f'"""{MADE}"""', "", "# fmt: off", ""]
    lines += [f"ABI_VERSION = {header.abi}", '"""The ABI this table was written for. The library\'s may be newer: the ABI only grows."""', ""]

    def signature(result, parameters):
        kinds = ", ".join(f'"{parameter.type}"' for parameter in parameters)
        return f'("{result}", ({kinds}{"," if len(parameters) == 1 else ""}))'

    lines.append("CALLBACKS: dict[str, tuple[str, tuple[str, ...]]] = {")
    lines += [f'    "{name}": {signature(*callback)},' for name, callback in header.callbacks.items()]
    lines += ["}", '"""Every callback type: result, parameters."""', "", "FUNCTIONS: dict[str, tuple[str, tuple[str, ...]]] = {"]
    for function in header.functions.values():
        line = f'    "{function.name}": {signature(function.result, function.parameters)},'
        if len(line) > 120:
            kinds = [f'        "{parameter.type}",' for parameter in function.parameters]
            lines += [f'    "{function.name}": ("{function.result}", (', *packed(kinds), "    )),"]
        else:
            lines.append(line)
    lines += ["}", '"""Every function: result, parameters."""']
    return "\n".join(lines) + "\n"


def packed(items, width=120):
    """Items, as many on a line as fit."""
    lines, indent = [], " " * (len(items[0]) - len(items[0].lstrip()))
    for item in items:
        item = item.strip()
        if lines and len(lines[-1]) + 1 + len(item) <= width:
            lines[-1] += " " + item
        else:
            lines.append(indent + item)
    return lines


def pointer_type(spelling):
    """`pointer`, for what is one: a number that the table does not know would be read as an address."""
    assert "*" in spelling or spelling.endswith("_fn"), f"NODE lacks the type {spelling}"
    return "pointer"


def node_type(parameters, index):
    parameter = parameters[index]
    if parameter.type in NODE:
        return NODE[parameter.type]
    if parameter.type != "const char *":
        return pointer_type(parameter.type)
    following = parameters[index + 1] if index + 1 < len(parameters) else None
    return "buffer" if following and following.type == "size_t" and re.search(r"(^|_)length$", following.name) else "string"


def node_table(header):
    lines = ["'use strict';", f"// {MADE} `P` is a handle, an out-parameter, a callback or user data, `S` a text that goes in,"]
    lines += ["// `B` bytes that go in with their length. A text that comes out is a pointer.", "", "const P = 'pointer';", "const S = 'string';"]
    lines += ["const B = 'buffer';", "const I32 = 'int32';", "const I64 = 'int64';", "const U32 = 'uint32';", "const U64 = 'uint64';", "const F64 = 'float64';", ""]
    lines += ["const f = (result, ...args) => ({ return: result, arguments: args });", ""]

    def signature(result, parameters, given):
        kinds = [node_type(parameters, i) if given else NODE.get(p.type) or pointer_type(p.type) for i, p in enumerate(parameters)]
        return f"f({', '.join(SHORT[kind] for kind in (NODE.get(result) or pointer_type(result), *kinds))})"

    lines.append("const functions = {")
    lines += [f"  {each.name}: {signature(each.result, each.parameters, True)}," for each in header.functions.values()]
    lines += ["};", "", "const callbacks = {"]
    lines += [f"  {name}: {signature(*callback, False)}," for name, callback in header.callbacks.items()]
    lines += ["};", "", "/** Every `#define` that is a number. */", "const constants = {"]
    lines += [f"  {name}: {value}," for name, value in numbers(header).items()]
    lines += ["};", "", f"const ABI_VERSION = {header.abi};", "", "module.exports = { functions, callbacks, constants, ABI_VERSION };"]
    return "\n".join(lines) + "\n"


# The name of a type in Rust; a handle is a struct without fields.
RUST = {"void": "c_void", "int32_t": "i32", "int64_t": "i64", "uint32_t": "u32", "uint64_t": "u64", "size_t": "usize", "double": "f64", "char": "c_char"}


def rust_type(spelling):
    """`const char **` is a pointer that can be written through to one that cannot."""
    base, stars = re.fullmatch(r"((?:const )?\w+)((?: ?\*(?:const)?)*)", spelling.replace("*const *", "*const*").strip()).groups()
    is_const = base.startswith("const ")
    base = base.removeprefix("const ")
    found = RUST.get(base, base)
    for star in re.findall(r"\*(?:const)?", stars):
        found = f"*{'const' if is_const else 'mut'} {found}"
        is_const = star == "*const"
    return found


def rust_table(header):
    lines = [f"//! {MADE}", "//!", "//! The C library as it is. `include/plotengine.h` says what each function does, and who owns what.", ""]
    lines += ["use std::os::raw::{c_char, c_void};", "", "/// The ABI that this table was written for. The library's may be newer: the ABI only grows."]
    lines += [f"pub const ABI_VERSION: i32 = {header.abi};", ""]

    def signature(result, parameters):
        kinds = ", ".join(f"{p.name}: {rust_type(p.type)}" if p.name != "fn" else f"callback: {rust_type(p.type)}" for p in parameters)
        return f"({kinds})" + ("" if result == "void" else f" -> {rust_type(result)}")

    for name in header.opaque:
        lines += ["#[repr(C)]", f"pub struct {name} {{ _private: [u8; 0] }}"]
    for name, body in header.structs.items():
        fields = [re.fullmatch(r"(\w+) (\w+)", field.strip()).groups() for field in body.split(";") if field.strip()]
        lines += ["", "#[repr(C)]", f"#[derive(Clone, Copy, Debug, PartialEq{'' if 'double' in body else ', Eq'})]", f"pub struct {name} {{"]
        lines += [f"    pub {field}: {rust_type(kind)}," for kind, field in fields] + ["}"]
    lines.append("")
    lines += [f"pub type {name} = Option<unsafe extern \"C\" fn{signature(*callback)}>;" for name, callback in header.callbacks.items()]
    lines.append("")
    for name, text in header.constants.items():
        if text.startswith('"'):
            lines.append(f"pub const {name}: &str = {text};")
        elif re.fullmatch(r"-?\d+u?", text):
            lines.append(f"pub const {name}: {'u32' if text.endswith('u') else 'i64' if text.startswith('-') else 'i32'} = {text.rstrip('u')};")
    lines += ["", "extern \"C\" {"]
    lines += [f"    pub fn {each.name}{signature(each.result, each.parameters)};" for each in header.functions.values()]
    return "\n".join([*lines, "}"]) + "\n"


def swift_version(header):
    return f"// {MADE}\n\nextension Version {{\n  /// The ABI that this library has.\n  public static let abi: Int32 = {header.abi}\n}}\n"


def symbols(header):
    return "".join(f"{name}\n" for name in sorted(header.functions))


FILES = {
    "bindings/python/src/plotengine/_table.py": lambda header, _: python_table(header),
    "bindings/node/lib/table.js": lambda header, _: node_table(header),
    "bindings/rust/src/sys.rs": lambda header, _: rust_table(header),
    "Sources/PlotEngine/Version+ABI.swift": lambda header, _: swift_version(header),
    "scripts/exported-symbols.txt": lambda header, _: symbols(header),
}


def plants(header):
    """A function, a type, a callback, a number and the ABI, each changed in a copy of the header."""
    name, function = next((name, each) for name, each in header.functions.items() if len(each.parameters) > 1)
    changed = function._replace(parameters=(function.parameters[0]._replace(type="double"), *function.parameters[1:]))
    callback = next(iter(header.callbacks))
    return {
        "a new function": (header._replace(functions={**header.functions, "plot_zzz": function._replace(name="plot_zzz")}), 4),
        "a parameter of another type": (header._replace(functions={**header.functions, name: changed}), 3),
        "a callback of another result": (header._replace(callbacks={**header.callbacks, callback: ("double", header.callbacks[callback][1])}), 3),
        "another number": (header._replace(constants={**header.constants, "PLOT_CLOSED": "99"}), 2),
        "another ABI": (header._replace(abi=header.abi + 1), 4),
    }


if __name__ == "__main__":
    generated.main(__doc__, FILES, plot_header.read(), plants, lambda header: f"{len(header.functions)} functions, ABI {header.abi}")
