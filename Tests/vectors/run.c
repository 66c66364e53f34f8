/*
 * Runs the shared test vectors through the C library: run_vectors [--json | --write | --batches] FOLDER. README.md beside this file is the
 * format, also of what is printed.
 *
 * Each scenario, NAME.json, is played; what the engine asks for and tells must be, byte for byte, what stands in
 * NAME.effects.jsonl. With --write those files are written instead. With --batches, fixes that follow each other are given in one call, and
 * its records are compared with what the callbacks were told; the lines of refused fixes then come last, without their message. Ends with 0 when all are the same, 1 when one is not, and 2
 * when a scenario cannot be played.
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <inttypes.h>
#include <jansson.h>
#include <plotengine.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Small helpers ------------------------------------------------------------------------------------------ */

/* The vector that is being run, for messages: a file name, and the number of an input or -1. */
static const char *current_name = "";
static int current_input = -1;

/* The scenario itself is at fault, or the machine: no use going on. */
static _Noreturn void die(const char *format, ...) {
    va_list arguments;
    fprintf(stderr, "%s: ", current_name);
    if (current_input >= 0) fprintf(stderr, "input %d: ", current_input);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

static void *grown(void *memory, size_t size) {
    void *result = realloc(memory, size);
    if (result == NULL) die("out of memory");
    return result;
}

/* A text that grows; always ends with a NUL. */
typedef struct {
    char *bytes;
    size_t length, room;
} text;

static void add_bytes(text *to, const char *bytes, size_t length) {
    if (to->length + length + 1 > to->room) {
        to->room = (to->length + length + 1) * 2;
        to->bytes = grown(to->bytes, to->room);
    }
    memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
    to->bytes[to->length] = '\0';
}

static void add(text *to, const char *string) { add_bytes(to, string, strlen(string)); }

static void add_integer(text *to, int64_t number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, number);
    add(to, digits);
}

/* A JSON string: only what must be escaped is. */
static void add_quoted(text *to, const char *string) {
    add(to, "\"");
    for (; *string; string++) {
        unsigned char byte = (unsigned char)*string;
        char escape[8];
        switch (byte) {
        case '"': add(to, "\\\""); break;
        case '\\': add(to, "\\\\"); break;
        case '\b': add(to, "\\b"); break;
        case '\f': add(to, "\\f"); break;
        case '\n': add(to, "\\n"); break;
        case '\r': add(to, "\\r"); break;
        case '\t': add(to, "\\t"); break;
        default:
            if (byte < 0x20) {
                snprintf(escape, sizeof escape, "\\u%04x", byte);
                add(to, escape);
            } else {
                add_bytes(to, string, 1);
            }
        }
    }
    add(to, "\"");
}

/* ---- Reading a scenario ------------------------------------------------------------------------------------- */

/* Every key of an object must be one of `allowed`, words with a space between and around. */
static void check_keys(json_t *object, const char *allowed) {
    const char *key;
    json_t *value;
    if (!json_is_object(object)) die("expected an object with%s", allowed);
    json_object_foreach(object, key, value) {
        char word[64];
        int length = snprintf(word, sizeof word, " %s ", key);
        if (length < 0 || (size_t)length >= sizeof word || strstr(allowed, word) == NULL)
            die("unknown key \"%s\"; expected%s", key, allowed);
    }
}

static const char *optional_string(json_t *object, const char *key, const char *otherwise) {
    json_t *value = json_object_get(object, key);
    if (value == NULL) return otherwise;
    if (!json_is_string(value)) die("%s: expected a string", key);
    return json_string_value(value);
}

static const char *string_of(json_t *object, const char *key) {
    const char *value = optional_string(object, key, NULL);
    if (value == NULL) die("%s: expected a string", key);
    return value;
}

static int64_t integer_of(json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    if (!json_is_integer(value)) die("%s: expected an integer", key);
    return json_integer_value(value);
}

/* Without `otherwise` the key is required. */
static double number_of(json_t *object, const char *key, const double *otherwise) {
    json_t *value = json_object_get(object, key);
    if (value == NULL && otherwise != NULL) return *otherwise;
    if (!json_is_number(value)) die("%s: expected a number", key);
    return json_number_value(value);
}

static bool flag_of(json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    if (value == NULL) return false;
    if (!json_is_boolean(value)) die("%s: expected true or false", key);
    return json_is_true(value);
}

static json_t *member(json_t *object, const char *key, bool (*is)(const json_t *), const char *expected) {
    json_t *value = json_object_get(object, key);
    if (!is(value)) die("%s: expected %s", key, expected);
    return value;
}

static bool is_object(const json_t *value) { return json_is_object(value); }
static bool is_array(const json_t *value) { return json_is_array(value); }

/* Milliseconds since 1970 of YYYY-MM-DDTHH:MM:SSZ, with .mmm before the Z where wanted. */
static int64_t parse_time(const char *iso) {
    int year, month, day, hour, minute, second, used = 0, millisecond = 0;
    const char *form = "%4d-%2d-%2dT%2d:%2d:%2d%n";
    if (sscanf(iso, form, &year, &month, &day, &hour, &minute, &second, &used) != 6 || used != 19)
        die("expected a time as 2026-05-16T12:00:00Z, found \"%s\"", iso);
    if (iso[19] == '.') {
        used = 0;
        if (sscanf(iso + 20, "%3d%n", &millisecond, &used) != 1 || used != 3)
            die("expected milliseconds in \"%s\"", iso);
        iso += 4;
    }
    if (strcmp(iso + 19, "Z") != 0) die("expected a time in UTC, with a Z at its end");
    /* Days since 1970-01-01; years begin in March, so that the leap day comes last. */
    int64_t shifted = month > 2 ? year : year - 1, era = shifted / 400, of_era = shifted - era * 400;
    int64_t of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    int64_t days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + millisecond;
}

static int64_t time_of(json_t *object) { return parse_time(string_of(object, "time")); }

/* ---- A run -------------------------------------------------------------------------------------------------- */

enum { FILTER, GEOTRIGGERS };

/* Whether fixes that follow each other are given in one call. */
static bool in_batches;

typedef struct {
    json_t *scenario, *host;
    plot_config *config;
    plot_feed *feed; /* the one in force; NULL for none */
    plot_engine *engine;
    char *store; /* NULL: in memory */
    text effects;
    uint64_t *tokens[2]; /* of the filter's and the handler's batches, in the order in which they came */
    size_t token_count[2];
    char **shown; /* the matchIdentifier of each notification shown */
    size_t shown_count;
    bool has_failed; /* `show` was "failOnce", and it has failed */
    int64_t newest;
    int lives; /* engines that were recorded */
} run;

/* The status and error of a call; an input that fails leaves an effect. */
static void check_input(run *run, int32_t status, plot_error *error) {
    if (status != PLOT_OK) {
        add(&run->effects, "{\"effect\":\"status\",\"input\":");
        add_integer(&run->effects, current_input);
        add(&run->effects, ",\"status\":");
        add_quoted(&run->effects, plot_status_name(status));
        add(&run->effects, ",\"message\":");
        add_quoted(&run->effects, plot_error_get_message(error));
        add(&run->effects, "}\n");
    }
    plot_error_free(error);
}

/* For calls that cannot fail unless the scenario or the library is wrong. */
static void need(int32_t status, const char *call) {
    if (status != PLOT_OK) die("%s gives %s", call, plot_status_name(status));
}

static void add_item(text *to, const plot_item *item) {
    plot_string *json;
    need(plot_item_to_json(item, &json, NULL), "plot_item_to_json");
    add_bytes(to, plot_string_get(json), plot_string_get_length(json));
    plot_string_free(json);
}

static void add_list(text *to, const plot_list *list) {
    plot_string *json;
    need(plot_list_to_json(list, &json, NULL), "plot_list_to_json");
    add_bytes(to, plot_string_get(json), plot_string_get_length(json));
    plot_string_free(json);
}

static const char *identifier_of(const plot_item *item) {
    const char *identifier;
    need(plot_item_get_string(item, PLOT_KEY_IDENTIFIER, &identifier), "plot_item_get_string");
    return identifier;
}

/* Any value as JSON text. */
static char *document(json_t *value) {
    char *json = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    if (json == NULL) die("out of memory");
    return json;
}

/* The changes of a rule, or of an item of an answer. */
static void edit(plot_item *item, json_t *changes) {
    const char *message = optional_string(changes, "message", NULL), *data = optional_string(changes, "data", NULL);
    if (message) need(plot_item_set_string(item, PLOT_KEY_MESSAGE, message, NULL), "setting a message");
    if (data) need(plot_item_set_string(item, PLOT_KEY_DATA, data, NULL), "setting data");
    json_t *set = json_object_get(changes, "set"), *value;
    const char *key;
    if (set != NULL && !json_is_object(set)) die("set: expected an object");
    json_object_foreach(set, key, value) {
        if (json_is_null(value)) {
            need(plot_item_clear(item, key, NULL), "plot_item_clear");
            continue;
        }
        char *json = document(value);
        need(plot_item_set_json(item, key, json, strlen(json), NULL), "plot_item_set_json");
        free(json);
    }
}

