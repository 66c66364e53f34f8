#!/usr/bin/env python3
"""Drives `plot studio` in headless Chromium, as a campaign maker would: a feed and a track, lint, forms, the map, answers, differences, saving.

    Tests/studio/check.py CHROMIUM PLOT [PICTURES]    says what does not hold; PICTURES is a folder for pictures of the page
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "map"))
from check import Browser, Check  # noqa: E402

FEED = """{
  "version": 1,
  "regions": [
    { "id": "shop",  "type": "geofence", "latitude": 52.37, "longitude": 4.89, "radius": 80 },
    { "id": "far",   "type": "geofence", "latitude": 52.38, "longitude": 4.89 },
    { "id": "park",  "type": "geofence", "geometry": { "type": "Polygon", "coordinates": [[[4.885, 52.369], [4.887, 52.369], [4.887, 52.371], [4.885, 52.371], [4.885, 52.369]]] } }
  ],
  "campaigns": [
    { "id": "hello", "type": "notification", "message": "Hello",
      "regions": ["shop"] }
  ]
}
"""


def until(browser: Browser, script: str, seconds: float = 30):
    """The first value of a script that is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = browser.run(script)
        if value:
            return value
        time.sleep(0.05)
    return browser.run(script)


def text(name: str) -> str:
    return f"document.getElementById('{name}').textContent"


def in_frame(browser: Browser, script: str):
    """The value of a script in the page of the last map."""
    frames = browser.call("Page.getFrameTree")["frameTree"].get("childFrames", [])
    world = browser.call("Page.createIsolatedWorld", frameId=frames[-1]["frame"]["id"], worldName="check")["executionContextId"]
    answer = browser.call("Runtime.evaluate", expression=script, contextId=world, returnByValue=True)
    return answer["result"].get("value")


def page_at(browser: Browser, url: str, width: int = 1280, height: int = 800, dark: bool = False) -> None:
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
    for address in ("about:blank", url):
        browser.events.clear()
        browser.call("Page.navigate", url=address)
        while not any(event.get("method") == "Page.loadEventFired" for event in browser.events):
            browser.events.append(browser.read())


def requests(url: str, check: Check) -> None:
    """Nobody gets anything without the token of the address, and from another host."""
    base, token = url.split("/#")

    def status(path, headers, body=None):
        try:
            return urllib.request.urlopen(urllib.request.Request(base + path, body, headers), timeout=20).status
        except urllib.error.HTTPError as error:
            return error.code

    check.that("the page itself has no secret", status("/", {}), 200)
    for path, headers, wanted in (("/files", {}, 403), ("/files", {"Plot-Token": token[:-1] + "x"}, 403), ("/files", {"Plot-Token": token}, 200),
                                  ("/", {"Host": "example.org"}, 403), ("/files", {"Plot-Token": token, "Host": "example.org:80"}, 403),
                                  ("/none", {"Plot-Token": token}, 404)):  # fmt: skip
        check.that(f"{path} with {sorted(headers)}", status(path, headers), wanted)
    check.that("what is no JSON", status("/run", {"Plot-Token": token}, b"{"), 400)
    outside = json.dumps({"slot": "../now", "feed": "{}", "track": "", "trackName": "x"}).encode()
    check.that("a folder of somebody else", status("/run", {"Plot-Token": token}, outside), 400)


