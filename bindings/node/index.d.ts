// Types of plotengine. Units: metres, seconds, metres a second, degrees; times are Dates or milliseconds since 1970.

/// <reference types="node" />
import { CampaignFeed, PlotConfiguration, TripPlan } from './documents';
import { EventEmitter } from 'events';

export * from './documents';

declare global {
  // For TypeScript before 5.2, as @types/node has them.
  interface SymbolConstructor {
    readonly dispose: unique symbol;
    readonly asyncDispose: unique symbol;
  }
}

/** A moment: a Date, or whole milliseconds since 1970-01-01T00:00:00Z. */
export type Time = Date | number;
/** A file: a path, or a file: URL. */
export type Path = string | URL;

/** When a campaign happens. */
export type Trigger = 'enter' | 'exit' | 'dwelling' | 'inside' | 'approaching' | 'absent' | 'trip';
/** A place by its shape, or by a beacon. */
export type RegionType = 'geofence' | 'beacon';
/** The kind of page that opens with a notification. */
export type HandlerType = 'regular' | 'landingPage' | 'applink';

/** A notification or geotrigger that the host gets. New keys may appear. */
export interface Item {
  /** `campaign;region`; a message's id */
  identifier: string;
  /** One occurrence; absent in loaded lists. */
  matchIdentifier?: string;
  /** Absent for a message, as is all about its place. */
  campaignId?: string;
  /** The id of the region; absent for a message from outside. */
  regionId?: string;
  /** The name of the region. */
  regionName?: string;
  /** The text; the name of a geotrigger. */
  message: string;
  /** The campaign's `data`, with its placeholders filled. */
  data: string;
  /** Degrees, of the region's centre; absent for a beacon. */
  geofenceLatitude?: number;
  /** Degrees, of the region's centre; absent for a beacon. */
  geofenceLongitude?: number;
  /** The trigger of the campaign. */
  trigger?: Trigger;
  /** The minutes of a dwelling. */
  dwellingMinutes?: number;
  /** Absent unless the trigger is `approaching`. */
  arrivalSeconds?: number;
  /** The event of a trip, of a campaign whose trigger is trip. */
  tripEvent?: 'started' | 'approaching' | 'arrived' | 'stopped' | 'off-route' | 'delayed' | 'wrong-destination' | 'expired' | 'cancelled';
  /** `HH:MM`; absent unless the trigger is `inside`. */
  insideAt?: string;
  /** Metres, of the region's radius. */
  matchRange?: number;
  /** Whether the region is a place or a beacon. */
  regionType?: RegionType;
  /** Of a region that is an isochrone: how long the way is that it stands for. */
  travelMinutes?: number;
  /** How one goes, where the region is a drive time. */
  travelMode?: 'pedestrian' | 'bicycle' | 'auto';
  /** When it was shown, or handed over; null before that. */
  dateSent?: Date | null;
}

/** A file to be shown or played with a notification. */
export interface Attachment {
  /** Unique among those of the notification. */
  id: string;
  /** A `file:` URL, or a path. */
  url: string;
  /** The format as an extension; that of `url` when absent. */
  type?: string;
}

/** Something that the person may choose on a notification. */
export interface Action {
  /** The name by which the app hears of it. */
  id: string;
  /** The words of the button. */
  title: string;
  /** Choosing it opens the app. */
  foreground?: boolean;
  /** A host may show it in red. */
  destructive?: boolean;
  /** One of the first two; follows from the place. */
  compact?: boolean;
}

/** The content of a notification beside message and data. */
export interface Content {
  /** The line above the text. */
  title?: string | null;
  /** The line between title and text. */
  subtitle?: string | null;
  /** The text, where it is another one than `message`. */
  body?: string | null;
  /** The name of a sound. */
  sound?: string | null;
  /** The number on the app's icon. */
  badge?: number | null;
  /** The name of its set of actions. */
  category?: string | null;
  /** Pictures and the like, in their order. */
  attachments?: readonly Attachment[] | null;
  /** Its buttons, in their order. */
  actions?: readonly Action[] | null;
  /** Values of the app's own. */
  userInfo?: Readonly<Record<string, unknown>> | null;
}

/** A notification: its content, and where it comes from. */
export interface Notification extends Item, Content {
  /** The kind of page that opens with it. */
  notificationHandlerType: HandlerType;
  /** The sender of a message. */
  sender?: string;
  /** The conversation of a message. */
  thread?: string;
  /** The number of the newest state of a message. */
  revision?: number;
  /** 1: a message to be shown without sound and badge. */
  silent?: 1;
  /** 1: it only shows because the host cannot suppress it. */
  suppressed?: 1;
  /** null: not opened. */
  dateOpened?: Date | null;
  /** Whether it was opened. */
  isOpened?: boolean;
  /** It is handed over because it was opened while the app is in the foreground. */
  isAppInForeground?: boolean;
  /** `engine.confirmInForeground`: the person is to be asked before the default is done. */
  confirm?: boolean;
  /** The higher goes first. */
  priority?: number;
  /** 1: it leaves the screen with the visit. */
  removeOnExit?: 1;
  /** 1: it leaves the screen with its campaign. */
  removeAtEnd?: 1;
  /** Seconds after its display when the engine takes it off. */
  expireAfter?: number;
  /** When the engine takes it off. */
  expireAt?: Date;
  /** The matchIdentifier of the display whose place it takes. */
  updates?: string;
  /** The key of the notifications that it replaces on the screen. */
  correlationKey?: string;
  /** The identifiers of others that it stands for, one a line. */
  coalesced?: string;
}

/** A geotrigger: something that the app does at a place. */
export interface Geotrigger extends Item {
  /** The name of the geotrigger. */
  name: string;
  /** null: not handled. */
  dateHandled?: Date | null;
  /** Whether the app has marked it handled. */
  isHandled?: boolean;
}

/** The part of an item that an answer needs. The content of a notification may be edited, nothing else; null takes away. */
export interface Kept extends Content {
  /** The id of its campaign. */
  identifier: string;
  /** The identifier of the occurrence. */
  matchIdentifier?: string;
  /** Another text. */
  message?: string;
  /** Other `data`. */
  data?: string;
}

// docs/events.json: names
/** The kind of an event (docs/events.md). */
export type EventName =
  | 'region-enter' | 'region-inside' | 'region-dwell' | 'region-exit' | 'region-approach' | 'notification-filtered'
  | 'notification-shown' | 'notification-failed' | 'notification-opened' | 'notification-action'
  | 'notification-dismissed' | 'notification-removed' | 'geotrigger' | 'geotrigger-dropped' | 'message-dropped'
  | 'message-retracted' | 'store-set-aside' | 'notification-held-out' | 'absence' | 'absence-unknown' | 'trip-started'
  | 'trip-approaching' | 'trip-arrived' | 'trip-stopped' | 'trip-off-route' | 'trip-delayed' | 'trip-wrong-destination'
  | 'trip-expired' | 'trip-cancelled';
// end

/** The events that wait for the app (docs/events.md, Consumers). */
export interface PendingEvents {
  /** Up to which sequence the app needs no events. */
  acknowledged: number;
  /** How many it has lost, since they were more than `engine.events.limit`. */
  lost: number;
  /** How many wait, listed or not. */
  waiting: number;
  /** The events, the oldest first. */
  events: EventRecord[];
}

