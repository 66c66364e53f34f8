"""A stream over a folder of Parquet files, one in each batch: stream_job.py FOLDER FEEDS CONFIG.

FEEDS is JSON: the paths of feeds by the times from which they are in force, that of the first being 0. CONFIG is JSON,
too. The folder has `in`; the rows go to `out`, the checkpoint to `checkpoint`. The job ends when all has been read.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from world import session

from plotengine import spark


def run(folder: Path, feeds: dict[int, str], config: dict[str, Any]) -> None:
    options = {"spark.sql.shuffle.partitions": "2", **spark.STATE_STORE}
    # A task is tried again, as on a cluster.
    made = session("local[2,200]", folder / "local", **options)
    fixes = made.readStream.schema(made.read.parquet(str(folder / "in")).schema).option("maxFilesPerTrigger", 1)
    updates = {at: path for at, path in feeds.items() if at}
    rows = spark.stream(fixes.parquet(str(folder / "in")), feeds[0], config, updates=updates)
    out = rows.writeStream.format("parquet").option("checkpointLocation", str(folder / "checkpoint"))
    out.trigger(availableNow=True).start(str(folder / "out")).awaitTermination()
    made.stop()


if __name__ == "__main__":
    run(Path(sys.argv[1]), {int(at): path for at, path in json.loads(sys.argv[2]).items()}, json.loads(sys.argv[3]))
