#define _GNU_SOURCE
#include "life.h"

#include "disk.h"

#include <plotengine.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct world *world;

void tell(const char *format, ...) {
    char line[8192];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(line, sizeof line - 1, format, list);
    va_end(list);
    if (length < 0 || (size_t)length >= sizeof line - 1 || world->used + (size_t)length + 2 > sizeof world->text) {
        fprintf(stderr, "torture: no room to tell of a life\n");
        _exit(70);
    }
    line[length++] = '\n';
    memcpy(world->text + world->used, line, (size_t)length);
    __atomic_store_n(&world->used, world->used + (size_t)length, __ATOMIC_RELEASE);
}

uint64_t random_bits(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static uint64_t dice;
static int any(int n) { return (int)(random_bits(&dice) % (uint64_t)n); }

static uint64_t hash_of(const char *text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
    return hash;
}

static plot_engine *engine;
static plot_feed *feeds[3];
static int64_t strategy_count;
static long op_number;

static int64_t now(void) { return world->mono + world->offset; }

static void refuse(const char *what, int status, plot_error *error) {
    tell("! %s gives %s: %s", what, plot_status_name(status), plot_error_get_message(error));
    _exit(9);
}

/* Tells what is about to be done, does it, and tells that it was acknowledged. `also` is another status that may come. */
#define DO(also, call, ...)                                                                     \
    do {                                                                                        \
        long id = ++op_number;                                                                  \
        plot_error *error = NULL;                                                               \
        char what[200];                                                                         \
        snprintf(what, sizeof what, __VA_ARGS__);                                               \
        tell("B %ld %lld %s", id, (long long)world->mono, what);                                \
        int status = call;                                                                      \
        if (status != PLOT_OK && status != (also)                                             \
            && !((status == PLOT_STORE_FAILED || status == PLOT_STORE_IN_DOUBT) && world->may_fail))     \
            refuse(what, status, error);                                                        \
        if (status == PLOT_STORE_IN_DOUBT) tell("# %s", plot_error_get_message(error));         \
        plot_error_free(error);                                                                 \
        tell("R %ld %d", id, status);                                                           \
    } while (0)

static const char *text_of(const plot_item *item, const char *key) {
    const char *text = "";
    plot_item_get_string(item, key, &text);
    return *text ? text : "-";
}

static int64_t number_of(const plot_item *item, const char *key) {
    int64_t number = -1;
    return plot_item_get_integer(item, key, &number) == PLOT_OK ? number : -1;
}

static int32_t on_show(void *data, plot_engine *e, const plot_item *item) {
    (void)data, (void)e;
    int32_t answer = any(12) ? PLOT_OK : PLOT_IO_ERROR;
    tell("S %s %s %lld %llu %d", text_of(item, "matchIdentifier"), text_of(item, "identifier"),
         (long long)number_of(item, "revision"), (unsigned long long)hash_of(text_of(item, "message")), answer);
    return answer;
}

static int32_t on_remove(void *data, plot_engine *e, const plot_item *item) {
    (void)data, (void)e;
    tell("M %s", text_of(item, "matchIdentifier"));
    return PLOT_OK;
}

static const char *field(const char *json, const char *key, char *out, size_t room) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, "\"%s\":", key);
    const char *at = strstr(json, pattern);
    if (!at) return snprintf(out, room, "-"), out;
    at += strlen(pattern);
    int quoted = *at == '"';
    if (quoted) at++;
    size_t length = strcspn(at, quoted ? "\"" : ",}");
    return snprintf(out, room, "%.*s", (int)length, at), out;
}

static void on_event(void *data, plot_engine *e, const char *json, size_t length, const plot_item *item) {
    (void)data, (void)e, (void)length;
    char sequence[32], name[48], region[16], ordinal[16], recovered[16];
    tell("E %s %llu %s %s %s %s %s %s %lld", field(json, "sequence", sequence, sizeof sequence),
         (unsigned long long)hash_of(json), field(json, "event", name, sizeof name),
         field(json, "region", region, sizeof region), field(json, "ordinal", ordinal, sizeof ordinal),
         field(json, "recovered", recovered, sizeof recovered), item ? text_of(item, "matchIdentifier") : "-",
         item ? text_of(item, "identifier") : "-", (long long)(item ? number_of(item, "revision") : -1));
}