def edits(browser: Browser, check: Check, pictures: pathlib.Path | None) -> None:
    """Regions on the map: chosen by a click, moved by their handles with the pointer and with keys, drawn; and what has no shape by its form."""

    def quiet() -> None:
        until(browser, "document.getElementById('state').textContent === ''")

    def frame_place() -> tuple[float, float]:
        # A frame is laid out when it is painted.
        browser.call("Page.captureScreenshot")
        return tuple(browser.run("(b => [b.x, b.y])(document.querySelector('iframe').getBoundingClientRect())"))

    def middle(selector: str) -> tuple[float, float]:
        until_frame(f"document.querySelector('{selector}')")
        left, top = frame_place()
        x, y = in_frame(browser, f"(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector('{selector}').getBoundingClientRect())")
        return left + x, top + y

    def until_frame(script: str):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if value := in_frame(browser, script):
                return value
            browser.call("Page.captureScreenshot")
            time.sleep(0.05)
        return None

    def mouse(*steps: tuple[str, float, float]) -> None:
        held = False
        for kind, x, y in steps:
            held = kind == "mousePressed" or (held and kind == "mouseMoved")
            browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if held or kind == "mouseReleased" else "none",
                         buttons=int(held), clickCount=int(kind != "mouseMoved"))  # fmt: skip

    def click(x: float, y: float) -> None:
        mouse(("mouseMoved", x, y), ("mousePressed", x, y), ("mouseReleased", x, y))

    def drag(x: float, y: float, dx: float, dy: float) -> None:
        mouse(("mouseMoved", x, y), ("mousePressed", x, y), ("mouseMoved", x + dx / 2, y + dy / 2), ("mouseMoved", x + dx, y + dy),
              ("mouseReleased", x + dx, y + dy))  # fmt: skip

    def lines() -> list[str]:
        return browser.run("feed.value").splitlines()

    def differing(old: list[str]) -> list[int]:
        return [index + 1 for index, (a, b) in enumerate(zip(old, lines(), strict=False)) if a != b] + list(range(len(old) + 1, len(lines()) + 1))

    def choose(name: str, value: str) -> None:
        browser.run(f"(field => {{ field.value = '{value}'; field.dispatchEvent(new Event('change', {{bubbles: true}})); }})(document.querySelector('{name}'))")

    browser.run("document.getElementById('move').checked = true; document.getElementById('why').textContent = '';"
                "document.getElementById('region').value = 'far'; editRegion()")  # fmt: skip
    x, y = middle('[data-r="2"]')
    # Below the pin, which has a click of its own.
    below = y + in_frame(browser, "document.querySelector('[data-r=\"2\"]').getBoundingClientRect().height / 4")
    click(x, below)
    chosen = until(browser, f"{text('why')} && document.getElementById('region').value", 10)
    check.that("a click on a region chooses it", chosen, "shop")
    check.that("and it gets its handles", until_frame("document.querySelectorAll('.handle').length"), 2)
    old = lines()
    drag(*middle(".handle.center circle:last-child"), 40, 0)
    until(browser, "!feed.value.includes('\"longitude\": 4.89, \"radius\"')")
    check.that("a region that is dragged is moved in the text", differing(old), [4])
    check.that("to the east only", '"latitude": 52.37, "longitude": 4.8' in lines()[3] and '"radius": 80 }' in lines()[3])
    quiet()
    old = lines()
    drag(*middle(".handle.radius circle:last-child"), 30, 0)
    until(browser, "!feed.value.includes('\"radius\": 80 }')")
    check.that("the edge makes it larger", differing(old) == [4] and int(lines()[3].split('"radius": ')[1].split(" ")[0]) > 90)
    quiet()

    # An area: corners by pointer and by keys, one more, one less.
    choose("#region", "park")
    check.that("an area has a handle at each corner, and between them", bool(until_frame("document.querySelectorAll('.handle').length === 8")))
    old = lines()
    drag(*middle(".handle.corner:nth-of-type(2) circle:last-child"), 0, 25)
    until(browser, "!feed.value.includes('[4.887, 52.369]')")
    check.that("one corner that is dragged is one position of the text", [differing(old), "[4.885, 52.369]" in lines()[5]], [[6], True])
    quiet()
    before = lines()[5].count("[")
    click(*middle(".handle.between circle:last-child"))
    check.that("a click between two corners makes one", until(browser, f"feed.value.split('\\n')[5].split('[').length - 1 === {before + 1}"))
    quiet()
    check.that("it has handles, too", until_frame("document.querySelectorAll('.handle').length === 10"))
    in_frame(browser, "document.querySelectorAll('.handle.corner')[1].focus()")
    old = lines()
    in_frame(browser, "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowUp', bubbles: true, cancelable: true}))")
    until(browser, f"feed.value.split('\\n')[5] !== {json.dumps(old[5])}")
    check.that("keys move a corner", differing(old), [6])
    quiet()
    until_frame("document.querySelectorAll('.handle').length === 10")
    in_frame(browser, "(one => one.dispatchEvent(new KeyboardEvent('keydown', {key: 'Delete', bubbles: true, cancelable: true})))(document.querySelectorAll('.handle.corner')[1])")
    check.that("and take it away", until(browser, f"feed.value.split('\\n')[5].split('[').length - 1 === {before}"))
    quiet()
    if pictures:
        time.sleep(0.5)
        browser.picture(pictures / "studio-area.png")

    # One that is drawn stands behind the others, and all else stays as it was.
    old = lines()
    choose("#newRegion", "corridor")
    until_frame("document.documentElement.classList.contains('drawing')")
    left, top = frame_place()
    click(left + 100, top + 120)
    click(left + 200, top + 160)
    until_frame("document.querySelector('#edited')")
    browser.click("#done")
    until(browser, "feed.value.includes('corridor-1')")
    added = [line for line in lines() if line not in old]
    check.that("a corridor that is drawn is a line of the text", [len(added), '"type":"LineString"' in added[-1], '"width": 50' in added[-1]], [2, True, True])
    check.that("and of the list", browser.run("document.getElementById('region').value"), "corridor-1")
    quiet()
    choose("#regionForm [name=width]", "30")
    check.that("its width by the form", until(browser, "feed.value.includes('\"width\": 30')"))
    quiet()

    # Regions without a place on the map have their form.
    choose("#newRegion", "beacon")
    quiet()
    choose("#regionForm [name=majorId]", "7")
    choose("#regionForm [name=range]", "near")
    until(browser, "feed.value.includes('\"range\": \"near\"')")
    beacon = json.loads(browser.run("feed.value"))["regions"][-1]
    check.that("a beacon by its form", [beacon["id"], beacon["type"], beacon["majorId"], beacon["range"]], ["beacon-1", "beacon", 7, "near"])
    quiet()
    choose("#newRegion", "group")
    quiet()
    choose("#regionForm [name=regions]", "shop park")
    until(browser, "feed.value.includes('[\"shop\",\"park\"]') || feed.value.includes('\"park\"]')")
    check.that("a group by its form", json.loads(browser.run("feed.value"))["regions"][-1], {"id": "group-1", "type": "group", "regions": ["shop", "park"]})
    quiet()
    browser.click("#newCampaign")
    quiet()
    choose("#form [name=regions]", "shop")
    until(browser, "/campaign-1[^]*shop/.test(feed.value)")
    check.that("a campaign", json.loads(browser.run("feed.value"))["campaigns"][-1], {"id": "campaign-1", "type": "notification", "message": "Welcome", "regions": ["shop"]})
    quiet()


