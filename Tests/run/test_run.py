"""`plot run` with the real parts. `python3 -m unittest` in this folder, or run_tests.sh."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest
from datetime import datetime

import nmea
from parts import BREAD, DEMO, EXACT, HERE, INSIDE, OUTSIDE, PLOT, Plot, World
from parts import feed, fix_line, free_port, resident, stamp, wait_for

NONE = ["--no-gpsd", "--no-geoclue", "--no-bluetooth"]
WALK = ["--config", DEMO / "plotconfig.json", "--feed", DEMO / "feed.json", "--property", "language=en"]
WALK += ["--property", "premiumMember=true", "--time-zone", "UTC"]


def happened(events):
    """The result of a walk: events without their sequences, which a later start shifts."""
    return [
        {key: value for key, value in event.items() if key not in ("sequence", "latitude", "longitude")} for event in events
    ]


class Chaos(unittest.TestCase):
    """Short forms of what run_tests.sh plays at length."""

    def run_script(self, *words):
        done = subprocess.run([sys.executable, *words], cwd=HERE, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_kills(self):
        self.run_script("chaos.py", "--kills", "15", "--seed", "7")

    def test_day(self):
        self.run_script("day.py", "--hours", "3")


class Case(unittest.TestCase):
    def world(self, **options):
        world = World(**options)
        self.addCleanup(world.__exit__)
        return world

    def exact(self, world, campaigns=(BREAD,), regions=None):
        """A configuration and a feed of these campaigns; the words that name them."""
        (world.folder / "config.json").write_text(EXACT)
        (world.folder / "feed.json").write_text(feed(list(campaigns), regions))
        return ["--config", "config.json", "--feed", "feed.json"]


class Walks(Case):
    """The demo's walk leads to the same events at the same times, whatever brings its positions."""

    def simulated(self, world, points):
        """The output of `plot simulate` for points."""
        with open(world.folder / "walk.csv", "w") as file:
            file.write("time,latitude,longitude,accuracy,speed\n")
            for time_, latitude, longitude, accuracy, speed in points:
                file.write(f"{stamp(time_)},{latitude:.6f},{longitude:.6f},{accuracy},{speed}\n")
        words = [PLOT, "simulate", *WALK[:-2], "--track", "walk.csv", "--events", "simulated.jsonl", "--quiet"]
        subprocess.run(words, cwd=world.folder, check=True, stdout=subprocess.DEVNULL, timeout=60)
        return world.records("simulated.jsonl")

    def test_lines(self):
        """From standard input, by the clock of the sources: the same bytes."""
        world = self.world(buses=False)
        points = list(nmea.points(DEMO / "walk.gpx"))
        self.simulated(world, points)
        (world.folder / "walk.jsonl").write_text("".join(fix_line(point) + "\n" for point in points))
        with open(world.folder / "walk.jsonl") as lines:
            words = [*WALK, *NONE, "--clock", "sources", "--input", "-", "--screen", "terminal", "--events", "events.jsonl"]
            # Filter and handler that let everything pass change nothing.
            plot = Plot(world, *words, "--filter", "cat", "--on-geotrigger", "cat", stdin=lines)
            self.assertEqual(plot.process.wait(60), 0, world.text(plot.log))
        self.assertEqual(world.text("events.jsonl"), world.text("simulated.jsonl"))
        self.assertEqual(world.text(plot.log).count("shown"), 12)

    def test_gpsd(self):
        """As NMEA through gpsfake and gpsd."""
        world = self.world(buses=False)
        points = list(nmea.points(DEMO / "walk.gpx"))
        expected = self.simulated(world, points)
        with open(world.folder / "walk.nmea", "w") as file:
            # A receiver without a fix, until plot run is there.
            for second in range(4000):
                file.write(nmea.nothing(points[0][0] - 4000 + second))
            for time_, latitude, longitude, accuracy, speed in points:
                file.write(nmea.position(time_, latitude, longitude, accuracy, speed))
        port = free_port()
        words = ["--gpsd", f"127.0.0.1:{port}", "--no-geoclue", "--no-bluetooth", "--clock", "sources"]
        plot = Plot(world, *WALK, *words, "--screen", "terminal", "--events", "events.jsonl").ready()
        world.gpsfake("walk.nmea", port)
        # The last epoch of the receiver is reported when the next one begins, which it does not.
        until = points[-1][0] - 5
        wait_for(lambda: (plot.status().get("engine") or {}).get("time", "") >= stamp(until), seconds=60, what="the end of the walk")
        self.assertEqual(plot.stop(), 0)
        self.assertEqual(happened(world.records("events.jsonl")), [e for e in happened(expected) if e["time"] <= stamp(until)])
        self.assertIn("gpsd: connected to release", world.text(plot.log))

    def test_geoclue(self):
        """As positions of GeoClue."""
        world = self.world()
        points = list(nmea.points(DEMO / "walk.gpx"))
        self.simulated(world, points)
        world.mock(str(HERE / "geoclue.py"))
        words = ["--no-gpsd", "--no-bluetooth", "--clock", "sources", "--screen", "terminal", "--events", "events.jsonl"]
        plot = Plot(world, *WALK, *words).ready()
        wait_for(lambda: plot.status()["sources"]["geoclue"]["state"] == "connected", what="GeoClue")
        place = proxy(world, "system", "org.freedesktop.GeoClue2", "/org/freedesktop/GeoClue2/Manager")
        for number, (time_, latitude, longitude, accuracy, speed) in enumerate(points, 1):
            place.Place(latitude, longitude, accuracy, speed, time_, dbus_interface="org.freedesktop.DBus.Mock")
            if number % 50 == 0:
                # GeoClue keeps the newest location only.
                wait_for(lambda: plot.status()["sources"]["geoclue"]["fixes"] == number, what="the positions")
        wait_for(lambda: plot.status()["sources"]["geoclue"]["fixes"] == len(points), what="the positions")
        self.assertEqual(plot.stop(), 0)
        self.assertEqual(world.text("events.jsonl"), world.text("simulated.jsonl"))


