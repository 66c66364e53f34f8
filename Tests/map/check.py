#!/usr/bin/env python3
"""Drives map pages of `plot simulate --map` in headless Chromium, by its debugging pipe, as a person would: keys, slider, list, filters,
a phone, dark colours, no JavaScript.

    Tests/map/check.py CHROMIUM PLOT         runs the demo and the large run, and checks the pages; says what does not hold
    Tests/map/check.py CHROMIUM --shot PAGE OUT [WIDTH HEIGHT [FRAGMENT [dark]]]    takes a picture of a page
"""

import base64
import http.server
import json
import os
import pathlib
import re
import select
import subprocess
import sys
import tempfile
import threading
import xml.etree.ElementTree
from typing import ClassVar

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Browser:
    """One page in a Chromium without a window."""

    def __init__(self, chromium: str, home: str, *flags: str) -> None:
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def pipes() -> None:
            # Above 4 first, so that neither covers the other.
            a, b = os.dup2(theirs_in, 103), os.dup2(theirs_out, 104)
            os.dup2(a, 3)
            os.dup2(b, 4)

        command = [
            chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--no-first-run", "--disable-background-networking", f"--user-data-dir={home}", "--remote-debugging-pipe",
            *flags, "about:blank",
        ]
        self.process = subprocess.Popen(
            command, preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.input, self.output, self.buffer, self.number = ours_out, ours_in, b"", 0
        self.session = None
        self.events: list[dict] = []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.input, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def read(self) -> dict:
        while b"\0" not in self.buffer:
            if not select.select([self.output], [], [], 30)[0]:
                raise RuntimeError("Chromium has not answered for 30 s")
            piece = os.read(self.output, 1 << 16)
            if not piece:
                raise RuntimeError("Chromium has ended")
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def open(self, page: pathlib.Path, fragment: str = "", width: int = 1280, height: int = 800, *, dark: bool = False,
             script: bool = True) -> None:
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])
        # By way of an empty page: another fragment of the same page would load nothing.
        for url in ("about:blank", page.resolve().as_uri() + fragment):
            self.events.clear()
            self.call("Page.navigate", url=url)
            while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
                self.events.append(self.read())
        if script:
            self.settle()

    def settle(self) -> None:
        """Until what was asked for has been drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def run(self, script: str):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36, "ArrowLeft": 37,
            "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}

    def press(self, key: str, shift: bool = False) -> None:
        code = self.KEYS.get(key, ord(key.upper()[0]))
        about = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        text = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **about, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **about)
        self.settle()

    def click(self, selector: str) -> None:
        x, y = self.run(f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
                        " return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" else "left",
                      clickCount=1)
        self.settle()

    def picture(self, path: pathlib.Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def faults(self) -> list[str]:
        """The page's requests to the network, and its errors."""
        found = []
        for event in self.events:
            method, about = event.get("method"), event.get("params", {})
            if method == "Network.requestWillBeSent" and not about["request"]["url"].startswith(("file:", "about:", "data:")):
                found.append(f"asked for {about['request']['url']}")
            elif method == "Runtime.exceptionThrown":
                found.append(str(about["exceptionDetails"].get("exception", {}).get("description", about)))
            elif method == "Log.entryAdded" and about["entry"]["level"] == "error":
                found.append(about["entry"]["text"])
        return found

    def close(self) -> None:
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(timeout=20)
        except (RuntimeError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


class Check:
    """Counts what was looked at, and says what does not hold."""

    def __init__(self, name: str) -> None:
        self.name, self.count, self.failed = name, 0, 0

    def that(self, name: str, found, expected=True) -> None:
        self.count += 1
        if found != expected:
            self.failed += 1
            print(f"{self.name}: {name}: expected {expected!r}, found {found!r}", file=sys.stderr)


def simulate(plot: str, folder: pathlib.Path, name: str, *arguments: str) -> pathlib.Path:
    page = folder / f"{name}.html"
    subprocess.run([plot, "simulate", "--quiet", "--map", str(page), "--svg", str(folder / f"{name}.svg"), *arguments], check=True,
                   cwd=ROOT, stdout=subprocess.DEVNULL)
    return page


def large(folder: pathlib.Path) -> list[str]:
    """10,000 fixes up and down a street of 40 places, with six campaigns at each."""
    start, lines = 1_790_000_000, ["time,latitude,longitude,accuracy"]
    for index in range(10_000):
        way = index % 800
        lines.append(f"{start + 5 * index},{52 + (way if way < 400 else 800 - way) * 1e-4:.6f},{4 + index % 7 * 1e-6:.6f},5")
    (folder / "large.csv").write_text("\n".join(lines) + "\n")
    places = [{"id": f"place-{n}", "type": "geofence", "name": f"Place {n}", "latitude": 52 + n * 1e-3, "longitude": 4, "radius": 40}
              for n in range(40)]
    campaigns = [{"id": f"campaign-{n}", "type": "notification", "message": "At {{name}}", "regions": [p["id"] for p in places],
                  **({} if n == 0 else {"segmentation": {"all": [{"property": "none", "equals": n}]}})} for n in range(6)]
    campaigns[0]["cooldownPeriod"] = 1
    (folder / "large.json").write_text(json.dumps({"version": 1, "revision": "large", "regions": places, "campaigns": campaigns}))
    return ["--feed", str(folder / "large.json"), "--track", str(folder / "large.csv")]


HOSTILE = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\"><!--<script>"


def hostile(folder: pathlib.Path) -> list[str]:
    """No track, a beacon and a circle that says something nasty, and a background of every type."""
    (folder / "hostile.json").write_text(json.dumps({
        "version": 1, "revision": HOSTILE,
        "regions": [
            {"id": "shop", "type": "geofence", "name": HOSTILE, "latitude": 52, "longitude": 4, "radius": 100},
            {"id": HOSTILE, "type": "beacon", "name": HOSTILE, "proximityUUID": "6b0d1f5e-3a8c-4c27-9f41-d2a7e0c85b13", "majorId": 1,
             "minorId": 4}],
        "campaigns": [{"id": HOSTILE, "type": "notification", "message": HOSTILE, "regions": ["shop", HOSTILE]}]}))
    (folder / "hints.jsonl").write_text("".join(json.dumps({"time": time, "region": "shop", "kind": kind}) + "\n" for time, kind in (
        ("2026-05-16T11:00:00Z", "enter"), ("2026-05-16T11:20:00Z", "exit"))))
    (folder / "sightings.jsonl").write_text("".join(json.dumps({
        "time": f"2026-05-16T11:10:{second:02}Z", "proximityUUID": "6b0d1f5e-3a8c-4c27-9f41-d2a7e0c85b13", "majorId": 1, "minorId": 4,
        "proximity": "near"}) + "\n" for second in range(0, 20, 2)))
    square = [[3.99, 51.99], [4.01, 51.99], [4.01, 52.01], [3.99, 51.99]]
    shapes = [("Point", [4.001, 52]), ("MultiPoint", [[4, 52.001], [3.999, 52]]), ("LineString", square), ("MultiLineString", [square]),
              ("Polygon", [square]), ("MultiPolygon", [[square]])]
    geometries = [{"type": kind, "coordinates": coordinates} for kind, coordinates in shapes]
    (folder / "ground.json").write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"natural": "water", "name": HOSTILE},
         "geometry": {"type": "GeometryCollection", "geometries": geometries}},
        {"type": "Feature", "properties": {"highway": HOSTILE}, "geometry": geometries[2]},
        {"type": "Feature", "properties": None, "geometry": None}]}))
    return ["--feed", str(folder / "hostile.json"), "--hints", str(folder / "hints.jsonl"), "--sightings",
            str(folder / "sightings.jsonl"), "--background", str(folder / "ground.json")]


