"""The same answers by FastAPI, uvicorn and uvloop, to compare with, written as its documentation shows: authentication and a limit as dependencies,
counters by prometheus_client in a middleware.

    uvicorn fastapi_app:app        with FEED (a file), TOKEN, DATABASE (a file of SQLite) in the environment
"""

import hashlib
import json
import os
import sqlite3
import time
from collections import defaultdict
from pathlib import Path
from typing import Annotated

from fastapi import Depends, FastAPI, Header, HTTPException, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from prometheus_client import Counter, Histogram

FEED = Path(os.environ["FEED"]).read_bytes()
TOKEN = os.environ["TOKEN"]
ETAG = f'"1-{hashlib.sha256(FEED).hexdigest()[:16]}-json"'
HEADERS = {"ETag": ETAG, "Cache-Control": "private, no-cache", "Vary": "Accept, Accept-Encoding, Plot-Installation", "Plot-Publication": "1",
           "Plot-Poll-After": "3600"}
REQUESTS = Counter("requests_total", "Requests that were answered.", ["route", "status"])
SECONDS = Histogram("request_seconds", "How long requests took.", ["route"])

app = FastAPI()
bearer = HTTPBearer()
buckets = {}
database = sqlite3.connect(os.environ["DATABASE"], isolation_level=None, check_same_thread=False)
database.executescript("""
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS event(installation TEXT, sequence INTEGER, time TEXT, kind TEXT, region TEXT, json TEXT, PRIMARY KEY(installation, sequence));
    CREATE TABLE IF NOT EXISTS statistic(day TEXT, kind TEXT, region TEXT, number INTEGER, PRIMARY KEY(day, kind, region));
""")


@app.middleware("http")
async def measure(request: Request, call_next):
    began = time.perf_counter()
    response = await call_next(request)
    route = request.url.path
    REQUESTS.labels(route, str(response.status_code)).inc()
    SECONDS.labels(route).observe(time.perf_counter() - began)
    return response


async def authenticated(credentials: Annotated[HTTPAuthorizationCredentials, Depends(bearer)]):
    if credentials.credentials != TOKEN:
        raise HTTPException(401)


async def limited(plot_installation: Annotated[str, Header()]):
    """A bucket of tokens, as the other server has; large, so that it never is empty here."""
    now = time.monotonic()
    tokens, last = buckets.get(plot_installation, (1e9, now))
    tokens = min(1e9, tokens + (now - last) * 1e6) - 1
    buckets[plot_installation] = tokens, now
    if tokens < 0:
        raise HTTPException(429)
    return plot_installation


@app.get("/device/v1/feed", dependencies=[Depends(authenticated), Depends(limited)])
async def feed(if_none_match: Annotated[str | None, Header()] = None):
    if if_none_match == ETAG:
        return Response(status_code=304, headers=HEADERS)
    return Response(FEED, headers=HEADERS, media_type="application/json")


@app.post("/device/v1/events", dependencies=[Depends(authenticated)])
async def events(request: Request, installation: Annotated[str, Depends(limited)]):
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
    return {"batch": body["batch"], "accepted": accepted, "duplicates": len(body["events"]) - accepted, "rejected": [],
            "through": max(event["sequence"] for event in body["events"])}
