/*
 * Messages and lists that come to an engine with rules: pieces between bytes 0xFF, the first of a piece says what it is (a list, or a message and how
 * much later), the others are its JSON.
 */
#include "fuzz.h"

static const char configuration[] = "{\"publicToken\": \"t\", \"enableOnFirstRun\": true}";
static const char feed_text[] =
    "{\"version\": 1, \"regions\": [], \"campaigns\": [], \"settings\": {\"messages\": {"
    "\"correlation\": {\"path\": \"payload.customId\"}, \"rules\": ["
    "{\"id\": \"blocked\", \"if\": {\"senderIn\": \"blocked\"}, \"then\": \"drop\", \"whenAbsent\": \"apply\"},"
    "{\"if\": {\"any\": [{\"threadIn\": \"blocked\"}, {\"contains\": \"newsletter\"}]}, \"then\": \"mute\"},"
    "{\"if\": {\"senderNotIn\": \"blocked\"}, \"then\": \"rewrite\", \"title\": \"\", "
    "\"body\": \"New message from {{sender}}\"}]}}}";

static int shown;

static int32_t show(void *user_data, plot_engine *engine, const plot_item *item) {
    (void)user_data, (void)engine;
    plot_string *json;
    const char *id;
    CHECK(plot_item_to_json(item, &json, NULL) == PLOT_OK, "not written");
    plot_string_free(json);
    CHECK(plot_item_get_string(item, PLOT_KEY_IDENTIFIER, &id) == PLOT_OK && id[0] != '\0', "a message without an id");
    return ++shown % 5 == 0 ? PLOT_IO_ERROR : PLOT_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int64_t alive = plot_live_objects(), time = 1778925600000;
    plot_engine *engine = begun(configuration, feed_text, time);
    plot_error *error;
    plot_string *string;
    plot_list *list;
    shown = 0;
    plot_engine_set_show_callback(engine, show, NULL, NULL, NULL);
    for (const uint8_t *at = data, *end = data + size; at < end;) {
        const uint8_t *stop = memchr(at, 0xFF, (size_t)(end - at));
        if (stop == NULL) stop = end;
        if (stop > at) {
            uint8_t what = *at++;
            const char *json = (const char *)at;
            size_t length = (size_t)(stop - at);
            time += (int64_t)(what >> 2) * 10000;
            int32_t status;
            if (what % 4 == 0) {
                status = plot_engine_set_list(engine, time, "blocked", length == 0 ? NULL : json, length, &error);
            } else {
                status = plot_engine_process_message(engine, time, json, length, &error);
            }
            CHECK(status == PLOT_OK || status == PLOT_INVALID_DOCUMENT || (length == 0 && status == PLOT_INVALID_ARGUMENT),
                  "%s", plot_error_get_message(error));
            if (status == PLOT_INVALID_DOCUMENT) judge_fault(error, json, length);
            judged(status, &error, what % 4 == 0 ? "set_list" : "process_message");
        }
        at = stop + 1;
    }
    CHECK(plot_engine_advance(engine, time + 86400000, NULL) == PLOT_OK, "advance");
    CHECK(plot_engine_get_displayed_notifications(engine, &list, NULL) == PLOT_OK, "displayed");
    CHECK(plot_list_get_count(list) <= 100, "%zu displayed", plot_list_get_count(list));
    plot_list_free(list);
    CHECK(plot_engine_get_lists(engine, &string, NULL) == PLOT_OK, "lists");
    plot_string_free(string);
    plot_engine_free(engine);
    CHECK(plot_live_objects() == alive, "%" PRId64 " objects more", plot_live_objects() - alive);
    return 0;
}
