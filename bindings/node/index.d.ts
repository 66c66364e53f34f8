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

export type Trigger = 'enter' | 'exit' | 'dwelling' | 'inside' | 'approaching' | 'absent' | 'trip';
export type RegionType = 'geofence' | 'beacon';
export type HandlerType = 'regular' | 'landingPage' | 'applink';

/** A notification or geotrigger that the host gets. New keys may appear. */
export interface Item {
  /** `campaign;region`; a message's id */
  identifier: string;
  /** One occurrence; absent in loaded lists. */
  matchIdentifier?: string;
  /** Absent for a message, as is all about its place. */
  campaignId?: string;
  regionId?: string;
  regionName?: string;
  /** The text; the name of a geotrigger. */
  message: string;
  data: string;
  geofenceLatitude?: number;
  geofenceLongitude?: number;
  trigger?: Trigger;
  dwellingMinutes?: number;
  /** Absent unless the trigger is `approaching`. */
  arrivalSeconds?: number;
  /** The event of a trip, of a campaign whose trigger is trip. */
  tripEvent?: 'started' | 'approaching' | 'arrived' | 'stopped' | 'off-route' | 'delayed' | 'wrong-destination' | 'expired' | 'cancelled';
  /** `HH:MM`; absent unless the trigger is `inside`. */
  insideAt?: string;
  matchRange?: number;
  regionType?: RegionType;
  /** Of a region that is an isochrone: how long the way is that it stands for. */
  travelMinutes?: number;
  travelMode?: 'pedestrian' | 'bicycle' | 'auto';
  dateSent?: Date | null;
}

/** A file to be shown or played with a notification. */
export interface Attachment {
  id: string;
  /** A `file:` URL, or a path. */
  url: string;
  /** The format as an extension; that of `url` when absent. */
  type?: string;
}

/** Something that the person may choose on a notification. */
export interface Action {
  id: string;
  title: string;
  /** Choosing it opens the app. */
  foreground?: boolean;
  destructive?: boolean;
  /** One of the first two; follows from the place. */
  compact?: boolean;
}

/** The content of a notification beside message and data. */
export interface Content {
  title?: string | null;
  subtitle?: string | null;
  body?: string | null;
  sound?: string | null;
  badge?: number | null;
  category?: string | null;
  attachments?: readonly Attachment[] | null;
  actions?: readonly Action[] | null;
  userInfo?: Readonly<Record<string, unknown>> | null;
}

export interface Notification extends Item, Content {
  notificationHandlerType: HandlerType;
  /** The sender of a message. */
  sender?: string;
  /** The conversation of a message. */
  thread?: string;
  revision?: number;
  /** 1: a message to be shown without sound and badge. */
  silent?: 1;
  /** 1: it only shows because the host cannot suppress it. */
  suppressed?: 1;
  /** null: not opened. */
  dateOpened?: Date | null;
  isOpened?: boolean;
  /** It is handed over because it was opened while the app is in the foreground. */
  isAppInForeground?: boolean;
  /** `engine.confirmInForeground`: the person is to be asked before the default is done. */
  confirm?: boolean;
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

export interface Geotrigger extends Item {
  name: string;
  /** null: not handled. */
  dateHandled?: Date | null;
  isHandled?: boolean;
}

/** The part of an item that an answer needs. The content of a notification may be edited, nothing else; null takes away. */
export interface Kept extends Content {
  identifier: string;
  matchIdentifier?: string;
  message?: string;
  data?: string;
}

// docs/events.json: names
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
  events: EventRecord[];
}

