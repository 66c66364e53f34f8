/* The first byte chooses a reader of the tool (GPX, GeoJSON, CSV, background, moves, hints, sightings, rules, places, TCX, KML, ways without times, Google, GnssLogger, NMEA, FIT, places as CSV); the others are its file. */
#include "fuzz.h"

int32_t fuzz_track(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_track(data, size);
    return 0;
}