/* ---- Callbacks ---------------------------------------------------------------------------------------------- */

static void on_event(void *user_data, plot_engine *engine, const char *json, size_t length, const plot_item *item) {
    text *effects = &((run *)user_data)->effects;
    (void)engine, (void)item;
    add(effects, "{\"effect\":\"event\",\"record\":");
    add_bytes(effects, json, length);
    add(effects, "}\n");
}

static void on_decision(void *user_data, plot_engine *engine, const char *json, size_t length) {
    text *effects = &((run *)user_data)->effects;
    (void)engine;
    add(effects, "{\"effect\":\"decision\",\"record\":");
    add_bytes(effects, json, length);
    add(effects, "}\n");
}

static void on_sync(void *user_data, plot_engine *engine, const char *json, size_t length, int64_t next_ms) {
    text *effects = &((run *)user_data)->effects;
    (void)engine;
    add(effects, "{\"effect\":\"syncStatus\",\"next\":");
    add_integer(effects, next_ms);
    add(effects, ",\"value\":");
    add_bytes(effects, json, length);
    add(effects, "}\n");
}

/* Keeps, edits and drops the items of a batch: for each the first rule that matches. */
static void apply_rules(plot_list *items, json_t *rules, const char *rule_keys) {
    size_t position = 0;
    while (position < plot_list_get_count(items)) {
        plot_item *item = plot_list_get(items, position);
        json_t *rule, *match = NULL;
        size_t index;
        json_array_foreach(rules, index, rule) {
            check_keys(rule, rule_keys);
            const char *identifier = optional_string(rule, "identifier", NULL);
            if (match == NULL && (identifier == NULL || strcmp(identifier, identifier_of(item)) == 0)) match = rule;
        }
        if (match && flag_of(match, "drop")) {
            need(plot_list_remove(items, position, NULL), "plot_list_remove");
            continue;
        }
        if (match) edit(item, match);
        position++;
    }
}

static void on_batch(run *run, int kind, uint64_t token, plot_list *items) {
    add(&run->effects, kind == FILTER ? "{\"effect\":\"filter\",\"token\":" : "{\"effect\":\"geotriggers\",\"token\":");
    add_integer(&run->effects, (int64_t)token);
    add(&run->effects, ",\"items\":");
    add_list(&run->effects, items);
    add(&run->effects, "}\n");

    bool is_known = false;
    for (size_t i = 0; i < run->token_count[kind]; i++) is_known |= run->tokens[kind][i] == token;
    if (!is_known) {
        run->tokens[kind] = grown(run->tokens[kind], (run->token_count[kind] + 1) * sizeof token);
        run->tokens[kind][run->token_count[kind]++] = token;
    }

    json_t *rules = json_object_get(run->host, kind == FILTER ? "filter" : "geotriggers");
    if (!json_is_array(rules)) return; /* "later" */
    apply_rules(items, rules, kind == FILTER ? " identifier message data set drop " : " identifier drop ");
    if (kind == FILTER) {
        need(plot_engine_answer_filter(run->engine, run->newest, token, items, NULL), "plot_engine_answer_filter");
    } else {
        need(plot_engine_mark_geotriggers_handled(run->engine, run->newest, token, items, NULL),
             "plot_engine_mark_geotriggers_handled");
    }
}

static void on_filter(void *user_data, plot_engine *engine, uint64_t token, plot_list *notifications) {
    (void)engine;
    on_batch(user_data, FILTER, token, notifications);
}

static void on_geotriggers(void *user_data, plot_engine *engine, uint64_t token, plot_list *geotriggers) {
    (void)engine;
    on_batch(user_data, GEOTRIGGERS, token, geotriggers);
}

static int32_t on_show(void *user_data, plot_engine *engine, const plot_item *notification) {
    run *run = user_data;
    const char *match, *show = optional_string(run->host, "show", "ok");
    (void)engine;
    add(&run->effects, "{\"effect\":\"show\",\"item\":");
    add_item(&run->effects, notification);
    add(&run->effects, "}\n");
    if (strcmp(show, "fail") == 0 || (strcmp(show, "failOnce") == 0 && !run->has_failed)) {
        run->has_failed = true;
        return PLOT_IO_ERROR;
    }
    need(plot_item_get_string(notification, PLOT_KEY_MATCH_IDENTIFIER, &match), "plot_item_get_string");
    run->shown = grown(run->shown, (run->shown_count + 1) * sizeof *run->shown);
    run->shown[run->shown_count] = strdup(match);
    if (run->shown[run->shown_count++] == NULL) die("out of memory");
    return PLOT_OK;
}

static int32_t on_remove(void *user_data, plot_engine *engine, const plot_item *notification) {
    run *run = user_data;
    (void)engine;
    add(&run->effects, "{\"effect\":\"remove\",\"item\":");
    add_item(&run->effects, notification);
    add(&run->effects, "}\n");
    return strcmp(optional_string(run->host, "remove", "ok"), "fail") == 0 ? PLOT_IO_ERROR : PLOT_OK;
}

/* ---- Strategies --------------------------------------------------------------------------------------------- */

typedef struct strategy {
    run *run;
    json_t *rule;
    int64_t shown; /* how many it was told of; its state, with `next` where there is a `minimumTime` */
    int64_t next;  /* until then it says no, in ms */
} strategy;

static bool has_word(json_t *words, const char *word) {
    size_t index;
    json_t *entry;
    json_array_foreach(words, index, entry) {
        if (strcmp(json_string_value(entry), word) == 0) return true;
    }
    return false;
}

/* Why a notification leaves the screen, and what takes its place. */
static void add_departure(text *effects, const plot_strategy_call *call) {
    const char *details = plot_strategy_call_get_json(call);
    json_t *object = json_loads(details, 0, NULL);
    const plot_item *next = plot_strategy_call_get_next(call);
    add(effects, ",\"cause\":");
    add_quoted(effects, string_of(object, "cause"));
    if (next) {
        add(effects, ",\"next\":");
        add_quoted(effects, identifier_of(next));
    }
    json_decref(object);
}

static int32_t on_strategy(void *user_data, plot_engine *engine, int32_t what, plot_strategy_call *call) {
    static const char *const names[] = {"updateParameters", "create", "delete", "created", "deleted",
                                        "background", "foreground", "startMonitoring", "load"};
    strategy *own = user_data;
    text *effects = &own->run->effects;
    const plot_item *item = plot_strategy_call_get_item(call);
    int32_t answer = 1;
    char state[48];
    json_t *minimum = json_object_get(own->rule, "minimumTime"); /* seconds */
    int64_t now = plot_strategy_call_get_time(call);
    (void)engine;
    if (what == PLOT_STRATEGY_SAVE) {
        if (minimum) snprintf(state, sizeof state, "%" PRId64 " %" PRId64, own->shown, own->next);
        else snprintf(state, sizeof state, "%" PRId64, own->shown);
        need(plot_strategy_call_set_state(call, state, NULL), "plot_strategy_call_set_state");
        return 1;
    }
    bool is_vote = what == PLOT_STRATEGY_VOTE_CREATE || what == PLOT_STRATEGY_VOTE_DELETE;
    add(effects, is_vote ? "{\"effect\":\"vote\",\"strategy\":" : "{\"effect\":\"told\",\"strategy\":");
    add_quoted(effects, string_of(own->rule, "key"));
    add(effects, ",\"what\":");
    add_quoted(effects, names[what]);
    if (item) {
        add(effects, ",\"identifier\":");
        add_quoted(effects, identifier_of(item));
    }
    if (is_vote) {
        const char *campaign;
        need(plot_item_get_string(item, PLOT_KEY_CAMPAIGN_ID, &campaign), "plot_item_get_string");
        answer = !has_word(json_object_get(own->rule, what == PLOT_STRATEGY_VOTE_CREATE ? "veto" : "vetoDelete"), campaign);
        if (what == PLOT_STRATEGY_VOTE_CREATE && now < own->next) answer = 0;
        if (what == PLOT_STRATEGY_VOTE_DELETE) add_departure(effects, call);
        add(effects, answer ? ",\"agrees\":true" : ",\"agrees\":false");
    } else if (what == PLOT_STRATEGY_CREATED || what == PLOT_STRATEGY_DELETED) {
        int32_t done = plot_strategy_call_get_done(call);
        if (what == PLOT_STRATEGY_DELETED) add_departure(effects, call);
        add(effects, done ? ",\"done\":true" : ",\"done\":false");
        if (what == PLOT_STRATEGY_CREATED) own->shown += done;
        else if (minimum && done) own->next = now + 1000 * json_integer_value(minimum);
    } else if (what == PLOT_STRATEGY_UPDATE_PARAMETERS || what == PLOT_STRATEGY_START_MONITORING) {
        add(effects, ",\"json\":");
        add(effects, plot_strategy_call_get_json(call));
    } else if (what == PLOT_STRATEGY_LOAD) {
        const char *kept = plot_strategy_call_get_state(call);
        add(effects, ",\"state\":");
        if (kept) add_quoted(effects, kept);
        else add(effects, "null");
        char *end = NULL;
        own->shown = kept ? strtoll(kept, &end, 10) : 0;
        own->next = end && *end == ' ' ? strtoll(end, NULL, 10) : 0;
    }
    add(effects, "}\n");
    return answer;
}