class Desktop(Case):
    """Notifications on a screen: dunst under Xvfb."""

    def start(self, *words):
        world = self.world()
        world.start_screen()
        world.start_desktop()
        os.mkfifo(world.folder / "pipe", 0o600)
        plot = Plot(world, *self.exact(world), *NONE, "--input", "pipe", "--events", "events.jsonl", *words).ready()
        wait_for(lambda: plot.status()["screen"] == "desktop", what="the desktop")
        self.empty = world.pixels()
        return world, plot

    def is_shown(self, world):
        return world.pixels() != self.empty

    def names(self, world):
        return [event["event"] for event in world.records("events.jsonl")]

    def test_click(self):
        """It is seen, clicked, opened, and gone."""
        world, plot = self.start("--on-open", "cat >opened.json")
        plot.fix(*INSIDE)
        wait_for(lambda: self.is_shown(world), what="the notification")
        time.sleep(0.3)
        if folder := os.environ.get("PLOT_RUN_PICTURES"):
            world.picture(pathlib.Path(folder) / "notification.png")
        world.click(480, 40)
        wait_for(lambda: "notification-opened" in self.names(world), what="the opening")
        wait_for(lambda: not self.is_shown(world), what="the end of the notification")
        opened = json.loads(wait_for(lambda: world.text("opened.json").endswith("\n") and world.text("opened.json")))
        self.assertEqual(opened["action"], "uri")
        self.assertEqual(opened["notification"]["data"], BREAD["data"])
        plot.fix(*OUTSIDE)
        wait_for(lambda: "region-exit" in self.names(world), what="the exit")
        # It was opened, not dismissed, and what was opened is not taken off a screen.
        self.assertNotIn("notification-dismissed", self.names(world))
        self.assertEqual(plot.stop(), 0)

    def test_exit(self):
        """It is removed at the exit, also by another process than the one that has shown it."""
        world, plot = self.start("--store", "store")
        plot.fix(*INSIDE)
        wait_for(lambda: self.is_shown(world), what="the notification")
        plot.stop(signal.SIGKILL)
        self.assertTrue(self.is_shown(world))
        words = [*self.exact(world), *NONE, "--input", "pipe", "--events", "events.jsonl", "--store", "store"]
        plot = Plot(world, *words).ready()
        wait_for(lambda: plot.status()["screen"] == "desktop", what="the desktop")
        time.sleep(0.3)
        plot.fix(*OUTSIDE)
        wait_for(lambda: not self.is_shown(world), what="the end of the notification")
        self.assertEqual(self.names(world), ["region-enter", "notification-shown", "region-exit", "notification-removed"])

    def test_due_meanwhile(self):
        """A removal that was due while no process ran is done on the screen at the start of the next one."""
        world, plot = self.start("--store", "store")
        (world.folder / "feed.json").write_text(feed([{**BREAD, "expireAfter": 2}]))
        self.assertEqual(plot.ask("--reload").returncode, 0)
        plot.fix(*INSIDE)
        wait_for(lambda: self.is_shown(world), what="the notification")
        plot.stop(signal.SIGKILL)
        time.sleep(2)
        self.assertTrue(self.is_shown(world))
        words = [*NONE, "--config", "config.json", "--feed", "feed.json", "--input", "pipe", "--events", "events.jsonl", "--store", "store"]
        plot = Plot(world, *words).ready()
        wait_for(lambda: not self.is_shown(world), what="the end of the notification")
        self.assertEqual(world.records("events.jsonl")[-1]["reason"], "expired")
        self.assertEqual(plot.stop(), 0)

    def test_dismissed(self):
        """The person dismisses it."""
        world, plot = self.start()
        plot.fix(*INSIDE)
        wait_for(lambda: self.is_shown(world), what="the notification")
        time.sleep(0.3)
        world.click(480, 40, button=3)
        wait_for(lambda: "notification-dismissed" in self.names(world), what="the dismissal")

    def test_texts(self):
        """A text is shown as it is, and cannot be markup."""
        world, plot = self.start()
        plot.fix(*INSIDE)
        wait_for(lambda: self.is_shown(world), what="the notification")
        time.sleep(0.3)
        with_markup = world.pixels()
        plot.fix(*OUTSIDE)
        wait_for(lambda: not self.is_shown(world), what="the end of the notification")
        # The same text in a server's own words: what the host has sent must look alike.
        notify = proxy(world, "session", "org.freedesktop.Notifications", "/org/freedesktop/Notifications")
        import dbus

        actions, hints = ["default", "Open", "later", "Later"], dbus.Dictionary({}, signature="sv")
        notify.Notify("plotengine", 0, "", "Bakery", "Fresh &lt;bread&gt; &amp; coffee", actions, hints, 0, dbus_interface="org.freedesktop.Notifications")
        wait_for(lambda: world.pixels() == with_markup, what="the same picture")


