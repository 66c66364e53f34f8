/*
 * plotengine.h - location-based notifications, decided on the device and offline
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 *
 * The smallest complete program: one place, one fix inside it, and the message that a phone would
 * show, or the reason why it would not. (It is examples/first/first.c; the tests compare, compile
 * and run it.)
 *
 *     #include <plotengine.h>
 *     #include <stdio.h>
 *     #include <string.h>
 *
 *     static const char config_json[] = "{}";
 *     static const char feed_json[] =
 *         "{\"version\": 1, \"regions\": [{\"id\": \"museum\", \"type\": \"geofence\","
 *         "  \"latitude\": 52.36, \"longitude\": 4.885, \"radius\": 200}],"
 *         " \"campaigns\": [{\"id\": \"welcome\", \"type\": \"notification\","
 *         "  \"message\": \"Welcome!\", \"regions\": [\"museum\"]}]}";
 *     static int shown = 0;
 *
 *     static int32_t show(void *user_data, plot_engine *engine, const plot_item *notification) {
 *         const char *message = "";
 *         (void)user_data; (void)engine;
 *         shown = plot_item_get_string(notification, PLOT_KEY_MESSAGE, &message) == PLOT_OK;
 *         return printf("%s\n", message) < 0 ? PLOT_IO_ERROR : PLOT_OK;
 *     }
 *
 *     int main(void) {
 *         plot_config *config = NULL; plot_feed *feed = NULL; plot_engine *engine = NULL;
 *         plot_string *why = NULL; plot_error *error = NULL;
 *         const int64_t now = 1779962400000; // 2026-05-28T10:00:00Z, in milliseconds since 1970
 *         int failed = plot_config_parse(config_json, strlen(config_json), &config, &error)
 *             || plot_feed_parse(feed_json, strlen(feed_json), &feed, &error)
 *             || plot_engine_new(&engine, &error)
 *             || plot_engine_set_show_callback(engine, show, NULL, NULL, &error)
 *             || plot_engine_init(engine, now, config, NULL, &error)
 *             || plot_engine_set_feed(engine, now, feed, &error)
 *             || plot_engine_update_location(engine, now, 52.3601, 4.8851, 10, -1, -1, &error)
 *             || (!shown && plot_engine_explain(engine, "welcome", NULL, "en", &why, &error));
 *         if (failed) fprintf(stderr, "%s\n", plot_error_get_message(error));
 *         else if (!shown) printf("%s\n", plot_string_get(why));
 *         plot_error_free(error); plot_string_free(why);
 *         plot_engine_free(engine); plot_feed_free(feed); plot_config_free(config);
 *         return failed;
 *     }
 *
 * OWNERSHIP. A result through an out-parameter named `out` is yours: free it with the type's
 * `_free`, which accepts NULL. The result of a `_get` is borrowed until the object it came from is
 * changed or freed. The arguments of a callback are borrowed until the callback returns, unless its
 * page says otherwise. No function consumes an argument. Out-parameters are written on every path:
 * NULL, 0 or an empty string when the call fails. Handles are not checked beyond NULL: using one
 * after its `_free` is undefined. To have late calls answered with PLOT_CLOSED, call
 * plot_engine_close first and free when nothing can call any more.
 *
 * ERRORS. A function that can fail returns a status: PLOT_OK is 0, all others are above 0. A
 * function that fails has changed nothing. One status says less: with PLOT_STORE_IN_DOUBT nothing
 * has changed in this process, but the disk could neither keep the change nor drop it, and the next
 * process may find it made. The next call that is written to the store ends the doubt: the change
 * was not made. The last parameter, `plot_error **error`, may be NULL; otherwise it receives NULL,
 * or an error object of yours with the place of the fault (line and column, or a JSON pointer),
 * what was expected and what was found. When the fault is in a configuration, a feed or GeoJSON,
 * the message begins with the name of the document: the path of its file, or `configuration`,
 * `feed`, `options` or `GeoJSON`.
 *
 * TEXT is UTF-8, ends with a NUL and is refused (PLOT_INVALID_ARGUMENT) when it is not valid UTF-8,
 * or has more than 1048576 bytes. Identifiers compare as bytes.
 *
 * TIME. The library reads no clock. Every input carries its own time in milliseconds since
 * 1970-01-01T00:00:00Z. A time before `engine.earliestTime` of the configuration
 * (1990-01-01T00:00:00Z by default) is refused with PLOT_INVALID_ARGUMENT, because it is most
 * likely a number of seconds. A fix, or a sighting of a beacon, that is older than the newest time
 * the engine has seen is refused (PLOT_OUT_OF_ORDER), unless the noise policy lets it come late
 * (`maxLateness`) and it is newer than the newest of its kind; any other input that is older counts
 * as of that newest time. An input first lets everything happen that was due before it (a dwelling,
 * a filter's deadline), each at its own exact time; what the host is then asked to do has the time
 * of the input. Between inputs the host asks plot_engine_next_wakeup, or takes the wakeup callback,
 * and calls plot_engine_advance at that time. A wall clock can be set, forward or back:
 * plot_engine_set_clock reports it to the engine, which then preserves what remains of every wait
 * (docs/rules.md, Clocks), and takes fixes of an earlier time.
 *
 * THREADS. Any function may be called on any thread at any time; calls on one engine take turns.
 * Several threads may read one item or list, but while it is changed or freed, no other thread may
 * use it. The library starts no thread. After fork, the child may use engines that have no store
 * file, if no other thread was inside a call. An engine with a store belongs to the parent: in the
 * child, calls that would have to write return PLOT_STORE_FAILED, and the file stays unchanged,
 * also when the engine is closed or freed. The child cannot open that file itself
 * (PLOT_STORE_BUSY), but it does not keep it busy for others either: a handler of fork closes the
 * descriptor that locks the file. A recording into a file goes on in the parent only.
 *
 * CALLBACKS run only inside a call that the host made on the engine, after its state is stored,
 * with no lock held, one at a time and in order. A callback may call the engine, replace or remove
 * callbacks, close or free the engine. The effects of a call from inside a callback are delivered
 * after that callback has returned, in order (when two threads use one engine, by whichever of the
 * two calls is delivering). Each is registered as `(fn, user_data, destroy)`: `destroy(user_data)`,
 * where given, runs exactly once, when the callback is replaced, removed, or its engine closed or
 * freed, or when registering it fails; if it is just running, on whatever thread, then when it has
 * returned. A NULL `fn` removes. Callbacks must return normally: no longjmp, no exception may pass
 * through the library.
 *
 * DOCUMENTS. plotconfig.json, the campaign feed, items, events, decisions and messages are JSON,
 * specified in docs/ (plotconfig.md, feed.md, items.md, events.md, decisions.md, messages.md) with
 * a JSON Schema each under docs/schema/.
 *
 * FILES. A path that the host gives names a plain file, or a link to one. A named pipe, a socket, a
 * device or a directory is refused at once (PLOT_IO_ERROR): no call waits for one. A `length` is
 * checked against the limit of its document before any byte is read. Lines of the debug log hold no
 * control characters, no marks that change the direction of text and no line separators: those of
 * ids and texts are written as in JSON, such as `\n` or `\u001b`.
 *
 * VERSIONS. The ABI only grows: numbers keep their meaning, functions their signature. New item
 * keys, event names and statuses may appear; treat an unknown one as such.
 */
#ifndef PLOTENGINE_H
#define PLOTENGINE_H

#include <stddef.h>
#include <stdint.h>

/* Whether a pointer may be NULL: PLOT_NULLABLE ones may, all others may not. Where clang sees a
 * NULL that the library would refuse, it warns. Swift keeps its own types. */
#if defined(__clang__) && !defined(__swift__)
#define PLOT_NULLABLE _Nullable
#define PLOT_NONNULL _Nonnull
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang diagnostic ignored "-Wnullability-completeness"
#pragma clang assume_nonnull begin
#else
#define PLOT_NULLABLE
#define PLOT_NONNULL
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types ----------------------------------------------------------------------------------- */

typedef struct plot_engine plot_engine; /* one device: its places, visits, history and settings */
typedef struct plot_config plot_config; /* a read plotconfig.json; immutable */
typedef struct plot_feed plot_feed;     /* a read campaign feed; immutable, may serve many engines
                                         * */
typedef struct plot_item plot_item;     /* one notification or geotrigger, a set of values by key */
typedef struct plot_list plot_list;     /* a list of items */
typedef struct plot_string plot_string; /* a text of yours */
typedef struct plot_error plot_error;   /* what went wrong, and where */
typedef struct plot_strategy_call plot_strategy_call; /* the question to a strategy, or a notice for
                                                       * it. Since 2 */
typedef struct plot_replay plot_replay; /* plays a recording. Since 4 */
typedef struct plot_effects plot_effects; /* what many fixes have led to; immutable. Since 5 */
typedef struct plot_roaming plot_roaming; /* devices that come near each other. Since 21 */
typedef struct plot_pairs plot_pairs;     /* news of such devices; immutable. Since 21 */

/* Statuses. */
#define PLOT_OK 0
#define PLOT_INVALID_ARGUMENT 1    /* NULL where a value is needed, bad UTF-8, NaN, a number out of
                                    * range */
#define PLOT_NOT_INITIALIZED 2     /* plot_engine_init has not been called, or it failed */
#define PLOT_ALREADY_INITIALIZED 3 /* plot_engine_init was called before, on this engine */
#define PLOT_CLOSED 4              /* the engine is closed */
#define PLOT_OUT_OF_ORDER 5        /* a fix older than the newest time seen */
#define PLOT_INVALID_DOCUMENT 6    /* a configuration, feed or other JSON text with a fault */
#define PLOT_IO_ERROR 7            /* a file could not be read or written */
#define PLOT_STORE_FAILED 8        /* the store could not be opened, read or written (disk full,
                                    * permissions, ...) */
#define PLOT_STORE_DAMAGED 9       /* the store file is not a store, or is damaged; it was left
                                    * untouched (engine.damagedStore) */
#define PLOT_STORE_BUSY 10         /* another engine has the store file open, in this process or
                                    * another */
#define PLOT_STORE_READ_ONLY 11    /* the store file cannot be written */
#define PLOT_STORE_NEWER 12        /* the store file was written by a newer version; it was left
                                    * untouched */
#define PLOT_NOT_FOUND 13          /* no such key, index, notification or property */
#define PLOT_READ_ONLY_KEY 14      /* the key is about scheduling or history and cannot be set */
#define PLOT_WRONG_TYPE 15         /* the key holds a value of another type */
#define PLOT_UNKNOWN_TOKEN 16      /* no batch has, or ever had, this token */
#define PLOT_ALREADY_ANSWERED 17   /* this batch has been answered, or its deadline has passed */
#define PLOT_UNKNOWN_ITEM 18       /* an item of the answer is not in the batch, or is there twice
                                    * */
#define PLOT_STORE_IN_DOUBT 19     /* refused, but the disk failed such that a restart may find the
                                    * change made. Since 7 */

/* Item keys (docs/items.md). Those from PLOT_KEY_TITLE to PLOT_KEY_USER_INFO, PLOT_KEY_MESSAGE and
 * PLOT_KEY_DATA of a notification can be set. */
#define PLOT_KEY_IDENTIFIER "identifier"                     /* string: campaign id ";" region id; a
                                                              * message's id */
#define PLOT_KEY_MATCH_IDENTIFIER "matchIdentifier"          /* string: one occurrence; absent in
                                                              * loaded items */
#define PLOT_KEY_CAMPAIGN_ID "campaignId"                    /* string; absent for a message, as is
                                                              * all about its place */
#define PLOT_KEY_REGION_ID "regionId"                        /* string */
#define PLOT_KEY_MESSAGE "message"                           /* string: text of a notification; name
                                                              * of a geotrigger */
#define PLOT_KEY_NAME "name"                                 /* string: name of a geotrigger; absent
                                                              * otherwise */
#define PLOT_KEY_DATA "data"                                 /* string, may be empty */
#define PLOT_KEY_TITLE "title"                               /* string; absent when not set, as are
                                                              * all up to userInfo */
#define PLOT_KEY_SUBTITLE "subtitle"                         /* string */
#define PLOT_KEY_BODY "body"                                 /* string: longer text, for hosts that
                                                              * have room */
