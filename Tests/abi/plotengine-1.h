/*
 * plotengine.h - location-based notifications, decided on the device and offline
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 *
 * The smallest useful program. It loads a configuration and a campaign feed, walks into a place and prints
 * what a phone would show. (bindings/c/sample.c is this program; the tests compare, compile and run it.)
 *
 *     #include <plotengine.h>
 *     #include <stdio.h>
 *
 *     static int32_t show(void *user_data, plot_engine *engine, const plot_item *notification) {
 *         const char *message = "";
 *         (void)user_data; (void)engine;
 *         plot_item_get_string(notification, PLOT_KEY_MESSAGE, &message);
 *         return printf("%s\n", message) < 0 ? PLOT_IO_ERROR : PLOT_OK;
 *     }
 *
 *     int main(void) {
 *         plot_engine *engine; plot_config *config; plot_feed *feed;
 *         if (plot_config_load("plotconfig.json", &config, NULL) || plot_feed_load("feed.json", &feed, NULL)
 *             || plot_engine_new(&engine, NULL)) return 1;
 *         plot_engine_set_show_callback(engine, show, NULL, NULL, NULL);
 *         plot_engine_init(engine, 1700000000000, config, NULL, NULL);
 *         plot_engine_set_feed(engine, 1700000000000, feed, NULL);
 *         plot_engine_update_location(engine, 1700000001000, 52.3700, 4.8900, 10, -1, -1, NULL);
 *         plot_engine_update_location(engine, 1700000061000, 52.3600, 4.8850, 10, -1, -1, NULL);
 *         plot_engine_free(engine); plot_feed_free(feed); plot_config_free(config);
 *         return 0;
 *     }
 *
 * OWNERSHIP. What a function gives through an out-parameter named `out` is yours: free it with the type's
 * `_free`, which accepts NULL. What a `_get` gives is borrowed, until the object it came from is changed or
 * freed. What a callback is handed is borrowed for the length of the callback, unless its page says otherwise.
 * No function consumes an argument. Out-parameters are written on every path: NULL, 0 or an empty string
 * when the call fails. Handles are not checked beyond NULL: using one after its `_free` is undefined. To have
 * late calls answered with PLOT_CLOSED, call plot_engine_close first and free when nothing can call any more.
 *
 * ERRORS. A function that can fail returns a status: PLOT_OK is 0, all others are above 0. A function that
 * fails has changed nothing. The last parameter, `plot_error **error`, may be NULL; otherwise it receives
 * NULL, or an error object of yours with the place of the fault (line and column, or a JSON pointer), what was
 * expected and what was found.
 *
 * TEXT is UTF-8, ends with a NUL and is refused (PLOT_INVALID_ARGUMENT) when it is not valid UTF-8.
 * Identifiers compare as bytes.
 *
 * TIME. The library reads no clock. Every input carries its own time in milliseconds since 1970-01-01T00:00:00Z.
 * A fix that is older than the newest time the engine has seen is refused (PLOT_OUT_OF_ORDER); any other input
 * that is older counts as of that newest time. An input first lets everything happen that was due before it (a
 * dwelling, a filter's deadline), each at its own exact time; what the host is then asked to do has the time of
 * the input. Between inputs the host asks plot_engine_next_wakeup, or takes the wakeup callback, and calls
 * plot_engine_advance at that time.
 *
 * THREADS. Any function may be called on any thread at any time; calls on one engine take turns. The library
 * starts no thread. After fork, the child may use engines that have no store file; one that has a store must be
 * left alone there.
 *
 * CALLBACKS run only inside a call that the host made on the engine, after its state is stored, with no
 * lock held, one at a time and in order. A callback may call the engine, replace or remove callbacks, close or
 * free the engine. What a call from inside a callback leads to is delivered after that callback has returned,
 * in order (when two threads use one engine, by whichever of the two calls is delivering). Each is registered as
 * `(fn, user_data, destroy)`: `destroy(user_data)`, where given, runs exactly once, when the callback is
 * replaced, removed, or its engine closed or freed, or when registering it fails. A NULL `fn` removes.
 * Callbacks must return normally: no longjmp, no exception may pass through the library.
 *
 * DOCUMENTS. plotconfig.json, the campaign feed, items, events and decisions are JSON, specified in docs/
 * (plotconfig.md, feed.md, items.md, events.md, decisions.md) with a JSON Schema each under docs/schema/.
 *
 * VERSIONS. The ABI only grows: numbers keep their meaning, functions their signature. New item keys, event
 * names and statuses may appear; treat an unknown one as such.
 */
