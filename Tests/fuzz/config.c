/* The bytes are a plotconfig.json: it is read or refused with a place; what is read is the same after writing; the lint reads it too. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    plot_config *config, *again;
    plot_error *error;
    plot_string *json, *json_again, *findings;
    int64_t alive = plot_live_objects();
    int32_t status = plot_config_parse(text, size, &config, &error);
    if (status == PLOT_OK) {
        for (size_t index = 0; index < plot_config_get_warning_count(config); index++)
            CHECK(plot_config_get_warning(config, index)[0] != '\0', "a warning without words");
        CHECK(plot_config_to_json(config, &json, NULL) == PLOT_OK, "not written");
        int32_t second = plot_config_parse(plot_string_get(json), plot_string_get_length(json), &again, NULL);
        CHECK(second == PLOT_OK, "refused again: %s", plot_string_get(json));
        CHECK(plot_config_to_json(again, &json_again, NULL) == PLOT_OK, "not written again");
        CHECK(strcmp(plot_string_get(json), plot_string_get(json_again)) == 0, "%s\n%s", plot_string_get(json),
              plot_string_get(json_again));
        plot_string_free(json);
        plot_string_free(json_again);
        plot_config_free(again);
    } else {
        CHECK(status == PLOT_INVALID_DOCUMENT, "%s", plot_status_name(status));
        judge_fault(error, text, size);
    }
    judged(status, &error, "plot_config_parse");
    CHECK(plot_lint(text, size, NULL, 0, -1, &findings, NULL) == PLOT_OK, "no lint");
    /* A document that cannot be read is a finding. */
    if (status != PLOT_OK) CHECK(plot_string_get_length(findings) > 2, "no finding, but a fault");
    plot_string_free(findings);
    plot_config_free(config);
    CHECK(plot_live_objects() == alive, "%" PRId64 " objects more", plot_live_objects() - alive);
    return 0;
}
