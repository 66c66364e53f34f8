/*
 * The bytes are a compiled feed (docs/feed-file.md) whose length and checksum are put right first, as somebody does who makes one to harm; then it
 * is mapped and used. Files whose size is odd stay as they are.
 */
#include "walk.h"

static uint64_t word(const uint8_t *at) {
    uint64_t value = 0;
    for (int index = 7; index >= 0; index--) value = value << 8 | at[index];
    return value;
}

static void put(uint8_t *at, uint64_t value) {
    for (int index = 0; index < 8; index++) at[index] = (uint8_t)(value >> 8 * index);
}

static uint64_t mixed(uint64_t lane, uint64_t value) {
    uint64_t product = (lane ^ value) * 0x9E3779B97F4A7C15u;
    return product << 29 | product >> 35;
}

/* As docs/feed-file.md has it. */
static uint64_t checksum(const uint8_t *file, size_t size) {
    uint64_t lanes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t index = 0; index < size / 8; index++)
        lanes[index % 8] = mixed(lanes[index % 8], index == 3 ? 0 : word(file + index * 8));
    uint64_t sum = size / 8;
    for (int lane = 0; lane < 8; lane++) sum = mixed(sum, lanes[lane]);
    return sum ^ sum >> 32;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int64_t alive = plot_live_objects();
    int is_mended = size % 2 == 0 && size >= 512;
    size_t length = is_mended ? (size + 63) / 64 * 64 : size;
    uint8_t *file = calloc(1, length + 1);
    memcpy(file, data, size);
    if (is_mended) {
        put(file + 16, length);
        put(file + 24, checksum(file, length));
    }
    const char *path = scratch("feed.bin");
    write_scratch(path, file, length);
    free(file);
    plot_feed *feed;
    plot_error *error;
    plot_string *json;
    int32_t status = plot_feed_map(path, &feed, &error);
    unlink(path);
    if (status == PLOT_OK) {
        size_t regions = plot_feed_get_region_count(feed), campaigns = plot_feed_get_campaign_count(feed);
        for (size_t index = 0; index <= regions && index < 1000; index++)
            CHECK((plot_feed_get_region_id(feed, index) == NULL) == (index >= regions), "region %zu", index);
        for (size_t index = 0; index <= campaigns && index < 1000; index++)
            CHECK((plot_feed_get_campaign_id(feed, index) == NULL) == (index >= campaigns), "campaign %zu", index);
        walk(feed);
        if (plot_feed_to_json(feed, &json, NULL) == PLOT_OK) plot_string_free(json);
        plot_feed_free(feed);
    } else {
        CHECK(status == PLOT_INVALID_DOCUMENT || status == PLOT_IO_ERROR, "%s", plot_status_name(status));
        if (status == PLOT_INVALID_DOCUMENT) {
            CHECK(plot_error_get_expected(error)[0] != '\0', "%s", plot_error_get_message(error));
            CHECK(plot_error_get_found(error)[0] != '\0', "%s", plot_error_get_message(error));
        }
    }
    judged(status, &error, "plot_feed_map");
    CHECK(plot_live_objects() == alive, "%" PRId64 " objects more", plot_live_objects() - alive);
    return 0;
}