/** One event record, as docs/events.md has it. New names may appear. */
export interface EventRecord {
  /** ISO 8601, UTC */
  time: string;
  event: EventName | (string & {});
  sequence: number;
  /** Absent, as is the visit, when it is about a message. */
  region?: string;
  visit?: string;
  ordinal?: number;
  latitude?: number;
  longitude?: number;
  /** When the region was entered or left, where that was not sure at once. */
  since?: string;
  /** The fix behind it came late, or the event waited for a proof. */
  late?: boolean;
  /** The source of the event; absent for a fix. */
  source?: 'passage' | 'beacon' | 'hint' | 'group' | 'move';
  arrivalSeconds?: number;
  /** Of an approach, and of a trip: when the device would be there. */
  arrival?: string;
  dwellingMinutes?: number;
  campaign?: string;
  /** The span of an absence. */
  from?: string;
  to?: string;
  /** The time in such a span of which nothing is known. */
  unknownFrom?: string;
  unknownTo?: string;
  /** The app's id of a trip. */
  trip?: string;
  /** The rest of a trip's way, in metres. */
  metres?: number;
  deadline?: string;
  /** How much later than the deadline a trip is, or will be; negative when it is earlier. */
  delaySeconds?: number;
  /** Where the device is, though it is not the destination. */
  otherRegion?: string;
  /** The app's own values of a trip. */
  metadata?: Record<string, string | number | boolean>;
  matchIdentifier?: string;
  message?: string;
  data?: string;
  action?: string;
  recovered?: boolean;
  /** Why a notification was removed, or a message dropped. */
  reason?: string;
  /** The holdout group in which it is known whether the person is. */
  holdout?: string;
  /** Of a store that was set aside: the parts of which something could not be read. */
  lost?: string[];
  /** The id of the message it is about. */
  messageId?: string;
  advertisingIdentifier?: string;
  limitAdTracking?: boolean;
}

/** The words that this version writes; a later one may add some (docs/decisions.md). */
// docs/decisions.json
export type DecisionStep =
  | 'presence' | 'trigger' | 'steps' | 'visits' | 'crossing' | 'validity' | 'times' | 'segmentation' | 'repeat'
  | 'content' | 'list' | 'revision' | 'rules' | 'filter' | 'strategies' | 'cooldown' | 'caps' | 'quiet' | 'slot'
  | 'holdout' | 'attachment' | 'suppress' | 'show' | 'remove';
export type DecisionVerdict =
  | 'pass' | 'drop' | 'hold';
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
  time: string;
  campaign?: string;
  region?: string;
  visit?: string;
  messageId?: string;
  step: DecisionStep | (string & {});
  verdict: DecisionVerdict | (string & {});
  reason: DecisionReason | (string & {});
  detail?: string;
  /** The values that the step decided on (docs/decisions.md, Inputs). */
  inputs?: Record<string, string | number | boolean | string[]>;
  nextPossible?: string;
}

/** See docs/explain.md. */
export interface Explanation {
  campaign: string;
  region: string;
  sentence: string;
  step: DecisionStep | (string & {});
  reason: DecisionReason | (string & {});
  verdict: DecisionVerdict | (string & {});
  time: string;
  detail?: string;
  inputs?: Record<string, string | number | boolean | string[]>;
  nextPossible?: string;
}

export interface Fix {
  latitude: number;
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
  region: string;
  kind: 'enter' | 'exit' | 'inside' | 'outside';
  latitude?: number | null;
  longitude?: number | null;
  /** Metres; 0 or absent when not known. */
  accuracy?: number | null;
  time?: Time;
}

export interface RegionPlanRequest {
  /** 1 to 1000; 0 or absent for maxRegionsMonitored. */
  budget?: number;
  /** Absent for the newest fix. */
  latitude?: number | null;
  longitude?: number | null;
  /** Metres; 0 or absent when not known. */
  accuracy?: number | null;
  /** The system has forgotten what was registered. */
  reset?: boolean;
  /** The system says that the fence was left. */
  fenceLeft?: boolean;
  time?: Time;
}

export interface PlannedRegion {
  id: string;
  kind: 'circle' | 'area' | 'beacon' | (string & {});
  latitude?: number;
  longitude?: number;
  /** Metres. */
  radius?: number;
  proximityUUID?: string;
  majorId?: number;
  minorId?: number;
}

