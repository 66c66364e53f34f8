# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""The documents that people write, a configuration and a feed, as types for editors and type checkers.

    from plotengine.documents import CampaignFeed

    feed: CampaignFeed = {"version": 1, "regions": [], "campaigns": []}

Made from docs/schema by scripts/type_tables.py: do not edit.
"""

# fmt: off

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union


class PlotConfiguration(TypedDict, total=False):
    """The configuration; docs/plotconfig.md says what each property means (docs/plotconfig.md)."""

    publicToken: Union[str, None]
    """The app's token, needed only when the engine asks a campaign service; real ones have 16 characters; not
    empty.
    """
    enableOnFirstRun: Union[bool, None]
    """Whether the engine follows places from its first start on, until the app says otherwise; counts once for a
    store.
    """
    notificationSmallIcon: Union[str, None]
    """Name of a drawable of 24x24dp; without one, the app's icon."""
    notificationAccentColor: Union[str, None]
    """Name of a colour resource, or a colour in hexadecimal digits; not empty; #RRGGBB when it begins with #."""
    askPermissionAgainAfterDays: Union[int, None]
    """Days until a declined permission is asked for again; -1: never again; -1 to 36500."""
    maxRegionsMonitored: Union[int, None]
    """How many regions may be registered with the system at once; the budget of the region plan; 5 to 20."""
    debug: Union[bool, None]
    """Keeps a debug log and calls the log callback."""
    cooldownPeriod: Union[int, None]
    """Least seconds between two notifications; 0: none; -1: the value of the previous session, at first none; -1
    to 31536000.
    """
    automaticallyAskLocationPermission: Union[bool, None]
    """Whether the host asks for location by itself."""
    automaticallyAskNotificationPermission: Union[bool, None]
    """Whether the host asks for notifications by itself."""
    provisionalNotificationPermission: Union[bool, None]
    """Asks for provisional permission; needs automaticallyAskLocationPermission."""
    quickSyncDisabled: Union[bool, None]
    """No updates by push message."""
    enableBackgroundLocation: Union[bool, None]
    """False: no places while the app is in the background."""
    emulatorTesting: Union[bool, None]
    """Looks for the location often, for emulators."""
    addMainActivityToBackStack: Union[bool, None]
    """Going back from a notification leads to the main activity."""
    notificationChannelName: Union[str, None]
    """Name of the notification channel, Android 8 and later."""
    maxGeofencesMonitored: Union[int, None]
    """How many geofences may be registered with the system at once; 1 to 100."""
    forceFallbackForGooglePlay: Union[bool, None]
    """Does not use Google Play services."""
    showOnGoingNotification: Union[str, None]
    """When to show the ongoing notification, such as during_network_request."""
    enableCombinedMonitoring: Literal[True, False, "true", "false", None]
    """Combines geofences with other sources of location; 'true' and 'false' too, with a warning."""
    enableTransitionRecognition: Union[bool, None]
    """Recognises changes of activity."""
    transitionRecognitionActivities: Sequence[str]
    """Which ones, such as EXIT-VEHICLE."""
    enableAltBeaconMonitoring: Union[bool, None]
    """Watches beacons with the AltBeacon library."""
    enableAltBeaconForegroundService: Union[bool, None]
    """Does so in a foreground service."""
    engine: "PlotConfigurationEngine"
    """PlotEngine's own settings."""
    sync: "PlotConfigurationSync"
    """The campaign service."""


class PlotConfigurationEngine(TypedDict, total=False):
    """PlotEngine's own settings (docs/plotconfig.md)."""

    noise: Union[str, Mapping[str, Any], None]
    """When a fix counts, and when it counts as inside or outside: the name of a policy, default, exact, eager,
    balanced, careful, walking, driving, indoor or conservative, or an object with the preset it begins with
    and what differs; see noise.md.
    """
    initial: Literal["none", "enter", "dwellOnly", None]
    """The meaning of being inside at the first fix: a visit with no enter and no dwelling, an enter, or a visit
    with no enter whose dwellings count; 'none', 'enter', 'dwellOnly'.
    """
    initialOnUpdate: Literal["none", "enter", "dwellOnly", None]
    """The same for a region that a feed update brings around the device; 'none', 'enter', 'dwellOnly'."""
    filterDeadline: Union[int, None]
    """Seconds the app has to answer a batch of its notification filter or geotrigger handler, from when it is
    asked; 1 to 86400.
    """
    filterFallback: Literal["drop", "showOriginal", None]
    """The fate of the batch when the deadline passes: its notifications are shown as they were, its geotriggers
    count as handled, or all are dropped; 'drop', 'showOriginal'.
    """
    filterRecovery: Literal["offerAgain", "drop", None]
    """The fate, at a start, of a batch that was open when the process ended: it is offered again, with its token
    and deadline, or dropped; 'offerAgain', 'drop'.
    """
    filterAtEnter: Union[bool, None]
    """Whether the notification filter is asked about dwellings when the region is entered, as on iOS; filterAt
    of a campaign says otherwise.
    """
    geotriggersKeepCooldown: Union[bool, None]
    """Whether geotriggers are dropped during the global cooldown and begin it when they are handled, as in the
    SDK's 1.15; without a value false, and true in the mirrors of the SDK.
    """
    attachmentFolder: Union[str, None]
    """The folder in which attachments with relative paths lie, itself relative to where the process runs;
    without one there are none.
    """
    uriSchemes: Sequence[str]
    """Which data of an opened notification is a URI; any other is handed to the app as PLOT_OPEN_DATA, and so is
    what is no URI. An app link may have any scheme. Never: javascript, vbscript, file, content, data, blob,
    about, intent; at most 100 schemes in small letters.
    """
    confirmInForeground: Union[bool, None]
    """Whether the person is asked before the default of an opened notification is done while the app is in the
    foreground: the open callback then gets an item with confirm.
    """
    hideCoordinates: Union[bool, None]
    """Debug log lines, events and decisions say no coordinates and no distances; see privacy.md."""
    earliestTime: Union[int, None]
    """Milliseconds since 1970: an input of an earlier time is refused; the default is 1990-01-01T00:00:00Z; 0 to
    253402300799999.
    """
    maxAhead: Union[int, None]
    """Seconds: an input whose time is further than this beyond the clocks is refused; 0 for none; see rules.md;
    0 to 86400.
    """
    damagedStore: Literal["refuse", "setAside", None]
    """The treatment of a store that is damaged: the engine does not start, or the file gets another name and a
    new store takes its place with what can still be read; without a value 'refuse', and 'setAside' in the
    mirrors of the SDK; see store.md; 'refuse', 'setAside'.
    """
    beacons: "PlotConfigurationEngineBeacons"
    """How beacons are heard."""
    proof: "PlotConfigurationEngineProof"
    """How fresh the evidence must be on which something in a visit comes by itself."""
    events: "PlotConfigurationEngineEvents"
    """Whether the app acknowledges events."""
    capabilities: "PlotConfigurationEngineCapabilities"
    """The abilities of the host."""


