/*
 * The lives of the golden corpus (README.md beside this file): all that an engine is given follows from a seed, and all that it gives back is
 * written down. Tests/golden/check.py compiles and calls this program, and compares what comes out.
 *
 *     golden lives WORLDS LIST FOLDER   plays the lives of LIST, a line each: NAME WORLD SEED SEGMENTS STEPS END START MONOTONIC
 *     golden feeds LIST FOLDER          compiles feeds, a line each: NAME FILE
 *
 * Of each life FOLDER gets NAME.jsonl, its transcript, and NAME.store with what lies beside it. A life has several segments, each an engine in a
 * process of its own, on the same store. END says how the last one ends: `closed` or `killed`; `memory` is a life without a store, always closed.
 *
 * A store that lies in FOLDER already is taken; START and MONOTONIC then say when its life goes on. With START of 0 a life begins when its world
 * does. Compiled feeds that lie in FOLDER as WORLD.NUMBER.feed are taken in place of the world's own.
 *
 * A transcript has the lines of the recordings. Between them are, as JSON objects too, the status of each call, what the callbacks were handed, and
 * what the engine knows. The first key of those is one of `call`, `told`, `knows`, `segment`.
 *
 * Nothing here may be changed for its looks: the order in which random numbers are drawn is part of the corpus.
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <jansson.h>
#include <locale.h>
#include <plotengine.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

static const char *life_name = "";

#define DIE(...)                                     \
    do {                                             \
        fprintf(stderr, "golden: %s: ", life_name);  \
        fprintf(stderr, __VA_ARGS__);                \
        fputc('\n', stderr);                         \
        _exit(2);                                    \
    } while (0)

#define NEED(call)                                                                         \
    do {                                                                                   \
        int32_t need_status = (call);                                                      \
        if (need_status != PLOT_OK) DIE("%s gives %s", #call, plot_status_name(need_status)); \
    } while (0)

/* The state that outlives a segment: its process ends, the life goes on. */
static struct {
    uint64_t dice;
    int64_t now;       /* what the wall clock shows */
    int64_t monotonic; /* since the device was started */
    int boot;
    bool is_clocked; /* the host tells the engine of its clocks */
    bool is_mapped;  /* feeds come from compiled files */
    int feed;        /* the one that was set last; -1 for none */
    double latitude, longitude;
} *life;

/* This process. */
static json_t *world;
static plot_engine *engine;
static plot_config *config;
static plot_feed *feeds[4];
static FILE *transcript;
static uint64_t tokens[8];
static int token_count, depth;
static bool dies_inside; /* the process ends in the next callback */
static char shown[24][160];
static int shown_count;

/* SplitMix64. */
static uint64_t random_bits(void) {
    uint64_t z = life->dice += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int any(int count) { return (int)(random_bits() % (uint64_t)count); }
static bool chance(int percent) { return any(100) < percent; }

/* ---- The transcript ------------------------------------------------------------------------------------------------------ */

static void quoted(const char *text) {
    fputc('"', transcript);
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\') fprintf(transcript, "\\%c", byte);
        else if (byte < 0x20) fprintf(transcript, "\\u%04x", byte);
        else fputc(byte, transcript);
    }
    fputc('"', transcript);
}

static void done(const char *call, int32_t status, plot_error *error) {
    fprintf(transcript, "{\"call\":\"%s\",\"status\":\"%s\"", call, plot_status_name(status));
    if (error != NULL) {
        fputs(",\"message\":", transcript);
        quoted(plot_error_get_message(error));
    }
    fputs("}\n", transcript);
    plot_error_free(error);
}

/* `error` is the name of the variable that the call is given. */
#define CALL(name, call)             \
    do {                             \
        plot_error *error = NULL;    \
        int32_t status = (call);     \
        done(name, status, error);   \
    } while (0)

static void told(const char *what, const char *text) {
    fprintf(transcript, "{\"told\":\"%s\",\"text\":", what);
    quoted(text);
    fputs("}\n", transcript);
}

static void told_item(const char *what, const plot_item *item) {
    plot_string *json = NULL;
    if (item != NULL) NEED(plot_item_to_json(item, &json, NULL));
    fprintf(transcript, "{\"told\":\"%s\",\"item\":%s}\n", what, item != NULL ? plot_string_get(json) : "null");
    plot_string_free(json);
}

static void knows(const char *what, int32_t status, plot_string *json) {
    fprintf(transcript, "{\"knows\":\"%s\",", what);
    if (status == PLOT_OK) fprintf(transcript, "\"value\":%s}\n", plot_string_get(json));
    else fprintf(transcript, "\"status\":\"%s\"}\n", plot_status_name(status));
    plot_string_free(json);
}

static void knows_list(const char *what, int32_t status, plot_list *list) {
    plot_string *json = NULL;
    if (status == PLOT_OK) NEED(plot_list_to_json(list, &json, NULL));
    knows(what, status, json);
    plot_list_free(list);
}