#define PLOT_KEY_SOUND "sound"                               /* string: a name that the app knows */
#define PLOT_KEY_BADGE "badge"                               /* integer, from 0 */
#define PLOT_KEY_CATEGORY "category"                         /* string: whose actions it has */
#define PLOT_KEY_ATTACHMENTS "attachments"                   /* array of objects, see
                                                              * plot_item_get_json */
#define PLOT_KEY_ACTIONS "actions"                           /* array of objects */
#define PLOT_KEY_USER_INFO "userInfo"                        /* object: the campaign's own values */
#define PLOT_KEY_GEOFENCE_LATITUDE "geofenceLatitude"        /* double, degrees; absent for a beacon
                                                              * */
#define PLOT_KEY_GEOFENCE_LONGITUDE "geofenceLongitude"      /* double, degrees; absent for a beacon
                                                              * */
#define PLOT_KEY_TRIGGER "trigger"                           /* string: "enter", "exit", "dwelling",
                                                              * "inside", "approaching", "absent" or
                                                              * "trip" */
#define PLOT_KEY_DWELLING_MINUTES "dwellingMinutes"          /* integer; 0 unless trigger is
                                                              * "dwelling" */
#define PLOT_KEY_ARRIVAL_SECONDS "arrivalSeconds"            /* integer; absent unless trigger is
                                                              * "approaching". Since 3 */
#define PLOT_KEY_TRIP_EVENT "tripEvent"                      /* string: "started", ...; absent
                                                              * unless trigger is "trip"
                                                              * (docs/trips.md). Since 22 */
#define PLOT_KEY_INSIDE_AT "insideAt"                        /* string: "HH:MM"; absent unless
                                                              * trigger is "inside". Since 2 */
#define PLOT_KEY_NOTIFICATION_HANDLER_TYPE "notificationHandlerType" /* string: "regular",
                                                                      * "landingPage", "applink" */
#define PLOT_KEY_MATCH_RANGE "matchRange"                    /* integer: radius in metres, rounded,
                                                              * of an area that of a circle round
                                                              * it; 1, 2 or 30 for beacons */
#define PLOT_KEY_REGION_TYPE "regionType"                    /* string: "geofence" or "beacon" */
#define PLOT_KEY_TRAVEL_MINUTES "travelMinutes"              /* integer: the region's; absent when
                                                              * it has none. Since 19 */
#define PLOT_KEY_TRAVEL_MODE "travelMode"                    /* string: "pedestrian", "bicycle" or
                                                              * "auto"; absent when the region has
                                                              * none. Since 19 */
#define PLOT_KEY_REGION_NAME "regionName"                    /* string; absent when the region has
                                                              * none */
#define PLOT_KEY_PRIORITY "priority"                         /* integer; absent when 0. Since 2 */
#define PLOT_KEY_REMOVE_ON_EXIT "removeOnExit"               /* integer: 1 when it leaves the screen
                                                              * with the visit; absent otherwise.
                                                              * Since 11 */
#define PLOT_KEY_REMOVE_AT_END "removeAtEnd"                 /* integer: 1 when it leaves the screen
                                                              * with its campaign; absent otherwise.
                                                              * Since 11 */
#define PLOT_KEY_EXPIRE_AFTER "expireAfter"                  /* integer: seconds on the screen;
                                                              * absent without. Since 11 */
#define PLOT_KEY_EXPIRE_AT "expireAt"                        /* integer: ms since 1970, when it
                                                              * leaves the screen; absent without.
                                                              * Since 11 */
#define PLOT_KEY_UPDATES "updates"                           /* string: matchIdentifier of the
                                                              * display whose place it takes; absent
                                                              * otherwise. Since 11 */
#define PLOT_KEY_CORRELATION_KEY "correlationKey"            /* string: what it replaces on the
                                                              * screen; absent without. Since 2 */
#define PLOT_KEY_COALESCED "coalesced"                       /* string: the other identifiers that
                                                              * it represents, one a line. Since 2
                                                              * */
#define PLOT_KEY_SENDER "sender"                             /* string: who sent a message; absent
                                                              * otherwise. Since 2 */
#define PLOT_KEY_THREAD "thread"                             /* string: the conversation of a
                                                              * message. Since 2 */
#define PLOT_KEY_REVISION "revision"                         /* integer: the revision of a message.
                                                              * Since 2 */
#define PLOT_KEY_SILENT "silent"                             /* integer: 1 for a message without
                                                              * sound and badge. Since 2 */
#define PLOT_KEY_SUPPRESSED "suppressed"                     /* integer: 1 when it only shows for
                                                              * lack of suppressing. Since 2 */
#define PLOT_KEY_DATE_SENT "dateSent"                        /* integer: ms since 1970; absent when
                                                              * not sent */
#define PLOT_KEY_DATE_OPENED "dateOpened"                    /* integer: ms since 1970, -1 when not
                                                              * opened */
#define PLOT_KEY_IS_OPENED "isOpened"                        /* integer: 0 or 1 */
#define PLOT_KEY_DATE_HANDLED "dateHandled"                  /* integer: ms since 1970, -1 when not
                                                              * handled */
#define PLOT_KEY_IS_HANDLED "isHandled"                      /* integer: 0 or 1 */
#define PLOT_KEY_IS_APP_IN_FOREGROUND "isAppInForeground"    /* integer: 1 for one opened while the
                                                              * app is in the foreground. Since 12
                                                              * */
#define PLOT_KEY_CONFIRM "confirm"                           /* integer: 1 where the person is to be
                                                              * asked first. Since 12 */

/* Actions for an opened notification; passed to plot_open_fn. */
#define PLOT_OPEN_APP 0          /* no data: bring the app to the front */
#define PLOT_OPEN_URI 1          /* open the URI in the browser; the default without a notification
                                  * handler */
#define PLOT_OPEN_LANDING_PAGE 2 /* show the URI full screen inside the app */
#define PLOT_OPEN_APPLINK 3      /* open another app by this link */
#define PLOT_OPEN_DATA 4         /* no URI, or of a scheme that is not opened (engine.uriSchemes):
                                  * the app's own data. Since 11 */

/* Log levels. */
#define PLOT_LOG_ERROR 0
#define PLOT_LOG_WARNING 1
#define PLOT_LOG_INFO 2
#define PLOT_LOG_DEBUG 3

/* The calls of a strategy; passed to plot_strategy_fn. Since 2. */
#define PLOT_STRATEGY_UPDATE_PARAMETERS 0 /* its parameters, from the feed's settings, as JSON */
#define PLOT_STRATEGY_VOTE_CREATE 1       /* may this notification be shown? return 1 for yes, 0 for
                                           * no; change nothing */
#define PLOT_STRATEGY_VOTE_DELETE 2       /* may this one be taken off the screen? the same */
#define PLOT_STRATEGY_CREATED 3           /* after the attempt to show it:
                                           * plot_strategy_call_get_done says whether it was */
#define PLOT_STRATEGY_DELETED 4           /* after the attempt to take it off, or after the person
                                           * has dismissed it */
#define PLOT_STRATEGY_BACKGROUND 5        /* the app has gone to the background */
#define PLOT_STRATEGY_FOREGROUND 6        /* the app has come to the foreground */
#define PLOT_STRATEGY_START_MONITORING 7  /* a visit has begun; from now on its end is watched for:
                                           * its region and campaigns */
#define PLOT_STRATEGY_LOAD 8              /* what it saved, before anything else is put to it */
#define PLOT_STRATEGY_SAVE 9              /* give what is to be kept, with
                                           * plot_strategy_call_set_state */

/* How near a beacon is, as the host says. Since 3. */
#define PLOT_PROXIMITY_UNKNOWN 0
#define PLOT_PROXIMITY_IMMEDIATE 1
#define PLOT_PROXIMITY_NEAR 2
#define PLOT_PROXIMITY_FAR 3

/* Reports of an operating system about a region that it watches; passed to plot_engine_region_hint.
 * Since 3. */
#define PLOT_HINT_ENTER 0   /* it was entered at this time */
#define PLOT_HINT_EXIT 1    /* it was left at this time */
#define PLOT_HINT_INSIDE 2  /* the device is inside; since when is not said */
#define PLOT_HINT_OUTSIDE 3 /* the device is outside */

/* Flags of a plan; passed to plot_engine_plan_regions, 0 or both added. Since 3. */
#define PLOT_PLAN_RESET 1      /* the system has forgotten what was registered: the difference is
                                * against nothing */
#define PLOT_PLAN_FENCE_LEFT 2 /* the system says that the movement fence was left, wherever the
                                * device seems to be */

/* Parts that a recording leaves out; passed to plot_engine_record_to_file. Since 4. */
#define PLOT_RECORD_INPUTS 1 /* effects: a replay computes them again, but has nothing to compare
                              * them with */

/* docs/events.json */

/* Kinds of records in plot_effects (docs/batch.md): the events, in the order of
 * docs/events.md, and others. Since 5. */
#define PLOT_EFFECT_REFUSED 0 /* a fix was not taken; `detail` is the status that a single call
                               * would have given */
#define PLOT_EFFECT_REGION_ENTER 1
#define PLOT_EFFECT_REGION_INSIDE 2
#define PLOT_EFFECT_REGION_DWELL 3
#define PLOT_EFFECT_REGION_EXIT 4
#define PLOT_EFFECT_REGION_APPROACH 5
#define PLOT_EFFECT_NOTIFICATION_FILTERED 6
#define PLOT_EFFECT_NOTIFICATION_SHOWN 7
#define PLOT_EFFECT_NOTIFICATION_FAILED 8
#define PLOT_EFFECT_NOTIFICATION_OPENED 9
#define PLOT_EFFECT_NOTIFICATION_ACTION 10
#define PLOT_EFFECT_NOTIFICATION_DISMISSED 11
#define PLOT_EFFECT_NOTIFICATION_REMOVED 12
#define PLOT_EFFECT_GEOTRIGGER 13
#define PLOT_EFFECT_GEOTRIGGER_DROPPED 14
#define PLOT_EFFECT_MESSAGE_DROPPED 15
#define PLOT_EFFECT_MESSAGE_RETRACTED 16
#define PLOT_EFFECT_STORE_SET_ASIDE 17 /* the store was damaged and is set aside: at a start, never
                                        * in a batch. Since 10 */
#define PLOT_EFFECT_NOTIFICATION_HELD_OUT 18 /* it would be shown now, but the user is in the
                                              * holdout group of its campaign. Since 18 */
#define PLOT_EFFECT_ABSENCE 19 /* the device was at none of a campaign's regions in the span that it
                                * asks for. Since 20 */
#define PLOT_EFFECT_ABSENCE_UNKNOWN 20 /* it is unknown whether a campaign's regions were visited in
                                        * the span that it asks for. Since 20 */
#define PLOT_EFFECT_TRIP_STARTED 21 /* the app has begun a trip. Since 22 */
#define PLOT_EFFECT_TRIP_APPROACHING 22 /* a trip's destination is near. Since 22 */
#define PLOT_EFFECT_TRIP_ARRIVED 23 /* a trip is over: the device has arrived. Since 22 */
#define PLOT_EFFECT_TRIP_STOPPED 24 /* the device rests on the way. Since 22 */
#define PLOT_EFFECT_TRIP_OFF_ROUTE 25 /* the device is beside a trip's route. Since 22 */
#define PLOT_EFFECT_TRIP_DELAYED 26 /* a trip is late, or will be. Since 22 */
#define PLOT_EFFECT_TRIP_WRONG_DESTINATION 27 /* the device is at a region that is not a trip's
                                               * destination, though the user may take it for that.
                                               * Since 22 */
#define PLOT_EFFECT_TRIP_EXPIRED 28 /* a trip is over, because its time is. Since 22 */
#define PLOT_EFFECT_TRIP_CANCELLED 29 /* the app has ended a trip before it arrived. Since 22 */
#define PLOT_EFFECT_FILTER_ASKED 64 /* the filter was asked about this item; `number` is the token
                                     * of the batch */
#define PLOT_EFFECT_GEOTRIGGERS_ASKED 65 /* the geotrigger handler was asked about this item; the
                                          * same */

/* end */

#define PLOT_NO_POSITION 4294967295u /* plot_effect: no region, no campaign. Since 5 */

#define PLOT_NO_WAKEUP (-1) /* plot_engine_next_wakeup: nothing is due */

/* A record of one effect of many fixes: 40 bytes, without padding, the same in every version of the
 * ABI (docs/batch.md). Since 5. */