class PlotConfigurationEngineBeacons(TypedDict, total=False):
    """How beacons are heard (docs/plotconfig.md)."""

    sightings: Union[int, None]
    """So many sightings in range, all within window, enter a region; 1 to 20."""
    window: Union[int, None]
    """Seconds; also how long a sighting counts for the distance; 1 to 600."""
    silence: Union[int, None]
    """Seconds; a region is left when nothing in range was heard for so long, the app being in the foreground; 1
    to 86400.
    """
    silenceInBackground: Union[int, None]
    """The same in the background, where a system listens every five minutes or so; 1 to 86400."""


class PlotConfigurationEngineProof(TypedDict, total=False):
    """How fresh the evidence must be on which something in a visit comes by itself (docs/plotconfig.md)."""

    maxAge: Union[int, None]
    """Seconds; how old the newest fix may be; 0: nothing needs a proof; 0 to 86400."""
    deadline: Union[int, None]
    """Seconds; how long the host may take to answer a request for a fix; 1 to 600."""
    staleAfter: Union[int, None]
    """Seconds; what has waited for a proof for so long is dropped; 60 to 604800."""


class PlotConfigurationEngineEvents(TypedDict, total=False):
    """Whether the app acknowledges events (docs/plotconfig.md)."""

    acknowledge: Union[bool, None]
    """The app lists events and acknowledges them; each is kept until it has."""
    limit: Union[int, None]
    """How many wait for the app; with one more the oldest is lost, and counted; 1 to 100000."""


class PlotConfigurationEngineCapabilities(TypedDict, total=False):
    """The abilities of the host (docs/plotconfig.md)."""

    suppress: Union[bool, None]
    """Whether it can keep a message from being shown."""
    removeDelivered: Union[bool, None]
    """Whether it can take off the screen what is there."""
    messageDeadline: Union[int, None]
    """Seconds that the system waits for a word about a message; on iOS 30; 3 to 86400."""
    fallback: Literal["placeholder", "silent", None]
    """Without suppress: how a message is shown that must not be; 'placeholder', 'silent'."""


class PlotConfigurationSync(TypedDict, total=False):
    """The campaign service (docs/plotconfig.md)."""

    url: Union[str, None]
    """Where the service is; https:// or http://, a host, no slash at the end."""
    app: Union[str, None]
    """The id of the app at the service, which signatures are about."""
    feedKeys: Sequence[str]
    """Public keys, as plot-server key prints them; with any, a feed must be signed by one of them; at most 4,
    each 43 characters of base64.
    """
    interval: Union[int, None]
    """Seconds between two requests for the feed, where the service says nothing else; 60 to 604800."""
    gone: Literal["keep", "clear", None]
    """The feed stays, or becomes empty, when the service says that the app is over; 'keep' or 'clear'."""
    largestFeed: Union[int, None]
    """Bytes; a longer feed is refused; 1024 to 536870912."""
    events: "PlotConfigurationSyncEvents"
    """Which events are sent."""


class PlotConfigurationSyncEvents(TypedDict, total=False):
    """Which events are sent (docs/plotconfig.md)."""

    send: Union[bool, None]
    """Events are sent to the service."""
    include: Sequence[Literal["coordinates", "advertisingIdentifier"]]
    """Parts of an event that are sent, too; 'coordinates', 'advertisingIdentifier'."""
    count: Union[int, None]
    """As many are sent at once, however new they are; 1 to 500."""
    maxAge: Union[int, None]
    """Seconds; an event that is as old is sent; 0 to 86400."""


class _FeedRegion(TypedDict):
    """A place: a geofence, a beacon, or a group of regions (docs/feed.md)."""

    id: "FeedId"
    """1 to 255 bytes, unique, without ; and control characters."""
    type: Literal["geofence", "beacon", "group"]
    """A place on the map, a beacon, or several regions together."""


class FeedRegion(_FeedRegion, total=False):
    """A place: a geofence, a beacon, or a group of regions (docs/feed.md)."""

    name: str
    """Also the placeholder {{name}}."""
    customFields: Mapping[str, Union[str, float, bool]]
    """Placeholders; names compare without case and must not repeat."""
    latitude: float
    """Degrees, -90 to 90."""
    longitude: float
    """Degrees, -180 to 180."""
    radius: float
    """Metres, above 0, at most 100,000."""
    geometry: "FeedGeometry"
    """Of a geofence: polygons or a line in place of a circle, see Geometry; not together with latitude,
    longitude and radius.
    """
    width: float
    """Metres from side to side, 1 to 100,000; only for a line."""
    travelTime: int
    """Seconds, 0 to 86,400; the older form of travelMinutes, not together with it; read as the nearest minute."""
    travelMinutes: int
    """0 to 1,440; only for polygons: of an isochrone, how long the way is that it stands for."""
    travelMode: Literal["pedestrian", "bicycle", "auto"]
    """Only with travelMinutes or travelTime: how one goes."""
    proximityUUID: str
    """A UUID as 8-4-4-4-12 hexadecimal digits."""
    majorId: int
    """The major number, 0 to 65535."""
    minorId: int
    """The minor number, 0 to 65535; when absent, every beacon with this majorId."""
    range: Literal["immediate", "near", "far"]
    """Of a beacon: below 1 m, about 2 m, about 30 m; rules.md, Beacons, says how it is worked out."""
    country: "FeedCountry"
    """Three capital letters (ISO 3166-1), for conditions on the country."""
    timeZone: str
    """The place's own zone by its IANA name; the system must have it."""
    openingHours: "FeedOpeningHours"
    """When the place is open, see Times; not together with timespans."""
    timespans: "FeedTimespans"
    """The spans of time in which the place counts, see Times; at least one."""
    caps: Sequence["FeedRegionCap"]
    """How many notifications may be shown; at most 100, see Caps."""
    quietHours: Union["FeedOwnQuietHours", Sequence["FeedOwnQuietHours"]]
    """When notifications wait or are left out, see Quiet hours."""
    noise: Union[str, Mapping[str, Any]]
    """Of a geofence: the noise policy here, a name or an object as in plotconfig.json, but without
    maxImpliedSpeed, jumpTime and maxLateness (noise.md).
    """
    initial: Literal["none", "enter", "dwellOnly"]
    """Of a geofence: what it means to be inside at the first fix, or when a feed update brings the region
    (plotconfig.md).
    """
    moving: bool
    """Of a circle: the host says where its centre is (plot_engine_move_region); until then it is where the feed
    says.
    """
    namespaceId: str
    """Of a beacon that sends Eddystone UID frames, in place of the three above: 20 hexadecimal digits."""
    instanceId: str
    """12 hexadecimal digits; when absent, every beacon of the namespace."""
    regions: Sequence["FeedId"]
    """1 to 1,000, geofences and beacons of this feed, none twice; see Groups."""
    enter: Literal["any", "all", "beacon", "geofence"]
    """Of a group: which of its regions enter it."""
    hold: Literal["any", "beacon", "geofence"]
    """Of a group: which of its regions keep one in it."""


