# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The C library as it is: one table of its functions, the loader, and the trampolines for its callbacks.

Nothing here decides anything. The header, include/plotengine.h, is the specification; a test reads it and compares
it with ``FUNCTIONS``, ``CALLBACKS`` and the status codes.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import weakref
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable

ABI_VERSION = 15
"""The ABI this table was written for. The library's may be newer: the ABI only grows."""

LIBRARY_NAME = "libplotengine.so.0"

# ---- Types: the C spelling and what ctypes calls it -------------------------------------------------------------

CALLBACKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "plot_destroy_fn": ("void", ("void *",)),
    "plot_filter_fn": ("void", ("void *", "plot_engine *", "uint64_t", "plot_list *")),
    "plot_geotrigger_fn": ("void", ("void *", "plot_engine *", "uint64_t", "plot_list *")),
    "plot_show_fn": ("int32_t", ("void *", "plot_engine *", "const plot_item *")),
    "plot_remove_fn": ("int32_t", ("void *", "plot_engine *", "const plot_item *")),
    "plot_strategy_fn": ("int32_t", ("void *", "plot_engine *", "int32_t", "plot_strategy_call *")),
    "plot_notification_handler_fn": ("void", ("void *", "plot_engine *", "const plot_item *", "const char *")),
    "plot_open_fn": ("void", ("void *", "plot_engine *", "int32_t", "const char *", "const plot_item *")),
    "plot_event_fn": ("void", ("void *", "plot_engine *", "const char *", "size_t", "const plot_item *")),
    "plot_decision_fn": ("void", ("void *", "plot_engine *", "const char *", "size_t")),
    "plot_recording_fn": ("void", ("void *", "plot_engine *", "const char *", "size_t")),
    "plot_log_fn": ("void", ("void *", "plot_engine *", "int32_t", "const char *")),
    "plot_wakeup_fn": ("void", ("void *", "plot_engine *", "int64_t")),
    "plot_fix_request_fn": ("void", ("void *", "plot_engine *", "int64_t")),
}
"""Every callback type of the header: result, parameters."""

CTYPES: dict[str, Any] = {
    "void": None,
    "int32_t": c_int32,
    "int64_t": c_int64,
    "uint64_t": c_uint64,
    "size_t": c_size_t,
    "double": c_double,
    "int32_t *": POINTER(c_int32),
    "int64_t *": POINTER(c_int64),
    "uint64_t *": POINTER(c_uint64),
    "double *": POINTER(c_double),
    "void *": c_void_p,
    "const char *": c_char_p,
    "const char **": POINTER(c_char_p),
    # Arrays, by their address.
    "const int64_t *": c_void_p,
    "const uint32_t *": c_void_p,
    "const double *": c_void_p,
    "const plot_effect *": c_void_p,
    "plot_engine *const *": c_void_p,
}
for _noun in ("engine", "config", "feed", "item", "list", "string", "error", "strategy_call", "replay", "effects"):
    CTYPES[f"plot_{_noun} *"] = c_void_p
    CTYPES[f"const plot_{_noun} *"] = c_void_p
    CTYPES[f"plot_{_noun} **"] = POINTER(c_void_p)
for _name, (_result, _parameters) in CALLBACKS.items():
    CTYPES[_name] = CFUNCTYPE(CTYPES[_result], *(CTYPES[_parameter] for _parameter in _parameters))

# ---- The table: every function of the header: result, parameters ------------------------------------------------

_ERROR = "plot_error **"
_ENGINE = "plot_engine *"


_COLUMNS = ("const int64_t *", *("const double *",) * 5)


def _setter(callback: str) -> tuple[str, tuple[str, ...]]:
    return ("int32_t", (_ENGINE, callback, "void *", "plot_destroy_fn", _ERROR))


FUNCTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    # Library
    "plot_abi_version": ("int32_t", ()),
    "plot_version": ("const char *", ()),
    "plot_status_name": ("const char *", ("int32_t",)),
    "plot_live_objects": ("int64_t", ()),
    # Errors
    "plot_error_get_status": ("int32_t", ("const plot_error *",)),
    "plot_error_get_message": ("const char *", ("const plot_error *",)),
    "plot_error_get_line": ("int32_t", ("const plot_error *",)),
    "plot_error_get_column": ("int32_t", ("const plot_error *",)),
    "plot_error_get_pointer": ("const char *", ("const plot_error *",)),
    "plot_error_get_expected": ("const char *", ("const plot_error *",)),
    "plot_error_get_found": ("const char *", ("const plot_error *",)),
    "plot_error_free": ("void", ("plot_error *",)),
    # Strings
    "plot_string_get": ("const char *", ("const plot_string *",)),
    "plot_string_get_length": ("size_t", ("const plot_string *",)),
    "plot_string_free": ("void", ("plot_string *",)),
    # Configuration
    "plot_config_load": ("int32_t", ("const char *", "plot_config **", _ERROR)),
    "plot_config_parse": ("int32_t", ("const char *", "size_t", "plot_config **", _ERROR)),
    "plot_config_to_json": ("int32_t", ("const plot_config *", "plot_string **", _ERROR)),
    "plot_config_get_warning_count": ("size_t", ("const plot_config *",)),
    "plot_config_get_warning": ("const char *", ("const plot_config *", "size_t")),
    "plot_config_free": ("void", ("plot_config *",)),
    # Campaign feed
    "plot_feed_load": ("int32_t", ("const char *", "plot_feed **", _ERROR)),
    "plot_feed_parse": ("int32_t", ("const char *", "size_t", "plot_feed **", _ERROR)),
    "plot_lint": (
        "int32_t",
        ("const char *", "size_t", "const char *", "size_t", "int64_t", "plot_string **", _ERROR),
    ),
    "plot_feed_import_geojson": ("int32_t", ("const char *", "size_t", "const char *", "plot_feed **", _ERROR)),
    "plot_feed_to_json": ("int32_t", ("const plot_feed *", "plot_string **", _ERROR)),
    "plot_feed_get_region_count": ("size_t", ("const plot_feed *",)),
    "plot_feed_get_campaign_count": ("size_t", ("const plot_feed *",)),
    "plot_feed_get_region_id": ("const char *", ("const plot_feed *", "size_t")),
    "plot_feed_get_campaign_id": ("const char *", ("const plot_feed *", "size_t")),
    "plot_feed_save": ("int32_t", ("const plot_feed *", "const char *", _ERROR)),
    "plot_feed_map": ("int32_t", ("const char *", "plot_feed **", _ERROR)),
    "plot_feed_free": ("void", ("plot_feed *",)),
    # Items
    "plot_item_get_string": ("int32_t", ("const plot_item *", "const char *", "const char **")),
    "plot_item_get_integer": ("int32_t", ("const plot_item *", "const char *", "int64_t *")),
    "plot_item_get_double": ("int32_t", ("const plot_item *", "const char *", "double *")),
    "plot_item_get_json": ("int32_t", ("const plot_item *", "const char *", "plot_string **")),
    "plot_item_set_string": ("int32_t", ("plot_item *", "const char *", "const char *", _ERROR)),
    "plot_item_set_integer": ("int32_t", ("plot_item *", "const char *", "int64_t", _ERROR)),
    "plot_item_set_json": ("int32_t", ("plot_item *", "const char *", "const char *", "size_t", _ERROR)),
    "plot_item_clear": ("int32_t", ("plot_item *", "const char *", _ERROR)),
    "plot_item_to_json": ("int32_t", ("const plot_item *", "plot_string **", _ERROR)),
    "plot_item_copy": ("int32_t", ("const plot_item *", "plot_item **", _ERROR)),
    "plot_item_free": ("void", ("plot_item *",)),
    "plot_list_new": ("int32_t", ("plot_list **", _ERROR)),
    "plot_list_get_count": ("size_t", ("const plot_list *",)),
    "plot_list_get": ("plot_item *", ("const plot_list *", "size_t")),
    "plot_list_append": ("int32_t", ("plot_list *", "const plot_item *", _ERROR)),
    "plot_list_remove": ("int32_t", ("plot_list *", "size_t", _ERROR)),
    "plot_list_to_json": ("int32_t", ("const plot_list *", "plot_string **", _ERROR)),
    "plot_list_free": ("void", ("plot_list *",)),
    # Engine: life
    "plot_engine_new": ("int32_t", ("plot_engine **", _ERROR)),
    "plot_engine_init": ("int32_t", (_ENGINE, "int64_t", "const plot_config *", "const char *", _ERROR)),
    "plot_engine_close": ("int32_t", (_ENGINE,)),
    "plot_engine_free": ("void", (_ENGINE,)),
    # Engine: callbacks
    "plot_engine_set_filter_callback": _setter("plot_filter_fn"),
    "plot_engine_set_geotrigger_callback": _setter("plot_geotrigger_fn"),
    "plot_engine_set_show_callback": _setter("plot_show_fn"),
    "plot_engine_set_remove_callback": _setter("plot_remove_fn"),
    "plot_engine_set_notification_handler": _setter("plot_notification_handler_fn"),
    "plot_engine_set_open_callback": _setter("plot_open_fn"),
    "plot_engine_set_event_callback": _setter("plot_event_fn"),
    "plot_engine_set_decision_callback": _setter("plot_decision_fn"),
    "plot_engine_set_recording_callback": _setter("plot_recording_fn"),
    "plot_engine_set_log_callback": _setter("plot_log_fn"),
    "plot_engine_set_wakeup_callback": _setter("plot_wakeup_fn"),
    "plot_engine_set_fix_request_callback": _setter("plot_fix_request_fn"),
    # Engine: strategies
    "plot_engine_set_strategy": (
        "int32_t",
        (_ENGINE, "const char *", "plot_strategy_fn", "void *", "plot_destroy_fn", _ERROR),
    ),
    "plot_strategy_call_get_item": ("const plot_item *", ("const plot_strategy_call *",)),
    "plot_strategy_call_get_next": ("const plot_item *", ("const plot_strategy_call *",)),
    "plot_strategy_call_get_time": ("int64_t", ("const plot_strategy_call *",)),
    "plot_strategy_call_get_done": ("int32_t", ("const plot_strategy_call *",)),
    "plot_strategy_call_get_json": ("const char *", ("const plot_strategy_call *",)),
    "plot_strategy_call_get_state": ("const char *", ("const plot_strategy_call *",)),
    "plot_strategy_call_set_state": ("int32_t", ("plot_strategy_call *", "const char *", _ERROR)),
    # Engine: recording
    "plot_engine_record_to_file": ("int32_t", (_ENGINE, "const char *", "int32_t", _ERROR)),
    "plot_engine_stop_recording": ("int32_t", (_ENGINE, _ERROR)),
    # Replay
    "plot_replay_new": ("int32_t", ("plot_replay **", _ERROR)),
    "plot_replay_take_line": ("int32_t", ("plot_replay *", "const char *", "size_t", "plot_string **", _ERROR)),
    "plot_replay_free": ("void", ("plot_replay *",)),
    # Engine: settings
    "plot_engine_enable": ("int32_t", (_ENGINE, "int64_t", _ERROR)),
    "plot_engine_disable": ("int32_t", (_ENGINE, "int64_t", _ERROR)),
    "plot_engine_is_enabled": ("int32_t", (_ENGINE, "int32_t *", _ERROR)),
    "plot_engine_set_cooldown_period": ("int32_t", (_ENGINE, "int64_t", "int64_t", _ERROR)),
    "plot_engine_get_cooldown_period": ("int32_t", (_ENGINE, "int64_t *", _ERROR)),
    "plot_engine_set_time_zone": ("int32_t", (_ENGINE, "int64_t", "const char *", _ERROR)),
    "plot_engine_set_clock": ("int32_t", (_ENGINE, "int64_t", "int64_t", "const char *", _ERROR)),
    "plot_engine_get_time_zone": ("int32_t", (_ENGINE, "plot_string **", _ERROR)),
    "plot_engine_offer_feed": ("int32_t", (_ENGINE, "const plot_feed *", _ERROR)),
    "plot_engine_set_feed": ("int32_t", (_ENGINE, "int64_t", "const plot_feed *", _ERROR)),
    "plot_engine_set_string_segmentation_property": (
        "int32_t",
        (_ENGINE, "int64_t", "const char *", "const char *", _ERROR),
    ),
    "plot_engine_set_boolean_segmentation_property": (
        "int32_t",
        (_ENGINE, "int64_t", "const char *", "int32_t", _ERROR),
    ),
    "plot_engine_set_integer_segmentation_property": (
        "int32_t",
        (_ENGINE, "int64_t", "const char *", "int64_t", _ERROR),
    ),
    "plot_engine_set_double_segmentation_property": (
        "int32_t",
        (_ENGINE, "int64_t", "const char *", "double", _ERROR),
    ),
    "plot_engine_set_date_segmentation_property": (
        "int32_t",
        (_ENGINE, "int64_t", "const char *", "int64_t", _ERROR),
    ),
    "plot_engine_clear_segmentation_property": ("int32_t", (_ENGINE, "int64_t", "const char *", _ERROR)),
    "plot_engine_get_segmentation_properties": ("int32_t", (_ENGINE, "plot_string **", _ERROR)),
    "plot_engine_set_advertising_identifier": ("int32_t", (_ENGINE, "int64_t", "const char *", "int32_t", _ERROR)),
    # Engine: inputs
    "plot_engine_update_location": (
        "int32_t",
        (_ENGINE, "int64_t", "double", "double", "double", "double", "double", _ERROR),
    ),
    "plot_engine_advance": ("int32_t", (_ENGINE, "int64_t", _ERROR)),
    "plot_engine_next_wakeup": ("int32_t", (_ENGINE, "int64_t *", _ERROR)),
    "plot_engine_get_batch": ("int32_t", (_ENGINE, "uint64_t", "plot_list **", _ERROR)),
    "plot_engine_update_ibeacon": (
        "int32_t",
        (_ENGINE, "int64_t", "const char *", "int32_t", "int32_t", "int32_t", "double", "double", _ERROR),
    ),
    "plot_engine_update_eddystone": (
        "int32_t",
        (_ENGINE, "int64_t", "const char *", "const char *", "int32_t", "double", "double", _ERROR),
    ),
    "plot_engine_region_hint": (
        "int32_t",
        (_ENGINE, "int64_t", "const char *", "int32_t", "double", "double", "double", _ERROR),
    ),
    "plot_engine_plan_regions": (
        "int32_t",
        (_ENGINE, "int64_t", "double", "double", "double", "int32_t", "int32_t", "plot_string **", _ERROR),
    ),
    "plot_engine_answer_filter": ("int32_t", (_ENGINE, "int64_t", "uint64_t", "const plot_list *", _ERROR)),
    "plot_engine_mark_geotriggers_handled": (
        "int32_t",
        (_ENGINE, "int64_t", "uint64_t", "const plot_list *", _ERROR),
    ),
    "plot_engine_open_notification": ("int32_t", (_ENGINE, "int64_t", "const char *", _ERROR)),
    "plot_engine_take_action": ("int32_t", (_ENGINE, "int64_t", "const char *", "const char *", _ERROR)),
    "plot_engine_test_filter": ("int32_t", (_ENGINE, "const plot_list *", "uint64_t *", _ERROR)),
    "plot_engine_test_geotrigger_handler": ("int32_t", (_ENGINE, "const plot_list *", "uint64_t *", _ERROR)),
    "plot_engine_get_test_answer": ("int32_t", (_ENGINE, "uint64_t", "plot_list **", _ERROR)),
    "plot_engine_dismiss_notification": ("int32_t", (_ENGINE, "int64_t", "const char *", _ERROR)),
    "plot_engine_remove_notification": ("int32_t", (_ENGINE, "int64_t", "const char *", _ERROR)),
    "plot_engine_update_notification": ("int32_t", (_ENGINE, "int64_t", "const plot_item *", _ERROR)),
    "plot_engine_move_region": ("int32_t", (_ENGINE, "int64_t", "const char *", "double", "double", _ERROR)),
    "plot_engine_set_foreground": ("int32_t", (_ENGINE, "int64_t", "int32_t", _ERROR)),
    "plot_engine_set_network": ("int32_t", (_ENGINE, "int64_t", "int32_t", _ERROR)),
    # Engine: many fixes at once
    "plot_engine_update_locations": ("int32_t", (_ENGINE, "size_t", *_COLUMNS, "plot_effects **", _ERROR)),
    "plot_engine_update_locations_together": (
        "int32_t",
        (_ENGINE, "int64_t", "size_t", *_COLUMNS, "plot_effects **", _ERROR),
    ),
    "plot_engines_update_locations": (
        "int32_t",
        (
            "plot_engine *const *",
            "size_t",
            "const uint32_t *",
            "size_t",
            *_COLUMNS,
            "plot_effects **",
            _ERROR,
        ),
    ),
    "plot_engines_replay": (
        "int32_t",
        (
            "plot_engine *const *",
            "size_t",
            "const uint32_t *",
            "size_t",
            *_COLUMNS,
            "int64_t",
            "plot_effects **",
            _ERROR,
        ),
    ),
    "plot_effects_get_count": ("size_t", ("const plot_effects *",)),
    "plot_effects_get_records": ("const plot_effect *", ("const plot_effects *",)),
    "plot_effects_free": ("void", ("plot_effects *",)),
    # Engine: its state as bytes
    "plot_engine_save": ("int32_t", (_ENGINE, "int32_t", "plot_string **", _ERROR)),
    "plot_engine_restore": (
        "int32_t",
        (
            _ENGINE,
            "int64_t",
            "const plot_config *",
            "const plot_feed *",
            "const char *",
            "const char *",
            "size_t",
            _ERROR,
        ),
    ),
    "plot_engines_save": (
        "int32_t",
        ("plot_engine *const *", "size_t", "int32_t", "int64_t *", "plot_string **", _ERROR),
    ),
    "plot_engines_restore": (
        "int32_t",
        (
            "plot_engine *const *",
            "size_t",
            "int64_t",
            "const plot_config *",
            "const plot_feed *",
            "const char *",
            "size_t",
            "const int64_t *",
            _ERROR,
        ),
    ),
    # Engine: messages
    "plot_engine_process_message": ("int32_t", (_ENGINE, "int64_t", "const char *", "size_t", _ERROR)),
    "plot_engine_set_list": ("int32_t", (_ENGINE, "int64_t", "const char *", "const char *", "size_t", _ERROR)),
    "plot_engine_edit_list": ("int32_t", (_ENGINE, "int64_t", "const char *", "const char *", "size_t", _ERROR)),
    "plot_engine_list_contains": ("int32_t", (_ENGINE, "const char *", "const char *", "int32_t *", _ERROR)),
    "plot_engine_get_lists": ("int32_t", (_ENGINE, "plot_string **", _ERROR)),
    # Engine: lists
    "plot_engine_get_displayed_notifications": ("int32_t", (_ENGINE, "plot_list **", _ERROR)),
    "plot_engine_get_events": (
        "int32_t",
        (_ENGINE, "const char *", "int64_t", "size_t", "plot_string **", _ERROR),
    ),
    "plot_engine_acknowledge_events": ("int32_t", (_ENGINE, "const char *", "int64_t", _ERROR)),
    "plot_engine_get_loaded_notifications": ("int32_t", (_ENGINE, "size_t", "plot_list **", _ERROR)),
    "plot_engine_get_loaded_geotriggers": ("int32_t", (_ENGINE, "size_t", "plot_list **", _ERROR)),
    "plot_engine_get_sent_notifications": ("int32_t", (_ENGINE, "plot_list **", _ERROR)),
    "plot_engine_get_sent_geotriggers": ("int32_t", (_ENGINE, "plot_list **", _ERROR)),
    "plot_engine_clear_sent_notifications": ("int32_t", (_ENGINE, "int64_t", _ERROR)),
    "plot_engine_clear_sent_geotriggers": ("int32_t", (_ENGINE, "int64_t", _ERROR)),
    "plot_engine_clear_all_data": ("int32_t", (_ENGINE, "int64_t", _ERROR)),
    "plot_engine_get_visits": ("int32_t", (_ENGINE, "plot_string **", _ERROR)),
    "plot_engine_get_summary": ("int32_t", (_ENGINE, "plot_string **", _ERROR)),
    "plot_engine_write_debug_log": ("int32_t", (_ENGINE, "const char *", _ERROR)),
    # Engine: why it was not shown
    "plot_engine_keep_decisions": ("int32_t", (_ENGINE, "int64_t", _ERROR)),
    "plot_engine_get_decisions": (
        "int32_t",
        (_ENGINE, "const char *", "const char *", "size_t", "plot_string **", _ERROR),
    ),
    "plot_engine_write_decisions_to": ("int32_t", (_ENGINE, "const char *", _ERROR)),
    "plot_engine_explain": (
        "int32_t",
        (_ENGINE, "const char *", "const char *", "const char *", "plot_string **", _ERROR),
    ),
}

