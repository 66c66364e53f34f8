/* The inputs that a byte can choose from, in each of some test vectors; scenarios.inc is made by seeds.py. */
#ifndef PLOT_FUZZ_SCENARIO_H
#define PLOT_FUZZ_SCENARIO_H

#include "fuzz.h"

typedef struct { double latitude, longitude; } place;
typedef struct { const char *uuid; int32_t major, minor; } beacon;
typedef struct { const char *a, *b; } pair;
typedef struct {
    const char *config, *feed;
    int64_t start;
    const place *points; size_t point_count;
    const char *const *regions; size_t region_count;
    const char *const *campaigns; size_t campaign_count;
    const beacon *beacons; size_t beacon_count;
    const pair *eddystones; size_t eddystone_count;
    const char *const *payloads; size_t payload_count;
    const pair *lists; size_t list_count;
    const char *const *properties; size_t property_count;
    const char *const *texts; size_t text_count;
} scenario;

#include "scenarios.inc"

#endif
