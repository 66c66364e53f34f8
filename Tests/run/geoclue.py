"""A template of python-dbusmock for GeoClue2: `Place` moves the device."""

import dbus
from dbusmock import mockobject

BUS_NAME = "org.freedesktop.GeoClue2"
MAIN_OBJ = "/org/freedesktop/GeoClue2/Manager"
MAIN_IFACE = "org.freedesktop.GeoClue2.Manager"
SYSTEM_BUS = True
# Locations that can still be read, for a client that is behind.
KEPT = 100
CLIENT = "/org/freedesktop/GeoClue2/Client/1"


def load(mock, _parameters):
    mock.count = 0
    mock.AddMethod(MAIN_IFACE, "GetClient", "", "o", f"ret = '{CLIENT}'")
    mock.AddObject(
        CLIENT,
        "org.freedesktop.GeoClue2.Client",
        {
            "DesktopId": dbus.String("", variant_level=1),
            "RequestedAccuracyLevel": dbus.UInt32(0, variant_level=1),
            "DistanceThreshold": dbus.UInt32(0, variant_level=1),
            "TimeThreshold": dbus.UInt32(0, variant_level=1),
            "Active": dbus.Boolean(False, variant_level=1),
        },
        [("Start", "", "", "self.Set('org.freedesktop.GeoClue2.Client', 'Active', True)"), ("Stop", "", "", "")],
    )


@dbus.service.method("org.freedesktop.DBus.Mock", in_signature="ddddd", out_signature="")
def Place(self, latitude, longitude, accuracy, speed, seconds):
    """The device is here; accuracy in metres, speed in m/s, -1 for not known, seconds since 1970."""
    old = f"/org/freedesktop/GeoClue2/Location/{self.count}" if self.count else "/"
    self.count += 1
    path = f"/org/freedesktop/GeoClue2/Location/{self.count}"
    self.AddObject(
        path,
        "org.freedesktop.GeoClue2.Location",
        {
            "Latitude": dbus.Double(latitude, variant_level=1),
            "Longitude": dbus.Double(longitude, variant_level=1),
            "Accuracy": dbus.Double(accuracy, variant_level=1),
            "Altitude": dbus.Double(-1.7976931348623157e308, variant_level=1),
            "Speed": dbus.Double(speed, variant_level=1),
            "Heading": dbus.Double(-1.0, variant_level=1),
            "Description": dbus.String("", variant_level=1),
            "Timestamp": dbus.Struct(
                (dbus.UInt64(int(seconds)), dbus.UInt64(round(seconds % 1 * 1e6))), signature="tt", variant_level=1
            ),
        },
        [],
    )
    client = mockobject.objects[CLIENT]
    client.EmitSignal(
        "org.freedesktop.GeoClue2.Client",
        "LocationUpdated",
        "oo",
        [dbus.ObjectPath(old), dbus.ObjectPath(path)],
    )
    if self.count > KEPT:
        self.RemoveObject(f"/org/freedesktop/GeoClue2/Location/{self.count - KEPT}")