typedef struct plot_effect {
    int64_t time_ms;   /* of the event; of a question, the engine's newest; of a refused fix, its
                        * own */
    uint64_t number;   /* an event's sequence, the token of a question; 0 of a refused fix */
    uint32_t fix;      /* the position, in the columns, of the fix that led to it */
    uint32_t device;   /* the device, a position in `engines`; 0 for one engine */
    uint32_t kind;     /* a PLOT_EFFECT_ value */
    uint32_t detail;   /* the ordinal of the visit, at a dwelling its minutes, at an approach its
                        * seconds; the status of a refused fix; otherwise 0. At most 4294967295 */
    uint32_t region;   /* a position in the engine's feed, or PLOT_NO_POSITION:
                        * plot_feed_get_region_id */
    uint32_t campaign; /* the same: plot_feed_get_campaign_id */
} plot_effect;

/* plot_roaming_new: also a record of each pair that stays near, at each fix of either. Since 21. */
#define PLOT_ROAMING_DISTANCES 1

/* Kinds of records in plot_pairs. Since 21. */
#define PLOT_PAIR_ENTER 1 /* they are near each other now */
#define PLOT_PAIR_EXIT 2  /* they are no longer near each other */
#define PLOT_PAIR_NEAR 3  /* they stay near each other */

/* A record about two devices: 32 bytes, without padding, the same in every version of the ABI
 * (docs/roaming.md). Since 21. */
typedef struct plot_pair {
    int64_t time_ms; /* of the fix; of a device that was forgotten, of its newest fix, or the time
                      * given */
    double metres;   /* how far apart they are, as far as is known */
    uint32_t first;  /* the lower number of the two devices */
    uint32_t second;
    uint32_t fix;    /* the position, in the columns, of the fix that led to it, or PLOT_NO_POSITION
                      * */
    uint32_t kind;   /* a PLOT_PAIR_ value */
} plot_pair;

/* ---- Callbacks ------------------------------------------------------------------------------- */

/* Frees the user_data of a callback. Runs exactly once for each registration that gave one. */
typedef void (*plot_destroy_fn)(void *PLOT_NULLABLE user_data);

/* A batch of notifications that are about to be shown: keep, edit or drop each. `notifications` is
 * borrowed; edit its items, remove items, and answer with it: now, inside this callback, or later
 * with a list from plot_engine_get_batch. Every batch must be answered once with
 * plot_engine_answer_filter, with an empty list too. Past the deadline (`engine.filterDeadline`)
 * the fallback of the configuration happens. */
typedef void (*plot_filter_fn)(void *PLOT_NULLABLE user_data, plot_engine *engine, uint64_t token,
                               plot_list *notifications);

/* A batch of geotriggers that fired. Answer once with plot_engine_mark_geotriggers_handled, now or
 * later. */
typedef void (*plot_geotrigger_fn)(void *PLOT_NULLABLE user_data, plot_engine *engine,
                                   uint64_t token, plot_list *geotriggers);

/* Show this notification now. Return PLOT_OK when it is on the screen; any other value when it
 * could not be shown: it then is not used up, counts for nothing, and may trigger again. */
typedef int32_t (*plot_show_fn)(void *PLOT_NULLABLE user_data, plot_engine *engine,
                                const plot_item *notification);

/* Take this notification off the screen. Return PLOT_OK when it is gone; any other value when that
 * could not be done. Since 2. */
typedef int32_t (*plot_remove_fn)(void *PLOT_NULLABLE user_data, plot_engine *engine,
                                  const plot_item *notification);

/* A strategy: `what` is a PLOT_STRATEGY_ value, `call` the rest, borrowed. The value returned
 * counts for votes only: 0 is no, all else is yes. A vote may be asked any number of times, and
 * must change nothing: a strategy counts only at PLOT_STRATEGY_CREATED or PLOT_STRATEGY_DELETED
 * with plot_strategy_call_get_done of 1. Since 2. */
typedef int32_t (*plot_strategy_fn)(void *PLOT_NULLABLE user_data, plot_engine *engine,
                                    int32_t what, plot_strategy_call *call);

/* A notification of type regular or applink was opened; `data` is its data. Replaces the default of
 * plot_open_fn. */
typedef void (*plot_notification_handler_fn)(void *PLOT_NULLABLE user_data, plot_engine *engine,
                                             const plot_item *notification, const char *data);

/* Do the default for an opened notification. With PLOT_KEY_CONFIRM in the item, ask the person
 * first (engine.confirmInForeground). `action` is a PLOT_OPEN_ value, `uri` its data (may be empty;
 * a URI unless `action` is PLOT_OPEN_DATA). */
typedef void (*plot_open_fn)(void *PLOT_NULLABLE user_data, plot_engine *engine, int32_t action,
                             const char *uri, const plot_item *notification);

/* Something happened: one event record (docs/events.md), JSON of `length` bytes and a NUL. `item`
 * is the notification or geotrigger it is about, or NULL. With a store, an event that was not
 * delivered before the process ended is delivered again at the next plot_engine_init, with the same
 * `sequence`. */
typedef void (*plot_event_fn)(void *PLOT_NULLABLE user_data, plot_engine *engine, const char *json,
                              size_t length, const plot_item *PLOT_NULLABLE item);

/* A decision was made about a candidate: one decision record (docs/decisions.md), JSON of `length`
 * bytes and a NUL. */
typedef void (*plot_decision_fn)(void *PLOT_NULLABLE user_data, plot_engine *engine,
                                 const char *json, size_t length);

/* A line of a recording (docs/recording.md): JSON of `length` bytes and a NUL, without a line end.
 * Since 4. */
typedef void (*plot_recording_fn)(void *PLOT_NULLABLE user_data, plot_engine *engine,
                                  const char *line, size_t length);

/* A line of the debug log: inputs, events, decisions and refusals, with positions; only while
 * `debug` is true in the configuration. `level` is a PLOT_LOG_ value. */
typedef void (*plot_log_fn)(void *PLOT_NULLABLE user_data, plot_engine *engine, int32_t level,
                            const char *message);

/* The time of the next wakeup has changed; `time_ms` is PLOT_NO_WAKEUP when nothing is due any
 * more. */
typedef void (*plot_wakeup_fn)(void *PLOT_NULLABLE user_data, plot_engine *engine, int64_t time_ms);

/* The status of the synchronization has changed: `json` is that status (docs/sync.md, Status), as
 * of plot_engine_get_sync_status. Ask plot_engine_sync_next at `next_ms`, which may be now;
 * PLOT_NO_WAKEUP: there is nothing to ask for. Since 17. */
typedef void (*plot_sync_fn)(void *PLOT_NULLABLE user_data, plot_engine *engine, const char *json,
                             size_t length, int64_t next_ms);

/* Something is due that depends on the device still being where it was, such as a dwelling, and the
 * newest fix is too old to say so. Ask the system for one fix, or for the state of the regions that
 * it watches, and give the answer to plot_engine_update_location or plot_engine_region_hint, from
 * within this callback or later. It is of most use up to `deadline_ms`. Without an answer, what is
 * due waits for the next fix (docs/rules.md, Evidence has an age). Since 8. */
typedef void (*plot_fix_request_fn)(void *PLOT_NULLABLE user_data, plot_engine *engine,
                                    int64_t deadline_ms);

/* ---- Library --------------------------------------------------------------------------------- */

/* The version of this ABI: 22. Grows when something is added. Compare it at load. Since 1. */
int32_t plot_abi_version(void);

/* The version of the library, such as "0.1.0". Static; never NULL. Since 1. */
const char *plot_version(void);

/* The name of a status, such as "PLOT_OUT_OF_ORDER"; "PLOT_UNKNOWN_STATUS" for an unknown one.
 * Static. Since 1. */
const char *plot_status_name(int32_t status);

/* How many objects of this library are alive in the process: 0 when everything has been freed. For
 * leak tests. Since 1. */
int64_t plot_live_objects(void);

/* ---- Errors ---------------------------------------------------------------------------------- */

/* The status that came with this error; PLOT_OK for NULL. Since 1. */
int32_t plot_error_get_status(const plot_error *PLOT_NULLABLE error);

/* One sentence for people: what, where, expected, found. Borrowed; "" for NULL. Since 1. */
const char *plot_error_get_message(const plot_error *PLOT_NULLABLE error);

/* Line, counted from 1, in the text that was read; 0 when the fault is not in a text. Since 1. */
int32_t plot_error_get_line(const plot_error *PLOT_NULLABLE error);

/* Column, counted from 1 in bytes; 0 when the fault is not in a text. Since 1. */
int32_t plot_error_get_column(const plot_error *PLOT_NULLABLE error);

/* JSON pointer (RFC 6901) to the value or object at fault, "" for the whole document or where there
 * is none. Borrowed. Since 1. */
const char *plot_error_get_pointer(const plot_error *PLOT_NULLABLE error);

/* The expected value, and the value that was found; "" where there is none. Borrowed. Since 1. */
const char *plot_error_get_expected(const plot_error *PLOT_NULLABLE error);
const char *plot_error_get_found(const plot_error *PLOT_NULLABLE error);

/* The kind of the error, such as "unknown-key" (docs/errors.md): more than the status, where a
 * document is at fault. The page of that kind, such as "docs/errors.md#unknown-key". The cure: one
 * sentence, what to do about it. Borrowed; "" for NULL. Since 16. */
const char *plot_error_get_kind(const plot_error *PLOT_NULLABLE error);
const char *plot_error_get_page(const plot_error *PLOT_NULLABLE error);
const char *plot_error_get_cure(const plot_error *PLOT_NULLABLE error);

/* Frees an error; NULL is accepted. Since 1. */
void plot_error_free(plot_error *PLOT_NULLABLE error);

/* ---- Strings --------------------------------------------------------------------------------- */

/* The text, ending with a NUL. Borrowed until freed; "" for NULL. Since 1. */
const char *plot_string_get(const plot_string *PLOT_NULLABLE string);

/* Its length in bytes, without the NUL; 0 for NULL. Since 1. */
size_t plot_string_get_length(const plot_string *PLOT_NULLABLE string);

/* Frees a string; NULL is accepted. Since 1. */
void plot_string_free(plot_string *PLOT_NULLABLE string);

/* ---- Configuration (docs/plotconfig.md) ------------------------------------------------------ */

/* Reads a plotconfig.json file. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_IO_ERROR,
 * PLOT_INVALID_DOCUMENT. Since 1. */
int32_t plot_config_load(const char *path, plot_config **PLOT_NONNULL out,
                         plot_error **PLOT_NULLABLE error);

/* Reads a configuration from `length` bytes of JSON; no NUL needed. PLOT_OK, PLOT_INVALID_ARGUMENT,
 * PLOT_INVALID_DOCUMENT. Since 1. */
int32_t plot_config_parse(const char *json, size_t length, plot_config **PLOT_NONNULL out,
                          plot_error **PLOT_NULLABLE error);

/* Every property with its value, defaults filled in, as JSON. PLOT_OK, PLOT_INVALID_ARGUMENT.
 * Since 1. */
int32_t plot_config_to_json(const plot_config *config, plot_string **PLOT_NONNULL out,
                            plot_error **PLOT_NULLABLE error);

/* How many warnings reading it gave (byte-order mark, unknown keys, ...); 0 for NULL. Since 1. */
size_t plot_config_get_warning_count(const plot_config *PLOT_NULLABLE config);

/* A warning, one sentence; NULL when the index is out of range. Borrowed. Since 1. */
const char *PLOT_NULLABLE plot_config_get_warning(const plot_config *PLOT_NULLABLE config,
                                                  size_t index);

/* Frees a configuration; NULL is accepted. An engine keeps what it needs of it. Since 1. */
void plot_config_free(plot_config *PLOT_NULLABLE config);

/* ---- Campaign feed (docs/feed.md) ------------------------------------------------------------ */

/* Reads a feed from a file. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_IO_ERROR, PLOT_INVALID_DOCUMENT.
 * Since 1. */
int32_t plot_feed_load(const char *path, plot_feed **PLOT_NONNULL out,
                       plot_error **PLOT_NULLABLE error);

/* Reads a feed from `length` bytes of JSON; no NUL needed. PLOT_OK, PLOT_INVALID_ARGUMENT,
 * PLOT_INVALID_DOCUMENT. Since 1. */