# ---- Loader -----------------------------------------------------------------------------------------------------


class LibraryLoadError(ImportError):
    """The C library could not be loaded; the message lists every path tried and why it failed."""


def candidates(name: str = "lib/" + LIBRARY_NAME, variable: str = "PLOTENGINE_LIBRARY") -> list[Path]:
    """Where the library (or, by its name, the tool) may be, in the order of trying.

    The environment's override stands alone: who names a file wants that file, or an error.
    """
    override = os.environ.get(variable)
    if override:
        return [Path(override)]
    package = Path(__file__).resolve().parent
    found = [package / name]
    if package.parent.name == "src" and len(package.parents) > 3:
        root = package.parents[3]
        if (root / "include" / "plotengine.h").is_file():
            found.append(root / "build" / name)
    return found


def _open(path: Path) -> ctypes.CDLL:
    """Loads one file and binds the table to it; ``OSError`` says why it will not do."""
    if not path.is_file():
        raise OSError("there is no such file")
    library = ctypes.CDLL(str(path))
    for name, (result, parameters) in FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise OSError(f"it has no function {name}") from None
        function.restype = CTYPES[result]
        function.argtypes = [CTYPES[parameter] for parameter in parameters]
    version = library.plot_abi_version()
    if version < ABI_VERSION:
        raise OSError(f"its ABI is version {version}, and this package needs {ABI_VERSION} or later")
    return library


