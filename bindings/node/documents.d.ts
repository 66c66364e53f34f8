// Made from docs/schema by scripts/type_tables.py: do not edit.

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

export interface PlotConfigurationEngineProof {
  maxAge?: number | null;
  deadline?: number | null;
  staleAfter?: number | null;
  [key: string]: unknown;
}

export interface PlotConfigurationEngineEvents {
  acknowledge?: boolean | null;
  limit?: number | null;
  [key: string]: unknown;
}

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

export type FeedId = string;

export type FeedTemplate = string;

export type FeedTexts = { readonly [key: string]: FeedTemplate };

export type FeedDateTime = string;

export type FeedWallTime = string;

export interface FeedRegion {
  /** 1 to 255 bytes, unique, without ; and control characters. */
  id: FeedId;
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

export interface FeedGeometry {
  type: 'Polygon' | 'MultiPolygon' | 'LineString';
  /** As in GeoJSON: positions are [longitude, latitude] in degrees; an altitude after them is ignored. */
  coordinates: readonly unknown[];
  /** Ignored. */
  bbox?: readonly unknown[];
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

export type FeedPolygons = readonly FeedRings[];

export type FeedRings = readonly unknown[];

export type FeedPositions = readonly (readonly [number, number])[];

export interface FeedCampaign {
  /** As for regions. */
  id: FeedId;
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

export interface FeedCondition1 {
  all: readonly FeedCondition[];
}

export interface FeedCondition2 {
  any: readonly FeedCondition[];
}

export interface FeedCondition3 {
  not: FeedCondition;
}

export interface FeedCondition4 {
  country: readonly FeedCountry[];
}

export type FeedCondition = FeedCondition1 | FeedCondition2 | FeedCondition3 | FeedCondition4 | FeedTravelMinutes | FeedTravelMode | FeedComparison | FeedHistory;

export type FeedCountry = string;

export interface FeedTravelMinutes {
  travelMinutes: FeedTravelMinutesTravelMinutes;
}

export interface FeedTravelMinutesTravelMinutes {
  less?: FeedMinutesOfTravel;
  atMost?: FeedMinutesOfTravel;
  atLeast?: FeedMinutesOfTravel;
  greater?: FeedMinutesOfTravel;
}

export type FeedMinutesOfTravel = number;

export interface FeedTravelMode {
  travelMode: readonly ('pedestrian' | 'bicycle' | 'auto')[];
}

export type FeedSpans = readonly (readonly [string, string])[];

export interface FeedOpeningHours {
  mon?: FeedSpans;
  tue?: FeedSpans;
  wed?: FeedSpans;
  thu?: FeedSpans;
  fri?: FeedSpans;
  sat?: FeedSpans;
  sun?: FeedSpans;
  exceptions?: { readonly [key: string]: FeedSpans };
}

export interface FeedTimespan {
  start?: string;
  end?: string;
}

export type FeedTimespans = readonly FeedTimespan[];

export interface FeedTriggerTimes {
  /** The region's times, if it has any; none; its own spans; its own hours. */
  type: 'inherit' | 'anytime' | 'timespans' | 'openinghours';
  /** At least one. */
  timespans?: FeedTimespans;
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

export interface FeedValue2 {
  date: FeedDateTime;
}

export interface FeedValue3 {
  ago: number;
}

export interface FeedValue4 {
  ahead: number;
}

export type FeedValue = string | boolean | number | FeedValue2 | FeedValue3 | FeedValue4;

export interface FeedOrdered2 {
  date: FeedDateTime;
}

export interface FeedOrdered3 {
  ago: number;
}

export interface FeedOrdered4 {
  ahead: number;
}

export type FeedOrdered = string | number | FeedOrdered2 | FeedOrdered3 | FeedOrdered4;

export interface FeedMoment2 {
  within: number;
}

export type FeedMoment = true | FeedMoment2;

export interface FeedComparison {
  property: string;
  equals?: FeedValue;
  differs?: FeedValue;
  less?: FeedOrdered;
  atMost?: FeedOrdered;
  atLeast?: FeedOrdered;
  greater?: FeedOrdered;
  between?: readonly FeedOrdered[];
  in?: readonly FeedValue[];
  exists?: boolean;
  begins?: string;
  contains?: string;
  version?: FeedComparisonVersion;
}

export interface FeedComparisonVersion {
  less?: string;
  atMost?: string;
  atLeast?: string;
  greater?: string;
}

export interface FeedHistory {
  campaign: FeedId;
  shown?: FeedMoment;
  opened?: FeedMoment;
}

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

export interface FeedSettingsSpecificFirst {
  within: number;
}

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
  attachments?: readonly FeedAttachment[];
  /** Its buttons; at most 10; not together with a category of the feed that has some. */
  actions?: readonly FeedAction[];
  /** The app's own values, any JSON. */
  userInfo?: { readonly [key: string]: unknown };
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

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

export interface FeedCategory {
  /** As for regions. */
  id: FeedId;
  /** Its buttons; at most 10. */
  actions: readonly FeedAction[];
  /** Your own keys. */
  [key: `x-${string}`]: unknown;
}

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

export interface FeedHoldout {
  /** How many of a hundred people do not get it, 1 to 99. */
  percent: number;
  /** Campaigns of one group hold out the same people; by default a group of the campaign alone, with its id. */
  group?: FeedId;
  /** The property of the person, a text or a whole number, that decides: always the same for the same value. */
  property?: string;
}

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

export interface FeedWelcomeOffline {
  message: FeedTemplate;
  data?: FeedTemplate;
}

export interface FeedSlots {
  count: number;
  whenFull?: 'keep' | 'replace';
}

export interface FeedCoalescing {
  group: FeedId;
  atLeast?: number;
  message: FeedTemplate;
  within?: number;
}

export interface FeedExclusion {
  group: FeedId;
  within: number;
}

export interface FeedStrategy1 {
  key: FeedId;
  type: 'maximum';
  max: number;
  window: number;
  enabled?: boolean;
}

export interface FeedStrategy2 {
  key: FeedId;
  type: 'minimumTime';
  seconds: number;
  after?: 'shown' | 'removed' | 'background';
  enabled?: boolean;
}

export interface FeedStrategy3 {
  key: FeedId;
  type: 'sameContent';
  field?: 'shown' | 'message' | 'data';
  enabled?: boolean;
}

export interface FeedStrategy4 {
  key: FeedId;
  type: 'custom';
  parameters?: { readonly [key: string]: unknown };
  enabled?: boolean;
}

export type FeedStrategy = FeedStrategy1 | FeedStrategy2 | FeedStrategy3 | FeedStrategy4;

export interface FeedAfter {
  /** The steps that must have happened before, 1 to 16, in their order. */
  steps: readonly [FeedStep];
  /** Seconds, 1 to 31,536,000: the most that may pass from the first step to the trigger, included. */
  within?: number;
}

export interface FeedStep {
  /** As for regions; one of this feed, not necessarily one of the campaign's. */
  region: FeedId;
  event?: 'enter' | 'exit' | 'dwelling';
  /** How many minutes the visit must last, 5 to 720. */
  minutes?: number;
}

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

export interface FeedVisits {
  /** 1 to 1,000,000: the first that counts. */
  from?: number;
  /** 1 to 1,000,000: the last that counts; not below from. */
  to?: number;
  /** 1 to 1,000,000: 3 for the third after from, the sixth, and so on. */
  every?: number;
}

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

export interface FeedHours {
  daily?: FeedSpans;
  mon?: FeedSpans;
  tue?: FeedSpans;
  wed?: FeedSpans;
  thu?: FeedSpans;
  fri?: FeedSpans;
  sat?: FeedSpans;
  sun?: FeedSpans;
  exceptions?: { readonly [key: string]: FeedSpans };
}

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

export interface FeedMessagesPaths {
  id?: FeedMessagePath;
  sender?: FeedMessagePath;
  thread?: FeedMessagePath;
  title?: FeedMessagePath;
  subtitle?: FeedMessagePath;
  body?: FeedMessagePath;
  data?: FeedMessagePath;
  sound?: FeedMessagePath;
  badge?: FeedMessagePath;
  category?: FeedMessagePath;
  priority?: FeedMessagePath;
}

export interface FeedMessagesCorrelation {
  path: FeedMessagePath;
}

export interface FeedMessagesRevision {
  path: FeedMessagePath;
}

export type FeedMessagePath = string | readonly string[];

export interface FeedMessageRule {
  /** 1 to 255 bytes, as an id in the feed; what decisions call it. */
  id?: FeedId;
  if?: FeedMessageCondition;
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

export type FeedMessageText = string;

export interface FeedMessageCondition {
  all?: readonly FeedMessageCondition[];
  any?: readonly FeedMessageCondition[];
  not?: FeedMessageCondition;
  senderIn?: FeedId;
  senderNotIn?: FeedId;
  threadIn?: FeedId;
  contains?: string;
}

export type FeedWeekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';

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

export type TripId = string;

export type TripDateTime = string;

export interface TripLine {
  type: 'LineString';
  coordinates: readonly (readonly [number, number])[];
  [key: string]: unknown;
}

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