DEMO = ["--config", "demo/plotconfig.json", "--feed", "demo/feed.json", "--track", "demo/walk.gpx", "--sightings", "demo/beacons.csv",
        "--property", "language=en", "--property", "premiumMember=true"]
TIME = "document.documentElement.dataset.time"
# How near the map is.
SCALE = "+/scale\\(([^)]+)/.exec(document.getElementById('world').getAttribute('transform'))[1]"
PINS = "document.querySelectorAll('#pins .pin:not(.off), #dots .pin:not(.off)').length"
WIDE = "document.documentElement.scrollWidth <= innerWidth"


def state(region: str) -> str:
    """The state that a region is drawn in, by its name."""
    return ("(() => { const d = JSON.parse(document.getElementById('data').textContent);"
            f" const p = d.places.findIndex(p => p[1] === {json.dumps(region)});"
            " const i = d.regions.findIndex(r => r[3] === p);"
            " return document.querySelector(`[data-r='${i}']`).dataset.state; })()")


def check_demo(browser: Browser, page: pathlib.Path, check: Check) -> None:
    def is_at(name: str, time: str) -> None:
        check.that(name, browser.run(TIME), f"2026-05-16T{time}Z")

    cafe = state("Koffiehuis De Lantaarn")
    for time, expected, pins in (("11:01:00", "outside", 0), ("11:19:00", "inside", 4), ("11:25:00", "dwelling", 5),
                                 ("11:31:00", "outside", 7)):
        browser.open(page, f"#t=2026-05-16T{time}Z")
        is_at("the time of the address", time)
        check.that(f"the café at {time}", browser.run(cafe), expected)
        check.that(f"pins at {time}", browser.run(PINS), pins)
    browser.open(page, "#t=1640")
    check.that("a beacon is named, though it has no place",
               browser.run("document.getElementById('now').textContent.includes('Till of De Lantaarn Inside since 13:27:05')"))
    browser.open(page)
    is_at("the first time is the last", "12:42:50")
    check.that("pins at the end", browser.run(PINS), 15)
    # Keys of the slider.
    browser.run("document.getElementById('slider').focus()")
    browser.press("Home")
    is_at("home", "11:00:00")
    browser.press("ArrowRight")
    is_at("right", "11:00:30")
    browser.press("PageUp")
    is_at("page up", "11:05:30")
    browser.press("ArrowLeft", shift=True)
    is_at("left with shift", "11:00:30")
    check.that("the slider says it", browser.run("document.getElementById('slider').getAttribute('aria-valuetext')"), "13:00:30 Europe/Amsterdam")
    # Keys of the page.
    browser.press("n")
    is_at("the next notification", "11:02:20")
    browser.press("n")
    is_at("and the next", "11:09:25")
    check.that("its message is on the map", browser.run("document.querySelector('#tip b').textContent"),
               "Welcome to Dam square. Would you like a tour?")
    browser.press("p")
    is_at("the one before", "11:02:20")
    browser.press(" ")
    check.that("space plays", browser.run("document.documentElement.classList.contains('playing')"))
    for _ in range(5):
        browser.settle()
    browser.press(" ")
    check.that("and stops", browser.run("document.documentElement.classList.contains('playing')"), False)
    check.that("time went on", browser.run(TIME) > "2026-05-16T11:02:20Z")
    # A fix with its error, and one that did not count.
    browser.run("location.hash = '#t=2026-05-16T11:47:50Z'")
    browser.settle()
    check.that("the newest fix has its error",
               browser.run("[document.getElementById('error').getAttribute('visibility'), +document.getElementById('error').getAttribute('r') > 0]"),
               ["visible", True])
    # The list: views, filters, rows.
    browser.click("[value=decisions]")
    browser.run("document.getElementById('list').focus()")
    browser.press("Home")
    is_at("the first decision", "11:00:00")
    check.that("it is marked", browser.run("document.querySelector('.row.on').getAttribute('aria-current')"), "time")
    browser.press("ArrowDown")
    is_at("the second", "11:01:45")
    browser.press("End")
    check.that("the last is told to the reader of the screen",
               browser.run("document.getElementById(document.getElementById('list').getAttribute('aria-activedescendant')).ariaPosInSet"), "273")
    browser.click("[value=dropped]")
    check.that("not shown", browser.run("document.querySelectorAll('.row').length"), 6)
    browser.click(".row[data-n='2']")
    is_at("a click on a row moves the slider", "11:47:45")
    check.that("all of the decision is said", browser.run("document.getElementById('detail').innerText.replace(/\\s+/g, ' ')"),
               "Time 2026-05-16 13:47:45 Europe/Amsterdam Why Another notification was shown at 2026-05-16 13:47:30, and 2 min must pass between two. "
               "Campaign offer Region Boekhandel Het Vlot Step cooldown Verdict drop Reason global-cooldown"
               " Possible from 2026-05-16 13:49:30 Europe/Amsterdam")
    browser.run("(s => { s.selectedIndex = [...s.options].findIndex(o => o.text === 'dam-nl');"
                " s.dispatchEvent(new Event('change')); })(document.getElementById('campaign'))")
    browser.settle()
    check.that("filtered by campaign", browser.run("[...document.querySelectorAll('.row .details')].map(e => e.textContent)"),
               ["The conditions are not true, because of language (here: en)."])
    check.that("and the pins with it", browser.run(PINS), 0)
    check.that("the address keeps it", browser.run("location.hash"), "#t=2026-05-16T11:47:45Z&view=dropped&campaign=dam-nl")
    # The buttons of the map.
    browser.open(page)
    for button, way in (("Zoom in", 1), ("Zoom out", -1)):
        before = browser.run(SCALE)
        browser.click(f"[aria-label='{button}']")
        after = browser.run(SCALE)
        check.that(f"the button \"{button}\"", (after > before) - (after < before), way)
    # The tab key goes round, and shows where it is.
    browser.open(page)
    seen = []
    for _ in range(16):
        browser.press("Tab")
        seen.append(browser.run("(e => e.id || e.name || e.className.baseVal || e.tagName)(document.activeElement)"))
        check.that(f"the focus on {seen[-1]} shows", browser.run(
            "(e => { const all = [e, ...(e.parentNode?.querySelectorAll('span, .drop') ?? [])]; return e === document.body ||"
            " all.some(x => getComputedStyle(x).outlineStyle !== 'none' || getComputedStyle(x).strokeWidth === '3px'); })"
            "(document.activeElement)"))
    for name in ("map", "in", "play", "slider", "view", "campaign", "region", "list"):
        check.that(f"tab comes to {name}", name in seen)
    check.that("no fault", browser.faults(), [])
    # A phone, upright and on its side.
    for width, height in ((360, 740), (740, 360)):
        browser.open(page, "#t=2026-05-16T11:47:50Z", width, height, dark=True)
        check.that(f"it fits {width} pixels", browser.run(WIDE))
        check.that(f"the slider is there at {width}", browser.run("document.getElementById('slider').clientWidth > 90"))
        check.that("rows are there", browser.run("document.querySelectorAll('.row').length > 4"))
    colour = "getComputedStyle(document.body).backgroundColor"
    dark = browser.run(colour)
    browser.open(page)
    check.that("dark differs from light", browser.run(colour) != dark)
    # Without JavaScript.
    browser.open(page, script=False)
    counts = ("[document.querySelectorAll('.pin').length - 2, document.querySelectorAll('.list .row').length,"
              " document.getElementById('time').hidden, document.querySelector('noscript').textContent.includes('273 decisions')]")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    check.that("a picture and rows without JavaScript", browser.run(counts), [15, 47, True, True])


