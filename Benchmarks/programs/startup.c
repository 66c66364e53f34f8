/*
 * Milliseconds from dlopen to the first answer with a feed, or of dlopen alone: startup LIBRARY [FEED]
 *
 * Linked with nothing of the library: what it brings with it is loaded in the time that is measured. Started anew for each figure.
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#include "workload.h"

#include <dlfcn.h>

static void *library;

static void *function(const char *name) {
    void *found = dlsym(library, name);
    if (found == NULL) fail("the library has no such function", name);
    return found;
}

int main(int count, char **arguments) {
    if (count < 2) fail("usage", "startup LIBRARY [FEED]");
    double begin = now();
    library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fail("dlopen", dlerror());
    if (count > 2) {
        static const char config_text[] = "{\"publicToken\":\"BENCH\"}";
        void *config = NULL, *feed = NULL, *engine = NULL;
        int32_t (*config_parse)(const char *, size_t, void **, void **) = function("plot_config_parse");
        int32_t (*feed_load)(const char *, void **, void **) = function("plot_feed_load");
        int32_t (*engine_new)(void **, void **) = function("plot_engine_new");
        int32_t (*engine_init)(void *, int64_t, const void *, const char *, void **) = function("plot_engine_init");
        int32_t (*set_feed)(void *, int64_t, const void *, void **) = function("plot_engine_set_feed");
        int32_t (*update)(void *, int64_t, double, double, double, double, double, void **) = function("plot_engine_update_location");
        if (config_parse(config_text, sizeof config_text - 1, &config, NULL) || feed_load(arguments[2], &feed, NULL) ||
            engine_new(&engine, NULL) || engine_init(engine, 1700000000000, config, NULL, NULL) ||
            set_feed(engine, 1700000000000, feed, NULL) || update(engine, 1700000001000, 52.37, 4.89, 10, -1, -1, NULL))
            fail("no answer", arguments[1]);
    }
    printf("%.6f\n", (now() - begin) * 1e3);
    return 0;
}
