"""The checks of a wheel where there is nothing else: python smoke.py, beside a folder demo/."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import plotengine
from plotengine import Engine, FilterBatch, _raw, android, xamarin
from plotengine.asyncio import AsyncEngine

package = Path(plotengine.__file__).resolve().parent
assert package.is_relative_to(Path(sys.prefix).resolve()), package
assert _raw.candidates() == [package / "lib" / "libplotengine.so.0"]

# The libraries that are mapped are the packaged ones, not the system's.
mapped = {line.split()[-1] for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines() if "/" in line}
ours = {Path(name).name.split("-")[0] for name in mapped if name.startswith(str(package.parent))}
assert {"libplotengine.so.0", "libjansson", "libsqlite3"} <= ours, mapped
assert not any(name.endswith(("libjansson.so.4", "libsqlite3.so.0")) for name in mapped), mapped
assert (package / "py.typed").is_file()
assert (package / "licenses" / "libjansson4.txt").is_file()
docs = subprocess.run([sys.executable, "-m", "plotengine", "docs"], capture_output=True, text=True, check=True).stdout
assert docs == f"{package / 'doc'}\n", docs
assert (package / "doc" / "docs" / "python.md").is_file()

NOON = 1_772_366_400_000
shown = []
with Engine(
    "demo/plotconfig.json", feed="demo/feed.json", store="smoke.store", time=NOON, on_show=shown.append
) as engine:

    @engine.on_filter
    def greet(batch: FilterBatch) -> FilterBatch:
        for notification in batch:
            notification.message = "Hello! " + notification.message
        return batch

    engine.update_location(52.3686, 4.8893, time=NOON + 2_000)
assert [notification.campaign_id for notification in shown] == ["offer"]
assert shown[0].message.startswith("Hello! Koffiehuis De Lantaarn")
with Engine("demo/plotconfig.json", store="smoke.store", time=NOON + 3_000) as engine:
    assert len(engine.sent_notifications()) == 1

    times = [NOON + 60_000 * minute for minute in range(2, 8)]
    assert len(engine.update_locations(times, [52.36] * 6, [4.89] * 6)) > 0


async def asynchronous() -> None:
    async with AsyncEngine("demo/plotconfig.json", feed="demo/feed.json") as engine:
        events = engine.events()
        engine.update_location(52.3686, 4.8893)
        assert (await events.__anext__()).event == "region-enter"


asyncio.run(asynchronous())

android.Plot.init(android.Context("demo"))
assert android.Plot.getVersion() == plotengine.__version__
android.Plot.close()
assert xamarin.Plot.GetInstance(xamarin.Host("demo")).Version == plotengine.__version__
xamarin.PlotBase.Close()
del engine
assert plotengine.live_objects() == 0
print(f"plotengine {plotengine.__version__} from {os.path.relpath(package)}: smoke test passed")