int32_t plot_feed_parse(const char *json, size_t length, plot_feed **PLOT_NONNULL out,
                        plot_error **PLOT_NULLABLE error);

/* Makes a feed from a GeoJSON FeatureCollection: a circle around each point, an area for each
 * polygon and line, one campaign over all of them. `options` is JSON text: {"radius": metres,
 * "width": metres, "message": text, "trigger": "enter" | "exit" | "dwelling" | "inside",
 * "dwellingMinutes": n, "insideAt": "HH:MM", "idProperty": name, "nameProperty": name,
 * "radiusProperty": name, "campaign": id}; all optional (docs/feed.md, "Import"). May be NULL.
 * PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_INVALID_DOCUMENT. Since 1. */
int32_t plot_feed_import_geojson(const char *json, size_t length, const char *PLOT_NULLABLE options,
                                 plot_feed **PLOT_NONNULL out, plot_error **PLOT_NULLABLE error);

/* The feed as JSON text; reading it back gives an equal feed. PLOT_OK, PLOT_INVALID_ARGUMENT.
 * Since 1. */
int32_t plot_feed_to_json(const plot_feed *feed, plot_string **PLOT_NONNULL out,
                          plot_error **PLOT_NULLABLE error);

/* How many regions, and how many campaigns, it has; 0 for NULL. Since 1. */
size_t plot_feed_get_region_count(const plot_feed *PLOT_NULLABLE feed);
size_t plot_feed_get_campaign_count(const plot_feed *PLOT_NULLABLE feed);

/* The id of the region, or the campaign, at a position, counted from 0 in the order of the feed;
 * NULL when it is out of range, or for NULL. Borrowed until the feed is freed. Since 5. */
const char *PLOT_NULLABLE plot_feed_get_region_id(const plot_feed *PLOT_NULLABLE feed,
                                                  size_t position);
const char *PLOT_NULLABLE plot_feed_get_campaign_id(const plot_feed *PLOT_NULLABLE feed,
                                                    size_t position);

/* Compiles the feed into a file (docs/feed-file.md), which is written beside `path` and then takes
 * its place at once, whole. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_IO_ERROR. Since 5. */
int32_t plot_feed_save(const plot_feed *feed, const char *path, plot_error **PLOT_NULLABLE error);

/* Takes a compiled feed from its file, without reading its regions and campaigns: each is read when
 * it is first needed. It is then as the feed that was saved. The file is mapped: it must not be
 * written to as long as the feed, or an engine that has it, is there; another file may take its
 * name. PLOT_INVALID_DOCUMENT: it is no compiled feed, is damaged, of a version that this library
 * does not know, or names a time zone that this system lacks. Also PLOT_OK, PLOT_INVALID_ARGUMENT,
 * PLOT_IO_ERROR. Since 5. */
int32_t plot_feed_map(const char *path, plot_feed **PLOT_NONNULL out,
                      plot_error **PLOT_NULLABLE error);

/* Frees a feed; NULL is accepted. Engines that use it keep it alive by themselves. Since 1. */
void plot_feed_free(plot_feed *PLOT_NULLABLE feed);

/* Finds faults and likely slips in a configuration, a feed or both (docs/lint.md): a JSON array of
 * findings, empty when there is nothing. Either text may be NULL, not both; no NUL needed at their
 * ends. A text that cannot be read is a finding, not an error. `time_ms`: what is over by then is
 * found, too; -1 to leave that out. PLOT_OK, PLOT_INVALID_ARGUMENT. Since 4. */
int32_t plot_lint(const char *PLOT_NULLABLE config, size_t config_length,
                  const char *PLOT_NULLABLE feed, size_t feed_length, int64_t time_ms,
                  plot_string **PLOT_NONNULL out, plot_error **PLOT_NULLABLE error);

/* ---- Items ----------------------------------------------------------------------------------- */

/* The string value of a key. `out` is borrowed, "" on failure. PLOT_OK, PLOT_INVALID_ARGUMENT,
 * PLOT_NOT_FOUND, PLOT_WRONG_TYPE. Since 1. */
int32_t plot_item_get_string(const plot_item *item, const char *key, const char **PLOT_NONNULL out);

/* The integer value of a key; 0 on failure. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_NOT_FOUND,
 * PLOT_WRONG_TYPE. Since 1. */
int32_t plot_item_get_integer(const plot_item *item, const char *key, int64_t *out);

/* The number of a key, integer or double; 0 on failure. PLOT_OK, PLOT_INVALID_ARGUMENT,
 * PLOT_NOT_FOUND, PLOT_WRONG_TYPE. Since 1. */
int32_t plot_item_get_double(const plot_item *item, const char *key, double *out);

/* The value of any key as JSON text. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_NOT_FOUND. Since 2. */
int32_t plot_item_get_json(const plot_item *item, const char *key, plot_string **PLOT_NONNULL out);

/* Sets a string. Only items of a filter's batch and copies can be changed, and only content keys.
 * Setting scheduling keys is PLOT_READ_ONLY_KEY, and nothing changes. Only PLOT_KEY_DATA may be
 * empty. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_NOT_FOUND, PLOT_READ_ONLY_KEY, PLOT_WRONG_TYPE.
 * Since 1. */
int32_t plot_item_set_string(plot_item *item, const char *key, const char *value,
                             plot_error **PLOT_NULLABLE error);

/* Sets an integer: PLOT_KEY_BADGE. Statuses as for plot_item_set_string. Since 2. */
int32_t plot_item_set_integer(plot_item *item, const char *key, int64_t value,
                              plot_error **PLOT_NULLABLE error);

/* Sets a value of any content key from `length` bytes of JSON, of the key's own type: for arrays
 * and objects the form that docs/items.md gives them. Keys of the original user info that a new one
 * lacks stay, with their values. Statuses as for plot_item_set_string, and PLOT_INVALID_DOCUMENT,
 * with the place in the JSON. Since 2. */
int32_t plot_item_set_json(plot_item *item, const char *key, const char *json, size_t length,
                           plot_error **PLOT_NULLABLE error);

/* Takes a content key away; PLOT_OK also when it is absent. Keys of the original user info stay.
 * Message and data are always there: PLOT_INVALID_ARGUMENT. Statuses otherwise as for
 * plot_item_set_string. Since 2. */
int32_t plot_item_clear(plot_item *item, const char *key, plot_error **PLOT_NULLABLE error);

/* All keys and values as one JSON object. PLOT_OK, PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_item_to_json(const plot_item *item, plot_string **PLOT_NONNULL out,
                          plot_error **PLOT_NULLABLE error);

/* A copy of your own, which stays valid after the callback or list. PLOT_OK, PLOT_INVALID_ARGUMENT.
 * Since 1. */
int32_t plot_item_copy(const plot_item *item, plot_item **PLOT_NONNULL out,
                       plot_error **PLOT_NULLABLE error);

/* Frees a copy; NULL is accepted. Items borrowed from a list or a callback are not yours to free.
 * Since 1. */
void plot_item_free(plot_item *PLOT_NULLABLE item);

/* An empty list. PLOT_OK, PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_list_new(plot_list **PLOT_NONNULL out, plot_error **PLOT_NULLABLE error);

/* How many items; 0 for NULL. Since 1. */
size_t plot_list_get_count(const plot_list *PLOT_NULLABLE list);

/* An item, borrowed until it is removed or the list is freed; NULL when the index is out of range.
 * Since 1. */
plot_item *PLOT_NULLABLE plot_list_get(const plot_list *PLOT_NULLABLE list, size_t index);

/* Appends a copy of the item. PLOT_OK, PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_list_append(plot_list *list, const plot_item *item, plot_error **PLOT_NULLABLE error);

/* Removes an item; those behind it move up. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_NOT_FOUND.
 * Since 1. */
int32_t plot_list_remove(plot_list *list, size_t index, plot_error **PLOT_NULLABLE error);

/* All items as one JSON array. PLOT_OK, PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_list_to_json(const plot_list *list, plot_string **PLOT_NONNULL out,
                          plot_error **PLOT_NULLABLE error);

/* Frees a list of yours and its items; NULL is accepted. Since 1. */
void plot_list_free(plot_list *PLOT_NULLABLE list);

/* ---- Engine: life ---------------------------------------------------------------------------- */

/* An engine without a configuration. Register callbacks next, then call plot_engine_init. PLOT_OK,
 * PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_engine_new(plot_engine **PLOT_NONNULL out, plot_error **PLOT_NULLABLE error);

/* Starts the engine. `store_path` names its store file, made when absent; NULL keeps everything in
 * memory. What the store holds is there again: visits, timers, lists, settings, the feed.
 * `enableOnFirstRun` counts once for a store. Batches that were open are offered again; a
 * notification that was handed to the host, with no answer before the process ended, counts as
 * shown. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_ALREADY_INITIALIZED, PLOT_CLOSED, PLOT_STORE_FAILED,
 * PLOT_STORE_DAMAGED, PLOT_STORE_BUSY, PLOT_STORE_READ_ONLY, PLOT_STORE_NEWER, PLOT_STORE_IN_DOUBT;
 * after a failure it may be called again. While the engine runs, its file, with the -wal and -log
 * beside it, is the engine's alone: docs/store.md says what a host must not do with it. Since 1. */
int32_t plot_engine_init(plot_engine *engine, int64_t time_ms, const plot_config *config,
                         const char *PLOT_NULLABLE store_path, plot_error **PLOT_NULLABLE error);

/* Closes the store and removes all callbacks (their destroy runs). Later calls return PLOT_CLOSED.
 * Closing twice is fine; so is closing from a callback. PLOT_OK, PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_engine_close(plot_engine *engine);

/* Closes and frees; NULL is accepted. May be called from a callback of this engine. Since 1. */
void plot_engine_free(plot_engine *PLOT_NULLABLE engine);

/* ---- Engine: callbacks. Each: PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_CLOSED. Since 1. ---------- */

/* Without a filter every notification passes. */
int32_t plot_engine_set_filter_callback(plot_engine *engine, plot_filter_fn PLOT_NULLABLE fn,
                                        void *PLOT_NULLABLE user_data,
                                        plot_destroy_fn PLOT_NULLABLE destroy,
                                        plot_error **PLOT_NULLABLE error);

/* Without a geotrigger handler every geotrigger counts as handled. */
int32_t plot_engine_set_geotrigger_callback(plot_engine *engine,
                                            plot_geotrigger_fn PLOT_NULLABLE fn,
                                            void *PLOT_NULLABLE user_data,
                                            plot_destroy_fn PLOT_NULLABLE destroy,
                                            plot_error **PLOT_NULLABLE error);

/* Without a show callback, a notification counts as shown at once; the event callback reports
 * it. */
int32_t plot_engine_set_show_callback(plot_engine *engine, plot_show_fn PLOT_NULLABLE fn,
                                      void *PLOT_NULLABLE user_data,
                                      plot_destroy_fn PLOT_NULLABLE destroy,
                                      plot_error **PLOT_NULLABLE error);

/* Without a remove callback, a notification counts as gone at once; the event callback reports it.
 * Since 2. */
int32_t plot_engine_set_remove_callback(plot_engine *engine, plot_remove_fn PLOT_NULLABLE fn,
                                        void *PLOT_NULLABLE user_data,
                                        plot_destroy_fn PLOT_NULLABLE destroy,
                                        plot_error **PLOT_NULLABLE error);

/* Without a notification handler opening goes to the open callback. Landing pages always do. */
int32_t plot_engine_set_notification_handler(plot_engine *engine,
                                             plot_notification_handler_fn PLOT_NULLABLE fn,
                                             void *PLOT_NULLABLE user_data,
                                             plot_destroy_fn PLOT_NULLABLE destroy,
                                             plot_error **PLOT_NULLABLE error);

int32_t plot_engine_set_open_callback(plot_engine *engine, plot_open_fn PLOT_NULLABLE fn,
                                      void *PLOT_NULLABLE user_data,
                                      plot_destroy_fn PLOT_NULLABLE destroy,
                                      plot_error **PLOT_NULLABLE error);

int32_t plot_engine_set_event_callback(plot_engine *engine, plot_event_fn PLOT_NULLABLE fn,
                                       void *PLOT_NULLABLE user_data,
                                       plot_destroy_fn PLOT_NULLABLE destroy,
                                       plot_error **PLOT_NULLABLE error);