#ifndef PLOTENGINE_H
#define PLOTENGINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types ------------------------------------------------------------------------------------------------ */

typedef struct plot_engine plot_engine; /* one device: its places, visits, history and settings */
typedef struct plot_config plot_config; /* a read plotconfig.json; immutable */
typedef struct plot_feed plot_feed;     /* a read campaign feed; immutable, may serve many engines */
typedef struct plot_item plot_item;     /* one notification or geotrigger, a set of values by key */
typedef struct plot_list plot_list;     /* a list of items */
typedef struct plot_string plot_string; /* a text of yours */
typedef struct plot_error plot_error;   /* what went wrong, and where */

/* Statuses. */
#define PLOT_OK 0
#define PLOT_INVALID_ARGUMENT 1    /* NULL where a value is needed, bad UTF-8, NaN, a number out of range */
#define PLOT_NOT_INITIALIZED 2     /* plot_engine_init has not been called, or it failed */
#define PLOT_ALREADY_INITIALIZED 3 /* plot_engine_init was called before, on this engine */
#define PLOT_CLOSED 4              /* the engine is closed */
#define PLOT_OUT_OF_ORDER 5        /* a fix older than the newest time seen */
#define PLOT_INVALID_DOCUMENT 6    /* a configuration, feed or other JSON text with a fault */
#define PLOT_IO_ERROR 7            /* a file could not be read or written */
#define PLOT_STORE_FAILED 8        /* the store could not be opened, read or written (disk full, permissions, ...) */
#define PLOT_STORE_DAMAGED 9       /* the store file is not a store, or is damaged; it was left untouched */
#define PLOT_STORE_BUSY 10         /* another engine has the store file open */
#define PLOT_STORE_READ_ONLY 11    /* the store file cannot be written */
#define PLOT_STORE_NEWER 12        /* the store file was written by a newer version; it was left untouched */
#define PLOT_NOT_FOUND 13          /* no such key, index, notification or property */
#define PLOT_READ_ONLY_KEY 14      /* the key is about scheduling or history and cannot be set */
#define PLOT_WRONG_TYPE 15         /* the key holds a value of another type */
#define PLOT_UNKNOWN_TOKEN 16      /* no batch has, or ever had, this token */
#define PLOT_ALREADY_ANSWERED 17   /* this batch has been answered, or its deadline has passed */
#define PLOT_UNKNOWN_ITEM 18       /* an item of the answer is not in the batch, or is there twice */

