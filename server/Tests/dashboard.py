#!/usr/bin/env python3
"""The dashboard in a real Chromium: server/Tests/dashboard.py --server FILE [--pictures FOLDER]

Somebody signs in, adds a region, writes a campaign, tries a walk, and publishes; a device that listens to the stream gets the feed, and what it sends
is in the statistics. Pages at two widths, light and dark, have no scroll bar at their side, and each field has a label. Needs Playwright (pip) and
Chromium (apt).
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import threading
import urllib.request
from pathlib import Path

from kills import HERE, Node, imported
from playwright.sync_api import TimeoutError as NotInTime
from playwright.sync_api import sync_playwright


def call(port, method, path, headers, body=None):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", body, headers, method=method)
    return urllib.request.urlopen(request, timeout=60)


def check_page(page, name):
    """Faults of a page that a reader, a narrow screen or a keyboard would meet."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name}: wider than the window"
    bare = page.evaluate("""[...document.querySelectorAll('input:not([type=hidden]),select,textarea')]
        .filter((field) => !field.labels?.length && !field.ariaLabel).map((field) => field.outerHTML)""")
    assert not bare, f"{name}: fields without a label: {bare}"
    assert page.evaluate("document.querySelectorAll('h1').length") == 1, f"{name}: one h1"
    twice = page.evaluate("""[...document.querySelectorAll('[id]')].map((one) => one.id).filter((id, index, all) => all.indexOf(id) !== index)""")
    assert not twice, f"{name}: ids that are there twice: {twice}"


def region_of(page, app, region):
    """The region as the API has it, for the person of the page."""
    return page.evaluate("([app, id]) => fetch(`/api/v2/regions/${id}`, { headers: { 'Plot-App': app } }).then((answer) => answer.json())", [app, region])


def check_geometry(page):
    """A ring has its radius at every latitude, and a shape across the antimeridian is drawn by the shorter way."""
    found = page.evaluate("""async () => {
        const { drawn, ring } = await import('/web/map.mjs');
        const { distance, unwrapped } = await import('/web/shape.mjs');
        const off = [0, 52, -70, 85].flatMap((north) => [10, 5000, 100000].map((radius) =>
            Math.max(...ring([179.9, north], radius).map((place) => Math.abs(distance([179.9, north], place) / radius - 1)))));
        const fiji = drawn({ properties: { kind: 'area' }, geometry: { type: 'Polygon', coordinates: [[[179, -17], [-179, -17], [-179, -16], [179, -17]]] } });
        return { off: Math.max(...off), fiji: fiji.geometry.coordinates[0].map(([east]) => east), near: unwrapped([[-179, 0]], 170)[0][0] };
    }""")
    assert found["off"] < 1e-6 and found["fiji"] == [179, 181, 181, 179] and found["near"] == 181, found