def load() -> ctypes.CDLL:
    """Loads the library: the environment's, else the packaged one, else the development build."""
    failures = []
    for path in candidates():
        try:
            return _open(path)
        except OSError as error:
            failures.append(f"  {path}: {error}")
    hint = "" if os.environ.get("PLOTENGINE_LIBRARY") else "\nPLOTENGINE_LIBRARY may name another file."
    raise LibraryLoadError(f"{LIBRARY_NAME} could not be loaded. Tried:\n" + "\n".join(failures) + hint)


lib = load()

string_address = ctypes.CFUNCTYPE(c_void_p, c_void_p)(("plot_string_get", lib))
"""Where the bytes of a plot_string are, which may have zeros among them."""

# ---- Callbacks --------------------------------------------------------------------------------------------------
# There is one C function pointer for each callback type, for the life of the process. What the library carries for
# us is a number; the number leads to a slot. The registry holds its slots weakly: an engine owns its slots, so that an
# engine, its callbacks and what these refer to are one cycle that Python's collector can see.


class Slot:
    """One registered callback. ``deliver`` translates the C arguments and calls the host."""

    __slots__ = ("__weakref__", "deliver", "failed", "key")

    def __init__(self, deliver: Callable[..., Any], failed: Callable[[BaseException], None]) -> None:
        self.deliver = deliver
        self.failed = failed
        self.key = next(_keys)
        registry[self.key] = weakref.ref(self)

    def __call__(self, *arguments: Any) -> Any:
        try:
            return self.deliver(*arguments)
        except BaseException as error:  # kept, and raised again by the call that led here
            self.failed(error)
            return _FAILED


