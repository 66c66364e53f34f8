# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Runs the vectors that prove a binding right: ``python -m plotengine.vectors [--json] DIRECTORY``.

Each scenario, NAME.json, goes through this package; what the engine asks for and tells must be, byte for byte, what
stands in NAME.effects.jsonl. The format, also of what is printed, is in Tests/vectors/README.md. Ends with 0 when all
are the same, 1 when one is not, and 2 when a scenario cannot be played.
"""

from __future__ import annotations

import difflib
import itertools
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, Callable

from . import _convert
from ._batch import Effect
from ._documents import Config, Feed
from ._engine import Engine
from ._errors import PlotError
from ._items import _KEYS, FilterBatch, GeotriggerBatch, Notification, SentNotification
from ._raw import lib
from ._records import Decision, Event
from ._strategies import Strategy
from ._types import LATER, EffectKind, Later, OpenAction
from ._vector_calls import CALLS


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _position(value: Mapping[str, Any]) -> tuple[float, float] | None:
    return (value["latitude"], value["longitude"]) if "latitude" in value else None


def _only(value: Mapping[str, Any], *known: str) -> None:
    """Every key must be one that the format knows."""
    for key in value:
        if key not in known:
            raise ValueError(f'unknown key "{key}"; expected {", ".join(known)}')


def _compact(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


_lives = itertools.count(1)


def _record(engine: Engine) -> None:
    """Where PLOT_VECTORS_RECORD names a folder, each life of an engine leaves a recording in it."""
    folder = os.environ.get("PLOT_VECTORS_RECORD")
    if folder is not None:
        engine.record(Path(folder, f"{next(_lives):04}.jsonl"))


class Scenario:
    """One scenario and the effects it has had so far."""

    def __init__(self, scenario: Mapping[str, Any], directory: Path) -> None:
        self.scenario = scenario
        self.host: Mapping[str, Any] = scenario.get("host", {})
        self.effects: list[str] = []
        self.config = Config.parse(_compact(scenario["config"]))
        self.store = directory / "store" if scenario.get("store", False) else None
        self.tokens: dict[str, list[int]] = {"filter": [], "geotriggers": []}
        self.shown: list[str] = []
        self.failures = 0
        self.engine = self._engine(scenario["start"], scenario.get("clock"))
        self._do_setFeed({"time": scenario["start"], "feed": scenario["feed"]})

    def run(self) -> str:
        """Runs the inputs; gives the effects, a line each."""
        try:
            for index, given in enumerate(self.scenario["inputs"]):
                try:
                    self._input(given)
                except PlotError as error:
                    # The library's own words: they are the same in every language.
                    self._effect(
                        f'"effect":"status","input":{index},"status":"{error.name}","message":{_quote(error._said)}'
                    )
        finally:
            self.engine.close()
        return "".join(line + "\n" for line in self.effects)

    def _effect(self, members: str) -> None:
        self.effects.append("{" + members + "}")

    def _engine(self, start: str, clock: Mapping[str, Any] | None) -> Engine:
        host = self.host
        engine = Engine(
            on_event=self._event,
            on_decision=self._decision if self.scenario.get("decisions", False) else None,
            on_filter=self._filter if host.get("filter", "none") != "none" else None,
            on_geotriggers=self._geotriggers if host.get("geotriggers", "none") != "none" else None,
            on_show=self._show if host.get("show", "ok") != "none" else None,
            on_remove=self._remove if host.get("remove", "ok") != "none" else None,
            on_notification=self._handler if host.get("handler", False) else None,
            on_open=self._open,
            on_wakeup=self._wakeup,
            on_fix_request=self._fix_request,
            on_sync=self._synced if self.host.get("sync") else None,
        )
        try:
            _record(engine)
            for rule in host.get("strategies", []):
                engine.set_strategy(rule["key"], _Ruled(rule, self._effect))
            if clock is not None:
                engine.set_clock(clock["monotonic"], clock["boot"], time=_convert.parse_time(start))
            # A vector has the same effects on machines of all zones.
            engine.init(self.config, store=self.store, time=_convert.parse_time(start), time_zone=None)
        except BaseException:
            engine.close()
            raise
        return engine

    # ---- Effects ------------------------------------------------------------------------------------------------

    def _event(self, event: Event) -> None:
        self._effect(f'"effect":"event","record":{event.raw}')

    def _decision(self, decision: Decision) -> None:
        self._effect(f'"effect":"decision","record":{decision.raw}')

    def _filter(self, batch: FilterBatch) -> list[Any] | Later:
        return self._asked("filter", batch)

    def _geotriggers(self, batch: GeotriggerBatch) -> list[Any] | Later:
        return self._asked("geotriggers", batch)

    def _asked(self, kind: str, batch: Any) -> list[Any] | Later:
        self._effect(f'"effect":"{kind}","token":{batch.token},"items":{batch.raw}')
        if batch.token not in self.tokens[kind]:  # a restart offers it again
            self.tokens[kind].append(batch.token)
        rules = self.host[kind]
        return LATER if rules == "later" else _keep(batch, rules)

    def _show(self, notification: Notification) -> bool:
        self._effect(f'"effect":"show","item":{notification.raw}')
        policy = self.host.get("show", "ok")
        if policy == "fail" or (policy == "failOnce" and self.failures == 0):
            self.failures += 1
            return False
        self.shown.append(notification.match_identifier or "")
        return True

    def _remove(self, notification: SentNotification) -> bool:
        self._effect(f'"effect":"remove","item":{notification.raw}')
        return bool(self.host.get("remove", "ok") != "fail")

    def _handler(self, notification: SentNotification, data: str) -> None:
        self._effect(f'"effect":"handler","item":{notification.raw},"data":{_quote(data)}')

    def _open(self, action: OpenAction, uri: str, notification: SentNotification) -> None:
        self._effect(f'"effect":"open","action":{int(action)},"uri":{_quote(uri)},"item":{notification.raw}')

    def _fix_request(self, deadline: Any) -> None:
        self._effect(f'"effect":"fixRequest","deadline":{_convert.milliseconds(deadline)}')

    def _synced(self, status: Any, next: Any) -> None:
        moment = -1 if next is None else _convert.milliseconds(next)
        self._effect(f'"effect":"syncStatus","next":{moment},"value":{status.raw}')

    def _wakeup(self, time: Any) -> None:
        self._effect(f'"effect":"wakeup","time":{-1 if time is None else _convert.milliseconds(time)}')

    # ---- Inputs -------------------------------------------------------------------------------------------------

    def _input(self, given: Mapping[str, Any]) -> None:
        if "list" in given:
            self._effect(f'"effect":"list","value":{self._listed(given["list"])}')
        elif "clear" in given:
            clear = {
                "sentNotifications": self.engine.clear_sent_notifications,
                "sentGeotriggers": self.engine.clear_sent_geotriggers,
            }[given["clear"]]
            clear(time=_convert.parse_time(given["time"]))
        else:
            (name, value), *rest = given.items()
            if rest:
                raise ValueError(f"an input with more than one key: {given}")
            if name not in CALLS:
                getattr(self, "_do_" + name)(value)
                return
            method, keys = CALLS[name]
            _only(value, "time", *keys)
            getattr(self.engine, method)(*(value[key] for key in keys), time=_convert.parse_time(value["time"]))

    def _listed(self, name: str) -> str:
        strings: dict[str, Any] = {
            "visits": lib.plot_engine_get_visits,
            "summary": lib.plot_engine_get_summary,
            "segmentation": lib.plot_engine_get_segmentation_properties,
            "lists": lib.plot_engine_get_lists,
        }
        if name in strings:
            return self.engine._string(strings[name])
        function, *arguments = {
            "sentNotifications": (lib.plot_engine_get_sent_notifications,),
            "sentGeotriggers": (lib.plot_engine_get_sent_geotriggers,),
            "displayedNotifications": (lib.plot_engine_get_displayed_notifications,),
            "loadedNotifications": (lib.plot_engine_get_loaded_notifications, 0),
            "loadedGeotriggers": (lib.plot_engine_get_loaded_geotriggers, 0),
        }[name]
        return self.engine._list(function, *arguments).to_json()

    def _do_fix(self, fix: Mapping[str, Any]) -> None:
        self.engine.update_location(
            fix["latitude"],
            fix["longitude"],
            accuracy=fix.get("accuracy", 0),
            speed=fix.get("speed", -1),
            course=fix.get("course", -1),
            time=_convert.parse_time(fix["time"]),
        )

    def _do_fixes(self, value: Mapping[str, Any]) -> None:
        fixes = value["fixes"]
        effects = self.engine.update_locations(
            [_convert.parse_time(fix["time"]) for fix in fixes],
            [float(fix["latitude"]) for fix in fixes],
            [float(fix["longitude"]) for fix in fixes],
            [float(fix.get("accuracy", 0)) for fix in fixes],
            [float(fix.get("speed", -1)) for fix in fixes],
            [float(fix.get("course", -1)) for fix in fixes],
            together=True,
            time=_convert.parse_time(value["time"]),
        )
        for effect in effects:
            record = Effect(*map(int, effect))
            if record.kind == EffectKind.REFUSED:
                name = lib.plot_status_name(record.detail).decode()
                self._effect(f'"effect":"status","fix":{record.fix},"status":"{name}"')

    def _do_sighting(self, value: Mapping[str, Any]) -> None:
        time = _convert.parse_time(value["time"])
        heard = {key: value[key] for key in ("proximity", "rssi", "power") if key in value}
        if "namespaceId" in value:
            self.engine.update_eddystone(value["namespaceId"], value["instanceId"], time=time, **heard)
        else:
            ids = value["proximityUUID"], value["majorId"], value["minorId"]
            self.engine.update_beacon(*ids, time=time, **heard)

    def _do_hint(self, value: Mapping[str, Any]) -> None:
        self.engine.region_hint(
            value["region"],
            value["kind"],
            position=_position(value),
            accuracy=value.get("accuracy", 0),
            time=_convert.parse_time(value["time"]),
        )

    def _do_planRegions(self, value: Mapping[str, Any]) -> None:
        text = self.engine._plan(
            value.get("budget", 0),
            _position(value),
            value.get("accuracy", 0),
            value.get("reset", False),
            value.get("fenceLeft", False),
            _convert.parse_time(value["time"]),
        )
        self._effect(f'"effect":"plan","value":{text}')

    def _do_advance(self, value: Mapping[str, Any]) -> None:
        self.engine.advance(time=_convert.parse_time(value["time"]))

    def _do_advanceToWakeup(self, value: bool) -> None:
        wakeup = self.engine.next_wakeup()
        if wakeup is not None:
            self.engine.advance(time=wakeup)

    def _do_explain(self, value: Mapping[str, Any]) -> None:
        _only(value, "campaign", "region", "language")
        text = self.engine._explain(value["campaign"], value.get("region"), value.get("language", "en"))
        self._effect(f'"effect":"explain","value":{text}')

    def _do_keepDecisions(self, value: Mapping[str, Any]) -> None:
        _only(value, "capacity")
        self.engine.keep_decisions(value["capacity"])

    def _do_getDecisions(self, value: Mapping[str, Any]) -> None:
        _only(value, "campaign", "region", "limit")
        text = self.engine._kept(value.get("campaign"), value.get("region"), value.get("limit", 0))
        self._effect(f'"effect":"decisions","value":{text}')

    def _do_enable(self, value: Mapping[str, Any]) -> None:
        self.engine.enable(time=_convert.parse_time(value["time"]))

    def _do_disable(self, value: Mapping[str, Any]) -> None:
        self.engine.disable(time=_convert.parse_time(value["time"]))

    def _do_setCooldownPeriod(self, value: Mapping[str, Any]) -> None:
        self.engine.set_cooldown_period(value["seconds"], time=_convert.parse_time(value["time"]))

    def _do_setTimeZone(self, value: Mapping[str, Any]) -> None:
        self.engine.set_time_zone(value["zone"], time=_convert.parse_time(value["time"]))

    def _do_setClock(self, value: Mapping[str, Any]) -> None:
        self.engine.set_clock(value["monotonic"], value["boot"], time=_convert.parse_time(value["time"]))

    def _do_setProperty(self, value: Mapping[str, Any]) -> None:
        read: dict[str, Callable[[Any], Any]] = {"double": float, "date": _convert.parse_time}
        what = value["value"]
        if what is not None:
            what = read.get(value["type"], lambda same: same)(what)
        self.engine.set_segmentation_property(value["key"], what, time=_convert.parse_time(value["time"]))

    def _do_clearProperty(self, value: Mapping[str, Any]) -> None:
        self.engine.clear_segmentation_property(value["key"], time=_convert.parse_time(value["time"]))

    def _do_setFeed(self, value: Mapping[str, Any]) -> None:
        self.engine.set_feed(Feed.parse(_compact(value["feed"])), time=_convert.parse_time(value["time"]))

    def _do_answerFilter(self, value: Mapping[str, Any]) -> None:
        self._answer(self.engine.filter_batch, self.tokens["filter"], value)

    def _do_answerGeotriggers(self, value: Mapping[str, Any]) -> None:
        self._answer(self.engine.geotrigger_batch, self.tokens["geotriggers"], value)

    def _answer(self, get: Callable[[int], Any], tokens: list[int], value: Mapping[str, Any]) -> None:
        batch = get(tokens[value["batch"] - 1])
        by_identifier = {item.identifier: item for item in batch}
        kept = []
        for keep in value["keep"]:
            item = by_identifier[keep["identifier"]]
            _edit(item, keep)
            kept.append(item)
        batch.answer(kept, time=_convert.parse_time(value["time"]))

    def _do_open(self, value: Mapping[str, Any]) -> None:
        match = self.shown[value["notification"] - 1]
        self.engine.open_notification(match, time=_convert.parse_time(value["time"]))

    def _do_dismiss(self, value: Mapping[str, Any]) -> None:
        match = self.shown[value["notification"] - 1]
        self.engine.dismiss_notification(match, time=_convert.parse_time(value["time"]))

    def _do_removeNotification(self, value: Mapping[str, Any]) -> None:
        match = self.shown[value["notification"] - 1] if "notification" in value else None
        self.engine.remove_notification(match, time=_convert.parse_time(value["time"]))

    def _do_updateNotification(self, value: Mapping[str, Any]) -> None:
        content = {key: value[key] for key in ("message", "data") if key in value}
        content |= {_NAMES[key]: part for key, part in value.get("set", {}).items()}
        match = self.shown[value["notification"] - 1]
        self.engine.update_notification(match, time=_convert.parse_time(value["time"]), **content)

    def _do_moveRegion(self, value: Mapping[str, Any]) -> None:
        place = value["latitude"], value["longitude"]
        self.engine.move_region(value["region"], *place, time=_convert.parse_time(value["time"]))

    def _do_takeAction(self, value: Mapping[str, Any]) -> None:
        match = self.shown[value["notification"] - 1]
        self.engine.take_action(match, value["action"], time=_convert.parse_time(value["time"]))

    def _do_setAdvertisingIdentifier(self, value: Mapping[str, Any]) -> None:
        self.engine.set_advertising_identifier(
            value.get("identifier"),
            limit_tracking=value.get("limitTracking", False),
            time=_convert.parse_time(value["time"]),
        )

    def _do_message(self, value: Mapping[str, Any]) -> None:
        payload = value["text"] if "text" in value else _compact(value["payload"])
        self.engine.process_message(payload, time=_convert.parse_time(value["time"]))

    def _do_editList(self, value: Mapping[str, Any]) -> None:
        add, remove = value.get("add", ()), value.get("remove", ())
        self.engine.edit_list(value["name"], add=add, remove=remove, time=_convert.parse_time(value["time"]))

    def _do_startTrip(self, value: Mapping[str, Any]) -> None:
        _only(value, "time", "trip")
        self.engine.start_trip(_compact(value["trip"]), _convert.parse_time(value["time"]))

    def _do_endTrip(self, value: Mapping[str, Any]) -> None:
        _only(value, "time", "trip", "arrived")
        self.engine.end_trip(
            value["trip"], arrived=value.get("arrived", False), time=_convert.parse_time(value["time"])
        )

    def _do_trips(self, value: Mapping[str, Any]) -> None:
        _only(value, "time")
        text = self.engine._trips(_convert.milliseconds(_convert.parse_time(value["time"])))
        self._effect(f'"effect":"trips","value":{text}')

    def _do_sync(self, value: Mapping[str, Any]) -> None:
        call, rest = value["call"], {key: part for key, part in value.items() if key not in ("call", "time")}
        if call == "status":
            _only(value, "call")
            self._effect(f'"effect":"sync","call":"status","value":{self.engine.sync_status().raw}')
            return
        time = _convert.parse_time(value["time"])
        if call == "begin":
            _only(rest, "facts", "feed", "seed")
            feed = Feed.parse(_compact(rest["feed"])) if "feed" in rest else None
            self.engine.sync_begin(rest.get("facts"), feed=feed, seed=rest["seed"].encode(), time=time)
        elif call == "next":
            _only(rest)
            self._effect(f'"effect":"sync","call":"next","value":{self.engine._sync_next(time)}')
        elif call == "response":
            _only(rest, "request", "status", "headers", "body")
            headers, body = rest.get("headers", {}), rest.get("body", "").encode()
            self.engine.sync_response(rest["request"], rest["status"], headers, body, time=time)
        elif call == "failure":
            self.engine.sync_failure(**rest, time=time)
        elif call == "receive":
            _only(rest, "request", "text")
            self.engine.sync_receive(rest["request"], rest["text"].encode(), time=time)
        elif call == "message":
            _only(rest, "payload")
            self.engine.sync_message(_compact(rest["payload"]), time=time)
        else:
            _only(rest)
            {"now": self.engine.sync_now, "stop": self.engine.sync_stop}[call](time=time)

    def _do_setList(self, value: Mapping[str, Any]) -> None:
        entries = _compact(value["list"]) if "list" in value else None
        self.engine.set_list(value["name"], entries, time=_convert.parse_time(value["time"]))

    def _do_restart(self, value: Mapping[str, Any]) -> None:
        self.engine.close()
        self.engine = self._engine(value["time"], value.get("clock"))


class _Ruled(Strategy):
    """A strategy of a scenario; its state is the number of displays that it was told of, and until when it says no."""

    def __init__(self, rule: Mapping[str, Any], effect: Callable[[str], None]) -> None:
        self.rule = rule
        self.effect = effect
        self.shown = 0
        self.next = 0  # until then it says no, in ms

    def _line(self, effect: str, what: str, item: Notification | None, rest: str) -> None:
        about = f',"identifier":{_quote(item.identifier)}' if item else ""
        self.effect(f'"effect":"{effect}","strategy":{_quote(self.rule["key"])},"what":"{what}"{about}{rest}')

    def _departure(self, what: str) -> str:
        if what == "create":
            return ""
        other = self.next_notification
        return f',"cause":{_quote(self.details["cause"])}' + (f',"next":{_quote(other.identifier)}' if other else "")

    def _vote(self, what: str, item: Notification, vetoes: str) -> bool:
        agrees = item.campaign_id not in self.rule.get(vetoes, [])
        if what == "create" and _convert.milliseconds(self.time) < self.next:
            agrees = False
        self._line("vote", what, item, self._departure(what) + f',"agrees":{_compact(agrees)}')
        return agrees

    def update_parameters(self, parameters: dict[str, Any]) -> None:
        self._line("told", "updateParameters", None, f',"json":{_compact(parameters)}')

    def create_new_notification(self, notification: Notification, context: dict[str, Any]) -> bool:
        return self._vote("create", notification, "veto")

    def on_notification_created(self, notification: Notification, created: bool) -> None:
        self.shown += created
        self._line("told", "created", notification, f',"done":{_compact(created)}')

    def delete_current_notification(self, notification: Notification, context: dict[str, Any]) -> bool:
        return self._vote("delete", notification, "vetoDelete")

    def on_notification_deleted(self, notification: Notification, deleted: bool) -> None:
        if deleted and "minimumTime" in self.rule:
            self.next = _convert.milliseconds(self.time) + 1000 * int(self.rule["minimumTime"])
        self._line("told", "deleted", notification, self._departure("delete") + f',"done":{_compact(deleted)}')

    def on_background(self) -> None:
        self._line("told", "background", None, "")

    def on_foreground(self) -> None:
        self._line("told", "foreground", None, "")

    def on_start_monitoring(self, region: str, visit: str) -> None:
        self._line("told", "startMonitoring", None, f',"json":{_compact(self.details)}')

    def load(self, state: str | None) -> None:
        shown, _, until = (state or "0").partition(" ")
        self.shown, self.next = int(shown), int(until or 0)
        self._line("told", "load", None, f',"state":{"null" if state is None else _quote(state)}')

    def save(self) -> str:
        return f"{self.shown} {self.next}" if "minimumTime" in self.rule else str(self.shown)


_NAMES = {key: name for name, key in _KEYS.items()}


def _edit(item: Any, rule: Mapping[str, Any]) -> None:
    for key in ("message", "data"):
        if key in rule:
            setattr(item, key, rule[key])
    for key, value in rule.get("set", {}).items():
        setattr(item, _NAMES[key], value)


def _keep(batch: Any, rules: list[Mapping[str, Any]]) -> list[Any]:
    """The items of a batch that the rules keep: for each item the first rule that matches."""
    kept = []
    for item in batch:
        rule = next((rule for rule in rules if rule.get("identifier", item.identifier) == item.identifier), {})
        if not rule.get("drop", False):
            _edit(item, rule)
            kept.append(item)
    return kept


def run(path: Path) -> str:
    """The effects of one scenario."""
    with tempfile.TemporaryDirectory() as directory:
        return Scenario(json.loads(path.read_text(encoding="utf-8")), Path(directory)).run()


def _files(directory: Path, ending: str) -> list[Path]:
    return [*directory.glob(f"*{ending}"), *directory.glob(f"*/*{ending}")]


def scenarios(directory: Path) -> list[Path]:
    """The scenarios of a directory and of those in it; none is an error."""
    found = sorted(_files(directory, ".json"))
    if not found:
        raise FileNotFoundError(f"no vectors in {directory}")
    return found


def difference(path: Path) -> str | None:
    """How the effects of a scenario differ from those expected; None when they are the same bytes."""
    expected = path.with_suffix(".effects.jsonl").read_bytes()
    actual = run(path).encode()
    if actual == expected:
        return None
    names = ("expected", "actual")
    lines = difflib.unified_diff(
        expected.decode(errors="replace").splitlines(), actual.decode().splitlines(), *names, lineterm="", n=1
    )
    return "\n".join(lines) or "the bytes differ at an end of line"


def _row(directory: Path, name: str) -> dict[str, Any]:
    """The report about one vector, as in the table's JSON."""
    path, expected = directory / f"{name}.json", directory / f"{name}.effects.jsonl"
    row: dict[str, Any] = {"name": name, "area": "none", "steps": 0, "effects": 0, "pass": False}
    if not path.exists():  # effects that belong to no scenario: a slip of the pen, and never run otherwise
        return {**row, "missing": path.name}
    scenario = json.loads(path.read_text(encoding="utf-8"))
    if scenario["name"] != name:
        raise ValueError(f"{path}: name: expected the name of the file")
    actual = run(path).encode()
    row |= {
        "area": scenario.get("area", "none"),
        "steps": len(scenario["inputs"]),
        "effects": actual.count(b"\n"),
    }
    if not expected.exists():
        return {**row, "missing": expected.name}
    given, wanted = actual.split(b"\n"), expected.read_bytes().split(b"\n")
    if given == wanted:
        return {**row, "pass": True}
    pairs = list(zip(given, wanted))
    line = next((index for index, (one, other) in enumerate(pairs) if one != other), len(pairs))
    one, other = (lines[line] if line < len(lines) else None for lines in (given, wanted))
    short = list(zip(one or b"", other or b""))
    byte = next((index for index, (a, b) in enumerate(short) if a != b), len(short))
    return {
        **row,
        "line": line + 1,
        "byte": byte + 1,
        "expected": None if other is None else other.decode(errors="replace"),
        "actual": None if one is None else one.decode(errors="replace"),
    }