static void knows_number(const char *what, int32_t status, int64_t number) {
    fprintf(transcript, "{\"knows\":\"%s\",\"status\":\"%s\",\"value\":%" PRId64 "}\n", what, plot_status_name(status), number);
}

static void remember(const char *match) {
    snprintf(shown[shown_count++ % COUNT_OF(shown)], sizeof *shown, "%s", match);
}

/* Everything that can be asked. `is_whole` also asks about every campaign. */
static void dump(bool is_whole) {
    plot_list *list;
    plot_string *text;
    int64_t number;
    int32_t flag, status;
    status = plot_engine_is_enabled(engine, &flag, NULL);
    knows_number("isEnabled", status, flag);
    status = plot_engine_get_cooldown_period(engine, &number, NULL);
    knows_number("cooldownPeriod", status, number);
    status = plot_engine_next_wakeup(engine, &number, NULL);
    knows_number("nextWakeup", status, number);
    status = plot_engine_get_time_zone(engine, &text, NULL);
    fprintf(transcript, "{\"knows\":\"timeZone\",\"value\":\"%s\"}\n", status == PLOT_OK ? plot_string_get(text) : "");
    plot_string_free(text);
    status = plot_engine_get_visits(engine, &text, NULL);
    knows("visits", status, text);
    status = plot_engine_get_segmentation_properties(engine, &text, NULL);
    knows("properties", status, text);
    status = plot_engine_get_lists(engine, &text, NULL);
    knows("lists", status, text);
    status = plot_engine_get_sent_notifications(engine, &list, NULL);
    knows_list("sentNotifications", status, list);
    status = plot_engine_get_sent_geotriggers(engine, &list, NULL);
    knows_list("sentGeotriggers", status, list);
    status = plot_engine_get_displayed_notifications(engine, &list, NULL);
    knows_list("displayed", status, list);
    status = plot_engine_get_decisions(engine, NULL, NULL, 20, &text, NULL);
    knows("decisions", status, text);
    if (!is_whole) return;
    status = plot_engine_get_loaded_notifications(engine, 0, &list, NULL);
    knows_list("loadedNotifications", status, list);
    status = plot_engine_get_loaded_geotriggers(engine, 0, &list, NULL);
    knows_list("loadedGeotriggers", status, list);
    for (int i = 0; i < token_count && i < COUNT_OF(tokens); i++) {
        status = plot_engine_get_batch(engine, tokens[i], &list, NULL);
        knows_list("batch", status, list);
    }
    json_t *campaign;
    size_t index;
    json_array_foreach(json_object_get(world, "campaigns"), index, campaign) {
        status = plot_engine_explain(engine, json_string_value(campaign), NULL, NULL, &text, NULL);
        knows("explain", status, text);
    }
}

/* ---- Callbacks ----------------------------------------------------------------------------------------------------------- */

static void step(void);

static void perhaps_end(void) {
    if (!dies_inside || fflush(transcript) != 0) return;
    _exit(0);
}

/* Now and then a callback calls the engine itself. */
static void perhaps_call(void) {
    perhaps_end();
    if (depth > 0 || !chance(3)) return;
    depth++;
    step();
    depth--;
}

static void on_event(void *user_data, plot_engine *own, const char *json, size_t length, const plot_item *item) {
    (void)user_data, (void)own;
    if (strlen(json) != length) DIE("the length of an event");
    fprintf(transcript, "{\"told\":\"event\",\"record\":%s}\n", json);
    if (item != NULL) told_item("item", item);
    perhaps_call();
}

static void on_decision(void *user_data, plot_engine *own, const char *json, size_t length) {
    (void)user_data, (void)own, (void)length;
    fprintf(transcript, "{\"told\":\"decision\",\"record\":%s}\n", json);
}

static void on_wakeup(void *user_data, plot_engine *own, int64_t time) {
    (void)user_data, (void)own;
    fprintf(transcript, "{\"told\":\"wakeup\",\"time\":%" PRId64 "}\n", time);
}

static void on_log(void *user_data, plot_engine *own, int32_t level, const char *message) {
    (void)user_data, (void)own;
    char what[24];
    snprintf(what, sizeof what, "log %d", (int)level);
    told(what, message);
}

static void on_recording(void *user_data, plot_engine *own, const char *line, size_t length) {
    (void)user_data, (void)own;
    if (fwrite(line, 1, length, transcript) != length || fputc('\n', transcript) == EOF) DIE("the transcript cannot be written");
}

