/*
 * A device's life, out of bytes: byte 0 chooses a scenario (scenarios.inc, made by seeds.py), byte 1 what is switched on, 16 bytes are what the
 * callbacks answer with, and the rest are calls, each with how much later it comes and what it is about. All of it is played with a recording and
 * then without, and the recording is played: the same effects each time. Also held: statuses are documented ones, no wakeup lies before the newest time, but
 * for what another feed or zone has made overdue, sequences rise, enters and exits of a region take turns, a store gives back what was there, and nothing stays alive.
 */
#include "scenario.h"

#define SECOND INT64_C(1000)
#define DAY (86400 * SECOND)

static const int64_t deltas[] = {
    0, 1, SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND, 60 * SECOND, 120 * SECOND, 300 * SECOND, 600 * SECOND, 1800 * SECOND,
    3600 * SECOND, 8 * 3600 * SECOND, DAY, 7 * DAY, 31 * DAY, -SECOND, -60 * SECOND, -3600 * SECOND, 365 * DAY,
};
static const double metres[] = {0, 1, 5, 20, 50, 100, 150, 199, 201, 300, 1000, 5000, 20000, -5, -100, -201};
static const double accuracies[] = {0, 1, 5, 10, 30, 65, 100, 250, 1500, 100000};
static const double speeds[] = {-1, 0, 1.4, 3, 8, 20, 60, 300};
static const double odd[] = {0, -0.0, 90, -90, 180, -180, 90.0000001, 1e308, -1e308, 5e-324};

#define STORE 1
#define DECISIONS 2
#define FILTER 4
#define GEOTRIGGERS 8
#define HANDLER 16
#define STRATEGY 32
#define LOG 64
#define REMOVE 128
#define FLAGS_AT_FIRST (DECISIONS)

typedef struct {
    char *text;
    size_t length, room;
} growing;

typedef struct {
    const scenario *what;
    bytes input;
    uint8_t answers[16];
    size_t answered, calls, depth;
    uint8_t flags;
    plot_config *config;
    plot_feed *feed;
    plot_engine *engine;
    const char *store; /* NULL: none */
    int64_t now;       /* the time that the host believes */
    int64_t newest;    /* that of the newest input that was taken */
    int is_overdue;    /* something may be: a feed or a zone is new */
    int64_t sequence;
    growing effects, recording;
    int configures_cooldown;
    int records, is_fresh; /* is_fresh: events may begin again at 1 */
    char *inside[64];      /* regions that have been entered */
    size_t inside_count;
    uint64_t tokens[16];
    size_t token_count;
    char *shown[32];
    size_t shown_count;
    int destroys, registered;
} life;

/* ---- What is written down ------------------------------------------------------------------------------------ */

static void add_bytes(growing *to, const char *text, size_t length) {
    if (to->length + length + 2 > to->room) {
        to->room = (to->length + length + 2) * 2;
        to->text = realloc(to->text, to->room);
        CHECK(to->text != NULL, "no memory");
    }
    memcpy(to->text + to->length, text, length);
    to->text[to->length + length] = '\0';
    to->length += length;
}

static void note(life *of, const char *what, const char *text) {
    add_bytes(&of->effects, what, strlen(what));
    add_bytes(&of->effects, " ", 1);
    add_bytes(&of->effects, text, strlen(text));
    add_bytes(&of->effects, "\n", 1);
}

static void note_number(life *of, const char *what, int64_t number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, number);
    note(of, what, digits);
}

static uint8_t answer(life *of) { return of->answers[of->answered++ % sizeof of->answers]; }

static int chance(life *of, int percent) { return answer(of) % 100 < percent; }

/* ---- Who is inside ------------------------------------------------------------------------------------------- */

static int find_inside(life *of, const char *region) {
    for (size_t index = 0; index < of->inside_count; index++)
        if (strcmp(of->inside[index], region) == 0) return (int)index;
    return -1;
}

static void forget_inside(life *of) {
    while (of->inside_count > 0) free(of->inside[--of->inside_count]);
}

static int text_of_key(const char *json, const char *key, char *into, size_t room) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "\"%s\":\"", key);
    const char *at = strstr(json, wanted);
    if (at == NULL) return 0;
    at += strlen(wanted);
    size_t length = 0;
    while (at[length] != '"' && at[length] != '\0' && length + 1 < room) length++;
    memcpy(into, at, length);
    into[length] = '\0';
    return 1;
}