def check_large(browser: Browser, page: pathlib.Path, check: Check) -> None:
    check.that("a large page stays below 4 MB", page.stat().st_size < 4_000_000)
    browser.open(page, "#view=decisions")
    data = browser.run("(d => [d.decisions.length, d.track.reduce((n, p) => n + p.length / 3, 0)])"
                       "(JSON.parse(document.getElementById('data').textContent))")
    check.that("it has 20,000 decisions or more", data[0] >= 20_000)
    check.that("the line is thinned", data[1] <= 6_000)
    check.that("few rows are there at a time", browser.run("document.querySelectorAll('.row').length < 60"))
    # The same frames with nothing to do tell what the browser itself takes.
    took, empty = (browser.run(f"""(async () => {{
      const slider = document.getElementById('slider'), start = performance.now();
      for (let i = 0; i < 40; i++) {{
        if ({steps}) {{
          slider.value = slider.max * i / 40;
          slider.dispatchEvent(new Event('input'));
        }}
        await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
      }}
      return (performance.now() - start) / 40;
    }})()""") for steps in ("true", "false"))
    check.that(f"a step of the slider takes less than 400 ms ({took:.0f})", took < 400)
    check.that("no fault", browser.faults(), [])
    print(f"map: {data[0]:,} decisions, {page.stat().st_size // 1000:,} kB, {took:.0f} ms a step of the slider, {empty:.0f} ms of them in the same frames of a page at rest")