/** One event record, as docs/events.md has it. New names may appear. */
export interface EventRecord {
  /** ISO 8601, UTC */
  time: string;
  /** The kind of what happened. */
  event: EventName | (string & {});
  /** The number of the event: each has the next one. */
  sequence: number;
  /** Absent, as is the visit, when it is about a message. */
  region?: string;
  /** The id of the visit. */
  visit?: string;
  /** The how-manieth visit of the region it is, from 1. */
  ordinal?: number;
  /** Degrees, where the event has a place. */
  latitude?: number;
  /** Degrees, where the event has a place. */
  longitude?: number;
  /** When the region was entered or left, where that was not sure at once. */
  since?: string;
  /** The fix behind it came late, or the event waited for a proof. */
  late?: boolean;
  /** The source of the event; absent for a fix. */
  source?: 'passage' | 'beacon' | 'hint' | 'group' | 'move';
  /** How many seconds until the device arrives. */
  arrivalSeconds?: number;
  /** Of an approach, and of a trip: when the device would be there. */
  arrival?: string;
  /** After how many minutes of a dwelling. */
  dwellingMinutes?: number;
  /** The id of the campaign. */
  campaign?: string;
  /** The span of an absence. */
  from?: string;
  /** The end of the span that an absence is about. */
  to?: string;
  /** The time in such a span of which nothing is known. */
  unknownFrom?: string;
  /** The end of the time of which nothing is known. */
  unknownTo?: string;
  /** The app's id of a trip. */
  trip?: string;
  /** The rest of a trip's way, in metres. */
  metres?: number;
  /** Until when the trip is to arrive. */
  deadline?: string;
  /** How much later than the deadline a trip is, or will be; negative when it is earlier. */
  delaySeconds?: number;
  /** Where the device is, though it is not the destination. */
  otherRegion?: string;
  /** The app's own values of a trip. */
  metadata?: Record<string, string | number | boolean>;
  /** The identifier of the occurrence. */
  matchIdentifier?: string;
  /** The text of the notification. */
  message?: string;
  /** The item's `data`. */
  data?: string;
  /** The id of the action that was chosen. */
  action?: string;
  /** Whether it was asked about once more after a restart. */
  recovered?: boolean;
  /** Why a notification was removed, or a message dropped. */
  reason?: string;
  /** The holdout group in which it is known whether the person is. */
  holdout?: string;
  /** Of a store that was set aside: the parts of which something could not be read. */
  lost?: string[];
  /** The id of the message it is about. */
  messageId?: string;
  /** The advertising identifier, where the app has set one. */
  advertisingIdentifier?: string;
  /** Whether the person limits tracking. */
  limitAdTracking?: boolean;
}

/** The words that this version writes; a later one may add some (docs/decisions.md). */
// docs/decisions.json
export type DecisionStep =
  | 'presence' | 'trigger' | 'steps' | 'visits' | 'crossing' | 'validity' | 'times' | 'segmentation' | 'repeat'
  | 'content' | 'list' | 'revision' | 'rules' | 'filter' | 'strategies' | 'cooldown' | 'caps' | 'quiet' | 'slot'
  | 'holdout' | 'attachment' | 'suppress' | 'show' | 'remove';
/** The answer of a step. */
export type DecisionVerdict =
  | 'pass' | 'drop' | 'hold';
/** The reason of a decision. */
export type DecisionReason =
  | 'accuracy' | 'hysteresis' | 'stale' | 'hint-stale' | 'hint-duplicate' | 'hint-contradicted' | 'coarse' | 'jump'
  | 'shift' | 'at-rest' | 'hint-unproven' | 'unproven' | 'absence-visited' | 'absence-unknown' | 'speed'
  | 'not-confirmed' | 'beacon-range' | 'first-fix' | 'new-region' | 'region-removed' | 'disabled' | 'refuted'
  | 'implied-speed' | 'late' | 'ahead' | 'triggered' | 'too-many' | 'over' | 'steps-done' | 'steps-missing'
  | 'steps-late' | 'visit-counts' | 'visit-does-not-count' | 'crossing-counts' | 'other-direction' | 'other-course'
  | 'other-speed' | 'crossing-unknown' | 'valid' | 'not-started' | 'ended' | 'notifications-disabled' | 'anytime'
  | 'within-times' | 'outside-times' | 'held' | 'left' | 'campaign-removed' | 'matched' | 'property-missing'
  | 'property-differs' | 'allowed' | 'once-only' | 'campaign-cooldown' | 'in-flight' | 'filled' | 'missing-field'
  | 'list-taken' | 'list-older' | 'newest' | 'duplicate' | 'retracted' | 'list-absent' | 'no-rule' | 'rule-kept'
  | 'rule-muted' | 'rule-rewritten' | 'rule-deferred' | 'rule-dropped' | 'no-filter' | 'landing-page' | 'asked' | 'kept'
  | 'filtered-out' | 'deadline-shown' | 'deadline-dropped' | 'restart-dropped' | 'agreed' | 'vetoed' | 'global-cooldown'
  | 'within-caps' | 'capped' | 'not-quiet' | 'quiet-hours' | 'quiet-held' | 'free' | 'slot-full' | 'excluded'
  | 'outranked' | 'coalesced' | 'welcome-alone' | 'held-out' | 'drawn' | 'no-draw' | 'attached' | 'attachment-kind'
  | 'attachment-size' | 'attachment-unreadable' | 'placeholder' | 'silent' | 'shown' | 'show-failed' | 'expired'
  | 'removed' | 'remove-failed' | 'cannot-remove';
// end

/** One decision record, as docs/decisions.md has it. */
export interface DecisionRecord {
  /** When it was decided. */
  time: string;
  /** The id of the campaign. */
  campaign?: string;
  /** The id of the region. */
  region?: string;
  /** The id of the visit. */
  visit?: string;
  /** The id of a message from outside. */
  messageId?: string;
  /** The step that decided. */
  step: DecisionStep | (string & {});
  /** Whether it went on, ended, or waits. */
  verdict: DecisionVerdict | (string & {});
  /** Why; docs/decisions.md lists the reasons of each step. */
  reason: DecisionReason | (string & {});
  /** The thing that the reason is about, such as a property. */
  detail?: string;
  /** The values that the step decided on (docs/decisions.md, Inputs). */
  inputs?: Record<string, string | number | boolean | string[]>;
  /** When it can be otherwise at the earliest. */
  nextPossible?: string;
}

/** See docs/explain.md. */
export interface Explanation {
  /** The id of the campaign. */
  campaign: string;
  /** The id of the region. */
  region: string;
  /** The answer as a sentence, in the language that was asked for. */
  sentence: string;
  /** The step that decides. */
  step: DecisionStep | (string & {});
  /** Why. */
  reason: DecisionReason | (string & {});
  /** The answer of that step. */
  verdict: DecisionVerdict | (string & {});
  /** The time that was asked about. */
  time: string;
  /** The thing that the reason is about, such as a property. */
  detail?: string;
  /** The values that decided. */
  inputs?: Record<string, string | number | boolean | string[]>;
  /** When it can be shown at the earliest. */
  nextPossible?: string;
}