/* Decisions are recorded only while a callback is registered. */
int32_t plot_engine_set_decision_callback(plot_engine *engine, plot_decision_fn PLOT_NULLABLE fn,
                                          void *PLOT_NULLABLE user_data,
                                          plot_destroy_fn PLOT_NULLABLE destroy,
                                          plot_error **PLOT_NULLABLE error);

/* Records all that the engine is given and gives back, from plot_engine_init on
 * (docs/recording.md): registered later, it is PLOT_ALREADY_INITIALIZED. Removing it ends that.
 * Since 4. */
int32_t plot_engine_set_recording_callback(plot_engine *engine, plot_recording_fn PLOT_NULLABLE fn,
                                           void *PLOT_NULLABLE user_data,
                                           plot_destroy_fn PLOT_NULLABLE destroy,
                                           plot_error **PLOT_NULLABLE error);

int32_t plot_engine_set_log_callback(plot_engine *engine, plot_log_fn PLOT_NULLABLE fn,
                                     void *PLOT_NULLABLE user_data,
                                     plot_destroy_fn PLOT_NULLABLE destroy,
                                     plot_error **PLOT_NULLABLE error);

int32_t plot_engine_set_wakeup_callback(plot_engine *engine, plot_wakeup_fn PLOT_NULLABLE fn,
                                        void *PLOT_NULLABLE user_data,
                                        plot_destroy_fn PLOT_NULLABLE destroy,
                                        plot_error **PLOT_NULLABLE error);

/* Since 17. */
int32_t plot_engine_set_sync_callback(plot_engine *engine, plot_sync_fn PLOT_NULLABLE fn,
                                      void *PLOT_NULLABLE user_data,
                                      plot_destroy_fn PLOT_NULLABLE destroy,
                                      plot_error **PLOT_NULLABLE error);

/* Since 8. */
int32_t plot_engine_set_fix_request_callback(plot_engine *engine,
                                             plot_fix_request_fn PLOT_NULLABLE fn,
                                             void *PLOT_NULLABLE user_data,
                                             plot_destroy_fn PLOT_NULLABLE destroy,
                                             plot_error **PLOT_NULLABLE error);

/* ---- Engine: strategies (docs/strategies.md) ------------------------------------------------- */

/* Registers a strategy under a key of its own, in the place of the one that has it, else behind all
 * others; a NULL `fn` removes it, and what it has saved stays. Every strategy is asked about every
 * notification, in the order of registering, and all must agree; the feed's settings may give it
 * parameters, or switch it off. May be called before plot_engine_init. PLOT_OK,
 * PLOT_INVALID_ARGUMENT, PLOT_CLOSED. Since 2. */
int32_t plot_engine_set_strategy(plot_engine *engine, const char *key,
                                 plot_strategy_fn PLOT_NULLABLE fn, void *PLOT_NULLABLE user_data,
                                 plot_destroy_fn PLOT_NULLABLE destroy,
                                 plot_error **PLOT_NULLABLE error);

/* The notification it is about, borrowed; NULL where it is about none. Since 2. */
const plot_item *PLOT_NULLABLE plot_strategy_call_get_item(
    const plot_strategy_call *PLOT_NULLABLE call);

/* PLOT_STRATEGY_VOTE_DELETE and PLOT_STRATEGY_DELETED: the notification that is to take its place,
 * borrowed; NULL where none is. Since 12. */
const plot_item *PLOT_NULLABLE plot_strategy_call_get_next(
    const plot_strategy_call *PLOT_NULLABLE call);

/* The time, in ms since 1970; 0 for NULL. Since 2. */
int64_t plot_strategy_call_get_time(const plot_strategy_call *PLOT_NULLABLE call);

/* Created and deleted: 1 when it was, 0 when it was not. Since 2. */
int32_t plot_strategy_call_get_done(const plot_strategy_call *PLOT_NULLABLE call);

/* Parameters, the circumstances of a vote, why a notification was deleted, or what is monitored, as
 * a JSON object; "{}" otherwise. Borrowed; "" for NULL. Since 2. */
const char *plot_strategy_call_get_json(const plot_strategy_call *PLOT_NULLABLE call);

/* Load: what was saved, NULL at the first time. Borrowed. Since 2. */
const char *PLOT_NULLABLE plot_strategy_call_get_state(
    const plot_strategy_call *PLOT_NULLABLE call);

/* Save: what is to be kept for this strategy alone, any text; without a call what was kept stays.
 * PLOT_OK, PLOT_INVALID_ARGUMENT also when `call` is not a save. Since 2. */
int32_t plot_strategy_call_set_state(plot_strategy_call *call, const char *state,
                                     plot_error **PLOT_NULLABLE error);

/* ---- Engine: recording (docs/recording.md).
 *      Statuses: PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_CLOSED. --------------------------------- */

/* Records all that the engine is given and gives back into a new file, from plot_engine_init on,
 * which comes after this call: else it is PLOT_ALREADY_INITIALIZED. A line is written when its
 * input has been taken and stored. The file is for its owner alone, and holds places and times of a
 * person. `flags` is 0 or PLOT_RECORD_INPUTS. PLOT_IO_ERROR when there is a file already, or none
 * can be made; a write that fails later ends the recording, with a line in the debug log, and
 * nothing else. Since 4. */
int32_t plot_engine_record_to_file(plot_engine *engine, const char *path, int32_t flags,
                                   plot_error **PLOT_NULLABLE error);

/* Ends the recording, into a file and into a callback; PLOT_OK also without one. Since 4. */
int32_t plot_engine_stop_recording(plot_engine *engine, plot_error **PLOT_NULLABLE error);

/* ---- Replay of a recording. Since 4.
 *      Statuses: PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_INVALID_DOCUMENT. ----------------------- */

int32_t plot_replay_new(plot_replay **PLOT_NONNULL out, plot_error **PLOT_NULLABLE error);

/* Takes the next line of a recording: `length` bytes without the line end. `out` is what an engine
 * would write for it, each line with its line end: the line itself, and for an input all that it
 * leads to; nothing for the line of an effect, because it has come with its input. All that is
 * given back, in order, is the recording as it would be made now: the same bytes, when nothing has
 * changed. An error has the number of the line; the replay may go on behind it. Also PLOT_STORE_
 * statuses, for the image of a store in the first line. Since 4. */
int32_t plot_replay_take_line(plot_replay *replay, const char *line, size_t length,
                              plot_string **PLOT_NONNULL out, plot_error **PLOT_NULLABLE error);

void plot_replay_free(plot_replay *PLOT_NULLABLE replay);

/* ---- Engine: settings. In addition to the statuses that are named, each: PLOT_OK,
 *      PLOT_INVALID_ARGUMENT, PLOT_NOT_INITIALIZED, PLOT_CLOSED, PLOT_STORE_FAILED,
 *      PLOT_STORE_READ_ONLY, PLOT_STORE_IN_DOUBT. `time_ms` is the time of the call. ----------- */

/* Starts, or stops, to follow places; remembered across restarts. While disabled, fixes are taken
 * and ignored. Disabling ends all visits in silence; after enabling, the first fix is a first fix
 * again. Since 1. */
int32_t plot_engine_enable(plot_engine *engine, int64_t time_ms, plot_error **PLOT_NULLABLE error);
int32_t plot_engine_disable(plot_engine *engine, int64_t time_ms, plot_error **PLOT_NULLABLE error);

/* 1 or 0 in `out`. Since 1. */
int32_t plot_engine_is_enabled(plot_engine *engine, int32_t *out, plot_error **PLOT_NULLABLE error);

/* Least time between two notifications in seconds, 0 for none, at most 31536000; remembered.
 * Since 1. */
int32_t plot_engine_set_cooldown_period(plot_engine *engine, int64_t time_ms, int64_t seconds,
                                        plot_error **PLOT_NULLABLE error);

/* The period in force, in seconds. Since 1. */
int32_t plot_engine_get_cooldown_period(plot_engine *engine, int64_t *out,
                                        plot_error **PLOT_NULLABLE error);

/* The device's time zone, by its IANA name, such as "Europe/Amsterdam"; remembered; "UTC" until it
 * is set. Call it when the device changes zone: all that waits for a time is evaluated again.
 * PLOT_INVALID_ARGUMENT too when this system has no such zone; it reads the system's zone data
 * (TZif, RFC 8536). Since 2. */
int32_t plot_engine_set_time_zone(plot_engine *engine, int64_t time_ms, const char *time_zone,
                                  plot_error **PLOT_NULLABLE error);

/* Its name. Since 2. */
int32_t plot_engine_get_time_zone(plot_engine *engine, plot_string **PLOT_NONNULL out,
                                  plot_error **PLOT_NULLABLE error);

/* Reports the device's clocks: the wall clock (`time_ms`), the one that counts on from the start of
 * the device, also while it sleeps (`monotonic_ms`, 0 or more), and a name for that start
 * (`boot_id`, 1 to 255 bytes, another one after the next start). Call it before plot_engine_init,
 * which then takes it at its very start (and its refusal is that call's, with a message that begins
 * with plot_engine_set_clock), and, before other inputs, whenever the wall clock may have been set.
 * By as much as it was set, all moves from which a length of time is counted; less than a second is
 * drift, and adds up. After another start, a wall clock that has gone back counts as no time
 * passed. Called before each delivery, though nothing is new about the clocks, it says what time it
 * is now: an input more than `engine.maxAhead` beyond that is refused (PLOT_INVALID_ARGUMENT, the
 * decision `ahead`) until one is a minute later than the reading (docs/rules.md, Clocks).
 * PLOT_INVALID_ARGUMENT too when `monotonic_ms` is less than before with the same `boot_id`. Never
 * PLOT_NOT_INITIALIZED. Since 2. */
int32_t plot_engine_set_clock(plot_engine *engine, int64_t time_ms, int64_t monotonic_ms,
                              const char *boot_id, plot_error **PLOT_NULLABLE error);

/* Takes a feed in place of the one in force, whole. A region whose place is unchanged keeps its
 * visit; a visit to one that is gone or has moved ends in silence. The store keeps the feed for the
 * next start. Since 1. */
int32_t plot_engine_set_feed(plot_engine *engine, int64_t time_ms, const plot_feed *feed,
                             plot_error **PLOT_NULLABLE error);

/* Before plot_engine_init with a store: if the feed that the store holds is this one, it is taken
 * from here, and the store's JSON is not read; any other has no effect. So a start with a large
 * compiled feed (plot_feed_map) reads no JSON. PLOT_ALREADY_INITIALIZED after plot_engine_init.
 * Since 5. */
int32_t plot_engine_offer_feed(plot_engine *engine, const plot_feed *feed,
                               plot_error **PLOT_NULLABLE error);

/* Segmentation properties: one typed value for a key (any text but the empty), overwritten by the
 * next, of whatever type; remembered. A NULL string clears. `value` of the boolean is 0 or 1; of
 * the date, ms since 1970; the double is finite. Since 1. */
int32_t plot_engine_set_string_segmentation_property(plot_engine *engine, int64_t time_ms,
                                                     const char *key,
                                                     const char *PLOT_NULLABLE value,
                                                     plot_error **PLOT_NULLABLE error);
int32_t plot_engine_set_boolean_segmentation_property(plot_engine *engine, int64_t time_ms,
                                                      const char *key, int32_t value,
                                                      plot_error **PLOT_NULLABLE error);
int32_t plot_engine_set_integer_segmentation_property(plot_engine *engine, int64_t time_ms,
                                                      const char *key, int64_t value,
                                                      plot_error **PLOT_NULLABLE error);
int32_t plot_engine_set_double_segmentation_property(plot_engine *engine, int64_t time_ms,
                                                     const char *key, double value,
                                                     plot_error **PLOT_NULLABLE error);
int32_t plot_engine_set_date_segmentation_property(plot_engine *engine, int64_t time_ms,
                                                   const char *key, int64_t value,
                                                   plot_error **PLOT_NULLABLE error);

/* Clears a property; PLOT_OK also when it was not set. Since 1. */
int32_t plot_engine_clear_segmentation_property(plot_engine *engine, int64_t time_ms,
                                                const char *key, plot_error **PLOT_NULLABLE error);

/* All properties as a JSON object: {"key": {"type": "string" | "boolean" | "integer" | "double" |
 * "date", "value": ...}}, sorted by key; a date's value is ISO 8601 text. Since 1. */