/* After what may end visits in silence: as the engine has them. */
static void visits_anew(life *of) {
    plot_string *json = NULL;
    char region[300];
    forget_inside(of);
    if (plot_engine_get_visits(of->engine, &json, NULL) != PLOT_OK) return;
    for (const char *at = plot_string_get(json); (at = strstr(at, "{\"region\"")) != NULL; at++)
        if (text_of_key(at, "region", region, sizeof region) && of->inside_count < COUNT_OF(of->inside))
            of->inside[of->inside_count++] = strdup(region);
    plot_string_free(json);
}

static void check_visits(life *of) {
    plot_string *json = NULL;
    size_t count = 0;
    if (plot_engine_get_visits(of->engine, &json, NULL) != PLOT_OK) return;
    for (const char *at = plot_string_get(json); (at = strstr(at, "{\"region\"")) != NULL; at++) {
        char region[300];
        CHECK(text_of_key(at, "region", region, sizeof region), "a visit without a region: %s", at);
        CHECK(find_inside(of, region) >= 0, "a visit to %s, but no enter: %s", region, plot_string_get(json));
        count++;
    }
    CHECK(count == of->inside_count, "%zu visits, but %zu entered: %s", count, of->inside_count, plot_string_get(json));
    plot_string_free(json);
}

/* ---- Callbacks ----------------------------------------------------------------------------------------------- */

static void one_call(life *of);

/* Now and then a callback calls the engine itself. */
static void perhaps_call(life *of) {
    if (of->depth < 2 && of->calls < 400 && chance(of, 8)) {
        of->depth++;
        one_call(of);
        of->depth--;
    }
}

static void destroyed(void *user_data) { ((life *)user_data)->destroys++; }

static void note_item(life *of, const char *what, const plot_item *item) {
    plot_string *json = NULL;
    if (item == NULL) return note(of, what, "null");
    CHECK(plot_item_to_json(item, &json, NULL) == PLOT_OK, "an item cannot be written");
    note(of, what, plot_string_get(json));
    plot_string_free(json);
}

static void on_event(void *user_data, plot_engine *engine, const char *json, size_t length, const plot_item *item) {
    life *of = user_data;
    char name[64], region[300];
    (void)engine, (void)item;
    CHECK(strlen(json) == length, "the length of an event");
    note(of, "event", json);
    const char *at = strstr(json, "\"sequence\":");
    CHECK(at != NULL, "no sequence: %s", json);
    int64_t sequence = strtoll(at + 11, NULL, 10);
    CHECK(sequence > of->sequence, "sequence %" PRId64 " after %" PRId64, sequence, of->sequence);
    of->sequence = sequence;
    CHECK(text_of_key(json, "event", name, sizeof name), "no name: %s", json);
    if (text_of_key(json, "region", region, sizeof region)) {
        int index = find_inside(of, region);
        if (strcmp(name, "region-enter") == 0 || strcmp(name, "region-inside") == 0) {
            if (strcmp(name, "region-enter") == 0) CHECK(index < 0, "%s is entered twice", region);
            if (index < 0 && of->inside_count < COUNT_OF(of->inside)) of->inside[of->inside_count++] = strdup(region);
        } else if (strcmp(name, "region-exit") == 0) {
            CHECK(index >= 0, "%s is left, but was not entered", region);
            free(of->inside[index]);
            of->inside[index] = of->inside[--of->inside_count];
        }
    }
    perhaps_call(of);
}

static void on_decision(void *user_data, plot_engine *engine, const char *json, size_t length) {
    (void)engine, (void)length;
    note(user_data, "decision", json);
}

static void on_wakeup(void *user_data, plot_engine *engine, int64_t time) {
    (void)engine;
    note_number(user_data, "wakeup", time);
}

static void on_log(void *user_data, plot_engine *engine, int32_t level, const char *message) {
    (void)engine, (void)user_data, (void)level;
    CHECK(message[0] != '\0', "an empty line in the log");
}

static void edit(life *of, plot_item *item) {
    plot_error *error;
    switch (answer(of) % 5) {
    case 0: judged(plot_item_set_string(item, PLOT_KEY_MESSAGE, "Edited", &error), &error, "set_string"); break;
    case 1: judged(plot_item_set_integer(item, PLOT_KEY_BADGE, answer(of), &error), &error, "set_integer"); break;
    case 2: judged(plot_item_set_json(item, PLOT_KEY_USER_INFO, "{\"k\": [1]}", 10, &error), &error, "set_json"); break;
    case 3: judged(plot_item_clear(item, PLOT_KEY_TITLE, &error), &error, "clear"); break;
    case 4: judged(plot_item_set_string(item, PLOT_KEY_DATA, "", &error), &error, "set_string"); break;
    }
}

