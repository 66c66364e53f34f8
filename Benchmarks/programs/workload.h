/*
 * The public workload of the benchmarks (docs/performance.md): circles around places in Europe, and devices that walk and drive there. Its files,
 * the orders of asking, the exact distance and the answers that every contender must give; and what the programs here need in common.
 *
 * A file of circles: 32 bytes of header, "GFENCE01", their number, the seed and 0 as 64-bit integers, then latitude, longitude (degrees) and
 * radius (metres) of each as doubles. A file of tracks: "GTRACK01", the number of tracks and of fixes in each (32 bits), the seed (64), the
 * seconds between fixes and 0 (32), then latitude and longitude of each fix, track after track. Little endian.
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <malloc.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EARTH_RADIUS 6371008.8
#define DEGREE 0.017453292519943295

typedef struct {
    double latitude, longitude, radius;
} circle;

typedef struct {
    double latitude, longitude;
} fix;

typedef struct {
    circle *all;
    size_t count;
} circles;

typedef struct {
    fix *all;
    size_t tracks, each;
} tracks;

/* The result that every contender must find: hits, and the sum over them of the circle's number times (the fix's number mod 1000 + 1). */
typedef struct {
    const char *tag, *tracks;
    size_t count;
    uint64_t hits, checksum, enters, exits;
} expectation;

static const expectation expectations[] = {
    {"20", "city", 20, 5011, 16563639, 809, 807},
    {"1k", "eu", 1000, 983, 245773413, 178, 178},
    {"100k", "eu", 100000, 127830, 2900368460897, 19495, 19397},
    {"1m", "eu", 1000000, 1297841, 291235415006933, 197505, 196581},
};

#if defined(__GNUC__)
#define UNUSED __attribute__((unused))
#else
#define UNUSED
#endif

static UNUSED void fail(const char *what, const char *about) {
    fprintf(stderr, "bench: %s: %s\n", what, about);
    exit(1);
}

static UNUSED const expectation *expected(size_t count) {
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++)
        if (expectations[i].count == count) return &expectations[i];
    fail("no such number of circles", "20, 1000, 100000 and 1000000 are known");
    return NULL;
}

/* Seconds on the monotonic clock. */
static UNUSED double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Bytes that malloc has given out. */
static UNUSED size_t in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static UNUSED void *given(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (memory == NULL) fail("out of memory", "malloc");
    return memory;
}

static UNUSED void *read_records(const char *folder, const char *name, const char *magic, size_t size, size_t *first, size_t *second) {
    char path[4096], header[32];
    snprintf(path, sizeof path, "%s/%s.bin", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || fread(header, 1, sizeof header, file) != sizeof header || memcmp(header, magic, 8) != 0)
        fail("not a file of the workload", path);
    if (second == NULL) {
        uint64_t count;
        memcpy(&count, header + 8, sizeof count);
        *first = count;
    } else {
        uint32_t counts[2];
        memcpy(counts, header + 8, sizeof counts);
        *first = counts[0];
        *second = counts[1];
    }
    size_t count = *first * (second == NULL ? 1 : *second);
    void *records = given(count * size);
    if (fread(records, size, count, file) != count) fail("the file is cut off", path);
    fclose(file);
    return records;
}

static UNUSED circles read_circles(const char *folder, const char *tag) {
    circles result;
    char name[64];
    snprintf(name, sizeof name, "fences_%s", tag);
    result.all = (circle *)read_records(folder, name, "GFENCE01", sizeof(circle), &result.count, NULL);
    return result;
}

static UNUSED tracks read_tracks(const char *folder, const char *tag) {
    tracks result;
    char name[64];
    snprintf(name, sizeof name, "tracks_%s", tag);
    result.all = (fix *)read_records(folder, name, "GTRACK01", sizeof(fix), &result.tracks, &result.each);
    return result;
}

/* The numbers of the fixes: 'T' track after track, one device at a time; 'I' interleaved, the first fix of every device, then the second,
 * as a server sees them. */
static UNUSED uint32_t *order_of(const tracks *from, char order) {
    size_t count = from->tracks * from->each;
    uint32_t *numbers = (uint32_t *)given(count * sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (uint32_t)(order == 'I' ? i % from->tracks * from->each + i / from->tracks : i);
    return numbers;
}

/* Metres on the sphere; what every baseline filters with. */
static UNUSED double haversine(double latitude1, double longitude1, double latitude2, double longitude2) {
    double north = sin((latitude2 - latitude1) * DEGREE * 0.5), east = sin((longitude2 - longitude1) * DEGREE * 0.5);
    double a = north * north + cos(latitude1 * DEGREE) * cos(latitude2 * DEGREE) * east * east;
    return 2.0 * EARTH_RADIUS * asin(sqrt(a < 1 ? a : 1));
}

/* The degrees that enclose a circle, with a little more against rounding. */
static UNUSED void enclose(const circle *of, double *south, double *west, double *north, double *east) {
    double angle = of->radius / EARTH_RADIUS;
    double tall = angle / DEGREE * (1 + 1e-9) + 1e-9;
    double wide = asin(sin(angle) / cos(of->latitude * DEGREE)) / DEGREE * (1 + 1e-9) + 1e-9;
    *south = of->latitude - tall;
    *north = of->latitude + tall;
    *west = of->longitude - wide;
    *east = of->longitude + wide;
}

/* One line of a program's output, for run.py: a name, a unit and the figure of each pass. */
static UNUSED void tell(const char *name, const char *unit, const double *values, size_t count) {
    printf("{\"name\": \"%s\", \"unit\": \"%s\", \"values\": [", name, unit);
    for (size_t i = 0; i < count; i++) printf("%s%.17g", i ? ", " : "", values[i]);
    printf("]}\n");
    fflush(stdout);
}

static UNUSED void tell_one(const char *name, const char *unit, double value) { tell(name, unit, &value, 1); }

/* Why something was not measured. */
static UNUSED void tell_left_out(const char *name, const char *why) {
    printf("{\"name\": \"%s\", \"left_out\": \"%s\"}\n", name, why);
    fflush(stdout);
}

#endif