static void edit(plot_item *item) {
    static const char info[] = "{\"k\":[1,null]}";
    switch (any(6)) {
    case 0: CALL("edit", plot_item_set_string(item, PLOT_KEY_MESSAGE, "Edited", &error)); break;
    case 1: CALL("edit", plot_item_set_integer(item, PLOT_KEY_BADGE, any(100), &error)); break;
    case 2: CALL("edit", plot_item_set_json(item, PLOT_KEY_USER_INFO, info, sizeof info - 1, &error)); break;
    case 3: CALL("edit", plot_item_clear(item, PLOT_KEY_TITLE, &error)); break;
    case 4: CALL("edit", plot_item_set_string(item, PLOT_KEY_DATA, "https://example.org/edited", &error)); break;
    default: CALL("edit", plot_item_set_string(item, PLOT_KEY_TITLE, "Title", &error)); break;
    }
}

static void answer(uint64_t token, plot_list *list, bool is_geotriggers) {
    for (size_t i = plot_list_get_count(list); i-- > 0;) {
        int choice = any(20);
        if (choice < 4) NEED(plot_list_remove(list, i, NULL));
        else if (choice < 8 && !is_geotriggers) edit(plot_list_get(list, i));
        else if (choice == 8) NEED(plot_list_append(list, plot_list_get(list, i), NULL));
    }
    if (is_geotriggers) CALL("handled", plot_engine_mark_geotriggers_handled(engine, life->now, token, list, &error));
    else CALL("answer", plot_engine_answer_filter(engine, life->now, token, list, &error));
}

static void asked(uint64_t token, plot_list *list, bool is_geotriggers) {
    plot_string *json = NULL;
    NEED(plot_list_to_json(list, &json, NULL));
    fprintf(transcript, "{\"told\":\"%s\",\"token\":%" PRIu64 ",\"items\":%s}\n", is_geotriggers ? "geotriggers" : "filter", token,
            plot_string_get(json));
    plot_string_free(json);
    tokens[token_count++ % COUNT_OF(tokens)] = token;
    perhaps_end();
    if (chance(65)) answer(token, list, is_geotriggers);
    perhaps_call();
}

static void on_filter(void *user_data, plot_engine *own, uint64_t token, plot_list *list) {
    (void)user_data, (void)own;
    asked(token, list, false);
}

static void on_geotriggers(void *user_data, plot_engine *own, uint64_t token, plot_list *list) {
    (void)user_data, (void)own;
    asked(token, list, true);
}

static int32_t on_show(void *user_data, plot_engine *own, const plot_item *item) {
    const char *match;
    (void)user_data, (void)own;
    told_item("show", item);
    NEED(plot_item_get_string(item, PLOT_KEY_MATCH_IDENTIFIER, &match));
    remember(match);
    perhaps_call();
    return chance(85) ? PLOT_OK : PLOT_IO_ERROR;
}

static int32_t on_remove(void *user_data, plot_engine *own, const plot_item *item) {
    (void)user_data, (void)own;
    told_item("remove", item);
    perhaps_end();
    return chance(80) ? PLOT_OK : PLOT_IO_ERROR;
}

static void on_handler(void *user_data, plot_engine *own, const plot_item *item, const char *data) {
    (void)user_data, (void)own;
    told_item("handler", item);
    told("data", data);
}

static void on_open(void *user_data, plot_engine *own, int32_t action, const char *uri, const plot_item *item) {
    (void)user_data, (void)own;
    told_item(action == PLOT_OPEN_APP ? "open app" : "open", item);
    told("uri", uri);
}

static int32_t on_strategy(void *user_data, plot_engine *own, int32_t what, plot_strategy_call *call) {
    const char *state = plot_strategy_call_get_state(call), *json = plot_strategy_call_get_json(call);
    (void)own;
    fprintf(transcript, "{\"told\":\"strategy\",\"key\":\"%s\",\"what\":%d,\"time\":%" PRId64 ",\"done\":%d}\n", (const char *)user_data, (int)what,
            plot_strategy_call_get_time(call), (int)plot_strategy_call_get_done(call));
    if (json != NULL && *json) told("strategy json", json);
    if (state != NULL) told("strategy state", state);
    if (what == PLOT_STRATEGY_SAVE) {
        char text[40];
        snprintf(text, sizeof text, "%d shown, %d", shown_count, any(10));
        NEED(plot_strategy_call_set_state(call, text, NULL));
    }
    if (what == PLOT_STRATEGY_VOTE_CREATE || what == PLOT_STRATEGY_VOTE_DELETE) return chance(85);
    return 0;
}

/* ---- What a world has ---------------------------------------------------------------------------------------------------- */

static json_t *one_of(const char *key) {
    json_t *array = json_object_get(world, key);
    return json_array_get(array, (size_t)any((int)json_array_size(array)));
}

static const char *text_of(const char *key) { return json_string_value(one_of(key)); }

static const char *text_at(json_t *array, size_t index) { return json_string_value(json_array_get(array, index)); }

