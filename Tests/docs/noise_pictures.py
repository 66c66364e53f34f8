#!/usr/bin/env python3
"""Draws the pictures of docs/noise.md and docs/noise-gates.md from what the engine answers, or checks that the committed ones are still true.

    Tests/docs/noise_pictures.py [--check]

Each scene gives the engine a few fixes. Drawn are the fixes, the region, and the engine's own words: its events and
decisions. Margins are found by asking the engine too. With --check nothing is written; each picture that differs is
named, and the exit code is 1. Needs the library of `make build`.
"""

import json
import math
import re
import sys
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings" / "python" / "src"))

from plotengine import Config, Engine, Feed, OutOfOrderError  # noqa: E402

FOLDER = ROOT / "docs" / "noise"
BEGIN = 1_800_000_000_000
LATITUDE, LONGITUDE = 52.0, 5.0
DEGREE = math.radians(1) * 6_371_008.8
WIDTH, LEAST_HEIGHT, LEFT = 640, 260, 338


@dataclass
class Fix:
    """Seconds; metres east and north of the region's centre; metres; metres a second, -1 when not told."""

    time: float
    east: float
    north: float = 0.0
    accuracy: float = 10.0
    speed: float = -1.0
    heard: "float | None" = None
    """When another input came before it; seconds."""


@dataclass
class Scene:
    name: str
    title: str
    kind: str
    policy: object
    fixes: "list[Fix]"
    until: float = 0
    """Wakeups are answered until then; seconds."""
    radius: float = 60.0
    ring: str = ""
    """`exit` or `enter`: also draw how far a fix of the last one's accuracy must lie out, or in."""
    campaigns: list = field(default_factory=list)
    page: str = "noise-gates.md"

    @property
    def is_brief(self) -> bool:
        """Evidence takes many fixes: those that lead to nothing have no line."""
        return self.page == "noise.md"


@dataclass
class Answer:
    number: int
    """Of the fix; 0 for a wakeup."""
    time: float
    text: str
    kind: str
    """enter, exit, hold, drop, none."""


class Run:
    """One life of an engine with one region."""

    def __init__(self, scene: Scene, fixes: "list[Fix]"):
        self.answers: "list[Answer]" = []
        self.current = 0
        config = {"publicToken": "REPLACE_ME", "engine": {"noise": scene.policy, "initial": "enter"}}
        region = {"id": "r", "type": "geofence", "latitude": LATITUDE, "longitude": LONGITUDE, "radius": scene.radius}
        feed = {"version": 1, "regions": [region], "campaigns": scene.campaigns}
        engine = Engine()
        engine.on_event(self.hear_event)
        engine.on_decision(self.hear_decision)
        engine.init(Config.parse(json.dumps(config)), time=BEGIN, time_zone="UTC")
        engine.set_feed(Feed.parse(json.dumps(feed)), time=BEGIN)
        for number, fix in enumerate(fixes, 1):
            heard = fix.time if fix.heard is None else fix.heard
            self.wake(engine, heard)
            if fix.heard is not None:
                engine.advance(time=BEGIN + round(fix.heard * 1000))
            self.current = number
            before = len(self.answers)
            place = LATITUDE + fix.north / DEGREE, LONGITUDE + fix.east / DEGREE / math.cos(math.radians(LATITUDE))
            try:
                engine.update_location(
                    *place, accuracy=fix.accuracy, speed=fix.speed, time=BEGIN + round(fix.time * 1000)
                )
            except OutOfOrderError:
                pass
            if len(self.answers) == before and not scene.is_brief:
                self.answers.append(Answer(number, fix.time, "nothing to tell", "none"))
        self.wake(engine, scene.until)
        engine.close()

    def wake(self, engine: Engine, until: float) -> None:
        self.current = 0
        while (due := engine.next_wakeup()) is not None and seconds(due) <= until:
            engine.advance(time=due)

    def hear_event(self, event) -> None:
        record = json.loads(event.raw)
        if not event.event.startswith("region-"):
            return
        kind = event.event.removeprefix("region-")
        text = kind
        if "dwellingMinutes" in record:
            text += f" {record['dwellingMinutes']} min"
        if "since" in record:
            text += f" {'at' if 'source' in record else 'since'} {clock(seconds(parse(record['since'])))}"
        if "source" in record:
            text += f" ({record['source']})"
        self.answers.append(Answer(self.current, seconds(event.time), text, kind))

    def hear_decision(self, decision) -> None:
        if decision.step != "presence":
            return
        text = decision.reason
        if decision.next_possible is not None:
            text += f", due {clock(seconds(decision.next_possible))}"
        answer = Answer(self.current, seconds(decision.time), text, decision.verdict)
        # A jump is told of the device, and of the region.
        if answer not in self.answers:
            self.answers.append(answer)