class Replacement(Case):
    """A notification that takes the place of another on the screen, at a server that says what it was asked."""

    def test_update(self):
        world = self.world()
        world.mock("notification_daemon")
        os.mkfifo(world.folder / "pipe", 0o600)
        words = [*self.exact(world), *NONE, "--input", "pipe", "--store", "store", "--events", "events.jsonl"]

        def start():
            plot = Plot(world, *words).ready()
            wait_for(lambda: plot.status()["screen"] == "desktop", what="the desktop")
            time.sleep(0.3)
            return plot

        def calls():
            return re.findall(r'Notify "plotengine" (\d+) "" "([^"]*)"', world.text("notification_daemon.log"))

        plot = start()
        post = {"id": "m1", "op": "post", "revision": 1, "title": "Train 7", "body": "Platform 2", "correlationKey": "train"}
        plot.send(push=post)
        wait_for(lambda: calls() == [("0", "Train 7")], what="the message")
        # Another process knows what the first one has shown.
        plot.stop(signal.SIGKILL)
        plot = start()
        plot.send(push={**post, "op": "update", "revision": 2, "title": "Train 7 is late"})
        wait_for(lambda: calls() == [("0", "Train 7"), ("1", "Train 7 is late")], what="the message in its place")
        plot.send(push={"id": "m1", "op": "retract", "revision": 3, "correlationKey": "train"})
        wait_for(lambda: re.search(r"CloseNotification 1\b", world.text("notification_daemon.log")), what="the end of the message")


class Zone(Case):
    """The zone of the system, in a mount namespace with an /etc of its own."""

    def test_change(self):
        world = self.world(buses=False)
        os.mkfifo(world.folder / "pipe", 0o600)
        (world.folder / "etc").mkdir()
        zone = world.folder / "etc/localtime"
        zone.symlink_to("/usr/share/zoneinfo/Europe/Amsterdam")
        script = 'mount --bind "$1" /etc && shift && exec "$@"'
        words = [*self.exact(world), *NONE, "--input", "pipe", "--screen", "terminal"]
        may = subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0
        process = world.spawn("unshare", "-m" if may else "-rm", "sh", "-c", script, "sh", zone.parent, PLOT, "run", *words, log="default.log")
        plot = Plot.of(world, process).ready()
        self.assertEqual(plot.status()["engine"]["timeZone"], "Europe/Amsterdam")
        new = world.folder / "etc/new"
        new.symlink_to("../usr/share/zoneinfo/America/Lima")
        new.rename(zone)
        wait_for(lambda: plot.status()["engine"]["timeZone"] == "America/Lima", what="the zone")
        self.assertEqual(plot.stop(), 0)


class WithoutDesktop(Case):
    def test_text(self):
        """Without a bus, as lines of text; and the bus is used when it comes."""
        world = self.world(buses=False)
        os.mkfifo(world.folder / "pipe", 0o600)
        campaigns = [{**BREAD, "resend": True}]
        plot = Plot(world, *self.exact(world, campaigns), *NONE, "--input", "pipe").ready()
        plot.fix(*INSIDE)
        wait_for(lambda: "shown    Bakery: Fresh <bread> & coffee" in world.text(plot.log), what="the line")
        self.assertEqual(plot.status()["screen"], "terminal")
        world.start_bus("session")
        world.mock("notification_daemon")
        wait_for(lambda: plot.status()["screen"] == "desktop", what="the desktop")
        plot.fix(*OUTSIDE).fix(*INSIDE)
        wait_for(lambda: "Notify" in world.text("notification_daemon.log"), what="the notification")
        self.assertEqual(plot.stop(), 0)


