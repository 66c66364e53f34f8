/*
 * Edits of the items of a filter's batch: pieces between bytes 0xFF; the first byte of a piece chooses the call and the item, the second the key, the
 * rest is the value. What is read-only stays, and the edited item is shown as it was answered.
 */
#include "fuzz.h"

static const char configuration[] = "{\"publicToken\": \"t\", \"enableOnFirstRun\": true}";
static const char feed_text[] =
    "{\"version\": 1, \"regions\": [{\"id\": \"r\", \"type\": \"geofence\", \"latitude\": 52.36, \"longitude\": 4.885}],"
    "\"campaigns\": ["
    "{\"id\": \"plain\", \"type\": \"notification\", \"message\": \"Plain\", \"regions\": [\"r\"]},"
    "{\"id\": \"rich\", \"type\": \"notification\", \"message\": \"Rich\", \"data\": \"https://example.org/\", \"regions\": [\"r\"],"
    "\"content\": {\"title\": \"Title\", \"subtitle\": \"Sub\", \"body\": \"Body\", \"sound\": \"bell\", \"badge\": 1,"
    "\"category\": \"tour\", \"userInfo\": {\"a\": 1, \"b\": {\"c\": [true, null]}},"
    "\"actions\": [{\"id\": \"save\", \"title\": \"Save\"}],"
    "\"attachments\": [{\"id\": \"p\", \"url\": \"https://example.org/p.png\"}]}}]}";

static const char *const keys[] = {
    "message", "data", "title", "subtitle", "body", "sound", "badge", "category", "attachments", "actions", "userInfo",
    "identifier", "matchIdentifier", "campaignId", "trigger", "dateSent", "isOpened", "", "own", "geofenceLatitude",
    "priority", "correlationKey",
};
static const char *const fixed[] = {"identifier", "matchIdentifier", "campaignId", "regionId", "trigger", "regionType"};

static bytes input;
static char *answered[2];
static size_t shown;

static char *text_of(const plot_item *item) {
    plot_string *json;
    CHECK(plot_item_to_json(item, &json, NULL) == PLOT_OK, "not written");
    char *copy = strdup(plot_string_get(json));
    plot_string_free(json);
    return copy;
}

/* All that a filter may change, but attachments: those whose file cannot be read are left out when it is shown. */
static char *content_of(const plot_item *item) {
    char *all = text_of(item), *start = strstr(all, "\"attachments\":["), *end = start;
    if (start == NULL) return all;
    int depth = 0, is_text = 0;
    for (end = strchr(start, '['); *end != '\0'; end++) {
        if (*end == '\\') end++;
        else if (*end == '"') is_text = !is_text;
        else if (!is_text && *end == '[') depth++;
        else if (!is_text && *end == ']' && --depth == 0) break;
    }
    CHECK(end[0] == ']' && end[1] == ',', "attachments without an end: %s", all);
    memmove(start, end + 2, strlen(end + 2) + 1);
    return all;
}

static void edit(plot_item *item, uint8_t call, const char *key, const char *value, size_t length) {
    plot_error *error = NULL;
    plot_string *json = NULL;
    char *before = text_of(item);
    int32_t status = PLOT_OK;
    int64_t integer = 0;
    double number;
    const char *string;
    switch (call % 6) {
    case 0: status = judged(plot_item_set_string(item, key, value, &error), &error, "set_string"); break;
    case 1:
        memcpy(&integer, value, length < 8 ? length : 8);
        status = judged(plot_item_set_integer(item, key, integer, &error), &error, "set_integer");
        break;
    case 2: status = judged(plot_item_set_json(item, key, value, length, &error), &error, "set_json"); break;
    case 3: status = judged(plot_item_clear(item, key, &error), &error, "clear"); break;
    case 4:
        plot_item_get_string(item, key, &string);
        plot_item_get_integer(item, key, &integer);
        plot_item_get_double(item, key, &number);
        break;
    case 5:
        /* A key that it gives, it takes for the same key, and is then the same. */
        if (plot_item_get_json(item, key, &json) == PLOT_OK) {
            status = judged(plot_item_set_json(item, key, plot_string_get(json), plot_string_get_length(json), &error), &error,
                            "set_json of its own");
            CHECK(status == PLOT_OK || status == PLOT_READ_ONLY_KEY, "%s: %s", key, plot_string_get(json));
            char *now = text_of(item);
            CHECK(strcmp(before, now) == 0, "%s\n%s", before, now);
            free(now);
        }
        plot_string_free(json);
        break;
    }
    char *behind = text_of(item);
    if (status != PLOT_OK) CHECK(strcmp(before, behind) == 0, "refused, but changed:\n%s\n%s", before, behind);
    free(before);
    free(behind);
}