/* A point of the world, or near one; in units of a hundred thousandth of a degree, about a metre. */
static void choose_place(void) {
    static const int metres[] = {0, 0, 0, 2, 5, 20, 60, 150, 300, 1200, 30000};
    json_t *point = one_of("points");
    int far = metres[any(COUNT_OF(metres))];
    double north = any(2 * far + 1) - far, east = any(2 * far + 1) - far;
    life->latitude = json_number_value(json_array_get(point, 0)) + north / 100000;
    life->longitude = json_number_value(json_array_get(point, 1)) + east / 100000;
    if (life->latitude > 90) life->latitude = 90;
    if (life->latitude < -90) life->latitude = -90;
    if (life->longitude > 180) life->longitude -= 360;
    if (life->longitude < -180) life->longitude += 360;
}

static void pass_time(int64_t milliseconds) {
    life->now += milliseconds;
    life->monotonic += milliseconds;
}

static void set_feed(int number) {
    if (number >= COUNT_OF(feeds) || feeds[number] == NULL) number = 0;
    life->feed = number;
    CALL("feed", plot_engine_set_feed(engine, life->now, feeds[number], &error));
}

/* ---- Inputs -------------------------------------------------------------------------------------------------------------- */

static double speed(void) {
    static const double speeds[] = {-1, -1, -1, 0, 1.4, 4.5, 13.9, 40};
    return speeds[any(COUNT_OF(speeds))];
}

static double accuracy(void) {
    static const double accuracies[] = {0, 3, 5, 5, 10, 10, 20, 35, 65, 150, 1500};
    return accuracies[any(COUNT_OF(accuracies))];
}

static void fix(void) {
    double place_accuracy = accuracy(), place_speed = speed(), course = any(4) ? -1 : any(360);
    CALL("fix", plot_engine_update_location(engine, life->now, life->latitude, life->longitude, place_accuracy, place_speed, course, &error));
}

/* Someone comes to a place and stays for some fixes. */
static void stay(void) {
    static const int64_t between[] = {SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 3 * MINUTE};
    choose_place();
    int64_t delta = between[any(COUNT_OF(between))];
    for (int i = 2 + any(5); i > 0; i--) {
        fix();
        pass_time(delta);
        life->latitude += (any(7) - 3) / 200000.0;
    }
}

/* A straight way to another place, at the speed of a walk or a car, some fixes of it. */
static void travel(void) {
    double latitude = life->latitude, longitude = life->longitude;
    choose_place();
    double to_latitude = life->latitude, to_longitude = life->longitude;
    int fixes = 4 + any(12);
    for (int i = 1; i <= fixes; i++) {
        life->latitude = latitude + (to_latitude - latitude) * i / fixes;
        life->longitude = longitude + (to_longitude - longitude) * i / fixes;
        pass_time((5 + any(55)) * SECOND);
        fix();
    }
}

/* A road that leads north to a place, and past it. */
static void drive(void) {
    json_t *point = one_of("points");
    double metres_a_second = 10 + any(8);
    int64_t seconds = 20 + any(60);
    int before = 2 + any(12);
    /* A degree of latitude has about 111,195 metres. */
    double step_north = metres_a_second * (double)seconds / 111195;
    life->latitude = json_number_value(json_array_get(point, 0)) - before * step_north;
    life->longitude = json_number_value(json_array_get(point, 1));
    if (life->latitude < -89) life->latitude = -89;
    bool says_course = chance(70);
    for (int i = before + any(3); i > 0 && life->latitude < 89; i--) {
        CALL("fix", plot_engine_update_location(engine, life->now, life->latitude, life->longitude, 5, metres_a_second, says_course ? 0 : -1,
                                                &error));
        life->latitude += step_north;
        pass_time(seconds * SECOND);
    }
}

/* Several fixes in one call. */
static void many_fixes(void) {
    enum { MOST = 6 };
    int64_t times[MOST];
    double latitudes[MOST], longitudes[MOST], accuracies[MOST];
    int count = 2 + any(MOST - 1);
    plot_effects *effects = NULL;
    for (int i = 0; i < count; i++) {
        if (chance(40)) choose_place();
        pass_time(any(40) * SECOND);
        times[i] = chance(5) ? life->now - HOUR : life->now;
        latitudes[i] = life->latitude;
        longitudes[i] = life->longitude;
        accuracies[i] = accuracy();
    }
    plot_error *error = NULL;
    int32_t status = plot_engine_update_locations(engine, (size_t)count, times, latitudes, longitudes, accuracies, NULL, NULL, &effects, &error);
    if (status == PLOT_OK)
        for (size_t i = 0; i < plot_effects_get_count(effects); i++) {
            const plot_effect *one = plot_effects_get_records(effects) + i;
            fprintf(transcript, "{\"told\":\"record\",\"fix\":%u,\"kind\":%u,\"number\":%" PRIu64 ",\"region\":%u,\"campaign\":%u}\n",
                    (unsigned)one->fix, (unsigned)one->kind, (uint64_t)one->number, (unsigned)one->region, (unsigned)one->campaign);
        }
    plot_effects_free(effects);
    done("fixes", status, error);
}

