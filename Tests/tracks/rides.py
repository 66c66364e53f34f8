"""Writes one ride in every format that `plot` reads, as the programs of these formats do. The readers of the tool share nothing with it."""

import datetime
import gzip
import json
import math
import re
import struct

EPOCH = 631065600
"""Seconds from 1970 to the first moment of FIT."""


class Point:
    def __init__(self, time, latitude, longitude, accuracy, speed):
        self.time, self.latitude, self.longitude, self.accuracy, self.speed = time, latitude, longitude, accuracy, speed

    @property
    def iso(self):
        return datetime.datetime.fromtimestamp(self.time, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def points_of(gpx):
    """The points of the demo's GPX, which has one on each line."""
    pattern = r'<trkpt lat="(\S+)" lon="(\S+)"><time>(\S+)</time>.*?<accuracy>(\S+)</accuracy><speed>(\S+)</speed>'
    return [
        Point(int(datetime.datetime.fromisoformat(time).timestamp()), float(latitude), float(longitude), float(accuracy), float(speed))
        for latitude, longitude, time, accuracy, speed in re.findall(pattern, gpx)
    ]


def csv(points, separator=",", fields=("accuracy", "speed")):
    comma = separator != ","
    lines = [separator.join(["time", "latitude", "longitude", *fields])]
    for point in points:
        numbers = [f"{point.latitude:.6f}", f"{point.longitude:.6f}", *(f"{getattr(point, field)!r}" for field in fields)]
        time = point.iso.replace("T", " ").replace("Z", " +00:00") if comma else point.iso
        lines.append(separator.join([time, *(number.replace(".", ",") if comma else number for number in numbers)]))
    return "\n".join(lines) + "\n"


def tcx(points):
    body = "".join(
        f"<Trackpoint><Time>{one.iso}</Time><Position><LatitudeDegrees>{one.latitude:.6f}</LatitudeDegrees><LongitudeDegrees>{one.longitude:.6f}"
        f"</LongitudeDegrees></Position><Extensions><x:TPX><x:Speed>{one.speed}</x:Speed></x:TPX></Extensions></Trackpoint>\n"
        for one in points
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" '
        'xmlns:x="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><Activities><Activity Sport="Other">'
        f'<Id>{points[0].iso}</Id><Lap StartTime="{points[0].iso}"><Track>\n{body}</Track></Lap></Activity></Activities></TrainingCenterDatabase>\n'
    )


def kml(points):
    times = "".join(f"<when>{one.iso}</when>\n" for one in points)
    places = "".join(f"<gx:coord>{one.longitude:.6f} {one.latitude:.6f} 0</gx:coord>\n" for one in points)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">'
        f"<Document><Placemark><gx:Track>\n{times}{places}</gx:Track></Placemark></Document></kml>\n"
    )


def geojson(points):
    feature = {
        "type": "Feature", "geometry": {"type": "LineString", "coordinates": [[one.longitude, one.latitude] for one in points]},
        "properties": {"coordTimes": [one.iso for one in points]},
    }  # fmt: skip
    return json.dumps(feature)


def e7(point, latitude, longitude):
    return {latitude: round(point.latitude * 1e7), longitude: round(point.longitude * 1e7)}


def records(points):
    return json.dumps(
        {
            "locations": [
                {**e7(one, "latitudeE7", "longitudeE7"), "accuracy": round(one.accuracy), "velocity": round(one.speed), "source": "GPS", "timestamp": one.iso}
                for one in points
            ]
        },
        indent=1,
    )


def month(points):
    path = [{**e7(one, "latE7", "lngE7"), "accuracyMeters": round(one.accuracy), "timestampMs": str(one.time * 1000)} for one in points[1:-1]]
    ends = [points[0], points[-1]]
    activity = {
        "startLocation": e7(ends[0], "latitudeE7", "longitudeE7"), "endLocation": e7(ends[1], "latitudeE7", "longitudeE7"),
        "duration": {"startTimestamp": ends[0].iso, "endTimestamp": ends[1].iso}, "simplifiedRawPath": {"points": path},
    }  # fmt: skip
    return json.dumps({"timelineObjects": [{"activitySegment": activity}]}, indent=1)


def android(points):
    position = [
        {"position": {"LatLng": f"{one.latitude}°, {one.longitude}°", "accuracyMeters": round(one.accuracy), "source": "GPS",
                      "timestamp": one.iso.replace("Z", ".000+00:00"), "speedMetersPerSecond": one.speed}}
        for one in points
    ]  # fmt: skip
    segments = [{"startTime": points[0].iso, "endTime": points[-1].iso, "timelinePath": [{"point": "0.0°, 0.0°", "time": points[1].iso}]}]
    return json.dumps({"semanticSegments": segments, "rawSignals": position}, ensure_ascii=False, indent=1)