/** A position of the device. */
export interface Fix {
  /** Degrees, -90 to 90. */
  latitude: number;
  /** Degrees, -180 to 180. */
  longitude: number;
  /** Metres; 0, NaN or absent when not known: the fix is then taken as exact. */
  accuracy?: number | null;
  /** Metres a second; NaN or absent when not known. */
  speed?: number | null;
  /** Degrees from north; NaN or absent when not known. */
  course?: number | null;
  /** When; now, by the engine's clock, when absent. */
  time?: Time;
}

/** A beacon that was heard: an iBeacon, or one with Eddystone UID frames. */
export type Sighting = ({ proximityUUID: string; majorId: number; minorId: number } | { namespaceId: string; instanceId: string }) & {
  /** The host's own word. */
  proximity?: 'unknown' | 'immediate' | 'near' | 'far';
  /** dBm. */
  rssi?: number;
  /** dBm at one metre; of Eddystone frames as they say it. 0 or absent when not known, as for `rssi`. */
  power?: number;
  time?: Time;
};

/** A report of the operating system about a region that it watches, and where the device was. */
export interface RegionHint {
  /** The id of the region. */
  region: string;
  /** The change that the system reports. */
  kind: 'enter' | 'exit' | 'inside' | 'outside';
  /** Degrees, where the system said so. */
  latitude?: number | null;
  /** Degrees, where the system said so. */
  longitude?: number | null;
  /** Metres; 0 or absent when not known. */
  accuracy?: number | null;
  /** When; now by default. */
  time?: Time;
}

/** The conditions of a plan of regions. */
export interface RegionPlanRequest {
  /** 1 to 1000; 0 or absent for maxRegionsMonitored. */
  budget?: number;
  /** Absent for the newest fix. */
  latitude?: number | null;
  /** Degrees; the newest fix by default. */
  longitude?: number | null;
  /** Metres; 0 or absent when not known. */
  accuracy?: number | null;
  /** The system has forgotten what was registered. */
  reset?: boolean;
  /** The system says that the fence was left. */
  fenceLeft?: boolean;
  /** When; now by default. */
  time?: Time;
}

/** A region that the system is to watch. */
export interface PlannedRegion {
  /** The name that the system is to give it. */
  id: string;
  /** How the system is to watch it. */
  kind: 'circle' | 'area' | 'beacon' | (string & {});
  /** Degrees; absent for a beacon. */
  latitude?: number;
  /** Degrees; absent for a beacon. */
  longitude?: number;
  /** Metres. */
  radius?: number;
  /** The UUID of an iBeacon. */
  proximityUUID?: string;
  /** The major number of an iBeacon. */
  majorId?: number;
  /** The minor number of an iBeacon; absent for any. */
  minorId?: number;
}

/** See docs/region-plan.md. */
export interface RegionPlan {
  /** The regions to be registered from now on. */
  add: PlannedRegion[];
  /** The names of those that are not needed any more. */
  remove: string[];
  /** The circle around the device whose exit asks for the next plan; null for none. */
  fence: { latitude: number; longitude: number; radius: number } | null;
  /** Whether the fence is another one than before. */
  fenceChanged: boolean;
  /** Whether there are more regions near than the budget has room for. */
  dense: boolean;
  /** How many beacons of the feed the budget has no room for. */
  unwatchedBeacons: number;
}

/** A visit that is on. */
export interface Visit {
  /** The id of the region. */
  region: string;
  /** The id of the visit. */
  visit: string;
  /** The how-manieth visit of the region it is, from 1. */
  ordinal: number;
  /** When it began. */
  entered: Date;
}

/** A list that rules for messages look into. */
export interface ListInfo {
  /** The name that rules call it by. */
  name: string;
  /** Its version, from the app or from the feed. */
  version: number;
  /** How many entries it has. */
  count: number;
  /** When it was set. */
  refreshed: Date;
}

/** A trip that is on. */
export interface Trip {
  /** The id that the app gave it. */
  id: string;
  /** The id of the region that it goes to. */
  region: string;
  /** How somebody goes. */
  mode: 'pedestrian' | 'bicycle' | 'auto';
  /** Until when it is to arrive. */
  deadline?: Date;
  /** When it ends by itself. */
  expires?: Date;
  /** So many seconds before the place it is approaching. */
  approachingSeconds?: number;
  /** So many metres before the place it is approaching. */
  approachingMetres?: number;
  /** Places that count as a wrong destination. */
  others?: string[];
  /** The values that the app gave with it. */
  metadata?: Record<string, string | number | boolean>;
  /** When it began. */
  started: Date;
  /** When it ends by itself. */
  ends: Date;
  /** The rest of the way, in metres; absent where that is not known, as are the next two. */
  metres?: number;
  /** When the device is expected at the destination. */
  arrival?: Date;
  /** Metres a second, on the way. */
  speed?: number;
  /** Whether it is near. */
  approaching: boolean;
  /** Whether it will not be there in time. */
  delayed: boolean;
  /** Whether it stands still. */
  stopped: boolean;
  /** Whether it has left its route. */
  offRoute: boolean;
}

/** A property of the person, with its type. */
export type SegmentationProperty =
  | { type: 'string'; value: string }
  | { type: 'boolean'; value: boolean }
  | { type: 'integer'; value: number | bigint }
  | { type: 'double'; value: number }
  | { type: 'date'; value: Date };

/** An answer that came too late. */
export interface Late {
  /** Which question it answered. */
  kind: 'filter' | 'geotriggers';
  /** The token of the batch. */
  token: Token;
  /** Why it was not taken. */
  code: 'PLOT_ALREADY_ANSWERED' | 'PLOT_CLOSED';
}

/** Names a batch; a bigint beyond 2^53. */
export type Token = number | bigint;
/** data: no URI, or of a scheme that is not opened (engine.uriSchemes). */
export type OpenAction = 'app' | 'uri' | 'landingPage' | 'applink' | 'data';
/** How much a line of the log matters. */
export type LogLevel = 'error' | 'warning' | 'info' | 'debug';

/** Given back by onFilter or onGeotriggers: the answer comes later, by token. */
export const LATER: unique symbol;

/** The items to keep, now or by a promise; or LATER. */
export type Answer = readonly Kept[] | PromiseLike<readonly Kept[]> | typeof LATER;

