/* The bytes are a GeoJSON geometry of a region, and a FeatureCollection that is imported, with options before its first line end. */
#include "walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char before[] = "{\"version\": 1, \"regions\": [{\"id\": \"r\", \"type\": \"area\", \"geometry\": ";
    static const char behind[] = "}], \"campaigns\": [{\"id\": \"c\", \"type\": \"notification\", \"regions\": [\"r\"], "
                                 "\"trigger\": \"enter\", \"message\": \"m\"}]}";
    plot_feed *feed;
    plot_error *error;
    plot_string *json;
    int64_t alive = plot_live_objects();
    size_t length = sizeof before - 1 + size + sizeof behind - 1;
    char *text = malloc(length);
    memcpy(text, before, sizeof before - 1);
    memcpy(text + sizeof before - 1, data, size);
    memcpy(text + sizeof before - 1 + size, behind, sizeof behind - 1);
    int32_t status = plot_feed_parse(text, length, &feed, &error);
    if (status == PLOT_OK) {
        CHECK(plot_feed_to_json(feed, &json, NULL) == PLOT_OK, "not written");
        plot_string_free(json);
        walk(feed);
        plot_feed_free(feed);
    } else {
        CHECK(status == PLOT_INVALID_DOCUMENT, "%s", plot_status_name(status));
        judge_fault(error, text, length);
    }
    judged(status, &error, "plot_feed_parse");
    free(text);

    const uint8_t *end = memchr(data, '\n', size);
    size_t start = end == NULL ? 0 : (size_t)(end - data) + 1;
    char *options = start == 0 ? NULL : calloc(1, start);
    if (options != NULL) memcpy(options, data, start - 1);
    status = plot_feed_import_geojson((const char *)data + start, size - start, options, &feed, &error);
    if (status == PLOT_OK) {
        CHECK(plot_feed_get_campaign_count(feed) == 1, "%zu campaigns", plot_feed_get_campaign_count(feed));
        walk(feed);
        plot_feed_free(feed);
    } else {
        CHECK(status == PLOT_INVALID_DOCUMENT || (status == PLOT_INVALID_ARGUMENT && options != NULL), "%s",
              plot_status_name(status));
    }
    judged(status, &error, "plot_feed_import_geojson");
    free(options);
    CHECK(plot_live_objects() == alive, "%" PRId64 " objects more", plot_live_objects() - alive);
    return 0;
}