/* Answers a batch: some of it, some of that edited. */
static void answer(uint64_t token, int is_geotrigger, const plot_list *items) {
    plot_list *kept = NULL;
    if (plot_list_new(&kept, NULL)) _exit(71);
    for (size_t i = 0; i < plot_list_get_count(items); i++) {
        if (!any(5)) continue;
        const plot_item *item = plot_list_get(items, i);
        if (plot_list_append(kept, item, NULL)) _exit(71);
        if (!is_geotrigger && !any(3)) {
            char edit[40];
            snprintf(edit, sizeof edit, "edited %llu", (unsigned long long)++world->number);
            plot_item *copy = plot_list_get(kept, plot_list_get_count(kept) - 1);
            if (plot_item_set_string(copy, PLOT_KEY_MESSAGE, edit, NULL)) _exit(71);
        }
    }
    if (is_geotrigger)
        DO(-1, plot_engine_mark_geotriggers_handled(engine, now(), token, kept, &error), "answer %llu",
           (unsigned long long)token);
    else
        DO(-1, plot_engine_answer_filter(engine, now(), token, kept, &error), "answer %llu",
           (unsigned long long)token);
    plot_list_free(kept);
}

static void forget(int at) { world->open[at] = world->open[--world->open_count]; }

static void asked(uint64_t token, int is_geotrigger, plot_list *items) {
    char line[4000];
    int length = snprintf(line, sizeof line, "F %llu %d %zu", (unsigned long long)token, is_geotrigger,
                          plot_list_get_count(items));
    for (size_t i = 0; i < plot_list_get_count(items) && length < 3900; i++)
        length += snprintf(line + length, sizeof line - (size_t)length, " %s",
                           text_of(plot_list_get(items, i), "matchIdentifier"));
    tell("%s", line);
    int known = 0;
    for (int i = 0; i < world->open_count; i++) known |= world->open[i].token == token;
    if (any(5) < 3 || world->open_count == MAX_OPEN) {
        answer(token, is_geotrigger, items);
        for (int i = 0; i < world->open_count; i++)
            if (world->open[i].token == token) forget(i--);
    } else if (!known) {
        world->open[world->open_count].token = token;
        world->open[world->open_count++].is_geotrigger = is_geotrigger;
    }
}

static void on_filter(void *data, plot_engine *e, uint64_t token, plot_list *items) {
    (void)data, (void)e;
    asked(token, 0, items);
}

static void on_geotriggers(void *data, plot_engine *e, uint64_t token, plot_list *items) {
    (void)data, (void)e;
    if (world->is_quiet) {
        for (size_t i = 0; i < plot_list_get_count(items); i++)
            tell("F %llu 1 1 %s", (unsigned long long)token, text_of(plot_list_get(items, i), "matchIdentifier"));
        if (plot_engine_mark_geotriggers_handled(engine, now(), token, items, NULL)) _exit(75);
        tell("A %llu", (unsigned long long)token);
        return;
    }
    asked(token, 1, items);
}

/* Counts what was shown, and keeps the number. */
static int32_t on_strategy(void *data, plot_engine *e, int32_t what, plot_strategy_call *call) {
    (void)data, (void)e;
    char state[80];
    switch (what) {
        case PLOT_STRATEGY_LOAD: {
            const char *kept = plot_strategy_call_get_state(call);
            strategy_count = kept ? atoll(kept) : 0;
            break;
        }
        case PLOT_STRATEGY_CREATED: strategy_count += plot_strategy_call_get_done(call); break;
        case PLOT_STRATEGY_SAVE:
            snprintf(state, sizeof state, "%lld shown", (long long)strategy_count);
            return plot_strategy_call_set_state(call, state, NULL);
        case PLOT_STRATEGY_VOTE_CREATE: return 1;
        case PLOT_STRATEGY_VOTE_DELETE: return 1;
    }
    return 0;
}

/* Everything that can be asked. */
/* Events that wait for the app: a line about all of it, and one for each of the first few. */
static void dump_outbox(void) {
    plot_string *text;
    char acknowledged[32], lost[32], waiting[32], sequence[32];
    if (plot_engine_get_events(engine, "app", 0, 8, &text, NULL)) _exit(72);
    const char *all = plot_string_get(text);
    tell("do %s %s %s", field(all, "acknowledged", acknowledged, sizeof acknowledged), field(all, "lost", lost, sizeof lost),
         field(all, "waiting", waiting, sizeof waiting));
    char *at = strdup(strstr(all, "\"events\":[") + strlen("\"events\":["));
    for (char *event = at, *end; *event == '{'; event = end + 1) {
        /* No text in an event has a bracket in these lives. */
        end = strchr(event, '}') + 1;
        int is_last = *end != ',';
        *end = 0;
        tell("de %s %llu", field(event, "sequence", sequence, sizeof sequence), (unsigned long long)hash_of(event));
        if (is_last) break;
    }
    free(at);
    plot_string_free(text);
}

