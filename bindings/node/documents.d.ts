// Made from docs/schema by scripts/type_tables.py: do not edit.

/** The configuration; docs/plotconfig.md says what each property means. */
export interface PlotConfiguration {
  /** The app's token, needed only when the engine asks a campaign service; real ones have 16 characters; not empty. */
  publicToken?: string | null;
  /**
   * Whether the engine follows places from its first start on, until the app says otherwise; counts once for a store.
   */
  enableOnFirstRun?: boolean | null;
  /** Name of a drawable of 24x24dp; without one, the app's icon. */
  notificationSmallIcon?: string | null;
  /** Name of a colour resource, or a colour in hexadecimal digits; not empty; #RRGGBB when it begins with #. */
  notificationAccentColor?: string | null;
  /** Days until a declined permission is asked for again; -1: never again; -1 to 36500. */
  askPermissionAgainAfterDays?: number | null;
  /** How many regions may be registered with the system at once; the budget of the region plan; 5 to 20. */
  maxRegionsMonitored?: number | null;
  /** Keeps a debug log and calls the log callback. */
  debug?: boolean | null;
  /**
   * Least seconds between two notifications; 0: none; -1: the value of the previous session, at first none; -1 to
   * 31536000.
   */
  cooldownPeriod?: number | null;
  /** Whether the host asks for location by itself. */
  automaticallyAskLocationPermission?: boolean | null;
  /** Whether the host asks for notifications by itself. */
  automaticallyAskNotificationPermission?: boolean | null;
  /** Asks for provisional permission; needs automaticallyAskLocationPermission. */
  provisionalNotificationPermission?: boolean | null;
  /** No updates by push message. */
  quickSyncDisabled?: boolean | null;
  /** False: no places while the app is in the background. */
  enableBackgroundLocation?: boolean | null;
  /** Looks for the location often, for emulators. */
  emulatorTesting?: boolean | null;
  /** Going back from a notification leads to the main activity. */
  addMainActivityToBackStack?: boolean | null;
  /** Name of the notification channel, Android 8 and later. */
  notificationChannelName?: string | null;
  /** How many geofences may be registered with the system at once; 1 to 100. */
  maxGeofencesMonitored?: number | null;
  /** Does not use Google Play services. */
  forceFallbackForGooglePlay?: boolean | null;
  /** When to show the ongoing notification, such as during_network_request. */
  showOnGoingNotification?: string | null;
  /** Combines geofences with other sources of location; "true" and "false" too, with a warning. */
  enableCombinedMonitoring?: true | false | 'true' | 'false' | null;
  /** Recognises changes of activity. */
  enableTransitionRecognition?: boolean | null;
  /** Which ones, such as EXIT-VEHICLE. */
  transitionRecognitionActivities?: readonly string[];
  /** Watches beacons with the AltBeacon library. */
  enableAltBeaconMonitoring?: boolean | null;
  /** Does so in a foreground service. */
  enableAltBeaconForegroundService?: boolean | null;
  /** PlotEngine's own settings. */
  engine?: PlotConfigurationEngine;
  /** The campaign service. */
  sync?: PlotConfigurationSync;
  [key: string]: unknown;
}

/** PlotEngine's own settings. */
export interface PlotConfigurationEngine {
  /**
   * When a fix counts, and when it counts as inside or outside: the name of a policy, default, exact, eager, balanced,
   * careful, walking, driving, indoor or conservative, or an object with the preset it begins with and what differs;
   * see noise.md.
   */
  noise?: string | { readonly [key: string]: unknown } | null;
  /**
   * The meaning of being inside at the first fix: a visit with no enter and no dwelling, an enter, or a visit with no
   * enter whose dwellings count; "none", "enter", "dwellOnly".
   */
  initial?: 'none' | 'enter' | 'dwellOnly' | null;
  /** The same for a region that a feed update brings around the device; "none", "enter", "dwellOnly". */
  initialOnUpdate?: 'none' | 'enter' | 'dwellOnly' | null;
  /**
   * Seconds the app has to answer a batch of its notification filter or geotrigger handler, from when it is asked; 1 to
   * 86400.
   */
  filterDeadline?: number | null;
  /**
   * The fate of the batch when the deadline passes: its notifications are shown as they were, its geotriggers count as
   * handled, or all are dropped; "drop", "showOriginal".
   */
  filterFallback?: 'drop' | 'showOriginal' | null;
  /**
   * The fate, at a start, of a batch that was open when the process ended: it is offered again, with its token and
   * deadline, or dropped; "offerAgain", "drop".
   */
  filterRecovery?: 'offerAgain' | 'drop' | null;
  /**
   * Whether the notification filter is asked about dwellings when the region is entered, as on iOS; filterAt of a
   * campaign says otherwise.
   */
  filterAtEnter?: boolean | null;
  /**
   * Whether geotriggers are dropped during the global cooldown and begin it when they are handled, as in the SDK's
   * 1.15; without a value false, and true in the mirrors of the SDK.
   */
  geotriggersKeepCooldown?: boolean | null;
  /**
   * The folder in which attachments with relative paths lie, itself relative to where the process runs; without one
   * there are none.
   */
  attachmentFolder?: string | null;
  /**
   * Which data of an opened notification is a URI; any other is handed to the app as PLOT_OPEN_DATA, and so is what is
   * no URI. An app link may have any scheme. Never: javascript, vbscript, file, content, data, blob, about, intent; at
   * most 100 schemes in small letters.
   */
  uriSchemes?: readonly string[];
  /**
   * Whether the person is asked before the default of an opened notification is done while the app is in the
   * foreground: the open callback then gets an item with confirm.
   */
  confirmInForeground?: boolean | null;
  /** Debug log lines, events and decisions say no coordinates and no distances; see privacy.md. */
  hideCoordinates?: boolean | null;
  /**
   * Milliseconds since 1970: an input of an earlier time is refused; the default is 1990-01-01T00:00:00Z; 0 to
   * 253402300799999.
   */
  earliestTime?: number | null;
  /**
   * Seconds: an input whose time is further than this beyond the clocks is refused; 0 for none; see rules.md; 0 to
   * 86400.
   */
  maxAhead?: number | null;
  /**
   * The treatment of a store that is damaged: the engine does not start, or the file gets another name and a new store
   * takes its place with what can still be read; without a value "refuse", and "setAside" in the mirrors of the SDK;
   * see store.md; "refuse", "setAside".
   */
  damagedStore?: 'refuse' | 'setAside' | null;
  /** How beacons are heard. */
  beacons?: PlotConfigurationEngineBeacons;
  /** How fresh the evidence must be on which something in a visit comes by itself. */
  proof?: PlotConfigurationEngineProof;
  /** Whether the app acknowledges events. */
  events?: PlotConfigurationEngineEvents;
  /** The abilities of the host. */
  capabilities?: PlotConfigurationEngineCapabilities;
  [key: string]: unknown;
}

