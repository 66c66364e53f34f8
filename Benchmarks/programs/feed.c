/*
 * The cost of reading a feed beside Jansson's own parse of the same text, and of mapping a compiled one: feed PASSES SCRATCH COUNT...
 *
 * A feed of COUNT circles and COUNT campaigns of about 630 bytes each, in the forms that feeds have: content, segmentation, times. A pass
 * reads a small one many times, so that each figure is of 50,000 campaigns, about.
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#define _GNU_SOURCE
#include "host.h"

#include <dlfcn.h>
#include <jansson.h>
#include <unistd.h>

#define MOST 64

static text feed_text(size_t count, double *campaign_bytes) {
    text json = {NULL, 0, 0};
    add(&json, "{\"version\":1,\"revision\":\"bench\",\"regions\":[");
    for (size_t i = 0; i < count; i++)
        add(&json,
            "%s{\"id\":\"place-%06zu\",\"type\":\"geofence\",\"name\":\"Shop number %zu\",\"latitude\":%.6f,\"longitude\":%.6f,\"radius\":%zu}",
            i ? "," : "", i, i, 36 + (double)(i % 1000) * 0.024, -9 + (double)(i / 1000) * 0.39, 50 + i % 450);
    add(&json, "],\"campaigns\":[");
    size_t before = json.length;
    for (size_t i = 0; i < count; i++)
        add(&json,
            "%s{\"id\":\"campaign-%06zu\",\"type\":\"notification\",\"message\":\"Welcome at {{name}}: this week everything is at half price\","
            "\"data\":\"https://example.org/campaigns/%zu?from=place\",\"trigger\":\"dwelling\",\"dwellingMinutes\":%zu,\"regions\":[\"place-%06zu\"],"
            "\"start\":\"2026-03-01T08:00:00Z\",\"end\":\"2026-09-30T20:00:00Z\",\"cooldownPeriod\":86400,\"priority\":%zu,"
            "\"segmentation\":{\"all\":[{\"property\":\"premiumMember\",\"equals\":true},{\"property\":\"visits\",\"atLeast\":%zu}]},"
            "\"content\":{\"title\":\"{{name}}\",\"body\":\"Show this message at the till, and take a friend along.\",\"badge\":1,"
            "\"userInfo\":{\"coupon\":{\"code\":%zu,\"kind\":\"half\"},\"list\":[1,2,3]}}}",
            i ? "," : "", i, i, 5 + i % 60, i, i % 10, i % 20, 100000 + i);
    *campaign_bytes = (double)(json.length - before) / (double)count;
    add(&json, "]}");
    return json;
}

typedef int32_t (*save_fn)(const plot_feed *feed, const char *path, plot_error **error);
typedef int32_t (*map_fn)(const char *path, plot_feed **out, plot_error **error);

/* A feed that is ready has answered a fix. */
static void answer(const plot_config *config, const plot_feed *feed) {
    witness seen = {0};
    plot_engine *engine = engine_of(config, feed, NULL, &seen, 0);
    update(engine, START, (fix){52.0001, 4.0001});
    plot_engine_free(engine);
}

/* Freed memory is put together here, and not in the middle of what is measured next: a large request makes glibc do so. */
static void settle_heap(void) {
    void *volatile large = malloc(1 << 20);
    free(large);
}

static void measure(size_t count, int passes, const char *scratch) {
    char name[128], path[4096];
    double bytes;
    text json = feed_text(count, &bytes);
    plot_config *config = config_of("default-1", "none");
    double raw[MOST] = {0}, freed[MOST] = {0}, parse[MOST] = {0}, ready[MOST] = {0}, map[MOST] = {0};
    plot_error *error;

    save_fn save = (save_fn)dlsym(RTLD_DEFAULT, "plot_feed_save");
    map_fn map_feed = (map_fn)dlsym(RTLD_DEFAULT, "plot_feed_map");
    snprintf(path, sizeof path, "%s/bench-%zu.plotfeed", scratch, count);
    if (save != NULL && map_feed != NULL) {
        plot_feed *feed = parsed(&json);
        unlink(path);
        must(save(feed, path, &error), "saving a compiled feed", error);
        plot_feed_free(feed);
    }
    int turns = count < 50000 ? (int)(50000 / count) : 1;
    for (int pass = -1; pass < passes; pass++) {
        double took_raw = 0, took_freed = 0, took_parse = 0, took_ready = 0, took_map = 0;
        for (int turn = 0; turn < turns; turn++) {
            json_error_t fault;
            settle_heap();
            double begin = now();
            json_t *tree = json_loadb(json.bytes, json.length, 0, &fault);
            took_raw += now() - begin;
            if (tree == NULL) fail("Jansson", fault.text);
            json_decref(tree);
            took_freed += now() - begin;

            settle_heap();
            begin = now();
            plot_feed *feed = parsed(&json);
            took_parse += now() - begin;
            answer(config, feed);
            took_ready += now() - begin;
            if (plot_feed_get_campaign_count(feed) != count) fail("the feed has another number of campaigns", "parse");
            plot_feed_free(feed);

            if (map_feed != NULL) {
                settle_heap();
                begin = now();
                must(map_feed(path, &feed, &error), "mapping a compiled feed", error);
                answer(config, feed);
                took_map += now() - begin;
                if (plot_feed_get_campaign_count(feed) != count) fail("the feed has another number of campaigns", "map");
                plot_feed_free(feed);
            }
        }
        if (pass < 0) continue;
        raw[pass] = took_raw / turns * 1e6 / (double)count;
        freed[pass] = took_freed / turns * 1e6 / (double)count;
        parse[pass] = took_parse / turns * 1e6 / (double)count;
        ready[pass] = took_ready / turns * 1e3;
        map[pass] = took_map / turns * 1e3;
    }
#define TELL(what, unit, values) snprintf(name, sizeof name, "feed/%zu/%s", count, what), tell(name, unit, values, (size_t)passes)
    TELL("jansson", "us", raw);
    TELL("jansson, freed", "us", freed);
    TELL("parse", "us", parse);
    TELL("ready", "ms", ready);
    if (map_feed != NULL) {
        TELL("mapped", "ms", map);
    } else {
        snprintf(name, sizeof name, "feed/%zu/mapped", count);
        tell_left_out(name, "the library has no plot_feed_map");
    }
    snprintf(name, sizeof name, "feed/%zu/campaign", count);
    tell_one(name, "bytes", bytes);
    unlink(path);
    plot_config_free(config);
    free(json.bytes);
}

int main(int count, char **arguments) {
    if (count < 4 || atoi(arguments[1]) > MOST) fail("usage", "feed PASSES SCRATCH COUNT...");
    for (int i = 3; i < count; i++) measure((size_t)atoll(arguments[i]), atoi(arguments[1]), arguments[2]);
    return 0;
}