/* The app takes some of what waits, oldest first. */
static void take_events(void) {
    plot_string *text;
    char waiting[32], acknowledged[32];
    if (plot_engine_get_events(engine, "app", 0, 1, &text, NULL)) _exit(72);
    long long through = atoll(field(plot_string_get(text), "acknowledged", acknowledged, sizeof acknowledged));
    int count = atoi(field(plot_string_get(text), "waiting", waiting, sizeof waiting));
    plot_string_free(text);
    if (!count) return;
    through += 1 + any(count);
    DO(-1, plot_engine_acknowledge_events(engine, "app", through, &error), "taken %lld", through);
}

static void dump(void) {
    plot_list *list;
    plot_string *text;
    char one[400];
    tell("D");
    if (!world->is_quiet) dump_outbox();
    if (plot_engine_get_sent_notifications(engine, &list, NULL)) _exit(72);
    for (size_t i = 0; i < plot_list_get_count(list); i++) {
        const plot_item *item = plot_list_get(list, i);
        tell("ds %s %lld %llu", text_of(item, "matchIdentifier"), (long long)number_of(item, "isOpened"),
             (unsigned long long)hash_of(text_of(item, "message")));
    }
    plot_list_free(list);
    if (plot_engine_get_sent_geotriggers(engine, &list, NULL)) _exit(72);
    for (size_t i = 0; i < plot_list_get_count(list); i++) {
        const plot_item *item = plot_list_get(list, i);
        tell("dg %s %lld", text_of(item, "matchIdentifier"), (long long)number_of(item, "isHandled"));
    }
    plot_list_free(list);
    if (plot_engine_get_displayed_notifications(engine, &list, NULL)) _exit(72);
    for (size_t i = 0; i < plot_list_get_count(list); i++)
        tell("dd %s", text_of(plot_list_get(list, i), "matchIdentifier"));
    plot_list_free(list);
    if (plot_engine_get_visits(engine, &text, NULL)) _exit(72);
    for (const char *at = plot_string_get(text); (at = strstr(at, "{\"region\"")); at++) {
        char region[16], ordinal[16];
        snprintf(one, sizeof one, "%.300s", at);
        tell("dv %s %s", field(one, "region", region, sizeof region), field(one, "ordinal", ordinal, sizeof ordinal));
    }
    plot_string_free(text);
    if (plot_engine_get_segmentation_properties(engine, &text, NULL)) _exit(72);
    for (int i = 0; i < 4; i++) {
        char key[16], value[32];
        snprintf(key, sizeof key, "\"k%d\":", i);
        const char *at = strstr(plot_string_get(text), key);
        tell("dp %d %s", i, at ? field(at, "value", value, sizeof value) : "-");
    }
    plot_string_free(text);
    if (plot_engine_get_lists(engine, &text, NULL)) _exit(72);
    tell("dl %s", field(plot_string_get(text), "version", one, sizeof one));
    plot_string_free(text);
    int64_t period;
    if (plot_engine_get_cooldown_period(engine, &period, NULL)) _exit(72);
    tell("dc %lld", (long long)period);
    if (plot_engine_get_loaded_geotriggers(engine, 0, &list, NULL)) _exit(72);
    tell("df %zu", plot_list_get_count(list));
    plot_list_free(list);
    for (int i = 0; i < world->open_count; i++) {
        int status = plot_engine_get_batch(engine, world->open[i].token, &list, NULL);
        tell("dt %llu %d", (unsigned long long)world->open[i].token, status);
        plot_list_free(list);
        if (status == PLOT_ALREADY_ANSWERED) forget(i--);
    }
    tell("dk %lld", (long long)strategy_count);
    tell("D.");
}

