# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The inputs of vectors that bindings only hand over: the method, and the keys of its arguments."""
# Made from docs/calls.json by scripts/call_tables.py: do not edit.

CALLS: dict[str, tuple[str, tuple[str, ...]]] = {
    "foreground": ("set_foreground", ("value",)),
    "network": ("set_network", ("value",)),
    "clearAllData": ("clear_all_data", ()),
}