/** Is asked which notifications are kept, and how they are worded. */
export type FilterHandler = (this: Engine, notifications: Notification[], token: Token) => Answer;
/** Gets geotriggers to handle. */
export type GeotriggerHandler = (this: Engine, geotriggers: Geotrigger[], token: Token) => Answer;
/** Shows it now. false: it could not be shown, and is not used up. */
export type ShowHandler = (this: Engine, notification: Notification) => boolean | void;
/** false, or a throw: it stays on the screen. */
export type RemoveHandler = (this: Engine, notification: Notification) => boolean | void;
/** A notification was opened. */
export type NotificationHandler = (this: Engine, notification: Notification, data: string) => void;
/** A notification was opened, and leads to a page. */
export type OpenHandler = (this: Engine, action: OpenAction, uri: string, notification: Notification) => void;
/** Hears each event. */
export type EventHandler = (this: Engine, record: EventRecord, item: Notification | Geotrigger | null) => void;
/** Hears each decision. */
export type DecisionHandler = (this: Engine, record: DecisionRecord) => void;
/** Gets each line of a recording. */
export type RecordingHandler = (this: Engine, line: string) => void;
/** Gets each line of the log. */
export type LogHandler = (this: Engine, level: LogLevel, message: string) => void;
/** Hears when the engine wants to be called next. */
export type WakeupHandler = (this: Engine, time: Date | null) => void;
/** Ask the system for a fix, and give it to `updateLocation`, or the state of a region to `regionHint`; of most use until `deadline`. */
export type FixRequestHandler = (this: Engine, deadline: Date) => void;
/** The synchronization stands elsewhere, or `syncNext` has something to ask at another time; null: not by itself. */
export type SyncHandler = (this: Engine, status: SyncStatus, next: Date | null) => void;

/** Facts about a device for a campaign service (docs/sync.md, Facts). */
export interface SyncFacts {
  /** The system of the device. */
  platform?: string;
  /** The version of that system. */
  platformVersion?: string;
  /** The version of the app. */
  appVersion?: string;
  /** The language of the person. */
  language?: string;
  /** The token for pushes. */
  pushToken?: string;
}

/** Where the synchronization stands (docs/sync.md, Status). */
export interface SyncStatus {
  /** How it stands. */
  status: 'idle' | 'syncing' | 'applied' | 'unchanged' | 'refused' | 'offline' | 'stopped';
  /** Since when it is so. */
  since: Date | null;
  /** Why it is not as it should be. */
  reason: string | null;
  /** The number of the publication in force; 0 for none. */
  publication: number;
  /** The revision of the feed in force. */
  revision: string | null;
  /** When the service was reached last. */
  lastSuccess: Date | null;
  /** When a feed of the service was taken last. */
  lastApplied: Date | null;
  /** In a row. */
  failures: number;
  /** When the next request is due. */
  next: Date | null;
  /** Whether the stream of events is open. */
  stream: 'closed' | 'opening' | 'open';
  /** Events that are yet to be sent. */
  waiting: number;
  /** Events that the service has refused. */
  rejected: number;
  /** Why the newest feed was not taken. */
  lastRejection: string | null;
  /** Of the last one. */
  recording: 'none' | 'waiting' | 'sent' | 'refused';
}

/** A request that the host is to make. */
export interface SyncRequest {
  /** The number that its answer is handed over with. */
  number: number;
  /** The method of HTTP, such as `GET`. */
  method: string;
  /** Where it goes. */
  url: string;
  /** The headers, with the token of the app. */
  headers: Record<string, string>;
  /** The body as text; absent for none. */
  body?: string;
  /** Seconds without a byte after which it has failed. */
  timeout: number;
  /** Bytes of an answer after which the host stops to read. */
  largestBody: number;
  /** The answer has no end: its bytes go to `syncReceive` as they come. */
  stream: boolean;
}

/** The functions that are asked and told. */
export interface Handlers {
  /** Is asked which notifications are kept. */
  onFilter?: FilterHandler | null;
  /** Gets geotriggers to handle. */
  onGeotriggers?: GeotriggerHandler | null;
  /** Shows a notification. */
  onShow?: ShowHandler | null;
  /** Takes a notification off the screen. */
  onRemove?: RemoveHandler | null;
  /** A notification was opened. */
  onNotification?: NotificationHandler | null;
  /** A notification was opened, and leads to a page. */
  onOpen?: OpenHandler | null;
  /** Hears each event. */
  onEvent?: EventHandler | null;
  /** Hears each decision. */
  onDecision?: DecisionHandler | null;
  /** Gets each line of a recording, from init on (docs/recording.md); to be set before init. */
  onRecording?: RecordingHandler | null;
  /** Gets each line of the log. */
  onLog?: LogHandler | null;
  /** Hears when the engine wants to be called next. */
  onWakeup?: WakeupHandler | null;
  /** Is asked for a fix. */
  onFixRequest?: FixRequestHandler | null;
  /** Does what the synchronization asks for. */
  onSync?: SyncHandler | null;
}

/** The facts that a strategy may use in a vote (docs/strategies.md). */
export interface VoteContext {
  /** Why it leaves the screen; absent where one is to be shown. */
  cause?: RemovalCause;
  /** When the vote is. */
  time: string;
  /** Whether the app is in the foreground. */
  foreground: boolean;
  /** Since when the app is in the background. */
  backgroundSince?: string;
  /** Whether there is a network. */
  network: boolean;
  /** Whether the service can be reached. */
  feedStatus: 'backendSuccess' | 'networkError';
  /** How much is known of the device. */
  informationStatus: 'complete' | 'partial' | 'empty';
  /** How many visits are on. */
  visits: number;
  /** How many notifications are on the screen. */
  displayed: number;
  /** When a notification was shown last. */
  lastShown?: string;
  /** When one left the screen last. */
  lastRemoved?: string;
  /** Later versions may tell more. */
  [key: string]: unknown;
}

/** Why a notification leaves the screen (docs/events.md, docs/strategies.md). New ones may appear. */
export type RemovalCause = 'exit' | 'slot' | 'replaced' | 'retracted' | 'ended' | 'feed' | 'expired' | 'app' | 'dismissed' | (string & {});

/** A region whose end of visit is watched for from now on. */
export interface Monitored {
  /** The id of the region. */
  region: string;
  /** The id of the visit. */
  visit: string;
  /** Whether it is a place or a beacon. */
  regionType: 'geofence' | 'beacon';
  /** Absent, as is the longitude, for a beacon. */
  latitude?: number;
  /** Degrees, of the region's centre. */
  longitude?: number;
  /** Metres, of the region's radius. */
  matchRange: number;
  /** Those with notifications. */
  campaigns: string[];
}

/** A rule with a vote about every notification: each method is optional; a vote is a no only when it gives false. */
export interface Strategy {
  /** Gets the parameters that the feed has for it. */
  updateParameters?(parameters: Record<string, unknown>, time: Date): void;
  /** Votes whether a notification may be shown; false says no. */
  createNewNotification?(notification: Notification, context: VoteContext, time: Date): boolean | void;
  /** Hears how the vote went. */
  onNotificationCreated?(notification: Notification, created: boolean, time: Date): void;
  /** `next`: what is to take its place. */
  deleteCurrentNotification?(notification: Notification, context: VoteContext, time: Date, next: Notification | null): boolean | void;
  /** Hears that a notification left the screen, or stays there. */
  onNotificationDeleted?(notification: Notification, deleted: boolean, time: Date, cause: RemovalCause, next: Notification | null): void;
  /** The app has gone to the background. */
  onBackground?(time: Date): void;
  /** The app has come to the foreground. */
  onForeground?(time: Date): void;
  /** A visit has begun. */
  onStartMonitoring?(region: string, visit: string, time: Date, details: Monitored): void;
  /** null at the first time. */
  load?(state: string | null, time: Date): void;
  /** Nothing leaves what was kept. */
  save?(time: Date): string | null | void;
}