static plot_feed *make_feed(int variant) {
    char *json = malloc(1 << 16);
    size_t length = 0;
#define ADD(...) length += (size_t)snprintf(json + length, (1 << 16) - length, __VA_ARGS__)
    ADD("{\"version\":1,\"revision\":\"%d\",\"regions\":[", variant);
    for (int i = 0; i < 6; i++)
        ADD("%s{\"id\":\"r%d\",\"type\":\"geofence\",\"latitude\":%.2f,\"longitude\":4,\"radius\":200}", i ? "," : "", i,
            52 + i / 100.0);
    if (variant) ADD(",{\"id\":\"x\",\"type\":\"geofence\",\"latitude\":52.02,\"longitude\":4,\"radius\":150}");
    if (variant == 2)
        for (int i = 0; i < 200; i++)
            ADD(",{\"id\":\"far%d\",\"type\":\"geofence\",\"latitude\":10,\"longitude\":%.2f,\"radius\":200}", i, i / 100.0);
    ADD("],\"campaigns\":["
        "{\"id\":\"always\",\"type\":\"notification\",\"message\":\"always\",\"regions\":[\"r0\",\"r1\",\"r2\"],\"resend\":true},"
        "{\"id\":\"once\",\"type\":\"notification\",\"message\":\"once\",\"regions\":[\"r0\",\"r1\",\"r2\",\"r3\",\"r4\",\"r5\"]},"
        "{\"id\":\"cap\",\"type\":\"notification\",\"message\":\"capped\",\"regions\":[\"r0\",\"r1\",\"r2\",\"r3\",\"r4\",\"r5\"],"
        "\"resend\":true,\"caps\":[{\"max\":2,\"window\":900}]},"
        "{\"id\":\"bye\",\"type\":\"notification\",\"message\":\"bye\",\"trigger\":\"exit\",\"regions\":[\"r1\",\"r2\"],"
        "\"resend\":true,\"correlationKey\":\"bye\"},"
        "{\"id\":\"stay\",\"type\":\"notification\",\"message\":\"stay\",\"trigger\":\"dwelling\",\"dwellingMinutes\":5,"
        "\"regions\":[\"r0\",\"r3\",\"r5\"],\"resend\":true},"
        "{\"id\":\"cool\",\"type\":\"notification\",\"message\":\"cool\",\"regions\":[\"r4\",\"r5\"],\"cooldownPeriod\":300},"
        "{\"id\":\"page\",\"type\":\"notification\",\"handlerType\":\"landingPage\",\"message\":\"page\",\"data\":\"https://example.org\","
        "\"regions\":[\"r3\"],\"resend\":true},"
        "{\"id\":\"quiet\",\"type\":\"notification\",\"message\":\"quiet\",\"regions\":[\"r0\",\"r4\"],\"resend\":true,"
        "\"quietHours\":{\"hours\":{\"daily\":[[\"00:00\",\"12:00\"]]},\"during\":\"hold\"}},"
        "{\"id\":\"in\",\"type\":\"geotrigger\",\"name\":\"in\",\"regions\":[\"r0\",\"r1\",\"r2\",\"r3\",\"r4\",\"r5\"],\"resend\":true},"
        "{\"id\":\"out\",\"type\":\"geotrigger\",\"name\":\"out\",\"trigger\":\"exit\",\"regions\":[\"r0\",\"r2\",\"r4\"],\"resend\":true}");
    if (variant) ADD(",{\"id\":\"xin\",\"type\":\"geotrigger\",\"name\":\"x\",\"regions\":[\"x\"],\"resend\":true}");
    if (variant == 2) ADD(",{\"id\":\"xout\",\"type\":\"geotrigger\",\"name\":\"x\",\"trigger\":\"exit\",\"regions\":[\"x\"],\"resend\":true}");
    ADD("],\"settings\":{\"slots\":{\"count\":12,\"whenFull\":\"replace\"},"
        "\"caps\":[{\"per\":\"all\",\"max\":200,\"window\":3600}],"
        "\"strategies\":[{\"key\":\"few\",\"type\":\"maximum\",\"max\":150,\"window\":3600}]}}");
    plot_feed *feed = NULL;
    plot_error *error = NULL;
    if (plot_feed_parse(json, length, &feed, &error)) {
        fprintf(stderr, "torture: the feed: %s\n", plot_error_get_message(error));
        _exit(73);
    }
    free(json);
    return feed;
}

static void message(void) {
    int key = any(8);
    char json[24000];
    int64_t revision = world->revisions[key];
    int is_new = any(3) > 0;
    /* One that has come before is to be left out. */
    if (is_new) revision = ++world->revisions[key];
    const char *op = is_new && !any(6) ? "retract" : "update";
    int long_one = !any(25);
    int length = snprintf(json, sizeof json,
                          "{\"id\":\"m%d\",\"op\":\"%s\",\"sender\":\"s%d\",\"body\":\"body %lld\",\"revision\":%lld,\"data\":\"", key,
                          op, key, (long long)revision, (long long)revision);
    if (long_one)
        for (int i = 0; i < 17000; i++) json[length++] = (char)('a' + i % 26);
    length += snprintf(json + length, sizeof json - (size_t)length, "\"}");
    DO(-1, plot_engine_process_message(engine, now(), json, (size_t)length, &error), "message %d %lld", key,
       (long long)revision);
}