class Beacons(Case):
    """Advertisements by BlueZ."""

    REGIONS = [
        {"id": "shop", "type": "beacon", "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 1, "minorId": 7},
        {"id": "door", "type": "beacon", "namespaceId": "00112233445566778899", "instanceId": "aabbccddeeff"},
    ]
    IBEACON = bytes.fromhex("0215f7826da64fa24e988024bc5b71e0893e00010007c5")
    EDDYSTONE = bytes.fromhex("00e700112233445566778899aabbccddeeff0000")

    def test_frames(self):
        import dbus

        world = self.world()
        campaigns = [{"id": id_, "type": "geotrigger", "regions": [id_], "name": id_} for id_ in ("shop", "door")]
        words = [*self.exact(world, campaigns, self.REGIONS), "--no-gpsd", "--no-geoclue", "--screen", "terminal"]
        plot = Plot(world, *words, "--events", "events.jsonl").ready()
        self.assertEqual(plot.status()["sources"]["bluez"]["state"], "no adapter")
        world.mock("bluez5")
        mock = proxy(world, "system", "org.bluez", "/org/bluez")
        mock.AddAdapter("hci0", "radio", dbus_interface="org.bluez.Mock")
        wait_for(lambda: plot.status()["sources"]["bluez"]["state"] == "searching", what="the search")
        wait_for(lambda: "StartDiscovery" in world.text("bluez5.log"), what="the search")

        def advertise(device, **properties):
            values = ["org.bluez.Device1", dbus.Dictionary(properties, signature="sv"), dbus.Array([], signature="s")]
            interface = "org.freedesktop.DBus.Properties"
            device.EmitSignal(interface, "PropertiesChanged", "sa{sv}as", values, dbus_interface="org.freedesktop.DBus.Mock")

        rssi = dbus.Int16(-60, variant_level=1)
        array = dbus.Array(self.IBEACON, signature="y", variant_level=1)
        apple = dbus.Dictionary({dbus.UInt16(0x004C): array}, signature="qv", variant_level=1)
        array = dbus.Array(self.EDDYSTONE, signature="y", variant_level=1)
        eddystone = dbus.Dictionary({"0000feaa-0000-1000-8000-00805f9b34fb": array}, signature="sv", variant_level=1)
        addresses = [f"00:11:22:33:44:{number}" for number in range(50, 54)]
        devices = [proxy(world, "system", "org.bluez", mock.AddDevice("hci0", address, "beacon", dbus_interface="org.bluez.Mock")) for address in addresses]
        wrong = [dbus.Int32(7, variant_level=1), dbus.Array([1, 2], signature="i", variant_level=1)]
        # A beacon is heard several times before the engine believes it. Nonsense of others is nothing.
        for _ in range(4):
            advertise(devices[0], ManufacturerData=apple, RSSI=rssi)
            advertise(devices[1], ServiceData=eddystone, RSSI=rssi)
            for device, value in zip(devices[2:], wrong):
                advertise(device, ManufacturerData=value, ServiceData=value, RSSI=value)
            time.sleep(1.1)
        wait_for(lambda: len(world.records("events.jsonl")) == 4, what="two geotriggers")
        names = sorted((event["event"], event["region"]) for event in world.records("events.jsonl"))
        self.assertEqual(names, [("geotrigger", "door"), ("geotrigger", "shop"), ("region-enter", "door"), ("region-enter", "shop")])
        self.assertEqual(plot.stop(), 0)


class Commands(Case):
    """Filter, geotrigger handler and webhook."""

    GEOTRIGGER = {"id": "light", "type": "geotrigger", "regions": ["shop"], "name": "on", "data": "lamp=1"}

    def run_at_the_shop(self, *words, campaigns=(BREAD, GEOTRIGGER)):
        world = self.world(buses=False)
        os.mkfifo(world.folder / "pipe", 0o600)
        words = [*self.exact(world, campaigns), *NONE, "--input", "pipe", "--screen", "terminal", "--events", "events.jsonl", *words]
        plot = Plot(world, *words).ready()
        plot.fix(*INSIDE)
        return world, plot

    def names(self, world):
        return [event["event"] for event in world.records("events.jsonl")]

    def test_filter(self):
        """A filter changes a notification, and a handler gets the geotrigger."""
        change = """sed 's/"title":"Bakery"/"title":"Bakery, today"/'"""
        world, plot = self.run_at_the_shop("--filter", change, "--on-geotrigger", "tee handled.json")
        wait_for(lambda: "Bakery, today: Fresh" in world.text(plot.log), what="the changed notification")
        wait_for(lambda: "geotrigger" in self.names(world), what="the geotrigger")
        self.assertEqual(json.loads(world.text("handled.json"))["data"], "lamp=1")

    def test_filtered(self):
        """A filter that writes nothing shows nothing, and a handler that fails or says no has handled nothing."""
        for handler in ("exit 1", "echo false"):
            world, plot = self.run_at_the_shop("--filter", "cat >/dev/null", "--on-geotrigger", handler)
            wait_for(lambda: {"notification-filtered", "geotrigger-dropped"} <= set(self.names(world)), what="both")
            self.assertNotIn("shown", world.text(plot.log))
            self.assertEqual(plot.stop(), 0)

    def test_words(self):
        """A filter may say yes and no, and a handler need say nothing."""
        yes = """grep -q '"campaignId":"bread"' && echo true || echo false"""
        tea = {**BREAD, "id": "tea", "message": "Tea"}
        world, plot = self.run_at_the_shop("--filter", yes, "--on-geotrigger", "true", campaigns=[BREAD, tea, self.GEOTRIGGER])
        wait_for(lambda: {"notification-shown", "notification-filtered", "geotrigger"} <= set(self.names(world)), what="all three")
        self.assertIn("shown    Bakery: Fresh", world.text(plot.log))
        self.assertNotIn("Tea", world.text(plot.log))

    def test_one_fails(self):
        """A filter that fails for one notification of a batch has answered about the others."""
        fails = """grep '"campaignId":"bread"'"""
        tea = {**BREAD, "id": "tea", "message": "Tea"}
        world, plot = self.run_at_the_shop("--filter", fails, campaigns=[BREAD, tea])
        wait_for(lambda: {"notification-shown", "notification-filtered"} <= set(self.names(world)), what="both")
        self.assertIn("filter command: it ended with status 1", world.text(plot.log))

    def test_nonsense(self):
        """Commands that fail, answer nonsense, answer without an end, or not at all: a line in the log."""
        for command, said in {
            "exit 3": "it ended with status 3",
            "kill -9 $$": "signal 9 has ended it",
            "echo nonsense": "expected a notification",
            "cat; cat /dev/zero": "its answer is longer than",
            "head -c 300000 /dev/urandom": "filter command",
            "echo '{}'": "filter command",
            "sed p": "filter command",
            "no-such-command": "it ended with status 127",
        }.items():
            with self.subTest(command):
                world, plot = self.run_at_the_shop("--filter", command, campaigns=[BREAD])
                wait_for(lambda: said in world.text(plot.log), what=said)
                self.assertNotIn("shown", world.text(plot.log))
                self.assertEqual(plot.status()["commands"], 0)
                self.assertEqual(plot.stop(), 0)

    def test_deadline(self):
        """A filter that does not answer is ended at the engine's deadline, with all that it has started."""
        world = self.world(buses=False)
        os.mkfifo(world.folder / "pipe", 0o600)
        words = self.exact(world)
        engine = {"noise": "exact", "initial": "enter", "filterDeadline": 1, "filterFallback": "showOriginal"}
        (world.folder / "config.json").write_text(json.dumps({"engine": engine}))
        command = "sleep 1000 & echo $! >pid; wait"
        plot = Plot(world, *words, *NONE, "--input", "pipe", "--screen", "terminal", "--filter", command).ready()
        plot.fix(*INSIDE)
        pid = int(wait_for(lambda: world.text("pid").strip(), what="the command"))
        wait_for(lambda: "it has not answered in 1000 ms" in world.text(plot.log), what="the deadline")
        wait_for(lambda: "shown    Bakery" in world.text(plot.log), what="the fallback")
        wait_for(lambda: not pathlib.Path(f"/proc/{pid}").exists() or " Z " in pathlib.Path(f"/proc/{pid}/stat").read_text(), what="the end")

    def test_webhook(self):
        """Each event comes once by its id, though the server is late and fails."""
        port = free_port()
        world = self.world(buses=False)
        (world.folder / "token").write_text("red-tulip\n")
        os.mkfifo(world.folder / "pipe", 0o600)
        words = [*self.exact(world, [BREAD, self.GEOTRIGGER]), *NONE, "--input", "pipe", "--screen", "terminal", "--store", "store"]
        words += ["--webhook", f"http://127.0.0.1:{port}/events", "--webhook-token", "token", "--events", "events.jsonl"]
        plot = Plot(world, *words, "--device", "kiosk").ready()
        plot.fix(*INSIDE).fix(*OUTSIDE)
        wait_for(lambda: "trying again" in world.text(plot.log), what="the server's absence")
        self.assertEqual(plot.status()["webhook"]["waiting"], 5)
        world.hook(port, failures=5)
        wait_for(lambda: plot.status()["webhook"]["waiting"] == 0, 60, what="the delivery")
        posted = {}
        for record in world.records("hook.jsonl"):
            self.assertEqual(record["authorization"], "Bearer red-tulip")
            self.assertEqual(posted.setdefault(record["id"], record["event"]), record["event"])
        self.assertEqual(list(posted.values()), world.records("events.jsonl"))
        self.assertTrue(all(id_.startswith("kiosk-default-") for id_ in posted))
        self.assertEqual(plot.stop(), 0)


class Events(Case):
    """The file of --events."""

    def run_once(self, world, *words):
        line = json.dumps({"fix": {"latitude": INSIDE[0], "longitude": INSIDE[1], "accuracy": 5}})
        words = [*self.exact(world), *NONE, "--input", "-", "--screen", "terminal", "--events", "events.jsonl", *words]
        (world.folder / "line").write_text(line)
        with open(world.folder / "line") as stdin:
            self.assertEqual(Plot(world, *words, stdin=stdin).process.wait(30), 0, world.text("default.log"))
        return [event["event"] for event in world.records("events.jsonl")]

    def test_append(self):
        """Each engine without a store begins anew, and so do its events; on a store they go on, and half a line is mended."""
        world = self.world(buses=False)
        once = ["region-enter", "notification-shown"]
        self.assertEqual(self.run_once(world), once)
        self.assertEqual(self.run_once(world), once + once)
        path = world.folder / "events.jsonl"
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        path.unlink()
        self.assertEqual(self.run_once(world, "--store", "store"), once)
        with open(path, "a") as file:
            file.write('{"half')
        # The visit goes on: nothing happens again.
        self.assertEqual(self.run_once(world, "--store", "store"), once)


class Operations(Case):
    def start(self, *words, **environment):
        world = self.world(buses=False)
        os.mkfifo(world.folder / "pipe", 0o600)
        self.words = [*self.exact(world), *NONE, "--input", "pipe", "--screen", "terminal", "--events", "events.jsonl", *words]
        return world, Plot(world, *self.words, **environment).ready()

    def test_requests(self):
        """--status, --explain, --set-property, and what is refused."""
        premium = {**BREAD, "segmentation": {"all": [{"property": "premium", "equals": True}]}}
        world, plot = self.start()
        (world.folder / "feed.json").write_text(feed([premium]))
        self.assertEqual(plot.ask("--reload").returncode, 0)
        plot.fix(*INSIDE)
        explained = plot.ask("--explain", "bread")
        self.assertIn("premium", explained.stdout)
        self.assertEqual(plot.ask("--set-property", "premium=true").returncode, 0)
        wait_for(lambda: "shown    Bakery" in world.text(plot.log), what="the notification")
        self.assertIn("visits          shop", plot.ask("--status").stdout)
        wrong = plot.ask("--explain", "breed")
        self.assertEqual((wrong.returncode, "breed" in wrong.stderr), (65, True), wrong)
        wrong = plot.ask("--send", '{"fix": {"latitude": 91, "longitude": 0}}')
        self.assertIn("degrees", wrong.stderr)
        other = subprocess.run([PLOT, "run", "--name", "other", "--status"], env=world.environment, capture_output=True, text=True)
        self.assertIn('no plot run named "other" is running', other.stderr)
        second = Plot(world, *self.words)
        self.assertEqual(second.process.wait(10), 65)
        self.assertIn("another plot run named", world.text(plot.log))
        self.assertEqual(plot.stop(), 0)

    def test_reload(self):
        """SIGHUP reads both documents again; a bad one is refused, and the old one holds."""
        for store in ([], ["--store", "store"]):
            with self.subTest(store=bool(store)):
                world, plot = self.start(*store)
                plot.fix(*INSIDE)
                (world.folder / "feed.json").write_text("{")
                plot.process.send_signal(signal.SIGHUP)
                wait_for(lambda: "the old ones hold" in world.text(plot.log), what="the refusal")
                self.assertEqual(plot.status()["engine"]["campaigns"], 1)
                tea = {"id": "tea", "type": "notification", "regions": ["shop"], "message": "Tea", "trigger": "exit"}
                (world.folder / "feed.json").write_text(feed([BREAD, tea]))
                (world.folder / "config.json").write_text(EXACT.replace('"enter"', '"enter", "filterDeadline": 5'))
                plot.process.send_signal(signal.SIGHUP)
                wait_for(lambda: plot.status()["engine"]["campaigns"] == 2, what="the new feed")
                plot.fix(*OUTSIDE)
                wait_for(lambda: "shown    Tea" in world.text(plot.log), what="the new campaign")
                # The visit went on: nothing was shown twice.
                self.assertEqual(world.text(plot.log).count("Fresh"), 2, world.text(plot.log))
                self.assertEqual(plot.stop(), 0)

    def test_recordings(self):
        """Recordings take turns, each can be played again, and the oldest go."""
        world, plot = self.start("--store", "store", "--record", "recordings", "--record-size", "1", "--record-keep", "3")
        with open(world.folder / "pipe", "w") as pipe:
            for number in range(500):
                pipe.write(json.dumps({"push": {"id": f"m{number}", "op": "post", "body": "x" * 3000}}) + "\n")
        wait_for(lambda: plot.status()["sources"]["input"]["lines"] == 500, 60, what="the lines")
        self.assertEqual(plot.stop(), 0)
        folder = world.folder / "recordings"
        files = sorted(folder.iterdir())
        self.assertEqual(len(files), 3)
        for file in files:
            with open(file) as lines:
                # The first line has the store as it was.
                self.assertLess(file.stat().st_size - len(lines.readline()), 2 << 20)
        done = subprocess.run([PLOT, "replay", folder], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_socket(self):
        """The socket is of its user alone, and takes no nonsense."""
        import socket

        world, plot = self.start()
        path = world.folder / "runtime/plotengine/default.sock"
        self.assertEqual(path.stat().st_mode & 0o077, 0)
        self.assertEqual(path.parent.stat().st_mode & 0o777, 0o700)
        for text in (b"\n", b"nonsense\n", b"{}\n", b"[1]\n", b'{"fix":3}\n', b"\xff\xfe\n", b"x" * 3_000_000, b'{"status"'):
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(5)
                client.connect(str(path))
                try:
                    client.sendall(text)
                    client.shutdown(socket.SHUT_WR)
                    while client.recv(65536):
                        pass
                except (BrokenPipeError, ConnectionResetError):
                    pass
        self.assertTrue(plot.status())
        if os.getuid() == 0:
            # Another user is refused, even one that may open the path.
            for place in (world.folder, path.parent.parent, path.parent, path):
                place.chmod(0o777)
            code = "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.send(b'{\"status\":1}\\n'); print(s.recv(99))"
            try:
                done = subprocess.run([sys.executable, "-c", code, path], user=65534, capture_output=True, text=True, timeout=20)
                self.assertNotIn("version", done.stdout)
            finally:
                path.parent.chmod(0o700)
            wait_for(lambda: "user 65534 is refused" in world.text(plot.log), what="the refusal")
        self.assertEqual(plot.stop(), 0)
        self.assertFalse(path.exists())

    def test_service(self):
        """It tells a service manager that it is ready, that it stops, and how grave a line is."""
        import socket

        world = self.world(buses=False)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(world.folder / "notify"))
            manager.settimeout(10)
            os.mkfifo(world.folder / "pipe", 0o600)
            words = [*self.exact(world), *NONE, "--input", "pipe", "--screen", "terminal"]
            plot = Plot(world, *words, NOTIFY_SOCKET=str(world.folder / "notify"), JOURNAL_STREAM="8:1")
            self.assertIn(b"READY=1", manager.recv(4096))
            plot.process.send_signal(signal.SIGHUP)
            self.assertIn(b"RELOADING=1", manager.recv(4096))
            self.assertIn(b"READY=1", manager.recv(4096))
            plot.process.terminate()
            self.assertIn(b"STOPPING=1", manager.recv(4096))
        self.assertEqual(plot.process.wait(10), 0)
        self.assertIn("<6>stopped", world.text(plot.log))


class Hostile(Case):
    """Peers that send nonsense: a line in the log, and nothing else."""

    FIX = {"class": "TPV", "mode": 3, "time": "2026-05-16T11:00:00Z", "lat": 52.378, "lon": 4.9, "eph": 5.0}

    def serve(self, *parts):
        """A gpsd that sends these bytes to whoever connects, one after another, and then closes the connection."""
        import socket
        import threading

        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)

        def run():
            for part in parts:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client:
                    try:
                        client.recv(1000)
                        for piece in part:
                            client.sendall(piece)
                    except OSError:
                        pass

        threading.Thread(target=run, daemon=True).start()
        return server.getsockname()[1]

    def test_gpsd(self):
        def tpv(**changes):
            return json.dumps({**self.FIX, **changes}).encode() + b"\n"

        nonsense = [
            [b"\xff\xfe\x00garbage\n", b"{}\n", b"[]\n", b"null\n", b'{"class":7}\n', b'{"class":"TPV"}\n'],
            [b"{" * 10_000 + b"\n", b"[" * 10_000 + b"\n"],
            [b"x" * 65_536] * 200,
            [b'{"class":"TPV","mo'],
            [tpv(lat="north"), tpv(lat=91), tpv(lon=[1]), tpv(mode="3"), tpv(lat=1e308), tpv(mode=-(2**70))],
            [tpv(eph=-1), tpv(eph="wide"), tpv(eph=1e300), tpv(epx=1e300, epy=1e300), tpv(speed=1e300), tpv(track=1e9)],
            [tpv(time=7), tpv(time="yesterday"), tpv(time="9999-99-99T99:99:99Z"), tpv(time="0001-01-01T00:00:00Z")],
            [b'{"class":"GST","lat":1e308,"lon":1e308}\n', b'{"class":"ERROR","message":' + json.dumps("e" * 9000).encode() + b"}\n"],
            [b'{"class":"VERSION","release":"1\\u001b[31m"}\n', tpv(lat=52.4), tpv()],
        ]
        world = self.world(buses=False)
        port = self.serve(*nonsense)
        words = [*self.exact(world), "--gpsd", f"localhost:{port}", "--no-geoclue", "--no-bluetooth", "--screen", "terminal"]
        plot = Plot(world, *words, "--events", "events.jsonl").ready()
        wait_for(lambda: "region-enter" in world.text("events.jsonl"), 180, what="the fix behind all the nonsense")
        status = plot.status()
        self.assertGreater(status["sources"]["gpsd"]["faults"], 10)
        log = world.text(plot.log)
        self.assertNotIn("\x1b", log)
        self.assertLess(len(log), 20_000)
        self.assertLess(resident(plot.process), 200 << 20)
        self.assertEqual(plot.stop(), 0)

    def test_bus(self):
        """Signals and answers of wrong types from the services, and a service that does not answer."""
        import dbus

        world = self.world()
        world.mock("notification_daemon")
        world.mock(str(HERE / "geoclue.py"))
        world.mock("bluez5")
        plot = Plot(world, *self.exact(world), "--no-gpsd").ready()
        wait_for(lambda: plot.status()["sources"]["geoclue"]["state"] == "connected", what="GeoClue")
        client = proxy(world, "system", "org.freedesktop.GeoClue2", "/org/freedesktop/GeoClue2/Client/1")
        manager = proxy(world, "system", "org.freedesktop.GeoClue2", "/org/freedesktop/GeoClue2/Manager")
        mock = "org.freedesktop.DBus.Mock"
        interface = "org.freedesktop.GeoClue2.Client"
        client.EmitSignal(interface, "LocationUpdated", "s", ["x"], dbus_interface=mock)
        client.EmitSignal(interface, "LocationUpdated", "oo", ["/", "/none"], dbus_interface=mock)
        client.EmitSignal(interface, "LocationUpdated", "ai", [dbus.Array(range(100_000), signature="i")], dbus_interface=mock)
        for place in ((91.0, 0.0, 1.0, 0.0, 1.0), (float("nan"), 0.0, 1.0, 0.0, 1.0), (1.0, 1.0, -5.0, float("inf"), -1.0), (1.0, 1.0, float("nan"), -1.0, 1e300)):
            try:
                manager.Place(*place, dbus_interface=mock)
            except (dbus.exceptions.DBusException, OverflowError, ValueError):
                pass
        server = proxy(world, "session", "org.freedesktop.Notifications", "/org/freedesktop/Notifications")
        for name, signature, values in (
            ("ActionInvoked", "us", [dbus.UInt32(999), "default"]),
            ("ActionInvoked", "su", ["x", dbus.UInt32(1)]),
            ("NotificationClosed", "uu", [dbus.UInt32(999), dbus.UInt32(2)]),
            ("NotificationClosed", "s", ["x"]),
        ):
            server.EmitSignal("org.freedesktop.Notifications", name, signature, values, dbus_interface=mock)
        self.assertTrue(plot.status())
        # A server that has stopped: after its patience, the host shows texts.
        daemon = world.processes[2]
        daemon.send_signal(signal.SIGSTOP)
        self.addCleanup(lambda: daemon.send_signal(signal.SIGCONT))
        plot.fix(*INSIDE)
        wait_for(lambda: "shown    Bakery" in world.text(plot.log), what="the text")
        self.assertIn("notifications: shown as text", world.text(plot.log))
        self.assertEqual(plot.stop(), 0)

    def test_lines(self):
        """Lines that are no inputs."""
        world = self.world(buses=False)
        lines = [b"nonsense", b"{}", b"\xff\xfe", b'{"fix":{}}', b'{"fix":{"latitude":"x","longitude":1}}', b"[" * 100_000, b"9" * 100_000]
        lines += [b'{"fix":{"latitude":1,"longitude":1},"push":{}}', b'{"time":"soon","fix":{"latitude":1,"longitude":1}}', b"x" * 3_000_000]
        lines += [b'{"sighting":{"proximityUUID":"x","majorId":1,"minorId":1}}', b'{"sighting":{"namespaceId":"x"}}', b'{"open":"unknown"}']
        lines += [b'{"property":{"x":{"type":"date","value":"x"}}}', b'{"property":{"":1}}', b'{"push":{"id":""}}', b'{"foreground":1}']
        lines += [json.dumps({"fix": {"latitude": INSIDE[0], "longitude": INSIDE[1], "accuracy": 5}}).encode()]
        (world.folder / "lines").write_bytes(b"\n".join(lines))
        with open(world.folder / "lines", "rb") as stdin:
            words = [*self.exact(world), *NONE, "--input", "-", "--screen", "terminal"]
            plot = Plot(world, *words, stdin=stdin)
            self.assertEqual(plot.process.wait(30), 0, world.text(plot.log))
        log = world.text(plot.log)
        # Each is named with its line; the one that is too long has none.
        self.assertEqual(log.count("warning: input, line"), len(lines) - 2, log)
        self.assertIn("a longer one", log)
        self.assertIn("shown    Bakery", log)