int32_t plot_engine_get_segmentation_properties(plot_engine *engine, plot_string **PLOT_NONNULL out,
                                                plot_error **PLOT_NULLABLE error);

/* The device's advertising identifier, for the events from now on; remembered. `limit_tracking` is
 * 1 if the user does not want to be tracked: events then say so, and the identifier is neither
 * reported nor stored. Otherwise it is 0. A NULL identifier takes both away. Since 2. */
int32_t plot_engine_set_advertising_identifier(plot_engine *engine, int64_t time_ms,
                                               const char *PLOT_NULLABLE identifier,
                                               int32_t limit_tracking,
                                               plot_error **PLOT_NULLABLE error);

/* ---- Engine: inputs. The same statuses; plot_engine_update_location also PLOT_OUT_OF_ORDER. -- */

/* Where the device is. Latitude and longitude in degrees (WGS 84).
 *   accuracy: metres, at most 20037508 (half of the equator); 0 when not known: the fix is then
 *     taken as exact
 *   speed: metres a second, at most 299792458 (the speed of light); -1 when not known
 *   course: degrees from north, 0 to 360; -1 when not known
 * NaN as accuracy, speed or course means that it is not known. A latitude beyond 90, a longitude
 * beyond 180, NaN as either of them, a negative accuracy, and a value beyond its limit, infinity
 * too, are PLOT_INVALID_ARGUMENT, and nothing changes. A fix older than the newest input, by more
 * than the noise policy lets come late, is PLOT_OUT_OF_ORDER; a decision says so, too. Since 1. */
int32_t plot_engine_update_location(plot_engine *engine, int64_t time_ms, double latitude,
                                    double longitude, double accuracy, double speed, double course,
                                    plot_error **PLOT_NULLABLE error);

/* A beacon was heard. `proximity` is the host's own word, a PLOT_PROXIMITY_ value, and counts where
 * it is known; else the distance is made from `rssi`, how strongly it was heard, and `power`, how
 * strongly it is heard at one metre, in dBm, 0 each when not known. Of many sightings each is
 * given, as it comes (docs/rules.md, Beacons). Ids in the form of the feed. A sighting older than
 * the newest input is PLOT_OUT_OF_ORDER. Since 3. */
int32_t plot_engine_update_ibeacon(plot_engine *engine, int64_t time_ms, const char *proximity_uuid,
                                   int32_t major_id, int32_t minor_id, int32_t proximity,
                                   double rssi, double power, plot_error **PLOT_NULLABLE error);
/* The same for a beacon that sends Eddystone UID frames; `power` is that of its frames, which is at
 * zero metres, 41 dB more. Since 3. */
int32_t plot_engine_update_eddystone(plot_engine *engine, int64_t time_ms, const char *namespace_id,
                                     const char *instance_id, int32_t proximity, double rssi,
                                     double power, plot_error **PLOT_NULLABLE error);

/* Reports what the operating system says about a region that it watches for the host
 * (docs/rules.md, Hints): a PLOT_HINT_ value. `accuracy` is that of the position that came with it,
 * as for plot_engine_update_location, or -1 when none did; latitude and longitude then do not
 * count. A hint is checked: a stale, doubled, contradicted or unproven one changes nothing, which a
 * decision reports (`hint-stale`, `hint-duplicate`, `hint-contradicted`, `hint-unproven`), and is
 * PLOT_OK. Also PLOT_NOT_FOUND, when the feed has no such region; a group is PLOT_INVALID_ARGUMENT,
 * because no system watches one. Since 3. */
int32_t plot_engine_region_hint(plot_engine *engine, int64_t time_ms, const char *region_id,
                                int32_t kind, double latitude, double longitude, double accuracy,
                                plot_error **PLOT_NULLABLE error);

/* Plans which regions to register with a system that watches at most `budget` regions
 * (docs/region-plan.md; 1 to 1000, 0 for maxRegionsMonitored of the configuration), one place of it
 * for the movement fence: the difference against the last plan, as a JSON object. {"add": [...],
 * "remove": [...], "fence": {"latitude", "longitude", "radius"} or null, "fenceChanged", "dense",
 * "unwatchedBeacons"}. While the device stays within the fence, no place that is not registered is
 * entered or left, unless `dense` is true. Plan again when the system says that the fence was left,
 * and after a new feed. `accuracy` in metres is that of the position, 0 or NaN when not known; -1
 * for the newest fix of this process instead. The position is not a fix. `flags` are PLOT_PLAN_
 * values. The plan is remembered. PLOT_NOT_FOUND too, when no position is known and not all fits
 * the budget. Since 3. */
int32_t plot_engine_plan_regions(plot_engine *engine, int64_t time_ms, double latitude,
                                 double longitude, double accuracy, int32_t budget, int32_t flags,
                                 plot_string **PLOT_NONNULL out, plot_error **PLOT_NULLABLE error);

/* A region with "moving": true in the feed (a bus, a friend) is now there; remembered. If the
 * newest fix is at most two minutes old, the engine evaluates at once whether the device is inside.
 * If the reports come every two minutes or more often, and the region's noise policy weighs
 * evidence, the engine compares the region with fixes of the same time instead; so report it as
 * often while it does not move. Another region, or a latitude beyond 90 or longitude beyond 180, is
 * PLOT_INVALID_ARGUMENT. Since 3. */
int32_t plot_engine_move_region(plot_engine *engine, int64_t time_ms, const char *region,
                                double latitude, double longitude,
                                plot_error **PLOT_NULLABLE error);

/* Time has passed: what is due happens, each at its own time. A time in the past changes nothing
 * but what was due by then. Since 1. */
int32_t plot_engine_advance(plot_engine *engine, int64_t time_ms, plot_error **PLOT_NULLABLE error);

/* When to call plot_engine_advance next, in ms since 1970; PLOT_NO_WAKEUP in `out` when nothing is
 * due. Before the newest time when another feed or time zone has made something overdue: then at
 * once. Never before `engine.earliestTime`. What would be due after the year 9999 is no wakeup: no
 * input can have such a time. Since 1. */
int32_t plot_engine_next_wakeup(plot_engine *engine, int64_t *out,
                                plot_error **PLOT_NULLABLE error);

/* The items of an open batch, for answering later; fresh copies. Also PLOT_UNKNOWN_TOKEN,
 * PLOT_ALREADY_ANSWERED. Since 1. */
int32_t plot_engine_get_batch(plot_engine *engine, uint64_t token, plot_list **PLOT_NONNULL out,
                              plot_error **PLOT_NULLABLE error);

/* Answers a filter's batch. A `time_ms` of 0 is the newest time that the engine has seen. The items
 * of `kept` (NULL for none) go on, with their edits; the others are dropped and may trigger again.
 * Also PLOT_UNKNOWN_TOKEN, PLOT_ALREADY_ANSWERED, PLOT_UNKNOWN_ITEM; then nothing changes.
 * Since 1. */
int32_t plot_engine_answer_filter(plot_engine *engine, int64_t time_ms, uint64_t token,
                                  const plot_list *PLOT_NULLABLE kept,
                                  plot_error **PLOT_NULLABLE error);

/* Answers a geotrigger batch. A `time_ms` of 0 is the newest time that the engine has seen. The
 * items of `handled` (NULL for none) are handled; the others may trigger again. With a store, an
 * answer survives the process at once. A loss of power may take it; then the geotriggers are
 * offered again (docs/store.md). Statuses as for plot_engine_answer_filter. Since 1. */
int32_t plot_engine_mark_geotriggers_handled(plot_engine *engine, int64_t time_ms, uint64_t token,
                                             const plot_list *PLOT_NULLABLE handled,
                                             plot_error **PLOT_NULLABLE error);

/* Puts notifications to the filter, or geotriggers to their handler, as if they had come, with no
 * consequence but the answer (the SDK's testFilterNotifications). The items are copies of those
 * given, with a matchIdentifier where they have none; `token`, above 2^52, names this test in the
 * callback, in plot_engine_get_batch and in the answer. It has no deadline, is forgotten with the
 * process, and when 64 newer ones have come. Without a filter or a handler everything passes.
 * PLOT_INVALID_ARGUMENT also for an item of the other kind. Since 2. */
int32_t plot_engine_test_filter(plot_engine *engine, const plot_list *notifications,
                                uint64_t *token, plot_error **PLOT_NULLABLE error);
int32_t plot_engine_test_geotrigger_handler(plot_engine *engine, const plot_list *geotriggers,
                                            uint64_t *token, plot_error **PLOT_NULLABLE error);

/* The items that were kept in a test, with their edits. Also PLOT_NOT_FOUND while it has not been
 * answered, PLOT_UNKNOWN_TOKEN. Since 2. */
int32_t plot_engine_get_test_answer(plot_engine *engine, uint64_t token,
                                    plot_list **PLOT_NONNULL out, plot_error **PLOT_NULLABLE error);

/* The person opened (tapped) a notification. Marks it opened at its first opening, and leads to the
 * opened event and to the notification handler or the open callback. Also PLOT_NOT_FOUND, when no
 * notification on the screen or in the sent list has this matchIdentifier. Since 1. */
int32_t plot_engine_open_notification(plot_engine *engine, int64_t time_ms,
                                      const char *match_identifier,
                                      plot_error **PLOT_NULLABLE error);

/* The person chose an action of a notification. It leads to the action event, and marks the
 * notification opened at its first opening; an action with `foreground` then leads to what
 * plot_engine_open_notification leads to. A notification without known actions, whose category is
 * the app's own, takes any action id but the empty one. Also PLOT_NOT_FOUND, when no notification
 * on the screen or in the sent list has this matchIdentifier, or it has actions and this is none of
 * them. Since 2. */
int32_t plot_engine_take_action(plot_engine *engine, int64_t time_ms, const char *match_identifier,
                                const char *action_id, plot_error **PLOT_NULLABLE error);
/* The person dismissed a notification: it is off the screen, and its slot is free. PLOT_OK too, and
 * nothing happens, when it is off the screen already. Also PLOT_NOT_FOUND, when no notification on
 * the screen or in the sent list has this matchIdentifier. Since 2. */
int32_t plot_engine_dismiss_notification(plot_engine *engine, int64_t time_ms,
                                         const char *match_identifier,
                                         plot_error **PLOT_NULLABLE error);

/* Takes a notification off the screen by the remove callback, or with NULL all of them. PLOT_OK
 * too, and nothing happens, when it is off the screen already. Also PLOT_NOT_FOUND, when no
 * notification on the screen or in the sent list has this matchIdentifier. Since 11. */
int32_t plot_engine_remove_notification(plot_engine *engine, int64_t time_ms,
                                        const char *PLOT_NULLABLE match_identifier,
                                        plot_error **PLOT_NULLABLE error);

/* Changes the content of a notification that is on the screen: `item` is one of
 * plot_engine_get_displayed_notifications, with edits, or a copy of one. The show callback gets it
 * with a matchIdentifier of its own, and with `updates`, that of the one whose place it takes. It
 * begins no cooldown, and no cap counts it; the sent list keeps both. Also PLOT_NOT_FOUND, when it
 * is not on the screen. Since 11. */
int32_t plot_engine_update_notification(plot_engine *engine, int64_t time_ms, const plot_item *item,
                                        plot_error **PLOT_NULLABLE error);

/* The app has come to the foreground (1) or gone to the background (0); remembered; in the
 * background until it is said. Since 2. */
int32_t plot_engine_set_foreground(plot_engine *engine, int64_t time_ms, int32_t foreground,
                                   plot_error **PLOT_NULLABLE error);

/* There is a network (1), as is assumed until it is said, or none (0); remembered. Since 2. */
int32_t plot_engine_set_network(plot_engine *engine, int64_t time_ms, int32_t available,
                                plot_error **PLOT_NULLABLE error);

/* ---- Engine: many fixes at once (docs/batch.md). The same statuses. -------------------------- */

/* Takes `count` fixes of one device. Equivalent to calling plot_engine_update_location once for
 * each of them, in this order, callbacks between them included. Fix i is at position i of each
 * column; `accuracies`, `speeds` and `courses` may be NULL, when none is known. A fix that is
 * refused leaves a record with its position, and the next is taken. `out` receives what has
 * happened in this engine meanwhile, also by calls that a callback has made, but not what these
 * gave to a call of this kind of their own. The call fails only when nothing has been taken: NULL
 * for a column, a `count` beyond 4294967294, an engine that does not run. Since 5. */
