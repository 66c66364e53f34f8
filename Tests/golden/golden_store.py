"""The contents of a store's files, read without the library: the log as docs/store.md describes it, the tables, and the bytes of the file."""

import contextlib
import hashlib
import sqlite3
import struct

MAGIC = b"PlotLog\x01"

# Each statement, by its number from 1 on, and how many values it has. A copy of what Sources/PlotStore says, on purpose: a number keeps its meaning
# for ever.
STATEMENTS = """
setting 2, newRegionsCleared 0, newRegion 1, visit 8, visitEnded 1, ordinal 2, property 3, propertyCleared 1, shown 3, sent 4, sentRemoved 1,
sentCleared 1, opened 2, held 3, heldEnded 2, chain 2, chainEnded 1, zone 1, batch 4, batchItem 4, batchClosed 1, intent 3, intentClosed 1, pending 3,
pendingEnded 1, displayed 3, displayedEnded 1, lastItem 2, prefiltered 4, prefilteredEnded 2, anchor 3, strategy 2, display 5, displaysForgotten 1,
waiting 5, waitingEnded 1, clock 3, clockMoved 3, feed 2, advertising 2, advertisingCleared 0, list 4, listEnded 1, correlation 5, messageSeen 2,
messageUnseen 1, messagesForgotten 1, messageDeferred 4, messageDeferredEnded 1, plan 6, plannedCleared 0, planned 6, crossing 6, crossingEnded 1,
heard 2, heardEnded 1, moved 3, movedEnded 1, approach 3, approachesEnded 1, outbox 4, dataCleared 0, lossReported 0, consumer 3, sync 1,
absence 6, absenceEnded 1, trip 3, tripEnded 1, tripReports 6, tripReportsEnded 1
"""
STATEMENTS = [(name, int(values)) for name, values in (entry.split() for entry in STATEMENTS.split(","))]
# Statements that change the row of their first value where there is one: a log should have such a one, too.
CHANGING = ["sent", "waiting", "messageDeferred"]
KINDS = [name for name, _ in STATEMENTS] + [f"{name} again" for name in CHANGING]


class Fault(Exception):
    """Files that are not as docs/store.md says."""


def checksum(line, seed):
    """Of a line, from behind its checksum on."""
    total = 0xCBF29CE484222325 ^ seed
    words = len(line) // 8
    for word in struct.unpack_from(f"<{words}Q", line):
        total = ((total ^ word) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    for byte in line[words * 8:]:
        total = ((total ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return total


def lines(log, seed):
    """The lines of a log, without their checksums, which follow from the seed; it is random."""
    if log[:8] != MAGIC:
        raise Fault("the log does not begin with PlotLog and 1")
    found, at = [], len(MAGIC)
    while len(log) - at > 12:
        length = int.from_bytes(log[at + 8:at + 12], "little")
        line = log[at + 8:at + 12 + length]
        if not length or len(line) < 4 + length:
            break
        seed = checksum(line, seed)
        if seed != int.from_bytes(log[at:at + 8], "little"):
            raise Fault(f"the log's line {len(found) + 1} has another checksum than the bytes in it")
        found.append(line)
        at += 12 + length
    if any(log[at:]):
        raise Fault(f"there is something behind line {len(found)}, the last of the log")
    return found


class Reader:
    def __init__(self, line):
        self.line, self.at = line, 4

    def byte(self):
        self.at += 1
        return self.line[self.at - 1]

    def unsigned(self):
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    def integer(self):
        number = self.unsigned()
        return number >> 1 ^ -(number & 1)

    def bytes(self, count):
        self.at += count
        if self.at > len(self.line):
            raise Fault("a value ends behind its line")
        return self.line[self.at - count:self.at]

    def value(self):
        tag = self.byte()
        if tag == 0:
            return None
        if tag == 1:
            return self.integer()
        if tag == 2:
            return struct.unpack("<d", self.bytes(8))[0]
        if tag in (3, 4):
            return self.bytes(self.unsigned() if tag == 3 else int.from_bytes(self.bytes(4), "little")).decode()
        if tag == 5:
            distance = int.from_bytes(self.bytes(4), "little")
            start = self.at - distance
            length = int.from_bytes(self.bytes(4), "little")
            if start < 4 or length > distance:
                raise Fault("a text that is in the line already is not there")
            return self.line[start:start + length].decode()
        raise Fault(f"a value has the unknown tag {tag}")


def parsed(line):
    """The four numbers that a line begins with, and its statements: names and values."""
    reader = Reader(line)
    head = [reader.integer() for _ in range(4)]
    statements = []
    while reader.at < len(line):
        number = reader.byte()
        if not 1 <= number <= len(STATEMENTS):
            raise Fault(f"a statement has the number {number}, which Tests/golden/golden_store.py does not know: add it there, and to the lives")
        name, count = STATEMENTS[number - 1]
        statements.append((name, [reader.value() for _ in range(count)]))
    return head, statements


def text_of_log(log, seed):
    """The log as text: of each line its bytes in hexadecimal digits, and what they say."""
    out = []
    for line in lines(log, seed):
        head, statements = parsed(line)
        out.append(f"{line.hex()}\n  newest {head[0]}, sequence {head[1]}, lastToken {head[2]}, delivered {head[3]}\n")
        out += [f"  {name} {values!r}\n" for name, values in statements]
    return "".join(out).encode()


def kinds_of_log(log, seed):
    """The kind of each statement."""
    kinds, keys = [], set()
    for line in lines(log, seed):
        for name, values in parsed(line)[1]:
            is_again = name in CHANGING and (name, values[0]) in keys
            kinds.append(f"{name} again" if is_again else name)
            keys.add((name, values[0] if values else None))
    return kinds


def opened(path):
    """A connection of our own, to a copy: SQLite may change the files."""
    return contextlib.closing(sqlite3.connect(path))


def seed_of(path):
    with opened(path) as connection:
        row = connection.execute("SELECT seed FROM log").fetchone()
    return row[0] & 0xFFFFFFFFFFFFFFFF if row else 0


def text_of_tables(path):
    with opened(path) as connection:
        return text_of(connection)


def text_of(connection):
    """The schema and every row of every table, sorted; the seed of the log is random, and set aside."""
    out = [f"{key} {connection.execute(f'PRAGMA {key}').fetchone()[0]}\n" for key in ("application_id", "user_version")]
    tables = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    for name, sql in tables:
        out.append(f"{sql}\n")
        rows = [] if name == "log" else connection.execute(f"SELECT * FROM {name}").fetchall()
        # `repr` gives all digits of a real number.
        out += sorted(f"  {row!r}\n" for row in rows)
    return "".join(out).encode()


@contextlib.contextmanager
def in_memory(image):
    """A connection to the bytes of a database file, taken for one without a -wal: SQLite would not open it in memory otherwise."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(image[:18] + b"\x01\x01" + image[20:])
        yield connection


def without_seed(image):
    """The bytes of a database file, with zeros for the page that the log's seed is in. Beside the seed, which is 0 in an image, that page shows how
    long the one before it was: two bytes shorter for one seed in 65536."""
    with in_memory(image) as connection:
        page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'log'").fetchone()
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    if page is None:
        return image
    return image[:(page[0] - 1) * size] + bytes(size) + image[page[0] * size:]


def sum_of(data):
    return hashlib.sha256(data).hexdigest()
