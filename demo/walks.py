"""Makes the tracks of the demo: routes by hand, fixes by a seeded generator, with the errors and gaps of a real phone.

Only additions, multiplications and square roots are used, all exactly rounded by IEEE 754, and every number is written with a fixed number of
decimals; so a file is the same, byte for byte, on every machine.
"""

import dataclasses
import random
from datetime import timedelta


@dataclasses.dataclass
class Walk:
    """A route, and how it is recorded.

    A corner of the route is ("corner", latitude, longitude, what the sky is like on the way there, metres a second on the way there); a stop is
    ("stop", seconds, what the sky is like); a blank is ("blank", seconds without a fix, after so many seconds of the next stop).
    """

    seed: int
    start: object
    step: int  # seconds between fixes
    route: list
    # How good the fixes are: (error in metres, root mean square; reported accuracy, least and most).
    sky: dict
    origin: tuple
    metres_east: float  # for one degree of longitude at the origin
    slowest: float = 1.15
    fastest: float = 1.55
    metres_north: float = 111266.0  # for one degree of latitude

    def to_plane(self, latitude, longitude):
        return ((longitude - self.origin[1]) * self.metres_east, (latitude - self.origin[0]) * self.metres_north)

    def to_degrees(self, east, north):
        return (self.origin[0] + north / self.metres_north, self.origin[1] + east / self.metres_east)

    def true_positions(self, generator):
        """One (east, north, speed, sky, seen) for each second."""
        seconds = []
        here = None
        blanks = []
        pace = 0.0  # slow changes of a person's pace
        for entry in self.route:
            if entry[0] == "blank":
                blanks.append((entry[2], entry[2] + entry[1]))
            elif entry[0] == "stop":
                for second in range(entry[1]):
                    seen = not any(first <= second < last for first, last in blanks)
                    seconds.append((here[0], here[1], 0.0, entry[2], seen))
                blanks = []
            else:
                there = self.to_plane(entry[1], entry[2])
                if here is None:
                    here = there
                    continue
                east, north = there[0] - here[0], there[1] - here[1]
                length = (east * east + north * north) ** 0.5
                walked = 0.0
                while walked < length:
                    pace = 0.98 * pace + 0.2 * 0.06 * normal(generator)
                    speed = entry[4] + max(-0.12, min(0.12, pace))
                    speed = max(self.slowest, min(self.fastest, speed))
                    walked += speed
                    part = min(1.0, walked / length)
                    # Under a roof or in a tunnel there is no fix at all.
                    seconds.append((here[0] + part * east, here[1] + part * north, speed, entry[3], entry[3] != "none"))
                here = there
        return seconds

    def fixes(self):
        """One (time, latitude, longitude, accuracy, speed) for each fix."""
        generator = random.Random(self.seed)
        memory = 0.965  # of the error, from fix to fix
        fresh = (1.0 - memory * memory) ** 0.5
        error_east, error_north = normal(generator), normal(generator)
        wanted = self.sky["open"]
        size, accuracy = wanted[0], wanted[2]
        for second, (east, north, speed, sky, seen) in enumerate(self.true_positions(generator)):
            if second % self.step:
                continue
            error_east = memory * error_east + fresh * normal(generator)
            error_north = memory * error_north + fresh * normal(generator)
            length = (error_east * error_east + error_north * error_north) ** 0.5
            if length > 2.2:  # a receiver throws the wildest away
                error_east, error_north = error_east * 2.2 / length, error_north * 2.2 / length
            wanted = self.sky.get(sky, wanted)
            size += 0.25 * (wanted[0] - size)
            target = wanted[1] + (wanted[2] - wanted[1]) * generator.random()
            accuracy += 0.4 * (target - accuracy)
            scale = size * 0.7071067811865476  # the error has two directions
            small = 0.3 + 0.03 * size
            latitude, longitude = self.to_degrees(
                east + scale * error_east + small * normal(generator),
                north + scale * error_north + small * normal(generator),
            )
            measured = max(0.0, speed + 0.07 * normal(generator)) if speed else max(0.0, 0.08 * normal(generator))
            if seen:
                yield self.start + timedelta(seconds=second), latitude, longitude, accuracy, measured

    def csv(self):
        """The fixes as a table."""
        lines = ["time,latitude,longitude,accuracy,speed"]
        for time, latitude, longitude, accuracy, speed in self.fixes():
            lines.append(f"{time:%Y-%m-%dT%H:%M:%SZ},{latitude:.6f},{longitude:.6f},{accuracy:.1f},{speed:.2f}")
        return "\n".join(lines) + "\n"


def normal(generator):
    """A normal number, near enough: twelve uniform ones, so that no library's logarithm comes into it."""
    total = -6.0
    for _ in range(12):  # not sum(), which rounds differently since Python 3.12
        total += generator.random()
    return total
