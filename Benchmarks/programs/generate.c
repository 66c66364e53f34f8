/*
 * Makes the workload (workload.h) with a fixed seed, the same bytes on every machine with the same libm: generate FOLDER
 *
 * 200 centres lie evenly spread between 36 and 60 degrees north, 9 west and 30 east. Circles, and the beginnings of tracks, lie around one of them with a standard
 * deviation of 8 km; radii are even between 50 and 500 m. A device has a heading, which changes by 0.35 rad each 10 s, and a speed, by 1 m/s,
 * within 1 to 15 m/s. The sets of 20 circles and of the tracks `city` keep to the first centre.
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#include "workload.h"

#define CENTRES 200
#define METRES_A_DEGREE (EARTH_RADIUS * DEGREE)

static uint64_t state;
static fix centres[CENTRES];

/* splitmix64 */
static uint64_t bits(void) {
    state += 0x9E3779B97F4A7C15u;
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static double even(void) { return (double)(bits() >> 11) / 9007199254740992.0; }

static double normal(void) {
    double a = 1 - even();
    double b = even();
    return sqrt(-2 * log(a)) * cos(2 * M_PI * b);
}

static fix around_a_centre(int only_first) {
    const fix *centre = &centres[only_first ? 0 : bits() % CENTRES];
    double east = normal() * 8000;
    double north = normal() * 8000;
    fix place;
    place.latitude = centre->latitude + north / METRES_A_DEGREE;
    place.longitude = centre->longitude + east / (METRES_A_DEGREE * cos(centre->latitude * DEGREE));
    return place;
}

static FILE *begin(const char *folder, const char *kind, const char *tag, const void *header) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s_%s.bin", folder, kind, tag);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(header, 32, 1, file) != 1) fail("cannot write", path);
    return file;
}

static void end(FILE *file, const char *tag) {
    int failed = ferror(file);
    if (fclose(file) != 0 || failed) fail("cannot write the set", tag);
}

static void write_circles(const char *folder, const char *tag, uint64_t count, uint64_t seed, int city) {
    uint64_t header[4] = {0, count, seed, 0};
    memcpy(header, "GFENCE01", 8);
    FILE *file = begin(folder, "fences", tag, header);
    state = seed;
    for (uint64_t i = 0; i < count; i++) {
        fix center = around_a_centre(city);
        circle one = {center.latitude, center.longitude, 50 + 450 * even()};
        fwrite(&one, sizeof one, 1, file);
    }
    end(file, tag);
}

static double between_1_and_15(double speed) {
    if (speed < 1) speed = 2 - speed;
    if (speed > 15) speed = 30 - speed;
    return speed < 1 ? 1 : speed > 15 ? 15 : speed;
}

static void write_tracks(const char *folder, const char *tag, uint32_t count, uint32_t each, uint64_t seed, int city) {
    uint32_t header[8] = {0, 0, count, each, (uint32_t)seed, (uint32_t)(seed >> 32), 10, 0};
    memcpy(header, "GTRACK01", 8);
    FILE *file = begin(folder, "tracks", tag, header);
    state = seed;
    for (uint32_t track = 0; track < count; track++) {
        fix place = around_a_centre(city);
        double heading = 2 * M_PI * even();
        double speed = 1 + 14 * even();
        for (uint32_t i = 0; i < each; i++) {
            fwrite(&place, sizeof place, 1, file);
            heading += 0.35 * normal();
            speed = between_1_and_15(speed + normal());
            double way = speed * 10;
            place.latitude += way * cos(heading) / METRES_A_DEGREE;
            place.longitude += way * sin(heading) / (METRES_A_DEGREE * cos(place.latitude * DEGREE));
        }
    }
    end(file, tag);
}

int main(int count, char **arguments) {
    if (count != 2) fail("usage", "generate FOLDER");
    const char *folder = arguments[1];
    state = 0x5EED0000;
    for (int i = 0; i < CENTRES; i++) {
        centres[i].latitude = 36 + 24 * even();
        centres[i].longitude = -9 + 39 * even();
    }
    write_circles(folder, "20", 20, 0x5EED0001, 1);
    write_circles(folder, "1k", 1000, 0x5EED0002, 0);
    write_circles(folder, "100k", 100000, 0x5EED0003, 0);
    write_circles(folder, "1m", 1000000, 0x5EED0004, 0);
    write_circles(folder, "phone", 300, 0x5EED0005, 1);
    write_tracks(folder, "eu", 1000, 1000, 0x5EED0011, 0);
    write_tracks(folder, "city", 1000, 1000, 0x5EED0012, 1);
    return 0;
}
