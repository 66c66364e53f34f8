/*
 * Parts that the fuzz targets share (docs/reliability-fuzz.md). A target is one C file with LLVMFuzzerTestOneInput; it is linked with libFuzzer, or
 * with replay.c, which plays the files of a corpus. It ends by abort() when something does not hold.
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#ifndef PLOT_FUZZ_H
#define PLOT_FUZZ_H

#include <inttypes.h>
#include <plotengine.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition, ...)                                            \
    do {                                                                 \
        if (!(condition)) {                                              \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                                \
            fputc('\n', stderr);                                         \
            abort();                                                     \
        }                                                                \
    } while (0)

/* A status is one that the header names, and the error says the same. Frees the error; by its address, for the call that sets it
 * may stand among the arguments. */
static inline int32_t judged(int32_t status, plot_error **told, const char *call) {
    plot_error *error = *told;
    *told = NULL;
    CHECK(status >= PLOT_OK && status <= PLOT_UNKNOWN_ITEM, "%s: status %d", call, status);
    CHECK(plot_error_get_status(error) == status, "%s: %s, but the error says %s", call, plot_status_name(status),
          plot_status_name(plot_error_get_status(error)));
    if (status != PLOT_OK) {
        CHECK(error != NULL, "%s: %s without an error", call, plot_status_name(status));
        CHECK(plot_error_get_message(error)[0] != '\0', "%s: an error without words", call);
        CHECK(plot_error_get_line(error) >= 0 && plot_error_get_column(error) >= 0, "%s: a place", call);
        CHECK((plot_error_get_line(error) == 0) == (plot_error_get_column(error) == 0), "%s: half a place", call);
    }
    plot_error_free(error);
    return status;
}

/* A fault of a document says where, what was expected and what was found. */
static inline void judge_fault(const plot_error *error, const char *text, size_t size) {
    CHECK(plot_error_get_expected(error)[0] != '\0', "nothing expected: %s", plot_error_get_message(error));
    CHECK(plot_error_get_found(error)[0] != '\0', "nothing found: %s", plot_error_get_message(error));
    int64_t lines = 1, line = plot_error_get_line(error);
    for (size_t index = 0; index < size; index++) lines += text[index] == '\n';
    CHECK(line <= lines, "line %" PRId64 " of %" PRId64 ": %s", line, lines, plot_error_get_message(error));
    const char *pointer = plot_error_get_pointer(error);
    CHECK(pointer[0] == '\0' || pointer[0] == '/', "pointer %s", pointer);
}

/* Bytes that are taken from the front one after the other; 0 behind the end. */
typedef struct {
    const uint8_t *at, *end;
} bytes;

static inline uint8_t take(bytes *from) { return from->at < from->end ? *from->at++ : 0; }

/* A file of this process that the targets write again and again; in memory where the system has such a place. */
static inline const char *scratch(const char *name) {
    static char path[256];
    const char *folder = getenv("FUZZ_SCRATCH");
    if (folder == NULL) folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(path, sizeof path, "%s/plot-fuzz-%ld-%s", folder, (long)getpid(), name);
    return path;
}

static inline void write_scratch(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0, "%s cannot be written", path);
}

/* An engine in memory with a feed; both texts are good. */
static inline plot_engine *begun(const char *configuration, const char *feed_text, int64_t time) {
    plot_config *config;
    plot_feed *feed;
    plot_engine *engine;
    plot_error *error;
    CHECK(plot_config_parse(configuration, strlen(configuration), &config, NULL) == PLOT_OK, "configuration");
    int32_t status = plot_feed_parse(feed_text, strlen(feed_text), &feed, &error);
    CHECK(status == PLOT_OK, "feed: %s", plot_error_get_message(error));
    CHECK(plot_engine_new(&engine, NULL) == PLOT_OK, "engine");
    CHECK(plot_engine_init(engine, time, config, NULL, NULL) == PLOT_OK, "init");
    CHECK(plot_engine_set_feed(engine, time, feed, NULL) == PLOT_OK, "set_feed");
    plot_feed_free(feed);
    plot_config_free(config);
    return engine;
}

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#endif
