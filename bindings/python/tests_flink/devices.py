"""An engine for each device of a stream, on Apache Flink (docs/fleet.md): devices.py FEED FIXES ROWS.

FIXES is CSV with the columns device, time in milliseconds, latitude and longitude, in the order in which they come.
ROWS is written, as CSV. The engine is Flink's state of the device, and its wakeups are Flink's timers.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from typing import Any

from pyflink.common import Duration, Row, Types, WatermarkStrategy
from pyflink.common.watermark_strategy import TimestampAssigner
from pyflink.datastream import KeyedProcessFunction, StreamExecutionEnvironment
from pyflink.datastream.state import ValueStateDescriptor

from plotengine import NO_POSITION, EffectKind, Engine, Feed, Fleet


class Times(TimestampAssigner):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value[1])


class Devices(KeyedProcessFunction):
    def __init__(self, feed: str) -> None:
        self._path = feed

    def open(self, runtime_context: Any) -> None:
        self._feed = Feed.load(self._path)
        self._state = runtime_context.get_state(ValueStateDescriptor("engine", Types.PICKLED_BYTE_ARRAY()))

    def process_element(self, value: Any, ctx: Any) -> Iterator[Row]:
        yield from self._go_on(ctx, value[0], ([value[1]], [value[2]], [value[3]]))

    def on_timer(self, timestamp: int, ctx: Any) -> Iterator[Row]:
        yield from self._go_on(ctx, ctx.get_current_key(), ([], [], []), until=timestamp)

    def _go_on(self, ctx: Any, device: str, fixes: tuple[Any, ...], until: int | None = None) -> Iterator[Row]:
        saved = self._state.value()
        with Engine() if saved else Engine({}, feed=self._feed, time=fixes[0][0], time_zone=None) as engine:
            fleet = Fleet([engine])
            if saved:
                fleet.restore([saved], {}, feed=self._feed)
            effects = fleet.replay([0] * len(fixes[0]), *fixes, until=until)
            wakeup = engine.next_wakeup()
            if wakeup is not None:
                ctx.timer_service().register_event_time_timer(int(wakeup.timestamp() * 1000))
            self._state.update(engine.save())
        for effect in effects:
            region = "" if effect["region"] == NO_POSITION else self._feed.region_id(int(effect["region"]))
            name = EffectKind(int(effect["kind"])).name.lower().replace("_", "-")
            yield Row(device, int(effect["time_ms"]), name, int(effect["number"]), region)


def main(feed: str, fixes: str, rows: str) -> None:
    environment = StreamExecutionEnvironment.get_execution_environment()
    environment.set_python_executable(sys.executable)
    environment.set_parallelism(2)
    with open(fixes, newline="") as file:
        given = [(name, int(time), float(north), float(east)) for name, time, north, east in list(csv.reader(file))[1:]]
    kind = Types.TUPLE([Types.STRING(), Types.LONG(), Types.DOUBLE(), Types.DOUBLE()])
    late = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_minutes(10)).with_timestamp_assigner(Times())
    stream = environment.from_collection(given, kind).assign_timestamps_and_watermarks(late)
    out = Types.ROW([Types.STRING(), Types.LONG(), Types.STRING(), Types.LONG(), Types.STRING()])
    found = stream.key_by(lambda fix: fix[0], Types.STRING()).process(Devices(feed), out)
    with open(rows, "w", newline="") as file:
        csv.writer(file).writerows(tuple(row) for row in found.execute_and_collect())


if __name__ == "__main__":
    main(*sys.argv[1:])