/** A reading of a device's clocks at one moment. */
export interface ClockReading {
  /** The wall clock, which may be set. */
  time: Time;
  /** Milliseconds since the device was started, also while it sleeps. */
  monotonic: number;
  /** A name for that start: 1 to 255 bytes, another one after the next. */
  boot: string;
}

/** Gives the time of an input that comes without one; a reading also shows whether the wall clock was set. */
export type Clock = () => Time | ClockReading;

/** How an engine begins. */
export interface InitOptions {
  /** Without one the engine is live: it follows the clock. */
  time?: Time;
  /** The file to remember in; in memory by default. */
  store?: Path | null;
  /** The device's, by its IANA name; the system's by default. null leaves the one in the store, UTC at first. */
  timeZone?: string | null;
}

/** How an engine goes on from saved bytes. */
export interface RestoreOptions extends InitOptions {
  /** In force from then on: one with another digest than that of then is taken as a new feed is. */
  feed?: Feed | Path | CampaignFeed | object | null;
}

/** How an engine is made. */
export interface EngineOptions extends Handlers {
  /** The clock for inputs without a time; systemClock by default. */
  clock?: Clock;
  /** Whether timers advance the engine at its wakeups. By default they do when `init` was given no time. */
  timers?: boolean;
}

/** A read plotconfig.json. */
export class Config {
  private constructor();
  /** Reads a file. */
  static load(path: Path): Config;
  /** Reads a text, or takes an object. */
  static parse(source: string | Uint8Array | PlotConfiguration | object): Config;
  /** The unusual in it, as sentences. */
  readonly warnings: string[];
  /** The configuration as JSON, with every value. */
  toString(): string;
  /** The same as an object. */
  toJSON(): Record<string, unknown>;
  /** Frees it; a later call throws `PLOT_CLOSED`. */
  close(): void;
  /** The same as `close`, at the end of a `using` block. */
  [Symbol.dispose](): void;
  /** The same as `close`, at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** How places become regions (docs/feed.md, Import). */
export interface ImportOptions {
  /** Metres, of the circles that points become. */
  radius?: number;
  /** Metres, of the corridors that lines become. */
  width?: number;
  /** The text of the campaign, with placeholders. */
  message?: string;
  /** When the campaign happens. */
  trigger?: Trigger;
  /** The minutes of a dwelling. */
  dwellingMinutes?: number;
  /** `HH:MM` */
  insideAt?: string;
  /** The property that has a region's id. */
  idProperty?: string;
  /** The property that has a region's name. */
  nameProperty?: string;
  /** A radius of its own, in metres; `radius` unless given. */
  radiusProperty?: string;
  /** The id of the campaign. */
  campaign?: string;
}

/** A read campaign feed. May serve many engines. */
export class Feed {
  private constructor();
  /** Reads a file. */
  static load(path: Path): Feed;
  /** Reads a text, or takes an object. */
  static parse(source: string | Uint8Array | CampaignFeed | object): Feed;
  /** Maps a compiled feed (docs/feed-file.md). */
  static map(path: Path): Feed;
  /** Makes a feed of places (docs/feed.md, Import). */
  static importGeoJSON(source: string | Uint8Array | object, options?: ImportOptions): Feed;
  /** How many regions it has. */
  readonly regionCount: number;
  /** How many campaigns it has. */
  readonly campaignCount: number;
  /** Of a position, such as an effect's; null for NO_POSITION. */
  regionId(position: number): string | null;
  /** The id of the campaign at a position of the feed; null beyond the last. */
  campaignId(position: number): string | null;
  /** Compiles it into a file (docs/feed-file.md). */
  save(path: Path): void;
  /** The feed as JSON. */
  toString(): string;
  /** The same as an object. */
  toJSON(): Record<string, unknown>;
  /** Frees it; a later call throws `PLOT_CLOSED`. */
  close(): void;
  /** The same as `close`, at the end of a `using` block. */
  [Symbol.dispose](): void;
  /** The same as `close`, at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Something that is wrong in a document, or most likely not what was meant; docs/lint.md lists the codes. */
export interface Finding {
  /** The name of the rule (docs/lint.md). */
  code: string;
  /** How much it matters. */
  severity: 'error' | 'warning' | 'note';
  /** Where it is. */
  document: 'configuration' | 'feed';
  /** JSON pointer to the value. */
  pointer: string;
  /** From 1; 0 when there is no place in the text. */
  line: number;
  /** From 1, in bytes. */
  column: number;
  /** The fault, as a sentence. */
  sentence: string;
  /** How to mend it. */
  remedy: string;
}

/**
 * Finds faults and likely slips in a configuration, a feed or both; with `time`, also campaigns that are over by then. Each is a path or file: URL, a plain object, or
 * bytes of JSON.
 */
export function lint(options: {
  config?: Path | Uint8Array | object; feed?: Path | Uint8Array | object; time?: Time;
}): Finding[];

/** Plays a recording line by line (docs/recording.md). */
export class Replay {
  constructor();
  /** Takes the next line, without its line end; gives the lines that an engine would write for it. */
  take(line: string | Uint8Array): string[];
  /** Frees it; a later call throws `PLOT_CLOSED`. */
  close(): void;
  /** The same as `close`, at the end of a `using` block. */
  [Symbol.dispose](): void;
  /** The same as `close`, at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}
/** Plays a whole recording; gives its text as it would be now. */
export function replay(recording: string | Uint8Array): string;

/** Where an engine is (docs/explain.md, Summary). */
export interface Summary {
  /** The newest time. */
  time: Date;
  /** Whether places are followed. */
  enabled: boolean;
  /** Whether the app is in the foreground. */
  foreground: boolean;
  /** The time zone by its IANA name. */
  timeZone: string;
  /** How many the feed has. */
  regions: number;
  /** How many campaigns the feed has. */
  campaigns: number;
  /** The ids of the regions that are visited, sorted. */
  visits: string[];
  /** How many notifications are on the screen. */
  displayed: number;
  /** Notifications that wait for the end of quiet hours. */
  waiting: number;
  /** Batches that the app has not answered yet. */
  questions: number;
  /** When the engine wants to be called next. */
  nextWakeup?: Date;
}

/** The listeners for each event of an engine. `event` hears every record. */
export interface Listeners extends Record<EventName | 'event', EventHandler> {
  /** Hears each decision. */
  decision: DecisionHandler;
  /** Gets each line of the log. */
  log: LogHandler;
  /** Hears when the engine wants to be called next. */
  wakeup: WakeupHandler;
  /** Is asked for a fix. */
  fixRequest: FixRequestHandler;
  /** Does what the synchronization asks for. */
  sync: SyncHandler;
  /** Hears of an answer that came too late. */
  late: (this: Engine, late: Late) => void;
  /** Hears of an error that no call could throw. */
  error: (this: Engine, error: unknown) => void;
  /** As for each emitter of Node. */
  newListener: (this: Engine, event: string | symbol, listener: Function) => void;
  /** As for each emitter of Node. */
  removeListener: (this: Engine, event: string | symbol, listener: Function) => void;
}

/** One device: its places, visits, history and settings. */
export class Engine extends EventEmitter {
  /** An engine; it does nothing before `init`. */
  constructor(options?: EngineOptions);
  /** Starts it with a configuration. */
  init(config: Config | Path | PlotConfiguration | object, options?: InitOptions): this;
  /** All that a store keeps, but for the feed (docs/state-bytes.md). The same state gives the same bytes. `events`: also those to be acknowledged. */
  save(options?: { events?: boolean }): Uint8Array;
  /** Starts the engine with what `save` gave, in place of `init`. */
  restore(state: Uint8Array, config: Config | Path | PlotConfiguration | object, options?: RestoreOptions): this;
  /** Frees it; a later call throws `PLOT_CLOSED`. */
  close(): void;
  /** Whether it was closed. */
  readonly closed: boolean;
  /** Whether init has been called, and has not failed. */
  readonly initialized: boolean;

