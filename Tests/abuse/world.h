/* An engine in the midst of its life, for Tests/abuse: places, an open batch of each kind, something on the screen, a callback of each
 * kind, and a way to make each of them come. `enum kind` is generated from the header (kinds.h): a callback that is missing in one of the
 * switches below, or one too many, does not compile. */
#ifndef WORLD_H
#define WORLD_H

#include <plotengine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kinds.h"
#include "report.h"

#define START INT64_C(1700470800000) /* 2023-11-20T09:00:00Z */
#define LATITUDE 52.36
#define LONGITUDE 4.885
#define APART 0.003 /* degrees of latitude between the small places */
#define NO_BATCH UINT64_C(12345)
#define NO_TEST ((UINT64_C(1) << 52) + 9999)
#define NAMED "f7826da6-4fa2-4e98-8024-bc5b71e0893e"

typedef struct world world;

/* One registration of a callback. */
typedef struct tally {
    world *w;
    enum kind kind;
    int calls;
    int destroyed;
} tally;

struct world {
    plot_engine *engine; /* NULL once it has been freed */
    plot_engine *other;  /* a fresh one, for calls before plot_engine_init */
    plot_config *config;
    plot_feed *feed;
    plot_item *item;                      /* a notification, may be edited */
    plot_item *shown;                     /* one on the screen */
    plot_list *list, *geotriggers, *kept; /* notifications; geotriggers; those of the open batch */
    plot_string *string, *saved; /* a text; the state of an engine */
    plot_error *error;
    plot_effects *effects;
    plot_roaming *roaming;
    plot_pairs *pairs;
    plot_replay *replay;
    plot_strategy_call *call; /* in a strategy's callback; else NULL */
    char match[128], page[128], recent[128]; /* of what was sent: a notification, a landing page, one on the screen */
    char line[2048]; /* the first of the recording */
    uint64_t filter_token, geotrigger_token, answered, handled, test, test_answered;
    int64_t now;
    int keeps; /* the filter and the handler answer at once */
    int told[KINDS];
    tally tallies[KINDS], spare;
    int strategy_what; /* of the strategy's call in progress */
    /* Called from each callback. What it returns is what the callback returns. */
    int32_t (*inside)(world *w, enum kind kind);
    void *own; /* of whoever set `inside` */
};

static const char world_config[] =
    "{\"publicToken\": \"t\", \"debug\": true, \"colour\": 1, \"sync\": {\"url\": \"http://127.0.0.1:1\"}, \"engine\": {\"noise\": \"exact\", \"filterDeadline\": 600, \"events\": {\"acknowledge\": true}}}";
