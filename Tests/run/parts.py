"""The real parts that `plot run` works with: buses, gpsd, a desktop's notifications and screen, a server for webhooks."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import tty
import zlib

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
DEMO = ROOT / "demo"
PLOT = pathlib.Path(os.environ.get("PLOT", ROOT / ".build/debug/plot"))
# Debian has the script gpsfake in a package with a desktop's worth of others: run_tests.sh takes it out of that.
GPSFAKE = os.environ.get("GPSFAKE", shutil.which("gpsfake") or "")
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"


def wait_for(condition, seconds=10.0, what="it"):
    """Waits until `condition()` is true, and gives what it gave."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"{what} has not come in {seconds} s")
        time.sleep(0.02)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def stamp(seconds):
    """A time as ISO 8601."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def fix_line(point):
    """A point of nmea.points as a line of JSON."""
    seconds, latitude, longitude, accuracy, speed = point
    fix = {"latitude": latitude, "longitude": longitude, "accuracy": accuracy, "speed": speed}
    return json.dumps({"time": stamp(seconds), "fix": fix})


def resident(process):
    """Bytes of memory that a process has."""
    with open(f"/proc/{process.pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def receiver():
    """A pseudoterminal for gpsd: where the receiver writes, and its path. The other end is open too, so that gpsd may come and go."""
    master, slave = os.openpty()
    tty.setraw(slave)
    path = os.ttyname(slave)
    os.chmod(path, 0o666)
    return master, path


class World:
    """A folder, a session's runtime folder, and a bus for the session and one for the system."""

    def __init__(self, buses=True):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="plot-run-"))
        runtime = self.folder / "runtime"
        runtime.mkdir(mode=0o700)
        self.environment = {
            "PATH": PATH,
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": str(runtime),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.folder}/session",
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.folder}/system",
        }
        self.processes = []
        self.buses = {}
        if buses:
            self.start_bus("session")
            self.start_bus("system")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            # Each is a session of its own: gpsfake starts gpsd.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def spawn(self, *words, log=None, stdin=subprocess.DEVNULL, **environment):
        """A process that ends with the world; `log` is the name of a file for what it says."""
        out = open(self.folder / log, "ab") if log else subprocess.DEVNULL
        try:
            process = subprocess.Popen(
                [str(word) for word in words],
                env={**self.environment, **environment},
                stdin=stdin,
                stdout=out,
                stderr=subprocess.STDOUT if log else subprocess.DEVNULL,
                cwd=self.folder,
                start_new_session=True,
            )
        finally:
            if log:
                out.close()
        self.processes.append(process)
        return process

    def text(self, name):
        path = self.folder / name
        return path.read_text() if path.exists() else ""

    def records(self, name):
        return [json.loads(line) for line in self.text(name).splitlines()]

    # Buses

    def start_bus(self, kind):
        path = self.folder / kind
        path.unlink(missing_ok=True)
        self.buses[kind] = self.spawn("dbus-daemon", "--session", "--nofork", f"--address=unix:path={path}", log=f"{kind}.log")
        wait_for(path.exists, what=f"the {kind} bus")

    def mock(self, template, *more):
        """A service of python-dbusmock, whose calls are in the log `template.log`."""
        name = pathlib.Path(template).stem
        process = self.spawn(sys.executable, "-m", "dbusmock", "--template", template, *more, log=f"{name}.log")
        return process

    def owner(self, kind, service):
        """Whether a name on a bus has an owner."""
        words = ["dbus-send", f"--bus=unix:path={self.folder}/{kind}", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner", f"string:{service}"]
        return "boolean true" in subprocess.run(words, env=self.environment, capture_output=True, text=True).stdout

    # A screen

    def start_screen(self):
        frames = self.folder / "frames"
        frames.mkdir(exist_ok=True)
        read, write = os.pipe()
        process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "640x300x24", "-fbdir", str(frames), "-nolisten", "tcp"],
            env=self.environment,
            pass_fds=[write],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.processes.append(process)
        os.close(write)
        with os.fdopen(read) as file:
            self.environment["DISPLAY"] = ":" + file.readline().strip()
        self.frame = frames / "Xvfb_screen0"

    def start_desktop(self):
        """dunst, with the configuration beside this file."""
        dunst = self.spawn("dunst", "-conf", HERE / "dunstrc", log="dunst.log")
        wait_for(lambda: self.owner("session", "org.freedesktop.Notifications"), what="dunst")
        return dunst

    def pixels(self):
        """The screen: width, height, and its pixels as bytes of red, green and blue."""
        data = self.frame.read_bytes()
        header = struct.unpack(">25I", data[:100])
        size, width, height, stride, colours = header[0], header[4], header[5], header[12], header[19]
        start = size + colours * 12
        rows = []
        for y in range(height):
            row = data[start + y * stride : start + y * stride + width * 4]
            rows.append(bytes(value for x in range(0, len(row), 4) for value in (row[x + 2], row[x + 1], row[x])))
        return width, height, b"".join(rows)

    def picture(self, path):
        """Writes what is on the screen as PNG."""
        width, height, pixels = self.pixels()
        lines = b"".join(b"\0" + pixels[y * width * 3 : (y + 1) * width * 3] for y in range(height))

        def chunk(kind, body):
            return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

        head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        pathlib.Path(path).write_bytes(
            b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b"")
        )

    def click(self, x, y, button=1):
        subprocess.run(["xdotool", "mousemove", str(x), str(y), "click", str(button)], env=self.environment, check=True, timeout=10)

    # gpsd

    def gpsfake(self, log, port, cycle=0.001, *more):
        """gpsd with what a receiver has sent, at a port."""
        assert GPSFAKE, "gpsfake is missing: run_tests.sh finds it"
        return self.spawn(sys.executable, GPSFAKE, "-1", "-n", "-c", cycle, "-P", port, *more, log, log="gpsfake.log")

    # A webhook

    def hook(self, port, failures=0):
        process = self.spawn(sys.executable, HERE / "hook.py", port, self.folder / "hook.jsonl", failures, log="hook.log")

        def answers():
            with socket.socket() as s:
                return s.connect_ex(("127.0.0.1", port)) == 0

        wait_for(answers, what="the server")
        return process


