/*
 * A host for the benchmarks: makes feeds and engines through the C header, marks geotriggers handled, and counts.
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#ifndef HOST_H
#define HOST_H

#include "workload.h"

#include <plotengine.h>
#include <stdarg.h>

#define START 1700000000000 /* ms since 1970 */
#define PERIOD 10000        /* ms between two fixes of a device */
#define ACCURACY 10.0       /* metres */

static UNUSED void must(int32_t status, const char *what, plot_error *error) {
    if (status == PLOT_OK) return;
    fprintf(stderr, "bench: %s: %s\n", plot_status_name(status), plot_error_get_message(error));
    fail("the library refused", what);
}

/* A text that grows. */
typedef struct {
    char *bytes;
    size_t length, room;
} text;

static UNUSED void add(text *to, const char *format, ...) {
    for (;;) {
        va_list arguments;
        va_start(arguments, format);
        int length = vsnprintf(to->bytes == NULL ? NULL : to->bytes + to->length, to->room - to->length, format, arguments);
        va_end(arguments);
        if (length < 0) fail("cannot write", format);
        if (to->length + (size_t)length < to->room) {
            to->length += (size_t)length;
            return;
        }
        to->room = (to->room + (size_t)length + 1) * 2;
        to->bytes = (char *)realloc(to->bytes, to->room);
        if (to->bytes == NULL) fail("out of memory", "text");
    }
}

static UNUSED void add_regions(text *to, const circles *from) {
    for (size_t i = 0; i < from->count; i++)
        add(to, "%s{\"id\":\"r%zu\",\"type\":\"geofence\",\"latitude\":%.17g,\"longitude\":%.17g,\"radius\":%.17g}", i ? "," : "", i,
            from->all[i].latitude, from->all[i].longitude, from->all[i].radius);
}

/* Two campaigns, an enter and an exit geotrigger, over all regions: every circle has both. */
static UNUSED void add_geotriggers(text *to, size_t regions) {
    const char *triggers[] = {"enter", "exit"};
    for (int t = 0; t < 2; t++) {
        add(to, "%s{\"id\":\"%s\",\"type\":\"geotrigger\",\"name\":\"%s\",\"trigger\":\"%s\",\"resend\":true,\"regions\":[", t ? "," : "",
            triggers[t], triggers[t], triggers[t]);
        for (size_t i = 0; i < regions; i++) add(to, "%s\"r%zu\"", i ? "," : "", i);
        add(to, "]}");
    }
}

static UNUSED plot_feed *parsed(const text *json) {
    plot_feed *feed;
    plot_error *error;
    must(plot_feed_parse(json->bytes, json->length, &feed, &error), "a feed", error);
    return feed;
}

/* A feed of the circles, up to where its campaigns stand. */
static UNUSED text begun_feed(const circles *from) {
    text json = {NULL, 0, 0};
    add(&json, "{\"version\":1,\"regions\":[");
    add_regions(&json, from);
    add(&json, "],\"campaigns\":[");
    return json;
}

/* The feed, whose text is freed. */
static UNUSED plot_feed *ended_feed(text *json) {
    add(json, "]}");
    plot_feed *feed = parsed(json);
    free(json->bytes);
    return feed;
}

/* Every circle with an enter and an exit geotrigger. */
static UNUSED plot_feed *feed_of(const circles *from) {
    text json = begun_feed(from);
    add_geotriggers(&json, from->count);
    return ended_feed(&json);
}

/* The circles without any campaign. */
static UNUSED plot_feed *feed_of_fences(const circles *from) {
    text json = begun_feed(from);
    return ended_feed(&json);
}

/* A phone's feed: each circle with a geotrigger of its own. */
static UNUSED plot_feed *phone_feed_of(const circles *from) {
    text json = begun_feed(from);
    for (size_t i = 0; i < from->count; i++)
        add(&json, "%s{\"id\":\"c%zu\",\"type\":\"geotrigger\",\"name\":\"c%zu\",\"resend\":true,\"regions\":[\"r%zu\"]}", i ? "," : "", i, i, i);
    return ended_feed(&json);
}

static UNUSED plot_config *config_of(const char *noise, const char *initial) {
    char json[256];
    int length = snprintf(json, sizeof json, "{\"publicToken\":\"BENCH\",\"engine\":{\"noise\":\"%s\",\"initial\":\"%s\"}}", noise, initial);
    plot_config *config;
    plot_error *error;
    must(plot_config_parse(json, (size_t)length, &config, &error), "a configuration", error);
    return config;
}

/* The calls that the callbacks saw. */
typedef struct {
    int64_t time; /* of the input */
    uint64_t geotriggers, enters, exits;
    int told; /* 1 a decision, 2 an event or a geotrigger */
} witness;

/* The handler that is measured: all are handled, at once. */
static UNUSED void handle(void *user_data, plot_engine *engine, uint64_t token, plot_list *geotriggers) {
    witness *seen = (witness *)user_data;
    seen->geotriggers += plot_list_get_count(geotriggers);
    plot_error *error;
    must(plot_engine_mark_geotriggers_handled(engine, seen->time, token, geotriggers, &error), "an answer", error);
}

/* The one of the pass that sorts the fixes. */
static UNUSED void handle_and_look(void *user_data, plot_engine *engine, uint64_t token, plot_list *geotriggers) {
    witness *seen = (witness *)user_data;
    seen->told = 2;
    for (size_t i = 0; i < plot_list_get_count(geotriggers); i++) {
        const char *trigger = "";
        plot_item_get_string(plot_list_get(geotriggers, i), PLOT_KEY_TRIGGER, &trigger);
        if (strcmp(trigger, "enter") == 0) seen->enters++;
        if (strcmp(trigger, "exit") == 0) seen->exits++;
    }
    handle(user_data, engine, token, geotriggers);
}

static UNUSED void look_at_event(void *user_data, plot_engine *engine, const char *json, size_t length, const plot_item *item) {
    (void)engine, (void)json, (void)length, (void)item;
    ((witness *)user_data)->told = 2;
}

static UNUSED void look_at_decision(void *user_data, plot_engine *engine, const char *json, size_t length) {
    (void)engine, (void)json, (void)length;
    witness *seen = (witness *)user_data;
    if (seen->told == 0) seen->told = 1;
}

/* An engine with a geotrigger handler, and with a look at all that it tells, or without; with a witness of NULL one that asks nobody anything. */
static UNUSED plot_engine *engine_of(const plot_config *config, const plot_feed *feed, const char *store, witness *seen, int looks) {
    plot_engine *engine;
    plot_error *error;
    must(plot_engine_new(&engine, &error), "an engine", error);
    if (seen != NULL) must(plot_engine_set_geotrigger_callback(engine, looks ? handle_and_look : handle, seen, NULL, &error), "a handler", error);
    if (looks) {
        must(plot_engine_set_event_callback(engine, look_at_event, seen, NULL, &error), "an event callback", error);
        must(plot_engine_set_decision_callback(engine, look_at_decision, seen, NULL, &error), "a decision callback", error);
    }
    must(plot_engine_init(engine, START - PERIOD, config, store, &error), "init", error);
    must(plot_engine_set_feed(engine, START - PERIOD, feed, &error), "a feed", error);
    return engine;
}

static UNUSED void update(plot_engine *engine, int64_t time, fix place) {
    int32_t status = plot_engine_update_location(engine, time, place.latitude, place.longitude, ACCURACY, -1, -1, NULL);
    if (status != PLOT_OK) fail("a fix was refused", plot_status_name(status));
}

#endif