/* Item keys (docs/items.md). Only PLOT_KEY_MESSAGE and PLOT_KEY_DATA of a notification can be set. */
#define PLOT_KEY_IDENTIFIER "identifier"                     /* string: campaign id ";" region id */
#define PLOT_KEY_MATCH_IDENTIFIER "matchIdentifier"          /* string: one occurrence; absent in loaded items */
#define PLOT_KEY_CAMPAIGN_ID "campaignId"                    /* string */
#define PLOT_KEY_REGION_ID "regionId"                        /* string */
#define PLOT_KEY_MESSAGE "message"                           /* string: text of a notification; name of a geotrigger */
#define PLOT_KEY_NAME "name"                                 /* string: name of a geotrigger; absent otherwise */
#define PLOT_KEY_DATA "data"                                 /* string, may be empty */
#define PLOT_KEY_GEOFENCE_LATITUDE "geofenceLatitude"        /* double, degrees; absent for a beacon */
#define PLOT_KEY_GEOFENCE_LONGITUDE "geofenceLongitude"      /* double, degrees; absent for a beacon */
#define PLOT_KEY_TRIGGER "trigger"                           /* string: "enter", "exit" or "dwelling" */
#define PLOT_KEY_DWELLING_MINUTES "dwellingMinutes"          /* integer; 0 unless trigger is "dwelling" */
#define PLOT_KEY_NOTIFICATION_HANDLER_TYPE "notificationHandlerType" /* string: "regular", "landingPage", "applink" */
#define PLOT_KEY_MATCH_RANGE "matchRange"                    /* integer: radius in metres, rounded; 1, 2 or 30 for beacons */
#define PLOT_KEY_REGION_TYPE "regionType"                    /* string: "geofence" or "beacon" */
#define PLOT_KEY_REGION_NAME "regionName"                    /* string; absent when the region has none */
#define PLOT_KEY_DATE_SENT "dateSent"                        /* integer: ms since 1970; absent when not sent */
#define PLOT_KEY_DATE_OPENED "dateOpened"                    /* integer: ms since 1970, -1 when not opened */
#define PLOT_KEY_IS_OPENED "isOpened"                        /* integer: 0 or 1 */
#define PLOT_KEY_DATE_HANDLED "dateHandled"                  /* integer: ms since 1970, -1 when not handled */
#define PLOT_KEY_IS_HANDLED "isHandled"                      /* integer: 0 or 1 */

/* What to do with an opened notification; given to plot_open_fn. */
#define PLOT_OPEN_APP 0          /* no data: bring the app to the front */
#define PLOT_OPEN_URI 1          /* open the URI in the browser; the default without a notification handler */
#define PLOT_OPEN_LANDING_PAGE 2 /* show the URI full screen inside the app */
#define PLOT_OPEN_APPLINK 3      /* open another app by this link */

/* Log levels. */
#define PLOT_LOG_ERROR 0
#define PLOT_LOG_WARNING 1
#define PLOT_LOG_INFO 2
#define PLOT_LOG_DEBUG 3

#define PLOT_NO_WAKEUP (-1) /* plot_engine_next_wakeup: nothing is due */

/* ---- Callbacks -------------------------------------------------------------------------------------------- */

/* Frees what a callback's user_data stands for. Runs exactly once for each registration that gave one. */
typedef void (*plot_destroy_fn)(void *user_data);

/* A batch of notifications that are about to be shown: keep, edit or drop each (seed 000).
 * `notifications` is borrowed; edit its items, remove items, and answer with it: now, inside this callback, or
 * later with a list from plot_engine_get_batch. Every batch must be answered once with plot_engine_answer_filter,
 * with an empty list too. Past the deadline (`engine.filterDeadline`) the fallback of the configuration happens. */
typedef void (*plot_filter_fn)(void *user_data, plot_engine *engine, uint64_t token, plot_list *notifications);

/* A batch of geotriggers that fired. Answer once with plot_engine_mark_geotriggers_handled, now or later. */
typedef void (*plot_geotrigger_fn)(void *user_data, plot_engine *engine, uint64_t token, plot_list *geotriggers);

/* Show this notification now. Return PLOT_OK when it is on the screen; any other value when it could not be shown:
 * it then is not used up, counts for nothing, and may trigger again. */
typedef int32_t (*plot_show_fn)(void *user_data, plot_engine *engine, const plot_item *notification);

/* A notification of type regular or applink was opened; `data` is its data. Replaces the default of plot_open_fn. */
typedef void (*plot_notification_handler_fn)(void *user_data, plot_engine *engine, const plot_item *notification,
                                             const char *data);

/* Do the default for an opened notification. `action` is a PLOT_OPEN_ value, `uri` its data (may be empty). */
typedef void (*plot_open_fn)(void *user_data, plot_engine *engine, int32_t action, const char *uri,
                             const plot_item *notification);

