#!/usr/bin/env python3
"""Drives map pages of `plot simulate --map` in headless Chromium, by its debugging pipe, as a person would: keys, slider, list, filters,
a phone, dark colours, no JavaScript.

    scripts/check_map.py CHROMIUM PLOT         runs the demo and the large run, and checks the pages; says what does not hold
    scripts/check_map.py CHROMIUM --shot PAGE OUT [WIDTH HEIGHT [FRAGMENT [dark]]]    takes a picture of a page
"""

import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Browser:
    """One page in a Chromium without a window."""

    def __init__(self, chromium: str, home: str) -> None:
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
            "about:blank",
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
        self.call("Page.navigate", url="about:blank")
        self.events.clear()
        self.call("Page.navigate", url=page.resolve().as_uri() + fragment)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.read())
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
        """What the page has asked of the network, and what went wrong in it."""
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
        except RuntimeError:
            pass
        self.process.wait(timeout=20)


def main() -> int:
    chromium = sys.argv[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        browser = Browser(chromium, home)
        try:
            if sys.argv[2] == "--shot":
                page, out, *rest = sys.argv[3:]
                width, height = (int(rest[0]), int(rest[1])) if len(rest) > 1 else (1280, 800)
                browser.open(pathlib.Path(page), rest[2] if len(rest) > 2 else "", width, height, dark="dark" in rest)
                browser.picture(pathlib.Path(out))
                for fault in browser.faults():
                    print(fault)
                return 0
        finally:
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