int32_t plot_engine_update_locations(plot_engine *engine, size_t count, const int64_t *times_ms,
                                     const double *latitudes, const double *longitudes,
                                     const double *PLOT_NULLABLE accuracies,
                                     const double *PLOT_NULLABLE speeds,
                                     const double *PLOT_NULLABLE courses,
                                     plot_effects **PLOT_NONNULL out,
                                     plot_error **PLOT_NULLABLE error);

/* Takes `count` fixes of one device that the system has handed over together at `time_ms`, in any
 * order and perhaps twice: all are evaluated before anything is reported, and then all that is due
 * up to `time_ms` happens. So a visit that began and ended within them has its events, at its own
 * times, and its geotriggers; its notifications are dropped as `over`, unless their campaign has
 * `showLate` (docs/batch.md, One moment). Columns, refused fixes and `out` are those of
 * plot_engine_update_locations; the call also fails, and nothing has been taken, when `time_ms` is
 * refused. Since 9. */
int32_t plot_engine_update_locations_together(plot_engine *engine, int64_t time_ms, size_t count,
                                              const int64_t *times_ms, const double *latitudes,
                                              const double *longitudes,
                                              const double *PLOT_NULLABLE accuracies,
                                              const double *PLOT_NULLABLE speeds,
                                              const double *PLOT_NULLABLE courses,
                                              plot_effects **PLOT_NONNULL out,
                                              plot_error **PLOT_NULLABLE error);

/* plot_engine_update_locations for fixes of many devices: fix i is for engines[devices[i]]. An
 * engine that no fix is for may be NULL or closed. Also fails, before anything is taken, when a
 * device is not below `engine_count`, or its engine is NULL or does not run; the error names the
 * element. A callback may close or free engines of the call: their further fixes are refused with
 * PLOT_CLOSED. Since 5. */
int32_t plot_engines_update_locations(plot_engine *const *PLOT_NONNULL engines, size_t engine_count,
                                      const uint32_t *devices, size_t count,
                                      const int64_t *times_ms, const double *latitudes,
                                      const double *longitudes,
                                      const double *PLOT_NULLABLE accuracies,
                                      const double *PLOT_NULLABLE speeds,
                                      const double *PLOT_NULLABLE courses,
                                      plot_effects **PLOT_NONNULL out,
                                      plot_error **PLOT_NULLABLE error);

/* Replays recorded fixes of many devices: plot_engines_update_locations for a host that also calls
 * plot_engine_advance at each wakeup (plot_engine_next_wakeup). If something is due at the time of
 * a fix, it happens right after the fix; before a fix, all wakeups before it come one by one. After
 * the last fix, those up to `until_ms` come in every engine, also in one without a fix; -1 for none
 * of them. A fix that is refused for its values makes no time pass. A wakeup's record has the
 * position of the fix that it is due with, or else of the one that comes next, or PLOT_NO_POSITION
 * behind the last. Every engine of the array has to run. Since 15. */
int32_t plot_engines_replay(plot_engine *const *PLOT_NONNULL engines, size_t engine_count,
                            const uint32_t *devices, size_t count, const int64_t *times_ms,
                            const double *latitudes, const double *longitudes,
                            const double *PLOT_NULLABLE accuracies,
                            const double *PLOT_NULLABLE speeds, const double *PLOT_NULLABLE courses,
                            int64_t until_ms, plot_effects **PLOT_NONNULL out,
                            plot_error **PLOT_NULLABLE error);

/* How many records; 0 for NULL. Since 5. */
size_t plot_effects_get_count(const plot_effects *PLOT_NULLABLE effects);

/* The records, one behind the other, in the order in which it happened. Borrowed until freed; NULL
 * when there are none, and for NULL. Since 5. */
const plot_effect *PLOT_NULLABLE plot_effects_get_records(
    const plot_effects *PLOT_NULLABLE effects);

/* Frees effects; NULL is accepted. Since 5. */
void plot_effects_free(plot_effects *PLOT_NULLABLE effects);

/* ---- Roaming --------------------------------------------------------------------------------- */

/* Fences that move with devices (docs/roaming.md): two devices are near each other when they are at
 * most `enter_metres` apart, above 0 and at most 100,000, and until they are more than
 * `exit_metres` apart, not below `enter_metres` and at most 200,000. Two fixes that are more than
 * `max_age_ms` apart in time do not say that devices are near; 0 for any. `flags` is 0 or
 * PLOT_ROAMING_DISTANCES. Nothing is kept when the process ends. Since 21. */
int32_t plot_roaming_new(double enter_metres, double exit_metres, int64_t max_age_ms,
                         uint32_t flags, plot_roaming **PLOT_NONNULL out,
                         plot_error **PLOT_NULLABLE error);

/* Takes `count` fixes in their order: fix i is of the device `devices[i]`, any number. A fix that
 * is older than the newest of its device says nothing. `out` receives the news. Fails for a place
 * or a time that is none, and then nothing has changed; the error names the element. Since 21. */
int32_t plot_roaming_update_locations(plot_roaming *roaming, const uint32_t *devices, size_t count,
                                      const int64_t *times_ms, const double *latitudes,
                                      const double *longitudes, plot_pairs **PLOT_NONNULL out,
                                      plot_error **PLOT_NULLABLE error);

/* Forgets a device; `out` receives an exit for each device near it. PLOT_NOT_FOUND for one that is
 * not known. Since 21. */
int32_t plot_roaming_remove(plot_roaming *roaming, uint32_t device, plot_pairs **PLOT_NONNULL out,
                            plot_error **PLOT_NULLABLE error);

/* Forgets the devices whose newest fix is older than `before_ms`; `out` receives the exits.
 * Since 21. */
int32_t plot_roaming_expire(plot_roaming *roaming, int64_t before_ms, plot_pairs **PLOT_NONNULL out,
                            plot_error **PLOT_NULLABLE error);

/* `out` receives a record of each pair that is near, by their numbers. Since 21. */
int32_t plot_roaming_list_pairs(plot_roaming *roaming, plot_pairs **PLOT_NONNULL out,
                                plot_error **PLOT_NULLABLE error);

/* Frees it; NULL is accepted. Since 21. */
void plot_roaming_free(plot_roaming *PLOT_NULLABLE roaming);

/* How many records; 0 for NULL. Since 21. */
size_t plot_pairs_get_count(const plot_pairs *PLOT_NULLABLE pairs);

/* The records, in their order: those of one fix by the number of the other device. Borrowed until
 * freed; NULL when there are none, and for NULL. Since 21. */
const plot_pair *PLOT_NULLABLE plot_pairs_get_records(const plot_pairs *PLOT_NULLABLE pairs);

/* Frees pairs; NULL is accepted. Since 21. */
void plot_pairs_free(plot_pairs *PLOT_NULLABLE pairs);

/* ---- Engine: its state as bytes (docs/state-bytes.md). --------------------------------------- */

/* Flags of plot_engine_save and plot_engines_save. Since 14. */
#define PLOT_SAVE_EVENTS 1 /* also the events that the app has yet to acknowledge */

/* Gives all that a store keeps, but for the feed, as bytes: plot_string_get and
 * plot_string_get_length; zeros may be among them. The same state gives the same bytes. `flags` are
 * PLOT_SAVE_ values, or 0. Also PLOT_NOT_INITIALIZED and PLOT_CLOSED. Since 14. */
int32_t plot_engine_save(plot_engine *engine, int32_t flags, plot_string **PLOT_NONNULL out,
                         plot_error **PLOT_NULLABLE error);

/* Starts an engine with what plot_engine_save gave, in place of plot_engine_init. `time_ms` is the
 * time of the start, or -1 for the newest one that the state knows. `feed`, which may be NULL for
 * none, is in force from then on: one that has another digest than that of then is taken as
 * plot_engine_set_feed takes a new one. With `store_path`, all of it is remembered in a new store;
 * NULL keeps it in memory. Two engines that are restored from the same bytes go on alike: drop one
 * of them. Beside the statuses of plot_engine_init, PLOT_INVALID_DOCUMENT for bytes that are no
 * state, or damaged, and PLOT_STORE_NEWER for those of a later version: nothing has changed.
 * Since 14. */
int32_t plot_engine_restore(plot_engine *engine, int64_t time_ms, const plot_config *config,
                            const plot_feed *PLOT_NULLABLE feed,
                            const char *PLOT_NULLABLE store_path, const char *bytes, size_t length,
                            plot_error **PLOT_NULLABLE error);

/* plot_engine_save for many engines: `out` receives their bytes one behind the other, and ends[i]
 * where those of engine i end. Fails whole when one of them cannot be saved; the error names it.
 * Since 14. */
int32_t plot_engines_save(plot_engine *const *PLOT_NONNULL engines, size_t engine_count,
                          int32_t flags, int64_t *ends, plot_string **PLOT_NONNULL out,
                          plot_error **PLOT_NULLABLE error);

/* plot_engine_restore for many engines, in memory, each from the bytes before ends[i]. Those before
 * the first one that fails are restored; the error names that one. Since 14. */
int32_t plot_engines_restore(plot_engine *const *PLOT_NONNULL engines, size_t engine_count,
                             int64_t time_ms, const plot_config *config,
                             const plot_feed *PLOT_NULLABLE feed, const char *bytes, size_t length,
                             const int64_t *ends, plot_error **PLOT_NULLABLE error);

/* ---- Engine: trips (docs/trips.md). The same statuses, and PLOT_INVALID_DOCUMENT. ------------ */

/* The app begins a trip to a region: `length` bytes of JSON, as {"id": "order-7", "region":
 * "shop"}. Its progress is reported as events, and campaigns may wait for them. A trip of this id
 * that is on continues with the new plan. A trip ends at the destination, or when its time is over;
 * it survives the process. PLOT_INVALID_DOCUMENT for JSON that is no trip. PLOT_INVALID_ARGUMENT
 * too for a seventeenth trip, and for one whose time would be over. Also PLOT_NOT_FOUND, when the
 * feed has no such region. Since 22. */
int32_t plot_engine_start_trip(plot_engine *engine, int64_t time_ms, const char *json,
                               size_t length, plot_error **PLOT_NULLABLE error);

/* A trip is over: with `arrived` other than 0 the device has arrived, though no fix says so, and
 * else it is cancelled. Also PLOT_NOT_FOUND, when no trip of this id is on. Since 22. */
int32_t plot_engine_end_trip(plot_engine *engine, int64_t time_ms, const char *trip_id,
                             int32_t arrived, plot_error **PLOT_NULLABLE error);

/* The trips that are on as a JSON array, sorted by id (docs/trips.md): the plan, without the route,
 * and the progress at `time_ms`: metres that are left, the arrival, the speed, and the reports that
 * were made. The call changes nothing. Since 22. */
int32_t plot_engine_get_trips(plot_engine *engine, int64_t time_ms, plot_string **PLOT_NONNULL out,
                              plot_error **PLOT_NULLABLE error);

/* ---- Engine: messages (docs/messages.md). The same statuses, and PLOT_INVALID_DOCUMENT. ------ */

/* A message has come, such as a push: `length` bytes of JSON. If it is newer than all others with
 * its correlation key, it goes through the feed's rules, and then through the steps of a
 * notification: filter, strategies, slots, show callback. A retract takes the message with its key
 * off the screen. A message that must not be shown emits an event `message-dropped`, or, when the
 * host cannot suppress it (engine.capabilities), to the show callback with a placeholder, or
 * without sound. PLOT_INVALID_DOCUMENT for JSON that is no message: nothing changes. Since 2. */
int32_t plot_engine_process_message(plot_engine *engine, int64_t time_ms, const char *json,
                                    size_t length, plot_error **PLOT_NULLABLE error);

/* Takes a list that rules ask, such as of blocked senders: {"version": n, "entries": ["...", ...]},
 * at most 100,000 entries; remembered. One that is older than the list in force is ignored, with a
 * decision `list-older`, and PLOT_OK. A NULL `json` makes the list absent, which is not the same as
 * empty. `name` is 1 to 255 bytes without ; and control characters. Since 2. */
int32_t plot_engine_set_list(plot_engine *engine, int64_t time_ms, const char *name,
                             const char *PLOT_NULLABLE json, size_t length,
                             plot_error **PLOT_NULLABLE error);