/* Something happened: one event record (docs/events.md), JSON of `length` bytes and a NUL. `item` is the notification
 * or geotrigger it is about, or NULL. With a store, an event that the process did not live to deliver is delivered
 * again at the next plot_engine_init, with the same `sequence`. */
typedef void (*plot_event_fn)(void *user_data, plot_engine *engine, const char *json, size_t length,
                              const plot_item *item);

/* A decision was made about a candidate: one decision record (docs/decisions.md), JSON of `length` bytes and a NUL. */
typedef void (*plot_decision_fn)(void *user_data, plot_engine *engine, const char *json, size_t length);

/* A line of the debug log: inputs, events, decisions and what was refused, with positions; only while `debug` is true in
 * the configuration. `level` is a PLOT_LOG_ value. */
typedef void (*plot_log_fn)(void *user_data, plot_engine *engine, int32_t level, const char *message);

/* The time of the next wakeup has changed; `time_ms` is PLOT_NO_WAKEUP when nothing is due any more. */
typedef void (*plot_wakeup_fn)(void *user_data, plot_engine *engine, int64_t time_ms);

/* ---- Library ---------------------------------------------------------------------------------------------- */

/* The version of this ABI: 1. Grows when something is added. Compare it at load. Since 1. */
int32_t plot_abi_version(void);

/* The version of the library, such as "0.1.0". Static; never NULL. Since 1. */
const char *plot_version(void);

/* The name of a status, such as "PLOT_OUT_OF_ORDER"; "PLOT_UNKNOWN_STATUS" for an unknown one. Static. Since 1. */
const char *plot_status_name(int32_t status);

/* How many objects of this library are alive in the process: 0 when everything has been freed. For leak tests. Since 1. */
int64_t plot_live_objects(void);

/* ---- Errors ----------------------------------------------------------------------------------------------- */

/* The status that came with this error; PLOT_OK for NULL. Since 1. */
int32_t plot_error_get_status(const plot_error *error);

/* One sentence for people: what, where, expected, found. Borrowed; "" for NULL. Since 1. */
const char *plot_error_get_message(const plot_error *error);

/* Line, counted from 1, in the text that was read; 0 when the fault is not in a text. Since 1. */
int32_t plot_error_get_line(const plot_error *error);

/* Column, counted from 1 in bytes; 0 when the fault is not in a text. Since 1. */
int32_t plot_error_get_column(const plot_error *error);

/* JSON pointer (RFC 6901) to the value or object at fault, "" for the whole document or where there is none.
 * Borrowed. Since 1. */
const char *plot_error_get_pointer(const plot_error *error);

/* What was expected, and what was found; "" where that says nothing. Borrowed. Since 1. */
const char *plot_error_get_expected(const plot_error *error);
const char *plot_error_get_found(const plot_error *error);

/* Frees an error; NULL is accepted. Since 1. */
void plot_error_free(plot_error *error);

/* ---- Strings ---------------------------------------------------------------------------------------------- */

/* The text, ending with a NUL. Borrowed until freed; "" for NULL. Since 1. */
const char *plot_string_get(const plot_string *string);

/* Its length in bytes, without the NUL; 0 for NULL. Since 1. */
size_t plot_string_get_length(const plot_string *string);

/* Frees a string; NULL is accepted. Since 1. */
void plot_string_free(plot_string *string);

/* ---- Configuration (docs/plotconfig.md) ------------------------------------------------------------------- */

/* Reads a plotconfig.json file. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_IO_ERROR, PLOT_INVALID_DOCUMENT. Since 1. */
int32_t plot_config_load(const char *path, plot_config **out, plot_error **error);

/* Reads a configuration from `length` bytes of JSON; no NUL needed. PLOT_OK, PLOT_INVALID_ARGUMENT,
 * PLOT_INVALID_DOCUMENT. Since 1. */
int32_t plot_config_parse(const char *json, size_t length, plot_config **out, plot_error **error);