static void forget_strategy(void *user_data) { free(user_data); }

static void register_strategies(run *run) {
    json_t *rules = json_object_get(run->host, "strategies"), *rule;
    size_t index;
    json_array_foreach(rules, index, rule) {
        check_keys(rule, " key veto vetoDelete minimumTime ");
        strategy *own = grown(NULL, sizeof *own);
        *own = (strategy){run, rule, 0, 0};
        need(plot_engine_set_strategy(run->engine, string_of(rule, "key"), on_strategy, own, forget_strategy, NULL),
             "plot_engine_set_strategy");
    }
}

static void on_notification(void *user_data, plot_engine *engine, const plot_item *notification, const char *data) {
    text *effects = &((run *)user_data)->effects;
    (void)engine;
    add(effects, "{\"effect\":\"handler\",\"item\":");
    add_item(effects, notification);
    add(effects, ",\"data\":");
    add_quoted(effects, data);
    add(effects, "}\n");
}

static void on_open(void *user_data, plot_engine *engine, int32_t action, const char *uri,
                    const plot_item *notification) {
    text *effects = &((run *)user_data)->effects;
    (void)engine;
    add(effects, "{\"effect\":\"open\",\"action\":");
    add_integer(effects, action);
    add(effects, ",\"uri\":");
    add_quoted(effects, uri);
    add(effects, ",\"item\":");
    add_item(effects, notification);
    add(effects, "}\n");
}

static void on_fix_request(void *user_data, plot_engine *engine, int64_t deadline_ms) {
    text *effects = &((run *)user_data)->effects;
    (void)engine;
    add(effects, "{\"effect\":\"fixRequest\",\"deadline\":");
    add_integer(effects, deadline_ms);
    add(effects, "}\n");
}

static void on_wakeup(void *user_data, plot_engine *engine, int64_t time_ms) {
    text *effects = &((run *)user_data)->effects;
    (void)engine;
    add(effects, "{\"effect\":\"wakeup\",\"time\":");
    add_integer(effects, time_ms);
    add(effects, "}\n");
}

/* ---- The engine's life -------------------------------------------------------------------------------------- */

/* Whether the host has a filter or a handler: "none", "later" or an array of rules. */
static bool has_batches(run *run, const char *key) {
    json_t *value = json_object_get(run->host, key);
    if (value == NULL || json_is_array(value)) return value != NULL;
    const char *word = string_of(run->host, key);
    if (strcmp(word, "none") != 0 && strcmp(word, "later") != 0) die("%s: expected \"none\", \"later\" or rules", key);
    return strcmp(word, "later") == 0;
}

/* `object` has `monotonic` and `boot`. */
static int32_t tell_clock(run *run, json_t *object, int64_t time, plot_error **error) {
    return plot_engine_set_clock(run->engine, time, integer_of(object, "monotonic"), string_of(object, "boot"), error);
}

/* Where PLOT_VECTORS_RECORD names a folder, each life of an engine leaves a recording in it: SCENARIO.1.jsonl, and so on. */
static void record(run *run) {
    const char *folder = getenv("PLOT_VECTORS_RECORD");
    char path[4096];
    if (folder == NULL) return;
    snprintf(path, sizeof path, "%s/%s.%d.jsonl", folder, current_name, ++run->lives);
    need(plot_engine_record_to_file(run->engine, path, 0, NULL), "plot_engine_record_to_file");
}

/* `clock`, where it is not NULL, is told before plot_engine_init. */
static int32_t start(run *run, int64_t time, json_t *clock, plot_error **error) {
    if (clock) check_keys(clock, " monotonic boot ");
    const char *show = optional_string(run->host, "show", "ok");
    need(plot_engine_new(&run->engine, NULL), "plot_engine_new");
    plot_engine *engine = run->engine;
    record(run);
    need(plot_engine_set_event_callback(engine, on_event, run, NULL, NULL), "registering");
    need(plot_engine_set_open_callback(engine, on_open, run, NULL, NULL), "registering");
    need(plot_engine_set_wakeup_callback(engine, on_wakeup, run, NULL, NULL), "registering");
    need(plot_engine_set_fix_request_callback(engine, on_fix_request, run, NULL, NULL), "registering");
    if (flag_of(run->host, "sync"))
        need(plot_engine_set_sync_callback(engine, on_sync, run, NULL, NULL), "registering");
    if (flag_of(run->scenario, "decisions"))
        need(plot_engine_set_decision_callback(engine, on_decision, run, NULL, NULL), "registering");
    if (has_batches(run, "filter"))
        need(plot_engine_set_filter_callback(engine, on_filter, run, NULL, NULL), "registering");
    if (has_batches(run, "geotriggers"))
        need(plot_engine_set_geotrigger_callback(engine, on_geotriggers, run, NULL, NULL), "registering");
    if (strcmp(show, "ok") == 0 || strcmp(show, "fail") == 0 || strcmp(show, "failOnce") == 0) {
        need(plot_engine_set_show_callback(engine, on_show, run, NULL, NULL), "registering");
    } else if (strcmp(show, "none") != 0) {
        die("show: expected \"ok\", \"fail\", \"failOnce\" or \"none\"");
    }
    if (strcmp(optional_string(run->host, "remove", "ok"), "none") != 0)
        need(plot_engine_set_remove_callback(engine, on_remove, run, NULL, NULL), "registering");
    register_strategies(run);
    if (flag_of(run->host, "handler"))
        need(plot_engine_set_notification_handler(engine, on_notification, run, NULL, NULL), "registering");
    if (clock) need(tell_clock(run, clock, time, NULL), "plot_engine_set_clock");
    return plot_engine_init(engine, time, run->config, run->store, error);
}

/* ---- Inputs ------------------------------------------------------------------------------------------------- */

static int32_t set_feed(run *run, json_t *feed_json, int64_t time, plot_error **error) {
    char *json = document(feed_json);
    plot_feed *feed;
    int32_t status = plot_feed_parse(json, strlen(json), &feed, error);
    free(json);
    if (status == PLOT_OK) status = plot_engine_set_feed(run->engine, time, feed, error);
    if (status == PLOT_OK) {
        plot_feed *old = run->feed;
        run->feed = feed;
        feed = old;
    }
    plot_feed_free(feed);
    return status;
}

static int32_t set_property(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " time key type value ");
    const char *key = string_of(value, "key"), *type = string_of(value, "type");
    if (strcmp(type, "string") == 0)
        return plot_engine_set_string_segmentation_property(run->engine, time, key, string_of(value, "value"), error);
    if (strcmp(type, "integer") == 0)
        return plot_engine_set_integer_segmentation_property(run->engine, time, key, integer_of(value, "value"), error);
    if (strcmp(type, "double") == 0)
        return plot_engine_set_double_segmentation_property(run->engine, time, key, number_of(value, "value", NULL),
                                                            error);
    if (strcmp(type, "date") == 0) {
        int64_t date = parse_time(string_of(value, "value"));
        return plot_engine_set_date_segmentation_property(run->engine, time, key, date, error);
    }
    if (strcmp(type, "boolean") != 0) die("type: unknown type \"%s\"", type);
    return plot_engine_set_boolean_segmentation_property(run->engine, time, key, flag_of(value, "value"), error);
}

/* Answers a batch that the host was offered earlier. */
static int32_t answer(run *run, json_t *value, int64_t time, int kind, plot_error **error) {
    check_keys(value, " time batch keep ");
    int64_t number = integer_of(value, "batch");
    json_t *keep = member(value, "keep", is_array, "an array"), *entry;
    if (number < 1 || (size_t)number > run->token_count[kind]) die("batch: there is no batch %" PRId64 " yet", number);
    uint64_t token = run->tokens[kind][number - 1];
    plot_list *batch, *kept;
    size_t index;
    int32_t status = plot_engine_get_batch(run->engine, token, &batch, error);
    if (status != PLOT_OK) return status;
    need(plot_list_new(&kept, NULL), "plot_list_new");
    json_array_foreach(keep, index, entry) {
        check_keys(entry, kind == FILTER ? " identifier message data set " : " identifier ");
        const char *identifier = string_of(entry, "identifier");
        plot_item *item = NULL;
        for (size_t i = 0; i < plot_list_get_count(batch) && item == NULL; i++) {
            if (strcmp(identifier_of(plot_list_get(batch, i)), identifier) == 0) item = plot_list_get(batch, i);
        }
        if (item == NULL) die("keep: \"%s\" is not in the batch", identifier);
        edit(item, entry);
        need(plot_list_append(kept, item, NULL), "plot_list_append");
    }
    status = kind == FILTER ? plot_engine_answer_filter(run->engine, time, token, kept, error)
                            : plot_engine_mark_geotriggers_handled(run->engine, time, token, kept, error);
    plot_list_free(kept);
    plot_list_free(batch);
    return status;
}