def use(browser: Browser, url: str, feed: pathlib.Path, check: Check, pictures: pathlib.Path | None) -> None:
    page_at(browser, url)
    summary = until(browser, f"/fixes/.test({text('summary')}) && {text('summary')}")
    check.that("a feed and a track of the command line run at once", "1 enter" in (summary or ""), True)
    check.that("the address has no token any more", browser.run("location.href").endswith("/"), True)
    check.that("lint has its word", "far" in until(browser, f"{text('findings')}.includes('far') && {text('findings')}"))
    check.that("the map is there", until(browser, "document.querySelectorAll('iframe').length"), 1)
    if pictures:
        time.sleep(0.5)
        browser.picture(pictures / "studio-1280.png")

    # Typing: lint answers, and goes to the place.
    browser.run("feed.value = feed.value.replace('80 }', '-80 }'); feed.dispatchEvent(new Event('input'))")
    check.that("a fault while one types", bool(until(browser, f"{text('findings')}.includes('above 0')")))
    browser.click("#findings button")
    check.that("a finding goes to its line", browser.run("feed.value.slice(0, feed.selectionStart).split('\\n').length"), 4)
    browser.run("run()")
    check.that("a run with a fault says where", bool(until(browser, f"{text('summary')}.includes('line 4')")))
    browser.run("feed.value = feed.value.replace('-80 }', '80 }'); feed.dispatchEvent(new Event('input')); run()")
    until(browser, f"/1 enter/.test({text('summary')})")

    # A value from the form: the text around it stays as it was.
    browser.run("""(() => { const field = document.querySelector('#form [name=message]'); field.value = 'Good morning';
      field.dispatchEvent(new Event('change', {bubbles: true})); })()""")
    check.that("a text by the form", browser.run("feed.value"), FEED.replace('"Hello"', '"Good morning"'))
    browser.run("""(() => { const field = document.querySelector('#form [name=cooldownPeriod]'); field.value = '600';
      field.dispatchEvent(new Event('change', {bubbles: true})); })()""")
    added = FEED.replace('"Hello"', '"Good morning"').replace('["shop"] }', '["shop"],\n      "cooldownPeriod": 600 }')
    check.that("a value that was not there stands as those before it", browser.run("feed.value"), added)
    browser.run("document.querySelector('#form [name=cooldownPeriod]').value = ''; document.querySelector('#form [name=cooldownPeriod]')"
                ".dispatchEvent(new Event('change', {bubbles: true}))")
    check.that("and goes without a trace", browser.run("feed.value"), FEED.replace('"Hello"', '"Good morning"'))
    until(browser, "document.getElementById('state').textContent === ''")

    # Answers.
    browser.run("why({campaign: 'hello'})")
    check.that("why a campaign", bool(until(browser, f"{text('why')}.includes('shown')")))
    browser.run("why({region: 'far'})")
    check.that("why not a region", bool(until(browser, f"{text('why')}.includes('never entered')")))

    # The map: a row that is chosen, and a region that is moved.
    check.that("the map's page has started", bool(until(browser, "document.querySelector('iframe') && true")))
    end = time.monotonic() + 20
    while time.monotonic() < end and not in_frame(browser, "document.querySelectorAll('.row').length"):
        time.sleep(0.1)
    in_frame(browser, "document.querySelector('.row.notification').click()")
    check.that("a row of the map asks why", bool(until(browser, f"{text('why')}.includes('hello')")))
    edits(browser, check, pictures)

    # Differences.
    until(browser, "document.getElementById('state').textContent === ''")
    browser.run(f"feed.value = {json.dumps(FEED)}; run()")
    until(browser, f"/1 enter/.test({text('summary')}) && document.getElementById('state').textContent === ''")
    browser.click("#keep")
    until(browser, "document.querySelectorAll('iframe').length === 2")
    browser.run("setValue('campaigns', 'hello', 'regions', ['far']); run()")
    check.that("what is gone", bool(until(browser, f"{text('difference')}.includes('- 2026-05-16 12:09:00  hello at shop')")))
    if pictures:
        time.sleep(0.5)
        browser.picture(pictures / "studio-compare.png")

    # Saving.
    browser.run("setValue('campaigns', 'hello', 'regions', ['shop'])")
    browser.click("#save")
    check.that("it says where it was saved", bool(until(browser, f"{text('state')}.includes('saved')")))
    check.that("the file is the text", feed.read_text(), browser.run("feed.value"))
    other = FEED.replace("Hello", "By somebody else")
    feed.write_text(other)
    browser.click("#save")
    check.that("what another program wrote is not overwritten", bool(until(browser, f"{text('state')}.includes('another program')")))
    check.that("and stays", feed.read_text(), other)
    own = url.split("/#")[0]
    faults = [fault for fault in browser.faults() if not fault.startswith((f"asked for {own}/", "asked for blob:")) and "409" not in fault]
    check.that("no fault, and no other server", faults, [])
    for width, height, dark in ((390, 844, False), (390, 844, True), (1280, 800, True)):
        page_at(browser, url, width, height, dark)
        until(browser, f"/fixes/.test({text('summary')})")
        check.that(f"nothing sticks out at {width}", browser.run("document.documentElement.scrollWidth <= innerWidth"))
        check.that(f"targets of 44 pixels at {width}", browser.run(
            "[...document.querySelectorAll('button, select, summary')].filter(e => e.offsetParent && e.getBoundingClientRect().height < 44).map(e => e.id || e.textContent)"), [])
        if pictures:
            time.sleep(0.5)
            browser.picture(pictures / f"studio-{width}{'-dark' if dark else ''}.png")