/* Every property with its value, defaults filled in, as JSON. PLOT_OK, PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_config_to_json(const plot_config *config, plot_string **out, plot_error **error);

/* How many warnings reading it gave (byte-order mark, unknown keys, ...); 0 for NULL. Since 1. */
size_t plot_config_get_warning_count(const plot_config *config);

/* A warning, one sentence; NULL when the index is out of range. Borrowed. Since 1. */
const char *plot_config_get_warning(const plot_config *config, size_t index);

/* Frees a configuration; NULL is accepted. An engine keeps what it needs of it. Since 1. */
void plot_config_free(plot_config *config);

/* ---- Campaign feed (docs/feed.md) ------------------------------------------------------------------------- */

/* Reads a feed from a file. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_IO_ERROR, PLOT_INVALID_DOCUMENT. Since 1. */
int32_t plot_feed_load(const char *path, plot_feed **out, plot_error **error);

/* Reads a feed from `length` bytes of JSON; no NUL needed. PLOT_OK, PLOT_INVALID_ARGUMENT,
 * PLOT_INVALID_DOCUMENT. Since 1. */
int32_t plot_feed_parse(const char *json, size_t length, plot_feed **out, plot_error **error);

/* Makes a feed from GeoJSON points (a FeatureCollection): a circle around each, one campaign over all of them.
 * `options` is JSON text: {"radius": metres, "message": text, "trigger": "enter" | "exit" | "dwelling",
 * "dwellingMinutes": n, "idProperty": name, "nameProperty": name, "campaign": id}; all optional (docs/feed.md,
 * "Import"). May be NULL. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_INVALID_DOCUMENT. Since 1. */
int32_t plot_feed_import_geojson(const char *json, size_t length, const char *options, plot_feed **out,
                                 plot_error **error);

/* The feed as JSON text; reading it back gives an equal feed. PLOT_OK, PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_feed_to_json(const plot_feed *feed, plot_string **out, plot_error **error);

/* How many regions, and how many campaigns, it has; 0 for NULL. Since 1. */
size_t plot_feed_get_region_count(const plot_feed *feed);
size_t plot_feed_get_campaign_count(const plot_feed *feed);

/* Frees a feed; NULL is accepted. Engines that use it keep it alive by themselves. Since 1. */
void plot_feed_free(plot_feed *feed);

/* ---- Items ------------------------------------------------------------------------------------------------ */

/* The string value of a key. `out` is borrowed, "" on failure. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_NOT_FOUND,
 * PLOT_WRONG_TYPE. Since 1. */
int32_t plot_item_get_string(const plot_item *item, const char *key, const char **out);

/* The integer value of a key; 0 on failure. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_NOT_FOUND, PLOT_WRONG_TYPE. Since 1. */
int32_t plot_item_get_integer(const plot_item *item, const char *key, int64_t *out);

/* The number of a key, integer or double; 0 on failure. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_NOT_FOUND,
 * PLOT_WRONG_TYPE. Since 1. */
int32_t plot_item_get_double(const plot_item *item, const char *key, double *out);

/* Sets a string. Only items of a filter's batch and copies can be changed, and only content keys. Setting
 * scheduling keys is PLOT_READ_ONLY_KEY, and nothing changes (seed 000). PLOT_OK, PLOT_INVALID_ARGUMENT,
 * PLOT_NOT_FOUND, PLOT_READ_ONLY_KEY. Since 1. */
int32_t plot_item_set_string(plot_item *item, const char *key, const char *value, plot_error **error);

/* All keys and values as one JSON object. PLOT_OK, PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_item_to_json(const plot_item *item, plot_string **out, plot_error **error);

/* A copy of your own, which outlives the callback or list. PLOT_OK, PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_item_copy(const plot_item *item, plot_item **out, plot_error **error);

/* Frees a copy; NULL is accepted. Items borrowed from a list or a callback are not yours to free. Since 1. */
void plot_item_free(plot_item *item);