static const char world_feed[] =
    "{\"version\": 1, \"regions\": ["
    "{\"id\": \"square\", \"type\": \"geofence\", \"name\": \"Square\", \"latitude\": 52.36, \"longitude\": 4.885, \"radius\": 900},"
    "{\"id\": \"kiosk\", \"type\": \"geofence\", \"name\": \"Kiosk\", \"latitude\": 52.363, \"longitude\": 4.885, \"radius\": 60},"
    "{\"id\": \"garden\", \"type\": \"geofence\", \"name\": \"Garden\", \"latitude\": 52.357, \"longitude\": 4.885, \"radius\": 60},"
    "{\"id\": \"bus\", \"type\": \"geofence\", \"moving\": true, \"latitude\": 52.5, \"longitude\": 4.9, \"radius\": 50},"
    "{\"id\": \"bench\", \"type\": \"geofence\", \"latitude\": 52.4, \"longitude\": 4.885, \"radius\": 60, \"noise\": \"balanced\"},"
    "{\"id\": \"till\", \"type\": \"beacon\", \"proximityUUID\": \"" NAMED "\", \"majorId\": 1, \"minorId\": 7},"
    "{\"id\": \"door\", \"type\": \"beacon\", \"namespaceId\": \"00112233445566778899\", \"instanceId\": \"001122334455\"}],"
    "\"campaigns\": ["
    "{\"id\": \"art\", \"type\": \"notification\", \"message\": \"At {{name}}\", \"data\": \"https://example.org\", \"regions\": [\"square\"],"
    " \"resend\": true, \"content\": {\"title\": \"Art\", \"badge\": 2, \"actions\": [{\"id\": \"more\", \"title\": \"More\"}],"
    " \"userInfo\": {\"a\": 1}}},"
    "{\"id\": \"page\", \"type\": \"notification\", \"message\": \"Page\", \"data\": \"https://example.org/page\", \"handlerType\": \"landingPage\","
    " \"regions\": [\"square\"], \"resend\": true},"
    "{\"id\": \"brief\", \"type\": \"notification\", \"message\": \"Brief\", \"regions\": [\"square\"], \"resend\": true, \"removeOnExit\": true},"
    "{\"id\": \"poster\", \"type\": \"notification\", \"message\": \"Poster\", \"regions\": [\"square\"]},"
    "{\"id\": \"paper\", \"type\": \"notification\", \"message\": \"Paper\", \"regions\": [\"kiosk\"], \"resend\": true},"
    "{\"id\": \"rose\", \"type\": \"notification\", \"message\": \"Rose\", \"regions\": [\"garden\"], \"resend\": true},"
    "{\"id\": \"sit\", \"type\": \"geotrigger\", \"name\": \"sit\", \"regions\": [\"bench\"], \"resend\": true,"
    " \"trigger\": \"dwelling\", \"dwellingMinutes\": 5},"
    "{\"id\": \"count\", \"type\": \"geotrigger\", \"name\": \"count\", \"regions\": [\"square\", \"kiosk\", \"garden\"], \"resend\": true}],"
    "\"settings\": {\"messages\": {\"rules\": [{\"if\": {\"contains\": \"later\"}, \"then\": \"defer\", \"seconds\": 1}]},"
    " \"strategies\": [{\"key\": \"own\", \"type\": \"custom\", \"parameters\": {\"level\": 2}}]}}";

/* ---- What the callbacks do -------------------------------------------------------------------------------- */

static inline int32_t came(void *user_data) {
    tally *own = user_data;
    if (own == NULL) return PLOT_OK;
    own->calls++;
    own->w->told[own->kind]++;
    if (own->destroyed) fault("%s: called after its destroy", kind_names[own->kind]);
    return own->w->inside ? own->w->inside(own->w, own->kind) : PLOT_OK;
}

static inline void world_destroy(void *user_data) {
    tally *own = user_data;
    world *w;
    if (own == NULL) return;
    w = own->w;
    own->destroyed++;
    w->told[KIND_plot_destroy_fn]++;
    if (w->inside) w->inside(w, KIND_plot_destroy_fn);
}

/* Answers given while the engine is closed are refused, as all calls are. */
static inline void answered(int32_t status, const char *who) {
    if (status != PLOT_OK && status != PLOT_CLOSED) fault("%s could not answer: %s", who, plot_status_name(status));
}

static inline void world_filter(void *user_data, plot_engine *engine, uint64_t token, plot_list *notifications) {
    tally *own = user_data;
    if (own == NULL) return;
    if (own->w->keeps && own->w->engine) {
        answered(plot_engine_answer_filter(engine, own->w->now, token, notifications, NULL), "the filter");
        own->w->answered = token;
    } else if (!own->w->inside) {
        own->w->filter_token = token;
    }
    came(own);
}

static inline void world_geotriggers(void *user_data, plot_engine *engine, uint64_t token, plot_list *geotriggers) {
    tally *own = user_data;
    if (own == NULL) return;
    if (own->w->keeps && own->w->engine) {
        answered(plot_engine_mark_geotriggers_handled(engine, own->w->now, token, geotriggers, NULL), "the handler");
        own->w->handled = token;
    } else if (!own->w->inside) {
        own->w->geotrigger_token = token;
    }
    came(own);
}

static inline int32_t world_show(void *user_data, plot_engine *engine, const plot_item *notification) {
    (void)engine; (void)notification;
    return came(user_data);
}

static inline int32_t world_remove(void *user_data, plot_engine *engine, const plot_item *notification) {
    (void)engine; (void)notification;
    return came(user_data);
}