class _FeedGeometry(TypedDict):
    """A shape as in GeoJSON (docs/feed.md)."""

    type: Literal["Polygon", "MultiPolygon", "LineString"]
    """An area, several areas, or a line."""
    coordinates: Sequence[Any]
    """As in GeoJSON: positions are [longitude, latitude] in degrees; an altitude after them is ignored."""


class FeedGeometry(_FeedGeometry, total=False):
    """A shape as in GeoJSON (docs/feed.md)."""

    bbox: Sequence[Any]
    """Ignored."""


class _FeedCampaign(TypedDict):
    """The effect of visits to regions: a notification or a geotrigger (docs/feed.md)."""

    id: "FeedId"
    """As for regions."""
    type: Literal["notification", "geotrigger"]
    """Whether the user is shown something, or the app is called."""
    regions: Sequence["FeedId"]
    """At least one, each of this feed, none twice."""


class FeedCampaign(_FeedCampaign, total=False):
    """The effect of visits to regions: a notification or a geotrigger (docs/feed.md)."""

    message: "FeedTemplate"
    """The text, not empty; may hold placeholders."""
    messages: "FeedTexts"
    """Notifications only; the message in the languages of devices, see Languages."""
    name: "FeedTemplate"
    """Its name, not empty; may hold placeholders."""
    data: "FeedTemplate"
    """Free; a URI for the default handling; may hold placeholders."""
    content: "FeedContent"
    """Notifications only; see Content."""
    handlerType: Literal["regular", "landingPage", "applink", "appLink"]
    """Notifications only; appLink, as Android spells it, means applink."""
    trigger: Literal["enter", "exit", "dwelling", "inside", "approaching", "absent", "trip"]
    """The event that triggers the campaign."""
    dwellingMinutes: int
    """How many minutes the visit must last, 5 to 720."""
    start: "FeedDateTime"
    """ISO 8601 date and time with Z or an offset; active from start on and before end; end after start."""
    end: "FeedDateTime"
    """ISO 8601 date and time with Z or an offset; active from start on and before end; end after start."""
    segmentation: "FeedCondition"
    """The people who get it, see Segmentation."""
    resend: bool
    """True: shown at every visit, not only once."""
    cooldownPeriod: int
    """Seconds, at most 31,536,000; above 0: may be shown again, once this time has passed."""
    triggerTimes: "FeedTriggerTimes"
    """When it may come, see Times."""
    cooldownFrom: Literal["shown", "enter", "exit", "removed", "background"]
    """From when cooldownPeriod counts."""
    priority: int
    """Notifications only; -1000 to 1000; of several at one instant the higher goes first, see Side by side."""
    removeOnExit: bool
    """Notifications only; leaving the region takes it off the screen, see On the screen."""
    removeAtEnd: bool
    """Notifications only; the end of the campaign takes it off the screen."""
    expireAfter: int
    """Notifications only; seconds, 1 to 31,536,000, for which it is on the screen."""
    expireAt: "FeedDateTime"
    """Notifications only; ISO 8601 date and time, after start, from when it is not on the screen."""
    showLate: bool
    """Notifications only; whether it is shown though its visit was over when the fixes of it were handed over
    (batch.md).
    """
    correlationKey: "FeedTemplate"
    """Notifications only; not empty; may hold placeholders; takes those with the same key off the screen first."""
    exclusionGroup: "FeedId"
    """Notifications only; 1 to 255 bytes, as an id; one of the group is on the screen at a time."""
    coalescingGroup: "FeedId"
    """Notifications only; 1 to 255 bytes, as an id; see Side by side."""
    filterAt: Literal["fire", "enter"]
    """Dwelling notifications only; when the app's filter is asked."""
    welcome: "FeedWelcome"
    """Notifications with the trigger enter only, see Welcome."""
    holdout: "FeedHoldout"
    """Notifications only; the people who do not get it, see Holdout."""
    insideAt: str
    """A time of day, HH:MM."""
    after: "FeedAfter"
    """The steps that must have happened before, see Steps."""
    visits: "FeedVisits"
    """Which visits count, see Visits."""
    tags: Sequence["FeedId"]
    """Notifications only; at most 100, none twice, each in the form of an id; what caps and quiet hours of the
    settings may be about.
    """
    caps: Sequence["FeedCampaignCap"]
    """Notifications only; at most 100, see Caps."""
    quietHours: Union["FeedOwnQuietHours", Sequence["FeedOwnQuietHours"]]
    """Notifications only; see Quiet hours."""
    arrivalSeconds: int
    """How many seconds ahead, 10 to 3600."""
    tripEvent: Literal[
        "started",
        "approaching",
        "arrived",
        "stopped",
        "off-route",
        "delayed",
        "wrong-destination",
        "expired",
        "cancelled",
    ]
    """The event of a trip to one of its regions that it waits for, see trips.md."""
    passages: bool
    """With the trigger enter or exit only: whether the way between two fixes through the region counts."""
    crossing: "FeedCrossing"
    """With the trigger enter or exit only, and without a welcome and repeatMinutes: how the edge must be
    crossed, see Crossing.
    """
    repeatMinutes: int
    """1 to 1440; with the trigger enter or dwelling only, and with resend or a cooldownPeriod: the trigger comes
    again so often while the visit lasts.
    """
    daily: bool
    """With the trigger inside only; true only with resend or a cooldownPeriod: it comes again on each day of the
    visit.
    """
    absence: "FeedAbsence"
    """How long the device was not there, see Absence."""


class FeedCondition1(TypedDict):
    """True when all of several conditions are (docs/feed.md)."""

    all: Sequence["FeedCondition"]
    """Each of them; at least one."""