static void answer_batch(life *of, uint64_t token, plot_list *list, int is_geotriggers) {
    plot_error *error;
    for (size_t index = plot_list_get_count(list); index-- > 0;) {
        uint8_t choice = answer(of);
        if (choice % 4 == 0) plot_list_remove(list, index, NULL);
        else if (choice % 4 == 1 && !is_geotriggers) edit(of, plot_list_get(list, index));
        else if (choice == 255) plot_list_append(list, plot_list_get(list, index), NULL);
    }
    int32_t status = is_geotriggers ? plot_engine_mark_geotriggers_handled(of->engine, of->now, token, list, &error)
                                    : plot_engine_answer_filter(of->engine, of->now, token, list, &error);
    note(of, "answered", plot_status_name(judged(status, &error, "an answer")));
    /* Tests of the filter are no inputs. */
    int is_test = token > UINT64_C(1) << 52;
    if (status == PLOT_OK && !is_test && of->now > of->newest) of->newest = of->now;
}

static void on_batch(life *of, uint64_t token, plot_list *list, int is_geotriggers) {
    plot_string *json;
    CHECK(plot_list_to_json(list, &json, NULL) == PLOT_OK, "a list cannot be written");
    note_number(of, "token", (int64_t)token);
    note(of, "batch", plot_string_get(json));
    plot_string_free(json);
    of->tokens[of->token_count++ % COUNT_OF(of->tokens)] = token;
    switch (answer(of) % 4) {
    case 0: break; /* later, or never */
    case 1:
        answer_batch(of, token, list, is_geotriggers);
        answer_batch(of, token, list, is_geotriggers);
        break;
    default: answer_batch(of, token, list, is_geotriggers);
    }
    perhaps_call(of);
}

static void on_filter(void *user_data, plot_engine *engine, uint64_t token, plot_list *list) {
    (void)engine;
    on_batch(user_data, token, list, 0);
}

static void on_geotriggers(void *user_data, plot_engine *engine, uint64_t token, plot_list *list) {
    (void)engine;
    on_batch(user_data, token, list, 1);
}

static int32_t on_show(void *user_data, plot_engine *engine, const plot_item *item) {
    life *of = user_data;
    const char *match;
    (void)engine;
    note_item(of, "show", item);
    CHECK(plot_item_get_string(item, PLOT_KEY_MATCH_IDENTIFIER, &match) == PLOT_OK, "shown without a matchIdentifier");
    size_t at = of->shown_count++ % COUNT_OF(of->shown);
    free(of->shown[at]);
    of->shown[at] = strdup(match);
    perhaps_call(of);
    static const int32_t statuses[] = {PLOT_OK, PLOT_OK, PLOT_OK, PLOT_IO_ERROR, -1, 1000};
    return statuses[answer(of) % COUNT_OF(statuses)];
}

static int32_t on_remove(void *user_data, plot_engine *engine, const plot_item *item) {
    (void)engine;
    note_item(user_data, "remove", item);
    return chance(user_data, 80) ? PLOT_OK : PLOT_IO_ERROR;
}

static void on_handler(void *user_data, plot_engine *engine, const plot_item *item, const char *data) {
    (void)engine;
    note_item(user_data, "handler", item);
    note(user_data, "data", data);
}

static void on_open(void *user_data, plot_engine *engine, int32_t action, const char *uri, const plot_item *item) {
    (void)engine;
    note_item(user_data, "open", item);
    note(user_data, uri, action == PLOT_OPEN_APP ? "app" : "else");
}

static int32_t on_strategy(void *user_data, plot_engine *engine, int32_t what, plot_strategy_call *call) {
    life *of = user_data;
    const char *state = plot_strategy_call_get_state(call);
    (void)engine;
    note_number(of, "strategy", what);
    note(of, "of", plot_strategy_call_get_json(call));
    if (state != NULL) note(of, "state", state);
    if (what == PLOT_STRATEGY_SAVE) {
        char digits[16];
        plot_error *error;
        snprintf(digits, sizeof digits, "%zu", of->shown_count);
        judged(plot_strategy_call_set_state(call, digits, &error), &error, "set_state");
    }
    if (what == PLOT_STRATEGY_VOTE_CREATE || what == PLOT_STRATEGY_VOTE_DELETE) return chance(of, 80);
    return (int32_t)answer(of) - 100;
}

static void on_recording(void *user_data, plot_engine *engine, const char *line, size_t length) {
    life *of = user_data;
    (void)engine;
    add_bytes(&of->recording, line, length);
    add_bytes(&of->recording, "\n", 1);
}

/* ---- A life -------------------------------------------------------------------------------------------------- */

