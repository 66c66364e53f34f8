/* The bytes are a recording: each line is taken or refused, and what comes back is a recording that gives itself. */
#include "fuzz.h"

typedef struct {
    char *text;
    size_t length, room;
} growing;

static void play(const char *text, size_t size, growing *out, int all_good) {
    plot_replay *replay;
    CHECK(plot_replay_new(&replay, NULL) == PLOT_OK, "no replay");
    int refused = 0;
    for (size_t start = 0; start < size;) {
        const char *end = memchr(text + start, '\n', size - start);
        size_t stop = end == NULL ? size : (size_t)(end - text);
        plot_string *lines;
        plot_error *error;
        int32_t status = plot_replay_take_line(replay, text + start, stop - start, &lines, &error);
        CHECK(status == PLOT_OK || status == PLOT_INVALID_ARGUMENT || status == PLOT_INVALID_DOCUMENT
                  || (status >= PLOT_STORE_FAILED && status <= PLOT_STORE_NEWER),
              "%s", plot_status_name(status));
        refused += status != PLOT_OK;
        CHECK(!all_good || status == PLOT_OK, "its own line was refused: %s", plot_error_get_message(error));
        judged(status, &error, "plot_replay_take_line");
        if (status == PLOT_OK && out != NULL && refused == 0) {
            size_t more = plot_string_get_length(lines);
            if (out->length + more > out->room) {
                out->room = (out->length + more) * 2;
                out->text = realloc(out->text, out->room);
            }
            memcpy(out->text + out->length, plot_string_get(lines), more);
            out->length += more;
        }
        plot_string_free(lines);
        start = stop + 1;
    }
    plot_replay_free(replay);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int64_t alive = plot_live_objects();
    growing once = {0}, twice = {0};
    play((const char *)data, size, &once, 0);
    /* The inputs before the first fault, played again. */
    play(once.text, once.length, &twice, 1);
    CHECK(once.length == twice.length && (once.length == 0 || memcmp(once.text, twice.text, once.length) == 0),
          "not the same again:\n%.*s\n----\n%.*s", (int)once.length, once.text, (int)twice.length, twice.text);
    free(once.text);
    free(twice.text);
    CHECK(plot_live_objects() == alive, "%" PRId64 " objects more", plot_live_objects() - alive);
    return 0;
}