class FeedCondition2(TypedDict):
    """True when one of several conditions is (docs/feed.md)."""

    any: Sequence["FeedCondition"]
    """One of them at the least; at least one."""


FeedCondition3 = TypedDict(
    "FeedCondition3",
    {
        # Not this one.
        "not": "FeedCondition",
    },
    total=False,
)
"""True when another condition is false (docs/feed.md)."""


class FeedCondition4(TypedDict):
    """True when the region lies in one of some countries (docs/feed.md)."""

    country: Sequence["FeedCountry"]
    """The region lies in one of these countries; at least one; a region without a country lies in none."""


class FeedTravelMinutes(TypedDict):
    """True when the region is an isochrone of such a length (docs/feed.md)."""

    travelMinutes: "FeedTravelMinutesTravelMinutes"
    """The region is an isochrone of such a way: {'atMost': 10}, with less, atMost, atLeast or greater; a region
    without travelMinutes is none.
    """


class FeedTravelMinutesTravelMinutes(TypedDict, total=False):
    """The region is an isochrone of such a way: {'atMost': 10}, with less, atMost, atLeast or greater; a region
    without travelMinutes is none (docs/feed.md).
    """

    less: "FeedMinutesOfTravel"
    """Fewer minutes than this."""
    atMost: "FeedMinutesOfTravel"
    """So many minutes, or fewer."""
    atLeast: "FeedMinutesOfTravel"
    """So many minutes, or more."""
    greater: "FeedMinutesOfTravel"
    """More minutes than this."""


class FeedTravelMode(TypedDict):
    """True when the region is an isochrone of such a way to go (docs/feed.md)."""

    travelMode: Sequence[Literal["pedestrian", "bicycle", "auto"]]
    """The region is an isochrone for one of these ways to go, pedestrian, bicycle, auto; at least one."""


class FeedOpeningHours(TypedDict, total=False):
    """The spans of each day of the week; a day that is missing is closed (docs/feed.md)."""

    mon: "FeedSpans"
    """The spans that begin on a Monday."""
    tue: "FeedSpans"
    """The spans that begin on a Tuesday."""
    wed: "FeedSpans"
    """The spans that begin on a Wednesday."""
    thu: "FeedSpans"
    """The spans that begin on a Thursday."""
    fri: "FeedSpans"
    """The spans that begin on a Friday."""
    sat: "FeedSpans"
    """The spans that begin on a Saturday."""
    sun: "FeedSpans"
    """The spans that begin on a Sunday."""
    exceptions: Mapping[str, "FeedSpans"]
    """Spans of single days, by date, in place of those of the day of the week; none: closed."""


class FeedTimespan(TypedDict, total=False):
    """A span; without an end it goes on for ever, without a start it began long ago (docs/feed.md)."""

    start: str
    """The first moment; with an offset, or else a time of a clock on the wall."""
    end: str
    """The first moment after it; written as the start is."""


class _FeedTriggerTimes(TypedDict):
    """When a campaign may be shown, beside its start and end (docs/feed.md)."""

    type: Literal["inherit", "anytime", "timespans", "openinghours"]
    """The region's times, if it has any; none; its own spans; its own hours."""


class FeedTriggerTimes(_FeedTriggerTimes, total=False):
    """When a campaign may be shown, beside its start and end (docs/feed.md)."""

    timespans: "FeedTimespans"
    """At least one."""
    openingHours: "FeedOpeningHours"
    """Its own hours."""
    zone: str
    """Whose clock counts: region, the place's zone where it has one; device, always the device's
    (plot_engine_set_time_zone); or that of a zone by its IANA name, as Europe/Amsterdam.
    """
    outside: Literal["drop", "hold"]
    """Outside the times the notification is dropped, or waits until they come, as long as the visit lasts; an
    exit cannot wait.
    """


class FeedValue2(TypedDict):
    """A moment (docs/feed.md)."""

    date: "FeedDateTime"
    """The moment."""


class FeedValue3(TypedDict):
    """A moment in the past (docs/feed.md)."""

    ago: int
    """Seconds before now, 0 to 3,153,600,000."""


class FeedValue4(TypedDict):
    """A moment in the future (docs/feed.md)."""

    ahead: int
    """Seconds after now, 0 to 3,153,600,000."""


class FeedOrdered2(TypedDict):
    """A moment (docs/feed.md)."""

    date: "FeedDateTime"
    """The moment."""


class FeedOrdered3(TypedDict):
    """A moment in the past (docs/feed.md)."""

    ago: int
    """Seconds before now, 0 to 3,153,600,000."""


class FeedOrdered4(TypedDict):
    """A moment in the future (docs/feed.md)."""

    ahead: int
    """Seconds after now, 0 to 3,153,600,000."""


class FeedMoment2(TypedDict):
    """In the last so many seconds (docs/feed.md)."""

    within: int
    """Seconds before now, 1 to 3,153,600,000."""


FeedComparison = TypedDict(
    "FeedComparison",
    {
        # A property of the device, not empty, with one comparison.
        "property": str,
        # The property has this value.
        "equals": "FeedValue",
        # It has another value.
        "differs": "FeedValue",
        # It is less than this.
        "less": "FeedOrdered",
        # It is less than this, or the same.
        "atMost": "FeedOrdered",
        # It is greater than this, or the same.
        "atLeast": "FeedOrdered",
        # It is greater than this.
        "greater": "FeedOrdered",
        # It lies between the two, or is one of them.
        "between": Sequence["FeedOrdered"],
        # It is one of these; at least one.
        "in": Sequence["FeedValue"],
        # True: it is set, of whatever type; false: it is not.
        "exists": bool,
        # It is a string that begins with this.
        "begins": str,
        # It is a string that has this in it.
        "contains": str,
        # {"atLeast": "1.10"}, with less, atMost, atLeast or greater: dotted numbers, compared number by number; a
        # missing one is 0.
        "version": "FeedComparisonVersion",
    },
    total=False,
)
"""True when a property of the device compares so with a value (docs/feed.md)."""


class FeedComparisonVersion(TypedDict, total=False):
    """{'atLeast': '1.10'}, with less, atMost, atLeast or greater: dotted numbers, compared number by number; a
    missing one is 0 (docs/feed.md).
    """

    less: str
    """A lower version than this."""
    atMost: str
    """This version or a lower one."""
    atLeast: str
    """This version or a higher one."""
    greater: str
    """A higher version than this."""


class _FeedHistory(TypedDict):
    """True when a campaign was shown or opened before (docs/feed.md)."""

    campaign: "FeedId"
    """The id of a campaign, with shown or opened."""