/** How beacons are heard. */
export interface PlotConfigurationEngineBeacons {
  /** So many sightings in range, all within window, enter a region; 1 to 20. */
  sightings?: number | null;
  /** Seconds; also how long a sighting counts for the distance; 1 to 600. */
  window?: number | null;
  /**
   * Seconds; a region is left when nothing in range was heard for so long, the app being in the foreground; 1 to 86400.
   */
  silence?: number | null;
  /** The same in the background, where a system listens every five minutes or so; 1 to 86400. */
  silenceInBackground?: number | null;
  [key: string]: unknown;
}

/** How fresh the evidence must be on which something in a visit comes by itself. */
export interface PlotConfigurationEngineProof {
  /** Seconds; how old the newest fix may be; 0: nothing needs a proof; 0 to 86400. */
  maxAge?: number | null;
  /** Seconds; how long the host may take to answer a request for a fix; 1 to 600. */
  deadline?: number | null;
  /** Seconds; what has waited for a proof for so long is dropped; 60 to 604800. */
  staleAfter?: number | null;
  [key: string]: unknown;
}

/** Whether the app acknowledges events. */
export interface PlotConfigurationEngineEvents {
  /** The app lists events and acknowledges them; each is kept until it has. */
  acknowledge?: boolean | null;
  /** How many wait for the app; with one more the oldest is lost, and counted; 1 to 100000. */
  limit?: number | null;
  [key: string]: unknown;
}

/** The abilities of the host. */
export interface PlotConfigurationEngineCapabilities {
  /** Whether it can keep a message from being shown. */
  suppress?: boolean | null;
  /** Whether it can take off the screen what is there. */
  removeDelivered?: boolean | null;
  /** Seconds that the system waits for a word about a message; on iOS 30; 3 to 86400. */
  messageDeadline?: number | null;
  /** Without suppress: how a message is shown that must not be; "placeholder", "silent". */
  fallback?: 'placeholder' | 'silent' | null;
  [key: string]: unknown;
}

/** The campaign service. */
export interface PlotConfigurationSync {
  /** Where the service is; https:// or http://, a host, no slash at the end. */
  url?: string | null;
  /** The id of the app at the service, which signatures are about. */
  app?: string | null;
  /**
   * Public keys, as plot-server key prints them; with any, a feed must be signed by one of them; at most 4, each 43
   * characters of base64.
   */
  feedKeys?: readonly string[];
  /** Seconds between two requests for the feed, where the service says nothing else; 60 to 604800. */
  interval?: number | null;
  /** The feed stays, or becomes empty, when the service says that the app is over; "keep" or "clear". */
  gone?: 'keep' | 'clear' | null;
  /** Bytes; a longer feed is refused; 1024 to 536870912. */
  largestFeed?: number | null;
  /** Which events are sent. */
  events?: PlotConfigurationSyncEvents;
  [key: string]: unknown;
}

/** Which events are sent. */
export interface PlotConfigurationSyncEvents {
  /** Events are sent to the service. */
  send?: boolean | null;
  /** Parts of an event that are sent, too; "coordinates", "advertisingIdentifier". */
  include?: readonly ('coordinates' | 'advertisingIdentifier')[];
  /** As many are sent at once, however new they are; 1 to 500. */
  count?: number | null;
  /** Seconds; an event that is as old is sent; 0 to 86400. */
  maxAge?: number | null;
  [key: string]: unknown;
}

/** The name of a part of the feed: 1 to 255 bytes, without ; and control characters. */
export type FeedId = string;

/** A text in which {{name}} is a placeholder. */
export type FeedTemplate = string;

/** The same text in several languages, by language tag, such as nl or pt-BR. */
export type FeedTexts = { readonly [key: string]: FeedTemplate };

/** A date and time of ISO 8601 with Z or an offset, such as 2026-05-01T00:00:00Z. */
export type FeedDateTime = string;

/** A date and time of ISO 8601 without an offset, of a clock on the wall, such as 2026-05-01T09:00:00. */
export type FeedWallTime = string;