/* An empty list. PLOT_OK, PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_list_new(plot_list **out, plot_error **error);

/* How many items; 0 for NULL. Since 1. */
size_t plot_list_get_count(const plot_list *list);

/* An item, borrowed until it is removed or the list is freed; NULL when the index is out of range. Since 1. */
plot_item *plot_list_get(const plot_list *list, size_t index);

/* Appends a copy of the item. PLOT_OK, PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_list_append(plot_list *list, const plot_item *item, plot_error **error);

/* Removes an item; those behind it move up. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_NOT_FOUND. Since 1. */
int32_t plot_list_remove(plot_list *list, size_t index, plot_error **error);

/* All items as one JSON array. PLOT_OK, PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_list_to_json(const plot_list *list, plot_string **out, plot_error **error);

/* Frees a list of yours and its items; NULL is accepted. Since 1. */
void plot_list_free(plot_list *list);

/* ---- Engine: life ----------------------------------------------------------------------------------------- */

/* An engine without a configuration. Register callbacks next, then call plot_engine_init. PLOT_OK,
 * PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_engine_new(plot_engine **out, plot_error **error);

/* Starts the engine. `store_path` names its store file, made when absent; NULL keeps everything in memory. What
 * the store holds is there again: visits, timers, lists, settings, the feed. `enableOnFirstRun` counts
 * once for a store. Batches that were open are offered again; a notification that was handed to the host, with
 * no answer before the process ended, counts as shown. PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_ALREADY_INITIALIZED,
 * PLOT_CLOSED, PLOT_STORE_FAILED, PLOT_STORE_DAMAGED, PLOT_STORE_BUSY, PLOT_STORE_READ_ONLY, PLOT_STORE_NEWER;
 * after a failure it may be called again. Since 1. */
int32_t plot_engine_init(plot_engine *engine, int64_t time_ms, const plot_config *config, const char *store_path,
                         plot_error **error);

/* Closes the store and lets go of all callbacks (their destroy runs). Later calls give PLOT_CLOSED. Closing twice is
 * fine; so is closing from a callback. PLOT_OK, PLOT_INVALID_ARGUMENT. Since 1. */
int32_t plot_engine_close(plot_engine *engine);

/* Closes and frees; NULL is accepted. May be called from a callback of this engine. Since 1. */
void plot_engine_free(plot_engine *engine);

/* ---- Engine: callbacks. Each: PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_CLOSED. Since 1. ----------------------- */

/* Without a filter every notification passes. */
int32_t plot_engine_set_filter_callback(plot_engine *engine, plot_filter_fn fn, void *user_data,
                                        plot_destroy_fn destroy, plot_error **error);

/* Without a geotrigger handler every geotrigger counts as handled. */
int32_t plot_engine_set_geotrigger_callback(plot_engine *engine, plot_geotrigger_fn fn, void *user_data,
                                            plot_destroy_fn destroy, plot_error **error);

/* Without a show callback a notification counts as shown at once; the event callback tells of it. */
int32_t plot_engine_set_show_callback(plot_engine *engine, plot_show_fn fn, void *user_data,
                                      plot_destroy_fn destroy, plot_error **error);

/* Without a notification handler opening goes to the open callback. Landing pages always do. */
int32_t plot_engine_set_notification_handler(plot_engine *engine, plot_notification_handler_fn fn, void *user_data,
                                             plot_destroy_fn destroy, plot_error **error);

int32_t plot_engine_set_open_callback(plot_engine *engine, plot_open_fn fn, void *user_data,
                                      plot_destroy_fn destroy, plot_error **error);

int32_t plot_engine_set_event_callback(plot_engine *engine, plot_event_fn fn, void *user_data,
                                       plot_destroy_fn destroy, plot_error **error);

/* Decisions are recorded only while a callback is registered. */
int32_t plot_engine_set_decision_callback(plot_engine *engine, plot_decision_fn fn, void *user_data,
                                          plot_destroy_fn destroy, plot_error **error);