  /** Is asked which notifications are kept. */
  onFilter: FilterHandler | null;
  /** Gets geotriggers to handle. */
  onGeotriggers: GeotriggerHandler | null;
  /** Shows a notification. */
  onShow: ShowHandler | null;
  /** Takes a notification off the screen. */
  onRemove: RemoveHandler | null;
  /** A notification was opened. */
  onNotification: NotificationHandler | null;
  /** A notification was opened, and leads to a page. */
  onOpen: OpenHandler | null;
  /** Hears each event. */
  onEvent: EventHandler | null;
  /** Hears each decision. */
  onDecision: DecisionHandler | null;
  /** Gets each line of a recording. */
  onRecording: RecordingHandler | null;
  /** Gets each line of the log. */
  onLog: LogHandler | null;
  /** Hears when the engine wants to be called next. */
  onWakeup: WakeupHandler | null;
  /** Is asked for a fix. */
  onFixRequest: FixRequestHandler | null;
  /** Does what the synchronization asks for. */
  onSync: SyncHandler | null;

  /** Adds a strategy under a key that feeds name it by. */
  setStrategy(key: string, strategy: Strategy): void;
  /** Takes a strategy away. */
  removeStrategy(key: string): void;

  /** Follows places from now on. */
  enable(time?: Time): void;
  /** Follows no places until `enable`. */
  disable(time?: Time): void;
  // Made from docs/calls.json by scripts/call_tables.py: do not edit.
  /** The app has come to the foreground (true), or gone to the background (false); remembered. */
  setForeground(foreground: boolean, time?: Time): void;
  /** There is a network (true), or there is none (false); remembered. */
  setNetwork(available: boolean, time?: Time): void;
  /** Forgets the person, in memory and in the store's bytes, the feed and the time zone too; settings stay. */
  clearAllData(time?: Time): void;
  /** Whether places are followed. */
  isEnabled(): boolean;
  // end
  /** How many seconds after a notification no other one is shown. */
  setCooldownPeriod(seconds: number | bigint, time?: Time): void;
  /** The same, as it is. */
  getCooldownPeriod(): number;
  /** An IANA name. */
  setTimeZone(name: string, time?: Time): void;
  /** The time zone by its IANA name. */
  getTimeZone(): string;
  /** Milliseconds since the device was started, and a name for that start; also before init. */
  setClock(monotonic: number | bigint, boot: string, time?: Time): void;
  /** Takes a feed: places and campaigns. */
  setFeed(feed: Feed | Path | CampaignFeed | object, time?: Time): void;
  /** Offers a feed before `init`: where the store has the same one, nothing is read. */
  offerFeed(feed: Feed | Path | CampaignFeed | object): void;
  /** null clears. */
  setStringSegmentationProperty(key: string, value: string | null, time?: Time): void;
  /** Sets a property of the person to a truth value. */
  setBooleanSegmentationProperty(key: string, value: boolean, time?: Time): void;
  /** Sets a property of the person to a whole number. */
  setIntegerSegmentationProperty(key: string, value: number | bigint, time?: Time): void;
  /** Sets a property of the person to a number. */
  setDoubleSegmentationProperty(key: string, value: number, time?: Time): void;
  /** Sets a property of the person to a moment. */
  setDateSegmentationProperty(key: string, value: Time, time?: Time): void;
  /** Takes a property of the person away. */
  clearSegmentationProperty(key: string, time?: Time): void;
  /** All properties of the person. */
  getSegmentationProperties(): Record<string, SegmentationProperty>;
  /** The same as JSON. */
  segmentationText(): string;
  /** null clears. */
  setAdvertisingIdentifier(identifier: string | null, limitTracking?: boolean, time?: Time): void;