class FeedHistory(_FeedHistory, total=False):
    """True when a campaign was shown or opened before (docs/feed.md)."""

    shown: "FeedMoment"
    """The campaign was shown: at any time, or with {'within': 604800} in the last so many seconds."""
    opened: "FeedMoment"
    """It was opened, in the same way."""


class FeedSettings(TypedDict, total=False):
    """Rules for all campaigns of the feed (docs/feed.md)."""

    notificationsEnabled: bool
    """False: no notification is shown; geotriggers fire all the same."""
    strategies: Sequence["FeedStrategy"]
    """At most 100; rules with a vote about every notification, see strategies.md."""
    slots: "FeedSlots"
    """How many notifications may be on the screen, see Side by side."""
    specificFirst: "FeedSettingsSpecificFirst"
    """At one instant and with one priority the smallest region goes first, by the item's matchRange; with
    {'within': 60} only the best is shown, see Side by side.
    """
    coalescing: Sequence["FeedCoalescing"]
    """At most 100, see Side by side."""
    exclusion: Sequence["FeedExclusion"]
    """At most 100, see Side by side."""
    caps: Sequence["FeedCap"]
    """How many notifications may be shown; at most 100, see Caps."""
    quietHours: Union["FeedQuietHours", Sequence["FeedQuietHours"]]
    """When notifications wait or are left out, see Quiet hours."""
    messages: "FeedMessages"
    """Rules for messages from outside, see messages.md."""


class FeedSettingsSpecificFirst(TypedDict):
    """At one instant and with one priority the smallest region goes first, by the item's matchRange; with
    {'within': 60} only the best is shown, see Side by side (docs/feed.md).
    """

    within: int
    """Seconds, 1 to 86,400, in which notifications compete."""


class FeedContent(TypedDict, total=False):
    """How a notification looks and sounds, and what the user can do with it (docs/feed.md)."""

    title: "FeedTemplate"
    """Not empty; may hold placeholders."""
    titles: "FeedTexts"
    """The title in languages that messages of the campaign has, see Languages."""
    subtitle: "FeedTemplate"
    """Not empty; may hold placeholders."""
    subtitles: "FeedTexts"
    """The subtitle in languages that messages of the campaign has, see Languages."""
    body: "FeedTemplate"
    """Longer text, for hosts that have room beside the message; not empty; may hold placeholders."""
    bodies: "FeedTexts"
    """The body in languages that messages of the campaign has, see Languages."""
    sound: str
    """Not empty; a name that the app knows."""
    badge: int
    """0 to 2147483647."""
    category: str
    """Not empty; a category of the feed, or one of the app's own."""
    attachments: Sequence["FeedAttachment"]
    """Files that are shown with it."""
    actions: Sequence["FeedAction"]
    """Its buttons; at most 10; not together with a category of the feed that has some."""
    userInfo: Mapping[str, Any]
    """The app's own values, any JSON."""


class _FeedAttachment(TypedDict):
    """A file that is shown with a notification (docs/feed.md)."""

    id: str
    """Not empty; unique in its array."""
    url: "FeedTemplate"
    """Not empty; a file: URL, a path, or a path relative to engine.attachmentFolder; may hold placeholders."""


class FeedAttachment(_FeedAttachment, total=False):
    """A file that is shown with a notification (docs/feed.md)."""

    type: str
    """Not empty; a format as an extension, png."""


class FeedCategory(TypedDict):
    """A set of actions that notifications can name (docs/feed.md)."""

    id: "FeedId"
    """As for regions."""
    actions: Sequence["FeedAction"]
    """Its buttons; at most 10."""


class FeedList(TypedDict):
    """Names for the rules about messages, such as blocked senders (docs/feed.md)."""

    id: "FeedId"
    """As for regions; the name that rules call it by."""
    version: int
    """0 to 9,007,199,254,740,991; a list with a lower version than the one in force is not taken."""
    entries: Sequence[str]
    """At most 100,000, none empty or above 255 bytes."""


class _FeedAction(TypedDict):
    """A button of a notification (docs/feed.md)."""

    id: str
    """Not empty; unique in its array."""
    title: str
    """Not empty."""


class FeedAction(_FeedAction, total=False):
    """A button of a notification (docs/feed.md)."""

    titles: "FeedTexts"
    """The title in other languages, see Languages; no placeholders."""
    foreground: bool
    """Choosing it opens the app."""
    destructive: bool
    """A host may show it in red."""


class _FeedHoldout(TypedDict):
    """The share of people who do not get the notification, so that its effect can be measured (docs/feed.md)."""

    percent: int
    """How many of a hundred people do not get it, 1 to 99."""


class FeedHoldout(_FeedHoldout, total=False):
    """The share of people who do not get the notification, so that its effect can be measured (docs/feed.md)."""

    group: "FeedId"
    """Campaigns of one group hold out the same people; by default a group of the campaign alone, with its id."""
    property: str
    """The property of the person, a text or a whole number, that decides: always the same for the same value."""


class _FeedWelcome(TypedDict):
    """A notification that greets, at most once in a period (docs/feed.md)."""

    period: int
    """Seconds, 1 to 31,536,000, between two; stands for cooldownPeriod and resend, over all regions together."""


class FeedWelcome(_FeedWelcome, total=False):
    """A notification that greets, at most once in a period (docs/feed.md)."""

    minDisplayTime: int
    """Seconds, 0 to 86,400: after its region was left it stays so long, counted from its display, as long as
    another one is visited.
    """
    alone: bool
    """Other notifications of the same instant are left out."""
    offline: "FeedWelcomeOffline"
    """Message and data for when there is no network (plot_engine_set_network)."""


class _FeedWelcomeOffline(TypedDict):
    """Message and data for when there is no network (plot_engine_set_network) (docs/feed.md)."""

    message: "FeedTemplate"
    """The text."""


class FeedWelcomeOffline(_FeedWelcomeOffline, total=False):
    """Message and data for when there is no network (plot_engine_set_network) (docs/feed.md)."""

    data: "FeedTemplate"
    """The data for the app."""


class _FeedSlots(TypedDict):
    """How many notifications may be on the screen (docs/feed.md)."""

    count: int
    """1 to 100."""


class FeedSlots(_FeedSlots, total=False):
    """How many notifications may be on the screen (docs/feed.md)."""

    whenFull: Literal["keep", "replace"]
    """keep: a new one is dropped unless its priority is higher; replace: it also takes the place of one of the
    same priority.
    """


