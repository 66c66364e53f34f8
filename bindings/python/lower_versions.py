# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Lets a shared object run on an older C library: lower_versions.py FILE...

A few symbols are there in two versions, and the linker takes the newer one, so that one `hypot` shuts out every system
that is a year older. Where all symbols that need a version are in the table below, the need is renamed to the older
version, which does the same. Whatever else there is stays, and auditwheel judges the outcome.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

from elftools.elf.elffile import ELFFile

OLDER = {
    # hypot: 2.35 only no longer sets errno
    ("libm.so.6", "GLIBC_2.35"): ("GLIBC_2.2.5", {"hypot", "hypotf"}),
    # std::condition_variable::wait: 3.4.30 may be cancelled
    ("libstdc++.so.6", "GLIBCXX_3.4.30"): (
        "GLIBCXX_3.4.11",
        {"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE"},
    ),
}


def elf_hash(name: str) -> int:
    """The hash of the System V ABI."""
    value = 0
    for byte in name.encode():
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high
    return value & 0xFFFFFFFF


def lower(path: Path) -> list[str]:
    """Lowers one file in place; says what was done."""
    data = bytearray(path.read_bytes())
    done = []
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        needs, versions, symbols = (
            elf.get_section_by_name(name) for name in (".gnu.version_r", ".gnu.version", ".dynsym")
        )
        if needs is None:
            return done
        strings = elf.get_section_by_name(".dynstr")
        users: dict[int, set[str]] = {}
        for index, symbol in enumerate(symbols.iter_symbols()):
            number = versions.get_symbol(index).entry["ndx"]
            if isinstance(number, int):
                users.setdefault(number & 0x7FFF, set()).add(symbol.name)
        table = strings.data()
        for need, auxiliaries in needs.iter_versions():
            for auxiliary in auxiliaries:
                older, known = OLDER.get((need.name, auxiliary.name), ("", set()))
                using = users.get(auxiliary["vna_other"] & 0x7FFF, set())
                if not older or not using <= known:
                    continue
                name = table.find(b"\0" + older.encode() + b"\0") + 1
                if name == 0:
                    continue
                place = _place(data, needs["sh_offset"], need.name, auxiliary["vna_other"], table)
                struct.pack_into("<I", data, place, elf_hash(older))
                struct.pack_into("<I", data, place + 8, name)
                done.append(f"{path.name}: {', '.join(sorted(using))} of {auxiliary.name} is that of {older}")
    path.write_bytes(data)
    return done


def _place(data: bytearray, offset: int, library: str, other: int, strings: bytes) -> int:
    """Where the Vernaux entry with this index stands in the file."""
    while True:
        _, _, file, first, following = struct.unpack_from("<HHIII", data, offset)
        if strings[file : strings.index(b"\0", file)].decode() == library:
            auxiliary = offset + first
            while True:
                _, _, index, _, further = struct.unpack_from("<IHHII", data, auxiliary)
                if index == other:
                    return int(auxiliary)
                if further == 0:
                    break
                auxiliary += further
        if following == 0:
            raise ValueError(f"no version {other} of {library}")
        offset += following


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        for line in lower(Path(argument)):
            print(line)