static void filter(void *user_data, plot_engine *engine, uint64_t token, plot_list *list) {
    (void)user_data;
    plot_error *error;
    plot_item *items[2] = {plot_list_get(list, 0), plot_list_get(list, 1)};
    CHECK(plot_list_get_count(list) == 2 && items[0] && items[1], "a batch of two");
    char *before[2][COUNT_OF(fixed)];
    const char *value;
    for (int item = 0; item < 2; item++)
        for (size_t key = 0; key < COUNT_OF(fixed); key++)
            before[item][key] = strdup(plot_item_get_string(items[item], fixed[key], &value) == PLOT_OK ? value : "-");
    while (input.at < input.end) {
        const uint8_t *stop = memchr(input.at, 0xFF, (size_t)(input.end - input.at));
        if (stop == NULL) stop = input.end;
        if (stop - input.at >= 2) {
            uint8_t call = input.at[0], key = input.at[1];
            size_t length = (size_t)(stop - input.at) - 2;
            char *own = malloc(length + 1);
            memcpy(own, input.at + 2, length);
            own[length] = '\0';
            edit(items[call >> 7], call & 0x7F, keys[key % COUNT_OF(keys)], own, length);
            free(own);
        }
        input.at = stop + 1;
    }
    for (int item = 0; item < 2; item++) {
        for (size_t key = 0; key < COUNT_OF(fixed); key++) {
            const char *now = plot_item_get_string(items[item], fixed[key], &value) == PLOT_OK ? value : "-";
            CHECK(strcmp(before[item][key], now) == 0, "%s was %s and is %s", fixed[key], before[item][key], now);
            free(before[item][key]);
        }
        answered[item] = content_of(items[item]);
    }
    CHECK(judged(plot_engine_answer_filter(engine, 1778925700000, token, list, &error), &error, "answer_filter") == PLOT_OK,
          "the answer was refused");
}

static int32_t show(void *user_data, plot_engine *engine, const plot_item *item) {
    (void)user_data, (void)engine;
    char *now = content_of(item);
    CHECK(strcmp(now, answered[0]) == 0 || strcmp(now, answered[1]) == 0, "shown, but not as answered:\n%s\n%s\n%s", now,
          answered[0], answered[1]);
    free(now);
    shown++;
    return PLOT_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int64_t alive = plot_live_objects(), time = 1778925600000;
    plot_engine *engine = begun(configuration, feed_text, time);
    plot_engine_set_filter_callback(engine, filter, NULL, NULL, NULL);
    plot_engine_set_show_callback(engine, show, NULL, NULL, NULL);
    input.at = data;
    input.end = data + size;
    shown = 0;
    plot_engine_update_location(engine, time + 1000, 52.0, 4.0, 5, -1, -1, NULL);
    plot_engine_update_location(engine, time + 61000, 52.36, 4.885, 5, -1, -1, NULL);
    plot_engine_update_location(engine, time + 90000, 52.36, 4.885, 5, -1, -1, NULL);
    CHECK(answered[0] != NULL, "the filter was not asked");
    CHECK(shown == 2, "%zu shown", shown);
    for (int item = 0; item < 2; item++) {
        free(answered[item]);
        answered[item] = NULL;
    }
    plot_engine_free(engine);
    CHECK(plot_live_objects() == alive, "%" PRId64 " objects more", plot_live_objects() - alive);
    return 0;
}
