/* Eight threads on the same engines, the same feeds and the same items, beside engines that each has for itself. What a call on a shared engine
 * gives depends on who was first, but it is one of the statuses that the header names for it; an engine of one's own gives the same each time. At the
 * end nothing is left alive, and each `destroy` has run once. The sanitizers say the rest (Tests/sanitize/run.sh).
 *
 *   threads [--turns N] [--seed N] [--in-memory] [--spoil HOW] FOLDER
 *
 * --in-memory: without stores. SQLite locks its own memory, for all engines with a store, and so puts threads in an order that they else have not.
 * HOW: leak, freed, overflow, callback, item, lock: a fault that a sanitizer must report. The files are made in FOLDER, and taken away. */
#define _GNU_SOURCE
#include <plotengine.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { THREADS = 8, SHARED = 5, REGIONS = 600, CLOSED_EARLY = 4, KINDS = 11 };
#define START INT64_C(1747389600000)
#define STEP 0.01 /* degrees of latitude from one place to the next */

/* Relaxed, all of them: else the counting itself would put the threads in an order, and hide what has none. */
#define ADD(to, n) atomic_fetch_add_explicit(to, n, memory_order_relaxed)
#define LOAD(from) atomic_load_explicit(from, memory_order_relaxed)
#define STORE(to, n) atomic_store_explicit(to, n, memory_order_relaxed)