class _FeedCoalescing(TypedDict):
    """When several notifications of a group come at once, one stands for all (docs/feed.md)."""

    group: "FeedId"
    """The coalescingGroup of their campaigns."""
    message: "FeedTemplate"
    """The text of the one that stands for all; {{count}} is their number."""


class FeedCoalescing(_FeedCoalescing, total=False):
    """When several notifications of a group come at once, one stands for all (docs/feed.md)."""

    atLeast: int
    """So many must come, 2 to 1,000."""
    within: int
    """Seconds, 1 to 86,400: those count, too, that were shown so long ago and are on the screen."""


class FeedExclusion(TypedDict):
    """Of the notifications of a group only the best is shown (docs/feed.md)."""

    group: "FeedId"
    """The exclusionGroup of their campaigns."""
    within: int
    """Seconds, 1 to 86,400: a better one takes the place of one that was shown so long ago."""


class _FeedStrategy1(TypedDict):
    """Suppresses a display after so many in a window of time (docs/feed.md)."""

    key: "FeedId"
    """Its name, unique among strategies."""
    type: Literal["maximum"]
    """At most so many displays."""
    max: int
    """Displays, 1 to 1,000."""
    window: int
    """Seconds, 1 to 31,536,000: a display counts for so long."""


class FeedStrategy1(_FeedStrategy1, total=False):
    """Suppresses a display after so many in a window of time (docs/feed.md)."""

    enabled: bool
    """false: it is not asked."""


class _FeedStrategy2(TypedDict):
    """Suppresses a display until so much time has passed (docs/feed.md)."""

    key: "FeedId"
    """Its name, unique among strategies."""
    type: Literal["minimumTime"]
    """A pause between two."""
    seconds: int
    """1 to 31,536,000."""


class FeedStrategy2(_FeedStrategy2, total=False):
    """Suppresses a display until so much time has passed (docs/feed.md)."""

    after: Literal["shown", "removed", "background"]
    """Counted from the last display, from when one last left the screen, or from when the app went to the
    background.
    """
    enabled: bool
    """false: it is not asked."""


class _FeedStrategy3(TypedDict):
    """Suppresses a display that is the same as the one shown last (docs/feed.md)."""

    key: "FeedId"
    """Its name, unique among strategies."""
    type: Literal["sameContent"]
    """Not the same again."""


class FeedStrategy3(_FeedStrategy3, total=False):
    """Suppresses a display that is the same as the one shown last (docs/feed.md)."""

    field: Literal["shown", "message", "data"]
    """The same in all that the user sees, hears or can choose, in the message, or in the data."""
    enabled: bool
    """false: it is not asked."""


class _FeedStrategy4(TypedDict):
    """Asks the strategy of the app that has this key (docs/feed.md)."""

    key: "FeedId"
    """Its name, unique among strategies."""
    type: Literal["custom"]
    """One of the app."""


class FeedStrategy4(_FeedStrategy4, total=False):
    """Asks the strategy of the app that has this key (docs/feed.md)."""

    parameters: Mapping[str, Any]
    """Anything that the strategy of the app wants to know."""
    enabled: bool
    """false: it is not asked."""


class _FeedAfter(TypedDict):
    """Steps that must have come before (docs/feed.md)."""

    steps: Sequence["FeedStep"]
    """The steps that must have happened before, 1 to 16, in their order."""


class FeedAfter(_FeedAfter, total=False):
    """Steps that must have come before (docs/feed.md)."""

    within: int
    """Seconds, 1 to 31,536,000: the most that may pass from the first step to the trigger, included."""


class _FeedStep(TypedDict):
    """One of the steps: something that happened at a region (docs/feed.md)."""

    region: "FeedId"
    """As for regions; one of this feed, not necessarily one of the campaign's."""


class FeedStep(_FeedStep, total=False):
    """One of the steps: something that happened at a region (docs/feed.md)."""

    event: Literal["enter", "exit", "dwelling"]
    """The event that must have happened there."""
    minutes: int
    """How many minutes the visit must last, 5 to 720."""


class FeedCrossing(TypedDict, total=False):
    """How the edge of a region must be crossed (docs/feed.md)."""

    direction: Literal["leftToRight", "rightToLeft"]
    """Of the line of a corridor, seen along it."""
    course: Sequence[float]
    """Exactly 2: degrees from north; the courses that count are from the first clockwise to the second."""
    leastSpeed: float
    """Metres a second, 0 to 1000."""
    mostSpeed: float
    """Metres a second, 0 to 1000; not below leastSpeed."""


FeedAbsence = TypedDict(
    "FeedAbsence",
    {
        # The time of day at which a span ends, 00:01 to 24:00.
        "by": str,
        # With by only: the time of day at which a span begins, before by unless there is a fromDay.
        "from": str,
        # With by only: the days on which spans end, mon to sun; at least one, none twice.
        "days": Sequence["FeedWeekday"],
        # With by only: the day of the week on which a span begins, the last one before its end.
        "fromDay": "FeedWeekday",
        # 1 to 525,600: for so long since the last visit, or since it is known where the device is.
        "minutes": int,
        # 1 to 10,080: only a visit counts that has lasted so long within the span.
        "leastMinutes": int,
        # 1 to 44,640: the longest time between two fixes of which it may be unknown where the device was; the
        # default is 720 for spans that are longer than a day.
        "silenceMinutes": int,
    },
    total=False,
)
"""A span of time in which the device was at none of the regions (docs/feed.md)."""


FeedVisits = TypedDict(
    "FeedVisits",
    {
        # 1 to 1,000,000: the first that counts.
        "from": int,
        # 1 to 1,000,000: the last that counts; not below from.
        "to": int,
        # 1 to 1,000,000: 3 for the third after from, the sixth, and so on.
        "every": int,
    },
    total=False,
)
"""Which visits of a region count, by their number (docs/feed.md)."""


class _FeedCap(TypedDict):
    """At most so many displays, of all or of some campaigns (docs/feed.md)."""

    per: Literal["all", "tag", "campaign", "region", "visit"]
    """The displays that count together."""
    max: int
    """Displays, 1 to 1,000."""


class FeedCap(_FeedCap, total=False):
    """At most so many displays, of all or of some campaigns (docs/feed.md)."""

    tag: "FeedId"
    """1 to 255 bytes; for campaigns with this tag, and those of their displays that had it."""
    window: int
    """Seconds, 1 to 31,536,000: a display counts for so long."""
    days: int
    """Calendar days, 1 to 366: 1 is today, 2 today and yesterday, and so on."""
    zone: str
    """Whose calendar: device, region, or a zone's by its IANA name; only with days."""