/** See docs/region-plan.md. */
export interface RegionPlan {
  add: PlannedRegion[];
  remove: string[];
  fence: { latitude: number; longitude: number; radius: number } | null;
  fenceChanged: boolean;
  dense: boolean;
  unwatchedBeacons: number;
}

export interface Visit {
  region: string;
  visit: string;
  ordinal: number;
  entered: Date;
}

export interface ListInfo {
  name: string;
  version: number;
  count: number;
  /** When it was set. */
  refreshed: Date;
}

/** A trip that is on. */
export interface Trip {
  id: string;
  region: string;
  mode: 'pedestrian' | 'bicycle' | 'auto';
  deadline?: Date;
  expires?: Date;
  approachingSeconds?: number;
  approachingMetres?: number;
  others?: string[];
  metadata?: Record<string, string | number | boolean>;
  started: Date;
  /** When it ends by itself. */
  ends: Date;
  /** The rest of the way, in metres; absent where that is not known, as are the next two. */
  metres?: number;
  /** When the device is expected at the destination. */
  arrival?: Date;
  /** Metres a second, on the way. */
  speed?: number;
  approaching: boolean;
  delayed: boolean;
  stopped: boolean;
  offRoute: boolean;
}

export type SegmentationProperty =
  | { type: 'string'; value: string }
  | { type: 'boolean'; value: boolean }
  | { type: 'integer'; value: number | bigint }
  | { type: 'double'; value: number }
  | { type: 'date'; value: Date };

export interface Late {
  kind: 'filter' | 'geotriggers';
  token: Token;
  code: 'PLOT_ALREADY_ANSWERED' | 'PLOT_CLOSED';
}

/** Names a batch; a bigint beyond 2^53. */
export type Token = number | bigint;
/** data: no URI, or of a scheme that is not opened (engine.uriSchemes). */
export type OpenAction = 'app' | 'uri' | 'landingPage' | 'applink' | 'data';
export type LogLevel = 'error' | 'warning' | 'info' | 'debug';

/** Given back by onFilter or onGeotriggers: the answer comes later, by token. */
export const LATER: unique symbol;

/** The items to keep, now or by a promise; or LATER. */
export type Answer = readonly Kept[] | PromiseLike<readonly Kept[]> | typeof LATER;

export type FilterHandler = (this: Engine, notifications: Notification[], token: Token) => Answer;
export type GeotriggerHandler = (this: Engine, geotriggers: Geotrigger[], token: Token) => Answer;
/** Shows it now. false: it could not be shown, and is not used up. */
export type ShowHandler = (this: Engine, notification: Notification) => boolean | void;
/** false, or a throw: it stays on the screen. */
export type RemoveHandler = (this: Engine, notification: Notification) => boolean | void;
export type NotificationHandler = (this: Engine, notification: Notification, data: string) => void;
export type OpenHandler = (this: Engine, action: OpenAction, uri: string, notification: Notification) => void;
export type EventHandler = (this: Engine, record: EventRecord, item: Notification | Geotrigger | null) => void;
export type DecisionHandler = (this: Engine, record: DecisionRecord) => void;
export type RecordingHandler = (this: Engine, line: string) => void;
export type LogHandler = (this: Engine, level: LogLevel, message: string) => void;
export type WakeupHandler = (this: Engine, time: Date | null) => void;
/** Ask the system for a fix, and give it to `updateLocation`, or the state of a region to `regionHint`; of most use until `deadline`. */
export type FixRequestHandler = (this: Engine, deadline: Date) => void;
/** The synchronization stands elsewhere, or `syncNext` has something to ask at another time; null: not by itself. */
export type SyncHandler = (this: Engine, status: SyncStatus, next: Date | null) => void;

/** Facts about a device for a campaign service (docs/sync.md, Facts). */
export interface SyncFacts {
  platform?: string;
  platformVersion?: string;
  appVersion?: string;
  language?: string;
  pushToken?: string;
}