static void fix(void) {
    if (any(3)) world->place = any(13);
    double latitude = 52 + world->place / 2 / 100.0 + (world->place % 2 ? 0.005 : 0);
    DO(-1, plot_engine_update_location(engine, now(), latitude, 4, 10, -1, -1, &error), "fix %d", world->place);
}

static void with_a_notification(int what) {
    plot_list *list;
    char match[40] = "none";
    if (plot_engine_get_displayed_notifications(engine, &list, NULL)) _exit(72);
    if (plot_list_get_count(list))
        snprintf(match, sizeof match, "%s",
                 text_of(plot_list_get(list, (size_t)any((int)plot_list_get_count(list))), "matchIdentifier"));
    plot_list_free(list);
    if (what == 0)
        DO(PLOT_NOT_FOUND, plot_engine_open_notification(engine, now(), match, &error), "open");
    else
        DO(PLOT_NOT_FOUND, plot_engine_dismiss_notification(engine, now(), match, &error), "dismiss");
}

static void step(void) {
    char key[8], value[32];
    world->mono += any(10) ? 1000 + any(40000) : 360000;
    if (world->is_quiet) {
        fix();
        return;
    }
    int what = any(100);
    /* Changes that the store did not take come before the clearing then, and the list would not tell. */
    if (world->may_fail && (what == 85 || what == 86)) what = 0;
    if (what < 45) {
        fix();
    } else if (what < 47) {
        take_events();
    } else if (what < 50) {
        DO(-1, plot_engine_advance(engine, now(), &error), "advance");
    } else if (what < 57) {
        with_a_notification(0);
    } else if (what < 64) {
        with_a_notification(1);
    } else if (what < 74) {
        message();
    } else if (what < 79) {
        int number = any(4);
        snprintf(key, sizeof key, "k%d", number);
        snprintf(value, sizeof value, "v%llu", (unsigned long long)++world->number);
        if (any(4))
            DO(-1, plot_engine_set_string_segmentation_property(engine, now(), key, value, &error), "property %d %s", number,
               value);
        else
            DO(-1, plot_engine_clear_segmentation_property(engine, now(), key, &error), "property %d -", number);
    } else if (what < 82) {
        int variant = any(3);
        DO(-1, plot_engine_set_feed(engine, now(), feeds[variant], &error), "feed %d", variant);
    } else if (what < 85) {
        /* Someone sets the clock. */
        int64_t before = world->offset;
        world->offset = INT64_C(1700000000000) + (any(7200) - 3600) * 1000;
        int taken = 0;
        DO(-1, (taken = plot_engine_set_clock(engine, now(), world->mono, "boot", &error)), "clock %lld",
           (long long)(world->offset - before));
        /* Only then may other inputs come by that clock. */
        if (taken != PLOT_OK) world->offset = before;
    } else if (what == 85 || what == 86) {
        /* Effects that are due by now would come first, and be cleared with the rest or not. */
        DO(-1, plot_engine_advance(engine, now(), &error), "advance");
        if (what == 85)
            DO(-1, plot_engine_clear_sent_notifications(engine, now(), &error), "clears");
        else
            DO(-1, plot_engine_clear_sent_geotriggers(engine, now(), &error), "clearg");
    } else if (what == 87) {
        int seconds = any(3) ? 0 : any(20);
        DO(-1, plot_engine_set_cooldown_period(engine, now(), seconds, &error), "cooldown %d", seconds);
    } else if (what < 90) {
        int length = snprintf(value, sizeof value, "{\"version\":%lld,\"entries\":[]}", (long long)++world->list_version);
        DO(-1, plot_engine_set_list(engine, now(), "blocked", value, (size_t)length, &error), "list %lld",
           (long long)world->list_version);
    } else if (world->open_count) {
        /* An answer that was put off. */
        int at = any(world->open_count);
        uint64_t token = world->open[at].token;
        int is_geotrigger = world->open[at].is_geotrigger;
        plot_list *items = NULL;
        int status = plot_engine_get_batch(engine, token, &items, NULL);
        if (status == PLOT_OK) answer(token, is_geotrigger, items);
        else if (status != PLOT_ALREADY_ANSWERED && status != PLOT_UNKNOWN_TOKEN) refuse("get_batch", status, NULL);
        plot_list_free(items);
        for (int i = 0; i < world->open_count; i++)
            if (world->open[i].token == token) forget(i--);
    }
}

