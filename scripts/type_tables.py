#!/usr/bin/env python3
"""Writes types of the documents that people write, a configuration and a feed, from their JSON Schemas: for TypeScript and for Python, so that an
editor completes keys, knows their values and shows what they mean. Conditions between keys are the schema's alone.

    scripts/type_tables.py           says what is not as the schemas have it, and fails
    scripts/type_tables.py --write   writes it
    scripts/type_tables.py --self    checks that a change of a schema is noticed in both files
"""

import json
import keyword
import textwrap

import generated

MADE = "Made from docs/schema by scripts/type_tables.py: do not edit."
# Document: the name of its type, and what the types of its parts begin with.
DOCUMENTS = {"plotconfig": ("PlotConfiguration", "Config"), "feed": ("CampaignFeed", "Feed"), "trip": ("TripPlan", "Trip")}
PLAIN = {"string": ("string", "str"), "integer": ("number", "int"), "number": ("number", "float"), "boolean": ("boolean", "bool"), "null": ("null", "None")}


class Types:
    """The types of one language. `of` gives the expression for a schema; an object of a document's own gets a name."""

    def __init__(self, prefix, language):
        self.prefix, self.language, self.made, self.meanings = prefix, language, {}, {}
        self.page = {"Config": "docs/plotconfig.md", "Feed": "docs/feed.md", "Trip": "docs/trips.md"}[prefix]

    def name(self, ref):
        word = ref.split("/")[-1]
        return self.prefix + word[0].upper() + word[1:]

    def of(self, schema, name):
        if schema is True or schema == {}:
            return self.any()
        if "$ref" in schema:
            return self.reference(self.name(schema["$ref"]))
        if "const" in schema:
            return self.literal([schema["const"]])
        if "enum" in schema:
            return self.literal(schema["enum"])
        for several in ("anyOf", "oneOf"):
            if several in schema and not schema.get("properties"):
                parts = [self.of({**{k: v for k, v in schema.items() if k in ("type",)}, **part}, f"{name}{number + 1}")
                         for number, part in enumerate(schema[several])]
                return self.union(parts)
        kind = schema.get("type")
        if isinstance(kind, list):
            return self.union([self.of({**schema, "type": each}, name) for each in kind])
        if kind == "array" or "items" in schema or "prefixItems" in schema:
            if "prefixItems" in schema:
                return self.tuple([self.of(each, f"{name}{number + 1}") for number, each in enumerate(schema["prefixItems"])])
            return self.array(self.of(schema.get("items", True), name.removesuffix("s")))
        if kind == "object" or "properties" in schema:
            if schema.get("properties"):
                self.made[name] = None  # its place is before those of its parts
                self.meanings[name] = schema.get("description", "")
                self.made[name] = self.object(name, schema)
                return self.reference(name)
            inner = schema.get("additionalProperties", True)
            return self.map(self.of(inner if inner is not False else True, name))
        return PLAIN[kind][self.language] if kind in PLAIN else self.any()

    def parts(self, name, schema):
        """(key, type, whether it must be there, description) of an object."""
        for key, value in schema["properties"].items():
            if value is False:
                continue
            inner = name + "".join(part[:1].upper() + part[1:] for part in key.replace(".", "-").split("-"))
            meaning = value.get("description", "") if isinstance(value, dict) else ""
            assert meaning, f"without a description in the schema: {name}.{key}"
            yield key, self.of(value, inner), key in schema.get("required", ()), meaning

    def document(self, schema, name):
        for part, each in schema.get("$defs", {}).items():
            own = self.name(part)
            made = self.of(each, own)
            self.meanings[own] = each.get("description", "")
            if own not in self.made:
                self.made[own] = self.alias(own, made)
        self.of(schema, name)
        nameless = [each for each in self.made if not self.meanings[each]]
        assert not nameless, f"without a description in the schema: {nameless}"
        return self.made


def unique(parts):
    return list(dict.fromkeys(parts))


class TypeScript(Types):
    def __init__(self, prefix):
        super().__init__(prefix, 0)

    any = staticmethod(lambda: "unknown")
    reference = staticmethod(lambda name: name)
    literal = staticmethod(lambda values: " | ".join(f"'{each}'" if isinstance(each, str) else json.dumps(each) for each in values))
    union = staticmethod(lambda parts: " | ".join(unique(parts)))
    map = staticmethod(lambda inner: f"{{ readonly [key: string]: {inner} }}")
    tuple = staticmethod(lambda parts: f"readonly [{', '.join(parts)}]")
    alias = staticmethod(lambda name, made: [f"export type {name} = {made};"])

    def array(self, inner):
        return f"readonly ({inner})[]" if " | " in inner or inner.startswith("readonly") else f"readonly {inner}[]"

    def object(self, name, schema):
        lines = [f"export interface {name} {{"]
        for key, kind, is_required, text in self.parts(name, schema):
            lines += comment(text, "  ")
            lines.append(f"  {key if key.isidentifier() else json.dumps(key)}{'' if is_required else '?'}: {kind};")
        if "^x-" in schema.get("patternProperties", {}):
            lines += ["  /** Your own keys. */", "  [key: `x-${string}`]: unknown;"]
        elif schema.get("additionalProperties", True) is not False:
            lines.append("  [key: string]: unknown;")
        return [*lines, "}"]