/** A place: a geofence, a beacon, or a group of regions. */
export interface FeedRegion {
  /** 1 to 255 bytes, unique, without ; and control characters. */
  id: FeedId;
  /** A place on the map, a beacon, or several regions together. */
  type: 'geofence' | 'beacon' | 'group';
  /** Also the placeholder {{name}}. */
  name?: string;
  /** Placeholders; names compare without case and must not repeat. */
  customFields?: { readonly [key: string]: string | number | boolean };
  /** Degrees, -90 to 90. */
  latitude?: number;
  /** Degrees, -180 to 180. */
  longitude?: number;
  /** Metres, above 0, at most 100,000. */
  radius?: number;
  /**
   * Of a geofence: polygons or a line in place of a circle, see Geometry; not together with latitude, longitude and
   * radius.
   */
  geometry?: FeedGeometry;
  /** Metres from side to side, 1 to 100,000; only for a line. */
  width?: number;
  /** Seconds, 0 to 86,400; the older form of travelMinutes, not together with it; read as the nearest minute. */
  travelTime?: number;
  /** 0 to 1,440; only for polygons: of an isochrone, how long the way is that it stands for. */
  travelMinutes?: number;
  /** Only with travelMinutes or travelTime: how one goes. */
  travelMode?: 'pedestrian' | 'bicycle' | 'auto';
  /** A UUID as 8-4-4-4-12 hexadecimal digits. */
  proximityUUID?: string;
  /** The major number, 0 to 65535. */
  majorId?: number;
  /** The minor number, 0 to 65535; when absent, every beacon with this majorId. */
  minorId?: number;
  /** Of a beacon: below 1 m, about 2 m, about 30 m; rules.md, Beacons, says how it is worked out. */
  range?: 'immediate' | 'near' | 'far';
  /** Three capital letters (ISO 3166-1), for conditions on the country. */
  country?: FeedCountry;
  /** The place's own zone by its IANA name; the system must have it. */
  timeZone?: string;
  /** When the place is open, see Times; not together with timespans. */
  openingHours?: FeedOpeningHours;
  /** The spans of time in which the place counts, see Times; at least one. */
  timespans?: FeedTimespans;
  /** How many notifications may be shown; at most 100, see Caps. */
  caps?: readonly FeedRegionCap[];
  /** When notifications wait or are left out, see Quiet hours. */
  quietHours?: FeedOwnQuietHours | readonly FeedOwnQuietHours[];
  /**
   * Of a geofence: the noise policy here, a name or an object as in plotconfig.json, but without maxImpliedSpeed,
   * jumpTime and maxLateness (noise.md).
   */
  noise?: string | { readonly [key: string]: unknown };
  /**
   * Of a geofence: what it means to be inside at the first fix, or when a feed update brings the region
   * (plotconfig.md).
   */
  initial?: 'none' | 'enter' | 'dwellOnly';
  /** Of a circle: the host says where its centre is (plot_engine_move_region); until then it is where the feed says. */
  moving?: boolean;
  /** Of a beacon that sends Eddystone UID frames, in place of the three above: 20 hexadecimal digits. */
  namespaceId?: string;
  /** 12 hexadecimal digits; when absent, every beacon of the namespace. */
  instanceId?: string;
  /** 1 to 1,000, geofences and beacons of this feed, none twice; see Groups. */
  regions?: readonly FeedId[];
  /** Of a group: which of its regions enter it. */
  enter?: 'any' | 'all' | 'beacon' | 'geofence';
  /** Of a group: which of its regions keep one in it. */
  hold?: 'any' | 'beacon' | 'geofence';
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

/** A shape as in GeoJSON. */
export interface FeedGeometry {
  /** An area, several areas, or a line. */
  type: 'Polygon' | 'MultiPolygon' | 'LineString';
  /** As in GeoJSON: positions are [longitude, latitude] in degrees; an altitude after them is ignored. */
  coordinates: readonly unknown[];
  /** Ignored. */
  bbox?: readonly unknown[];
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

/** The areas of a MultiPolygon. */
export type FeedPolygons = readonly FeedRings[];

/** The rings of a polygon: its edge, and then its holes. */
export type FeedRings = readonly unknown[];

/** Positions as [longitude, latitude] in degrees; an altitude after them is ignored. */
export type FeedPositions = readonly (readonly [number, number])[];

/** The effect of visits to regions: a notification or a geotrigger. */
export interface FeedCampaign {
  /** As for regions. */
  id: FeedId;
  /** Whether the user is shown something, or the app is called. */
  type: 'notification' | 'geotrigger';
  /** The text, not empty; may hold placeholders. */
  message?: FeedTemplate;
  /** Notifications only; the message in the languages of devices, see Languages. */
  messages?: FeedTexts;
  /** Its name, not empty; may hold placeholders. */
  name?: FeedTemplate;
  /** Free; a URI for the default handling; may hold placeholders. */
  data?: FeedTemplate;
  /** Notifications only; see Content. */
  content?: FeedContent;
  /** Notifications only; appLink, as Android spells it, means applink. */
  handlerType?: 'regular' | 'landingPage' | 'applink' | 'appLink';
  /** The event that triggers the campaign. */
  trigger?: 'enter' | 'exit' | 'dwelling' | 'inside' | 'approaching' | 'absent' | 'trip';
  /** How many minutes the visit must last, 5 to 720. */
  dwellingMinutes?: number;
  /** At least one, each of this feed, none twice. */
  regions: readonly FeedId[];
  /** ISO 8601 date and time with Z or an offset; active from start on and before end; end after start. */
  start?: FeedDateTime;
  /** ISO 8601 date and time with Z or an offset; active from start on and before end; end after start. */
  end?: FeedDateTime;
  /** The people who get it, see Segmentation. */
  segmentation?: FeedCondition;
  /** True: shown at every visit, not only once. */
  resend?: boolean;
  /** Seconds, at most 31,536,000; above 0: may be shown again, once this time has passed. */
  cooldownPeriod?: number;
  /** When it may come, see Times. */
  triggerTimes?: FeedTriggerTimes;
  /** From when cooldownPeriod counts. */
  cooldownFrom?: 'shown' | 'enter' | 'exit' | 'removed' | 'background';
  /** Notifications only; -1000 to 1000; of several at one instant the higher goes first, see Side by side. */
  priority?: number;
  /** Notifications only; leaving the region takes it off the screen, see On the screen. */
  removeOnExit?: boolean;
  /** Notifications only; the end of the campaign takes it off the screen. */
  removeAtEnd?: boolean;
  /** Notifications only; seconds, 1 to 31,536,000, for which it is on the screen. */
  expireAfter?: number;
  /** Notifications only; ISO 8601 date and time, after start, from when it is not on the screen. */
  expireAt?: FeedDateTime;
  /**
   * Notifications only; whether it is shown though its visit was over when the fixes of it were handed over (batch.md).
   */
  showLate?: boolean;
  /** Notifications only; not empty; may hold placeholders; takes those with the same key off the screen first. */
  correlationKey?: FeedTemplate;
  /** Notifications only; 1 to 255 bytes, as an id; one of the group is on the screen at a time. */
  exclusionGroup?: FeedId;
  /** Notifications only; 1 to 255 bytes, as an id; see Side by side. */
  coalescingGroup?: FeedId;
  /** Dwelling notifications only; when the app's filter is asked. */
  filterAt?: 'fire' | 'enter';
  /** Notifications with the trigger enter only, see Welcome. */
  welcome?: FeedWelcome;
  /** Notifications only; the people who do not get it, see Holdout. */
  holdout?: FeedHoldout;
  /** A time of day, HH:MM. */
  insideAt?: string;
  /** The steps that must have happened before, see Steps. */
  after?: FeedAfter;
  /** Which visits count, see Visits. */
  visits?: FeedVisits;
  /**
   * Notifications only; at most 100, none twice, each in the form of an id; what caps and quiet hours of the settings
   * may be about.
   */
  tags?: readonly FeedId[];
  /** Notifications only; at most 100, see Caps. */
  caps?: readonly FeedCampaignCap[];
  /** Notifications only; see Quiet hours. */
  quietHours?: FeedOwnQuietHours | readonly FeedOwnQuietHours[];
  /** How many seconds ahead, 10 to 3600. */
  arrivalSeconds?: number;
  /** The event of a trip to one of its regions that it waits for, see trips.md. */
  tripEvent?: 'started' | 'approaching' | 'arrived' | 'stopped' | 'off-route' | 'delayed' | 'wrong-destination' | 'expired' | 'cancelled';
  /** With the trigger enter or exit only: whether the way between two fixes through the region counts. */
  passages?: boolean;
  /**
   * With the trigger enter or exit only, and without a welcome and repeatMinutes: how the edge must be crossed, see
   * Crossing.
   */
  crossing?: FeedCrossing;
  /**
   * 1 to 1440; with the trigger enter or dwelling only, and with resend or a cooldownPeriod: the trigger comes again so
   * often while the visit lasts.
   */
  repeatMinutes?: number;
  /**
   * With the trigger inside only; true only with resend or a cooldownPeriod: it comes again on each day of the visit.
   */
  daily?: boolean;
  /** How long the device was not there, see Absence. */
  absence?: FeedAbsence;
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

/** True when all of several conditions are. */
export interface FeedCondition1 {
  /** Each of them; at least one. */
  all: readonly FeedCondition[];
}

/** True when one of several conditions is. */
export interface FeedCondition2 {
  /** One of them at the least; at least one. */
  any: readonly FeedCondition[];
}

/** True when another condition is false. */
export interface FeedCondition3 {
  /** Not this one. */
  not: FeedCondition;
}

/** True when the region lies in one of some countries. */
export interface FeedCondition4 {
  /** The region lies in one of these countries; at least one; a region without a country lies in none. */
  country: readonly FeedCountry[];
}

/** A condition of a segmentation: one of these forms. */
export type FeedCondition = FeedCondition1 | FeedCondition2 | FeedCondition3 | FeedCondition4 | FeedTravelMinutes | FeedTravelMode | FeedComparison | FeedHistory;

/** A country, by the three letters of ISO 3166-1, such as NLD. */
export type FeedCountry = string;

/** True when the region is an isochrone of such a length. */
export interface FeedTravelMinutes {
  /**
   * The region is an isochrone of such a way: {"atMost": 10}, with less, atMost, atLeast or greater; a region without
   * travelMinutes is none.
   */
  travelMinutes: FeedTravelMinutesTravelMinutes;
}

/**
 * The region is an isochrone of such a way: {"atMost": 10}, with less, atMost, atLeast or greater; a region without
 * travelMinutes is none.
 */
export interface FeedTravelMinutesTravelMinutes {
  /** Fewer minutes than this. */
  less?: FeedMinutesOfTravel;
  /** So many minutes, or fewer. */
  atMost?: FeedMinutesOfTravel;
  /** So many minutes, or more. */
  atLeast?: FeedMinutesOfTravel;
  /** More minutes than this. */
  greater?: FeedMinutesOfTravel;
}

/** Minutes of a way, 0 to 1,440. */
export type FeedMinutesOfTravel = number;

/** True when the region is an isochrone of such a way to go. */
export interface FeedTravelMode {
  /** The region is an isochrone for one of these ways to go, pedestrian, bicycle, auto; at least one. */
  travelMode: readonly ('pedestrian' | 'bicycle' | 'auto')[];
}

/** The spans of a day, each as [start, end] in HH:MM; an end that is not after the start is on the next day. */
export type FeedSpans = readonly (readonly [string, string])[];

/** The spans of each day of the week; a day that is missing is closed. */
export interface FeedOpeningHours {
  /** The spans that begin on a Monday. */
  mon?: FeedSpans;
  /** The spans that begin on a Tuesday. */
  tue?: FeedSpans;
  /** The spans that begin on a Wednesday. */
  wed?: FeedSpans;
  /** The spans that begin on a Thursday. */
  thu?: FeedSpans;
  /** The spans that begin on a Friday. */
  fri?: FeedSpans;
  /** The spans that begin on a Saturday. */
  sat?: FeedSpans;
  /** The spans that begin on a Sunday. */
  sun?: FeedSpans;
  /** Spans of single days, by date, in place of those of the day of the week; none: closed. */
  exceptions?: { readonly [key: string]: FeedSpans };
}

/** A span; without an end it goes on for ever, without a start it began long ago. */
export interface FeedTimespan {
  /** The first moment; with an offset, or else a time of a clock on the wall. */
  start?: string;
  /** The first moment after it; written as the start is. */
  end?: string;
}

/** Spans between two dates and times. */
export type FeedTimespans = readonly FeedTimespan[];

/** When a campaign may be shown, beside its start and end. */
export interface FeedTriggerTimes {
  /** The region's times, if it has any; none; its own spans; its own hours. */
  type: 'inherit' | 'anytime' | 'timespans' | 'openinghours';
  /** At least one. */
  timespans?: FeedTimespans;
  /** Its own hours. */
  openingHours?: FeedOpeningHours;
  /**
   * Whose clock counts: region, the place's zone where it has one; device, always the device's
   * (plot_engine_set_time_zone); or that of a zone by its IANA name, as Europe/Amsterdam.
   */
  zone?: string;
  /**
   * Outside the times the notification is dropped, or waits until they come, as long as the visit lasts; an exit cannot
   * wait.
   */
  outside?: 'drop' | 'hold';
}

/** A moment. */
export interface FeedValue2 {
  /** The moment. */
  date: FeedDateTime;
}

/** A moment in the past. */
export interface FeedValue3 {
  /** Seconds before now, 0 to 3,153,600,000. */
  ago: number;
}

/** A moment in the future. */
export interface FeedValue4 {
  /** Seconds after now, 0 to 3,153,600,000. */
  ahead: number;
}

/** A string, a boolean, a number, or a date. */
export type FeedValue = string | boolean | number | FeedValue2 | FeedValue3 | FeedValue4;

/** A moment. */
export interface FeedOrdered2 {
  /** The moment. */
  date: FeedDateTime;
}

/** A moment in the past. */
export interface FeedOrdered3 {
  /** Seconds before now, 0 to 3,153,600,000. */
  ago: number;
}

/** A moment in the future. */
export interface FeedOrdered4 {
  /** Seconds after now, 0 to 3,153,600,000. */
  ahead: number;
}

/** A string, a number, or a date: a value that can be less than another. */
export type FeedOrdered = string | number | FeedOrdered2 | FeedOrdered3 | FeedOrdered4;

/** In the last so many seconds. */
export interface FeedMoment2 {
  /** Seconds before now, 1 to 3,153,600,000. */
  within: number;
}

/** At any time, or in the last so many seconds. */
export type FeedMoment = true | FeedMoment2;

/** True when a property of the device compares so with a value. */
export interface FeedComparison {
  /** A property of the device, not empty, with one comparison. */
  property: string;
  /** The property has this value. */
  equals?: FeedValue;
  /** It has another value. */
  differs?: FeedValue;
  /** It is less than this. */
  less?: FeedOrdered;
  /** It is less than this, or the same. */
  atMost?: FeedOrdered;
  /** It is greater than this, or the same. */
  atLeast?: FeedOrdered;
  /** It is greater than this. */
  greater?: FeedOrdered;
  /** It lies between the two, or is one of them. */
  between?: readonly FeedOrdered[];
  /** It is one of these; at least one. */
  in?: readonly FeedValue[];
  /** True: it is set, of whatever type; false: it is not. */
  exists?: boolean;
  /** It is a string that begins with this. */
  begins?: string;
  /** It is a string that has this in it. */
  contains?: string;
  /**
   * {"atLeast": "1.10"}, with less, atMost, atLeast or greater: dotted numbers, compared number by number; a missing
   * one is 0.
   */
  version?: FeedComparisonVersion;
}

/**
 * {"atLeast": "1.10"}, with less, atMost, atLeast or greater: dotted numbers, compared number by number; a missing
 * one is 0.
 */
export interface FeedComparisonVersion {
  /** A lower version than this. */
  less?: string;
  /** This version or a lower one. */
  atMost?: string;
  /** This version or a higher one. */
  atLeast?: string;
  /** A higher version than this. */
  greater?: string;
}

/** True when a campaign was shown or opened before. */
export interface FeedHistory {
  /** The id of a campaign, with shown or opened. */
  campaign: FeedId;
  /** The campaign was shown: at any time, or with {"within": 604800} in the last so many seconds. */
  shown?: FeedMoment;
  /** It was opened, in the same way. */
  opened?: FeedMoment;
}

/** Rules for all campaigns of the feed. */
export interface FeedSettings {
  /** False: no notification is shown; geotriggers fire all the same. */
  notificationsEnabled?: boolean;
  /** At most 100; rules with a vote about every notification, see strategies.md. */
  strategies?: readonly FeedStrategy[];
  /** How many notifications may be on the screen, see Side by side. */
  slots?: FeedSlots;
  /**
   * At one instant and with one priority the smallest region goes first, by the item's matchRange; with {"within": 60}
   * only the best is shown, see Side by side.
   */
  specificFirst?: FeedSettingsSpecificFirst;
  /** At most 100, see Side by side. */
  coalescing?: readonly FeedCoalescing[];
  /** At most 100, see Side by side. */
  exclusion?: readonly FeedExclusion[];
  /** How many notifications may be shown; at most 100, see Caps. */
  caps?: readonly FeedCap[];
  /** When notifications wait or are left out, see Quiet hours. */
  quietHours?: FeedQuietHours | readonly FeedQuietHours[];
  /** Rules for messages from outside, see messages.md. */
  messages?: FeedMessages;
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

/**
 * At one instant and with one priority the smallest region goes first, by the item's matchRange; with {"within": 60}
 * only the best is shown, see Side by side.
 */
export interface FeedSettingsSpecificFirst {
  /** Seconds, 1 to 86,400, in which notifications compete. */
  within: number;
}

/** How a notification looks and sounds, and what the user can do with it. */
export interface FeedContent {
  /** Not empty; may hold placeholders. */
  title?: FeedTemplate;
  /** The title in languages that messages of the campaign has, see Languages. */
  titles?: FeedTexts;
  /** Not empty; may hold placeholders. */
  subtitle?: FeedTemplate;
  /** The subtitle in languages that messages of the campaign has, see Languages. */
  subtitles?: FeedTexts;
  /** Longer text, for hosts that have room beside the message; not empty; may hold placeholders. */
  body?: FeedTemplate;
  /** The body in languages that messages of the campaign has, see Languages. */
  bodies?: FeedTexts;
  /** Not empty; a name that the app knows. */
  sound?: string;
  /** 0 to 2147483647. */
  badge?: number;
  /** Not empty; a category of the feed, or one of the app's own. */
  category?: string;
  /** Files that are shown with it. */
  attachments?: readonly FeedAttachment[];
  /** Its buttons; at most 10; not together with a category of the feed that has some. */
  actions?: readonly FeedAction[];
  /** The app's own values, any JSON. */
  userInfo?: { readonly [key: string]: unknown };
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

/** A file that is shown with a notification. */
export interface FeedAttachment {
  /** Not empty; unique in its array. */
  id: string;
  /** Not empty; a file: URL, a path, or a path relative to engine.attachmentFolder; may hold placeholders. */
  url: FeedTemplate;
  /** Not empty; a format as an extension, png. */
  type?: string;
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

/** A set of actions that notifications can name. */
export interface FeedCategory {
  /** As for regions. */
  id: FeedId;
  /** Its buttons; at most 10. */
  actions: readonly FeedAction[];
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

/** Names for the rules about messages, such as blocked senders. */
export interface FeedList {
  /** As for regions; the name that rules call it by. */
  id: FeedId;
  /** 0 to 9,007,199,254,740,991; a list with a lower version than the one in force is not taken. */
  version: number;
  /** At most 100,000, none empty or above 255 bytes. */
  entries: readonly string[];
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

/** A button of a notification. */
export interface FeedAction {
  /** Not empty; unique in its array. */
  id: string;
  /** Not empty. */
  title: string;
  /** The title in other languages, see Languages; no placeholders. */
  titles?: FeedTexts;
  /** Choosing it opens the app. */
  foreground?: boolean;
  /** A host may show it in red. */
  destructive?: boolean;
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

/** The share of people who do not get the notification, so that its effect can be measured. */
export interface FeedHoldout {
  /** How many of a hundred people do not get it, 1 to 99. */
  percent: number;
  /** Campaigns of one group hold out the same people; by default a group of the campaign alone, with its id. */
  group?: FeedId;
  /** The property of the person, a text or a whole number, that decides: always the same for the same value. */
  property?: string;
}

/** A notification that greets, at most once in a period. */
export interface FeedWelcome {
  /** Seconds, 1 to 31,536,000, between two; stands for cooldownPeriod and resend, over all regions together. */
  period: number;
  /**
   * Seconds, 0 to 86,400: after its region was left it stays so long, counted from its display, as long as another one
   * is visited.
   */
  minDisplayTime?: number;
  /** Other notifications of the same instant are left out. */
  alone?: boolean;
  /** Message and data for when there is no network (plot_engine_set_network). */
  offline?: FeedWelcomeOffline;
}

/** Message and data for when there is no network (plot_engine_set_network). */
export interface FeedWelcomeOffline {
  /** The text. */
  message: FeedTemplate;
  /** The data for the app. */
  data?: FeedTemplate;
}

/** How many notifications may be on the screen. */
export interface FeedSlots {
  /** 1 to 100. */
  count: number;
  /**
   * keep: a new one is dropped unless its priority is higher; replace: it also takes the place of one of the same
   * priority.
   */
  whenFull?: 'keep' | 'replace';
}

/** When several notifications of a group come at once, one stands for all. */
export interface FeedCoalescing {
  /** The coalescingGroup of their campaigns. */
  group: FeedId;
  /** So many must come, 2 to 1,000. */
  atLeast?: number;
  /** The text of the one that stands for all; {{count}} is their number. */
  message: FeedTemplate;
  /** Seconds, 1 to 86,400: those count, too, that were shown so long ago and are on the screen. */
  within?: number;
}

/** Of the notifications of a group only the best is shown. */
export interface FeedExclusion {
  /** The exclusionGroup of their campaigns. */
  group: FeedId;
  /** Seconds, 1 to 86,400: a better one takes the place of one that was shown so long ago. */
  within: number;
}

/** Suppresses a display after so many in a window of time. */
export interface FeedStrategy1 {
  /** Its name, unique among strategies. */
  key: FeedId;
  /** At most so many displays. */
  type: 'maximum';
  /** Displays, 1 to 1,000. */
  max: number;
  /** Seconds, 1 to 31,536,000: a display counts for so long. */
  window: number;
  /** false: it is not asked. */
  enabled?: boolean;
}

/** Suppresses a display until so much time has passed. */
export interface FeedStrategy2 {
  /** Its name, unique among strategies. */
  key: FeedId;
  /** A pause between two. */
  type: 'minimumTime';
  /** 1 to 31,536,000. */
  seconds: number;
  /** Counted from the last display, from when one last left the screen, or from when the app went to the background. */
  after?: 'shown' | 'removed' | 'background';
  /** false: it is not asked. */
  enabled?: boolean;
}

/** Suppresses a display that is the same as the one shown last. */
export interface FeedStrategy3 {
  /** Its name, unique among strategies. */
  key: FeedId;
  /** Not the same again. */
  type: 'sameContent';
  /** The same in all that the user sees, hears or can choose, in the message, or in the data. */
  field?: 'shown' | 'message' | 'data';
  /** false: it is not asked. */
  enabled?: boolean;
}

/** Asks the strategy of the app that has this key. */
export interface FeedStrategy4 {
  /** Its name, unique among strategies. */
  key: FeedId;
  /** One of the app. */
  type: 'custom';
  /** Anything that the strategy of the app wants to know. */
  parameters?: { readonly [key: string]: unknown };
  /** false: it is not asked. */
  enabled?: boolean;
}

/** A rule about displays, of the engine or of the app. */
export type FeedStrategy = FeedStrategy1 | FeedStrategy2 | FeedStrategy3 | FeedStrategy4;

/** Steps that must have come before. */
export interface FeedAfter {
  /** The steps that must have happened before, 1 to 16, in their order. */
  steps: readonly [FeedStep];
  /** Seconds, 1 to 31,536,000: the most that may pass from the first step to the trigger, included. */
  within?: number;
}

/** One of the steps: something that happened at a region. */
export interface FeedStep {
  /** As for regions; one of this feed, not necessarily one of the campaign's. */
  region: FeedId;
  /** The event that must have happened there. */
  event?: 'enter' | 'exit' | 'dwelling';
  /** How many minutes the visit must last, 5 to 720. */
  minutes?: number;
}

/** How the edge of a region must be crossed. */
export interface FeedCrossing {
  /** Of the line of a corridor, seen along it. */
  direction?: 'leftToRight' | 'rightToLeft';
  /** Exactly 2: degrees from north; the courses that count are from the first clockwise to the second. */
  course?: readonly number[];
  /** Metres a second, 0 to 1000. */
  leastSpeed?: number;
  /** Metres a second, 0 to 1000; not below leastSpeed. */
  mostSpeed?: number;
}

/** A span of time in which the device was at none of the regions. */
export interface FeedAbsence {
  /** The time of day at which a span ends, 00:01 to 24:00. */
  by?: string;
  /** With by only: the time of day at which a span begins, before by unless there is a fromDay. */
  from?: string;
  /** With by only: the days on which spans end, mon to sun; at least one, none twice. */
  days?: readonly FeedWeekday[];
  /** With by only: the day of the week on which a span begins, the last one before its end. */
  fromDay?: FeedWeekday;
  /** 1 to 525,600: for so long since the last visit, or since it is known where the device is. */
  minutes?: number;
  /** 1 to 10,080: only a visit counts that has lasted so long within the span. */
  leastMinutes?: number;
  /**
   * 1 to 44,640: the longest time between two fixes of which it may be unknown where the device was; the default is 720
   * for spans that are longer than a day.
   */
  silenceMinutes?: number;
}

/** Which visits of a region count, by their number. */
export interface FeedVisits {
  /** 1 to 1,000,000: the first that counts. */
  from?: number;
  /** 1 to 1,000,000: the last that counts; not below from. */
  to?: number;
  /** 1 to 1,000,000: 3 for the third after from, the sixth, and so on. */
  every?: number;
}

/** At most so many displays, of all or of some campaigns. */
export interface FeedCap {
  /** The displays that count together. */
  per: 'all' | 'tag' | 'campaign' | 'region' | 'visit';
  /** 1 to 255 bytes; for campaigns with this tag, and those of their displays that had it. */
  tag?: FeedId;
  /** Displays, 1 to 1,000. */
  max: number;
  /** Seconds, 1 to 31,536,000: a display counts for so long. */
  window?: number;
  /** Calendar days, 1 to 366: 1 is today, 2 today and yesterday, and so on. */
  days?: number;
  /** Whose calendar: device, region, or a zone's by its IANA name; only with days. */
  zone?: string;
}

/** At most so many displays at a region. */
export interface FeedRegionCap {
  /** The displays that count together. */
  per?: 'region' | 'visit';
  /** Displays, 1 to 1,000. */
  max: number;
  /** Seconds, 1 to 31,536,000: a display counts for so long. */
  window?: number;
  /** Calendar days, 1 to 366: 1 is today, 2 today and yesterday, and so on. */
  days?: number;
  /** Whose calendar: device, region, or a zone's by its IANA name; only with days. */
  zone?: string;
}

/** At most so many displays of a notification. */
export interface FeedCampaignCap {
  /** The displays that count together. */
  per?: 'campaign' | 'region' | 'visit';
  /** Displays, 1 to 1,000. */
  max: number;
  /** Seconds, 1 to 31,536,000: a display counts for so long. */
  window?: number;
  /** Calendar days, 1 to 366: 1 is today, 2 today and yesterday, and so on. */
  days?: number;
  /** Whose calendar: device, region, or a zone's by its IANA name; only with days. */
  zone?: string;
}

/** Hours in which nothing is shown, of all or of some campaigns. */
export interface FeedQuietHours {
  /** 1 to 255 bytes; only in the settings: for campaigns with this tag. */
  tag?: FeedId;
  /** As opening hours, see Times; or daily, one list of spans for all days, beside exceptions. */
  hours: FeedHours;
  /** Whose clock counts: device; region, the place's zone where it has one; or that of a zone by its IANA name. */
  zone?: string;
  /**
   * The fate of a notification: it is dropped; it waits for their end, and is shown then, wherever the person is; it
   * waits as long as the visit lasts, which an exit cannot.
   */
  during?: 'drop' | 'hold' | 'holdInside';
}

/** Hours in which nothing is shown, of one region or notification. */
export interface FeedOwnQuietHours {
  /** As opening hours, see Times; or daily, one list of spans for all days, beside exceptions. */
  hours: FeedHours;
  /** Whose clock counts: device; region, the place's zone where it has one; or that of a zone by its IANA name. */
  zone?: string;
  /**
   * The fate of a notification: it is dropped; it waits for their end, and is shown then, wherever the person is; it
   * waits as long as the visit lasts, which an exit cannot.
   */
  during?: 'drop' | 'hold' | 'holdInside';
}

/** The spans of all days, or of each day of the week. */
export interface FeedHours {
  /** The spans of every day. */
  daily?: FeedSpans;
  /** The spans that begin on a Monday. */
  mon?: FeedSpans;
  /** The spans that begin on a Tuesday. */
  tue?: FeedSpans;
  /** The spans that begin on a Wednesday. */
  wed?: FeedSpans;
  /** The spans that begin on a Thursday. */
  thu?: FeedSpans;
  /** The spans that begin on a Friday. */
  fri?: FeedSpans;
  /** The spans that begin on a Saturday. */
  sat?: FeedSpans;
  /** The spans that begin on a Sunday. */
  sun?: FeedSpans;
  /** Spans of single days, by date, in place of the others; none: no quiet hours then. */
  exceptions?: { readonly [key: string]: FeedSpans };
}

/** Rules about pushes of a server. */
export interface FeedMessages {
  /** Whose pushes they are; see Pushes as they came. */
  profile?: 'plain' | 'apns' | 'fcm' | 'cometchat' | 'zego';
  /** The path of each value. */
  paths?: FeedMessagesPaths;
  /** The path of the correlation key, or an array of paths. */
  correlation?: FeedMessagesCorrelation;
  /** The path of the revision. */
  revision?: FeedMessagesRevision;
  /** At most 1,000. */
  rules?: readonly FeedMessageRule[];
  /** Not empty. */
  placeholder?: string;
  /** 1 to 365. */
  tombstoneDays?: number;
  /** True: the global cooldown holds for messages too, and is begun by them. */
  cooldown?: boolean;
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

/** The path of each value. */
export interface FeedMessagesPaths {
  /** The id of the message. */
  id?: FeedMessagePath;
  /** The sender. */
  sender?: FeedMessagePath;
  /** The conversation that it belongs to. */
  thread?: FeedMessagePath;
  /** The first line. */
  title?: FeedMessagePath;
  /** The second line. */
  subtitle?: FeedMessagePath;
  /** The text. */
  body?: FeedMessagePath;
  /** The data for the app. */
  data?: FeedMessagePath;
  /** The sound. */
  sound?: FeedMessagePath;
  /** The number on the icon of the app. */
  badge?: FeedMessagePath;
  /** The category, for its actions. */
  category?: FeedMessagePath;
  /** The priority, as of campaigns. */
  priority?: FeedMessagePath;
}

/** The path of the correlation key, or an array of paths. */
export interface FeedMessagesCorrelation {
  /** Where the key is that makes a message take the place of another. */
  path: FeedMessagePath;
}

/** The path of the revision. */
export interface FeedMessagesRevision {
  /** Where the number is that says which of two messages is newer. */
  path: FeedMessagePath;
}

/** Where a value is in a push: keys with dots between them; of several paths the first that leads to a value. */
export type FeedMessagePath = string | readonly string[];

/** A rule about messages. */
export interface FeedMessageRule {
  /** 1 to 255 bytes, as an id in the feed; what decisions call it. */
  id?: FeedId;
  /** The condition under which the rule decides. */
  if?: FeedMessageCondition;
  /** The fate of the message. */
  then: 'keep' | 'drop' | 'mute' | 'rewrite' | 'defer';
  /** Rewrite only; an empty one takes the title away. */
  title?: FeedMessageText;
  /** Rewrite only; not empty; rewrite needs one of the two. */
  body?: FeedMessageText;
  /** Defer only; 1 to 604,800. */
  seconds?: number;
  /**
   * Defer only; the next time that it is this time of the day, "08:00", in the device's zone; defer needs one of the
   * two.
   */
  until?: string;
  /** Whether the rule decides when a list is absent that it needs to know. */
  whenAbsent?: 'skip' | 'apply';
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

/** A text in which {{id}}, {{sender}}, {{thread}}, {{title}} and {{body}} are placeholders. */
export type FeedMessageText = string;

/** A condition of a rule about messages: one of these keys. */
export interface FeedMessageCondition {
  /** Each of them is true; at least one. */
  all?: readonly FeedMessageCondition[];
  /** One of them is true, at the least; at least one. */
  any?: readonly FeedMessageCondition[];
  /** It is not true. */
  not?: FeedMessageCondition;
  /** The sender is in the list of this name. */
  senderIn?: FeedId;
  /** The sender is not in that list, or there is no sender. */
  senderNotIn?: FeedId;
  /** The thread is in the list of this name. */
  threadIn?: FeedId;
  /** Title or body has this text in it, upper and lower case being the same; not empty. */
  contains?: string;
}

/** A day of the week. */
export type FeedWeekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';

/** Places and what happens there; docs/feed.md says what each key means. */
export interface CampaignFeed {
  /** 1. */
  version: 1;
  /** The maker's own name for this state of the feed. */
  revision?: string;
  /** The places; at most 1,000,000. */
  regions: readonly FeedRegion[];
  /** Notifications and geotriggers of these places; at most 1,000,000. */
  campaigns: readonly FeedCampaign[];
  /** Rules for all notifications, see Settings. */
  settings?: FeedSettings;
  /** Actions under a name, see Content; at most 1,000,000. */
  categories?: readonly FeedCategory[];
  /** Lists that the rules for messages look into, see A list; at most 100. */
  lists?: readonly FeedList[];
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

/** The name of a trip or a region: 1 to 255 bytes, without ; and control characters. */
export type TripId = string;

/** A date and time of ISO 8601 with Z or an offset, such as 2026-05-01T00:00:00Z. */
export type TripDateTime = string;

/** A way, as in GeoJSON. */
export interface TripLine {
  /** Always LineString. */
  type: 'LineString';
  /** Positions as [longitude, latitude] in degrees, in the direction of travel; an altitude after them is ignored. */
  coordinates: readonly (readonly [number, number])[];
  [key: string]: unknown;
}

/** A way to a region that an app begins; docs/trips.md says what each key means. */
export interface TripPlan {
  /** The app's own, 1 to 255 bytes, without ; and control characters. */
  id: TripId;
  /** Id of the region of the feed that is the destination. */
  region: TripId;
  /** How the user travels: the speed until it is known. */
  mode?: 'pedestrian' | 'bicycle' | 'auto';
  /** The way, a GeoJSON LineString of 2 to 20,000 positions, in the direction of travel. */
  route?: TripLine;
  /** ISO 8601 date and time with Z or an offset; a later arrival is a delay. */
  deadline?: TripDateTime;
  /** ISO 8601 date and time with Z or an offset; the trip is over then. */
  expires?: TripDateTime;
  /** 10 to 86,400: so long before the arrival the destination is near. */
  approachingSeconds?: number;
  /** 1 to 1,000,000: with so many metres left the destination is near. */
  approachingMetres?: number;
  /** Ids of regions that the user may take for the destination, at most 100, none twice. */
  others?: readonly TripId[];
  /** The app's own values, at most 32: strings, numbers and booleans; in events, and in placeholders. */
  metadata?: { readonly [key: string]: string | number | boolean };
}