/** Where the synchronization stands (docs/sync.md, Status). */
export interface SyncStatus {
  status: 'idle' | 'syncing' | 'applied' | 'unchanged' | 'refused' | 'offline' | 'stopped';
  since: Date | null;
  reason: string | null;
  /** The number of the publication in force; 0 for none. */
  publication: number;
  revision: string | null;
  lastSuccess: Date | null;
  lastApplied: Date | null;
  /** In a row. */
  failures: number;
  next: Date | null;
  stream: 'closed' | 'opening' | 'open';
  /** Events that are yet to be sent. */
  waiting: number;
  /** Events that the service has refused. */
  rejected: number;
  lastRejection: string | null;
  /** Of the last one. */
  recording: 'none' | 'waiting' | 'sent' | 'refused';
}

/** A request that the host is to make. */
export interface SyncRequest {
  number: number;
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Seconds without a byte after which it has failed. */
  timeout: number;
  /** Bytes of an answer after which the host stops to read. */
  largestBody: number;
  /** The answer has no end: its bytes go to `syncReceive` as they come. */
  stream: boolean;
}

export interface Handlers {
  onFilter?: FilterHandler | null;
  onGeotriggers?: GeotriggerHandler | null;
  onShow?: ShowHandler | null;
  onRemove?: RemoveHandler | null;
  onNotification?: NotificationHandler | null;
  onOpen?: OpenHandler | null;
  onEvent?: EventHandler | null;
  onDecision?: DecisionHandler | null;
  /** Gets each line of a recording, from init on (docs/recording.md); to be set before init. */
  onRecording?: RecordingHandler | null;
  onLog?: LogHandler | null;
  onWakeup?: WakeupHandler | null;
  onFixRequest?: FixRequestHandler | null;
  onSync?: SyncHandler | null;
}

/** The facts that a strategy may use in a vote (docs/strategies.md). */
export interface VoteContext {
  /** Why it leaves the screen; absent where one is to be shown. */
  cause?: RemovalCause;
  time: string;
  foreground: boolean;
  backgroundSince?: string;
  network: boolean;
  feedStatus: 'backendSuccess' | 'networkError';
  informationStatus: 'complete' | 'partial' | 'empty';
  visits: number;
  displayed: number;
  lastShown?: string;
  lastRemoved?: string;
  [key: string]: unknown;
}

/** Why a notification leaves the screen (docs/events.md, docs/strategies.md). New ones may appear. */
export type RemovalCause = 'exit' | 'slot' | 'replaced' | 'retracted' | 'ended' | 'feed' | 'expired' | 'app' | 'dismissed' | (string & {});

/** A region whose end of visit is watched for from now on. */
export interface Monitored {
  region: string;
  visit: string;
  regionType: 'geofence' | 'beacon';
  /** Absent, as is the longitude, for a beacon. */
  latitude?: number;
  longitude?: number;
  matchRange: number;
  /** Those with notifications. */
  campaigns: string[];
}