_FAILED = 7  # PLOT_IO_ERROR: what a show callback that raised returns
_keys = itertools.count(1)
registry: dict[int, weakref.ref[Slot]] = {}


def _slot(key: int | None) -> Slot | None:
    reference = registry.get(key or 0)
    return reference() if reference is not None else None


@CTYPES["plot_destroy_fn"]  # type: ignore[untyped-decorator]
def destroy(key: int) -> None:
    """The library lets go of a registration."""
    registry.pop(key, None)


def _make(callback: str) -> Any:
    """The one function pointer of a callback type."""
    if CALLBACKS[callback][0] == "void":

        def trampoline(key: int, _engine: int, *arguments: Any) -> None:
            try:
                slot = _slot(key)
                if slot is not None:
                    slot(*arguments)
            except BaseException as error:
                unraisable(error, "a callback of plotengine")

        return CTYPES[callback](trampoline)

    def answering(key: int, _engine: int, *arguments: Any) -> int:
        # An exception that got out of here would leave the answer to chance: ctypes then returns what it finds.
        answer = _FAILED
        try:
            slot = _slot(key)
            if slot is not None:
                answer = int(slot(*arguments))
        except BaseException as error:
            unraisable(error, "a callback of plotengine")
        return answer

    return CTYPES[callback](answering)


