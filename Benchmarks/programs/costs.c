/*
 * Counts what is countable on any machine: costs DATA WHAT [COUNT]. Prints one number, or nothing.
 *
 *   allocations        malloc, calloc, realloc and their like for each fix that changes nothing; 1,000 circles, in and out of a place
 *   idle ENGINES       bytes of an idle engine: started, with a shared feed of 1,000 circles, a first fix taken
 *   rss ENGINES        the same as the process's own size, from the system
 *   plain FIXES        takes so many fixes that change nothing, for counting instructions by the difference of two runs
 *   crossing FIXES     so many that each end in a handled geotrigger
 *   phone FIXES        so many that change nothing, one device with 300 campaigns
 *   crowded FIXES      so many near a region with 2,000 campaigns, which is never entered
 *   crowded-twice FIXES  the same with 4,000
 *   weighed-allocations, weighed-rest FIXES, weighed-walk FIXES, weighed-edge FIXES
 *                      allocations and plain where the policy weighs evidence: at rest, on a way of 1.4 m/s, and on one along an edge
 *
 * Without DATA's files for 1,000 circles nothing can be said. Tests/costs/check.sh and run.py run it.
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#define _GNU_SOURCE
#include "host.h"

#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

/* ---- Every allocation of the process comes by here ---------------------------------------------------------- */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static volatile uint64_t allocations;

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    allocations++;
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **out, size_t alignment, size_t size) {
    void *memory = memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *out = memory;
    return 0;
}

/* ---- What is counted ---------------------------------------------------------------------------------------- */

static circles all;
static plot_config *config;

/* Positions in and out of the first circle, with a walk of some metres. */
static fix inside(size_t n) { return (fix){all.all[0].latitude + (double)(n % 7) * 1e-5, all.all[0].longitude}; }
static fix outside(size_t n) { return (fix){all.all[0].latitude + 0.1 + (double)(n % 7) * 1e-5, all.all[0].longitude}; }

/* To and fro along the edge of the first circle, 25 m beyond it, where the index must be asked about each fix. */
static fix edge(size_t n) {
    double north = (all.all[0].radius + 25) / 111195, east = (double)(n % 8 < 4 ? n % 8 : 8 - n % 8) * 1.26e-4;
    return (fix){all.all[0].latitude + north, all.all[0].longitude + east / cos(all.all[0].latitude * M_PI / 180)};
}

static void count_allocations(void) {
    enum { fixes = 10000 };
    plot_feed *feed = feed_of(&all);
    witness seen = {0};
    plot_engine *engine = engine_of(config, feed, NULL, &seen, 0);
    int64_t time = START;
    uint64_t counted = 0;
    fix (*places[])(size_t) = {outside, edge, inside};
    enum { count = sizeof places / sizeof *places };
    for (int i = 0; i < count; i++) {
        /* The first ones may cross, and may make room once. */
        for (size_t n = 0; n < 100; n++) seen.time = time += PERIOD, update(engine, time, places[i](n));
        uint64_t fired = seen.geotriggers, before = allocations;
        for (size_t n = 0; n < fixes; n++) seen.time = time += PERIOD, update(engine, time, places[i](n));
        counted += allocations - before;
        if (seen.geotriggers != fired) fail("a fix that was to change nothing has crossed", "allocations");
    }
    if (seen.geotriggers != 1) fail("the first circle was not entered", "allocations");
    if (allocations == 0) fail("no allocation comes by here", "allocations");
    printf("%.6f\n", (double)counted / (count * fixes));
}

static double resident(void) {
    long pages = 0, size = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &size, &pages) != 2) fail("the system does not say", "/proc/self/statm");
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void count_idle(size_t engines, int by_system) {
    plot_feed *feed = feed_of(&all);
    witness seen = {0};
    plot_engine **made = given(engines * sizeof *made);
    for (size_t i = 0; i < engines; i++) made[i] = NULL;
    /* Objects that the first engine makes for all are not counted as the others'. */
    plot_engine *first = engine_of(config, feed, NULL, &seen, 0);
    update(first, START, outside(0));
    double before = by_system ? resident() : (double)in_use();
    for (size_t i = 0; i < engines; i++) {
        made[i] = engine_of(config, feed, NULL, &seen, 0);
        update(made[i], START, outside(i));
    }
    double after = by_system ? resident() : (double)in_use();
    printf("%.1f\n", (after - before) / (double)engines);
}

static void run(plot_feed *feed, size_t fixes, int crosses, fix (*place)(size_t)) {
    witness seen = {0};
    plot_engine *engine = engine_of(config, feed, NULL, &seen, 0);
    int64_t time = START;
    update(engine, time, outside(0));
    for (size_t n = 0; n < fixes; n++) {
        seen.time = time += PERIOD;
        update(engine, time, crosses && n % 2 == 0 ? inside(n) : place(n));
    }
    if (seen.geotriggers != (crosses ? fixes : 0)) fail("another number of geotriggers", "run");
}

/* The first circle with so many campaigns of its own; the fixes are near, and outside. */
static plot_feed *crowded(size_t campaigns) {
    text json = begun_feed(&all);
    for (size_t i = 0; i < campaigns; i++)
        add(&json, "%s{\"id\":\"c%zu\",\"type\":\"geotrigger\",\"name\":\"c\",\"regions\":[\"r0\"]}", i ? "," : "", i);
    return ended_feed(&json);
}

static fix near(size_t n) { return (fix){all.all[0].latitude + 0.01 + (double)(n % 7) * 1e-5, all.all[0].longitude}; }

/* To and fro, some kilometres to the north of the first circle. */
static fix walk(size_t n) {
    size_t step = n % 2000 < 1000 ? n % 2000 : 2000 - n % 2000;
    return (fix){all.all[0].latitude + 0.1 + (double)step * 1.26e-4, all.all[0].longitude};
}

int main(int count, char **arguments) {
    if (count < 3) fail("usage", "costs DATA WHAT [COUNT]");
    const char *what = arguments[2];
    size_t number = count > 3 ? (size_t)atoll(arguments[3]) : 0;
    all = read_circles(arguments[1], strcmp(what, "phone") == 0 ? "phone" : "1k");
    const char *of_evidence = "weighed-";
    int weighs = strncmp(what, of_evidence, strlen(of_evidence)) == 0;
    if (weighs) what += strlen(of_evidence);
    /* By its permanent name, so that a count says the same for ever. */
    config = config_of(weighs ? "balanced" : "default-1", "none");
    if (strcmp(what, "allocations") == 0) count_allocations();
    else if (strcmp(what, "idle") == 0 && number > 0) count_idle(number, 0);
    else if (strcmp(what, "rss") == 0 && number > 0) count_idle(number, 1);
    else if (weighs && strcmp(what, "rest") == 0) run(feed_of(&all), number, 0, outside);
    else if (weighs && strcmp(what, "walk") == 0) run(feed_of(&all), number, 0, walk);
    else if (weighs && strcmp(what, "edge") == 0) run(feed_of(&all), number, 0, edge);
    else if (strcmp(what, "plain") == 0) run(feed_of(&all), number, 0, outside);
    else if (strcmp(what, "crossing") == 0) run(feed_of(&all), number, 1, outside);
    else if (strcmp(what, "phone") == 0) run(phone_feed_of(&all), number, 0, outside);
    else if (strcmp(what, "crowded") == 0) run(crowded(2000), number, 0, near);
    else if (strcmp(what, "crowded-twice") == 0) run(crowded(4000), number, 0, near);
    else fail("usage: nothing is counted under this name", what);
    return 0;
}
