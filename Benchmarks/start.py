#!/usr/bin/env python3
"""How long the front ends take to start, beside an empty program of the same runtime: Benchmarks/start.py

The wheel and the tarball of dist/ (make dist) are installed in a folder of their own. Programs of both kinds take turns, so that a machine that
others slow down slows down all alike. Prints the median and the ratio to the empty program.
"""
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests/packages"))
from check_pages import Packages  # noqa: E402

TURNS = 31
PYTHON = "from plotengine import Engine; e = Engine({}); e.update_location(52, 4); e.visits()"
NODE = """const { Engine } = require("plotengine"); const e = new Engine(); e.init({});
e.updateLocation({ latitude: 52, longitude: 4 }); e.visits(); e.close();"""


def main():
    with tempfile.TemporaryDirectory() as name:
        packages = Packages(Path(name))
        python, folder = packages.python(), packages.node_modules().parent
        programs = {
            "an empty Python": [python, "-c", "pass"],
            "import plotengine": [python, "-c", "import plotengine"],
            "import plotengine, to the first answer": [python, "-c", PYTHON],
            "an empty Node": ["node", "-e", "0"],
            'require("plotengine")': ["node", "-e", 'require("plotengine")'],
            'require("plotengine"), to the first answer': ["node", "-e", NODE],
        }
        times = {name: [] for name in programs}
        for turn in range(TURNS + 1):
            for name, command in programs.items():
                begin = time.perf_counter()
                subprocess.run(command, cwd=folder, check=True, env=packages.environment)
                if turn > 0:  # the first brings everything into memory
                    times[name].append(time.perf_counter() - begin)
    empty = 0.0
    for name, values in times.items():
        median = statistics.median(values) * 1000
        if name.startswith("an empty"):
            empty = median
        print(f"{name:<44} {median:7.1f} ms  {median / empty:5.1f} x  {median - empty:6.1f} ms beside it")


if __name__ == "__main__":
    main()