class Time(Case):
    """Timers, the clock and rest."""

    def test_timer(self):
        """A wakeup comes by a timer, without another input; and at rest nothing wakes the process."""
        world = self.world(buses=False)
        os.mkfifo(world.folder / "pipe", 0o600)
        words = self.exact(world, [{**BREAD, "expireAfter": 8}])
        plot = Plot(world, *words, *NONE, "--input", "pipe", "--screen", "terminal", "--events", "events.jsonl").ready()
        plot.fix(*INSIDE)
        before = plot.status()["wakeups"]
        time.sleep(6)
        # A request is a connection, a line and an end of its own.
        self.assertLessEqual(plot.status()["wakeups"] - before, 4)
        wait_for(lambda: "removed" in world.text(plot.log), what="the end of the notification")
        shown, removed = (event for event in world.records("events.jsonl") if event["event"].startswith("notification"))
        self.assertEqual(removed["reason"], "expired")
        late = instant(removed["time"]) - instant(shown["time"]) - 8
        self.assertTrue(0 <= late < 2, late)


    def test_clock(self):
        """The wall clock is set, by an hour ahead and by two back: what lasts goes on, and no wait ends early or late."""
        world = self.world(buses=False)
        os.mkfifo(world.folder / "pipe", 0o600)
        ahead = world.folder / "ahead"
        ahead.write_text("0")
        library = world.folder / "wall_clock.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, HERE / "wall_clock.c"], check=True, timeout=60)
        fake = {"LD_PRELOAD": str(library), "WALL_CLOCK": str(ahead)}
        words = self.exact(world, [{**BREAD, "expireAfter": 5}])
        plot = Plot(world, *words, *NONE, "--input", "pipe", "--screen", "terminal", "--events", "events.jsonl", **fake)
        plot.ready().fix(*INSIDE)
        shown = time.monotonic()
        for change in ("3600", "-3600"):
            ahead.write_text(change)
            time.sleep(1)
            # The next input brings the reading of the clocks.
            plot.fix(*INSIDE)
            self.assertNotIn("removed", world.text(plot.log))
        wait_for(lambda: "removed" in world.text(plot.log), what="the end of the notification")
        self.assertGreaterEqual(time.monotonic() - shown, 5)
        # By the clock as it is then.
        self.assertAlmostEqual(instant(world.records("events.jsonl")[-1]["time"]), time.time() - 3600, delta=60)
        self.assertEqual(plot.status()["engine"]["visits"], ["shop"])
        self.assertEqual(plot.status()["refused"], 0)
        self.assertEqual(plot.stop(), 0)


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def proxy(world, kind, service, path):
    import dbus.bus

    bus = dbus.bus.BusConnection(f"unix:path={world.folder}/{kind}")
    wait_for(lambda: bus.name_has_owner(service), what=service)
    return bus.get_object(service, path)


if __name__ == "__main__":
    unittest.main()