/** A rule with a vote about every notification: each method is optional; a vote is a no only when it gives false. */
export interface Strategy {
  updateParameters?(parameters: Record<string, unknown>, time: Date): void;
  createNewNotification?(notification: Notification, context: VoteContext, time: Date): boolean | void;
  onNotificationCreated?(notification: Notification, created: boolean, time: Date): void;
  /** `next`: what is to take its place. */
  deleteCurrentNotification?(notification: Notification, context: VoteContext, time: Date, next: Notification | null): boolean | void;
  onNotificationDeleted?(notification: Notification, deleted: boolean, time: Date, cause: RemovalCause, next: Notification | null): void;
  onBackground?(time: Date): void;
  onForeground?(time: Date): void;
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

export interface InitOptions {
  /** Without one the engine is live: it follows the clock. */
  time?: Time;
  /** The file to remember in; in memory by default. */
  store?: Path | null;
  /** The device's, by its IANA name; the system's by default. null leaves the one in the store, UTC at first. */
  timeZone?: string | null;
}

export interface RestoreOptions extends InitOptions {
  /** In force from then on: one with another digest than that of then is taken as a new feed is. */
  feed?: Feed | Path | CampaignFeed | object | null;
}

export interface EngineOptions extends Handlers {
  /** The clock for inputs without a time; systemClock by default. */
  clock?: Clock;
  /** Whether timers advance the engine at its wakeups. By default they do when `init` was given no time. */
  timers?: boolean;
}

/** A read plotconfig.json. */
export class Config {
  private constructor();
  static load(path: Path): Config;
  static parse(source: string | Uint8Array | PlotConfiguration | object): Config;
  readonly warnings: string[];
  toString(): string;
  toJSON(): Record<string, unknown>;
  close(): void;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ImportOptions {
  radius?: number;
  width?: number;
  message?: string;
  trigger?: Trigger;
  dwellingMinutes?: number;
  /** `HH:MM` */
  insideAt?: string;
  idProperty?: string;
  nameProperty?: string;
  /** A radius of its own, in metres; `radius` unless given. */
  radiusProperty?: string;
  campaign?: string;
}

/** A read campaign feed. May serve many engines. */
export class Feed {
  private constructor();
  static load(path: Path): Feed;
  static parse(source: string | Uint8Array | CampaignFeed | object): Feed;
  static map(path: Path): Feed;
  static importGeoJSON(source: string | Uint8Array | object, options?: ImportOptions): Feed;
  readonly regionCount: number;
  readonly campaignCount: number;
  /** Of a position, such as an effect's; null for NO_POSITION. */
  regionId(position: number): string | null;
  campaignId(position: number): string | null;
  save(path: Path): void;
  toString(): string;
  toJSON(): Record<string, unknown>;
  close(): void;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Something that is wrong in a document, or most likely not what was meant; docs/lint.md lists the codes. */
export interface Finding {
  code: string;
  severity: 'error' | 'warning' | 'note';
  document: 'configuration' | 'feed';
  /** JSON pointer to the value. */
  pointer: string;
  /** From 1; 0 when there is no place in the text. */
  line: number;
  /** From 1, in bytes. */
  column: number;
  sentence: string;
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
  close(): void;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}
/** Plays a whole recording; gives its text as it would be now. */
export function replay(recording: string | Uint8Array): string;

/** Where an engine is (docs/explain.md, Summary). */
export interface Summary {
  time: Date;
  enabled: boolean;
  foreground: boolean;
  timeZone: string;
  /** How many the feed has. */
  regions: number;
  campaigns: number;
  /** The ids of the regions that are visited, sorted. */
  visits: string[];
  displayed: number;
  /** Notifications that wait for the end of quiet hours. */
  waiting: number;
  /** Batches that the app has not answered yet. */
  questions: number;
  nextWakeup?: Date;
}

/** The listeners for each event of an engine. `event` hears every record. */
export interface Listeners extends Record<EventName | 'event', EventHandler> {
  decision: DecisionHandler;
  log: LogHandler;
  wakeup: WakeupHandler;
  fixRequest: FixRequestHandler;
  sync: SyncHandler;
  late: (this: Engine, late: Late) => void;
  error: (this: Engine, error: unknown) => void;
  newListener: (this: Engine, event: string | symbol, listener: Function) => void;
  removeListener: (this: Engine, event: string | symbol, listener: Function) => void;
}

/** One device: its places, visits, history and settings. */
export class Engine extends EventEmitter {
  constructor(options?: EngineOptions);
  init(config: Config | Path | PlotConfiguration | object, options?: InitOptions): this;
  /** All that a store keeps, but for the feed (docs/state-bytes.md). The same state gives the same bytes. `events`: also those to be acknowledged. */
  save(options?: { events?: boolean }): Uint8Array;
  /** Starts the engine with what `save` gave, in place of `init`. */
  restore(state: Uint8Array, config: Config | Path | PlotConfiguration | object, options?: RestoreOptions): this;
  close(): void;
  readonly closed: boolean;
  /** Whether init has been called, and has not failed. */
  readonly initialized: boolean;