def check_hostile(browser: Browser, page: pathlib.Path, check: Check) -> None:
    browser.open(page, "#t=2026-05-16T11:10:16Z")
    check.that("nobody took the page", browser.run("document.title"), "Simulation")
    check.that("it has its scripts only", browser.run("document.scripts.length"), 2)
    check.that("and no picture", browser.run("document.images.length"), 0)
    check.that("the message is said as it is", browser.run(
        f"[...document.querySelectorAll('.row .message')].filter(e => e.textContent === {json.dumps(HOSTILE)}).length"), 2)
    check.that("inside by a hint", browser.run(state(HOSTILE)), "inside")
    check.that("background of every type", browser.run(
        "['.bg.water', '.bgline.water', '.bgdot.water', '.bgline.road'].map(s => document.querySelectorAll(s).length)"), [2, 1, 1, 1])
    check.that("no fault", browser.faults(), [])


class Tiles(http.server.BaseHTTPRequestHandler):
    """Answers every request with one grey pixel."""

    asked: ClassVar[list[str]] = []
    pixel = (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU\0\0\0\nIDATx\x9cc\xa8\0\0\0\x81\0\x81L\x11\x87\xb5"
             b"\0\0\0\0IEND\xaeB`\x82")

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(len(self.pixel)))
        self.end_headers()
        self.wfile.write(self.pixel)

    def log_message(self, *_: object) -> None:
        pass


