/* The bytes are the file of a time zone (TZif). */
#include "fuzz.h"

int32_t fuzz_zone(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_zone(data, size);
    return 0;
}