void live(const char *store, uint64_t seed, int steps) {
    char configuration[200];
    snprintf(configuration, sizeof configuration,
             "{\"publicToken\":\"T\",\"engine\":{\"noise\":\"exact\",\"initial\":\"enter\",\"filterDeadline\":86400,"
             "\"events\":{\"acknowledge\":%s}}}",
             world->is_quiet ? "false" : "true");
    plot_config *config = NULL;
    plot_error *error = NULL;
    disk_is_on = 1;
    dice = seed;
    strategy_count = -1;
    tell("L");
    for (int i = 0; i < 3; i++) feeds[i] = make_feed(i);
    if (plot_config_parse(configuration, strlen(configuration), &config, &error)) refuse("config", 1, error);
    if (plot_engine_new(&engine, &error)) refuse("new", 1, error);
    if (world->is_quiet) goto quiet;
    plot_engine_set_show_callback(engine, on_show, NULL, NULL, NULL);
    plot_engine_set_remove_callback(engine, on_remove, NULL, NULL, NULL);
    plot_engine_set_filter_callback(engine, on_filter, NULL, NULL, NULL);
    plot_engine_set_event_callback(engine, on_event, NULL, NULL, NULL);
    if (plot_engine_set_strategy(engine, "torture.count", on_strategy, NULL, NULL, &error)) refuse("strategy", 1, error);
quiet:
    plot_engine_set_geotrigger_callback(engine, on_geotriggers, NULL, NULL, NULL);
    world->mono += 1000;
    DO(-1, plot_engine_set_clock(engine, now(), world->mono, "boot", &error), "clock");
    DO(-1, plot_engine_init(engine, now(), config, store, &error), "init");
    plot_list *list = NULL;
    int status = plot_engine_get_loaded_geotriggers(engine, 0, &list, NULL);
    size_t loaded = plot_list_get_count(list);
    plot_list_free(list);
    if (status != PLOT_OK) {
        /* The start has failed. */
        plot_engine_free(engine);
        tell("C.");
        _exit(status == PLOT_NOT_INITIALIZED && world->may_fail ? 0 : 74);
    }
    if (!loaded) DO(-1, plot_engine_set_feed(engine, now(), feeds[0], &error), "feed 0");
    if (!world->may_fail) dump();
    __atomic_store_n(&world->is_ready, 1, __ATOMIC_RELEASE);
    for (int i = 0; steps < 0 || i < steps; i++) {
        step();
        if (!any(20) && !world->may_fail) dump();
    }
    if (!world->may_fail) dump();
    tell("C");
    plot_engine_free(engine);
    for (int i = 0; i < 3; i++) plot_feed_free(feeds[i]);
    plot_config_free(config);
    if (plot_live_objects() != 0) {
        tell("! %lld objects are still alive", (long long)plot_live_objects());
        _exit(9);
    }
    tell("C.");
    _exit(0);
}

void live_on(const char *store) {
    static const char configuration[] = "{\"engine\":{\"noise\":\"exact\",\"initialOnUpdate\":\"enter\"}}";
    plot_config *config = NULL;
    plot_error *error = NULL;
    dice = 1;
    /* Someone may have set the clock back, and the store has lost that. */
    world->offset += 7200000;
    feeds[0] = make_feed(0);
    if (plot_config_parse(configuration, sizeof configuration - 1, &config, &error)) refuse("config", 1, error);
    if (plot_engine_new(&engine, &error)) refuse("new", 1, error);
    plot_engine_set_show_callback(engine, on_show, NULL, NULL, NULL);
    DO(-1, plot_engine_set_clock(engine, now(), world->mono, "boot", &error), "clock");
    DO(-1, plot_engine_init(engine, now(), config, store, &error), "init");
    DO(-1, plot_engine_set_feed(engine, now(), feeds[0], &error), "feed 0");
    for (int i = 0; i < 25; i++) {
        world->mono += 61000;
        world->place = i % 13;
        double latitude = 52 + world->place / 2 / 100.0 + (world->place % 2 ? 0.005 : 0);
        DO(-1, plot_engine_update_location(engine, now(), latitude, 4, 10, -1, -1, &error), "fix %d", world->place);
    }
    plot_engine_free(engine);
    plot_feed_free(feeds[0]);
    plot_config_free(config);
    _exit(plot_live_objects() != 0 ? 9 : 0);
}