def ios(points):
    return json.dumps(
        [
            {"startTime": one.iso, "endTime": one.iso,
             "timelinePath": [{"point": f"geo:{one.latitude},{one.longitude}", "durationMinutesOffsetFromStartTime": "0"}]}
            for one in points
        ],
        indent=1,
    )  # fmt: skip


def gnss(points):
    head = "# Version: v3.0.5.6 Platform: 13\n#\n# Fix,Provider,LatitudeDegrees,LongitudeDegrees,AltitudeMeters,SpeedMps,AccuracyMeters,BearingDegrees,UnixTimeMillis\n#\n"
    lines = []
    for one in points:
        lines.append(f"Fix,FLP,{one.latitude:.6f},{one.longitude:.6f},2.0,{one.speed},{one.accuracy},,{one.time * 1000}")
        lines.append(f"Fix,NLP,{one.latitude + 0.01:.6f},{one.longitude:.6f},2.0,,900.0,,{one.time * 1000 + 500}")
        lines.append("Raw,1,2,3")
    return head + "\n".join(lines) + "\n"


def sentence(text):
    total = 0
    for byte in text.encode():
        total ^= byte
    return f"${text}*{total:02X}"


def nmea(points):
    lines = []
    for one in points:
        time = datetime.datetime.fromtimestamp(one.time, datetime.UTC)
        angles = []
        for degrees, width, sides in ((one.latitude, 2, "NS"), (one.longitude, 3, "EW")):
            whole = int(abs(degrees))
            angles.append(f"{whole:0{width}d}{(abs(degrees) - whole) * 60:09.6f},{sides[degrees < 0]}")
        place = ",".join(angles)
        clock = time.strftime("%H%M%S.00")
        axis = one.accuracy / math.sqrt(2)
        lines.append(sentence(f"GNGGA,{clock},{place},1,12,0.8,2.0,M,46.0,M,,"))
        lines.append(sentence(f"GNRMC,{clock},A,{place},{one.speed * 3600 / 1852:.4f},,{time:%d%m%y},,,A"))
        lines.append(sentence(f"GNGST,{clock},1.0,,,,{axis:.4f},{axis:.4f},3.0"))
        lines.append(sentence("GPGSV,1,1,00"))
    return "\r\n".join(lines) + "\r\n"


def checksum(data):
    total = 0
    for byte in data:
        total ^= byte
        for _ in range(8):
            total = total >> 1 ^ 0xA001 if total & 1 else total >> 1
    return total


def fit(points):
    def definition(local, message, fields):
        return struct.pack("<BBBHB", 0x40 | local, 0, 0, message, len(fields)) + b"".join(struct.pack("BBB", *field) for field in fields)

    body = definition(0, 0, [(0, 1, 0x00), (1, 2, 0x84), (2, 2, 0x84), (4, 4, 0x86)])
    body += struct.pack("<BBHHI", 0, 4, 255, 0, points[0].time - EPOCH)
    body += definition(1, 20, [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (6, 2, 0x84), (31, 1, 0x02)])
    for one in points:
        angles = [round(degrees * 2**31 / 180) for degrees in (one.latitude, one.longitude)]
        body += struct.pack("<BIiiHB", 1, one.time - EPOCH, *angles, round(one.speed * 1000), round(one.accuracy))
    header = struct.pack("<BBHI4s", 14, 0x20, 2132, len(body), b".FIT")
    header += struct.pack("<H", checksum(header))
    return header + body + struct.pack("<H", checksum(header + body))


def rounded(points, accuracy=1, speed=2):
    """The same ride as far as a format tells accuracy and speed; nil for a number that it has not."""
    return [Point(one.time, one.latitude, one.longitude, round(one.accuracy, accuracy), round(one.speed, speed)) for one in points]


def rides(gpx):
    """Name of a file, its bytes, and the same ride as CSV, with what the format has of accuracy and speed."""
    points = points_of(gpx)
    both, none = ("accuracy", "speed"), ()
    whole = rounded(points, accuracy=0)
    return {
        "ride.gpx": (gpx, points, both), "ride.csv": (csv(points), points, both), "semicolons.csv": (csv(points, ";"), points, both),
        "tabs.csv": (csv(points, "\t"), points, both), "ride.tcx": (tcx(points), points, ("speed",)), "ride.kml": (kml(points), points, none),
        "ride.geojson": (geojson(points), points, none), "Records.json": (records(points), rounded(points, 0, 0), both),
        "2026_MAY.json": (month(points), whole, ("accuracy",)), "Timeline.json": (android(points), whole, both),
        "location-history.json": (ios(points), points, none), "gnss_log.txt": (gnss(points), points, both), "ride.nmea": (nmea(points), points, both),
        "ride.fit": (fit(points), whole, both), "ride.gpx.gz": (gzip.compress(gpx.encode(), mtime=0), points, both),
    }  # fmt: skip