  /** Takes a fix. */
  updateLocation(fix: Fix): void;
  /** Many fixes in one call; docs/batch.md. `together`: handed over at `time`, and weighed before anyone is told. */
  updateLocations(fixes: Fixes, options?: { together?: boolean; time?: Time }): Effects;
  /** Takes a sighting of a beacon. */
  updateBeacon(sighting: Sighting): void;
  /** Takes what the system says of a region. */
  regionHint(hint: RegionHint): void;
  /** Plans which regions the system is to watch (docs/region-plan.md). */
  planRegions(request?: RegionPlanRequest): RegionPlan;
  /** Lets everything happen that is due. */
  advance(time?: Time): void;
  /** When the engine wants to be called next; null for never. */
  nextWakeup(): Date | null;
  /** The items of a batch that waits for its answer. */
  getBatch(token: Token): (Notification | Geotrigger)[];
  /** Answers the filter: those that are kept, with their changes. */
  answerFilter(token: Token, kept: readonly Kept[], time?: Time): void;
  /** Says which geotriggers were handled. */
  markGeotriggersHandled(token: Token, handled: readonly Kept[], time?: Time): void;
  /** Says that the person has opened it. */
  openNotification(notification: { matchIdentifier?: string } | string, time?: Time): void;
  /** A message has come, such as a push; see docs/messages.md. */
  processMessage(payload: string | Uint8Array | object, time?: Time): void;
  /** The events that wait for the app, those after a sequence, at most `limit`, 0 for all. Takes nothing. Needs `engine.events.acknowledge` in the
   * configuration (docs/events.md, Consumers). */
  pendingEvents(options?: { after?: number; limit?: number }): PendingEvents;
  /** The app needs no event up to this sequence any more. */
  acknowledgeEvents(sequence: number): void;
  /** The events that wait for the app, until none does; each is acknowledged when the next one is asked for. */
  outbox(): AsyncIterableIterator<EventRecord>;
  /** Starts the synchronization with a campaign service, goes on after a stop, or gives other facts; `plotengine/sync` has a host for it. */
  syncBegin(options?: { facts?: SyncFacts | null; feed?: Feed | Path | CampaignFeed | object | null; seed?: Uint8Array; time?: Time }): void;
  /** The next request; or when there is one, null where only another input changes that. */
  syncNext(time?: Time): { request: SyncRequest; until?: undefined } | { request?: undefined; until: Date | null };
  /** The answer to a request: its body decoded, and whole, or its beginning where it is too long. */
  syncResponse(request: number, answer: { status: number; headers?: Record<string, string>; body?: Uint8Array }, time?: Time): void;
  /** There is no answer to a request, or a stream is over; `reason` is for people. */
  syncFailure(request: number, reason: string, time?: Time): void;
  /** Bytes of a stream, as they come. */
  syncReceive(request: number, bytes: Uint8Array, time?: Time): void;
  /** Sends a recording of this engine, the bytes of its file, to the service: the person has agreed. */
  syncRecording(lines: Uint8Array, time?: Time): void;
  /** A push message of the service. */
  syncMessage(message: object | string | Uint8Array, time?: Time): void;
  /** Asks for the feed, and sends the events that wait, at once; also after a stop. */
  syncNow(time?: Time): void;
  /** Asks for nothing any more. */
  syncStop(time?: Time): void;
  /** Where it stands. */
  syncStatus(): SyncStatus;
  /** Adds entries to a list that rules ask, and takes others out; an absent list is there from now on. */
  editList(name: string, edit: { add?: readonly string[]; remove?: readonly string[] }, time?: Time): void;
  /** Whether an entry is in a list; PLOT_NOT_FOUND when the list is absent. */
  listContains(name: string, entry: string): boolean;
  /** `{version, entries}`; null: absent. */
  setList(name: string, entries: string | Uint8Array | { version: number; entries: readonly string[] } | null, time?: Time): void;
  /** The lists that rules for messages look into. */
  lists(): ListInfo[];
  /** Begins a trip to a region (docs/trips.md). One of the same id that is on goes on with the new plan. */
  startTrip(trip: TripPlan | string | Uint8Array, time?: Time): void;
  /** A trip is over: the device has arrived, or will not. PLOT_NOT_FOUND where none of that id is on. */
  endTrip(id: string, options?: { arrived?: boolean }, time?: Time): void;
  /** The trips that are on, sorted by id, and where they stand at a time. */
  trips(time?: Time): Trip[];
  /** The same as JSON text. */
  tripsText(time?: Time): string;
  /** Says that the person has chosen an action. */
  takeAction(notification: { matchIdentifier?: string } | string, action: string, time?: Time): void;
  /** Says that the person has dismissed it. */
  dismissNotification(notification: { matchIdentifier?: string } | string, time?: Time): void;
  /** Takes it off the screen; all of them without one. */
  removeNotification(notification?: { matchIdentifier?: string } | string | null, time?: Time): void;
  /** Changes the content of one on the screen: an item of displayedNotifications with its edits. */
  updateNotification(notification: Content & { matchIdentifier?: string; message?: string; data?: string }, time?: Time): void;
  /** Says where a region that moves is. */
  moveRegion(region: string, place: { latitude: number; longitude: number }, time?: Time): void;
  /** Asks the filter about loaded notifications, as a test. */
  testFilter(notifications: readonly { identifier: string }[]): Token;
  /** Hands loaded geotriggers over, as a test. */
  testGeotriggerHandler(geotriggers: readonly { identifier: string }[]): Token;
  /** The answer to such a test. */
  testAnswer(token: Token): (Notification | Geotrigger)[];

  /** The notifications that are on the screen. */
  displayedNotifications(): Notification[];
  /** The notifications of the feed that are near, or the nearest. */
  loadedNotifications(limit?: number): Notification[];
  /** The geotriggers of the feed that are near, or the nearest. */
  loadedGeotriggers(limit?: number): Geotrigger[];
  /** The notifications that were shown, the newest first. */
  sentNotifications(): Notification[];
  /** The geotriggers that were handed over, the newest first. */
  sentGeotriggers(): Geotrigger[];
  /** Forgets the list of sent notifications. */
  clearSentNotifications(time?: Time): void;
  /** Forgets the list of geotriggers. */
  clearSentGeotriggers(time?: Time): void;
  /** The visits that are on. */
  visits(): Visit[];
  /** Where the engine is (docs/explain.md, Summary); console.log shows it. */
  summary(): Summary;
  /** Writes the kept lines of the log into a file. */
  writeDebugLog(path: Path): void;
  /** Records into a new file, from init on; without `effects`, the inputs alone. */
  record(path: Path, options?: { effects?: boolean }): void;
  /** Ends a recording. */
  stopRecording(): void;
  /** Keeps so many decisions in memory. */
  keepDecisions(capacity: number): void;
  /** The decisions that are kept. */
  decisions(about?: { campaign?: string | null; region?: string | null; limit?: number }): DecisionRecord[];
  /** Writes each decision into a file from now on; null ends that. */
  writeDecisionsTo(path: Path | null): void;
  /** Says why a campaign was shown or not (docs/explain.md). */
  explain(campaign: string, about?: { region?: string | null; language?: string }): Explanation;

  /** As for each emitter of Node. */
  on<K extends keyof Listeners>(event: K, listener: Listeners[K]): this;
  /** As for each emitter of Node. */
  once<K extends keyof Listeners>(event: K, listener: Listeners[K]): this;
  /** As for each emitter of Node. */
  off<K extends keyof Listeners>(event: K, listener: Listeners[K]): this;
  /** As for each emitter of Node. */
  addListener<K extends keyof Listeners>(event: K, listener: Listeners[K]): this;
  /** As for each emitter of Node. */
  removeListener<K extends keyof Listeners>(event: K, listener: Listeners[K]): this;
  /** As for each emitter of Node. */
  prependListener<K extends keyof Listeners>(event: K, listener: Listeners[K]): this;
  /** As for each emitter of Node. */
  prependOnceListener<K extends keyof Listeners>(event: K, listener: Listeners[K]): this;