  onFilter: FilterHandler | null;
  onGeotriggers: GeotriggerHandler | null;
  onShow: ShowHandler | null;
  onRemove: RemoveHandler | null;
  onNotification: NotificationHandler | null;
  onOpen: OpenHandler | null;
  onEvent: EventHandler | null;
  onDecision: DecisionHandler | null;
  onRecording: RecordingHandler | null;
  onLog: LogHandler | null;
  onWakeup: WakeupHandler | null;
  onFixRequest: FixRequestHandler | null;
  onSync: SyncHandler | null;

  setStrategy(key: string, strategy: Strategy): void;
  removeStrategy(key: string): void;

  enable(time?: Time): void;
  disable(time?: Time): void;
  isEnabled(): boolean;
  setCooldownPeriod(seconds: number | bigint, time?: Time): void;
  getCooldownPeriod(): number;
  /** An IANA name. */
  setTimeZone(name: string, time?: Time): void;
  getTimeZone(): string;
  /** Milliseconds since the device was started, and a name for that start; also before init. */
  setClock(monotonic: number | bigint, boot: string, time?: Time): void;
  setFeed(feed: Feed | Path | CampaignFeed | object, time?: Time): void;
  offerFeed(feed: Feed | Path | CampaignFeed | object): void;
  /** null clears. */
  setStringSegmentationProperty(key: string, value: string | null, time?: Time): void;
  setBooleanSegmentationProperty(key: string, value: boolean, time?: Time): void;
  setIntegerSegmentationProperty(key: string, value: number | bigint, time?: Time): void;
  setDoubleSegmentationProperty(key: string, value: number, time?: Time): void;
  setDateSegmentationProperty(key: string, value: Time, time?: Time): void;
  clearSegmentationProperty(key: string, time?: Time): void;
  getSegmentationProperties(): Record<string, SegmentationProperty>;
  segmentationText(): string;
  /** null clears. */
  setAdvertisingIdentifier(identifier: string | null, limitTracking?: boolean, time?: Time): void;

  updateLocation(fix: Fix): void;
  /** Many fixes in one call; docs/batch.md. `together`: handed over at `time`, and weighed before anyone is told. */
  updateLocations(fixes: Fixes, options?: { together?: boolean; time?: Time }): Effects;
  updateBeacon(sighting: Sighting): void;
  regionHint(hint: RegionHint): void;
  planRegions(request?: RegionPlanRequest): RegionPlan;
  advance(time?: Time): void;
  nextWakeup(): Date | null;
  getBatch(token: Token): (Notification | Geotrigger)[];
  answerFilter(token: Token, kept: readonly Kept[], time?: Time): void;
  markGeotriggersHandled(token: Token, handled: readonly Kept[], time?: Time): void;
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
  lists(): ListInfo[];
  /** Begins a trip to a region (docs/trips.md). One of the same id that is on goes on with the new plan. */
  startTrip(trip: TripPlan | string | Uint8Array, time?: Time): void;
  /** A trip is over: the device has arrived, or will not. PLOT_NOT_FOUND where none of that id is on. */
  endTrip(id: string, options?: { arrived?: boolean }, time?: Time): void;
  /** The trips that are on, sorted by id, and where they stand at a time. */
  trips(time?: Time): Trip[];
  /** The same as JSON text. */
  tripsText(time?: Time): string;
  takeAction(notification: { matchIdentifier?: string } | string, action: string, time?: Time): void;
  dismissNotification(notification: { matchIdentifier?: string } | string, time?: Time): void;
  /** Takes it off the screen; all of them without one. */
  removeNotification(notification?: { matchIdentifier?: string } | string | null, time?: Time): void;
  /** Changes the content of one on the screen: an item of displayedNotifications with its edits. */
  updateNotification(notification: Content & { matchIdentifier?: string; message?: string; data?: string }, time?: Time): void;
  moveRegion(region: string, place: { latitude: number; longitude: number }, time?: Time): void;
  setForeground(foreground: boolean, time?: Time): void;
  setNetwork(available: boolean, time?: Time): void;
  testFilter(notifications: readonly { identifier: string }[]): Token;
  testGeotriggerHandler(geotriggers: readonly { identifier: string }[]): Token;
  testAnswer(token: Token): (Notification | Geotrigger)[];