class _FeedRegionCap(TypedDict):
    """At most so many displays at a region (docs/feed.md)."""

    max: int
    """Displays, 1 to 1,000."""


class FeedRegionCap(_FeedRegionCap, total=False):
    """At most so many displays at a region (docs/feed.md)."""

    per: Literal["region", "visit"]
    """The displays that count together."""
    window: int
    """Seconds, 1 to 31,536,000: a display counts for so long."""
    days: int
    """Calendar days, 1 to 366: 1 is today, 2 today and yesterday, and so on."""
    zone: str
    """Whose calendar: device, region, or a zone's by its IANA name; only with days."""


class _FeedCampaignCap(TypedDict):
    """At most so many displays of a notification (docs/feed.md)."""

    max: int
    """Displays, 1 to 1,000."""


class FeedCampaignCap(_FeedCampaignCap, total=False):
    """At most so many displays of a notification (docs/feed.md)."""

    per: Literal["campaign", "region", "visit"]
    """The displays that count together."""
    window: int
    """Seconds, 1 to 31,536,000: a display counts for so long."""
    days: int
    """Calendar days, 1 to 366: 1 is today, 2 today and yesterday, and so on."""
    zone: str
    """Whose calendar: device, region, or a zone's by its IANA name; only with days."""


class _FeedQuietHours(TypedDict):
    """Hours in which nothing is shown, of all or of some campaigns (docs/feed.md)."""

    hours: "FeedHours"
    """As opening hours, see Times; or daily, one list of spans for all days, beside exceptions."""


class FeedQuietHours(_FeedQuietHours, total=False):
    """Hours in which nothing is shown, of all or of some campaigns (docs/feed.md)."""

    tag: "FeedId"
    """1 to 255 bytes; only in the settings: for campaigns with this tag."""
    zone: str
    """Whose clock counts: device; region, the place's zone where it has one; or that of a zone by its IANA name."""
    during: Literal["drop", "hold", "holdInside"]
    """The fate of a notification: it is dropped; it waits for their end, and is shown then, wherever the person
    is; it waits as long as the visit lasts, which an exit cannot.
    """


class _FeedOwnQuietHours(TypedDict):
    """Hours in which nothing is shown, of one region or notification (docs/feed.md)."""

    hours: "FeedHours"
    """As opening hours, see Times; or daily, one list of spans for all days, beside exceptions."""


class FeedOwnQuietHours(_FeedOwnQuietHours, total=False):
    """Hours in which nothing is shown, of one region or notification (docs/feed.md)."""

    zone: str
    """Whose clock counts: device; region, the place's zone where it has one; or that of a zone by its IANA name."""
    during: Literal["drop", "hold", "holdInside"]
    """The fate of a notification: it is dropped; it waits for their end, and is shown then, wherever the person
    is; it waits as long as the visit lasts, which an exit cannot.
    """


class FeedHours(TypedDict, total=False):
    """The spans of all days, or of each day of the week (docs/feed.md)."""

    daily: "FeedSpans"
    """The spans of every day."""
    mon: "FeedSpans"
    """The spans that begin on a Monday."""
    tue: "FeedSpans"
    """The spans that begin on a Tuesday."""
    wed: "FeedSpans"
    """The spans that begin on a Wednesday."""
    thu: "FeedSpans"
    """The spans that begin on a Thursday."""
    fri: "FeedSpans"
    """The spans that begin on a Friday."""
    sat: "FeedSpans"
    """The spans that begin on a Saturday."""
    sun: "FeedSpans"
    """The spans that begin on a Sunday."""
    exceptions: Mapping[str, "FeedSpans"]
    """Spans of single days, by date, in place of the others; none: no quiet hours then."""


class FeedMessages(TypedDict, total=False):
    """Rules about pushes of a server (docs/feed.md)."""

    profile: Literal["plain", "apns", "fcm", "cometchat", "zego"]
    """Whose pushes they are; see Pushes as they came."""
    paths: "FeedMessagesPaths"
    """The path of each value."""
    correlation: "FeedMessagesCorrelation"
    """The path of the correlation key, or an array of paths."""
    revision: "FeedMessagesRevision"
    """The path of the revision."""
    rules: Sequence["FeedMessageRule"]
    """At most 1,000."""
    placeholder: str
    """Not empty."""
    tombstoneDays: int
    """1 to 365."""
    cooldown: bool
    """True: the global cooldown holds for messages too, and is begun by them."""


class FeedMessagesPaths(TypedDict, total=False):
    """The path of each value (docs/feed.md)."""

    id: "FeedMessagePath"
    """The id of the message."""
    sender: "FeedMessagePath"
    """The sender."""
    thread: "FeedMessagePath"
    """The conversation that it belongs to."""
    title: "FeedMessagePath"
    """The first line."""
    subtitle: "FeedMessagePath"
    """The second line."""
    body: "FeedMessagePath"
    """The text."""
    data: "FeedMessagePath"
    """The data for the app."""
    sound: "FeedMessagePath"
    """The sound."""
    badge: "FeedMessagePath"
    """The number on the icon of the app."""
    category: "FeedMessagePath"
    """The category, for its actions."""
    priority: "FeedMessagePath"
    """The priority, as of campaigns."""


class FeedMessagesCorrelation(TypedDict):
    """The path of the correlation key, or an array of paths (docs/feed.md)."""

    path: "FeedMessagePath"
    """Where the key is that makes a message take the place of another."""


class FeedMessagesRevision(TypedDict):
    """The path of the revision (docs/feed.md)."""

    path: "FeedMessagePath"
    """Where the number is that says which of two messages is newer."""


FeedMessageRule = TypedDict(
    "FeedMessageRule",
    {
        # 1 to 255 bytes, as an id in the feed; what decisions call it.
        "id": "FeedId",
        # The condition under which the rule decides.
        "if": "FeedMessageCondition",
        # The fate of the message.
        "then": Literal["keep", "drop", "mute", "rewrite", "defer"],
        # Rewrite only; an empty one takes the title away.
        "title": "FeedMessageText",
        # Rewrite only; not empty; rewrite needs one of the two.
        "body": "FeedMessageText",
        # Defer only; 1 to 604,800.
        "seconds": int,
        # Defer only; the next time that it is this time of the day, "08:00", in the device's zone; defer needs one
        # of the two.
        "until": str,
        # Whether the rule decides when a list is absent that it needs to know.
        "whenAbsent": Literal["skip", "apply"],
    },
    total=False,
)
"""A rule about messages (docs/feed.md)."""