static void sight(void) {
    double rssi = chance(60) ? -40 - any(50) : 0;
    int proximity = any(4);
    if (chance(60)) {
        json_t *beacon = one_of("beacons");
        CALL("ibeacon", plot_engine_update_ibeacon(engine, life->now, text_at(beacon, 0), (int32_t)json_integer_value(json_array_get(beacon, 1)),
                                                   (int32_t)json_integer_value(json_array_get(beacon, 2)), proximity, rssi, -59, &error));
    } else {
        json_t *beacon = one_of("eddystones");
        CALL("eddystone", plot_engine_update_eddystone(engine, life->now, text_at(beacon, 0), text_at(beacon, 1), proximity, rssi, -60, &error));
    }
}

static void hint(void) {
    const char *region = text_of("regions");
    int kind = any(4);
    bool has_place = chance(60);
    choose_place();
    CALL("hint", plot_engine_region_hint(engine, life->now, region, kind, life->latitude, life->longitude, has_place ? 20 : -1, &error));
}

static void plan(void) {
    plot_string *json = NULL;
    plot_error *error = NULL;
    int budget = any(12), flags = chance(25) ? any(4) : 0;
    bool has_place = chance(80);
    if (chance(50)) choose_place();
    int32_t status =
        plot_engine_plan_regions(engine, life->now, life->latitude, life->longitude, has_place ? 15 : -1, budget, flags, &json, &error);
    knows("plan", status, json);
    done("plan", status, error);
}

static void set_property(void) {
    const char *key = text_of("properties");
    switch (any(6)) {
    case 0: CALL("property", plot_engine_set_string_segmentation_property(engine, life->now, key, text_of("texts"), &error)); break;
    case 1: CALL("property", plot_engine_set_boolean_segmentation_property(engine, life->now, key, any(2), &error)); break;
    case 2: CALL("property", plot_engine_set_integer_segmentation_property(engine, life->now, key, any(50) - 5, &error)); break;
    case 3: CALL("property", plot_engine_set_double_segmentation_property(engine, life->now, key, any(400) / 8.0, &error)); break;
    case 4: CALL("property", plot_engine_set_date_segmentation_property(engine, life->now, key, life->now - any(60) * DAY, &error)); break;
    default: CALL("property", plot_engine_clear_segmentation_property(engine, life->now, key, &error)); break;
    }
}

static void tell_clock(void) {
    char boot[16];
    snprintf(boot, sizeof boot, "boot-%d", life->boot);
    CALL("clock", plot_engine_set_clock(engine, life->now, life->monotonic, boot, &error));
}

static void set_clock(void) {
    static const int64_t jumps[] = {0, -SECOND, MINUTE, -HOUR, HOUR, -DAY, 3 * HOUR};
    int64_t jump = jumps[any(COUNT_OF(jumps))];
    life->now += jump;
    if (chance(20)) {
        life->boot++;
        life->monotonic = any(60) * SECOND;
    }
    life->is_clocked = true;
    tell_clock();
}

static void send(void) {
    char made[400];
    const char *text = text_of("payloads");
    if (chance(60)) {
        static const char *const ops[] = {"post", "post", "post", "update", "retract", "replace"};
        static const char *const words[] = {"Body", "Body", "come later", "wait for it", "until the night", "an offer", "mute", "keep"};
        const char *op = ops[any(COUNT_OF(ops))], *word = words[any(COUNT_OF(words))];
        int id = any(6), key = any(3), revision = any(9), sender = any(4);
        snprintf(made, sizeof made,
                 "{\"op\":\"%s\",\"id\":\"m%d\",\"correlationKey\":\"k%d\",\"revision\":%d,\"sender\":\"s%d\",\"thread\":\"t%d\",\"body\":\"%s %d\"}",
                 op, id, key, revision, sender, sender % 2, word, id * 7);
        text = made;
    }
    CALL("message", plot_engine_process_message(engine, life->now, text, strlen(text), &error));
}

static void set_list(void) {
    json_t *pair = one_of("lists");
    const char *text = text_at(pair, 1);
    char made[120];
    if (chance(70)) {
        snprintf(made, sizeof made, "{\"version\":%d,\"entries\":[\"s%d\",\"alice\",\"t%d\"]}", any(1000), any(4), any(2));
        text = made;
    } else if (chance(40)) {
        text = NULL;
    }
    CALL("list", plot_engine_set_list(engine, life->now, text_at(pair, 0), text, text ? strlen(text) : 0, &error));
}

static void act(void) {
    static const char *const actions[] = {"save", "way", "tickets", "none"};
    const char *match = shown_count > 0 ? shown[any(shown_count < COUNT_OF(shown) ? shown_count : COUNT_OF(shown))] : "none";
    switch (any(4)) {
    case 0:
    case 1: CALL("open", plot_engine_open_notification(engine, life->now, match, &error)); break;
    case 2: CALL("dismiss", plot_engine_dismiss_notification(engine, life->now, match, &error)); break;
    default: CALL("action", plot_engine_take_action(engine, life->now, match, actions[any(COUNT_OF(actions))], &error)); break;
    }
}

