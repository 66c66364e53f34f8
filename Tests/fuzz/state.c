/*
 * A state as bytes that somebody has written to: byte 0 chooses a scenario whose life has made it; then come edits of four bytes: where (two bytes), what is
 * done there, and a byte. The checksum is put right, unless the number of bytes is odd. An engine is restored from it and lives on, or refuses it.
 */
#include "lived.h"

typedef struct {
    uint8_t *data;
    size_t size;
} state;

enum { ROOM = 1 << 16, SUM = 8 };

static state states[COUNT_OF(scenarios)];

/* As docs/state-bytes.md has it. */
static uint64_t checksum(const uint8_t *data, size_t size) {
    uint64_t sum = 0xcbf29ce484222325u;
    size_t at = 0;
    for (; at + 8 <= size; at += 8) {
        uint64_t word = 0;
        for (int index = 7; index >= 0; index--) word = word << 8 | data[at + (size_t)index];
        sum = (sum ^ word) * 0x100000001b3u;
    }
    for (; at < size; at++) sum = (sum ^ data[at]) * 0x100000001b3u;
    return sum;
}

static plot_feed *feed_of(const scenario *what) {
    plot_feed *feed;
    CHECK(plot_feed_parse(what->feed, strlen(what->feed), &feed, NULL) == PLOT_OK, "feed");
    return feed;
}

static const state *state_of(size_t number) {
    state *one = &states[number];
    const scenario *what = &scenarios[number];
    if (one->data != NULL) return one;
    plot_config *config = config_of(what);
    plot_feed *feed = feed_of(what);
    plot_engine *engine = fresh();
    plot_string *saved;
    CHECK(plot_engine_init(engine, what->start, config, NULL, NULL) == PLOT_OK, "init");
    CHECK(plot_engine_set_feed(engine, what->start, feed, NULL) == PLOT_OK, "set_feed");
    live(engine, what, what->start);
    CHECK(plot_engine_save(engine, PLOT_SAVE_EVENTS, &saved, NULL) == PLOT_OK, "save");
    one->size = plot_string_get_length(saved);
    CHECK(one->size > SUM && one->size < ROOM / 2, "a state of %zu bytes", one->size);
    one->data = malloc(one->size);
    memcpy(one->data, plot_string_get(saved), one->size);
    plot_string_free(saved);
    plot_engine_free(engine);
    plot_feed_free(feed);
    plot_config_free(config);
    return one;
}

static size_t edit(uint8_t *data, size_t size, const uint8_t *piece) {
    size_t where = (piece[0] | (size_t)piece[1] << 8) % (size + 1), rest = size - where;
    switch (piece[2] % 4) {
    case 0:
        if (rest > 0) data[where] = piece[3];
        break;
    case 1:
        if (rest > 0) data[where] ^= piece[3];
        break;
    case 2:
        if (size + 1 >= ROOM) break;
        memmove(data + where + 1, data + where, rest);
        data[where] = piece[3];
        return size + 1;
    case 3: {
        size_t gone = piece[3] < rest ? piece[3] : rest;
        memmove(data + where, data + where + gone, rest - gone);
        return size - gone;
    }
    }
    return size;
}

/* The state that an engine that was restored from bytes saves again, at the same time. */
static plot_string *again(const scenario *what, const char *data, size_t size) {
    plot_config *config = config_of(what);
    plot_feed *feed = feed_of(what);
    plot_engine *engine = fresh();
    plot_error *error;
    plot_string *saved = NULL;
    int32_t status = plot_engine_restore(engine, -1, config, feed, NULL, data, size, &error);
    CHECK(status == PLOT_OK || status == PLOT_INVALID_DOCUMENT || status == PLOT_STORE_NEWER || status == PLOT_INVALID_ARGUMENT, "%s",
          plot_error_get_message(error));
    if (judged(status, &error, "restore") == PLOT_OK) {
        CHECK(plot_engine_save(engine, PLOT_SAVE_EVENTS, &saved, NULL) == PLOT_OK, "save");
        live(engine, what, what->start + 7200000);
    }
    plot_engine_free(engine);
    plot_feed_free(feed);
    plot_config_free(config);
    return saved;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    size_t number = data[0] % COUNT_OF(scenarios);
    const scenario *what = &scenarios[number];
    const state *base = state_of(number);
    uint8_t *bytes = malloc(ROOM + SUM);
    size_t length = base->size - SUM;
    memcpy(bytes, base->data, base->size);
    for (const uint8_t *at = data + 1; data + size - at >= 4; at += 4) length = edit(bytes, length, at);
    uint64_t sum = checksum(bytes, length);
    if (size % 2 == 1)
        for (int index = 0; index < SUM; index++) bytes[length + (size_t)index] = (uint8_t)(sum >> 8 * index);
    /* A copy, which ends where the sanitizer watches. */
    char *given = malloc(length + SUM);
    memcpy(given, bytes, length + SUM);
    free(bytes);
    plot_string *first = again(what, given, length + SUM);
    CHECK(first != NULL || size > 1, "the state of scenario %zu is refused", number);
    if (first != NULL) {
        plot_string *second = again(what, plot_string_get(first), plot_string_get_length(first));
        CHECK(second != NULL && plot_string_get_length(first) == plot_string_get_length(second)
                  && memcmp(plot_string_get(first), plot_string_get(second), plot_string_get_length(first)) == 0,
              "what was saved is not what it was restored from");
        plot_string_free(first);
        plot_string_free(second);
    }
    free(given);
    CHECK(plot_live_objects() == 0, "%" PRId64 " objects are alive", plot_live_objects());
    return 0;
}