/* The matchIdentifier of the notification that an input is about. */
static const char *shown_of(run *run, json_t *value) {
    int64_t number = integer_of(value, "notification");
    if (number < 1 || (size_t)number > run->shown_count)
        die("notification: %zu were shown so far", run->shown_count);
    return run->shown[number - 1];
}

static int32_t open_shown(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " time notification ");
    return plot_engine_open_notification(run->engine, time, shown_of(run, value), error);
}

static int32_t dismiss(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " time notification ");
    return plot_engine_dismiss_notification(run->engine, time, shown_of(run, value), error);
}

static int32_t remove_shown(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " time notification ");
    const char *match = json_object_get(value, "notification") == NULL ? NULL : shown_of(run, value);
    return plot_engine_remove_notification(run->engine, time, match, error);
}

static int32_t update_shown(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " time notification message data set ");
    const char *match = shown_of(run, value);
    plot_list *shown;
    plot_item *item = NULL;
    int32_t status = plot_engine_get_displayed_notifications(run->engine, &shown, error);
    if (status != PLOT_OK) return status;
    for (size_t i = 0; i < plot_list_get_count(shown) && item == NULL; i++) {
        plot_item *one = plot_list_get(shown, i);
        const char *its = NULL;
        need(plot_item_get_string(one, PLOT_KEY_MATCH_IDENTIFIER, &its), "plot_item_get_string");
        if (strcmp(its, match) == 0) item = one;
    }
    if (item == NULL) die("updateNotification: it is not on the screen");
    edit(item, value);
    status = plot_engine_update_notification(run->engine, time, item, error);
    plot_list_free(shown);
    return status;
}

static int32_t take_action(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " time notification action ");
    return plot_engine_take_action(run->engine, time, shown_of(run, value), string_of(value, "action"), error);
}

static int32_t set_advertising(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " time identifier limitTracking ");
    const char *identifier = optional_string(value, "identifier", NULL);
    return plot_engine_set_advertising_identifier(run->engine, time, identifier, flag_of(value, "limitTracking"), error);
}

/* A message: `payload`, any JSON, or `text` as it stands. */
static int32_t process_message(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " time payload text ");
    json_t *payload = json_object_get(value, "payload");
    if (payload == NULL) {
        const char *words = string_of(value, "text");
        return plot_engine_process_message(run->engine, time, words, strlen(words), error);
    }
    char *json = document(payload);
    int32_t status = plot_engine_process_message(run->engine, time, json, strlen(json), error);
    free(json);
    return status;
}

static int32_t start_trip(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " time trip ");
    char *json = document(json_object_get(value, "trip"));
    int32_t status = plot_engine_start_trip(run->engine, time, json, strlen(json), error);
    free(json);
    return status;
}

static int32_t end_trip(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " time trip arrived ");
    int32_t arrived = json_object_get(value, "arrived") != NULL && flag_of(value, "arrived");
    return plot_engine_end_trip(run->engine, time, string_of(value, "trip"), arrived, error);
}

static int32_t trips(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " time ");
    plot_string *text = NULL;
    int32_t status = plot_engine_get_trips(run->engine, time, &text, error);
    if (status == PLOT_OK) {
        add(&run->effects, "{\"effect\":\"trips\",\"value\":");
        add_bytes(&run->effects, plot_string_get(text), plot_string_get_length(text));
        add(&run->effects, "}\n");
    }
    plot_string_free(text);
    return status;
}

static int32_t edit_list(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " time name add remove ");
    json_t *edit = json_object(), *add = json_object_get(value, "add"), *taken = json_object_get(value, "remove");
    if (add != NULL) json_object_set(edit, "add", add);
    if (taken != NULL) json_object_set(edit, "remove", taken);
    char *json = document(edit);
    int32_t status = plot_engine_edit_list(run->engine, time, string_of(value, "name"), json, strlen(json), error);
    free(json);
    json_decref(edit);
    return status;
}

static int32_t set_list(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " time name list ");
    const char *name = string_of(value, "name");
    json_t *entries = json_object_get(value, "list");
    if (entries == NULL) return plot_engine_set_list(run->engine, time, name, NULL, 0, error);
    char *json = document(entries);
    int32_t status = plot_engine_set_list(run->engine, time, name, json, strlen(json), error);
    free(json);
    return status;
}

static int32_t list(run *run, const char *name, plot_error **error) {
    plot_list *items = NULL;
    plot_string *json = NULL;
    int32_t status = PLOT_OK;
    if (strcmp(name, "sentNotifications") == 0) {
        status = plot_engine_get_sent_notifications(run->engine, &items, error);
    } else if (strcmp(name, "sentGeotriggers") == 0) {
        status = plot_engine_get_sent_geotriggers(run->engine, &items, error);
    } else if (strcmp(name, "loadedNotifications") == 0) {
        status = plot_engine_get_loaded_notifications(run->engine, 0, &items, error);
    } else if (strcmp(name, "loadedGeotriggers") == 0) {
        status = plot_engine_get_loaded_geotriggers(run->engine, 0, &items, error);
    } else if (strcmp(name, "displayedNotifications") == 0) {
        status = plot_engine_get_displayed_notifications(run->engine, &items, error);
    } else if (strcmp(name, "visits") == 0) {
        status = plot_engine_get_visits(run->engine, &json, error);
    } else if (strcmp(name, "summary") == 0) {
        status = plot_engine_get_summary(run->engine, &json, error);
    } else if (strcmp(name, "segmentation") == 0) {
        status = plot_engine_get_segmentation_properties(run->engine, &json, error);
    } else if (strcmp(name, "lists") == 0) {
        status = plot_engine_get_lists(run->engine, &json, error);
    } else {
        die("list: unknown list \"%s\"", name);
    }
    if (status == PLOT_OK) {
        add(&run->effects, "{\"effect\":\"list\",\"value\":");
        if (items) add_list(&run->effects, items);
        if (json) add_bytes(&run->effects, plot_string_get(json), plot_string_get_length(json));
        add(&run->effects, "}\n");
    }
    plot_list_free(items);
    plot_string_free(json);
    return status;
}

/* Why it was not shown, which is an effect. */
static int32_t explain(run *run, json_t *value, plot_error **error) {
    plot_string *json = NULL;
    check_keys(value, " campaign region language ");
    int32_t status = plot_engine_explain(run->engine, string_of(value, "campaign"), optional_string(value, "region", NULL),
                                         optional_string(value, "language", NULL), &json, error);
    if (status == PLOT_OK) {
        add(&run->effects, "{\"effect\":\"explain\",\"value\":");
        add_bytes(&run->effects, plot_string_get(json), plot_string_get_length(json));
        add(&run->effects, "}\n");
    }
    plot_string_free(json);
    return status;
}

/* The decisions that are kept are an effect. */
static int32_t get_decisions(run *run, json_t *value, plot_error **error) {
    plot_string *json = NULL;
    check_keys(value, " campaign region limit ");
    int64_t limit = json_object_get(value, "limit") ? integer_of(value, "limit") : 0;
    if (limit < 0) die("limit: expected 0 or more");
    int32_t status = plot_engine_get_decisions(run->engine, optional_string(value, "campaign", NULL),
                                               optional_string(value, "region", NULL), (size_t)limit, &json, error);
    if (status == PLOT_OK) {
        add(&run->effects, "{\"effect\":\"decisions\",\"value\":");
        add_bytes(&run->effects, plot_string_get(json), plot_string_get_length(json));
        add(&run->effects, "}\n");
    }
    plot_string_free(json);
    return status;
}

/* The answer of a call is an effect. */
static void add_synced(run *run, const char *call, plot_string *json) {
    add(&run->effects, "{\"effect\":\"sync\",\"call\":");
    add_quoted(&run->effects, call);
    add(&run->effects, ",\"value\":");
    add_bytes(&run->effects, plot_string_get(json), plot_string_get_length(json));
    add(&run->effects, "}\n");
    plot_string_free(json);
}

/* The feed that the synchronization has put into force, where it has: records name positions in it. */
static void follow_feed(run *run, const char *json, const char *sign) {
    plot_string *status = NULL;
    plot_feed *feed = NULL;
    if (json == NULL || plot_engine_get_sync_status(run->engine, &status, NULL) != PLOT_OK) return;
    if (strstr(plot_string_get(status), sign) && plot_feed_parse(json, strlen(json), &feed, NULL) == PLOT_OK) {
        plot_feed_free(run->feed);
        run->feed = feed;
    }
    plot_string_free(status);
}