def two_days(folder: pathlib.Path, port: int) -> list[str]:
    """A walk on a Saturday before the clocks change, and the same on Sunday; streets from a server of this machine."""
    rows = ["time,latitude,longitude"]
    for day in (24, 25):
        rows += [f"2026-10-{day}T09:{minute:02}:00Z,{52.36 + minute / 10000:.4f},4.885" for minute in range(30)]
    (folder / "days.csv").write_text("\n".join(rows) + "\n")
    (folder / "days.json").write_text(json.dumps({"version": 1, "regions": [
        {"id": "shop", "type": "geofence", "name": "Shop", "latitude": 52.361, "longitude": 4.885}],
        "campaigns": [{"id": "c", "type": "notification", "message": "Hello", "regions": ["shop"], "resend": True}]}))
    return ["--feed", str(folder / "days.json"), "--track", str(folder / "days.csv"), "--noise", "exact", "--tiles",
            f"http://127.0.0.1:{port}/{{z}}/{{x}}/{{y}}.png", "--tiles-credit", "Streets <of> this machine"]


def check_two_days(browser: Browser, page: pathlib.Path, check: Check) -> None:
    browser.open(page)
    reach, span = browser.run("[+document.getElementById('slider').max, data.end - data.start]")
    check.that(f"the night takes little of the slider ({reach} of {span})", reach < 2.1 * 30 * 60000 and span > 24 * 3600000)
    check.that("and has a mark", browser.run("document.getElementById('breaks').getAttribute('d').split('M').length"), 2)
    check.that("at its end is the end", browser.run(TIME), "2026-10-25T09:29:00Z")
    times = browser.run("""[0, .25, .5, .75, 1].map(part => {
      const slider = document.getElementById('slider');
      slider.value = slider.max * part;
      slider.dispatchEvent(new Event('input'));
      return new Date(data.start + t).toISOString().slice(8, 16); })""")
    check.that("both days have half of it", [time[:5] for time in times], ["24T09", "24T09", times[2][:5], "25T09", "25T09"])
    browser.open(page, "#t=2026-10-24T09:10:00Z")
    check.that("summer time on Saturday", browser.run("document.getElementById('clock').textContent"), "10-24 11:10:00")
    browser.open(page, "#t=2026-10-25T09:10:00Z")
    check.that("winter time on Sunday", browser.run("document.getElementById('clock').textContent"), "10-25 10:10:00")
    browser.settle()
    check.that("streets of this server", browser.run("document.querySelectorAll('#tiles image').length > 3"))
    check.that("the server was asked for them", any(re.fullmatch(r"/1\d/\d+/\d+\.png", path) for path in Tiles.asked))
    # A tile lies where Web Mercator has it: the middle of the map is in the tile of its number.
    check.that("a tile lies at its place", browser.run("""(() => {
      const image = [...document.querySelectorAll('#tiles image')].find(e => { const b = e.getBBox(); return b.x <= 0 && b.x + b.width > 0 && b.y <= 0 && b.y + b.height > 0; });
      const [z, x, y] = image.getAttribute('href').match(/\\d+/g).slice(-3).map(Number), [lat, lon] = data.centre, n = 2 ** z, rad = Math.PI / 180;
      return [Math.floor((lon + 180) / 360 * n) === x, Math.floor((1 - Math.log(Math.tan(lat * rad) + 1 / Math.cos(lat * rad)) / Math.PI) / 2 * n) === y]; })()"""),
      [True, True])
    # A window that is all margin, as a frame that is not laid out yet.
    browser.call("Emulation.setDeviceMetricsOverride", width=60, height=60, deviceScaleFactor=1, mobile=False)
    browser.settle()
    check.that("a tiny window has a map, too", browser.run("view.k > 0"))
    check.that("with their credit, as text", browser.run("document.querySelector('.credit').textContent"), "Streets <of> this machine")
    server = browser.run("data.tiles.slice(0, data.tiles.indexOf('/{'))")
    check.that("no fault, and no other server", [fault for fault in browser.faults() if not fault.startswith(f"asked for {server}/")], [])