def play(directory: Path) -> list[dict[str, Any]]:
    """Plays all vectors of a directory; what is told of each, by area and name."""
    found = {(path.parent, path.stem) for path in scenarios(directory)}
    ending = ".effects.jsonl"
    for path in _files(directory, ending):
        found.add((path.parent, path.name[: -len(ending)]))
    return sorted((_row(*each) for each in sorted(found)), key=lambda row: (row["area"], row["name"]))


def _total(name: str, rows: list[dict[str, Any]], width: int) -> str:
    steps, effects = (sum(row[key] for row in rows) for key in ("steps", "effects"))
    failed = sum(not row["pass"] for row in rows)
    return f"{name:<{width}}  {len(rows):7}  {steps:5}  {effects:7}  {failed:6}"


def table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """The table for people, a line each; the same in every language."""
    width = max(len(row["name"]) for row in rows)
    areas = {area: list(members) for area, members in groupby(rows, key=lambda row: row["area"])}
    for area, members in areas.items():
        yield area
        for row in members:
            verdict = "pass" if row["pass"] else "FAIL"
            yield f"  {row['name']:<{width}}  {row['steps']:5} steps  {row['effects']:5} effects  {verdict}"
            if "missing" in row:
                yield f"    {row['missing']} is missing"
            elif not row["pass"]:
                yield f"    line {row['line']}, from byte {row['byte']} on"
                for key in ("expected", "actual"):
                    yield f"      {key:<8} {'(no more lines)' if row[key] is None else row[key]}"
    wide = max(len(area) for area in [*areas, "total"])
    yield ""
    yield f"{'area':<{wide}}  vectors  steps  effects  failed"
    for area, members in areas.items():
        yield _total(area, members, wide)
    yield _total("total", rows, wide)
    passed = sum(row["pass"] for row in rows)
    yield f"{passed} passed, {len(rows) - passed} failed"


def main() -> None:
    """Plays the vectors of a folder; the status of the process."""
    arguments = [word for word in sys.argv[1:] if word != "--json"]
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: python -m plotengine.vectors [--json] DIRECTORY", file=sys.stderr)
        sys.exit(2)
    try:
        rows = play(Path(arguments[0]))
    except (OSError, ValueError, KeyError) as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        sys.exit(2)
    passed = sum(row["pass"] for row in rows)
    if "--json" in sys.argv[1:]:
        text = _compact({"vectors": rows, "passed": passed, "failed": len(rows) - passed})
    else:
        text = "\n".join(table(rows))
    sys.stdout.buffer.write(text.encode() + b"\n")
    sys.stdout.flush()
    sys.exit(0 if passed == len(rows) else 1)


if __name__ == "__main__":
    main()
