"""NMEA 0183, as a receiver would send it on a walk."""

import math
import xml.etree.ElementTree
from datetime import datetime, timezone

GPX = "{http://www.topografix.com/GPX/1/1}"


def points(path):
    """The points of the demo's track: (seconds since 1970, latitude, longitude, accuracy in metres, speed in m/s)."""
    for point in xml.etree.ElementTree.parse(path).iter(f"{GPX}trkpt"):
        time = datetime.fromisoformat(point.find(f"{GPX}time").text.replace("Z", "+00:00"))
        accuracy, speed = (float(point.find(f".//{GPX}{name}").text) for name in ("accuracy", "speed"))
        yield time.timestamp(), float(point.get("lat")), float(point.get("lon")), accuracy, speed


def sentence(body):
    total = 0
    for byte in body.encode():
        total ^= byte
    return f"${body}*{total:02X}\r\n"


def _degrees(value, width, signs):
    whole, rest = divmod(round(abs(value) * 60_000_000), 60_000_000)
    return f"{whole:0{width}d}{rest / 1_000_000:09.6f},{signs[value < 0]}"


def position(time, latitude, longitude, error=5.0, speed=1.2, course=0.0):
    """A position with its error (68 %, metres) as GST, and the sentences that a receiver sends beside it."""
    moment = datetime.fromtimestamp(time, timezone.utc)
    clock, date = moment.strftime("%H%M%S.%f")[:-4], moment.strftime("%d%m%y")
    place = f"{_degrees(latitude, 2, 'NS')},{_degrees(longitude, 3, 'EW')}"
    sigma = error / math.sqrt(2 * math.log(1 / (1 - 0.68)))
    return "".join(
        map(
            sentence,
            [
                f"GPGST,{clock},{error:.1f},{sigma:.2f},{sigma:.2f},0.0,{sigma:.2f},{sigma:.2f},{sigma:.2f}",
                f"GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.5,{error / 5:.1f},1.1",
                f"GPGGA,{clock},{place},1,08,{error / 5:.1f},2.0,M,47.0,M,,",
                f"GPRMC,{clock},A,{place},{speed / 0.514444:.2f},{course:.1f},{date},,,A",
            ],
        )
    )


def nothing(time):
    """The sentences that a receiver sends while it has no fix."""
    clock, date = (datetime.fromtimestamp(time, timezone.utc).strftime(form) for form in ("%H%M%S.00", "%d%m%y"))
    return sentence(f"GPRMC,{clock},V,,,,,,,{date},,,N")