static void answer_late(void) {
    if (token_count == 0) return;
    uint64_t token = tokens[any(token_count < COUNT_OF(tokens) ? token_count : COUNT_OF(tokens))];
    plot_list *list = NULL;
    plot_error *error = NULL;
    int32_t status = plot_engine_get_batch(engine, token, &list, &error);
    done("batch", status, error);
    /* Which of the two it is, only the engine knows. */
    if (status == PLOT_OK) answer(token, list, any(2));
    plot_list_free(list);
}

static void wake(void) {
    int64_t due;
    if (plot_engine_next_wakeup(engine, &due, NULL) != PLOT_OK || due == PLOT_NO_WAKEUP) return;
    if (due > life->now) pass_time(due - life->now);
    CALL("wakeup", plot_engine_advance(engine, due, &error));
}

static void explain(void) {
    static const char *const languages[] = {NULL, "en", "nl", "de", "fr", "es"};
    plot_string *json = NULL;
    const char *campaign = text_of("campaigns"), *region = chance(50) ? text_of("regions") : NULL;
    int32_t status = plot_engine_explain(engine, campaign, region, languages[any(COUNT_OF(languages))], &json, NULL);
    knows("explain", status, json);
}

static void step(void) {
    static const int64_t deltas[] = {0,          SECOND,     5 * SECOND,  20 * SECOND, MINUTE,     2 * MINUTE, 5 * MINUTE,
                                     10 * MINUTE, 20 * MINUTE, HOUR,       5 * HOUR,    DAY,        8 * DAY,    420 * DAY};
    /* Long waits are rarer than short ones. */
    int choice = any(COUNT_OF(deltas));
    if (choice > 8 && chance(70)) choice -= 8;
    pass_time(deltas[choice]);
    /* No process lives so long without a word of its clocks. */
    if (life->is_clocked && deltas[choice] > 30 * DAY) tell_clock();
    int what = any(100);
    if (what < 21) stay();
    else if (what < 28) travel();
    else if (what < 32) drive();
    else if (what < 34 && depth == 0) set_clock();
    else if (what < 38) many_fixes();
    else if (what < 45) wake();
    else if (what < 48) CALL("advance", plot_engine_advance(engine, life->now, &error));
    else if (what < 54) sight();
    else if (what < 58) hint();
    else if (what < 61) plan();
    else if (what < 63) {
        const char *region = text_of("moving");
        choose_place();
        CALL("move", plot_engine_move_region(engine, life->now, region, life->latitude, life->longitude, &error));
    } else if (what < 67) set_property();
    else if (what < 73) send();
    else if (what < 75) set_list();
    else if (what < 82) act();
    else if (what < 86) answer_late();
    else if (what < 89) {
        bool value = chance(60);
        CALL("foreground", plot_engine_set_foreground(engine, life->now, value, &error));
    } else if (what < 91) {
        bool value = chance(60);
        CALL("network", plot_engine_set_network(engine, life->now, value, &error));
    } else if (what < 92) {
        static const char *const zones[] = {"Europe/Amsterdam", "UTC", "America/New_York", "Asia/Tokyo", "Nowhere/None"};
        CALL("zone", plot_engine_set_time_zone(engine, life->now, zones[any(COUNT_OF(zones))], &error));
    } else if (what < 94) {
        /* Rarely: a list that is full drops its oldest. */
        int which = any(8);
        if (which == 0) CALL("clear", plot_engine_clear_sent_notifications(engine, life->now, &error));
        else if (which == 1) CALL("clear", plot_engine_clear_sent_geotriggers(engine, life->now, &error));
        else dump(false);
    } else if (what < 95) {
        const char *identifier = chance(60) ? "ad-identifier" : NULL;
        int limits = any(2);
        CALL("advertising", plot_engine_set_advertising_identifier(engine, life->now, identifier, limits, &error));
    } else if (what < 96) {
        int64_t seconds = any(4) * 120;
        CALL("cooldown", plot_engine_set_cooldown_period(engine, life->now, seconds, &error));
    } else if (what < 97) {
        if (depth == 0) set_feed(any(COUNT_OF(feeds)));
    } else if (what < 98) {
        int which = any(16);
        if (which == 0) CALL("clear all", plot_engine_clear_all_data(engine, life->now, &error));
        else if (which < 5) CALL("disable", plot_engine_disable(engine, life->now, &error));
        else CALL("enable", plot_engine_enable(engine, life->now, &error));
        if (which == 0 && depth == 0) set_feed(0);
    } else if (what < 99) explain();
    else {
        int capacity = any(40);
        CALL("keep", plot_engine_keep_decisions(engine, capacity, &error));
        dump(false);
    }
}

