# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Puts what the project has built into a wheel: the library or the tool, as `parts` of the hook says, the licences of
what it brings along, and the pages.

build_wheel.sh prepares these in a folder and names it in PLOTENGINE_STAGE; without it the parts come from build/ as
they are.
"""

from __future__ import annotations

import os
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def version() -> str:
    return (PROJECT / "VERSION").read_text(encoding="utf-8").strip()


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # only the version is asked for
    BuildHookInterface = object  # type: ignore[assignment,misc]


class CustomBuildHook(BuildHookInterface):  # type: ignore[misc,type-arg]
    def initialize(self, version: str, build_data: dict[str, object]) -> None:
        if version == "editable":
            return
        stage = Path(os.environ.get("PLOTENGINE_STAGE") or PROJECT / "build")
        package = Path(self.build_config.packages[0]).name
        included = {}
        for part in self.config["parts"]:
            path = stage / part
            if not path.is_file():
                raise FileNotFoundError(f"{path} is not there: build the project first (make)")
            included[str(path)] = f"{package}/{part}"
        for name in ("licenses", "doc"):
            if (stage / name).is_dir():
                included[str(stage / name)] = f"{package}/{name}"
        build_data["force_include"] = included
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-linux_x86_64"
