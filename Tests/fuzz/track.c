/* The first byte chooses a reader of the tool (READERS in run.py), unless FUZZ_READER has its number; the others are its file. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

int32_t fuzz_track(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *reader = getenv("FUZZ_READER");
    if (reader == NULL || size == 0) {
        fuzz_track(data, size);
        return 0;
    }
    /* A copy as long as the input, so that the address sanitizer sees what goes beyond it. */
    uint8_t *bytes = malloc(size);
    if (bytes == NULL) {
        return 0;
    }
    memcpy(bytes, data, size);
    bytes[0] = (uint8_t)atoi(reader);
    fuzz_track(bytes, size);
    free(bytes);
    return 0;
}