static inline int32_t world_strategy(void *user_data, plot_engine *engine, int32_t what, plot_strategy_call *call) {
    tally *own = user_data;
    int32_t answer = 1;
    (void)engine;
    if (own == NULL) return 1;
    /* A call that has nothing to do with an item, and may give a state. */
    if (what == PLOT_STRATEGY_SAVE) {
        own->w->call = call;
        own->w->strategy_what = what;
        answer = came(own);
        own->w->call = NULL;
        return answer;
    }
    return answer;
}

static inline void world_handler(void *user_data, plot_engine *engine, const plot_item *notification, const char *data) {
    (void)engine; (void)notification; (void)data;
    came(user_data);
}

static inline void world_open(void *user_data, plot_engine *engine, int32_t action, const char *uri, const plot_item *notification) {
    (void)engine; (void)action; (void)uri; (void)notification;
    came(user_data);
}

static inline void world_event(void *user_data, plot_engine *engine, const char *json, size_t length, const plot_item *item) {
    (void)engine; (void)json; (void)length; (void)item;
    came(user_data);
}

static inline void world_decision(void *user_data, plot_engine *engine, const char *json, size_t length) {
    (void)engine; (void)json; (void)length;
    came(user_data);
}

static inline void world_recording(void *user_data, plot_engine *engine, const char *line, size_t length) {
    tally *own = user_data;
    (void)engine; (void)length;
    if (own && !own->w->line[0]) snprintf(own->w->line, sizeof own->w->line, "%s", line);
    came(user_data);
}

static inline void world_log(void *user_data, plot_engine *engine, int32_t level, const char *message) {
    (void)engine; (void)level; (void)message;
    came(user_data);
}

static inline void world_wakeup(void *user_data, plot_engine *engine, int64_t time_ms) {
    (void)engine; (void)time_ms;
    came(user_data);
}

static inline void world_fix_request(void *user_data, plot_engine *engine, int64_t deadline_ms) {
    (void)engine; (void)deadline_ms;
    came(user_data);
}

static inline void world_sync(void *user_data, plot_engine *engine, const char *json, size_t length, int64_t next_ms) {
    (void)engine; (void)json; (void)length; (void)next_ms;
    came(user_data);
}

/* Registers one, or with a NULL `own` removes it. A destroy callback is registered as that of a log callback. */
static inline int32_t enlist(plot_engine *engine, enum kind kind, tally *own, const char *key, plot_error **error) {
    plot_destroy_fn destroy = own ? world_destroy : NULL;
    switch (kind) {
    case KIND_plot_destroy_fn: return plot_engine_set_log_callback(engine, own ? world_log : NULL, own, destroy, error);
    case KIND_plot_filter_fn: return plot_engine_set_filter_callback(engine, own ? world_filter : NULL, own, destroy, error);
    case KIND_plot_geotrigger_fn: return plot_engine_set_geotrigger_callback(engine, own ? world_geotriggers : NULL, own, destroy, error);
    case KIND_plot_show_fn: return plot_engine_set_show_callback(engine, own ? world_show : NULL, own, destroy, error);
    case KIND_plot_remove_fn: return plot_engine_set_remove_callback(engine, own ? world_remove : NULL, own, destroy, error);
    case KIND_plot_strategy_fn: return plot_engine_set_strategy(engine, key, own ? world_strategy : NULL, own, destroy, error);
    case KIND_plot_notification_handler_fn:
        return plot_engine_set_notification_handler(engine, own ? world_handler : NULL, own, destroy, error);
    case KIND_plot_open_fn: return plot_engine_set_open_callback(engine, own ? world_open : NULL, own, destroy, error);
    case KIND_plot_event_fn: return plot_engine_set_event_callback(engine, own ? world_event : NULL, own, destroy, error);
    case KIND_plot_decision_fn: return plot_engine_set_decision_callback(engine, own ? world_decision : NULL, own, destroy, error);
    case KIND_plot_recording_fn: return plot_engine_set_recording_callback(engine, own ? world_recording : NULL, own, destroy, error);
    case KIND_plot_log_fn: return plot_engine_set_log_callback(engine, own ? world_log : NULL, own, destroy, error);
    case KIND_plot_wakeup_fn: return plot_engine_set_wakeup_callback(engine, own ? world_wakeup : NULL, own, destroy, error);
    case KIND_plot_fix_request_fn: return plot_engine_set_fix_request_callback(engine, own ? world_fix_request : NULL, own, destroy, error);
    case KIND_plot_sync_fn: return plot_engine_set_sync_callback(engine, own ? world_sync : NULL, own, destroy, error);
    case KINDS: break;
    }
    abort();
}

