"""The same answers by FastAPI, uvicorn and uvloop, to compare with: authentication, a limit and a counter in both.

    uvicorn fastapi_app:app        with FEED (a file), TOKEN, DATABASE (a file of SQLite) in the environment
"""

import hashlib
import json
import os
import sqlite3
import time
from collections import defaultdict
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse

FEED = Path(os.environ["FEED"]).read_bytes()
TOKEN = "Bearer " + os.environ["TOKEN"]
ETAG = f'"1-{hashlib.sha256(FEED).hexdigest()[:16]}-json"'
HEADERS = {"ETag": ETAG, "Cache-Control": "private, no-cache", "Vary": "Accept, Accept-Encoding, Plot-Installation", "Plot-Publication": "1",
           "Plot-Poll-After": "3600"}

app = FastAPI()
counts = defaultdict(int)
buckets = {}
database = sqlite3.connect(os.environ["DATABASE"], isolation_level=None, check_same_thread=False)
database.executescript("""
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS event(installation TEXT, sequence INTEGER, time TEXT, kind TEXT, region TEXT, json TEXT, PRIMARY KEY(installation, sequence));
    CREATE TABLE IF NOT EXISTS statistic(day TEXT, kind TEXT, region TEXT, number INTEGER, PRIMARY KEY(day, kind, region));
""")


def allowed(who):
    """A bucket of tokens, as the other server has; large, so that it never is empty here."""
    now = time.monotonic()
    tokens, last = buckets.get(who, (1e9, now))
    tokens = min(1e9, tokens + (now - last) * 1e6) - 1
    buckets[who] = tokens, now
    return tokens >= 0


@app.get("/device/v1/feed")
async def feed(request: Request):
    if request.headers.get("authorization") != TOKEN:
        return Response(status_code=401)
    if not allowed(request.headers.get("plot-installation", "")):
        return Response(status_code=429)
    status = 304 if request.headers.get("if-none-match") == ETAG else 200
    counts[f"feed {status}"] += 1
    return Response(b"" if status == 304 else FEED, status, HEADERS, media_type=None if status == 304 else "application/json")


@app.post("/device/v1/events")
async def events(request: Request):
    if request.headers.get("authorization") != TOKEN:
        return Response(status_code=401)
    installation = request.headers["plot-installation"]
    if not allowed(installation):
        return Response(status_code=429)
    body = json.loads(await request.body())
    accepted, added = 0, defaultdict(int)
    database.execute("BEGIN IMMEDIATE")
    for event in body["events"]:
        done = database.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", (
            installation, event["sequence"], event["time"], event["event"], event.get("region", ""), json.dumps(event)))
        if done.rowcount:
            accepted += 1
            added[event["time"][:10], event["event"], event.get("region", "")] += 1
    for (day, kind, region), number in added.items():
        database.execute("INSERT INTO statistic VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET number = number + excluded.number", (day, kind, region, number))
    database.execute("COMMIT")
    counts["events 200"] += 1
    return JSONResponse({"batch": body["batch"], "accepted": accepted, "duplicates": len(body["events"]) - accepted, "rejected": [],
                         "through": max(event["sequence"] for event in body["events"])})