class Plot:
    """`plot run` in a world."""

    def __init__(self, world, *words, stdin=subprocess.DEVNULL, name="default", **environment):
        self.world = world
        self.name = name
        self.log = f"{name}.log"
        self.process = world.spawn(PLOT, "run", "--name", name, *words, log=self.log, stdin=stdin, **environment)

    @classmethod
    def of(cls, world, process):
        """One that was started otherwise, with the log `default.log`."""
        plot = cls.__new__(cls)
        plot.world, plot.name, plot.log, plot.process = world, "default", "default.log", process
        return plot

    def ready(self, seconds=20):
        wait_for(lambda: self.process.poll() is not None or self.status(), seconds, what="plot run")
        assert self.process.poll() is None, self.world.text(self.log)
        return self

    def ask(self, *words):
        done = subprocess.run(
            [PLOT, "run", "--name", self.name, *words], env=self.world.environment, capture_output=True, text=True, timeout=20
        )
        return done

    def status(self):
        done = self.ask("--status", "--json")
        return json.loads(done.stdout) if done.returncode == 0 else None

    def send(self, **line):
        done = self.ask("--send", json.dumps(line))
        assert done.returncode == 0, done.stderr
        return self

    def fix(self, latitude, longitude, accuracy=5.0, **more):
        return self.send(fix={"latitude": latitude, "longitude": longitude, "accuracy": accuracy}, **more)

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.process.wait(20)


def feed(campaigns, regions=None):
    """A feed with a shop at 52.378, 4.9."""
    shop = {"id": "shop", "type": "geofence", "name": "Bakery", "latitude": 52.378, "longitude": 4.9, "radius": 150}
    return json.dumps({"version": 1, "regions": regions or [shop], "campaigns": campaigns})


BREAD = {
    "id": "bread",
    "type": "notification",
    "regions": ["shop"],
    "message": "Fresh <bread> & coffee",
    "content": {"title": "Bakery", "actions": [{"id": "later", "title": "Later"}]},
    "data": "https://example.org/bread",
    "removeOnExit": True,
}
INSIDE, OUTSIDE = (52.378, 4.9), (52.388, 4.9)
# A fix is exactly where it says: what is tested here is the host.
EXACT = json.dumps({"engine": {"noise": "exact", "initial": "enter"}})