def main() -> int:
    chromium = sys.argv[1]
    check = Check("map")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        browser = Browser(chromium, f"{home}/profile")
        try:
            if sys.argv[2] == "--shot":
                page, out, *rest = sys.argv[3:]
                width, height = (int(rest[0]), int(rest[1])) if len(rest) > 1 else (1280, 800)
                browser.open(pathlib.Path(page), rest[2] if len(rest) > 2 else "", width, height, dark="dark" in rest,
                             script="plain" not in rest)
                browser.picture(pathlib.Path(out))
                for fault in browser.faults():
                    print(fault)
                return 0
            plot, folder = str(pathlib.Path(sys.argv[2]).resolve()), pathlib.Path(home)
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Tiles)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            runs = (("demo", DEMO, check_demo), ("large", large(folder), check_large), ("hostile", hostile(folder), check_hostile),
                    ("days", two_days(folder, server.server_port), check_two_days))
            for name, arguments, look in runs:
                page = simulate(plot, folder, name, *arguments)
                picture = folder / f"{name}.svg"
                first = page.read_bytes(), picture.read_bytes()
                simulate(plot, folder, name, *arguments)
                check.that(f"{name}: the same bytes again", (page.read_bytes(), picture.read_bytes()) == first)
                root = xml.etree.ElementTree.parse(picture).getroot()
                check.that(f"{name}: a picture in SVG", root.tag, "{http://www.w3.org/2000/svg}svg")
                tags = {element.tag.split("}")[1] for element in root.iter()}
                check.that(f"{name}: of known elements", sorted(tags - {
                    "svg", "title", "rect", "text", "clipPath", "g", "path", "circle"}), [])
                browser.open(picture)
                check.that(f"{name}: that is shown", browser.run("document.documentElement.getBBox().width > 900"))
                look(browser, page, check)
        finally:
            browser.close()
    print(f"map: {check.count - check.failed} of {check.count} checks hold in {chromium}")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