  displayedNotifications(): Notification[];
  loadedNotifications(limit?: number): Notification[];
  loadedGeotriggers(limit?: number): Geotrigger[];
  sentNotifications(): Notification[];
  sentGeotriggers(): Geotrigger[];
  clearSentNotifications(time?: Time): void;
  clearSentGeotriggers(time?: Time): void;
  /** Forgets the person, in memory and in the store's bytes, the feed and the time zone too; settings stay. */
  clearAllData(time?: Time): void;
  visits(): Visit[];
  /** Where the engine is (docs/explain.md, Summary); console.log shows it. */
  summary(): Summary;
  writeDebugLog(path: Path): void;
  /** Records into a new file, from init on; without `effects`, the inputs alone. */
  record(path: Path, options?: { effects?: boolean }): void;
  stopRecording(): void;
  keepDecisions(capacity: number): void;
  decisions(about?: { campaign?: string | null; region?: string | null; limit?: number }): DecisionRecord[];
  writeDecisionsTo(path: Path | null): void;
  explain(campaign: string, about?: { region?: string | null; language?: string }): Explanation;

  on<K extends keyof Listeners>(event: K, listener: Listeners[K]): this;
  once<K extends keyof Listeners>(event: K, listener: Listeners[K]): this;
  off<K extends keyof Listeners>(event: K, listener: Listeners[K]): this;
  addListener<K extends keyof Listeners>(event: K, listener: Listeners[K]): this;
  removeListener<K extends keyof Listeners>(event: K, listener: Listeners[K]): this;
  prependListener<K extends keyof Listeners>(event: K, listener: Listeners[K]): this;
  prependOnceListener<K extends keyof Listeners>(event: K, listener: Listeners[K]): this;

  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}

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
  readonly name: 'PlotError';
  readonly code: StatusName | (string & {});
  readonly status: number;
  /** Line and column, from 1, the column in bytes; 0 when the fault is not in a text. */
  readonly line: number;
  readonly column: number;
  /** JSON pointer. */
  readonly pointer: string;
  readonly expected: string;
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
  latitudes: Column;
  longitudes: Column;
  accuracies?: Column | null;
  speeds?: Column | null;
  courses?: Column | null;
}

/** The same for many devices: fix i is for the fleet's engine `devices[i]`. A Uint32Array goes in as it is. */
export interface FleetFixes extends Fixes {
  devices: Uint32Array | Int32Array | Uint16Array | Uint8Array | Float64Array | readonly number[];
}

/** The effects of fixes, a column for each value; docs/batch.md. */
export interface Effects {
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
  readonly campaigns: Uint32Array;
}

/** Engines in an order: device 0 is the first. */
export class Fleet {
  constructor(engines: readonly Engine[]);
  readonly engines: readonly Engine[];
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
  remove(device: number): Pair[];
  expire(before: Time): Pair[];
  pairs(): Pair[];
  close(): void;
  [Symbol.dispose](): void;
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

export const Status: Readonly<Record<'PLOT_OK' | StatusName, number>>;
export const version: string;
export const abiVersion: number;
export const libraryPath: string;
/** "builtin" when node:ffi carries the calls, "shim" when the package's own addon does. */
export const ffi: 'builtin' | 'shim';
export function liveObjects(): number;
/** A reading of this machine's clocks. */
export function systemClock(): ClockReading;
/** The IANA name of this machine's time zone (TZ, /etc/localtime); null when it has none. */
export function systemTimeZone(): string | null;
/** The exact JSON text that the library gave for an item, a list, an event or a decision. */
export function jsonText(value: object): string | undefined;