static _Noreturn void die(const char *format, ...) {
    va_list values;
    va_start(values, format);
    fputs("threads: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    exit(1);
}

static const char *spoil = "";
static int is_spoilt(const char *how) { return strcmp(spoil, how) == 0; }

/* ---- What all threads have in common ------------------------------------------------------------------------ */

static plot_engine *shared[SHARED]; /* 0 to 2 in memory, 3 and 4 with a store */
static plot_feed *feeds[2];         /* parsed; the same, mapped */
static plot_config *config;
static plot_list *items; /* of one more engine; all read them */
static char folder[4096];
static int turns = 400;
static uint64_t seed = 1;
static int in_memory;
static int64_t plain; /* for the spoilt run: written in a callback, without a lock */

static _Atomic int64_t now = START;
static atomic_int is_closed;
static atomic_long calls, refused, registered, ended, told, asked;

/* One registration of a callback. */
typedef struct {
    char text[16]; /* read by the callback: it must not be gone */
    atomic_int calls;
} registration;

static registration *new_registration(void) {
    registration *own = malloc(sizeof *own);
    if (!own) die("out of memory");
    memcpy(own->text, "registered", 11);
    atomic_init(&own->calls, 0);
    ADD(&registered, 1);
    return own;
}

static void on_destroy(void *data) {
    registration *own = data;
    if (strcmp(own->text, "registered")) die("destroy ran twice, or on something else");
    memset(own->text, 'x', sizeof own->text);
    free(own);
    ADD(&ended, 1);
}

static void came(void *data) {
    registration *own = data;
    if (strcmp(own->text, "registered")) die("a callback came after its destroy");
    if (is_spoilt("callback")) plain++;
    ADD(&own->calls, 1);
    ADD(&told, 1);
}

/* ---- Statuses ------------------------------------------------------------------------------------------------ */

#define BIT(status) (UINT32_C(1) << (status))
enum { PLOT_STATUSES = PLOT_UNKNOWN_ITEM + 1 };

/* `others` are allowed beside PLOT_OK, and PLOT_CLOSED once the engine may be closed. */
static int32_t expect(const char *what, int32_t status, const plot_engine *engine, uint32_t others) {
    uint32_t allowed = BIT(PLOT_OK) | others;
    if (engine == shared[CLOSED_EARLY] && LOAD(&is_closed)) allowed |= BIT(PLOT_CLOSED);
    if (status < 0 || status >= PLOT_STATUSES || !(allowed & BIT(status))) die("%s gives %s", what, plot_status_name(status));
    ADD(&calls, 1);
    if (status != PLOT_OK) ADD(&refused, 1);
    return status;
}
#define EXPECT(call, engine, others) expect(#call, call, engine, others)

/* ---- Callbacks: each calls the engine, as it may ------------------------------------------------------------ */

static void read_text(plot_string *text) {
    if (text && strlen(plot_string_get(text)) != plot_string_get_length(text)) die("a text is not as long as it says");
    plot_string_free(text);
}

static void read_list(plot_list *list) {
    for (size_t i = 0; i < plot_list_get_count(list); i++) {
        const char *text = NULL;
        if (plot_item_get_string(plot_list_get(list, i), PLOT_KEY_IDENTIFIER, &text) != PLOT_OK || !*text) die("an item without a name");
    }
    plot_list_free(list);
}

static const uint32_t answers = BIT(PLOT_ALREADY_ANSWERED) | BIT(PLOT_UNKNOWN_TOKEN);

/* Every third batch is answered by another call later, or never. */
static void on_filter(void *data, plot_engine *engine, uint64_t token, plot_list *list) {
    came(data);
    ADD(&asked, 1);
    if (plot_list_get_count(list) == 0) die("an empty batch");
    if (token % 3 == 0) return;
    plot_item *item = plot_list_get(list, 0);
    if (plot_item_set_string(item, PLOT_KEY_TITLE, "Edited", NULL) != PLOT_OK) die("an item cannot be edited");
    if (token % 5 == 0 && plot_list_remove(list, 0, NULL) != PLOT_OK) die("an item cannot be dropped");
    EXPECT(plot_engine_answer_filter(engine, LOAD(&now), token, list, NULL), engine, answers);
}

static void on_geotriggers(void *data, plot_engine *engine, uint64_t token, plot_list *list) {
    came(data);
    ADD(&asked, 1);
    if (token % 3 == 0) return;
    EXPECT(plot_engine_mark_geotriggers_handled(engine, LOAD(&now), token, token % 5 ? list : NULL, NULL), engine, answers);
}

static int32_t on_show(void *data, plot_engine *engine, const plot_item *item) {
    const char *text = NULL;
    came(data);
    if (plot_item_get_string(item, PLOT_KEY_MESSAGE, &text) != PLOT_OK) die("a notification without a message");
    int64_t wakeup = 0;
    EXPECT(plot_engine_next_wakeup(engine, &wakeup, NULL), engine, 0);
    return LOAD(&now) % 7 ? PLOT_OK : PLOT_IO_ERROR;
}

static int32_t on_remove(void *data, plot_engine *engine, const plot_item *item) {
    (void)engine, (void)item;
    came(data);
    return PLOT_OK;
}

static void on_event(void *data, plot_engine *engine, const char *json, size_t length, const plot_item *item) {
    plot_string *out = NULL;
    came(data);
    if (strlen(json) != length) die("an event is not as long as it says");
    EXPECT(plot_engine_get_visits(engine, &out, NULL), engine, 0);
    read_text(out);
    if (item && plot_item_to_json(item, &out, NULL) == PLOT_OK) read_text(out);
}

static void on_text(void *data, plot_engine *engine, const char *json, size_t length) {
    (void)engine;
    came(data);
    if (strlen(json) != length) die("a line is not as long as it says");
}

static void on_log(void *data, plot_engine *engine, int32_t level, const char *message) {
    (void)engine, (void)level;
    came(data);
    if (!*message) die("an empty line of the log");
}

static void on_wakeup(void *data, plot_engine *engine, int64_t time) {
    (void)engine;
    came(data);
    if (time != PLOT_NO_WAKEUP && time < START) die("a wakeup of long ago");
}

static void on_open(void *data, plot_engine *engine, int32_t action, const char *uri, const plot_item *item) {
    (void)engine, (void)uri, (void)item;
    came(data);
    if (action < 0) die("an unknown action");
}

static void on_handler(void *data, plot_engine *engine, const plot_item *item, const char *text) {
    (void)engine, (void)item, (void)text;
    came(data);
}

static int32_t on_strategy(void *data, plot_engine *engine, int32_t what, plot_strategy_call *call) {
    (void)engine;
    came(data);
    if (what == PLOT_STRATEGY_SAVE && plot_strategy_call_set_state(call, "kept", NULL) != PLOT_OK) die("a strategy cannot save");
    return 1;
}

static int32_t set_callback(plot_engine *engine, int kind, int is_removed) {
    registration *own = is_removed ? NULL : new_registration();
    plot_destroy_fn end = is_removed ? NULL : on_destroy;
#define SET(name, fn) return plot_engine_set_##name(engine, is_removed ? NULL : fn, own, end, NULL)
    switch (kind) {
    case 0: SET(filter_callback, on_filter);
    case 1: SET(geotrigger_callback, on_geotriggers);
    case 2: SET(show_callback, on_show);
    case 3: SET(remove_callback, on_remove);
    case 4: SET(event_callback, on_event);
    case 5: SET(decision_callback, on_text);
    case 6: SET(log_callback, on_log);
    case 7: SET(wakeup_callback, on_wakeup);
    case 8: SET(open_callback, on_open);
    case 9: SET(notification_handler, on_handler);
    default: return plot_engine_set_strategy(engine, "own", is_removed ? NULL : on_strategy, own, end, NULL);
    }
#undef SET
}

/* ---- Engines and feeds -------------------------------------------------------------------------------------- */

static const char config_text[] =
    "{\"publicToken\": \"t\", \"debug\": true, \"engine\": {\"noise\": \"exact\", \"initial\": \"enter\", \"filterDeadline\": 2}}";

static void make_feeds(void) {
    size_t room = 256 * REGIONS, length = 0;
    char *text = malloc(room), path[4200];
    if (!text) die("out of memory");
#define PUT(...) (length += (size_t)snprintf(text + length, room - length, __VA_ARGS__))
    PUT("{\"version\": 1, \"regions\": [");
    for (int i = 0; i < REGIONS; i++)
        PUT("%s{\"id\": \"r%d\", \"name\": \"Place %d\", \"type\": \"geofence\", \"latitude\": %.2f, \"longitude\": 4.885, \"radius\": 100}",
            i ? ", " : "", i, i, 46 + i * STEP);
    PUT("], \"campaigns\": [");
    for (int i = 0; i < REGIONS; i++)
        PUT("%s{\"id\": \"c%d\", \"type\": \"%s\", \"%s\": \"At {{name}}\", \"regions\": [\"r%d\"], \"resend\": true%s}", i ? ", " : "", i,
            i % 4 == 3 ? "geotrigger" : "notification", i % 4 == 3 ? "name" : "message", i,
            i % 4 == 2 ? ", \"trigger\": \"dwelling\", \"dwellingMinutes\": 5" : i % 4 == 1 ? ", \"removeOnExit\": true" : "");
    PUT("]}");
    if (length >= room) die("the feed is too long");
    plot_error *error = NULL;
    if (plot_feed_parse(text, length, &feeds[0], &error) != PLOT_OK) die("no feed: %s", plot_error_get_message(error));
    snprintf(path, sizeof path, "%s/feed", folder);
    if (plot_feed_save(feeds[0], path, NULL) != PLOT_OK || plot_feed_map(path, &feeds[1], NULL) != PLOT_OK) die("no mapped feed");
    free(text);
}

static plot_engine *new_engine(const char *store, const char *recording) {
    plot_engine *engine = NULL;
    plot_error *error = NULL;
    if (plot_engine_new(&engine, NULL) != PLOT_OK) die("no engine");
    for (int kind = 0; kind < KINDS; kind++)
        if (set_callback(engine, kind, 0) != PLOT_OK) die("no callback");
    if (recording && plot_engine_record_to_file(engine, recording, 0, NULL) != PLOT_OK) die("no recording");
    if (plot_engine_init(engine, START, config, store, &error) != PLOT_OK) die("no engine: %s", plot_error_get_message(error));
    return engine;
}

static void remove_store(const char *path) {
    static const char *const ends[] = {"", "-wal", "-log", "-page", "-feed", "-shm", "-journal"};
    char name[4300];
    for (int i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        unlink(name);
    }
}

/* ---- One thread --------------------------------------------------------------------------------------------- */

typedef struct {
    int number;
    uint64_t dice;
    plot_engine *own;
    int64_t time; /* of its own engine */
    long shown;
} worker;

static uint32_t any(worker *w, uint32_t n) {
    uint64_t z = w->dice += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (uint32_t)((z ^ z >> 31) % n);
}

static double latitude(worker *w) { return 46 + any(w, REGIONS) * STEP; }

/* Each text is made when it is first asked for, by whichever thread that is. */
static void read_shared_items(worker *w) {
    static const char *const keys[] = {PLOT_KEY_IDENTIFIER, PLOT_KEY_MESSAGE, PLOT_KEY_CAMPAIGN_ID, PLOT_KEY_REGION_ID};
    if (is_spoilt("lock")) return; /* items have a lock, too, and an engine's is meant */
    for (size_t i = 0; i < plot_list_get_count(items); i++) {
        const char *value = NULL;
        plot_item *copy = NULL;
        const plot_item *item = plot_list_get(items, i);
        if (plot_item_get_string(item, keys[any(w, 4)], &value) != PLOT_OK || !*value) die("an item without a value");
        if (i % 16 == 0 && plot_item_copy(item, &copy, NULL) != PLOT_OK) die("no copy");
        plot_item_free(copy);
    }
}

/* All shared engines and one's own, many devices in one call. */
static void take_batch(worker *w, int64_t time) {
    enum { FIXES = 48 };
    plot_engine *engines[SHARED];
    uint32_t devices[FIXES];
    int64_t times[FIXES];
    double latitudes[FIXES], longitudes[FIXES];
    plot_effects *effects = NULL;
    memcpy(engines, shared, sizeof engines);
    engines[1] = w->own;
    uint32_t first = any(w, 2) ? 1 : 0, among = first ? 1 : CLOSED_EARLY + 1;
    for (int i = 0; i < FIXES; i++) {
        devices[i] = first + any(w, among);
        times[i] = devices[i] == 1 ? (w->time += 1000) : time;
        latitudes[i] = latitude(w);
        longitudes[i] = 4.885;
    }
    int32_t status =
        plot_engines_update_locations(engines, SHARED, devices, FIXES, times, latitudes, longitudes, NULL, NULL, NULL, &effects, NULL);
    /* The fault is the closed engine among them: nothing is taken. */
    expect("a batch", status, shared[CLOSED_EARLY], 0);
    const plot_effect *records = plot_effects_get_records(effects);
    for (size_t i = 0; i < plot_effects_get_count(effects); i++)
        if (records[i].fix >= FIXES || records[i].device != devices[records[i].fix]) die("a record of no fix");
    plot_effects_free(effects);
}

static void act(worker *w, int turn) {
    const uint32_t late = BIT(PLOT_OUT_OF_ORDER), gone = BIT(PLOT_NOT_FOUND);
    plot_engine *engine = shared[any(w, SHARED)];
    int64_t time = ADD(&now, 250);
    plot_string *text = NULL;
    plot_list *list = NULL;
    char name[64];
    switch (any(w, 24)) {
    case 0: case 1: case 2: case 3: case 4:
        EXPECT(plot_engine_update_location(engine, time, latitude(w), 4.885, 5, -1, -1, NULL), engine, late);
        break;
    case 5:
        EXPECT(plot_engine_set_feed(engine, time, feeds[any(w, 2)], NULL), engine, 0);
        break;
    case 6:
        if (EXPECT(plot_engine_get_sent_notifications(engine, &list, NULL), engine, 0) == PLOT_OK && plot_list_get_count(list) > 0) {
            const char *match = NULL;
            if (plot_item_get_string(plot_list_get(list, 0), PLOT_KEY_MATCH_IDENTIFIER, &match) != PLOT_OK) die("no match identifier");
            EXPECT(plot_engine_open_notification(engine, time, match, NULL), engine, gone);
        }
        read_list(list);
        break;
    case 7:
        EXPECT(plot_engine_get_loaded_notifications(engine, 5, &list, NULL), engine, 0);
        read_list(list);
        break;
    case 8:
        if (EXPECT(plot_engine_get_displayed_notifications(engine, &list, NULL), engine, 0) == PLOT_OK && plot_list_get_count(list) > 0) {
            const char *match = NULL;
            if (plot_item_get_string(plot_list_get(list, 0), PLOT_KEY_MATCH_IDENTIFIER, &match) != PLOT_OK) die("no match identifier");
            EXPECT(plot_engine_dismiss_notification(engine, time, match, NULL), engine, gone);
        }
        read_list(list);
        break;
    case 9:
        EXPECT(plot_engine_get_visits(engine, &text, NULL), engine, 0);
        read_text(text);
        break;
    case 10: case 11:
        EXPECT(plot_engine_advance(engine, time, NULL), engine, 0);
        break;
    case 12: {
        int kind = (int)any(w, KINDS);
        expect("setting a callback", set_callback(engine, kind, any(w, 4) == 0), engine, 0);
        break;
    }
    case 13:
        snprintf(name, sizeof name, "v%d", turn);
        EXPECT(plot_engine_set_string_segmentation_property(engine, time, "k", name, NULL), engine, 0);
        EXPECT(plot_engine_get_segmentation_properties(engine, &text, NULL), engine, 0);
        read_text(text);
        break;
    case 14:
        if (any(w, 4) == 0) EXPECT(plot_engine_clear_all_data(engine, time, NULL), engine, 0);
        break;
    case 15:
        take_batch(w, time);
        break;
    case 16:
        snprintf(name, sizeof name, "c%u", any(w, REGIONS));
        EXPECT(plot_engine_explain(engine, name, NULL, "nl", &text, NULL), engine, gone);
        read_text(text);
        EXPECT(plot_engine_keep_decisions(engine, any(w, 100), NULL), engine, 0);
        text = NULL;
        EXPECT(plot_engine_get_decisions(engine, NULL, NULL, 10, &text, NULL), engine, 0);
        read_text(text);
        break;
    case 17: {
        char message[128];
        int length = snprintf(message, sizeof message, "{\"id\": \"m%d-%d\", \"body\": \"b\", \"correlationKey\": \"k%u\", \"revision\": %d}",
            w->number, turn, any(w, 3), turn);
        EXPECT(plot_engine_process_message(engine, time, message, (size_t)length, NULL), engine, 0);
        break;
    }
    case 18: {
        /* Feeds and items that all read. */
        plot_feed *feed = feeds[any(w, 2)];
        size_t at = any(w, REGIONS);
        snprintf(name, sizeof name, "r%zu", at);
        if (strcmp(plot_feed_get_region_id(feed, at), name) || plot_feed_get_campaign_count(feed) != REGIONS) die("another feed");
        if (any(w, 8) == 0) {
            if (plot_feed_to_json(feed, &text, NULL) != PLOT_OK) die("no text of a feed");
            read_text(text);
        }
        break;
    }
    case 19:
        read_shared_items(w);
        if (plot_list_to_json(items, &text, NULL) != PLOT_OK) die("no text of a list");
        read_text(text);
        break;
    case 20: {
        /* Whatever batch is open. */
        uint64_t token = any(w, 60);
        if (EXPECT(plot_engine_get_batch(engine, token, &list, NULL), engine, answers) == PLOT_OK) {
            const uint32_t other = answers | BIT(PLOT_UNKNOWN_ITEM);
            EXPECT(plot_engine_answer_filter(engine, time, token, list, NULL), engine, other);
            EXPECT(plot_engine_mark_geotriggers_handled(engine, time, token, NULL, NULL), engine, other);
        }
        read_list(list);
        break;
    }
    case 21:
        EXPECT(plot_engine_plan_regions(engine, time, latitude(w), 4.885, 5, 20, 0, &text, NULL), engine, 0);
        read_text(text);
        break;
    case 22:
        EXPECT(plot_engine_set_foreground(engine, time, (int32_t)any(w, 2), NULL), engine, 0);
        EXPECT(plot_engine_set_time_zone(engine, time, any(w, 2) ? "Europe/Amsterdam" : "Asia/Tokyo", NULL), engine, 0);
        break;
    default:
        if (plot_live_objects() < SHARED + 4) die("%lld objects are alive", (long long)plot_live_objects());
        break;
    }
}

static int32_t on_own_show(void *data, plot_engine *engine, const plot_item *item) {
    (void)engine, (void)item;
    ((worker *)data)->shown++;
    return PLOT_OK;
}

/* A walk on an engine of its own: the same in each thread and each turn. */
static void own_walk(worker *w) {
    char store[4200] = "";
    if (!in_memory && w->number % 2) snprintf(store, sizeof store, "%s/own%d", folder, w->number);
    plot_engine *engine = NULL;
    w->shown = 0;
    if (plot_engine_new(&engine, NULL) || plot_engine_set_show_callback(engine, on_own_show, w, NULL, NULL)
        || plot_engine_init(engine, START, config, *store ? store : NULL, NULL)
        || plot_engine_set_feed(engine, START, feeds[w->number / 2 % 2], NULL))
        die("no engine of its own");
    for (int i = 0; i < 40; i++)
        if (plot_engine_update_location(engine, START + (i + 1) * INT64_C(301000), 46 + (i / 2) * STEP, 4.885, 5, -1, -1, NULL)) die("no fix of its own");
    plot_engine_free(engine);
    if (*store) remove_store(store);
    /* Of twenty places five are of each kind: entered, entered, dwelt at, a geotrigger. */
    if (w->shown != 15) die("%ld were shown, not 15", w->shown);
}

/* Of the thread sanitizer: it no longer sees what puts this thread in an order, such as the lock of an engine. */
void AnnotateIgnoreSyncBegin(const char *file, int line) __attribute__((weak));

static void *work(void *data) {
    worker *w = data;
    /* Before anything that puts the threads in an order. */
    read_shared_items(w);
    if (is_spoilt("lock") && AnnotateIgnoreSyncBegin) AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    for (int turn = 0; turn < turns; turn++) {
        act(w, turn);
        if (turn % 100 == 50) own_walk(w);
        if (w->number == 7 && turn == turns * 4 / 5) {
            STORE(&is_closed, 1);
            EXPECT(plot_engine_close(shared[CLOSED_EARLY]), shared[CLOSED_EARLY], 0);
        }
    }
    return NULL;
}

/* ---- What a sanitizer must report --------------------------------------------------------------------------- */

static void *edit(void *data) {
    for (int i = 0; i < 100; i++)
        if (plot_item_set_string(data, PLOT_KEY_TITLE, i % 2 ? "One" : "Other", NULL) != PLOT_OK) die("an item cannot be edited");
    return NULL;
}

static void do_harm(void) {
    plot_string *text = NULL;
    if (is_spoilt("leak")) {
        plot_engine *engine = NULL;
        if (plot_engine_new(&engine, NULL) != PLOT_OK) die("no engine");
        engine = NULL;
    } else if (is_spoilt("freed") || is_spoilt("overflow")) {
        if (plot_feed_to_json(feeds[0], &text, NULL) != PLOT_OK) die("no text");
        size_t length = plot_string_get_length(text);
        if (is_spoilt("overflow") && plot_string_get(text)[length + 1] == 'x') puts("x");
        plot_string_free(text);
        if (is_spoilt("freed") && plot_string_get_length(text) != length) puts("x");
    } else if (is_spoilt("item")) {
        /* An item that two threads change: what the header does not allow, inside the library. */
        plot_item *item = NULL;
        pthread_t threads[2];
        if (plot_item_copy(plot_list_get(items, 0), &item, NULL) != PLOT_OK) die("no copy");
        for (int i = 0; i < 2; i++)
            if (pthread_create(&threads[i], NULL, edit, item)) die("no thread");
        for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
        plot_item_free(item);
    } else if (*spoil && !is_spoilt("callback") && !is_spoilt("lock")) {
        die("unknown: --spoil %s", spoil);
    }
}

int main(int argc, char **argv) {
    int at = 1;
    for (; at < argc - 1; at++) {
        if (strcmp(argv[at], "--turns") == 0) turns = atoi(argv[++at]);
        else if (strcmp(argv[at], "--seed") == 0) seed = strtoull(argv[++at], NULL, 10);
        else if (strcmp(argv[at], "--in-memory") == 0) in_memory = 1;
        else if (strcmp(argv[at], "--spoil") == 0) spoil = argv[++at];
        else die("unknown: %s", argv[at]);
    }
    if (at != argc - 1 || turns < 100) die("threads [--turns N] [--seed N] [--in-memory] [--spoil HOW] FOLDER; N of turns from 100");
    snprintf(folder, sizeof folder, "%s", argv[at]);
    if (plot_config_parse(config_text, sizeof config_text - 1, &config, NULL) != PLOT_OK) die("no configuration");
    make_feeds();

    char path[4300], recording[4300];
    snprintf(recording, sizeof recording, "%s/recording", folder);
    plot_engine *owns[THREADS], *source = new_engine(NULL, NULL);
    if (plot_engine_set_feed(source, START, feeds[0], NULL) || plot_engine_get_loaded_notifications(source, 0, &items, NULL)) die("no items");
    for (int i = 0; i < SHARED; i++) {
        snprintf(path, sizeof path, "%s/store%d", folder, i);
        shared[i] = new_engine(in_memory || i < 3 ? NULL : path, i == 2 ? recording : NULL);
        if (plot_engine_set_feed(shared[i], START, feeds[i % 2], NULL) != PLOT_OK) die("no feed in an engine");
    }
    snprintf(path, sizeof path, "%s/decisions", folder);
    if (plot_engine_write_decisions_to(shared[0], path, NULL) != PLOT_OK) die("no file of decisions");
    do_harm();

    pthread_t threads[THREADS];
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        owns[i] = new_engine(NULL, NULL);
        if (plot_engine_set_feed(owns[i], START, feeds[i % 2], NULL) != PLOT_OK) die("no feed in an engine");
        workers[i] = (worker){.number = i, .dice = seed * 100 + (uint64_t)i, .own = owns[i], .time = START};
        if (pthread_create(&threads[i], NULL, work, &workers[i])) die("no thread");
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);

    for (int i = 0; i < THREADS; i++) plot_engine_free(owns[i]);
    for (int i = 0; i < SHARED; i++) {
        plot_engine_free(shared[i]);
        snprintf(path, sizeof path, "%s/store%d", folder, i);
        remove_store(path);
    }
    plot_engine_free(source);
    plot_list_free(items);
    plot_feed_free(feeds[0]);
    plot_feed_free(feeds[1]);
    plot_config_free(config);
    snprintf(path, sizeof path, "%s/decisions", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/feed", folder);
    unlink(path);
    unlink(recording);
    if (plot_live_objects() != 0 && !is_spoilt("leak")) die("%lld objects are left", (long long)plot_live_objects());
    if (LOAD(&ended) != LOAD(&registered))
        die("%ld callbacks were registered, %ld destroyed", LOAD(&registered), LOAD(&ended));
    if (LOAD(&asked) < THREADS || LOAD(&told) < turns || LOAD(&refused) == 0) die("too little has happened");
    printf("%d threads: %ld calls, %ld refused, %ld callbacks, %ld batches; %ld registrations, each destroyed once\n", THREADS,
        LOAD(&calls), LOAD(&refused), LOAD(&told), LOAD(&asked), LOAD(&registered));
    return 0;
}