def draws(page):
    """A circle, an area with a hole and a corridor, by pointer and keys; undone, saved, taken back."""
    page.click("nav >> text=Map")
    page.wait_for_selector("#map[data-regions]")
    check_geometry(page)
    assert int(page.get_attribute("#map", "data-regions")) >= 3, "the regions of the feed are on the map"

    def click(x, y, times=1):
        box = page.locator("#map").bounding_box()
        page.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * y, click_count=times)

    def save(region):
        page.fill("#regionId", region)
        page.click("#save button.primary")
        page.wait_for_selector("#said:has-text('Saved')")
        return region_of(page, "shop", region)

    page.click("#circle")
    click(0.3, 0.3)
    page.fill("#radius", "80")
    page.press("#radius", "Tab")
    page.fill("#regionName", "My shop")
    circle = save("my-shop")
    assert circle["radius"] == 80 and circle["name"] == "My shop", circle
    page.focus("[aria-label=Centre]")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.click("#undo")
    page.click("#save button.primary")
    page.wait_for_function("(west) => fetch('/api/v2/regions/my-shop', { headers: { 'Plot-App': 'shop' } }).then((one) => one.json())"
                           ".then((one) => one.longitude > west)", arg=circle["longitude"])
    assert region_of(page, "shop", "my-shop")["latitude"] == circle["latitude"], "a key to the right moves nothing else"
    page.click("#close")

    page.click("#area")
    for x, y in ((0.5, 0.5), (0.9, 0.5), (0.9, 0.9)):
        click(x, y)
    click(0.5, 0.9, 2)
    page.wait_for_selector("#panel:not([hidden])")
    page.click("#hole")
    for x, y in ((0.6, 0.6), (0.8, 0.6), (0.8, 0.8), (0.6, 0.8)):
        click(x, y)
    page.click("#done")
    area = save("my-park")
    assert area["geometry"]["type"] == "Polygon" and [len(ring) for ring in area["geometry"]["coordinates"]] == [5, 5], area
    page.click("#close")
    # A hole that crosses its edge is refused in the reader's words, and nothing is lost.
    # The map draws what was saved a moment later: who clicks too soon clicks again.
    for _ in range(20):
        click(0.55, 0.55)
        try:
            page.wait_for_selector("#regionId[readonly]", timeout=2000)
            break
        except NotInTime:
            continue
    assert page.is_visible("#regionId[readonly]"), "a click on a region opens it"
    page.click("#hole")
    for x, y in ((0.55, 0.85), (0.95, 0.85), (0.95, 0.95)):
        click(x, y)
    page.click("#done")
    page.click("#save button.primary")
    page.wait_for_selector("#fault:has-text('/geometry')")
    page.click("#undo")
    page.click("#close")

    # By keys alone: the points are at the middle.
    page.focus("#corridor")
    page.keyboard.press("Enter")
    page.focus("#map canvas")
    page.keyboard.press("Enter")
    for key in ("ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        page.wait_for_timeout(700)
        page.focus("#here")
        page.keyboard.press("Enter")
        page.focus("#map canvas")
    page.click("#done")
    way = save("my-way")
    assert way["width"] == 50 and len(way["geometry"]["coordinates"]) == 3, way
    page.click("#close")
    page.click("#undo")
    page.wait_for_selector("#said:has-text('my-way')")
    assert "error" in region_of(page, "shop", "my-way"), "what was saved is taken back"

    page.fill("#q", "My shop")
    page.press("#q", "Enter")
    page.click("#found button")
    page.wait_for_selector("#panel:not([hidden])")
    assert page.input_value("#regionId") == "my-shop"
    page.click("#all")
    assert page.input_value("#field-id") == "my-shop"


def campaign_maker(page, base, password, announced):
    """From signing in to the publication."""
    page.goto(f"{base}/dashboard/shop")
    page.fill("#name", "anna")
    page.fill("#password", password)
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Your apps")
    page.click("strong:text-is('shop')")

    draws(page)
    page.fill("#field-latitude", "52.3700")
    page.fill("#field-longitude", "4.9100")
    page.fill("#field-radius", "wide")
    page.click("button.primary")
    assert "/radius: expected" in page.inner_text("[role=alert] >> nth=1"), "the reader's words are beside the field"
    page.fill("#field-radius", "80")
    page.click("button.primary")
    page.wait_for_selector("text=Saved in the draft.")

    page.click("nav >> text=Campaigns")
    page.click("a.button")
    page.fill("#field-id", "my-offer")
    page.select_option("#field-type", "notification")
    page.fill("#field-message", "Welcome to {{name}}")
    page.fill("#field-regions", "my-shop")
    page.wait_for_selector(".phone.ios .text:text-is('Welcome to My shop')")
    assert page.locator(".phone").count() == 2
    # A screen for each language beside them, worded by the engine.
    page.eval_on_selector_all("details", "all => all.forEach((one) => { one.open = true; })")
    page.fill("#field-messages", '{"nl": "Welkom bij {{name}}, {{user.name}}", "fr": "{{visits, plural, one {# visite} other {# visites}}}"}')
    page.wait_for_selector("figure[lang=nl] .text:text-is('Welkom bij My shop, name')")
    page.wait_for_selector("figure[lang=fr] .text:text-is('1 visite')")
    assert page.locator(".phone").count() == 4
    page.fill("#field-messages", '{"nl": "Welkom bij {{name}}"}')
    page.wait_for_function("() => document.querySelectorAll('.phone').length === 3")
    page.click("button.primary")
    page.wait_for_selector("text=Saved in the draft.")

    page.click("nav >> text=Try a walk")
    for place in ("Dam", "My shop"):
        page.select_option("#place", label=place)
        page.click("#go")
    page.click("button.primary")
    page.wait_for_selector("#shown li")
    assert "Welcome to My shop" in page.inner_text("#shown"), page.inner_text("#result")
    assert page.inner_text("#reasons"), "no word about the others"
    # Without the last place nothing of the shop is shown, and the page says what is missing.
    page.click("#undo")
    page.select_option("#place", label="Begijnhof")
    page.click("#go")
    page.click("button.primary")
    page.wait_for_selector("#difference:has-text('my-offer')")
    assert "Welcome to My shop" not in page.inner_text("#shown")
    # A click on the ground is a place, too.
    page.click("#map", position={"x": 60, "y": 60})
    assert page.inner_text("#count") == "3", page.inner_text("#count")
    assert page.eval_on_selector_all(".step", "all => all.length") == 3

    page.click("nav >> text=Publish")
    assert "my-offer" in page.inner_text("table >> nth=0")
    page.wait_for_selector("#map[data-changes='2']")
    walk = {"person": "ann", "route": {"points": [[52.3731, 4.8926], [52.37, 4.91]], "start": "2026-05-16T10:00:00Z"}}
    page.set_input_files("#walks", {"name": "walks.json", "mimeType": "application/json", "buffer": json.dumps([walk]).encode()})
    page.click("#backtest button.primary")
    page.wait_for_selector("#differences table")
    assert "1 more" in page.inner_text("#verdict") and "my-offer" in page.inner_text("#differences"), page.inner_text("#backtest")
    page.fill("#note", "My shop opens")
    page.click("form[action$=publish] button.primary")
    page.wait_for_selector("text=Published: number 2")
    assert announced.wait(20), "the stream says nothing of the publication"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True)
    parser.add_argument("--pictures", type=Path)
    options = parser.parse_args()
    server = str(Path(options.server).resolve())
    work = Path(tempfile.mkdtemp())
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    environment |= {"PLOT_SERVER_DATABASE": str(work / "db"), "PLOT_SERVER_WEB": str(HERE.parent / "web"), "PLOT_SERVER_HEARTBEAT": "1"}

    def command(*words):
        return subprocess.run([server, *words], check=True, capture_output=True, text=True, env=environment).stdout

    node = None
    try:
        token, _ = imported(server, environment)
        password = command("person", "create", "anna", "--app", "shop", "--role", "owner").split()[1]
        node = Node(server, environment)
        node.start()
        base = f"http://127.0.0.1:{node.port}"
        bearer = {"Authorization": f"Bearer {token}", "Plot-Installation": "install-1"}
        secret = json.loads(call(node.port, "PUT", "/device/v1/installation", bearer, b"{}").read())["secret"]

        announced, stream = threading.Event(), call(node.port, "GET", "/device/v1/changes", bearer)

        def listen():
            for line in stream:
                if b'"publication":2' in line.replace(b" ", b""):
                    announced.set()
                    return

        threading.Thread(target=listen, daemon=True).start()
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--enable-unsafe-swiftshader"])
            faults = []

            def window(width, scheme):
                page = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
                page.on("console", lambda message: message.type == "error" and "422" not in message.text and "/regions/my-way" not in message.location["url"]
                        and faults.append(message.text))
                page.on("pageerror", lambda error: faults.append(str(error)))
                return page

            page = window(1280, "light")
            try:
                campaign_maker(page, base, password, announced)
            except Exception:
                # The page as it was, and what it has complained of.
                print("\n".join([page.url, *faults, page.inner_text("main")]))
                if options.pictures:
                    options.pictures.mkdir(parents=True, exist_ok=True)
                    page.screenshot(path=options.pictures / "failed.png", full_page=True)
                raise
            feed = json.loads(call(node.port, "GET", "/device/v1/feed", bearer).read())
            assert any(campaign["id"] == "my-offer" for campaign in feed["campaigns"]), "the device has another feed"
            enter = {"time": "2026-03-01T09:58:00Z", "event": "region-enter", "sequence": 1, "region": "my-shop", "visit": "v1", "ordinal": 1}
            event = {"time": "2026-03-01T10:00:00Z", "event": "notification-shown", "sequence": 2, "region": "my-shop", "visit": "v1", "campaign": "my-offer",
                     "matchIdentifier": "m1", "message": "Welcome to My shop", "data": "", "holdout": "my-offer"}
            call(node.port, "POST", "/device/v1/events", {**bearer, "Plot-Secret": secret}, json.dumps({"batch": "b1", "events": [enter, event]}).encode()).read()
            # Somebody else is held out, and came again.
            other = {**bearer, "Plot-Installation": "install-2"}
            other["Plot-Secret"] = json.loads(call(node.port, "PUT", "/device/v1/installation", other, b"{}").read())["secret"]
            held = {**event, "event": "notification-held-out"}
            again = {**enter, "sequence": 3, "time": "2026-03-02T09:58:00Z", "visit": "v2", "ordinal": 2}
            call(node.port, "POST", "/device/v1/events", other, json.dumps({"batch": "b1", "events": [enter, held, again]}).encode()).read()
            page.click("nav >> text=Statistics")
            assert "my-offer" in page.inner_text("table >> nth=0"), page.inner_text("main")

            page.click("table >> nth=0 >> text=my-offer")
            lift = page.inner_text("section[aria-labelledby=lift]")
            assert "No difference can be seen yet." in lift and "Held out\t1\t1\t100.0 %" in lift, lift

            kept = page.context.cookies()
            for width, scheme in ((1280, "light"), (390, "dark")):
                page = window(width, scheme)
                page.goto(f"{base}/dashboard")
                check_page(page, "signing in")
                page.context.add_cookies(kept)
                for path in ("", "/shop", "/shop/map?id=my-shop", "/shop/regions", "/shop/regions/edit?id=my-shop", "/shop/campaigns", "/shop/campaigns/edit?id=my-offer",
                             "/shop/settings/edit", "/shop/walk", "/shop/publish", "/shop/statistics?campaign=my-offer", "/shop/audit", "/shop/people", "/shop/why",
                             "/shop/webhooks"):
                    page.goto(f"{base}/dashboard{path}")
                    if "?id=my-shop" in path and "map" in path:
                        page.wait_for_selector("#map[data-regions]")
                        page.wait_for_selector("#panel:not([hidden])")
                    check_page(page, f"{path} at {width}")
                    if options.pictures:
                        options.pictures.mkdir(parents=True, exist_ok=True)
                        page.screenshot(path=options.pictures / f"{path.strip('/').split('?')[0].replace('/', '-') or 'apps'}-{width}.png", full_page=True)
            browser.close()
            # Without WebGL a picture stands in, and the map's page names the forms.
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-3d-apis"])
            page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
            page.context.add_cookies(kept)
            page.goto(f"{base}/dashboard/shop/map")
            page.wait_for_selector("#noMap:not([hidden])")
            page.goto(f"{base}/dashboard/shop/walk")
            page.select_option("#place", label="Dam")
            page.click("#go")
            page.click("#ground", position={"x": 30, "y": 30})
            assert page.eval_on_selector_all("#steps circle", "all => all.length") == 2
            page.click("button.primary")
            page.wait_for_selector("#shown li")
            browser.close()
        assert not faults, faults
        print("dashboard: signed in, drew up, tried, published; the stream told it, and the statistics have it; 15 pages at two widths")
    finally:
        if node and node.process:
            node.process.kill()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
