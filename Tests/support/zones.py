"""The answers of Python's zoneinfo about zones and opening hours: questions as JSON on stdin, answers as JSON on stdout.

{"hours": [{"zone", "week": {"mon": [["09:00", "17:30"]]}, "exceptions": {"2026-12-25": []}, "from", "to"}]}
    for each: the minutes of UTC (since 1970) from which on it is open or closed by turns, the first closed
{"spans": [{"zone", "start": "2026-05-01T09:00", "end", "from", "to"}]}
    for each: the same, of the time between two readings of a clock on the wall
{"days": [{"zone", "times": [seconds]}]}
    for each: the days since 1970 that calendars there show
{"offsets": {"zones": [name], "times": [seconds]}}
    for each zone: the seconds east of UTC at each time
"""

import functools
import json
import sys
from array import array
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1)
DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


@functools.lru_cache(maxsize=1)
def wall_minutes(name, first, last):
    """The time that a clock on the wall shows at each minute of UTC, in minutes, counted as if the clock were in UTC."""
    zone = ZoneInfo(name)
    shown = array("q")
    for minute in range(first, last):
        local = datetime.fromtimestamp(minute * 60, timezone.utc).astimezone(zone).replace(tzinfo=None)
        shown.append(int((local - EPOCH).total_seconds()) // 60)
    return shown


def minute_of(text):
    hour, minute = text.split(":")
    return int(hour) * 60 + int(minute)


def painted(case, first, last):
    """A map of all minutes of a wall calendar from `first` to `last`, painted span by span."""
    begin = first.toordinal()
    paper = bytearray((last.toordinal() - begin + 3) * 1440)
    day = first
    while day <= last:
        spans = case["exceptions"].get(day.isoformat())
        if spans is None:
            spans = case["week"].get(DAYS[day.weekday()], [])
        for start, end in spans:
            left = (day.toordinal() - begin) * 1440 + minute_of(start)
            right = (day.toordinal() - begin) * 1440 + minute_of(end)
            if right <= left:
                right += 1440
            for minute in range(left, right):
                paper[minute] = 1
        day += timedelta(days=1)
    return paper


def hours(case):
    first = date(1970, 1, 1) + timedelta(days=case["from"] // 1440 - 4)
    last = date(1970, 1, 1) + timedelta(days=case["to"] // 1440 + 4)
    paper = painted(case, first, last)
    origin = (first - date(1970, 1, 1)).days * 1440
    runs, state = [], 0
    for minute, shown in enumerate(wall_minutes(case["zone"], case["from"], case["to"]), case["from"]):
        if paper[shown - origin] != state:
            runs.append(minute)
            state = 1 - state
    return runs


def spans(case):
    zone = ZoneInfo(case["zone"])
    start, end = datetime.fromisoformat(case["start"]), datetime.fromisoformat(case["end"])
    runs, state = [], False
    for minute in range(case["from"], case["to"]):
        shown = datetime.fromtimestamp(minute * 60, timezone.utc).astimezone(zone).replace(tzinfo=None)
        if (start <= shown < end) != state:
            runs.append(minute)
            state = not state
    return runs


def days(case):
    zone = ZoneInfo(case["zone"])
    shown = (datetime.fromtimestamp(time, timezone.utc).astimezone(zone).date() for time in case["times"])
    return [(day - date(1970, 1, 1)).days for day in shown]


def offsets(question):
    epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)
    answers = []
    for name in question["zones"]:
        zone = ZoneInfo(name)
        moments = ((epoch + timedelta(seconds=time)).astimezone(zone) for time in question["times"])
        answers.append([int(moment.utcoffset().total_seconds()) for moment in moments])
    return answers


question = json.load(sys.stdin)
answer = {"hours": [hours(case) for case in question["hours"]]}
answer["spans"] = [spans(case) for case in question.get("spans", [])]
answer["days"] = [days(case) for case in question.get("days", [])]
if "offsets" in question:
    answer["offsets"] = offsets(question["offsets"])
json.dump(answer, sys.stdout)