/* Adds entries to a list and takes others out: {"add": ["...", ...], "remove": ["...", ...]}, one
 * of the two at least, no entry in both. Its version stays; an absent list is there from now on,
 * with version 0. Also PLOT_INVALID_ARGUMENT, when it would have more than 100,000 entries; nothing
 * changes then. Since 11. */
int32_t plot_engine_edit_list(plot_engine *engine, int64_t time_ms, const char *name,
                              const char *json, size_t length, plot_error **PLOT_NULLABLE error);

/* Whether an entry is in a list: 1 or 0. Also PLOT_NOT_FOUND, when the list is absent. Since 11. */
int32_t plot_engine_list_contains(plot_engine *engine, const char *name, const char *entry,
                                  int32_t *out, plot_error **PLOT_NULLABLE error);

/* The lists that are there, as a JSON array, sorted by name: [{"name": text, "version": n, "count":
 * n, "refreshed": ISO 8601 text}]. Since 2. */
int32_t plot_engine_get_lists(plot_engine *engine, plot_string **PLOT_NONNULL out,
                              plot_error **PLOT_NULLABLE error);

/* ---- Engine: events that the app acknowledges (docs/events.md, Consumers). The same statuses.  */

/* The events that wait for a consumer, "app", as JSON: {"acknowledged": n, "lost": n, "waiting": n,
 * "events": [event records]}. Those after a sequence, 0 for all, oldest first, at most `limit`, 0
 * for all. Nothing is taken. Also PLOT_INVALID_ARGUMENT, for another consumer, or without
 * `engine.events.acknowledge` in the configuration. Since 12. */
int32_t plot_engine_get_events(plot_engine *engine, const char *consumer, int64_t after_sequence,
                               size_t limit, plot_string **PLOT_NONNULL out,
                               plot_error **PLOT_NULLABLE error);

/* The consumer needs no event up to this sequence any more. One that was acknowledged before is
 * fine; also PLOT_INVALID_ARGUMENT, for a sequence that no event has had. An acknowledgement may be
 * lost with the power: its events come again then. Since 12. */
int32_t plot_engine_acknowledge_events(plot_engine *engine, const char *consumer, int64_t sequence,
                                       plot_error **PLOT_NULLABLE error);

/* ---- Engine: a campaign service (docs/sync.md). The same statuses. --------------------------- */

/* The library makes requests and takes answers; the host carries them. All of it needs `sync.url`
 * in the configuration (else PLOT_INVALID_ARGUMENT). A `time_ms` before the newest time of the
 * engine counts as that one. An answer to a request that is over, or to one of before
 * plot_engine_sync_stop, changes nothing. */

/* Starts it, goes on after a stop, or gives other facts. `facts` is JSON: {"platform": text,
 * "platformVersion": text, "appVersion": text, "language": text, "pushToken": text}, each may be
 * absent; NULL for none. `feed`, which may be NULL, counts until there is one of the service.
 * `seed`: 16 random bytes or more, the one source of chance. Also PLOT_INVALID_DOCUMENT.
 * Since 17. */
int32_t plot_engine_sync_begin(plot_engine *engine, int64_t time_ms,
                               const char *PLOT_NULLABLE facts, size_t facts_length,
                               const plot_feed *PLOT_NULLABLE feed, const char *seed,
                               size_t seed_length, plot_error **PLOT_NULLABLE error);

/* The next request: {"request": {"number": n, "method": text, "url": text, "headers": {name: text},
 * "body": text, "timeout": seconds, "largestBody": bytes, "stream": true or false}}; or {"until":
 * ms} when there is none before that, or before the sync callback names an earlier time; null for
 * none at all. The host asks again after each request, until it gets such a time. Since 17. */
int32_t plot_engine_sync_next(plot_engine *engine, int64_t time_ms, plot_string **PLOT_NONNULL out,
                              plot_error **PLOT_NULLABLE error);

/* The answer to a request. `headers`: lines of `Name: value`. `body` is decoded, and whole, or its
 * beginning where it has more than `largestBody` bytes; NULL for none. Also the statuses of
 * plot_engine_set_feed: the answer counts as none then. Since 17. */
int32_t plot_engine_sync_response(plot_engine *engine, int64_t time_ms, int64_t request,
                                  int32_t status, const char *headers,
                                  const char *PLOT_NULLABLE body, size_t length,
                                  plot_error **PLOT_NULLABLE error);

/* There is no answer to a request, or a stream is over; `reason` is for people. Since 17. */
int32_t plot_engine_sync_failure(plot_engine *engine, int64_t time_ms, int64_t request,
                                 const char *reason, plot_error **PLOT_NULLABLE error);

/* Bytes of a stream, as they come. Since 17. */
int32_t plot_engine_sync_receive(plot_engine *engine, int64_t time_ms, int64_t request,
                                 const char *bytes, size_t length,
                                 plot_error **PLOT_NULLABLE error);

/* A push message of the service: {"publication": n, "spread": seconds}. Also PLOT_INVALID_DOCUMENT,
 * for another text. Since 17. */
int32_t plot_engine_sync_message(plot_engine *engine, int64_t time_ms, const char *json,
                                 size_t length, plot_error **PLOT_NULLABLE error);

/* Sends a recording of this engine (docs/recording.md), whole or as far as it has come, to the
 * service: the person has agreed. At most 16 MiB. It is kept in memory until it is sent, and a
 * newer one takes its place; the status says what became of it. Also PLOT_INVALID_DOCUMENT.
 * Since 18. */
int32_t plot_engine_sync_recording(plot_engine *engine, int64_t time_ms, const char *json,
                                   size_t length, plot_error **PLOT_NULLABLE error);

/* Asks for the feed, and sends the events that wait, at once; also after a stop. Since 17. */
int32_t plot_engine_sync_now(plot_engine *engine, int64_t time_ms,
                             plot_error **PLOT_NULLABLE error);

/* Asks for nothing any more. Since 17. */
int32_t plot_engine_sync_stop(plot_engine *engine, int64_t time_ms,
                              plot_error **PLOT_NULLABLE error);

/* The status of the synchronization as JSON (docs/sync.md, Status). Since 17. */
int32_t plot_engine_get_sync_status(plot_engine *engine, plot_string **PLOT_NONNULL out,
                                    plot_error **PLOT_NULLABLE error);

/* ---- Engine: lists. The same statuses. ------------------------------------------------------- */

/* The loaded notifications: an item for each campaign and region, sent ones too, nearest edge first
 * when a location is known, else in the feed's order. At most `limit` items; 0 for all, and any
 * number that is not reached, such as SIZE_MAX. Since 1. */
int32_t plot_engine_get_loaded_notifications(plot_engine *engine, size_t limit,
                                             plot_list **PLOT_NONNULL out,
                                             plot_error **PLOT_NULLABLE error);
int32_t plot_engine_get_loaded_geotriggers(plot_engine *engine, size_t limit,
                                           plot_list **PLOT_NONNULL out,
                                           plot_error **PLOT_NULLABLE error);

/* The last 100 sent, oldest first, with dateSent, dateOpened or dateHandled, and with a filter's
 * edits. Since 1. */
int32_t plot_engine_get_sent_notifications(plot_engine *engine, plot_list **PLOT_NONNULL out,
                                           plot_error **PLOT_NULLABLE error);
int32_t plot_engine_get_sent_geotriggers(plot_engine *engine, plot_list **PLOT_NONNULL out,
                                         plot_error **PLOT_NULLABLE error);

/* Empties a list. Once-only and cooldowns are not forgotten. Since 1. */
int32_t plot_engine_clear_sent_notifications(plot_engine *engine, int64_t time_ms,
                                             plot_error **PLOT_NULLABLE error);
int32_t plot_engine_clear_sent_geotriggers(plot_engine *engine, int64_t time_ms,
                                           plot_error **PLOT_NULLABLE error);

/* Forgets the person, as after a first start (docs/privacy.md). Gone, from memory and from the
 * bytes of the store's files: the feed, the device's time zone, where the device was, visits and
 * their ordinals, segmentation properties, the advertising identifier, sent lists, histories of
 * notifications, caps and cooldowns, batches, what waits, what is on the screen (which the host
 * takes off itself), messages and lists, what strategies have saved, the region plan (the host ends
 * all monitoring), the debug log, kept decisions, and all that has not been reported yet. What
 * stays: enabled or not, the cooldown period, foreground, network, the clocks, callbacks; event
 * numbers and tokens go on. Nothing that is due happens first, no event reports it, and open
 * batches count as answered. Files that the app had written (recordings, decisions, debug logs,
 * feeds) are the app's to delete.
 *   PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_NOT_INITIALIZED, PLOT_CLOSED: as everywhere
 *   PLOT_STORE_FAILED, ...: nothing has changed; or, when the message says so, all is forgotten,
 *     and only bytes may be left in the file:
 *   call it again. It may be called from inside any callback. Since 6. */
int32_t plot_engine_clear_all_data(plot_engine *engine, int64_t time_ms,
                                   plot_error **PLOT_NULLABLE error);

/* The notifications on the screen, oldest first, at most 500: shown, and not opened, dismissed or
 * removed since. The items are yours to change, for plot_engine_update_notification. Since 2. */
int32_t plot_engine_get_displayed_notifications(plot_engine *engine, plot_list **PLOT_NONNULL out,
                                                plot_error **PLOT_NULLABLE error);

/* The visits in progress as a JSON array, sorted by region: [{"region": id, "visit": id, "ordinal":
 * n, "entered": ISO 8601 text}]. Since 1. */
int32_t plot_engine_get_visits(plot_engine *engine, plot_string **PLOT_NONNULL out,
                               plot_error **PLOT_NULLABLE error);

/* Where the engine is, as a JSON object for people and for programs that ask about one that runs:
 * time, enabled, foreground, timeZone, how many regions and campaigns its feed has, the ids of the
 * regions that are visited, how many notifications are displayed and how many are waiting, how many
 * questions to the app are open, nextWakeup (docs/explain.md, Summary). Since 13. */
int32_t plot_engine_get_summary(plot_engine *engine, plot_string **PLOT_NONNULL out,
                                plot_error **PLOT_NULLABLE error);

/* Writes the debug log, its last 1,000 lines, to a file (the SDK's mailDebugLog). Empty unless
 * `debug` is true in the configuration. Also PLOT_IO_ERROR. Since 1. */
int32_t plot_engine_write_debug_log(plot_engine *engine, const char *path,
                                    plot_error **PLOT_NULLABLE error);

/* ---- Why it was not shown -------------------------------------------------------------------- */

/* Keeps the newest decisions in memory (docs/decisions.md): `capacity` of them, 0 to 100000; 0, as
 * at first, for none. Since 4. */
int32_t plot_engine_keep_decisions(plot_engine *engine, int64_t capacity,
                                   plot_error **PLOT_NULLABLE error);

/* The decisions that are kept, as a JSON array, oldest first: those about a campaign and a region,
 * NULL for any; the newest `limit` of them, 0 for all. Since 4. */
int32_t plot_engine_get_decisions(plot_engine *engine, const char *PLOT_NULLABLE campaign_id,
                                  const char *PLOT_NULLABLE region_id, size_t limit,
                                  plot_string **PLOT_NONNULL out, plot_error **PLOT_NULLABLE error);

/* Appends each decision from now on to a file, a line of JSON each; NULL stops. Also PLOT_IO_ERROR.
 * When the file cannot be written later, that is a line of the log, and nothing more is written.
 * Since 4. */
int32_t plot_engine_write_decisions_to(plot_engine *engine, const char *PLOT_NULLABLE path,
                                       plot_error **PLOT_NULLABLE error);

/* Why a campaign has not been shown at a region yet, or when it was, and when it could be, as a
 * JSON object with one sentence in it (docs/explain.md). `region_id` NULL: the region that is
 * nearest to a showing. `language` is that of the sentence, "en", "nl", "de", "fr" or "es"; NULL,
 * and what is not known, is English. Nothing changes by it. PLOT_NOT_FOUND, when the feed has no
 * such campaign or region. Since 4. */
int32_t plot_engine_explain(plot_engine *engine, const char *campaign_id,
                            const char *PLOT_NULLABLE region_id, const char *PLOT_NULLABLE language,
                            plot_string **PLOT_NONNULL out, plot_error **PLOT_NULLABLE error);

#ifdef __cplusplus
}
#endif

#if defined(__clang__) && !defined(__swift__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif

#endif
