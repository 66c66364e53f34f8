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
    { "id": "far",   "type": "geofence", "latitude": 52.38, "longitude": 4.89 }
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
    browser.run("document.getElementById('move').checked = true; tellMaps()")
    # A frame is laid out when it is painted.
    browser.call("Page.captureScreenshot")
    box = browser.run("(b => [b.x, b.y])(document.querySelector('iframe').getBoundingClientRect())")
    place = in_frame(browser, "(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector('[data-r=\"1\"]').getBoundingClientRect())")
    x, y = box[0] + place[0], box[1] + place[1]
    browser.run("document.getElementById('why').textContent = ''; document.getElementById('region').value = 'far'")
    # Below the pin, which has a click of its own.
    below = y + in_frame(browser, "document.querySelector('[data-r=\"1\"]').getBoundingClientRect().height / 4")
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=below, button="none" if kind == "mouseMoved" else "left", clickCount=1)
    chosen = until(browser, f"{text('why')} && document.getElementById('region').value", 10)
    check.that("a click on a region that can be moved chooses it", [chosen, browser.run("feed.value.includes('4.89, \"radius\": 80 }')")], ["shop", True])
    for kind, dx in (("mouseMoved", 0), ("mousePressed", 0), ("mouseMoved", 20), ("mouseMoved", 40), ("mouseReleased", 40)):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x + dx, y=y, button="none" if kind == "mouseMoved" and not dx else "left",
                     buttons=0 if kind == "mouseReleased" or (kind == "mouseMoved" and not dx) else 1, clickCount=1)
    moved = until(browser, "!feed.value.includes('\"longitude\": 4.89, \"radius\"') && feed.value")
    check.that("a region that is dragged is moved in the text", bool(moved) and "4.89, " not in moved.splitlines()[3], True)
    check.that("and nothing else is", (moved or "").splitlines()[4:] == FEED.replace('"Hello"', '"Good morning"').splitlines()[4:], True)

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