FeedMessageCondition = TypedDict(
    "FeedMessageCondition",
    {
        # Each of them is true; at least one.
        "all": Sequence["FeedMessageCondition"],
        # One of them is true, at the least; at least one.
        "any": Sequence["FeedMessageCondition"],
        # It is not true.
        "not": "FeedMessageCondition",
        # The sender is in the list of this name.
        "senderIn": "FeedId",
        # The sender is not in that list, or there is no sender.
        "senderNotIn": "FeedId",
        # The thread is in the list of this name.
        "threadIn": "FeedId",
        # Title or body has this text in it, upper and lower case being the same; not empty.
        "contains": str,
    },
    total=False,
)
"""A condition of a rule about messages: one of these keys (docs/feed.md)."""


class _CampaignFeed(TypedDict):
    """Places and what happens there; docs/feed.md says what each key means (docs/feed.md)."""

    version: Literal[1]
    """1."""
    regions: Sequence["FeedRegion"]
    """The places; at most 1,000,000."""
    campaigns: Sequence["FeedCampaign"]
    """Notifications and geotriggers of these places; at most 1,000,000."""


class CampaignFeed(_CampaignFeed, total=False):
    """Places and what happens there; docs/feed.md says what each key means (docs/feed.md)."""

    revision: str
    """The maker's own name for this state of the feed."""
    settings: "FeedSettings"
    """Rules for all notifications, see Settings."""
    categories: Sequence["FeedCategory"]
    """Actions under a name, see Content; at most 1,000,000."""
    lists: Sequence["FeedList"]
    """Lists that the rules for messages look into, see A list; at most 100."""


FeedId = str
"""The name of a part of the feed: 1 to 255 bytes, without ; and control characters (docs/feed.md)."""


FeedTemplate = str
"""A text in which {{name}} is a placeholder (docs/feed.md)."""


FeedTexts = Mapping[str, "FeedTemplate"]
"""The same text in several languages, by language tag, such as nl or pt-BR (docs/feed.md)."""


FeedDateTime = str
"""A date and time of ISO 8601 with Z or an offset, such as 2026-05-01T00:00:00Z (docs/feed.md)."""


FeedWallTime = str
"""A date and time of ISO 8601 without an offset, of a clock on the wall, such as 2026-05-01T09:00:00
(docs/feed.md).
"""


FeedPolygons = Sequence["FeedRings"]
"""The areas of a MultiPolygon (docs/feed.md)."""


FeedRings = Sequence[Any]
"""The rings of a polygon: its edge, and then its holes (docs/feed.md)."""


FeedPositions = Sequence[Sequence[float]]
"""Positions as [longitude, latitude] in degrees; an altitude after them is ignored (docs/feed.md)."""


FeedCondition = Union[
    "FeedCondition1",
    "FeedCondition2",
    "FeedCondition3",
    "FeedCondition4",
    "FeedTravelMinutes",
    "FeedTravelMode",
    "FeedComparison",
    "FeedHistory",
]
"""A condition of a segmentation: one of these forms (docs/feed.md)."""


FeedCountry = str
"""A country, by the three letters of ISO 3166-1, such as NLD (docs/feed.md)."""


FeedMinutesOfTravel = int
"""Minutes of a way, 0 to 1,440 (docs/feed.md)."""


FeedSpans = Sequence[Sequence[str]]
"""The spans of a day, each as [start, end] in HH:MM; an end that is not after the start is on the next day
(docs/feed.md).
"""


FeedTimespans = Sequence["FeedTimespan"]
"""Spans between two dates and times (docs/feed.md)."""


FeedValue = Union[Union[str, bool, float], "FeedValue2", "FeedValue3", "FeedValue4"]
"""A string, a boolean, a number, or a date (docs/feed.md)."""


FeedOrdered = Union[Union[str, float], "FeedOrdered2", "FeedOrdered3", "FeedOrdered4"]
"""A string, a number, or a date: a value that can be less than another (docs/feed.md)."""


FeedMoment = Union[Literal[True], "FeedMoment2"]
"""At any time, or in the last so many seconds (docs/feed.md)."""


FeedStrategy = Union["FeedStrategy1", "FeedStrategy2", "FeedStrategy3", "FeedStrategy4"]
"""A rule about displays, of the engine or of the app (docs/feed.md)."""


FeedMessagePath = Union[str, Sequence[str]]
"""Where a value is in a push: keys with dots between them; of several paths the first that leads to a value
(docs/feed.md).
"""


FeedMessageText = str
"""A text in which {{id}}, {{sender}}, {{thread}}, {{title}} and {{body}} are placeholders (docs/feed.md)."""


FeedWeekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
"""A day of the week (docs/feed.md)."""


class TripLine(TypedDict):
    """A way, as in GeoJSON (docs/trips.md)."""

    type: Literal["LineString"]
    """Always LineString."""
    coordinates: Sequence[Sequence[float]]
    """Positions as [longitude, latitude] in degrees, in the direction of travel; an altitude after them is
    ignored.
    """


class _TripPlan(TypedDict):
    """A way to a region that an app begins; docs/trips.md says what each key means (docs/trips.md)."""

    id: "TripId"
    """The app's own, 1 to 255 bytes, without ; and control characters."""
    region: "TripId"
    """Id of the region of the feed that is the destination."""


class TripPlan(_TripPlan, total=False):
    """A way to a region that an app begins; docs/trips.md says what each key means (docs/trips.md)."""

    mode: Literal["pedestrian", "bicycle", "auto"]
    """How the user travels: the speed until it is known."""
    route: "TripLine"
    """The way, a GeoJSON LineString of 2 to 20,000 positions, in the direction of travel."""
    deadline: "TripDateTime"
    """ISO 8601 date and time with Z or an offset; a later arrival is a delay."""
    expires: "TripDateTime"
    """ISO 8601 date and time with Z or an offset; the trip is over then."""
    approachingSeconds: int
    """10 to 86,400: so long before the arrival the destination is near."""
    approachingMetres: float
    """1 to 1,000,000: with so many metres left the destination is near."""
    others: Sequence["TripId"]
    """Ids of regions that the user may take for the destination, at most 100, none twice."""
    metadata: Mapping[str, Union[str, float, bool]]
    """The app's own values, at most 32: strings, numbers and booleans; in events, and in placeholders."""


TripId = str
"""The name of a trip or a region: 1 to 255 bytes, without ; and control characters (docs/trips.md)."""


TripDateTime = str
"""A date and time of ISO 8601 with Z or an offset, such as 2026-05-01T00:00:00Z (docs/trips.md)."""