int32_t plot_engine_set_log_callback(plot_engine *engine, plot_log_fn fn, void *user_data,
                                     plot_destroy_fn destroy, plot_error **error);

int32_t plot_engine_set_wakeup_callback(plot_engine *engine, plot_wakeup_fn fn, void *user_data,
                                        plot_destroy_fn destroy, plot_error **error);

/* ---- Engine: settings. Beside what is named, each: PLOT_OK, PLOT_INVALID_ARGUMENT, PLOT_NOT_INITIALIZED,
 *      PLOT_CLOSED, PLOT_STORE_FAILED, PLOT_STORE_READ_ONLY. `time_ms` is the time of the call. --------------- */

/* Starts, or stops, to follow places; remembered across restarts. While disabled, fixes are taken and ignored. Disabling
 * ends all visits in silence; after enabling, the first fix is a first fix again. Since 1. */
int32_t plot_engine_enable(plot_engine *engine, int64_t time_ms, plot_error **error);
int32_t plot_engine_disable(plot_engine *engine, int64_t time_ms, plot_error **error);

/* 1 or 0 in `out`. Since 1. */
int32_t plot_engine_is_enabled(plot_engine *engine, int32_t *out, plot_error **error);

/* Least time between two notifications in seconds, 0 for none, at most 31536000; remembered. Since 1. */
int32_t plot_engine_set_cooldown_period(plot_engine *engine, int64_t time_ms, int64_t seconds, plot_error **error);

/* The period in force, in seconds. Since 1. */
int32_t plot_engine_get_cooldown_period(plot_engine *engine, int64_t *out, plot_error **error);

/* Takes a feed in place of the one in force, whole. A region whose place is unchanged keeps its visit; a visit to one
 * that is gone or has moved ends in silence. The store keeps the feed for the next start. Since 1. */
int32_t plot_engine_set_feed(plot_engine *engine, int64_t time_ms, const plot_feed *feed, plot_error **error);

/* Segmentation properties: one typed value for a key (any text but the empty), overwritten by the next, of whatever
 * type; remembered. A NULL string clears. `value` of the boolean is 0 or 1; of the date, ms since 1970; the double is
 * finite. Since 1. */
int32_t plot_engine_set_string_segmentation_property(plot_engine *engine, int64_t time_ms, const char *key,
                                                     const char *value, plot_error **error);
int32_t plot_engine_set_boolean_segmentation_property(plot_engine *engine, int64_t time_ms, const char *key,
                                                      int32_t value, plot_error **error);
int32_t plot_engine_set_integer_segmentation_property(plot_engine *engine, int64_t time_ms, const char *key,
                                                      int64_t value, plot_error **error);
int32_t plot_engine_set_double_segmentation_property(plot_engine *engine, int64_t time_ms, const char *key,
                                                     double value, plot_error **error);
int32_t plot_engine_set_date_segmentation_property(plot_engine *engine, int64_t time_ms, const char *key,
                                                   int64_t value, plot_error **error);

/* Clears a property; PLOT_OK also when it was not set. Since 1. */
int32_t plot_engine_clear_segmentation_property(plot_engine *engine, int64_t time_ms, const char *key,
                                                plot_error **error);

/* All properties as a JSON object: {"key": {"type": "string" | "boolean" | "integer" | "double" | "date", "value": ...}},
 * sorted by key; a date's value is ISO 8601 text. Since 1. */
int32_t plot_engine_get_segmentation_properties(plot_engine *engine, plot_string **out, plot_error **error);

/* ---- Engine: inputs. The same statuses; plot_engine_update_location also PLOT_OUT_OF_ORDER. --------------- */

/* Where the device is. Degrees (WGS 84); accuracy in metres, 0 when not known: the fix is then taken as exact; speed
 * in metres a second and course in degrees from north, -1 each when not known. NaN, a latitude beyond 90, a longitude
 * beyond 180 or a negative accuracy is PLOT_INVALID_ARGUMENT, and nothing changes. Since 1. */
