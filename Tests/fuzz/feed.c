/* The bytes are a feed: it is read or refused with a place; what is read is the same after writing, is used, and compiled; the lint reads it too. */
#include "walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    plot_feed *feed, *again;
    plot_error *error;
    plot_string *json, *json_again, *findings;
    int64_t alive = plot_live_objects();
    int32_t status = plot_feed_parse(text, size, &feed, &error);
    if (status == PLOT_OK) {
        CHECK(plot_feed_to_json(feed, &json, NULL) == PLOT_OK, "not written");
        int32_t second = plot_feed_parse(plot_string_get(json), plot_string_get_length(json), &again, NULL);
        CHECK(second == PLOT_OK, "refused again: %s", plot_string_get(json));
        CHECK(plot_feed_to_json(again, &json_again, NULL) == PLOT_OK, "not written again");
        CHECK(strcmp(plot_string_get(json), plot_string_get(json_again)) == 0, "%s\n%s", plot_string_get(json),
              plot_string_get(json_again));
        plot_string_free(json_again);
        plot_feed_free(again);
        if (size < 4096) walk(feed);
        if (size % 4 == 0) {
            const char *path = scratch("feed.bin");
            CHECK(judged(plot_feed_save(feed, path, &error), &error, "plot_feed_save") == PLOT_OK, "not saved");
            CHECK(judged(plot_feed_map(path, &again, &error), &error, "plot_feed_map") == PLOT_OK, "not mapped");
            CHECK(plot_feed_to_json(again, &json_again, NULL) == PLOT_OK, "not written from the file");
            CHECK(strcmp(plot_string_get(json), plot_string_get(json_again)) == 0, "%s\n%s", plot_string_get(json),
                  plot_string_get(json_again));
            plot_string_free(json_again);
            plot_feed_free(again);
            unlink(path);
        }
        plot_string_free(json);
    } else {
        CHECK(status == PLOT_INVALID_DOCUMENT, "%s", plot_status_name(status));
        judge_fault(error, text, size);
    }
    judged(status, &error, "plot_feed_parse");
    CHECK(plot_lint(NULL, 0, text, size, 1778925600000, &findings, NULL) == PLOT_OK, "no lint");
    if (status != PLOT_OK) CHECK(plot_string_get_length(findings) > 2, "no finding, but a fault");
    plot_string_free(findings);
    plot_feed_free(feed);
    CHECK(plot_live_objects() == alive, "%" PRId64 " objects more", plot_live_objects() - alive);
    return 0;
}
