# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""``python -m plotengine simulate ...`` runs the ``plot`` tool that came with this package.

``python -m plotengine docs`` prints the folder of the pages, schemas and examples.
"""

from __future__ import annotations

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


def main() -> None:
    if sys.argv[1:] == ["docs"]:
        print(docs())
        return
    failures = []
    for path in candidates("bin/plot", "PLOTENGINE_TOOL"):
        try:
            os.execv(path, ["plot", *sys.argv[1:]])
        except OSError as error:
            failures.append(f"  {path}: {error.strerror}")
    sys.exit("the plot tool could not be run. Tried:\n" + "\n".join(failures))


if __name__ == "__main__":
    main()
