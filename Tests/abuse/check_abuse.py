#!/usr/bin/env python3
"""Every function of the header as it should not be called: Tests/abuse/table.json says what must come of it.

    Tests/abuse/check_abuse.py [--only FUNCTION] [--keep FOLDER] [--library FOLDER [--flags FLAGS]]
    Tests/abuse/check_abuse.py --headers FOLDER     only writes calls.h and kinds.h, for the fuzz target `numbers`

For each function: NULL for each pointer, bytes that are not UTF-8 for each text, an engine that is not initialized or is closed, each
kind of wrong token, each extreme number for each count, index, length, time, value and column of numbers, a time in seconds, a named pipe and other things that are no plain files
for each path, and the call from inside each callback; each of them with and without an error to be written. The header says which pointers may
be NULL. What most functions have in common stands once, under "defaults"; a function that differs in nothing needs no entry. The table is complete
by construction: a function, a pointer, a text, a number, a path or a token of the header that it lacks is a fault, and so is an entry too many. A C program is
made of both, compiled, and run three times: as it is, in a locale with a decimal comma, and with the address sanitizer where the compiler
has it. It must write nothing to standard output or error. With --library it runs once, each case once, with the library of that folder and these
flags for the compiler (Tests/sanitize/run.sh).
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import call_tables  # noqa: E402
import pages  # noqa: E402
import plot_header  # noqa: E402

ROOT = plot_header.ROOT
PLACE = ROOT / "Tests" / "abuse"
LIBRARY = ROOT / "build" / "lib"
STATES = ("fresh", "running", "closed")
TOKENS = {
    "never given": "NO_BATCH",
    "zero": "0",
    "the greatest": "UINT64_MAX",
    "of an open batch of notifications": "w->filter_token",
    "of an open batch of geotriggers": "w->geotrigger_token",
    "of an answered batch of notifications": "w->answered",
    "of a handled batch of geotriggers": "w->handled",
    "of an open test": "w->test",
    "of an answered test": "w->test_answered",
    "of no test": "NO_TEST",
}
# The extreme numbers of each type of the header. A number has as many results in the table, or one for all of them.
UNSIGNED = {"0": "0", "1": "1", "2^31": "UINT64_C(1) << 31", "2^32": "UINT64_C(1) << 32", "2^63": "UINT64_C(1) << 63", "2^64-1": "UINT64_MAX"}
SIGNED = {"INT64_MIN": "(uint64_t)INT64_MIN", "-1": "UINT64_MAX", "0": "0", "1": "1", "2^31": "UINT64_C(1) << 31", "2^32": "UINT64_C(1) << 32", "INT64_MAX": "INT64_MAX"}
EXTREMES = {
    "size_t": UNSIGNED,
    "uint64_t": UNSIGNED,
    "int64_t": SIGNED,
    "int32_t": {"INT32_MIN": "(uint32_t)INT32_MIN", "-1": "UINT32_MAX", "0": "0", "1": "1", "INT32_MAX": "INT32_MAX"},
    "double": {"-INFINITY": "-INFINITY", "-1e300": "-1e300", "-1": "-1", "0": "0", "1": "1", "1e300": "1e300", "INFINITY": "INFINITY", "NAN": "NAN"},
}
COLUMNS = {
    "const int64_t *": {name: f"(int64_t)({bits})" for name, bits in SIGNED.items()},
    "const uint32_t *": {"0": "0", "1": "1", "2^31": "UINT32_C(1) << 31", "2^32-1": "UINT32_MAX"},
    "const double *": EXTREMES["double"],
}
# Things that a path may lead to in place of a plain file; the call must neither wait for it nor read it.
FILES = {"a named pipe": '"pipe"', "a socket": '"socket"', "a directory": '"."', "a device": '"/dev/zero"'}
# The result of a NULL that the header does not allow.
REFUSED = "PLOT_INVALID_ARGUMENT"
KEYS = {"call", "in", "within", "gives", "states", "null", "utf8", "token", "extreme", "file", "inside", "fallback", "names", "more"}
POISON = {"int32_t": "77", "int64_t": "77", "uint64_t": "77", "double": "77", "const char *": '"poison"'}
FALLBACK = {"int32_t": "0", "int64_t": "0", "uint64_t": "0", "double": "0", "const char *": '""'}


class Faults(Exception):
    pass


def is_text(parameter):
    return parameter.type == "const char *"


def is_path(parameter):
    return is_text(parameter) and parameter.name in ("path", "store_path")


def extremes(parameter):
    """The extreme numbers of a parameter: {what: in C}; none for one that is no number, and no column of numbers."""
    return EXTREMES.get(parameter.type) or COLUMNS.get(parameter.type, {})


def role(function, index):
    """Which numbers may be given at random without lying to the library (enum role of abuse.c)."""
    parameter = function.parameters[index]
    if parameter.type != "size_t":
        return "FREE"
    if index and is_text(function.parameters[index - 1]) and parameter.name.endswith("length"):
        return "LENGTH"
    if any(p.type in COLUMNS or p.name == "ends" for p in function.parameters):
        return {"count": "COUNT", "engine_count": "ENGINES"}[parameter.name]
    return "FREE"


def is_out(parameter):
    """Written by the call: `plot_list **out`, `int64_t *out`; not the error, which is one of its own."""
    if parameter.name == "ends":  # an array of the caller's
        return False
    if parameter.type in ("int32_t *", "int64_t *", "uint64_t *", "double *", "const char **"):
        return True
    return parameter.type.endswith(" **") and parameter.type != "plot_error **"


def pointed(parameter):
    kind = parameter.type[:-1].strip()
    return kind if not kind.endswith("*") else kind[:-1].strip() + " *"


def handed_over(call):
    """The entry of a call that bindings only hand over (docs/calls.json)."""
    given, extreme = {}, {}
    for each in call["arguments"]:
        if each["type"] == "text":
            given[each["name"]] = json.dumps(each["example"])
            continue
        given[each["name"]] = str(int(each["example"]))
        extreme[each["name"]] = "0 or 1"
        if each["type"] == "integer":
            least, most = each["range"]
            values = [-(2**63), -1, 0, 1, 2**31, 2**32, 2**63 - 1]
            extreme[each["name"]] = ["PLOT_OK" if least <= value <= most else "PLOT_INVALID_ARGUMENT" for value in values]
    return {"call": given, "extreme": extreme}


def filled(table, header):
    """The table with its defaults, and an entry for each function of the header."""
    defaults, functions = table["defaults"], {}
    simple = {call_tables.function(call): handed_over(call) for call in call_tables.read()["calls"]}
    for name in {**header.functions, **table["functions"]}:
        entry = dict(table["functions"].get(name) or simple.get(name, {}))
        functions[name] = entry
        if name not in header.functions:
            continue
        function = header.functions[name]
        of = {
            "call": function.parameters,
            "null": [p for p in function.parameters if p.is_nullable],
            "utf8": [p for p in function.parameters if is_text(p)],
            "extreme": [p for p in function.parameters if extremes(p)],
            "file": [p for p in function.parameters if is_path(p)],
        }
        for part, parameters in of.items():
            given = defaults[part] if isinstance(defaults[part], dict) else dict.fromkeys((p.name for p in parameters), defaults[part])
            entry[part] = {**{p.name: given[p.name] for p in parameters if p.name in given}, **entry.get(part, {})}
        # In the order of the parameters.
        entry["call"] = {p.name: entry["call"][p.name] for p in function.parameters if p.name in entry["call"]} | entry["call"]
        takes_engine = any(p.type in ("plot_engine *", "plot_engine *const *") for p in function.parameters)
        if takes_engine:
            entry.setdefault("states", defaults["states"])
        elif function.result == "int32_t":
            entry.setdefault("gives", defaults["gives"])
    return {**table, "functions": functions}


def compare(table, header):
    """Rows that the table lacks, and rows that it has too many."""
    faults = []

    def same(where, found, wanted):
        found, wanted = set(found), set(wanted)
        if missing := sorted(wanted - found):
            faults.append(f"{where}: lacks {', '.join(missing)}")
        if extra := sorted(found - wanted):
            faults.append(f"{where}: has {', '.join(extra)} too many")

    same("table.json, callbacks", table["callbacks"], header.callbacks)
    same("table.json, functions", table["functions"], header.functions)
    for name, entry in table["functions"].items():
        function = header.functions.get(name)
        if function is None:
            continue
        if unknown := set(entry) - KEYS:
            faults.append(f"{name}: unknown keys: {', '.join(sorted(unknown))}")
        names = [parameter.name for parameter in function.parameters]
        same(f"{name}, call", entry.get("call", {}), names)
        same(f"{name}, null", entry.get("null", {}), [p.name for p in function.parameters if p.is_nullable])
        for parameter, gives in entry.get("null", {}).items():
            if gives == REFUSED:
                faults.append(f"{name}, null: {parameter} may be NULL by the header, and is refused")
        if ("NULL" in entry.get("null", {}).values() or "NULL" in (row.get("gives") for row in entry.get("more", ()))) > function.gives_null:
            faults.append(f"{name}: gives NULL, which the header does not say")
        same(f"{name}, utf8", entry.get("utf8", {}), [p.name for p in function.parameters if is_text(p)])
        for parameter in function.parameters:
            if (entry.get("call", {}).get(parameter.name) == "out") != is_out(parameter):
                faults.append(f"{name}, call: {parameter.name} is {'' if is_out(parameter) else 'not '}written by the call")
        takes_engine = any(p.type in ("plot_engine *", "plot_engine *const *") for p in function.parameters)
        same(f"{name}, states", entry.get("states", {}), STATES if takes_engine else ())
        if takes_engine == ("gives" in entry):
            faults.append(f"{name}: {'has states, and so no' if takes_engine else 'lacks'} 'gives'")
        same(f"{name}, token", entry.get("token", {}), TOKENS if any(p.type == "uint64_t" for p in function.parameters) else ())
        same(f"{name}, file", entry.get("file", {}), [p.name for p in function.parameters if is_path(p)])
        numbers = {p.name: extremes(p) for p in function.parameters if extremes(p)}
        same(f"{name}, extreme", entry.get("extreme", {}), numbers)
        for own, results in entry.get("extreme", {}).items():
            if isinstance(results, dict):
                if set(results) - {"with", "gives"} or set(results["with"]) - set(names):
                    faults.append(f"{name}, extreme: is not understood: {results}")
                results = results["gives"]
            results = table["extremes"].get(results, results) if isinstance(results, str) else results
            if own in numbers and isinstance(results, list) and len(results) != len(numbers[own]):
                faults.append(f"{name}, extreme: {own} has {len(results)} results, not {len(numbers[own])}")
        for part, allowed in (("inside", header.callbacks), ("fallback", names), ("names", names)):
            if extra := set(entry.get(part, {})) - set(allowed):
                faults.append(f"{name}, {part}: has {', '.join(sorted(extra))} too many")
        for case in entry.get("more", ()):
            if set(case) - {"what", "with", "gives", "names", "in"} or set(case["with"]) - set(names):
                faults.append(f"{name}, more: is not understood: {case}")
    if faults:
        raise Faults("\n".join(faults))


# Edits of the table, and the answers that the comparison must then give: it is not complete by luck.
SPOILS = [
    (lambda t: t["functions"].pop("plot_engine_close"), "functions: lacks plot_engine_close"),
    (lambda t: t["functions"].update(plot_engine_fly={}), "functions: has plot_engine_fly too many"),
    (lambda t: t["callbacks"].pop("plot_remove_fn"), "callbacks: lacks plot_remove_fn"),
    (lambda t: t["functions"]["plot_engine_init"]["null"].pop("store_path"), "plot_engine_init, null: lacks store_path"),
    (lambda t: t["functions"]["plot_engine_init"]["null"].update(config=REFUSED), "plot_engine_init, null: has config too many"),
    (lambda t: t["functions"]["plot_engine_init"]["null"].update(store_path=REFUSED), "may be NULL by the header, and is refused"),
    (lambda t: t["functions"]["plot_engine_init"]["null"].update(time_ms="PLOT_OK"), "plot_engine_init, null: has time_ms too many"),
    (lambda t: t["functions"]["plot_engine_explain"]["utf8"].pop("language"), "plot_engine_explain, utf8: lacks language"),
    (lambda t: t["functions"]["plot_engine_get_batch"]["token"].pop("zero"), "plot_engine_get_batch, token: lacks zero"),
    (lambda t: t["functions"]["plot_engine_advance"]["states"].pop("closed"), "plot_engine_advance, states: lacks closed"),
    (lambda t: t["functions"]["plot_engine_advance"]["call"].pop("error"), "plot_engine_advance, call: lacks error"),
    (lambda t: t["functions"]["plot_feed_load"].pop("file"), "plot_feed_load, file: lacks path"),
    (lambda t: t["functions"]["plot_feed_parse"]["extreme"].pop("length"), "plot_feed_parse, extreme: lacks length"),
    (lambda t: t["functions"]["plot_engine_advance"].pop("extreme"), "plot_engine_advance, extreme: lacks time_ms"),
    (lambda t: t["functions"]["plot_engine_advance"]["extreme"].update(error="*"), "plot_engine_advance, extreme: has error too many"),
    (lambda t: t["functions"]["plot_engine_advance"]["extreme"].update(time_ms=["PLOT_OK"]), "plot_engine_advance, extreme: time_ms has 1 results"),
    (lambda t: t["functions"]["plot_list_new"]["call"].update(out="NULL"), "plot_list_new, call: out is written by the call"),
]


def check_comparison(table, header):
    for spoil, said in SPOILS:
        spoilt = json.loads(json.dumps(table))
        spoil(spoilt)
        try:
            compare(spoilt, header)
        except Faults as faults:
            if said not in str(faults):
                raise Faults(f"a spoilt table is refused, but not for '{said}': {faults}") from None
        else:
            raise Faults(f"a spoilt table is taken; it should be said: {said}")


def expectation(text, result):
    """The fields of a probe for what is expected."""
    if result == "void":
        if text != "nothing":
            raise Faults(f"a function without a result gives 'nothing', not {text!r}")
        return "NOTHING, 0, NULL"
    if text == "*":
        return ("SOMETHING" if "*" in result else "ANYTHING") + ", 0, NULL"
    if "|" in text:
        mask = " | ".join(f"INT64_C(1) << {status}" for status in text.split("|"))
        return f"AMONG, {mask}, NULL"
    if "*" not in result:
        return f"NUMBER, {text}, NULL"
    if text == "NULL":
        return "POINTER, 0, NULL"
    if result == "const char *":
        return f"TEXT, 0, {json.dumps(text)}"
    raise Faults(f"{result} cannot be expected to be {text!r}")


def call_function(name, function, entry):
    """The C function that makes the call of a probe."""
    lines = column_tables(name, function) + [f"static void call_{name}(world *w, const probe *p, plot_error **written) {{", "    (void)w; (void)p; (void)written;"]
    after, arguments = [], []
    more = entry.get("more", [])
    status = any(p.type == "plot_error **" for p in function.parameters) or any(is_out(p) for p in function.parameters)
    for index, parameter in enumerate(function.parameters):
        kind, own = parameter.type, parameter.name
        given = entry["call"][own]
        if kind == "plot_error **":
            arguments.append(f"p->null == {index} ? NULL : written")
            continue
        if given == "out":
            held = pointed(parameter)
            lines.append(f"    {held}{'' if held.endswith('*') else ' '}{own}_value = {POISON.get(held, 'POISON')};")
            arguments.append(f"p->null == {index} ? NULL : &{own}_value")
            fallback = entry.get("fallback", {}).get(own, FALLBACK.get(held, "NULL"))
            if held == "const char *":
                after.append(f'    if (r != PLOT_OK && p->null != {index} && strcmp({own}_value, {fallback}) != 0) fault("{own} is \\"%s\\"", {own}_value);')
                after.append(f'    if (r == PLOT_OK && (!{own}_value || strcmp({own}_value, "poison") == 0)) fault("{own} is not written");')
            elif held.endswith("*"):
                after.append(f'    if (r != PLOT_OK && p->null != {index} && {own}_value != {fallback}) fault("{own} is not {fallback}");')
                after.append(f'    if (r == PLOT_OK && ({own}_value == NULL || {own}_value == POISON)) fault("{own} is not written");')
                after.append(f"    if (r == PLOT_OK) {held.split()[0]}_free({own}_value);")
            else:
                after.append(f'    if (r != PLOT_OK && p->null != {index} && {own}_value != {fallback}) fault("{own} is not {fallback}");')
                after.append(f'    if (r == PLOT_OK && {own}_value == 77) fault("{own} is not written");')
            continue
        for number, case in reversed(list(enumerate(more))):
            if own in case["with"]:
                given = f"p->more == {number} ? ({case['with'][own]}) : ({given})"
        for number, case in entry.get("extreme", {}).items():
            if isinstance(case, dict) and own in case["with"]:
                # Beyond what the columns hold.
                number = next(i for i, p in enumerate(function.parameters) if p.name == number)
                given = f"p->extreme == {number + 1} && p->bits > 2 ? ({case['with'][own]}) : ({given})"
        if kind == "uint64_t":
            given = f"p->token >= 0 ? token_of(w, p->token) : ({given})"
        if is_text(parameter):
            given = f"p->bad == {index} ? p->text : ({given})"
        if kind == "size_t" and index and is_text(function.parameters[index - 1]) and own.endswith("length"):
            given = f"p->bad == {index - 1} ? strlen(p->text) : ({given})"
        if kind in COLUMNS:
            given = f"column_of(p, {index}, {given})"
        elif kind == "double":
            given = f"real_of(p, {index}, {given})"
        elif kind in EXTREMES:
            given = f"({kind})number_of(p, {index}, (uint64_t)({given}), {role(function, index)})"
        if parameter.is_pointer:
            given = f"p->null == {index} ? NULL : ({given})"
        lines.append(f"    {kind}{'' if kind.endswith('*') else ' '}{own} = {given};")
        arguments.append(own)
    if any(p.type == "plot_destroy_fn" for p in function.parameters):
        lines.append("    awaited = destroy != NULL && user_data != NULL;")
    call = f"{name}({', '.join(arguments)})"
    if function.result == "void":
        lines.append(f"    {call};")
    else:
        lines.append(f"    {function.result}{'' if function.result.endswith('*') else ' '}r = {call};")
        settle = "text" if function.result == "const char *" else "pointer" if function.result.endswith("*") else "number"
        lines.append(f"    settle_{settle}(p, r);")
    lines += after
    if status and any(p.type == "plot_error **" for p in function.parameters):
        index = next(i for i, p in enumerate(function.parameters) if p.type == "plot_error **")
        lines.append(f"    if (p->null != {index}) settle_error(p, r, written); else if (written) *written = NULL;")
    return "\n".join(lines + ["}"])


def column_tables(name, function):
    """The columns of extreme numbers, of two equal elements each."""
    lines = []
    for parameter in function.parameters:
        if parameter.type in COLUMNS:
            values = ", ".join(f"{{{value}, {value}}}" for value in extremes(parameter).values())
            lines.append(f"static {parameter.type.removesuffix(' *')} {name}_{parameter.name}[][2] = {{{values}}};")
    return lines


def probes(name, function, entry, table):
    """The rows of the table of probes."""
    rows = []
    has_error = int(any(p.type == "plot_error **" for p in function.parameters))
    base = entry.get("in", "running")
    usual = entry["states"] if "states" in entry else {"running": entry["gives"]}
    within = entry.get("within")

    def row(what, gives, null=-1, bad=-1, token=-1, more=-1, state=base, inside=within, text=None, names=None, extreme=(0, "0", "0", "NULL")):
        expected = expectation(gives, function.result)
        if text is not None:
            if expected.startswith("TEXT"):
                raise Faults(f"{name}: a text cannot be expected of bytes that are none")
            expected = expected.rsplit(",", 1)[0] + f", {text}"
        rows.append(
            f"    {{{json.dumps(name)}, {json.dumps(what)}, call_{name}, {null}, {bad}, {token}, {more}, {state.upper()}, "
            f"{'KIND_' + inside if inside else -1}, {has_error}, {expected}, {json.dumps(names) if names else 'NULL'}, "
            f"{', '.join(str(part) for part in extreme)}}},"
        )

    for state in STATES if "states" in entry else ("running",):
        row(f"on an engine that is {state}" if "states" in entry else "as it should be", usual[state], state=state)
    for index, parameter in enumerate(function.parameters):
        said = entry.get("names", {}).get(parameter.name, parameter.name + ":")
        if parameter.is_pointer:
            gives = entry["null"][parameter.name] if parameter.is_nullable else REFUSED
            row(f"{parameter.name} NULL", gives, null=index, names=said if gives == REFUSED else None)
        if is_text(parameter):
            gives = entry["utf8"][parameter.name]
            for number in range(6):
                row(
                    f"{parameter.name} no UTF-8 ({number})", gives, bad=index, text=f"NO_UTF8_{number}",
                    names=said if gives == "PLOT_INVALID_ARGUMENT" else None,
                )  # fmt: skip
        if is_path(parameter):
            for what, path in FILES.items():
                row(f"{parameter.name} is {what}", entry["file"][parameter.name], bad=index, text=path)
        results = entry.get("extreme", {}).get(parameter.name)
        plain = not isinstance(results, dict)
        results = results if plain else results["gives"]
        results = table["extremes"].get(results, results) if isinstance(results, str) else results
        for number, (what, value) in enumerate(extremes(parameter).items()):
            gives = results if isinstance(results, str) else results[number]
            bits, real, column = ("0", "0", f"{name}_{parameter.name}[{number}]") if parameter.type in COLUMNS else ("0", value, "NULL") if parameter.type == "double" else (value, "0", "NULL")
            row(
                f"{parameter.name} of {what}", gives, extreme=(index + 1, bits, real, column),
                names=said if plain and gives == "PLOT_INVALID_ARGUMENT" else None,
            )  # fmt: skip
    for number, what in enumerate(TOKENS):
        if "token" in entry:
            row(f"the token {what}", entry["token"][what], token=number)
    for number, case in enumerate(entry.get("more", ())):
        row(case["what"], case["gives"], more=number, state=case.get("in", base), names=case.get("names"))
    for callback in table["callbacks"]:
        gives = entry.get("inside", {}).get(callback, usual["running"])
        row(f"inside {callback}", gives, state="running", inside=callback)
    return rows


def add_seconds(table, header):
    """A case for each function that takes a time: one in seconds."""
    for name, entry in table["functions"].items():
        if any(parameter.name == "time_ms" for parameter in header.functions[name].parameters):
            # Any handle may be asked whether it is over by a time.
            gives = "PLOT_OK" if name == "plot_lint" else "PLOT_INVALID_ARGUMENT"
            case = {"what": "a time in seconds", "with": {"time_ms": "START / 1000"}, "gives": gives}
            entry.setdefault("more", []).append(case if gives == "PLOT_OK" else {**case, "names": "time_ms:"})


def kinds(header):
    """kinds.h: the callbacks, from the header."""
    lines = ["enum kind {"] + [f"    KIND_{name}," for name in header.callbacks] + ["    KINDS", "};"]
    lines += ["__attribute__((unused)) static const char *const kind_names[] = {"]
    return "\n".join(lines + [f'    "{name}",' for name in header.callbacks] + ["};"]) + "\n"


def program(table, header, only=None):
    """calls.h, and how many probes it has."""
    lines = ["static int awaited; /* how often destroy must run for what the probe registers */", ""]
    lines += [f"#define NO_UTF8_{n} {text}" for n, text in enumerate(('"\\xff\\xfe"', '"a\\xc3"', '"\\xc0\\xaf"', '"\\xed\\xa0\\x80"', '"\\xf4\\x90\\x80\\x80"', '"b\\x80"'))]
    lines += ["static uint64_t token_of(world *w, int number) {", "    switch (number) {"]
    lines += [f"    case {number}: return {value}; /* {what} */" for number, (what, value) in enumerate(TOKENS.items())]
    lines += ["    default: abort();", "    }", "}", ""]
    lines += ["static void prepare_files(void) {", "    FILE *file;"]
    for name, text in (("plotconfig.json", "world_config"), ("feed.json", "world_feed")):
        lines.append(f'    if ((file = fopen("{name}", "w")) == NULL || fputs({text}, file) < 0 || fclose(file)) abort();')
    lines += ["    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = \"socket\"};", "    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);"]
    lines += ['    if (descriptor < 0 || bind(descriptor, (struct sockaddr *)&address, sizeof address) || close(descriptor) || mkfifo("pipe", 0600)) abort();']
    lines += ["    plot_feed *feed = fresh_feed();", '    if (plot_feed_save(feed, "feed.plotfeed", NULL) != PLOT_OK) abort();', "    plot_feed_free(feed);", "}", ""]
    rows = []
    for name, entry in table["functions"].items():
        lines += [call_function(name, header.functions[name], entry), ""]
        if only is None or only == name:
            rows += probes(name, header.functions[name], entry, table)
    lines += ["static const probe probes[] = {"] + rows + ["};"]
    # For the fuzz target: the calls that have numbers.
    lines += ["__attribute__((unused)) static const probe numbered[] = {"]
    for name, entry in table["functions"].items():
        function = header.functions[name]
        if any(p.type in EXTREMES for p in function.parameters):
            has_error = int(any(p.type == "plot_error **" for p in function.parameters))
            within = f"KIND_{entry['within']}" if "within" in entry else -1
            expects = "NOTHING" if function.result == "void" else "ANYTHING"
            lines.append(
                f'    {{"{name}", "numbers", call_{name}, -1, -1, -1, -1, {entry.get("in", "running").upper()}, {within}, {has_error}, '
                f"{expects}, 0, NULL, NULL, 0, 0, 0, NULL}},"
            )
    lines += ["};"]
    return "\n".join(lines) + "\n", len(rows)


def compile_program(folder, *flags):
    program = folder / "abuse"
    command = [os.environ.get("CC", "cc"), "-std=gnu11", "-O0", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-unused-const-variable", "-Wno-unused-function"]
    command += [*flags, f"-I{folder}", f"-I{PLACE}", f"-I{ROOT / 'include'}", "-o", program, PLACE / "abuse.c", f"-L{LIBRARY}", "-lplotengine", "-lm"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        raise Faults(f"the program does not compile:\n{done.stderr[:6000]}")
    return program


def add_library_options(parser):
    parser.add_argument("--library", metavar="FOLDER", type=pathlib.Path, help="the folder of another library; run once")
    parser.add_argument("--flags", default="", help="of the compiler, with --library")


def take_library(options):
    """LIBRARY is that of the options; Faults when it is not there."""
    global LIBRARY
    if options.library:
        LIBRARY = options.library.resolve()
    elif options.flags:
        raise Faults("--flags goes with --library")
    if not (LIBRARY / "libplotengine.so.0").is_file():
        raise Faults(f"{LIBRARY / 'libplotengine.so.0'} is missing: run make build")


def has_sanitizer(folder):
    (folder / "empty.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    command = [os.environ.get("CC", "cc"), "-fsanitize=address", "-o", str(folder / "empty"), str(folder / "empty.c")]
    return subprocess.run(command, capture_output=True).returncode == 0 and subprocess.run([str(folder / "empty")], capture_output=True).returncode == 0


def run(program, folder, how, environment=None, *more):
    """Runs it; how many calls it made. It may say nothing but in its report."""
    place = folder / "place"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    report = folder / "report.txt"
    report.unlink(missing_ok=True)
    variables = {**os.environ, "LD_LIBRARY_PATH": str(LIBRARY), **(environment or {})}
    command = [str(program), str(report), str(place), *more]
    done = subprocess.run(command, capture_output=True, text=True, env=variables, errors="replace")
    said = report.read_text(encoding="utf-8", errors="replace").splitlines() if report.exists() else []
    if done.stdout or done.stderr:
        raise Faults(f"{how}: wrote to standard output or error:\n{done.stdout[:2000]}{done.stderr[:6000]}")
    if done.returncode or not said or not said[-1].endswith(" calls, 0 faults"):
        raise Faults(f"{how}: ended with {done.returncode}:\n" + "\n".join(said[:40] + (["..."] if len(said) > 40 else []) + said[-1:]))
    left = sorted(path.name for path in place.iterdir())
    allowed = {"plotconfig.json", "feed.json", "feed.plotfeed", "pipe", "socket", "case", "case-page", "case-feed"}
    if set(left) - allowed:
        raise Faults(f"{how}: left files behind: {', '.join(sorted(set(left) - allowed))}")
    return int(said[-1].split()[0])


def german(folder):
    """A locale with a decimal comma, made here."""
    done = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")], capture_output=True, text=True)
    if not (folder / "de_DE.UTF-8").is_dir():
        raise Faults(f"no locale could be made: {done.stderr.strip()}")
    return {"LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="FUNCTION", help="probe this function alone")
    parser.add_argument("--headers", metavar="FOLDER", type=pathlib.Path, help="only write calls.h and kinds.h, into this folder")
    parser.add_argument("--keep", metavar="FOLDER", type=pathlib.Path, help="leave the program here")
    add_library_options(parser)
    options = parser.parse_args()
    if not options.headers:
        take_library(options)
    header = plot_header.read()
    table = filled(json.loads((PLACE / "table.json").read_text(encoding="utf-8")), plot_header.read())
    compare(table, header)
    check_comparison(table, header)
    add_seconds(table, header)
    text, count = program(table, header, options.only)
    if not count:
        raise Faults(f"there is no function {options.only}")
    if options.headers:
        options.headers.mkdir(parents=True, exist_ok=True)
        (options.headers / "calls.h").write_text(text, encoding="utf-8")
        (options.headers / "kinds.h").write_text(kinds(header), encoding="utf-8")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or pathlib.Path(name)
        folder.mkdir(exist_ok=True)
        (folder / "calls.h").write_text(text, encoding="utf-8")
        (folder / "kinds.h").write_text(kinds(header), encoding="utf-8")
        if options.library:
            calls = run(compile_program(folder, *options.flags.split()), folder, f"with {options.library}", None, "C", "once")
            print(f"abuse: {len(header.functions)} functions, {len(header.callbacks)} callbacks, {count} cases, {calls} calls: as the table says")
            return
        built = compile_program(folder)
        calls = run(built, folder, "as it is")
        run(built, folder, "with a decimal comma", german(folder), "de_DE.UTF-8", "once")
        sanitized = "no address sanitizer here"
        if has_sanitizer(folder):
            # Each case once: it is four times as slow.
            run(compile_program(folder, "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"), folder, "with the address sanitizer", None, "C", "once")
            sanitized = "with the address sanitizer"
    pages.check_figures(ROOT / "docs/reliability-table.md", f"each of the {len(header.callbacks)} callbacks", f"{count:,} cases, {calls:,} calls")
    pages.check_figures(ROOT / "docs/reliability.md", f"{count:,} cases")
    print(f"abuse: {len(header.functions)} functions, {len(header.callbacks)} callbacks, {count} cases, {calls} calls: as the table says; also with a decimal comma; {sanitized}")


if __name__ == "__main__":
    try:
        main()
    except (Faults, pages.Fault, plot_header.Fault) as faults:
        sys.exit("\n".join(f"abuse: {line}" for line in str(faults).splitlines()))
