# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""``python -m plotengine simulate ...`` runs the ``plot`` tool of the package ``plotengine-cli``, the extra ``cli``.

``python -m plotengine docs`` prints the folder of the pages, schemas and examples, and
``python -m plotengine replay-fleet`` replays the fixes of many devices (docs/fleet.md), and
``python -m plotengine spark replay`` does it on Apache Spark.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path

from ._raw import candidates


def docs() -> str:
    """The folder of the pages: the packaged one, else the source tree."""
    package = Path(__file__).resolve().parent
    for folder in (package / "doc", *list(package.parents)[3:4]):
        if (folder / "docs" / "python.md").is_file():
            return str(folder)
    sys.exit(f"the pages were not found: {package / 'doc'} has no docs/python.md")


def tools() -> list[Path]:
    """Where the tool may be, in the order of trying: the package, then the source tree.

    What the environment names stands alone.
    """
    if os.environ.get("PLOTENGINE_TOOL"):
        return [Path(os.environ["PLOTENGINE_TOOL"])]
    found = importlib.util.find_spec("plotengine_cli")
    packaged = [Path(place) / "bin" / "plot" for place in (found.submodule_search_locations or [])] if found else []
    return packaged + candidates("bin/plot")[1:]


def main() -> None:
    if sys.argv[1:] == ["docs"]:
        print(docs())
        return
    for name, module in (("replay-fleet", "fleet"), ("spark", "spark")):
        if sys.argv[1:2] == [name]:
            try:
                found = importlib.import_module(f"plotengine.{module}")
            except ImportError as error:
                sys.exit(f"{name}: {error}")
            found.main(sys.argv[2:])
            return
    failures = []
    for path in tools():
        try:
            os.execv(path, ["plot", *sys.argv[1:]])
        except OSError as error:
            failures.append(f"  {path}: {error.strerror}")
    tried = "Tried:\n" + "\n".join(failures) if failures else "The package plotengine-cli is not installed."
    sys.exit(f"the plot tool could not be run. Install it with: pip install plotengine[cli]. {tried}")


if __name__ == "__main__":
    main()