TRAMPOLINES: dict[str, Any] = {name: _make(name) for name in CALLBACKS if name != "plot_destroy_fn"}
NO_CALLBACK: dict[str, Any] = {name: CTYPES[name]() for name in CALLBACKS}


def make_room() -> None:
    """Raises ``RecursionError`` while nothing has happened yet, where a trampoline could not even begin."""
    _less_room()


def _less_room() -> None:
    """One level further in, as deep as a trampoline is."""


class _Report:
    """Raises an exception where Python itself reports it, as nobody can catch it there.

    ``sys.unraisablehook`` takes arguments of a type that no program can make.
    """

    def __init__(self, error: BaseException, culprit: str) -> None:
        self.error = error
        self.culprit = culprit

    def __call__(self, _reference: object) -> None:
        raise self.error

    def __repr__(self) -> str:
        return self.culprit


class _Gone:
    """Something to refer to."""


def unraisable(error: BaseException, culprit: str) -> None:
    """Reports an exception that no call can raise to ``sys.unraisablehook``, as one of ``culprit``; never raises."""
    try:
        traceback = error.__traceback__
        gone = _Gone()
        reference = weakref.ref(gone, _Report(error, culprit))
        del gone
        del reference
        error.__traceback__ = traceback
    except BaseException:  # out of stack or memory: there is nothing left to tell it with
        pass