/* ---- Its life --------------------------------------------------------------------------------------------- */

static inline void well(int32_t status, const char *what) {
    if (status != PLOT_OK) fault("building the world: %s: %s", what, plot_status_name(status));
}
#define WELL(call) well(call, #call)

static inline int32_t walk(world *w, double latitude) {
    w->now += 1000;
    return plot_engine_update_location(w->engine, w->now, latitude, LONGITUDE, 5, -1, -1, NULL);
}

/* Makes a callback of this kind come, on an engine in the midst of its life. */
static inline int32_t provoke(world *w, enum kind kind) {
    static const char late[] = "{\"id\": \"late\", \"body\": \"later\"}";
    switch (kind) {
    case KIND_plot_filter_fn:
    case KIND_plot_geotrigger_fn:
    case KIND_plot_show_fn:
    case KIND_plot_strategy_fn:
    case KIND_plot_event_fn:
    case KIND_plot_decision_fn:
    case KIND_plot_recording_fn:
    case KIND_plot_log_fn: return walk(w, LATITUDE - APART);
    case KIND_plot_remove_fn: return walk(w, 53);
    case KIND_plot_notification_handler_fn: return plot_engine_open_notification(w->engine, w->now, w->match, NULL);
    case KIND_plot_open_fn: return plot_engine_open_notification(w->engine, w->now, w->page, NULL);
    case KIND_plot_wakeup_fn: return plot_engine_process_message(w->engine, w->now, late, sizeof late - 1, NULL);
    case KIND_plot_fix_request_fn: {
        /* The second time: after an hour the device is new everywhere. */
        if (w->now >= START + 300000) w->now += 3600000;
        int32_t status = walk(w, 52.40);
        w->now += 300000;
        return status ? status : plot_engine_advance(w->engine, w->now, NULL);
    }
    case KIND_plot_sync_fn:
        w->now += 1000;
        return plot_engine_sync_stop(w->engine, w->now, NULL);
    case KIND_plot_destroy_fn: return enlist(w->engine, kind, NULL, NULL, NULL);
    case KINDS: break;
    }
    abort();
}

static inline void take_match(world *w, const char *campaign, char *match) {
    plot_list *list = NULL;
    WELL(plot_engine_get_sent_notifications(w->engine, &list, NULL));
    for (size_t index = 0; index < plot_list_get_count(list); index++) {
        const char *own = "", *value = "";
        WELL(plot_item_get_string(plot_list_get(list, index), PLOT_KEY_CAMPAIGN_ID, &own));
        WELL(plot_item_get_string(plot_list_get(list, index), PLOT_KEY_MATCH_IDENTIFIER, &value));
        if (strcmp(own, campaign) == 0) snprintf(match, sizeof w->match, "%s", value);
    }
    plot_list_free(list);
    if (!match[0]) fault("building the world: %s was not shown", campaign);
}