int32_t plot_engine_update_location(plot_engine *engine, int64_t time_ms, double latitude, double longitude,
                                    double accuracy, double speed, double course, plot_error **error);

/* Time has passed: what is due happens, each at its own time. A time in the past changes nothing. Since 1. */
int32_t plot_engine_advance(plot_engine *engine, int64_t time_ms, plot_error **error);

/* When to call plot_engine_advance next, in ms since 1970; PLOT_NO_WAKEUP in `out` when nothing is due. Since 1. */
int32_t plot_engine_next_wakeup(plot_engine *engine, int64_t *out, plot_error **error);

/* The items of an open batch, for answering later; fresh copies. Also PLOT_UNKNOWN_TOKEN,
 * PLOT_ALREADY_ANSWERED. Since 1. */
int32_t plot_engine_get_batch(plot_engine *engine, uint64_t token, plot_list **out, plot_error **error);

/* Answers a filter's batch: the items of `kept` (NULL for none) go on, with their edits; the others are dropped and may
 * trigger again. Also PLOT_UNKNOWN_TOKEN, PLOT_ALREADY_ANSWERED, PLOT_UNKNOWN_ITEM; then nothing changes. Since 1. */
int32_t plot_engine_answer_filter(plot_engine *engine, int64_t time_ms, uint64_t token, const plot_list *kept,
                                  plot_error **error);

/* Answers a geotrigger batch: the items of `handled` (NULL for none) are handled; the others may trigger again.
 * Statuses as for plot_engine_answer_filter. Since 1. */
int32_t plot_engine_mark_geotriggers_handled(plot_engine *engine, int64_t time_ms, uint64_t token,
                                             const plot_list *handled, plot_error **error);

/* The person opened (tapped) a notification. Marks it opened at its first opening, and leads to the opened event and to the
 * notification handler or the open callback. Also PLOT_NOT_FOUND, when no sent notification has this matchIdentifier.
 * Since 1. */
int32_t plot_engine_open_notification(plot_engine *engine, int64_t time_ms, const char *match_identifier,
                                      plot_error **error);

/* ---- Engine: lists. The same statuses. -------------------------------------------------------------------- */

/* What the engine is listening to: an item for each campaign and region, sent ones too, nearest edge first when a
 * location is known, else in the feed's order. At most `limit` items; 0 for all. Since 1. */
int32_t plot_engine_get_loaded_notifications(plot_engine *engine, size_t limit, plot_list **out, plot_error **error);
int32_t plot_engine_get_loaded_geotriggers(plot_engine *engine, size_t limit, plot_list **out, plot_error **error);

/* The last 100 sent, oldest first, with dateSent, dateOpened or dateHandled, and with a filter's edits. Since 1. */
int32_t plot_engine_get_sent_notifications(plot_engine *engine, plot_list **out, plot_error **error);
int32_t plot_engine_get_sent_geotriggers(plot_engine *engine, plot_list **out, plot_error **error);

/* Empties a list. Once-only and cooldowns are not forgotten. Since 1. */
int32_t plot_engine_clear_sent_notifications(plot_engine *engine, int64_t time_ms, plot_error **error);
int32_t plot_engine_clear_sent_geotriggers(plot_engine *engine, int64_t time_ms, plot_error **error);

/* The visits in progress as a JSON array, sorted by region: [{"region": id, "visit": id, "ordinal": n,
 * "entered": ISO 8601 text}]. Since 1. */
int32_t plot_engine_get_visits(plot_engine *engine, plot_string **out, plot_error **error);

/* Writes the debug log, its last 1,000 lines, to a file (the SDK's mailDebugLog). Empty unless `debug` is true in the
 * configuration. Also PLOT_IO_ERROR. Since 1. */
int32_t plot_engine_write_debug_log(plot_engine *engine, const char *path, plot_error **error);

#ifdef __cplusplus
}
#endif

#endif