static int32_t sync_begin(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " call time facts feed seed ");
    json_t *facts = json_object_get(value, "facts"), *feed = json_object_get(value, "feed");
    const char *seed = string_of(value, "seed");
    char *facts_json = facts ? document(facts) : NULL, *feed_json = feed ? document(feed) : NULL;
    plot_feed *bundled = NULL;
    if (feed_json) need(plot_feed_parse(feed_json, strlen(feed_json), &bundled, NULL), "plot_feed_parse");
    int32_t status = plot_engine_sync_begin(run->engine, time, facts_json, facts_json ? strlen(facts_json) : 0, bundled,
                                            seed, strlen(seed), error);
    if (status == PLOT_OK) follow_feed(run, feed_json, "\"publication\":0,");
    plot_feed_free(bundled);
    free(facts_json);
    free(feed_json);
    return status;
}

static int32_t sync_response(run *run, json_t *value, int64_t time, plot_error **error) {
    check_keys(value, " call time request status headers body ");
    json_t *headers = json_object_get(value, "headers"), *line;
    const char *body = optional_string(value, "body", NULL), *name;
    text lines = {0};
    add(&lines, "");
    json_object_foreach(headers, name, line) {
        add(&lines, name);
        add(&lines, ": ");
        add(&lines, json_string_value(line));
        add(&lines, "\n");
    }
    int32_t status =
        plot_engine_sync_response(run->engine, time, integer_of(value, "request"), (int32_t)integer_of(value, "status"),
                                  lines.bytes, body, body ? strlen(body) : 0, error);
    if (status == PLOT_OK) follow_feed(run, body, "\"status\":\"applied\"");
    free(lines.bytes);
    return status;
}

/* The synchronization: one call of it. */
static int32_t synchronize(run *run, json_t *value, plot_error **error) {
    const char *call = string_of(value, "call");
    plot_string *json = NULL;
    if (strcmp(call, "status") == 0) {
        check_keys(value, " call ");
        int32_t status = plot_engine_get_sync_status(run->engine, &json, error);
        if (status == PLOT_OK) add_synced(run, call, json);
        return status;
    }
    int64_t time = time_of(value);
    if (time > run->newest) run->newest = time;
    if (strcmp(call, "begin") == 0) return sync_begin(run, value, time, error);
    if (strcmp(call, "response") == 0) return sync_response(run, value, time, error);
    if (strcmp(call, "failure") == 0) {
        check_keys(value, " call time request reason ");
        return plot_engine_sync_failure(run->engine, time, integer_of(value, "request"), string_of(value, "reason"), error);
    }
    if (strcmp(call, "receive") == 0) {
        check_keys(value, " call time request text ");
        const char *bytes = string_of(value, "text");
        return plot_engine_sync_receive(run->engine, time, integer_of(value, "request"), bytes, strlen(bytes), error);
    }
    if (strcmp(call, "message") == 0) {
        check_keys(value, " call time payload ");
        char *payload = document(json_object_get(value, "payload"));
        int32_t status = plot_engine_sync_message(run->engine, time, payload, strlen(payload), error);
        free(payload);
        return status;
    }
    check_keys(value, " call time ");
    if (strcmp(call, "now") == 0) return plot_engine_sync_now(run->engine, time, error);
    if (strcmp(call, "stop") == 0) return plot_engine_sync_stop(run->engine, time, error);
    if (strcmp(call, "next") != 0) die("sync: unknown call \"%s\"", call);
    int32_t status = plot_engine_sync_next(run->engine, time, &json, error);
    if (status == PLOT_OK) add_synced(run, call, json);
    return status;
}

static int32_t fix(run *run, json_t *value, int64_t time, plot_error **error) {
    const double zero = 0, unknown = -1;
    check_keys(value, " time latitude longitude accuracy speed course ");
    return plot_engine_update_location(run->engine, time, number_of(value, "latitude", NULL),
                                       number_of(value, "longitude", NULL), number_of(value, "accuracy", &zero),
                                       number_of(value, "speed", &unknown), number_of(value, "course", &unknown),
                                       error);
}

/* ---- Many fixes in one call --------------------------------------------------------------------------------- */

/* The id at a position of the feed in force; "" for none. */
static const char *id_at(const plot_feed *feed, uint32_t position, const char *(*get)(const plot_feed *, size_t)) {
    const char *id = position == PLOT_NO_POSITION ? "" : get(feed, position);
    if (id == NULL) die("the feed has nothing at position %" PRIu32, position);
    return id;
}

/* A record must say the same as what a callback was told. */
static void compare_record(run *run, const plot_effect *record, const plot_effect *end, uint32_t kind, int64_t number,
                           const char *region, const char *campaign) {
    if (record >= end) die("no record about what a callback was told");
    const char *own_region = id_at(run->feed, record->region, plot_feed_get_region_id);
    const char *own_campaign = id_at(run->feed, record->campaign, plot_feed_get_campaign_id);
    bool is_known = record->region != PLOT_NO_POSITION; /* a new feed may not have it any more */
    if (record->kind != kind || record->number != (uint64_t)number || (is_known && strcmp(own_region, region) != 0)
        || (record->campaign != PLOT_NO_POSITION && strcmp(own_campaign, campaign) != 0))
        die("a record of kind %" PRIu32 ", %" PRIu64 ", \"%s\", \"%s\" about what is of kind %" PRIu32 ", %" PRId64 ", \"%s\", \"%s\"",
            record->kind, record->number, own_region, own_campaign, kind, number, region, campaign);
}

static uint32_t kind_of(const char *event) {
    static const char *const names[] = {
        /* docs/events.json */
        "refused", "region-enter", "region-inside", "region-dwell", "region-exit", "region-approach",
        "notification-filtered", "notification-shown", "notification-failed", "notification-opened",
        "notification-action", "notification-dismissed", "notification-removed", "geotrigger", "geotrigger-dropped",
        "message-dropped", "message-retracted", "store-set-aside", "notification-held-out", "absence",
        "absence-unknown", "trip-started", "trip-approaching", "trip-arrived", "trip-stopped", "trip-off-route",
        "trip-delayed", "trip-wrong-destination", "trip-expired", "trip-cancelled",
        /* end */
    };
    uint32_t kind = 0;
    while (kind < sizeof names / sizeof *names && strcmp(names[kind], event) != 0) kind++;
    if (kind == 0 || kind == sizeof names / sizeof *names) die("the event \"%s\" has no kind", event);
    return kind;
}

/* The records that are not about refused fixes are, one by one, what the callbacks were told since `from`. */
static void compare_records(run *run, size_t from, const plot_effect *record, const plot_effect *end) {
    for (char *line = run->effects.bytes + from, *stop; line && *line; line = stop + 1) {
        stop = strchr(line, '\n');
        json_t *told = json_loadb(line, (size_t)(stop - line), 0, NULL), *item;
        const char *effect = string_of(told, "effect");
        size_t index;
        while (record < end && record->kind == PLOT_EFFECT_REFUSED) record++;
        if (strcmp(effect, "event") == 0) {
            json_t *event = json_object_get(told, "record");
            compare_record(run, record++, end, kind_of(string_of(event, "event")), integer_of(event, "sequence"),
                           optional_string(event, "region", ""), optional_string(event, "campaign", ""));
        } else if (strcmp(effect, "filter") == 0 || strcmp(effect, "geotriggers") == 0) {
            uint32_t kind = *effect == 'f' ? PLOT_EFFECT_FILTER_ASKED : PLOT_EFFECT_GEOTRIGGERS_ASKED;
            json_array_foreach(json_object_get(told, "items"), index, item) {
                compare_record(run, record++, end, kind, integer_of(told, "token"), optional_string(item, "regionId", ""),
                               optional_string(item, "campaignId", ""));
            }
        }
        json_decref(told);
    }
    while (record < end && record->kind == PLOT_EFFECT_REFUSED) record++;
    if (record < end) die("a record of kind %" PRIu32 " about what no callback was told", record->kind);
}

/* Fixes as columns. */
typedef struct columns {
    size_t count;
    int64_t *times;
    double *values[5];
} columns;

static columns columns_of(size_t count) {
    columns columns = {count, grown(NULL, (count + 1) * sizeof(int64_t)), {NULL}};
    for (size_t i = 0; i < 5; i++) columns.values[i] = grown(NULL, (count + 1) * sizeof(double));
    return columns;
}

static void set_fix(const columns *columns, size_t position, json_t *fix) {
    const double zero = 0, unknown = -1;
    check_keys(fix, " time latitude longitude accuracy speed course ");
    columns->times[position] = time_of(fix);
    columns->values[0][position] = number_of(fix, "latitude", NULL);
    columns->values[1][position] = number_of(fix, "longitude", NULL);
    columns->values[2][position] = number_of(fix, "accuracy", &zero);
    columns->values[3][position] = number_of(fix, "speed", &unknown);
    columns->values[4][position] = number_of(fix, "course", &unknown);
}

/* Compares the records of many fixes with what the callbacks were told since `from`, and notes each refused fix: under `key`, its
 * position, counted from `first`. */
