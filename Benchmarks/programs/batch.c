/*
 * Many fixes in one call, beside as many calls: batch DATA PASSES
 *
 * One device with 300 campaigns takes 100 tracks of the city one after the other; 1,000 devices of one feed take the first 100 fixes of theirs,
 * interleaved. The front ends' own benchmarks do the same; both functions are looked up, so that a library without them is told apart.
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#define _GNU_SOURCE
#include "host.h"

#include <dlfcn.h>

enum { FIXES = 100000, DEVICES = 1000, MOST = 64 };

typedef void effects;
typedef int32_t (*one_fn)(plot_engine *engine, size_t count, const int64_t *times, const double *latitudes, const double *longitudes,
                          const double *accuracies, const double *speeds, const double *courses, effects **out, plot_error **error);
typedef int32_t (*many_fn)(plot_engine *const *engines, size_t engine_count, const uint32_t *devices, size_t count, const int64_t *times,
                           const double *latitudes, const double *longitudes, const double *accuracies, const double *speeds,
                           const double *courses, effects **out, plot_error **error);
typedef size_t (*count_fn)(const effects *effects);
typedef void (*free_fn)(effects *effects);

static void *looked_up(const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    if (found == NULL) fail("the library has no such function", name);
    return found;
}

/* The columns of a call. */
static int64_t times[FIXES];
static double latitudes[FIXES], longitudes[FIXES], accuracies[FIXES];
static uint32_t devices[FIXES];

int main(int count, char **arguments) {
    if (count != 3 || atoi(arguments[2]) > MOST) fail("usage", "batch DATA PASSES");
    int passes = atoi(arguments[2]);
    one_fn update_one = (one_fn)looked_up("plot_engine_update_locations");
    many_fn update_many = (many_fn)looked_up("plot_engines_update_locations");
    count_fn effect_count = (count_fn)looked_up("plot_effects_get_count");
    free_fn free_effects = (free_fn)looked_up("plot_effects_free");
    circles all = read_circles(arguments[1], "phone");
    tracks from = read_tracks(arguments[1], "city");
    plot_config *config = config_of("default-1", "none");
    plot_feed *feed = phone_feed_of(&all);
    plot_error *error;
    effects *out;
    double one[MOST], calls[MOST], many[MOST];
    size_t told = 0;

    plot_engine *alone = engine_of(config, feed, NULL, NULL, 0), *by_calls = engine_of(config, feed, NULL, NULL, 0);
    for (int pass = 0; pass < passes; pass++) {
        for (size_t i = 0; i < FIXES; i++) {
            times[i] = START + ((int64_t)pass * FIXES + (int64_t)i) * PERIOD;
            latitudes[i] = from.all[i].latitude;
            longitudes[i] = from.all[i].longitude;
            accuracies[i] = ACCURACY;
        }
        double begin = now();
        for (size_t i = 0; i < FIXES; i++) update(by_calls, times[i], (fix){latitudes[i], longitudes[i]});
        calls[pass] = (now() - begin) * 1e9 / FIXES;
        begin = now();
        must(update_one(alone, FIXES, times, latitudes, longitudes, accuracies, NULL, NULL, &out, &error), "a batch", error);
        told += effect_count(out);
        free_effects(out);
        one[pass] = (now() - begin) * 1e9 / FIXES;
    }
    plot_engine_free(alone);
    plot_engine_free(by_calls);

    plot_engine **engines = given(DEVICES * sizeof *engines);
    for (size_t i = 0; i < DEVICES; i++) engines[i] = engine_of(config, feed, NULL, NULL, 0);
    for (int pass = 0; pass < passes; pass++) {
        for (size_t i = 0; i < FIXES; i++) {
            size_t device = i % DEVICES, tick = i / DEVICES;
            devices[i] = (uint32_t)device;
            times[i] = START + ((int64_t)pass * FIXES / DEVICES + (int64_t)tick) * PERIOD;
            latitudes[i] = from.all[device * from.each + tick].latitude;
            longitudes[i] = from.all[device * from.each + tick].longitude;
        }
        double begin = now();
        must(update_many(engines, DEVICES, devices, FIXES, times, latitudes, longitudes, accuracies, NULL, NULL, &out, &error), "a batch", error);
        told += effect_count(out);
        free_effects(out);
        many[pass] = (now() - begin) * 1e9 / FIXES;
    }
    if (told == 0) fail("the batches told of nothing", arguments[1]);
    for (size_t i = 0; i < DEVICES; i++) plot_engine_free(engines[i]);
    tell("batch/one device", "ns", one, (size_t)passes);
    tell("batch/one device, a call for each fix", "ns", calls, (size_t)passes);
    tell("batch/1000 devices", "ns", many, (size_t)passes);
    plot_feed_free(feed);
    plot_config_free(config);
    return 0;
}
