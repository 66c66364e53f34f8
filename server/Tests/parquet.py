#!/usr/bin/env python3
"""Statistics as Parquet, read by another reader: server/Tests/parquet.py --server FILE

A service counts the events of some devices, and each table is asked for as CSV and as Parquet. Arrow's reader must find the same rows, with the types that
they have, and values that are not there where CSV has nothing. Needs pyarrow (pip).
"""

import argparse
import base64
import csv
import io
import json
import os
import shutil
import sys
import tempfile
import urllib.request
from pathlib import Path

import pyarrow
import pyarrow.parquet
from kills import HERE, Device, Node, imported

TYPES = {
    "campaigns": ["string", *["int64"] * 7, *["double"] * 3, "int64"],
    "regions": ["string", "int64", "int64", "int64"],
    "days": [*["string"] * 4, "int64", "int64"],
}


def events(device):
    """The events of one device: visits that end and one that does not, texts that CSV must quote, and more than eight rows of each kind."""
    made = []
    for sequence in range(1, 60):
        event = device.event(sequence)
        if sequence % 3 == 0:
            event |= {"event": "notification-shown" if sequence % 2 else "notification-dismissed", "campaign": f'campaign {sequence % 13}, "é"'}
            del event["visit"], event["ordinal"]
        made.append(event)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True)
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp())
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    environment |= {"PLOT_SERVER_DATABASE": str(work / "db"), "PLOT_SERVER_WEB": str(HERE.parent / "web")}
    node = Node(str(Path(options.server).resolve()), environment)
    faults = []
    try:
        token, key = imported(node.program, environment)
        node.start()
        login = {"Authorization": "Basic " + base64.b64encode(f"shop:{key}".encode()).decode()}

        def table(form):
            address = f"http://127.0.0.1:{node.port}/api/v2/statistics/report?format={form}"
            return urllib.request.urlopen(urllib.request.Request(address, headers=login), timeout=20).read()

        def compare(name, least):
            rows = list(csv.reader(io.StringIO(table(f"{name}.csv").decode(), newline="")))
            found = pyarrow.parquet.read_table(pyarrow.BufferReader(table(f"{name}.parquet")))
            if len(rows) - 1 < least:
                faults.append(f"{name}: {len(rows) - 1} rows; the test wants at least {least}")
            if [str(field.type) for field in found.schema] != TYPES[name]:
                faults.append(f"{name}: the types are {found.schema}")
            told = [["" if cell is None else str(cell) for cell in row.values()] for row in found.to_pylist()]
            if [found.schema.names, *told] != rows:
                faults.append(f"{name}: Parquet has {told}, CSV {rows[1:]}")
            return found

        for name in TYPES:
            compare(name, 0)
        device = Device(1, [node], token, 0, 0)
        secret = device.register()
        body = json.dumps({"batch": "one", "events": events(device)}).encode()
        device.request("POST", "/device/v1/events", body, {"Plot-Secret": secret})
        rates = compare("campaigns", 9).column("openRate")
        means = compare("regions", 7).column("meanSeconds")
        compare("days", 20)
        if not 0 < rates.null_count < len(rates):
            faults.append(f"campaigns: the test wants rates that are there, and some that are not: {rates}")
        if means.null_count == len(means):
            faults.append("regions: no visit has ended")
    finally:
        if node.process:
            node.kill()
        shutil.rmtree(work, ignore_errors=True)
    for fault in faults:
        print(f"parquet: {fault}", file=sys.stderr)
    print(f"parquet: {len(TYPES)} tables are the same as CSV, by pyarrow {pyarrow.__version__}" if not faults else f"parquet: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