def main() -> int:
    chromium, plot = sys.argv[1], str(pathlib.Path(sys.argv[2]).resolve())
    pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    check = Check("studio")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        folder = pathlib.Path(home)
        feed = folder / "feed.json"
        feed.write_text(FEED)
        (folder / "way.csv").write_text("time,latitude,longitude\n" + "".join(
            f"2026-05-16T10:{minute:02}:00Z,{52.366 + minute * 0.0004:.4f},4.89\n" for minute in range(20)))  # fmt: skip
        scratch = folder / "scratch"
        scratch.mkdir()
        process = subprocess.Popen([plot, "studio", "--quiet", "--feed", feed, "--track", folder / "way.csv"], stdout=subprocess.PIPE, text=True,
                                   env={**os.environ, "TMPDIR": str(scratch)})  # fmt: skip
        url = process.stdout.readline().strip()
        requests(url, check)
        # The frame of a map in the process of the page, where a check reaches it.
        browser = Browser(chromium, f"{home}/profile", "--disable-features=IsolateSandboxedIframes")
        try:
            use(browser, url, feed, check, pictures)
        finally:
            browser.close()
            process.send_signal(2)
        check.that("control-C ends it", process.wait(timeout=20), 0)
        check.that("and it leaves nothing behind", list(scratch.iterdir()), [])
    print(f"studio: {check.count - check.failed} of {check.count} checks hold in {chromium}")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