static void take_effects(run *run, const columns *columns, plot_effects *effects, size_t from, const char *key,
                         size_t first) {
    const plot_effect *record = plot_effects_get_records(effects), *stop = record + plot_effects_get_count(effects);
    compare_records(run, from, record, stop);
    for (; record < stop; record++) {
        if (record->fix >= columns->count || record->device != 0) die("a record about a fix that was not given");
        if (record->kind != PLOT_EFFECT_REFUSED) continue;
        add(&run->effects, "{\"effect\":\"status\",\"");
        add(&run->effects, key);
        add(&run->effects, "\":");
        add_integer(&run->effects, (int64_t)(first + record->fix));
        add(&run->effects, ",\"status\":");
        add_quoted(&run->effects, plot_status_name((int32_t)record->detail));
        add(&run->effects, "}\n");
    }
    plot_effects_free(effects);
}

static void free_columns(const columns *columns) {
    free(columns->times);
    for (size_t i = 0; i < 5; i++) free(columns->values[i]);
}

/* Fixes that come together. */
static int32_t fixes(run *run, json_t *value, int64_t time, plot_error **error) {
    json_t *list = json_object_get(value, "fixes"), *fix;
    columns given = columns_of(json_array_size(list));
    size_t index, from = run->effects.length;
    plot_effects *effects;
    check_keys(value, " time fixes ");
    json_array_foreach(list, index, fix) set_fix(&given, index, fix);
    int32_t status = plot_engine_update_locations_together(
        run->engine, time, given.count, given.times, given.values[0], given.values[1], given.values[2], given.values[3],
        given.values[4], &effects, error);
    if (status == PLOT_OK) take_effects(run, &given, effects, from, "fix", 0);
    free_columns(&given);
    return status;
}

static int32_t sighting(run *run, json_t *value, int64_t time, plot_error **error) {
    static const char *const words[] = {"unknown", "immediate", "near", "far"};
    json_t *word = json_object_get(value, "proximity");
    int32_t proximity = 0;
    double none = 0;
    while (word && proximity < 4 && strcmp(json_string_value(word), words[proximity]) != 0) proximity++;
    if (proximity == 4) die("sighting: unknown proximity \"%s\"", json_string_value(word));
    if (json_object_get(value, "namespaceId")) {
        check_keys(value, " time namespaceId instanceId proximity rssi power ");
        return plot_engine_update_eddystone(run->engine, time, string_of(value, "namespaceId"),
                                            string_of(value, "instanceId"), proximity, number_of(value, "rssi", &none),
                                            number_of(value, "power", &none), error);
    }
    check_keys(value, " time proximityUUID majorId minorId proximity rssi power ");
    return plot_engine_update_ibeacon(run->engine, time, string_of(value, "proximityUUID"),
                                      (int32_t)number_of(value, "majorId", NULL),
                                      (int32_t)number_of(value, "minorId", NULL), proximity,
                                      number_of(value, "rssi", &none), number_of(value, "power", &none), error);
}

static int32_t hint(run *run, json_t *value, int64_t time, plot_error **error) {
    static const char *const kinds[] = {"enter", "exit", "inside", "outside"};
    const double zero = 0, none = -1;
    int32_t kind = 0;
    check_keys(value, " time region kind latitude longitude accuracy ");
    const char *name = string_of(value, "kind");
    while (kind < 4 && strcmp(kinds[kind], name) != 0) kind++;
    if (kind == 4) die("hint: unknown kind \"%s\"", name);
    const double *otherwise = json_object_get(value, "latitude") ? &zero : &none;
    return plot_engine_region_hint(run->engine, time, string_of(value, "region"), kind,
                                   number_of(value, "latitude", &zero), number_of(value, "longitude", &zero),
                                   number_of(value, "accuracy", otherwise), error);
}

/* The difference is an effect. */
static int32_t plan_regions(run *run, json_t *value, int64_t time, plot_error **error) {
    const double zero = 0, none = -1;
    plot_string *json = NULL;
    check_keys(value, " time latitude longitude accuracy budget reset fenceLeft ");
    int64_t budget = json_object_get(value, "budget") ? integer_of(value, "budget") : 0;
    int32_t flags = (flag_of(value, "reset") ? PLOT_PLAN_RESET : 0) | (flag_of(value, "fenceLeft") ? PLOT_PLAN_FENCE_LEFT : 0);
    const double *otherwise = json_object_get(value, "latitude") ? &zero : &none;
    int32_t status = plot_engine_plan_regions(run->engine, time, number_of(value, "latitude", &zero),
                                              number_of(value, "longitude", &zero),
                                              number_of(value, "accuracy", otherwise), (int32_t)budget, flags, &json,
                                              error);
    if (status == PLOT_OK) {
        add(&run->effects, "{\"effect\":\"plan\",\"value\":");
        add_bytes(&run->effects, plot_string_get(json), plot_string_get_length(json));
        add(&run->effects, "}\n");
    }
    plot_string_free(json);
    return status;
}

static int32_t advance_to_wakeup(run *run, plot_error **error) {
    int64_t wakeup;
    int32_t status = plot_engine_next_wakeup(run->engine, &wakeup, error);
    if (status != PLOT_OK || wakeup == PLOT_NO_WAKEUP) return status;
    if (wakeup > run->newest) run->newest = wakeup;
    return plot_engine_advance(run->engine, wakeup, error);
}

static int32_t clear(run *run, json_t *input, int64_t time, plot_error **error) {
    const char *name = string_of(input, "clear");
    check_keys(input, " clear time ");
    if (strcmp(name, "sentNotifications") == 0) return plot_engine_clear_sent_notifications(run->engine, time, error);
    if (strcmp(name, "sentGeotriggers") != 0) die("clear: unknown list \"%s\"", name);
    return plot_engine_clear_sent_geotriggers(run->engine, time, error);
}

static int32_t restart(run *run, json_t *value, int64_t time, plot_error **error) {
    json_t *clock = json_object_get(value, "clock");
    check_keys(value, " time clock ");
    if (clock) run->newest = time;
    if (run->store == NULL) {
        plot_feed_free(run->feed);
        run->feed = NULL;
    }
    need(plot_engine_close(run->engine), "plot_engine_close");
    plot_engine_free(run->engine);
    return start(run, time, clock, error);
}

#include "calls.h"

/* One input that has a time of its own. */
static int32_t timed_input(run *run, const char *name, json_t *value, plot_error **error) {
    int64_t time = time_of(value);
    if (time > run->newest) run->newest = time;
    if (strcmp(name, "fix") == 0) return fix(run, value, time, error);
    if (strcmp(name, "fixes") == 0) return fixes(run, value, time, error);
    if (strcmp(name, "sighting") == 0) return sighting(run, value, time, error);
    if (strcmp(name, "hint") == 0) return hint(run, value, time, error);
    if (strcmp(name, "planRegions") == 0) return plan_regions(run, value, time, error);
    if (strcmp(name, "setProperty") == 0) return set_property(run, value, time, error);
    if (strcmp(name, "answerFilter") == 0) return answer(run, value, time, FILTER, error);
    if (strcmp(name, "answerGeotriggers") == 0) return answer(run, value, time, GEOTRIGGERS, error);
    if (strcmp(name, "open") == 0) return open_shown(run, value, time, error);
    if (strcmp(name, "dismiss") == 0) return dismiss(run, value, time, error);
    if (strcmp(name, "removeNotification") == 0) return remove_shown(run, value, time, error);
    if (strcmp(name, "updateNotification") == 0) return update_shown(run, value, time, error);
    if (strcmp(name, "moveRegion") == 0) {
        check_keys(value, " time region latitude longitude ");
        return plot_engine_move_region(run->engine, time, string_of(value, "region"), number_of(value, "latitude", NULL),
                                       number_of(value, "longitude", NULL), error);
    }
    int32_t status;
    if (handed_over(run, name, value, time, &status, error)) return status;
    if (strcmp(name, "takeAction") == 0) return take_action(run, value, time, error);
    if (strcmp(name, "setAdvertisingIdentifier") == 0) return set_advertising(run, value, time, error);
    if (strcmp(name, "message") == 0) return process_message(run, value, time, error);
    if (strcmp(name, "startTrip") == 0) return start_trip(run, value, time, error);
    if (strcmp(name, "endTrip") == 0) return end_trip(run, value, time, error);
    if (strcmp(name, "trips") == 0) return trips(run, value, time, error);
    if (strcmp(name, "editList") == 0) return edit_list(run, value, time, error);
    if (strcmp(name, "setList") == 0) return set_list(run, value, time, error);
    if (strcmp(name, "setCooldownPeriod") == 0) {
        check_keys(value, " time seconds ");
        return plot_engine_set_cooldown_period(run->engine, time, integer_of(value, "seconds"), error);
    }
    if (strcmp(name, "setTimeZone") == 0) {
        check_keys(value, " time zone ");
        return plot_engine_set_time_zone(run->engine, time, string_of(value, "zone"), error);
    }
    if (strcmp(name, "clearProperty") == 0) {
        check_keys(value, " time key ");
        return plot_engine_clear_segmentation_property(run->engine, time, string_of(value, "key"), error);
    }
    if (strcmp(name, "setFeed") == 0) {
        check_keys(value, " time feed ");
        return set_feed(run, member(value, "feed", is_object, "an object"), time, error);
    }
    if (strcmp(name, "setClock") == 0) {
        check_keys(value, " time monotonic boot ");
        int64_t newest = run->newest;
        run->newest = time; /* it may have gone back */
        int32_t status = tell_clock(run, value, time, error);
        if (status != PLOT_OK) run->newest = newest;
        return status;
    }
    if (strcmp(name, "restart") == 0) return restart(run, value, time, error);
    check_keys(value, " time ");
    if (strcmp(name, "advance") == 0) return plot_engine_advance(run->engine, time, error);
    if (strcmp(name, "enable") == 0) return plot_engine_enable(run->engine, time, error);
    if (strcmp(name, "disable") == 0) return plot_engine_disable(run->engine, time, error);
    die("unknown input \"%s\"", name);
}