/* `store` may be NULL. All that a call could want is there afterwards. */
static inline void build_world(world *w, const char *store) {
    static const int64_t times[] = {START + 500, START};
    static const double places[] = {51, 51}, sides[] = {4, 4};
    memset(w, 0, sizeof *w);
    w->now = START;
    WELL(plot_config_parse(world_config, sizeof world_config - 1, &w->config, NULL));
    WELL(plot_feed_parse(world_feed, sizeof world_feed - 1, &w->feed, NULL));
    WELL(plot_engine_new(&w->engine, NULL));
    WELL(plot_engine_new(&w->other, NULL));
    for (int kind = 0; kind < KINDS; kind++) {
        w->tallies[kind] = (tally){w, kind, 0, 0};
        if (kind != KIND_plot_destroy_fn) WELL(enlist(w->engine, kind, &w->tallies[kind], "own", NULL));
    }
    WELL(plot_engine_init(w->engine, START, w->config, store, NULL));
    WELL(plot_engine_keep_decisions(w->engine, 100, NULL));
    WELL(plot_engine_set_feed(w->engine, START, w->feed, NULL));
    WELL(plot_engine_update_locations(w->engine, 2, times, places, sides, NULL, NULL, NULL, &w->effects, NULL));
    static const uint32_t devices[] = {1, 2};
    WELL(plot_roaming_new(1000, 1000, 0, 0, &w->roaming, NULL));
    WELL(plot_roaming_update_locations(w->roaming, devices, 2, times, places, sides, &w->pairs, NULL));
    w->keeps = 1;
    WELL(walk(w, LATITUDE));
    w->keeps = 0;
    WELL(walk(w, LATITUDE + APART));
    WELL(plot_engine_sync_begin(w->engine, w->now, NULL, 0, NULL, "0123456789abcdef", 16, NULL));
    {
        static const char guests[] = "{\"version\": 1, \"entries\": [\"a\"]}";
        WELL(plot_engine_set_list(w->engine, w->now, "guests", guests, sizeof guests - 1, NULL));
    }
    take_match(w, "art", w->match);
    take_match(w, "page", w->page);
    take_match(w, "brief", w->recent);
    WELL(plot_engine_get_batch(w->engine, w->filter_token, &w->kept, NULL));
    WELL(plot_engine_get_batch(w->engine, w->geotrigger_token, &w->geotriggers, NULL));
    WELL(plot_engine_get_displayed_notifications(w->engine, &w->list, NULL));
    for (size_t index = 0; index < plot_list_get_count(w->list); index++) {
        const char *campaign = "";
        WELL(plot_item_get_string(plot_list_get(w->list, index), PLOT_KEY_CAMPAIGN_ID, &campaign));
        if (strcmp(campaign, "poster") == 0) WELL(plot_item_copy(plot_list_get(w->list, index), &w->shown, NULL));
        if (strcmp(campaign, "art") == 0) WELL(plot_item_copy(plot_list_get(w->list, index), &w->item, NULL));
    }
    WELL(plot_item_to_json(w->item, &w->string, NULL));
    WELL(plot_engine_save(w->engine, 0, &w->saved, NULL));
    WELL(plot_replay_new(&w->replay, NULL));
    if (plot_config_parse("{", 1, &(plot_config *){NULL}, &w->error) != PLOT_INVALID_DOCUMENT) fault("building the world: no error");
    /* Two tests of the filter: one waits, one has been answered. */
    {
        uint64_t open = w->filter_token, before = w->answered;
        w->keeps = 1;
        WELL(plot_engine_test_filter(w->engine, w->list, &w->test_answered, NULL));
        w->keeps = 0;
        WELL(plot_engine_test_filter(w->engine, w->list, &w->test, NULL));
        w->filter_token = open;
        w->answered = before;
    }
    for (int kind = 0; kind < KINDS; kind++) w->told[kind] = 0;
}

/* Frees all of it; each callback must have been destroyed once. */
static inline void end_world(world *w, const char *what) {
    w->inside = NULL;
    plot_engine_free(w->engine);
    plot_engine_free(w->other);
    w->engine = w->other = NULL;
    plot_config_free(w->config);
    plot_feed_free(w->feed);
    plot_item_free(w->item);
    plot_item_free(w->shown);
    plot_list_free(w->list);
    plot_list_free(w->geotriggers);
    plot_list_free(w->kept);
    plot_string_free(w->string);
    plot_string_free(w->saved);
    plot_error_free(w->error);
    plot_effects_free(w->effects);
    plot_pairs_free(w->pairs);
    plot_roaming_free(w->roaming);
    plot_replay_free(w->replay);
    for (int kind = 0; kind < KINDS; kind++) {
        if (kind != KIND_plot_destroy_fn && w->tallies[kind].destroyed != 1)
            fault("%s: %s was destroyed %d times", what, kind_names[kind], w->tallies[kind].destroyed);
    }
    if (plot_live_objects() != 0) fault("%s: %lld objects are left", what, (long long)plot_live_objects());
}

#endif