/* ---- A segment ----------------------------------------------------------------------------------------------------------- */

static void load_documents(const char *folder) {
    json_t *feed;
    size_t index;
    const char *text = json_string_value(json_object_get(world, "config"));
    NEED(plot_config_parse(text, strlen(text), &config, NULL));
    json_array_foreach(json_object_get(world, "feeds"), index, feed) {
        text = json_string_value(feed);
        NEED(plot_feed_parse(text, strlen(text), &feeds[index], NULL));
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.%zu.feed", folder, json_string_value(json_object_get(world, "name")), index);
        if (access(path, R_OK) != 0) {
            if (!life->is_mapped) continue;
            snprintf(path, sizeof path, "%s/mapped.feed", folder);
            NEED(plot_feed_save(feeds[index], path, NULL));
        }
        plot_feed_free(feeds[index]);
        NEED(plot_feed_map(path, &feeds[index], NULL));
    }
}

/* An app: what it has registered, and whether anybody records. */
static void begin(const char *store) {
    json_t *key;
    size_t index;
    bool records = chance(80), answers = chance(70), handles = chance(70), decides = chance(70);
    NEED(plot_engine_new(&engine, NULL));
    if (records) NEED(plot_engine_set_recording_callback(engine, on_recording, NULL, NULL, NULL));
    NEED(plot_engine_set_event_callback(engine, on_event, NULL, NULL, NULL));
    NEED(plot_engine_set_wakeup_callback(engine, on_wakeup, NULL, NULL, NULL));
    NEED(plot_engine_set_open_callback(engine, on_open, NULL, NULL, NULL));
    NEED(plot_engine_set_log_callback(engine, on_log, NULL, NULL, NULL));
    if (chance(92)) NEED(plot_engine_set_show_callback(engine, on_show, NULL, NULL, NULL));
    if (chance(85)) NEED(plot_engine_set_remove_callback(engine, on_remove, NULL, NULL, NULL));
    if (answers) NEED(plot_engine_set_filter_callback(engine, on_filter, NULL, NULL, NULL));
    if (handles) NEED(plot_engine_set_geotrigger_callback(engine, on_geotriggers, NULL, NULL, NULL));
    if (decides) NEED(plot_engine_set_decision_callback(engine, on_decision, NULL, NULL, NULL));
    if (chance(30)) NEED(plot_engine_set_notification_handler(engine, on_handler, NULL, NULL, NULL));
    json_array_foreach(json_object_get(world, "strategies"), index, key) {
        char *name = strdup(json_string_value(key));
        if (chance(80)) CALL("strategy", plot_engine_set_strategy(engine, name, on_strategy, name, free, &error));
        else free(name);
    }
    if (chance(40)) CALL("strategy", plot_engine_set_strategy(engine, "golden.votes", on_strategy, (void *)(uintptr_t)"golden.votes", NULL, &error));
    if (life->is_clocked) tell_clock();
    if (store != NULL && life->feed >= 0 && chance(30)) CALL("offer", plot_engine_offer_feed(engine, feeds[life->feed], &error));
    CALL("init", plot_engine_init(engine, life->now, config, store, &error));
}

static void recall_shown(int32_t (*get)(plot_engine *, plot_list **, plot_error **)) {
    plot_list *list;
    const char *match;
    if (get(engine, &list, NULL) != PLOT_OK) return;
    for (size_t i = 0; i < plot_list_get_count(list) && i < 12; i++)
        if (plot_item_get_string(plot_list_get(list, i), PLOT_KEY_MATCH_IDENTIFIER, &match) == PLOT_OK) remember(match);
    plot_list_free(list);
}

static _Noreturn void segment(const char *folder, const char *store, const char *path, int number, int steps, bool is_killed) {
    plot_list *list = NULL;
    transcript = fopen(path, "a");
    if (transcript == NULL) DIE("%s cannot be opened", path);
    fprintf(transcript, "{\"segment\":%d,\"ends\":\"%s\"}\n", number, is_killed ? "killed" : "closed");
    load_documents(folder);
    begin(store);
    recall_shown(plot_engine_get_displayed_notifications);
    recall_shown(plot_engine_get_sent_notifications);
    dump(true);
    /* A store that has a feed keeps it. */
    NEED(plot_engine_get_loaded_notifications(engine, 1, &list, NULL));
    if (plot_list_get_count(list) == 0 || life->feed < 0) set_feed(life->feed < 0 ? 0 : life->feed);
    plot_list_free(list);
    for (int i = 0; i < steps; i++) step();
    if (is_killed) {
        /* Half of them end inside of a callback: something was decided and kept, and perhaps not done. */
        dies_inside = chance(50);
        for (int i = 0; dies_inside && i < 20; i++) step();
        if (fflush(transcript) != 0) DIE("the transcript cannot be written");
        _exit(0);
    }
    dump(true);
    plot_engine_free(engine);
    for (int i = 0; i < COUNT_OF(feeds); i++) plot_feed_free(feeds[i]);
    plot_config_free(config);
    if (plot_live_objects() != 0) DIE("%" PRId64 " objects of the library are alive", plot_live_objects());
    if (fclose(transcript) != 0) DIE("the transcript cannot be written");
    _exit(0);
}