static void take_input(run *run, json_t *input) {
    plot_error *error = NULL;
    int32_t status;
    if (json_object_get(input, "clear")) {
        int64_t time = time_of(input);
        if (time > run->newest) run->newest = time;
        status = clear(run, input, time, &error);
    } else {
        if (json_object_size(input) != 1) die("expected an object with one key");
        const char *name = json_object_iter_key(json_object_iter(input));
        json_t *value = json_object_get(input, name);
        if (strcmp(name, "list") == 0) {
            status = list(run, string_of(input, "list"), &error);
        } else if (strcmp(name, "advanceToWakeup") == 0) {
            if (!json_is_true(value)) die("advanceToWakeup: expected true");
            status = advance_to_wakeup(run, &error);
        } else if (strcmp(name, "explain") == 0) {
            status = explain(run, value, &error);
        } else if (strcmp(name, "keepDecisions") == 0) {
            check_keys(value, " capacity ");
            status = plot_engine_keep_decisions(run->engine, integer_of(value, "capacity"), &error);
        } else if (strcmp(name, "getDecisions") == 0) {
            status = get_decisions(run, value, &error);
        } else if (strcmp(name, "sync") == 0) {
            status = synchronize(run, value, &error);
        } else {
            status = timed_input(run, name, value, &error);
        }
    }
    check_input(run, status, error);
}

/* Gives the fixes from `first` on, up to the next input that is none, in one call; the number of the input behind them. */
static size_t take_fixes(run *run, json_t *inputs, size_t first) {
    size_t end = first, from = run->effects.length;
    while (json_object_get(json_array_get(inputs, end), "fix")) end++;
    columns given = columns_of(end - first);
    for (size_t i = 0; i < given.count; i++) {
        current_input = (int)(first + i);
        set_fix(&given, i, json_object_get(json_array_get(inputs, first + i), "fix"));
    }
    plot_effects *effects;
    need(plot_engine_update_locations(run->engine, given.count, given.times, given.values[0], given.values[1],
                                      given.values[2], given.values[3], given.values[4], &effects, NULL),
         "plot_engine_update_locations");
    take_effects(run, &given, effects, from, "input", first);
    for (size_t i = 0; i < given.count; i++) {
        if (given.times[i] > run->newest) run->newest = given.times[i];
    }
    free_columns(&given);
    return end;
}

/* Puts the lines about refused inputs behind all others, without their messages. */
static void put_statuses_last(text *effects) {
    static const char status[] = "{\"effect\":\"status\",", message[] = ",\"message\":";
    text others = {0}, statuses = {0};
    add(&others, "");
    add(&statuses, "");
    for (const char *line = effects->bytes, *stop; line && *line; line = stop + 1) {
        stop = strchr(line, '\n');
        if (strncmp(line, status, sizeof status - 1) != 0) {
            add_bytes(&others, line, (size_t)(stop + 1 - line));
            continue;
        }
        const char *words = strstr(line, message);
        bool has_message = words && words < stop;
        add_bytes(&statuses, line, (size_t)((has_message ? words : stop) - line));
        add(&statuses, has_message ? "}\n" : "\n");
    }
    add(&others, statuses.bytes);
    free(statuses.bytes);
    free(effects->bytes);
    *effects = others;
}

/* Plays a scenario; its effects are then in `run`. */
static void play(run *run) {
    check_keys(run->scenario, " name area description config feed start clock store decisions host inputs ");
    check_keys(run->host, " filter geotriggers show remove handler strategies sync ");
    json_t *config = member(run->scenario, "config", is_object, "an object"), *input;
    json_t *inputs = member(run->scenario, "inputs", is_array, "an array");
    json_t *feed = member(run->scenario, "feed", is_object, "an object");
    size_t index;
    run->newest = parse_time(string_of(run->scenario, "start"));
    char *json = document(config);
    need(plot_config_parse(json, strlen(json), &run->config, NULL), "config");
    free(json);
    need(start(run, run->newest, json_object_get(run->scenario, "clock"), NULL), "plot_engine_init");
    need(set_feed(run, feed, run->newest, NULL), "feed");
    for (index = 0; index < json_array_size(inputs);) {
        input = json_array_get(inputs, index);
        current_input = (int)index;
        if (in_batches && json_object_get(input, "fix")) {
            index = take_fixes(run, inputs, index);
        } else {
            take_input(run, input);
            index++;
        }
    }
    current_input = -1;
}

/* ---- Files -------------------------------------------------------------------------------------------------- */

static char *joined(const char *folder, const char *name, const char *ending) {
    text path = {0};
    add(&path, folder);
    add(&path, "/");
    add(&path, name);
    add(&path, ending);
    return path.bytes;
}

/* A folder of its own for the store file, and the file in it. */
static char *new_store(void) {
    const char *temporary = getenv("TMPDIR");
    char *folder = joined(temporary && *temporary ? temporary : "/tmp", "plot-vectors-XXXXXX", "");
    if (mkdtemp(folder) == NULL) die("no temporary folder can be made");
    char *path = joined(folder, "store", "");
    free(folder);
    return path;
}

static void remove_store(char *path) {
    const char *endings[] = {"", "-wal", "-shm", "-journal", "-log", "-page", "-feed"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        text file = {0};
        add(&file, path);
        add(&file, endings[i]);
        unlink(file.bytes);
        free(file.bytes);
    }
    *strrchr(path, '/') = '\0';
    if (rmdir(path) != 0) die("the store left more files than it should");
    free(path);
}

/* The whole file; false when there is none. */
static bool read_file(const char *path, text *into) {
    FILE *file = fopen(path, "rb");
    char buffer[65536];
    size_t length;
    if (file == NULL) return false;
    add_bytes(into, "", 0);
    while ((length = fread(buffer, 1, sizeof buffer, file)) > 0) add_bytes(into, buffer, length);
    if (ferror(file)) die("%s cannot be read", path);
    fclose(file);
    return true;
}

static void write_file(const char *path, const text *from) {
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(from->bytes, 1, from->length, file) != from->length || fclose(file) != 0)
        die("%s cannot be written", path);
}

/* ---- The table ---------------------------------------------------------------------------------------------- */

/* The report of one vector. */
typedef struct {
    char *name, *area;
    size_t steps, effects;
    enum { PASS, MISSING, DIFFERS } outcome;
    const char *missing; /* the ending of the file that is not there */
    size_t line, byte;   /* of the first difference, from 1 */
    char *expected, *actual; /* the two lines; NULL where there are no more */
} row;

static char *named(const char *name, const char *ending) {
    text file = {0};
    add(&file, name);
    add(&file, ending);
    return file.bytes;
}