def comment(text, indent):
    """A comment of one line, or of several."""
    text = text.replace("*/", "* /")
    if len(indent) + len(text) + 7 <= 120:
        return [f"{indent}/** {text} */"]
    return [f"{indent}/**", *(f"{indent} * {line}" for line in textwrap.wrap(text, 115, break_long_words=False)), f"{indent} */"]


class Python(Types):
    def __init__(self, prefix):
        super().__init__(prefix, 1)

    any = staticmethod(lambda: "Any")
    reference = staticmethod(lambda name: f'"{name}"')
    union = staticmethod(lambda parts: parts[0] if len(unique(parts)) == 1 else f"Union[{', '.join(unique(parts))}]")
    array = staticmethod(lambda inner: f"Sequence[{inner}]")
    map = staticmethod(lambda inner: f"Mapping[str, {inner}]")
    tuple = staticmethod(lambda parts: f"Sequence[{parts[0] if len(set(parts)) == 1 else 'Any'}]")

    def about(self, name, indent):
        """A comment of a type, with its page."""
        return quoted(f"{self.meanings[name].rstrip('.')} ({self.page}).", indent)

    def alias(self, name, made):
        about = self.about(name, "")
        if len(name) + len(made) + 3 <= 120 or not made.startswith("Union["):
            return [f"{name} = {made}", *about]
        return [f"{name} = Union[", *(f"    {part}," for part in made[len("Union["):-1].split(", ")), "]", *about]

    def literal(self, values):
        return f"Literal[{', '.join(json.dumps(each) if isinstance(each, str) else repr(each) for each in values)}]"

    def object(self, name, schema):
        parts = list(self.parts(name, schema))
        if any(keyword.iskeyword(key) or not key.isidentifier() for key, *_ in parts):
            fields = [line for key, kind, _, text in parts for line in (*hashed(text, "        "), f'        "{key}": {kind},')]
            return [f"{name} = TypedDict(", f'    "{name}",', "    {", *fields, "    },", "    total=False,", ")", *self.about(name, "")]
        must = [part for part in parts if part[2]]
        lines = []
        about = self.about(name, "    ")
        if must and len(must) < len(parts):
            lines = [f"class _{name}(TypedDict):", *about, "", *fields_of(must), "", ""]
        base = f"_{name}, total=False" if lines else "TypedDict" if must else "TypedDict, total=False"
        return [*lines, f"class {name}({base}):", *about, "", *fields_of([part for part in parts if not (lines and part[2])])]


def fields_of(parts):
    lines = []
    for key, kind, _, text in parts:
        line = f"    {key}: {kind}"
        if len(line) > 120 and kind.startswith("Literal["):
            lines += [f"    {key}: Literal[", *(f"        {word}," for word in kind[len("Literal["):-1].split(", ")), "    ]"]
        else:
            lines.append(line)
        lines += quoted(text, "    ")
    return lines


def hashed(text, indent):
    """A comment of Python where there can be no text behind what it is about."""
    return [f"{indent}# {line}" for line in textwrap.wrap(text, 106, break_long_words=False)]


def quoted(text, indent):
    """A comment of Python, of one line or of several."""
    text = text.replace("\\", "\\\\").replace('"', "'")
    wrapped = textwrap.wrap(text, 106, break_long_words=False)
    return [f'{indent}"""{wrapped[0]}"""'] if len(wrapped) == 1 else [f'{indent}"""' + wrapped[0], *(f"{indent}{line}" for line in wrapped[1:]), f'{indent}"""']


def typescript(schemas, _):
    lines = [f"// {MADE}", ""]
    for document, (name, prefix) in DOCUMENTS.items():
        types = TypeScript(prefix)
        made = types.document(schemas[document], name)
        for each, body in made.items():
            lines += [*comment(types.meanings[each], ""), *body, ""]
    return "\n".join(lines)


def python(schemas, _):
    lines = ["# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.",
             '"""The documents that people write, a configuration and a feed, as types for editors and type checkers.', "",
             "    from plotengine.documents import CampaignFeed", "",
             '    feed: CampaignFeed = {"version": 1, "regions": [], "campaigns": []}', "", f'{MADE}', '"""', "", "# fmt: off", "",
             "from collections.abc import Mapping, Sequence", "from typing import Any, Literal, TypedDict, Union", ""]
    for document, (name, prefix) in DOCUMENTS.items():
        made = Python(prefix).document(schemas[document], name)
        # An alias needs what it names before it.
        for body in sorted(made.values(), key=lambda body: " = " in body[0] and "TypedDict(" not in body[0]):
            lines += ["", *body, ""]
    return "\n".join(lines).rstrip() + "\n"


FILES = {"bindings/node/documents.d.ts": typescript, "bindings/python/src/plotengine/documents.py": python}


def read():
    return {name: json.loads((generated.ROOT / f"docs/schema/{name}.schema.json").read_text(encoding="utf-8")) for name in DOCUMENTS}


def plants(schemas):
    return {
        "a new key": (generated.planted(schemas, lambda s: s["plotconfig"]["properties"].update(zzz={"type": "boolean", "description": "Zzz."})), 2),
        "another meaning of a type": (generated.planted(schemas, lambda s: s["feed"]["$defs"]["spans"].update(description="Zzz.")), 2),
        "another word": (generated.planted(schemas, lambda s: s["feed"]["$defs"]["region"]["properties"]["type"]["enum"].append("zzz")), 2),
    }


if __name__ == "__main__":
    generated.main(__doc__, FILES, read(), plants, lambda schemas: f"{len(schemas)} documents")