def parse(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def seconds(time) -> float:
    return round(time.timestamp() * 1000 - BEGIN) / 1000


def clock(time: float) -> str:
    """0:05, 5:00."""
    whole, rest = divmod(round(time * 10), 10)
    text = f"{whole // 60}:{whole % 60:02}"
    return f"{text}.{rest}" if rest else text


def ring(scene: Scene) -> float:
    """The radius beyond, or within, which one fix decides; asked of the engine, to the metre."""
    fix = scene.fixes[-1]
    alone = {"confirmFixes": 1, "confirmTime": 0, "confirmAlone": 0, "minInside": 0, "minOutside": 0, "maxSpeed": 0}
    policy = {"preset": scene.policy} if isinstance(scene.policy, str) else scene.policy
    plain = Scene(scene.name, "", "map", {**policy, **alone, "maxImpliedSpeed": 0}, [], radius=scene.radius)

    def decides(distance: float) -> bool:
        last = Fix(1000, distance, accuracy=fix.accuracy)
        start = Fix(0, 0, accuracy=0) if scene.ring == "exit" else Fix(0, 5000, accuracy=0)
        return any(answer.number == 2 and answer.kind == scene.ring for answer in Run(plain, [start, last]).answers)

    low, high = (scene.radius, 2000) if scene.ring == "exit" else (0, scene.radius)
    while high - low > 0.5:
        middle = (low + high) / 2
        # Beyond the answer lies what decides when leaving, what does not when entering.
        if decides(middle) == (scene.ring == "exit"):
            high = middle
        else:
            low = middle
    return round((low + high) / 2)


# ---- Drawing --------------------------------------------------------------------------------------------------

STYLE = """
text { font: 12px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
.title { font-weight: 600; font-size: 13px; }
.small { font-size: 11px; fill: #59636e; }
.halo { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; stroke-linejoin: round; }
.card { fill: #ffffff; stroke: #d1d9e0; }
.region { fill: #0969da; fill-opacity: 0.12; stroke: #0969da; stroke-width: 1.5; }
.ring { fill: none; stroke: #0969da; stroke-width: 1.2; stroke-dasharray: 5 4; }
.blur { fill: #59636e; fill-opacity: 0.09; stroke: #59636e; stroke-opacity: 0.45; }
.way { fill: none; stroke: #59636e; stroke-width: 1.2; }
.axis { stroke: #818b98; stroke-width: 1; fill: none; }
.visit { fill: #1a7f37; }
.unsure { fill: #9a6700; fill-opacity: 0.45; }
.away { fill: #d1d9e0; }
.number { font-size: 11px; font-weight: 600; fill: #ffffff; text-anchor: middle; }
.enter { fill: #1a7f37; } .exit { fill: #0969da; } .hold { fill: #9a6700; }
.drop { fill: #cf222e; } .none { fill: #59636e; }
text.enter, text.exit, text.dwell { font-weight: 600; } .dwell { fill: #8250df; }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc; }
.small { fill: #a5aeb8; }
.halo { stroke: #0d1117; }
.card { fill: #0d1117; stroke: #3d444d; }
.region { fill: #4493f8; fill-opacity: 0.18; stroke: #4493f8; }
.ring { stroke: #4493f8; }
.blur { fill: #a5aeb8; fill-opacity: 0.12; stroke: #a5aeb8; }
.way { stroke: #a5aeb8; }
.axis { stroke: #656c76; }
.visit { fill: #3fb950; }
.unsure { fill: #d29922; fill-opacity: 0.5; }
.away { fill: #3d444d; }
.number { fill: #0d1117; }
.enter { fill: #3fb950; } .exit { fill: #4493f8; } .hold { fill: #d29922; }
.drop { fill: #f85149; } .none { fill: #a5aeb8; }
.dwell { fill: #ab7df8; }
}
""".strip()


def n(value: float) -> str:
    """A number of at most one decimal."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


class Paper:
    def __init__(self) -> None:
        self.lines: "list[str]" = []

    def text(self, x: float, y: float, text: str, style: str = "", anchor: str = "") -> None:
        kind = f' class="{style}"' if style else ""
        end = f' text-anchor="{anchor}"' if anchor else ""
        self.lines.append(f'<text x="{n(x)}" y="{n(y)}"{kind}{end}>{escape(text)}</text>')

    def circle(self, x: float, y: float, r: float, style: str) -> None:
        self.lines.append(f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(r)}" class="{style}"/>')

    def rect(self, x: float, y: float, width: float, height: float, style: str) -> None:
        self.lines.append(
            f'<rect x="{n(x)}" y="{n(y)}" width="{n(width)}" height="{n(height)}" class="{style}"/>'
        )

    def line(self, points: "list[tuple[float, float]]", style: str) -> None:
        path = " ".join(f"{n(x)},{n(y)}" for x, y in points)
        self.lines.append(f'<polyline points="{path}" class="{style}"/>')


LEFT_OUT = ("late", "implied-speed")
"""Reasons for which a whole fix counts for nothing."""


def way(scene: Scene, run: Run) -> "list[Fix]":
    """The fixes that the engine has taken, in their order."""
    out = {answer.number for answer in run.answers if answer.text in LEFT_OUT}
    return [fix for number, fix in enumerate(scene.fixes, 1) if number not in out]


def verdicts(run: Run) -> "dict[int, str]":
    """The effect of each fix, the strongest first. One that refutes another is itself a good one."""
    order = ("enter", "exit", "drop", "hold", "dwell", "inside", "none")
    found: "dict[int, str]" = {}
    for answer in run.answers:
        before = found.get(answer.number, "none")
        if answer.number and answer.text != "refuted" and answer.kind != "pass" and order.index(answer.kind) < order.index(before):
            found[answer.number] = answer.kind
    return found


def draw_map(scene: Scene, run: Run, paper: Paper, height: float) -> None:
    outer = ring(scene) if scene.ring else 0
    boxes = [(-scene.radius, scene.radius, -scene.radius, scene.radius), (-outer, outer, -outer, outer)]
    for fix in scene.fixes:
        reach = min(fix.accuracy, 2.2 * scene.radius)
        boxes.append((fix.east - reach, fix.east + reach, fix.north - reach, fix.north + reach))
    west, east = min(box[0] for box in boxes), max(box[1] for box in boxes)
    south, north = min(box[2] for box in boxes), max(box[3] for box in boxes)
    top, bottom = 42, height - 34
    scale = min((LEFT - 32) / (east - west), (bottom - top) / (north - south))
    middle = 8 + LEFT / 2, (top + bottom) / 2

    def at(x: float, y: float) -> "tuple[float, float]":
        return middle[0] + (x - (west + east) / 2) * scale, middle[1] - (y - (south + north) / 2) * scale

    box = f'width="{LEFT}" height="{n(height - 60)}"'
    paper.lines.append(f'<svg x="2" y="34" {box} viewBox="2 34 {LEFT} {n(height - 60)}">')
    for fix in scene.fixes:
        paper.circle(*at(fix.east, fix.north), fix.accuracy * scale, "blur")
    paper.circle(*at(0, 0), scene.radius * scale, "region")
    if outer:
        paper.circle(*at(0, 0), outer * scale, "ring")
    paper.line([at(fix.east, fix.north) for fix in way(scene, run)], "way")
    found = verdicts(run)
    for number, fix in enumerate(scene.fixes, 1):
        dot(paper, *at(fix.east, fix.north), number, found.get(number, "none"))
    paper.lines.append("</svg>")
    words = f"circle: radius {n(scene.radius)} m"
    if scene.ring == "exit":
        words += f"; dashed: {n(outer - scene.radius)} m further, left beyond it"
    elif scene.ring == "enter":
        words += f"; dashed: {n(scene.radius - outer)} m within, entered inside it"
    if not scene.ring:
        words += "; grey: accuracy"
        wide = [str(number) for number, fix in enumerate(scene.fixes, 1) if fix.accuracy > 2.2 * scene.radius]
        if wide and not scene.is_brief:
            words += f", that of {' and '.join(wide)} is all of it"
    paper.text(16, height - 12, words, "small")


def dot(paper: Paper, x: float, y: float, number: int, kind: str) -> None:
    paper.circle(x, y, 8, kind)
    paper.text(x, y + 4, str(number), "number")


def draw_strip(scene: Scene, run: Run, paper: Paper, height: float) -> None:
    """Distance from the edge over time, and below it when the visit was on as the engine told it."""
    end = max([scene.until, *(fix.time for fix in scene.fixes), *(fix.heard or 0 for fix in scene.fixes)])
    left, right, top, bottom = 66, LEFT - 8, 48, height - 84

    def across(time: float) -> float:
        return left + 12 + time / end * (right - left - 24)

    def edge(fix: Fix) -> float:
        return math.hypot(fix.east, fix.north) - scene.radius

    most = max(abs(edge(fix)) for fix in scene.fixes) * 1.15
    zero = (top + bottom) / 2

    def down(metres: float) -> float:
        return zero - metres / most * (bottom - top) / 2

    paper.rect(left, zero, right - left, bottom - zero, "region")
    paper.text(left - 8, top + 12, "outside", "small", "end")
    paper.text(left - 8, zero + 4, "edge", "small", "end")
    paper.text(left - 8, bottom - 4, "inside", "small", "end")
    if scene.ring:
        far = ring(scene) - scene.radius
        paper.line([(left, down(far)), (right, down(far))], "ring")
    paper.line([(across(fix.time), down(edge(fix))) for fix in way(scene, run)], "way")
    found = verdicts(run)
    for number, fix in enumerate(scene.fixes, 1):
        dot(paper, across(fix.time), down(edge(fix)), number, found.get(number, "none"))
    # The visit, as told.
    bar = bottom + 16
    paper.text(left - 8, bar + 10, "visit", "small", "end")
    paper.rect(across(0), bar, across(end) - across(0), 12, "away")
    enter = None
    pending = None
    for answer in run.answers:
        if answer.kind == "hold" and answer.text.startswith("not-confirmed"):
            pending = answer.time if pending is None else pending
            continue
        if answer.kind not in ("enter", "exit") and answer.text not in ("refuted", "speed"):
            continue
        if answer.kind == "enter":
            enter = answer.time
        elif answer.kind == "exit" and enter is not None:
            paper.rect(across(enter), bar, across(answer.time) - across(enter), 12, "visit")
            enter = None
        if pending is not None:
            paper.rect(across(pending), bar + 14, across(answer.time) - across(pending), 4, "unsure")
            pending = None
    if enter is not None:
        paper.rect(across(enter), bar, across(end) - across(enter), 12, "visit")
    if pending is not None:
        paper.rect(across(pending), bar + 14, across(end) - across(pending), 4, "unsure")
    axis = bar + 24
    paper.line([(left, axis), (right, axis)], "axis")
    step = next(step for step in (5, 10, 20, 30, 60, 120, 300, 600) if end / step <= 6)
    for tick in range(0, int(end) + 1, step):
        paper.line([(across(tick), axis), (across(tick), axis + 4)], "axis")
        paper.text(across(tick), axis + 16, clock(tick), "small", "middle")
    paper.text(16, height - 12, "green: visit as told; amber line: not sure yet", "small")


def draw(scene: Scene) -> str:
    run = Run(scene, scene.fixes)
    height = max(LEAST_HEIGHT, 68 + 18 * len(run.answers) + 14)
    paper = Paper()
    paper.rect(0.5, 0.5, WIDTH - 1, height - 1, "card")
    paper.text(16, 24, scene.title, "title")
    (draw_map if scene.kind == "map" else draw_strip)(scene, run, paper, height)
    x = LEFT + 18
    if any(fix.heard is not None for fix in scene.fixes):
        column, cell = "heard", lambda fix: clock(fix.time if fix.heard is None else fix.heard)
    elif any(fix.speed >= 0 for fix in scene.fixes):
        column, cell = "speed", lambda fix: f"{n(fix.speed)} m/s"
    else:
        column, cell = "±", lambda fix: f"{n(fix.accuracy)} m"
    for offset, text in ((0, "fix"), (26, "time"), (63, column), (118, "the engine says")):
        paper.text(x + offset, 48, text, "small")
    last = None
    for row, answer in enumerate(run.answers):
        y = 68 + 18 * row
        if not answer.number:
            paper.text(x, y, "–", "small")
            paper.text(x + 26, y, clock(answer.time))
        elif answer.number != last:
            fix = scene.fixes[answer.number - 1]
            paper.text(x, y, str(answer.number))
            paper.text(x + 26, y, clock(fix.time))
            paper.text(x + 63, y, cell(fix))
        last = answer.number
        paper.text(x + 118, y, answer.text, answer.kind)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{n(height)}" '
        f'viewBox="0 0 {WIDTH} {n(height)}" role="img" aria-label="{escape(scene.title)}">'
    )
    return "\n".join([head, f"<style>\n{STYLE}\n</style>", *paper.lines, "</svg>"]) + "\n"


def row(times: "list[float]", east: "list[float]", accuracy: float = 10) -> "list[Fix]":
    return [Fix(time, metres, 0, accuracy) for time, metres in zip(times, east)]


EXACT = {"preset": "exact"}
CAMPAIGN = {"id": "c", "type": "geotrigger", "name": "c", "regions": ["r"]}
SCENES = [
    Scene(
        "late", 'maxLateness 5: a fix may come 5 s late, but not out of order', "strip", {**EXACT, "maxLateness": 5},
        [Fix(0, 120), Fix(10, 20), Fix(28, 110, heard=30), Fix(15, 45, heard=32), Fix(34, 25, heard=45),
         Fix(42, 125, heard=45)],
        until=50,
    ),
    Scene(
        "implied-speed", 'maxImpliedSpeed 70: nobody moves that fast', "map", {**EXACT, "maxImpliedSpeed": 70},
        [Fix(0, 140, -70), Fix(5, 40, -25), Fix(10, -360, 150), Fix(15, 5, 25), Fix(20, -130, -70)],
    ),
    Scene(
        "accuracy", 'maxAccuracy 100: too inaccurate to tell', "map", {**EXACT, "maxAccuracy": 100},
        [Fix(0, 220, 20), Fix(10, 30, 30, 1400), Fix(20, 20, -20), Fix(30, 200, 60, 1400), Fix(40, 210, -60)],
    ),
    Scene(
        "enter-share", 'enterShare 1: within by its accuracy', "map", {**EXACT, "enterShare": 1},
        [Fix(0, 120, 10, 25), Fix(10, 50, 20, 25), Fix(20, 25, -12, 25)],
        ring="enter",
    ),
    Scene(
        "margin", 'margin 20, marginShare 0.1, exitShare 1, maxMargin 100 (default)', "map", "default-1",
        [Fix(0, 140, 40), Fix(10, 20, 30), Fix(20, 72, -10), Fix(30, 40, -30), Fix(40, 75, 15), Fix(50, 110, -45)],
        ring="exit",
    ),
    Scene(
        "speed", 'maxSpeed 8: who drives by does not enter', "strip", {**EXACT, "maxSpeed": 8},
        [Fix(0, 160, speed=14), Fix(5, 30, speed=14), Fix(10, -30, speed=13), Fix(15, -160, speed=14),
         Fix(30, -30, speed=6), Fix(40, 0, speed=1)],
        until=45,
    ),
    Scene(
        "confirm-fixes", 'confirmFixes 3: three fixes, one after the other', "strip", {**EXACT, "confirmFixes": 3},
        [Fix(0, 110), Fix(5, 40), Fix(10, 20), Fix(15, 0), Fix(20, 10), Fix(25, 105), Fix(30, 110), Fix(35, 115)],
        until=40,
    ),
    Scene(
        "confirm-time", 'confirmFixes 3, confirmTime 10: two fixes do after 10 s', "strip",
        {**EXACT, "confirmFixes": 3, "confirmTime": 10},
        [Fix(0, 110), Fix(6, 30), Fix(12, 10), Fix(36, 105), Fix(50, 110)],
        until=60,
    ),
    Scene(
        "confirm-alone", 'confirmFixes 3, confirmAlone 300: one does after 5 min', "strip",
        {**EXACT, "confirmFixes": 3, "confirmAlone": 300},
        [Fix(0, 110), Fix(60, 20), Fix(480, 110)],
        until=840,
    ),
    Scene(
        "min-inside", 'minInside 30: inside for 30 s before it counts', "strip", {**EXACT, "minInside": 30},
        [Fix(0, 110), Fix(10, 20), Fix(20, 30), Fix(30, 105), Fix(50, 10), Fix(65, 20)],
        until=95,
    ),
    Scene(
        "min-outside", 'minOutside 60: outside for 60 s before it is left', "strip", {**EXACT, "minOutside": 60},
        [Fix(0, 20), Fix(280, 100), Fix(315, 30), Fix(400, 95), Fix(430, 110)],
        until=500,
        campaigns=[{**CAMPAIGN, "trigger": "dwelling", "dwellingMinutes": 5}],
    ),
    Scene(
        "refuted", 'driving: one wild fix that claims 2 m', "strip", "driving-1",
        [Fix(0, 20), Fix(10, 30, 10), Fix(20, 200, 0, 2), Fix(30, 25), Fix(40, 15)],
        until=50,
    ),
    Scene(
        "passage", 'A passage: both fixes outside, the way between goes through', "map", "default-1",
        [Fix(0, -150), Fix(60, 150)],
        campaigns=[{**CAMPAIGN, "trigger": "enter", "passages": True}],
    ),
    Scene(
        "evidence-coarse", "Coarse: a wide error circle says little, and far away enough", "map", "balanced",
        [Fix(0, 160, 40), Fix(20, 30, 20), Fix(40, 10, -10), Fix(60, 90, 60, 500), Fix(80, -10, 20),
         Fix(140, 700, 300, 200), Fix(200, 720, 260, 200), Fix(260, 680, 320, 200),
         Fix(320, 730, 290, 200)],
        page="noise.md",
    ),
    Scene(
        "evidence-jump", "Jump: the first does not last, the second does", "strip", "balanced",
        [*row([0, 10, 20, 30], [10, 20, 10, 0]), *row([40, 50], [900, 910]), *row([60, 70], [10, 0]),
         *row([80, 95, 110, 125, 140, 155, 170], [800, 805, 810, 805, 800, 810, 805])],
        page="noise.md",
    ),
    Scene(
        "evidence-rest", "Rest: beside the region, one fix lies in it", "strip", "balanced",
        [*row([0, 30, 60, 90, 120, 150, 180], [76, 66, 71, 78, 69, 72, 67]), Fix(210, 52),
         *row([240, 270], [70, 75])],
        until=300, page="noise.md",
    ),
    Scene(
        "evidence-way", "On the way: who enters, who leaves", "strip", "balanced",
        row([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110], [110, 85, 56, 40, 15, -15, -50, -82, -110, -140, -165, -190]),
        page="noise.md",
    ),
    Scene(
        "evidence-cells", "Cells alone: a fix inside enters, the mean of them leaves", "strip", "balanced",
        [Fix(60.0 * n, east, 0, 900) for n, east in enumerate([1500, 700, 900, 120, -700, 600, -300, 900, 1900, 3000, 3900, 5000])],
        radius=200, page="noise.md",
    ),
    Scene(
        "evidence-silence", "Silence: one fix beyond the margin, and no more", "strip", "balanced",
        [*row([0, 60, 120], [110, 20, 10]), Fix(240, 170)],
        until=2100, page="noise.md",
    ),
]


def main() -> int:
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__.strip())
    faults = []
    for scene in SCENES:
        path, picture = FOLDER / f"{scene.name}.svg", draw(scene).encode()
        if not sys.argv[1:]:
            FOLDER.mkdir(exist_ok=True)
            path.write_bytes(picture)
        elif not path.exists():
            faults.append(f"docs/noise/{scene.name}.svg is missing")
        elif path.read_bytes() != picture:
            faults.append(f"docs/noise/{scene.name}.svg is not what the engine answers: Tests/docs/noise_pictures.py")
        page = (ROOT / "docs" / scene.page).read_text("utf-8")
        if not re.search(rf"!\[[^\]]+\]\(noise/{scene.name}\.svg\)", page):
            faults.append(f"docs/{scene.page} does not show noise/{scene.name}.svg")
    known = {f"{scene.name}.svg" for scene in SCENES}
    strays = sorted(path.name for path in FOLDER.iterdir() if path.name not in known)
    faults += [f"docs/noise/{name} is no picture of the script" for name in strays]
    for fault in faults:
        print(fault)
    if not faults:
        done = "are what the engine answers" if sys.argv[1:] else "drawn"
        print(f"noise pictures: {len(SCENES)} {done}")
    return 1 if faults else 0


sys.exit(main())