static char *copied(const char *bytes, size_t length) {
    char *copy = grown(NULL, length + 1);
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

static size_t line_count(const text *lines) {
    size_t count = 0;
    for (size_t i = 0; i < lines->length; i++) count += lines->bytes[i] == '\n';
    return count;
}

/* The first line that differs, as it should be and as it is. */
static void find_difference(row *row, const text *expected, const text *actual) {
    const char *a = expected->bytes, *b = actual->bytes;
    const char *a_end = a + expected->length, *b_end = b + actual->length;
    row->outcome = DIFFERS;
    for (row->line = 1;; row->line++) {
        const char *a_stop = a ? memchr(a, '\n', (size_t)(a_end - a)) : NULL, *b_stop = b ? memchr(b, '\n', (size_t)(b_end - b)) : NULL;
        size_t a_length = a ? (size_t)((a_stop ? a_stop : a_end) - a) : 0, b_length = b ? (size_t)((b_stop ? b_stop : b_end) - b) : 0;
        if (!a || !b || a_length != b_length || memcmp(a, b, a_length) != 0) {
            size_t same = 0;
            while (same < a_length && same < b_length && a[same] == b[same]) same++;
            row->byte = same + 1;
            row->expected = a ? copied(a, a_length) : NULL;
            row->actual = b ? copied(b, b_length) : NULL;
            return;
        }
        a = a_stop ? a_stop + 1 : NULL;
        b = b_stop ? b_stop + 1 : NULL;
    }
}

static int compare_rows(const void *a, const void *b) {
    const row *one = a, *other = b;
    int areas = strcmp(one->area, other->area);
    return areas ? areas : strcmp(one->name, other->name);
}

static void print_total(const char *name, const row *rows, size_t count, int width) {
    size_t steps = 0, effects = 0, failed = 0;
    for (size_t i = 0; i < count; i++) {
        steps += rows[i].steps;
        effects += rows[i].effects;
        failed += rows[i].outcome != PASS;
    }
    printf("%-*s  %7zu  %5zu  %7zu  %6zu\n", width, name, count, steps, effects, failed);
}

static void print_table(const row *rows, size_t count, size_t failed) {
    int width = 0, wide = 5;
    for (size_t i = 0; i < count; i++) {
        if ((int)strlen(rows[i].name) > width) width = (int)strlen(rows[i].name);
        if ((int)strlen(rows[i].area) > wide) wide = (int)strlen(rows[i].area);
    }
    for (size_t i = 0; i < count; i++) {
        const row *row = &rows[i];
        if (i == 0 || strcmp(rows[i - 1].area, row->area) != 0) printf("%s\n", row->area);
        printf("  %-*s  %5zu steps  %5zu effects  %s\n", width, row->name, row->steps, row->effects,
               row->outcome == PASS ? "pass" : "FAIL");
        if (row->outcome == MISSING) printf("    %s%s is missing\n", row->name, row->missing);
        if (row->outcome != DIFFERS) continue;
        printf("    line %zu, from byte %zu on\n", row->line, row->byte);
        printf("      expected %s\n", row->expected ? row->expected : "(no more lines)");
        printf("      actual   %s\n", row->actual ? row->actual : "(no more lines)");
    }
    printf("\n%-*s  vectors  steps  effects  failed\n", wide, "area");
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first; next < count && strcmp(rows[next].area, rows[first].area) == 0;) next++;
        print_total(rows[first].area, rows + first, next - first, wide);
    }
    print_total("total", rows, count, wide);
    printf("%zu passed, %zu failed\n", count - failed, failed);
}

static void print_json(const row *rows, size_t count, size_t failed) {
    text out = {0};
    char numbers[160];
    add(&out, "{\"vectors\":[");
    for (size_t i = 0; i < count; i++) {
        const row *row = &rows[i];
        add(&out, i ? ",{\"name\":" : "{\"name\":");
        add_quoted(&out, row->name);
        add(&out, ",\"area\":");
        add_quoted(&out, row->area);
        snprintf(numbers, sizeof numbers, ",\"steps\":%zu,\"effects\":%zu,\"pass\":%s", row->steps, row->effects,
                 row->outcome == PASS ? "true" : "false");
        add(&out, numbers);
        if (row->outcome == MISSING) {
            add(&out, ",\"missing\":");
            char *file = named(row->name, row->missing);
            add_quoted(&out, file);
            free(file);
        } else if (row->outcome == DIFFERS) {
            snprintf(numbers, sizeof numbers, ",\"line\":%zu,\"byte\":%zu,\"expected\":", row->line, row->byte);
            add(&out, numbers);
            if (row->expected) add_quoted(&out, row->expected);
            else add(&out, "null");
            add(&out, ",\"actual\":");
            if (row->actual) add_quoted(&out, row->actual);
            else add(&out, "null");
        }
        add(&out, "}");
    }
    snprintf(numbers, sizeof numbers, "],\"passed\":%zu,\"failed\":%zu}", count - failed, failed);
    add(&out, numbers);
    puts(out.bytes);
    free(out.bytes);
}

/* Runs one scenario. */
static row run_scenario(const char *folder, const char *name, bool write) {
    char *path = joined(folder, name, ".json"), *effects_path = joined(folder, name, ".effects.jsonl");
    json_error_t error;
    run run = {0};
    text expected = {0};
    row row = {0};

    run.scenario = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (run.scenario == NULL) die("line %d, column %d: %s", error.line, error.column, error.text);
    if (strcmp(string_of(run.scenario, "name"), name) != 0) die("name: expected the name of the file");
    if (*string_of(run.scenario, "description") == '\0') die("description: expected a text");
    run.host = json_object_get(run.scenario, "host");
    run.host = run.host ? json_incref(run.host) : json_object();
    if (flag_of(run.scenario, "store")) run.store = new_store();
    add(&run.effects, "");

    play(&run);
    plot_engine_free(run.engine);
    plot_config_free(run.config);
    plot_feed_free(run.feed);
    if (plot_live_objects() != 0) {
        /* all that follow would be blamed for it */
        die("%" PRId64 " objects of the library are still alive", plot_live_objects());
    }

    row.name = copied(name, strlen(name));
    row.area = copied(optional_string(run.scenario, "area", "none"), strlen(optional_string(run.scenario, "area", "none")));
    row.steps = json_array_size(json_object_get(run.scenario, "inputs"));
    row.effects = line_count(&run.effects);
    bool is_there = !write && read_file(effects_path, &expected);
    if (is_there && in_batches) {
        put_statuses_last(&expected);
        put_statuses_last(&run.effects);
    }
    if (write) {
        write_file(effects_path, &run.effects);
    } else if (!is_there) {
        row.outcome = MISSING;
        row.missing = ".effects.jsonl";
    } else if (expected.length != run.effects.length
               || memcmp(expected.bytes, run.effects.bytes, expected.length) != 0) {
        find_difference(&row, &expected, &run.effects);
    }

    if (run.store) remove_store(run.store);
    for (size_t i = 0; i < run.shown_count; i++) free(run.shown[i]);
    free(run.shown);
    free(run.tokens[FILTER]);
    free(run.tokens[GEOTRIGGERS]);
    free(run.effects.bytes);
    free(expected.bytes);
    json_decref(run.host);
    json_decref(run.scenario);
    free(path);
    free(effects_path);
    return row;
}

/* The name without the ending; NULL when it ends otherwise. */
static char *stem(const char *file, const char *ending) {
    size_t length = strlen(file), end = strlen(ending);
    if (length <= end || strcmp(file + length - end, ending) != 0) return NULL;
    char *name = strdup(file);
    if (name == NULL) die("out of memory");
    name[length - end] = '\0';
    return name;
}

typedef struct {
    row *rows;
    size_t count, failed;
} table;

/* Runs the scenarios of a folder and, with `deep`, of those in it; false when it cannot be opened. */
static bool take_folder(const char *folder, bool write, bool deep, table *table) {
    struct dirent *entry;
    DIR *directory = opendir(folder);
    if (directory == NULL) return false;
    while ((entry = readdir(directory)) != NULL) {
        row row = {0};
        if (deep && *entry->d_name != '.') {
            char *inner = joined(folder, entry->d_name, "");
            bool is_folder = take_folder(inner, write, false, table);
            free(inner);
            if (is_folder) continue;
        }
        char *name = stem(entry->d_name, ".effects.jsonl");
        if (name) { /* effects that belong to no scenario: a slip of the pen, and never run otherwise */
            char *path = joined(folder, name, ".json");
            if (access(path, R_OK) != 0) {
                row.name = copied(name, strlen(name));
                row.area = copied("none", 4);
                row.outcome = MISSING;
                row.missing = ".json";
            }
            free(path);
        } else if ((name = stem(entry->d_name, ".json")) != NULL) {
            current_name = name;
            row = run_scenario(folder, name, write);
            current_name = "";
        }
        free(name);
        if (row.name == NULL) continue;
        table->rows = grown(table->rows, (table->count + 1) * sizeof *table->rows);
        table->rows[table->count++] = row;
        table->failed += row.outcome != PASS;
    }
    closedir(directory);
    return true;
}

int main(int count, char **arguments) {
    bool write = count == 3 && strcmp(arguments[1], "--write") == 0;
    bool as_json = count == 3 && strcmp(arguments[1], "--json") == 0;
    in_batches = count == 3 && strcmp(arguments[1], "--batches") == 0;
    if (count != (write || as_json || in_batches ? 3 : 2) || arguments[count - 1][0] == '-') {
        fprintf(stderr, "usage: %s [--json | --write | --batches] FOLDER\n", count > 0 ? arguments[0] : "run_vectors");
        return 2;
    }
    const char *folder = arguments[count - 1];
    table table = {0};
    if (!take_folder(folder, write, true, &table)) {
        fprintf(stderr, "%s cannot be opened\n", folder);
        return 2;
    }
    row *rows = table.rows;
    size_t row_count = table.count, failed = table.failed;
    if (row_count == 0) {
        fprintf(stderr, "%s: there are no vectors\n", folder);
        return 2;
    }
    qsort(rows, row_count, sizeof *rows, compare_rows);
    if (as_json) print_json(rows, row_count, failed);
    else print_table(rows, row_count, failed);
    for (size_t i = 0; i < row_count; i++) {
        free(rows[i].name);
        free(rows[i].area);
        free(rows[i].expected);
        free(rows[i].actual);
    }
    free(rows);
    if (fflush(stdout) != 0) {
        perror("standard output");
        return 2;
    }
    return failed > 0;
}