static void registers(life *of, uint8_t flags) {
    plot_error *error;
    plot_engine *engine = of->engine;
#define REGISTER(name, fn)                                                                                          \
    do {                                                                                                            \
        of->registered++;                                                                                           \
        judged(plot_engine_set_##name(engine, fn, of, destroyed, &error), &error, #name);                             \
    } while (0)
    if (flags & FILTER) REGISTER(filter_callback, on_filter);
    if (flags & GEOTRIGGERS) REGISTER(geotrigger_callback, on_geotriggers);
    if (flags & HANDLER) REGISTER(notification_handler, on_handler);
    if (flags & REMOVE) REGISTER(remove_callback, on_remove);
    if (flags & DECISIONS) REGISTER(decision_callback, on_decision);
    if (flags & LOG) REGISTER(log_callback, on_log);
    if (flags & STRATEGY) {
        of->registered++;
        judged(plot_engine_set_strategy(engine, "s", on_strategy, of, destroyed, &error), &error, "set_strategy");
    }
}

static void begin(life *of) {
    plot_error *error;
    CHECK(plot_engine_new(&of->engine, NULL) == PLOT_OK, "engine");
    plot_engine *engine = of->engine;
    registers(of, of->flags);
    REGISTER(show_callback, on_show);
    REGISTER(open_callback, on_open);
    REGISTER(event_callback, on_event);
    REGISTER(wakeup_callback, on_wakeup);
    if (of->records) REGISTER(recording_callback, on_recording);
    int32_t status = plot_engine_init(engine, of->now, of->config, of->store, &error);
    CHECK(status == PLOT_OK, "init: %s", plot_error_get_message(error));
    judged(status, &error, "init");
    if (of->now > of->newest) of->newest = of->now;
}

static void end(life *of) {
    plot_engine_free(of->engine);
    of->engine = NULL;
    CHECK(of->destroys == of->registered, "%d destroyed of %d", of->destroys, of->registered);
}

/* The facts that a store must give back. */
static char *standing(life *of) {
    growing all = {0};
    plot_list *list;
    plot_string *json;
    int64_t number;
    int32_t flag;
    add_bytes(&all, "", 0);
    int32_t (*const lists[])(plot_engine *, plot_list **, plot_error **) = {
        plot_engine_get_sent_notifications, plot_engine_get_sent_geotriggers, plot_engine_get_displayed_notifications};
    for (size_t index = 0; index < COUNT_OF(lists); index++)
        if (lists[index](of->engine, &list, NULL) == PLOT_OK) {
            CHECK(plot_list_get_count(list) <= 100, "%zu in a list", plot_list_get_count(list));
            plot_list_to_json(list, &json, NULL);
            add_bytes(&all, plot_string_get(json), plot_string_get_length(json));
            add_bytes(&all, "\n", 1);
            plot_string_free(json);
            plot_list_free(list);
        }
    int32_t (*const texts[])(plot_engine *, plot_string **, plot_error **) = {
        plot_engine_get_visits, plot_engine_get_lists, plot_engine_get_segmentation_properties, plot_engine_get_time_zone};
    for (size_t index = 0; index < COUNT_OF(texts); index++)
        if (texts[index](of->engine, &json, NULL) == PLOT_OK) {
            add_bytes(&all, plot_string_get(json), plot_string_get_length(json));
            add_bytes(&all, "\n", 1);
            plot_string_free(json);
        }
    char digits[64] = "";
    if (plot_engine_get_cooldown_period(of->engine, &number, NULL) == PLOT_OK
        && plot_engine_is_enabled(of->engine, &flag, NULL) == PLOT_OK)
        snprintf(digits, sizeof digits, "%" PRId64 " %d", number, flag);
    add_bytes(&all, digits, strlen(digits));
    return all.text;
}

/* The recording so far gives itself. */
static void play_recording(life *of) {
    static int count;
    const char *folder = getenv("FUZZ_RECORDINGS");
    if (folder != NULL) {
        char path[400];
        snprintf(path, sizeof path, "%s/%d", folder, count++);
        write_scratch(path, of->recording.text, of->recording.length);
    }
    plot_replay *replay;
    growing again = {0};
    CHECK(plot_replay_new(&replay, NULL) == PLOT_OK, "no replay");
    for (size_t start = 0; start < of->recording.length;) {
        const char *line = of->recording.text + start;
        size_t length = (size_t)((const char *)memchr(line, '\n', of->recording.length - start) - line);
        plot_string *lines;
        plot_error *error;
        int32_t status = plot_replay_take_line(replay, line, length, &lines, &error);
        CHECK(status == PLOT_OK, "%s: %.*s", plot_error_get_message(error), (int)length, line);
        add_bytes(&again, plot_string_get(lines), plot_string_get_length(lines));
        plot_string_free(lines);
        plot_error_free(error);
        start += length + 1;
    }
    plot_replay_free(replay);
    int is_same = again.length == of->recording.length
        && (again.length == 0 || memcmp(again.text, of->recording.text, again.length) == 0);
    if (!is_same && getenv("FUZZ_SAY") != NULL) {
        write_scratch("recording-was", of->recording.text, of->recording.length);
        write_scratch("recording-is", again.text, again.length);
    }
    CHECK(is_same, "the recording gives another one (FUZZ_SAY=1 writes recording-was and recording-is)");
    free(again.text);
    of->recording.length = 0;
}

static void restart(life *of) {
    char *before = NULL;
    /* An instant that is due by then happens at the start: only when nothing is, all is as it was. */
    int64_t due = 0;
    int is_quiet = of->store != NULL && plot_engine_next_wakeup(of->engine, &due, NULL) == PLOT_OK
        && (due == PLOT_NO_WAKEUP || due > of->now) && of->depth == 0 && of->token_count == 0;
    int64_t cooldown = 0;
    if (is_quiet) {
        before = standing(of);
        plot_engine_get_cooldown_period(of->engine, &cooldown, NULL);
    }
    end(of);
    if (of->records) play_recording(of);
    if (of->store == NULL) {
        of->sequence = 0;
        of->newest = 0;
        forget_inside(of);
    }
    begin(of);
    if (before != NULL) {
        /* That of the configuration is set at each start. */
        if (of->configures_cooldown)
            plot_engine_set_cooldown_period(of->engine, of->newest, cooldown, NULL);
        char *behind = standing(of);
        CHECK(strcmp(before, behind) == 0, "the store gave back something else:\n%s\n----\n%s", before, behind);
        free(behind);
    }
    free(before);
    visits_anew(of);
}

static void set_feed(life *of, const scenario *what) {
    plot_error *error;
    plot_feed *feed;
    CHECK(plot_feed_parse(what->feed, strlen(what->feed), &feed, NULL) == PLOT_OK, "a feed of a vector");
    of->is_overdue = 1;
    judged(plot_engine_set_feed(of->engine, of->now, feed, &error), &error, "set_feed");
    plot_feed_free(of->feed);
    of->feed = feed;
    of->what = what;
    visits_anew(of);
}

static place near(life *of, uint8_t point, uint8_t offset) {
    place at = of->what->points[point % of->what->point_count];
    at.latitude += metres[offset & 15] / 111195.0;
    at.longitude += metres[offset >> 4] / 111195.0;
    if (at.latitude > 90) at.latitude = 90;
    if (at.longitude > 180) at.longitude = 180;
    return at;
}

static void fixes(life *of) {
    int64_t times[8], last = of->now;
    double latitudes[8], longitudes[8], accuracy[8];
    size_t count = take(&of->input) % 9;
    plot_error *error;
    plot_effects *effects = NULL;
    for (size_t index = 0; index < count; index++) {
        place at = near(of, take(&of->input), take(&of->input));
        last += deltas[take(&of->input) % 12];
        times[index] = last;
        latitudes[index] = at.latitude;
        longitudes[index] = at.longitude;
        accuracy[index] = accuracies[take(&of->input) % COUNT_OF(accuracies)];
    }
    if (count > 0) of->now = last;
    int32_t status = plot_engine_update_locations(of->engine, count, times, latitudes, longitudes, accuracy, NULL, NULL,
                                                  &effects, &error);
    if (judged(status, &error, "update_locations") == PLOT_OK && of->depth == 0)
        for (size_t index = 0; index < plot_effects_get_count(effects); index++) {
            const plot_effect *effect = plot_effects_get_records(effects) + index;
            CHECK(effect->fix < count && effect->device == 0, "a record of fix %u", effect->fix);
            note_number(of, "record", effect->kind);
        }
    plot_effects_free(effects);
}

static void one_call(life *of) {
    plot_engine *engine = of->engine;
    plot_error *error = NULL;
    plot_string *json = NULL;
    plot_list *list = NULL;
    int32_t status = PLOT_OK;
    int is_input = 1;
    of->calls++;
    uint8_t call = take(&of->input) % 30;
    int64_t time = of->now + deltas[take(&of->input) % COUNT_OF(deltas)];
    if (time < 0) time = 0;
    if (time > INT64_C(253402300799999)) time = INT64_C(253402300799999);
    of->now = time;
    note_number(of, "call", call);
    switch (call) {
    case 0: {
        place at = near(of, take(&of->input), take(&of->input));
        double accuracy = accuracies[take(&of->input) % COUNT_OF(accuracies)];
        uint8_t motion = take(&of->input);
        status = plot_engine_update_location(engine, time, at.latitude, at.longitude, accuracy, speeds[motion & 7],
                                             motion >> 3 == 0 ? -1 : (motion >> 3) * 11.6, &error);
        break;
    }
    case 1: status = plot_engine_advance(engine, time, &error); break;
    case 2: {
        int64_t due;
        if (plot_engine_next_wakeup(engine, &due, NULL) != PLOT_OK || due == PLOT_NO_WAKEUP) return;
        if (due > of->now) of->now = due;
        time = due;
        status = plot_engine_advance(engine, due, &error);
        break;
    }
    case 3: {
        const beacon *one = &of->what->beacons[take(&of->input) % of->what->beacon_count];
        uint8_t proximity = take(&of->input), rssi = take(&of->input);
        status = plot_engine_update_ibeacon(engine, time, one->uuid, one->major, one->minor, proximity % 5, -(double)rssi,
                                            -59, &error);
        break;
    }
    case 4: {
        const pair *one = &of->what->eddystones[take(&of->input) % of->what->eddystone_count];
        uint8_t proximity = take(&of->input), rssi = take(&of->input);
        status = plot_engine_update_eddystone(engine, time, one->a, one->b, proximity % 5, -(double)rssi, -20, &error);
        break;
    }
    case 5: {
        const char *region = of->what->regions[take(&of->input) % of->what->region_count];
        uint8_t kind = take(&of->input);
        place at = near(of, take(&of->input), 0);
        status = plot_engine_region_hint(engine, time, region, kind % 5, at.latitude, at.longitude, kind & 64 ? -1 : 20, &error);
        break;
    }
    case 6: {
        place at = near(of, take(&of->input), 0);
        uint8_t budget = take(&of->input), flags = take(&of->input);
        status = plot_engine_plan_regions(engine, time, at.latitude, at.longitude, flags & 8 ? -1 : 10, budget % 20, flags % 4, &json,
                                          &error);
        if (status == PLOT_OK) note(of, "plan", plot_string_get(json));
        break;
    }
    case 7: {
        const char *region = of->what->regions[take(&of->input) % of->what->region_count];
        place at = near(of, take(&of->input), 0);
        status = plot_engine_move_region(engine, time, region, at.latitude, at.longitude, &error);
        break;
    }
    case 8: {
        const scenario *what = &scenarios[take(&of->input) % COUNT_OF(scenarios)];
        if (of->depth > 0) return;
        set_feed(of, what);
        break;
    }
    case 9:
        if (of->depth > 0) return;
        status = take(&of->input) % 4 ? plot_engine_enable(engine, time, &error) : plot_engine_disable(engine, time, &error);
        judged(status, &error, "enable");
        error = NULL;
        visits_anew(of);
        status = PLOT_OK;
        break;
    case 10: {
        static const int64_t periods[] = {0, 1, 60, 3600, 86400, 31536000, 31536001, -1, INT64_MAX};
        status = plot_engine_set_cooldown_period(engine, time, periods[take(&of->input) % COUNT_OF(periods)], &error);
        break;
    }
    case 11: {
        static const char *const zones[] = {"Europe/Amsterdam", "UTC", "America/Sao_Paulo", "Pacific/Apia", "", "../passwd", "Nowhere/X"};
        of->is_overdue = 1;
        status = plot_engine_set_time_zone(engine, time, zones[take(&of->input) % COUNT_OF(zones)], &error);
        break;
    }
    case 12: {
        static const char *const boots[] = {"a", "b", "c"};
        if (of->depth > 0) return;
        uint8_t which = take(&of->input), jump = take(&of->input);
        int64_t wall = time + deltas[jump % COUNT_OF(deltas)];
        if (wall < 0) wall = 0;
        status = plot_engine_set_clock(engine, wall, (time - of->what->start) % (365 * DAY), boots[which % 3], &error);
        if (status == PLOT_OK) of->now = of->newest = wall;
        is_input = 0;
        break;
    }
    case 13: {
        const char *key = of->what->properties[take(&of->input) % of->what->property_count];
        uint8_t type = take(&of->input), value = take(&of->input);
        switch (type % 7) {
        case 0:
            status = plot_engine_set_string_segmentation_property(
                engine, time, key, value == 255 ? NULL : of->what->texts[value % of->what->text_count], &error);
            break;
        case 1: status = plot_engine_set_boolean_segmentation_property(engine, time, key, value % 3, &error); break;
        case 2: status = plot_engine_set_integer_segmentation_property(engine, time, key, value == 255 ? INT64_MIN : value, &error); break;
        case 3: status = plot_engine_set_double_segmentation_property(engine, time, key, odd[value % COUNT_OF(odd)], &error); break;
        case 4: status = plot_engine_set_date_segmentation_property(engine, time, key, time + deltas[value % COUNT_OF(deltas)], &error); break;
        case 5: status = plot_engine_clear_segmentation_property(engine, time, key, &error); break;
        case 6: status = plot_engine_set_string_segmentation_property(engine, time, "", "x", &error); break;
        }
        break;
    }
    case 14:
    case 15: {
        uint8_t which = take(&of->input);
        uint64_t token = of->token_count == 0 || which == 255 ? which : of->tokens[which % COUNT_OF(of->tokens)];
        is_input = 0;
        status = plot_engine_get_batch(engine, token, &list, &error);
        if (status == PLOT_OK) answer_batch(of, token, list, call == 15);
        break;
    }
    case 16: {
        uint8_t what = take(&of->input), which = take(&of->input);
        static const char *const actions[] = {"save", "way", "tickets", ""};
        const char *match = of->shown[which % COUNT_OF(of->shown)];
        if (match == NULL) match = "none";
        switch (what % 3) {
        case 0: status = plot_engine_open_notification(engine, time, match, &error); break;
        case 1: status = plot_engine_dismiss_notification(engine, time, match, &error); break;
        case 2: status = plot_engine_take_action(engine, time, match, actions[take(&of->input) % 4], &error); break;
        }
        break;
    }
    case 17: {
        uint8_t value = take(&of->input);
        status = value & 4 ? plot_engine_set_network(engine, time, value % 2, &error)
                           : plot_engine_set_foreground(engine, time, value % 2, &error);
        break;
    }
    case 18: {
        uint8_t which = take(&of->input);
        char made[300];
        const char *text = of->what->payloads[which % of->what->payload_count];
        if (which & 128) {
            uint8_t id = take(&of->input), revision = take(&of->input);
            snprintf(made, sizeof made,
                     "{\"op\":\"%s\",\"id\":\"m%d\",\"correlationKey\":\"k%d\",\"revision\":%d,\"sender\":\"s%d\",\"body\":\"Body\"}",
                     id & 64 ? "retract" : id & 32 ? "replace" : "post", id % 8, id % 3, revision % 8, id % 5);
            text = made;
        }
        status = plot_engine_process_message(engine, time, text, strlen(text), &error);
        break;
    }
    case 19: {
        const pair *one = &of->what->lists[take(&of->input) % of->what->list_count];
        status = plot_engine_set_list(engine, time, one->a, one->b, one->b == NULL ? 0 : strlen(one->b), &error);
        break;
    }
    case 20: {
        is_input = 0;
        char *all = standing(of);
        note(of, "standing", all);
        free(all);
        if (plot_engine_get_loaded_notifications(engine, 20, &list, NULL) == PLOT_OK && plot_list_to_json(list, &json, NULL) == PLOT_OK)
            note(of, "loaded", plot_string_get(json));
        break;
    }
    case 21:
        status = take(&of->input) % 2 ? plot_engine_clear_sent_notifications(engine, time, &error)
                                      : plot_engine_clear_sent_geotriggers(engine, time, &error);
        break;
    case 22:
        take(&of->input);
        if (of->depth > 0) return;
        restart(of);
        is_input = 0;
        break;
    case 23: {
        static const char *const languages[] = {NULL, "en", "nl", "de", "fr", "es", "xx"};
        const char *campaign = of->what->campaigns[take(&of->input) % of->what->campaign_count];
        uint8_t which = take(&of->input);
        const char *region = which & 128 ? NULL : of->what->regions[which % of->what->region_count];
        is_input = 0;
        status = plot_engine_explain(engine, campaign, region, languages[which % COUNT_OF(languages)], &json, &error);
        if (status == PLOT_OK) note(of, "explain", plot_string_get(json));
        break;
    }
    case 24: {
        /* Callbacks come and go, from inside of them too. */
        is_input = 0;
        uint8_t flags = take(&of->input);
        if (take(&of->input) % 2) {
            registers(of, flags);
        } else {
            if (flags & FILTER) status = plot_engine_set_filter_callback(engine, NULL, NULL, NULL, &error);
            else if (flags & STRATEGY) status = plot_engine_set_strategy(engine, "s", NULL, NULL, NULL, &error);
            else if (flags & GEOTRIGGERS) status = plot_engine_set_geotrigger_callback(engine, NULL, NULL, NULL, &error);
            else if (flags & REMOVE) status = plot_engine_set_remove_callback(engine, NULL, NULL, NULL, &error);
        }
        break;
    }
    case 25:
        /* Some of them may be refused. */
        is_input = 0;
        fixes(of);
        break;
    case 26: {
        uint64_t token;
        is_input = 0;
        if (plot_engine_get_loaded_notifications(engine, take(&of->input) % 4 + 1, &list, NULL) != PLOT_OK) return;
        status = plot_engine_test_filter(engine, list, &token, &error);
        break;
    }
    case 27: {
        uint8_t which = take(&of->input);
        status = plot_engine_set_advertising_identifier(engine, time, which % 3 == 0 ? NULL : "ad-id", which % 2, &error);
        break;
    }
    case 28: {
        is_input = 0;
        status = plot_engine_keep_decisions(engine, take(&of->input), &error);
        if (plot_engine_get_decisions(engine, NULL, NULL, 10, &json, NULL) == PLOT_OK) note(of, "kept", plot_string_get(json));
        break;
    }
    case 29: {
        uint8_t a = take(&of->input), b = take(&of->input), c = take(&of->input);
        status = plot_engine_update_location(engine, time, odd[a % COUNT_OF(odd)], odd[b % COUNT_OF(odd)], odd[c % COUNT_OF(odd)],
                                             odd[c / 16 % COUNT_OF(odd)], odd[b / 16 % COUNT_OF(odd)], &error);
        break;
    }
    }
    judged(status, &error, "a call");
    note(of, "status", plot_status_name(status));
    plot_string_free(json);
    plot_list_free(list);
    if (is_input && status == PLOT_OK && time > of->newest) of->newest = time;
    if (of->depth == 0) {
        int64_t due;
        int32_t is_known = plot_engine_next_wakeup(of->engine, &due, NULL);
        if (is_known == PLOT_OK && due != PLOT_NO_WAKEUP && due < of->newest && of->is_overdue) {
            judged(plot_engine_advance(of->engine, due, &error), &error, "advance");
            is_known = plot_engine_next_wakeup(of->engine, &due, NULL);
        }
        of->is_overdue = 0;
        if (is_known == PLOT_OK)
            CHECK(due == PLOT_NO_WAKEUP || due >= of->newest, "after call %d a wakeup at %" PRId64 ", but it is %" PRId64, call, due,
                  of->newest);
        /* Moves and clocks may end visits in silence. */
        if (call == 7 || call == 12) visits_anew(of);
        check_visits(of);
    }
}

static void play(const uint8_t *data, size_t size, int records, life *of) {
    memset(of, 0, sizeof *of);
    of->input = (bytes){data, data + size};
    of->what = &scenarios[take(&of->input) % COUNT_OF(scenarios)];
    of->flags = take(&of->input);
    for (size_t index = 0; index < sizeof of->answers; index++) of->answers[index] = take(&of->input);
    of->records = records;
    of->now = of->what->start;
    if (of->flags & STORE) {
        of->store = scratch("store");
        char other[300];
        unlink(of->store);
        for (const char *const *end_of = (const char *const[]){"-wal", "-shm", "-journal", "-page", "-feed", NULL}; *end_of; end_of++) {
            snprintf(other, sizeof other, "%s%s", of->store, *end_of);
            unlink(other);
        }
    }
    of->configures_cooldown = strstr(of->what->config, "cooldownPeriod") != NULL;
    CHECK(plot_config_parse(of->what->config, strlen(of->what->config), &of->config, NULL) == PLOT_OK, "a vector's configuration");
    begin(of);
    set_feed(of, of->what);
    while (of->input.at < of->input.end && of->calls < 400) one_call(of);
    end(of);
    if (records) play_recording(of);
    if (of->store != NULL) unlink(of->store);
    plot_feed_free(of->feed);
    plot_config_free(of->config);
    forget_inside(of);
    for (size_t index = 0; index < COUNT_OF(of->shown); index++) free(of->shown[index]);
    free(of->recording.text);
    CHECK(plot_live_objects() == 0, "%" PRId64 " objects are alive", plot_live_objects());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static life once, twice;
    if (size < 20) return 0;
    play(data, size, 1, &once);
    play(data, size, 0, &twice);
    int is_same = once.effects.length == twice.effects.length && memcmp(once.effects.text, twice.effects.text, once.effects.length) == 0;
    if (getenv("FUZZ_SAY") != NULL) {
        write_scratch("effects-once", once.effects.text, once.effects.length);
        write_scratch("effects-twice", twice.effects.text, twice.effects.length);
    }
    CHECK(is_same, "the same bytes gave other effects (FUZZ_SAY=1 writes effects-once and effects-twice)");
    free(once.effects.text);
    free(twice.effects.text);
    return 0;
}