/* ---- Lives --------------------------------------------------------------------------------------------------------------- */

static void in_process(void (*play)(void *), void *argument) {
    int status;
    pid_t child = fork();
    if (child < 0) DIE("no process");
    if (child == 0) play(argument);
    if (waitpid(child, &status, 0) != child || status != 0) DIE("a segment ended with %d", status);
}

struct part { const char *folder, *store, *path; int number, steps; bool is_killed; };

static void play_part(void *argument) {
    const struct part *part = argument;
    segment(part->folder, part->store, part->path, part->number, part->steps, part->is_killed);
}

static void play_lives(const char *worlds_path, const char *list_path, const char *folder) {
    json_error_t fault;
    json_t *worlds = json_load_file(worlds_path, 0, &fault), *one;
    FILE *list = fopen(list_path, "r");
    char name[64], world_name[128], end[16];
    int segments, steps;
    uint64_t seed;
    int64_t start, monotonic;
    size_t index;
    if (worlds == NULL) DIE("%s, line %d: %s", worlds_path, fault.line, fault.text);
    if (list == NULL) DIE("%s cannot be opened", list_path);
    life = mmap(NULL, sizeof *life, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (life == MAP_FAILED) DIE("no memory");
    while (fscanf(list, "%63s %127s %" SCNu64 " %d %d %15s %" SCNd64 " %" SCNd64, name, world_name, &seed, &segments, &steps, end, &start,
                  &monotonic) == 8) {
        char path[4096], store[4096];
        life_name = name;
        world = NULL;
        json_array_foreach(worlds, index, one)
            if (strcmp(json_string_value(json_object_get(one, "name")), world_name) == 0) world = one;
        if (world == NULL) DIE("there is no world %s", world_name);
        snprintf(path, sizeof path, "%s/%s.jsonl", folder, name);
        snprintf(store, sizeof store, "%s/%s.store", folder, name);
        bool in_memory = strcmp(end, "memory") == 0, is_killed = strcmp(end, "killed") == 0;
        memset(life, 0, sizeof *life);
        life->dice = seed;
        life->now = start ? start : json_integer_value(json_object_get(world, "start"));
        life->monotonic = start ? monotonic : HOUR;
        life->boot = start ? 99 : 0; /* where a life goes on that ended elsewhere, the device was started anew */
        life->feed = -1;
        life->is_clocked = chance(40);
        life->is_mapped = chance(30);
        for (int number = 1; number <= segments; number++) {
            bool is_last = number == segments;
            struct part part = {folder, in_memory ? NULL : store, path, number, steps, !in_memory && (is_last ? is_killed : chance(40))};
            in_process(play_part, &part);
            if (!is_last) pass_time(any(3) * 20 * MINUTE + SECOND);
        }
        FILE *file = fopen(path, "a");
        if (file == NULL) DIE("%s cannot be opened", path);
        fprintf(file, "{\"segment\":0,\"now\":%" PRId64 ",\"monotonic\":%" PRId64 "}\n", life->now, life->monotonic);
        if (fclose(file) != 0) DIE("%s cannot be written", path);
    }
    if (!feof(list)) DIE("%s: a line that is none", list_path);
    fclose(list);
    json_decref(worlds);
}

static void compile_feeds(const char *list_path, const char *folder) {
    char name[256], source[2048], path[4096];
    FILE *list = fopen(list_path, "r");
    if (list == NULL) DIE("%s cannot be opened", list_path);
    while (fscanf(list, "%255s %2047s", name, source) == 2) {
        plot_feed *feed = NULL;
        life_name = name;
        snprintf(path, sizeof path, "%s/%s.feed", folder, name);
        NEED(plot_feed_load(source, &feed, NULL));
        NEED(plot_feed_save(feed, path, NULL));
        plot_feed_free(feed);
    }
    if (!feof(list)) DIE("%s: a line that is none", list_path);
    fclose(list);
}

int main(int count, char **arguments) {
    /* As programs with people in front of them do: no locale may show in a byte. */
    setlocale(LC_ALL, "");
    if (count == 5 && strcmp(arguments[1], "lives") == 0) {
        play_lives(arguments[2], arguments[3], arguments[4]);
    } else if (count == 4 && strcmp(arguments[1], "feeds") == 0) {
        compile_feeds(arguments[2], arguments[3]);
    } else {
        fprintf(stderr, "usage: golden lives WORLDS LIST FOLDER | golden feeds LIST FOLDER\n");
        return 2;
    }
    return 0;
}