  /** The same as `close`, at the end of a `using` block. */
  [Symbol.dispose](): void;
  /** The same as `close`, at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The name of a status of the C library. */
export type StatusName =
  | 'PLOT_INVALID_ARGUMENT' | 'PLOT_NOT_INITIALIZED' | 'PLOT_ALREADY_INITIALIZED' | 'PLOT_CLOSED' | 'PLOT_OUT_OF_ORDER'
  | 'PLOT_INVALID_DOCUMENT' | 'PLOT_IO_ERROR' | 'PLOT_STORE_FAILED' | 'PLOT_STORE_DAMAGED' | 'PLOT_STORE_BUSY'
  | 'PLOT_STORE_READ_ONLY' | 'PLOT_STORE_NEWER' | 'PLOT_NOT_FOUND' | 'PLOT_READ_ONLY_KEY' | 'PLOT_WRONG_TYPE'
  | 'PLOT_UNKNOWN_TOKEN' | 'PLOT_ALREADY_ANSWERED' | 'PLOT_UNKNOWN_ITEM' | 'PLOT_STORE_IN_DOUBT';

/** The kind of an error (docs/errors.md). */
export type ErrorKind =
// docs/errors.json
  | 'invalid-argument' | 'not-initialized' | 'already-initialized' | 'closed' | 'out-of-order' | 'invalid-value'
  | 'missing-key' | 'unknown-key' | 'unknown-word' | 'duplicate' | 'unknown-region' | 'no-regions' | 'end-before-start'
  | 'io-error' | 'store-failed' | 'store-damaged' | 'store-busy' | 'store-read-only' | 'store-newer' | 'not-found'
  | 'read-only-key' | 'wrong-type' | 'unknown-token' | 'already-answered' | 'unknown-item' | 'store-in-doubt';
// end

/** A refusal of the engine, and its place. */
export class PlotError extends Error {
  /** The name of the class. */
  readonly name: 'PlotError';
  /** The name of the status. */
  readonly code: StatusName | (string & {});
  /** Its number in the C library. */
  readonly status: number;
  /** Line and column, from 1, the column in bytes; 0 when the fault is not in a text. */
  readonly line: number;
  /** The column in the document, from 1; 0 for none. */
  readonly column: number;
  /** JSON pointer. */
  readonly pointer: string;
  /** The form that a value should have had. */
  readonly expected: string;
  /** The value that was there. */
  readonly found: string;
  /** More than the status says, where a document is at fault. */
  readonly kind: ErrorKind | (string & {});
  /** The page of this kind, such as `docs/errors.md#unknown-key`. */
  readonly page: string;
  /** One sentence: what to do about it. */
  readonly cure: string;
}

/** A column: a Float64Array goes in as it is. */
export type Column = Float64Array | Float32Array | readonly number[];

/** Many fixes, a column for each value, all of one length. */
export interface Fixes {
  /** Milliseconds since 1970; a BigInt64Array goes in as it is. */
  times: BigInt64Array | Float64Array | readonly Time[];
  /** Degrees, one for each fix. */
  latitudes: Column;
  /** Degrees, one for each fix. */
  longitudes: Column;
  /** Metres, one for each fix. */
  accuracies?: Column | null;
  /** Metres a second, one for each fix. */
  speeds?: Column | null;
  /** Degrees from north, one for each fix. */
  courses?: Column | null;
}

/** The same for many devices: fix i is for the fleet's engine `devices[i]`. A Uint32Array goes in as it is. */
export interface FleetFixes extends Fixes {
  /** The position of the engine, one for each fix. */
  devices: Uint32Array | Int32Array | Uint16Array | Uint8Array | Float64Array | readonly number[];
}

/** The effects of fixes, a column for each value; docs/batch.md. */
export interface Effects {
  /** How many effects there are. */
  readonly length: number;
  /** Milliseconds since 1970: of the event; of what was asked, the engine's newest; of a refused fix, its own. */
  readonly times: Float64Array;
  /** An event's sequence, or the token of what was asked. */
  readonly numbers: Float64Array;
  /** The position of the fix that led to it. */
  readonly fixes: Uint32Array;
  /** Whose it is, a position in the fleet. */
  readonly devices: Uint32Array;
  /** An EffectKind. */
  readonly kinds: Uint32Array;
  /** The ordinal of the visit, at a dwelling its minutes, at an approach its seconds; a refused fix's Status. */
  readonly details: Uint32Array;
  /** Positions in the feed, or NO_POSITION: Feed.regionId, Feed.campaignId. */
  readonly regions: Uint32Array;
  /** The position of the campaign in the feed, one for each effect. */
  readonly campaigns: Uint32Array;
}

/** Engines in an order: device 0 is the first. */
export class Fleet {
  /** A fleet of engines that were started. */
  constructor(engines: readonly Engine[]);
  /** Its engines, in their order. */
  readonly engines: readonly Engine[];
  /** Takes many fixes in one call (docs/batch.md). */
  updateLocations(fixes: FleetFixes): Effects;
  /** `updateLocations` for recorded fixes: as it is for a host that also calls `advance` at each wakeup, up to `until` after the last fix. */
  replay(fixes: FleetFixes, options?: { until?: Time | null }): Effects;
  /** `Engine.save` for each, in one call. */
  save(options?: { events?: boolean }): Uint8Array[];
  /** `Engine.restore` for each, in memory and in one call, each at the newest time that its state knows. */
  restore(states: readonly Uint8Array[], config: Config | Path | PlotConfiguration | object, options?: { feed?: Feed | Path | CampaignFeed | object | null }): void;
}

/** A record about two devices. */
export interface Pair {
  /** Near each other now; no longer; or still, with `distances`. */
  kind: 'enter' | 'exit' | 'near';
  /** Milliseconds since 1970: of the fix; of a device that was forgotten, of its newest fix, or the time given. */
  time: number;
  /** How far apart they are, as far as is known. */
  metres: number;
  /** The lower number of the two devices. */
  first: number;
  /** The higher number of the two devices. */
  second: number;
  /** The position of the fix that led to it, or NO_POSITION. */
  fix: number;
}

/** Fences that move with devices (docs/roaming.md): devices, by their numbers from 0 to 4294967295, that come near each other. */
export class Roaming {
  /** Metres and seconds. `exit` is `enter` where it is absent; any age will do without `maxAge`. */
  constructor(options: { enter: number; exit?: number | null; maxAge?: number | null; distances?: boolean });
  /** Fix i is of the device `devices[i]`. */
  updateLocations(fixes: Pick<FleetFixes, 'devices' | 'times' | 'latitudes' | 'longitudes'>): Pair[];
  /** Forgets a device: the pairs that end with it. */
  remove(device: number): Pair[];
  /** Forgets the devices that were silent since then: the pairs that end with them. */
  expire(before: Time): Pair[];
  /** The pairs that are near each other. */
  pairs(): Pair[];
  /** Frees it; a later call throws `PLOT_CLOSED`. */
  close(): void;
  /** The same as `close`, at the end of a `using` block. */
  [Symbol.dispose](): void;
  /** The same as `close`, at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The kind of an effect. */
// docs/events.json: effects
export const EffectKind: Readonly<Record<
  'refused' | 'regionEnter' | 'regionInside' | 'regionDwell' | 'regionExit' | 'regionApproach' | 'notificationFiltered'
  | 'notificationShown' | 'notificationFailed' | 'notificationOpened' | 'notificationAction' | 'notificationDismissed'
  | 'notificationRemoved' | 'geotrigger' | 'geotriggerDropped' | 'messageDropped' | 'messageRetracted' | 'storeSetAside'
  | 'notificationHeldOut' | 'absence' | 'absenceUnknown' | 'tripStarted' | 'tripApproaching' | 'tripArrived'
  | 'tripStopped' | 'tripOffRoute' | 'tripDelayed' | 'tripWrongDestination' | 'tripExpired' | 'tripCancelled'
  | 'filterAsked' | 'geotriggersAsked', number>>;
// end

/** Where an effect is about no region, or no campaign. */
export const NO_POSITION: number;

/** The numbers of the statuses. */
export const Status: Readonly<Record<'PLOT_OK' | StatusName, number>>;
/** The version of the library. */
export const version: string;
/** The number of the ABI that the library has. */
export const abiVersion: number;
/** The file that the library was loaded from. */
export const libraryPath: string;
/** "builtin" when node:ffi carries the calls, "shim" when the package's own addon does. */
export const ffi: 'builtin' | 'shim';
/** How many objects of the library there are, for tests of leaks. */
export function liveObjects(): number;
/** A reading of this machine's clocks. */
export function systemClock(): ClockReading;
/** The IANA name of this machine's time zone (TZ, /etc/localtime); null when it has none. */
export function systemTimeZone(): string | null;
/** The exact JSON text that the library gave for an item, a list, an event or a decision. */
export function jsonText(value: object): string | undefined;
