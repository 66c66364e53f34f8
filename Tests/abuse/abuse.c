/* Calls every function as it should not be called, and compares with Tests/abuse/table.json; Tests/abuse/check_abuse.py makes calls.h of the table
 * and of the header. Each probe has a world of its own. Writes what is wrong to the file it is given, and nothing to standard output or
 * error. The state of the process is compared after each probe. */
#define _GNU_SOURCE
#include "surroundings.h"
#include "world.h"

#include <math.h>
#include <sys/socket.h>
#include <sys/un.h>

enum state { RUNNING, FRESH, CLOSED };
enum expects { NUMBER, AMONG, TEXT, POINTER, SOMETHING, ANYTHING, NOTHING };

typedef struct probe probe;
struct probe {
    const char *function, *what;
    void (*call)(world *w, const probe *p, plot_error **error);
    int null, bad, token, more; /* the parameter that is NULL, or no UTF-8; the token; the further case; -1 for none */
    enum state state;
    int inside; /* the callback; -1 for none */
    int has_error;
    enum expects expects;
    long long number; /* with AMONG a bit for each status */
    const char *text;  /* the bytes that are no UTF-8; what is expected */
    const char *names; /* how the message of the error begins */
    int extreme;         /* the number that is an extreme one, counted from 1 among the parameters; 0 for none */
    uint64_t bits;       /* what it is then: an integer, */
    double real;         /* a double, */
    const void *column;  /* or what each element of a column is */
};

#define POISON ((void *)(uintptr_t)1)
#define E (p->state == FRESH ? w->other : w->engine)
#define LEN(text) ((text) ? strlen(text) : 5)

static const char *const no_utf8[] = {"\xff\xfe", "a\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "b\x80"};
#define BAD_TEXTS ((int)(sizeof no_utf8 / sizeof no_utf8[0]))

static plot_engine *lose(world *w, const probe *p) {
    plot_engine *engine = E;
    if (p->state == FRESH) w->other = NULL; else w->engine = NULL;
    return engine;
}

static char case_path[256] = "case";

static const char *fresh_path(void) {
    static const char *const ends[] = {"", "-page", "-feed"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char name[sizeof case_path + 5];
        snprintf(name, sizeof name, "%s%s", case_path, ends[i]);
        unlink(name);
    }
    return case_path;
}

static plot_item *fresh_item(world *w) {
    plot_item *item = NULL;
    if (plot_item_copy(w->item, &item, NULL) != PLOT_OK) fault("no item");
    return item;
}

static plot_list *fresh_list(void) {
    plot_list *list = NULL;
    if (plot_list_new(&list, NULL) != PLOT_OK) fault("no list");
    return list;
}

static plot_config *fresh_config(void) {
    plot_config *config = NULL;
    if (plot_config_parse(world_config, sizeof world_config - 1, &config, NULL) != PLOT_OK) fault("no configuration");
    return config;
}

static plot_feed *fresh_feed(void) {
    plot_feed *feed = NULL;
    if (plot_feed_parse(world_feed, sizeof world_feed - 1, &feed, NULL) != PLOT_OK) fault("no feed");
    return feed;
}

static plot_string *fresh_string(world *w) {
    plot_string *string = NULL;
    if (plot_item_to_json(w->item, &string, NULL) != PLOT_OK) fault("no string");
    return string;
}

static plot_error *fresh_error(void) {
    plot_error *error = NULL;
    plot_config *config = NULL;
    if (plot_config_parse("{", 1, &config, &error) != PLOT_INVALID_DOCUMENT) fault("no error");
    return error;
}

static plot_effects *fresh_effects(void) {
    static const int64_t times[] = {0};
    static const double places[] = {0};
    plot_effects *effects = NULL;
    plot_engine *engine = NULL;
    plot_config *config = fresh_config();
    if (plot_engine_new(&engine, NULL) || plot_engine_init(engine, START, config, NULL, NULL)
        || plot_engine_update_locations(engine, 1, times, places, places, NULL, NULL, NULL, &effects, NULL))
        fault("no effects");
    plot_engine_free(engine);
    plot_config_free(config);
    return effects;
}

static plot_roaming *fresh_roaming(void) {
    plot_roaming *roaming = NULL;
    if (plot_roaming_new(50, 80, 0, 0, &roaming, NULL) != PLOT_OK) fault("no roaming");
    return roaming;
}

static const char *fresh_trip(world *w) {
    static const char plan[] = "{\"id\": \"on\", \"region\": \"garden\"}";
    plot_engine_start_trip(w->engine, w->now, plan, strlen(plan), NULL);
    return "on";
}

static plot_pairs *fresh_pairs(void) {
    plot_pairs *pairs = NULL;
    plot_roaming *roaming = fresh_roaming();
    if (plot_roaming_list_pairs(roaming, &pairs, NULL) != PLOT_OK) fault("no pairs");
    plot_roaming_free(roaming);
    return pairs;
}

static plot_replay *fresh_replay(void) {
    plot_replay *replay = NULL;
    if (plot_replay_new(&replay, NULL) != PLOT_OK) fault("no replay");
    return replay;
}

/* Columns for plot_engine_update_locations. */
static int64_t some_ends[2];
static int64_t ends_there[2];
/* One end: that of all that is saved. */
static const int64_t *ends_of(const plot_string *saved) {
    ends_there[0] = ends_there[1] = (int64_t)plot_string_get_length(saved);
    return ends_there;
}
static const int64_t two_times[] = {START + 5000, START + 6000};
static const double two_latitudes[] = {52.1, 52.2}, two_longitudes[] = {4.1, 4.2}, two_accuracies[] = {5, 5}, two_speeds[] = {1, 1},
                    two_courses[] = {90, 90};
static const uint32_t two_devices[] = {0, 0}, far_devices[] = {0, 7};
static plot_engine *one_engine[1];
static plot_engine *const no_engine[1] = {NULL};

static plot_engine *const *engines_of(plot_engine *engine) {
    one_engine[0] = engine;
    return one_engine;
}

/* ---- Extreme numbers -------------------------------------------------------------------------------------- */

/* The values of a number with which the call is an honest one: a length that the text has or that no text may have, and so on. */
enum role { FREE, LENGTH, COUNT, ENGINES };

#define FIRST_REFUSED_LENGTH (UINT64_C(1) << 31) /* beyond the limit of every document */
#define FIRST_REFUSED_COUNT UINT64_C(0xFFFFFFFF)

/* Set by Tests/fuzz/numbers.c: the next number in place of the usual one. */
static uint64_t (*fuzzed_number)(uint64_t usual, enum role role);
static double (*fuzzed_real)(double usual);

static uint64_t number_of(const probe *p, int parameter, uint64_t usual, enum role role) {
    if (p->extreme == parameter + 1) return p->bits;
    return fuzzed_number ? fuzzed_number(usual, role) : usual;
}

static double real_of(const probe *p, int parameter, double usual) {
    if (p->extreme == parameter + 1) return p->real;
    return fuzzed_real ? fuzzed_real(usual) : usual;
}

static const void *column_of(const probe *p, int parameter, const void *usual) {
    return p->extreme == parameter + 1 ? p->column : usual;
}

/* ---- What came of it -------------------------------------------------------------------------------------- */

static void settle_error(const probe *p, int32_t status, plot_error **error) {
    const char *message;
    if (error == NULL) return;
    if ((*error != NULL) != (status != PLOT_OK) || *error == POISON) {
        fault("the error is %s, with %s", *error == POISON ? "not written" : *error ? "there" : "NULL", plot_status_name(status));
        *error = NULL;
        return;
    }
    if (*error == NULL) return;
    message = plot_error_get_message(*error);
    if (plot_error_get_status(*error) != status) fault("the error's status is not the call's");
    if (!message[0]) fault("the error says nothing");
    if (p->names && strncmp(message, p->names, strlen(p->names)) != 0) fault("the error says \"%s\", and does not begin with \"%s\"", message, p->names);
    plot_error_free(*error);
    *error = NULL;
}

static void settle_number(const probe *p, long long found) {
    if (p->expects == AMONG) {
        if (found < 0 || found > 62 || !(p->number >> found & 1))
            fault("gives %lld (%s), which is not one of those expected", found, plot_status_name((int32_t)found));
    } else if (p->expects == NUMBER && found != p->number) fault("gives %lld (%s), not %lld", found, plot_status_name((int32_t)found), p->number);
    else if (p->expects != NUMBER && p->expects != ANYTHING) fault("gives a number");
}

static void settle_text(const probe *p, const char *found) {
    if (p->expects == POINTER && found != NULL) fault("gives \"%s\", not NULL", found);
    else if (p->expects == SOMETHING && found == NULL) fault("gives NULL");
    else if (p->expects == TEXT && (found == NULL || strcmp(found, p->text) != 0)) fault("gives \"%s\", not \"%s\"", found ? found : "NULL", p->text);
}

static void settle_pointer(const probe *p, const void *found) {
    if (p->expects == POINTER && found != NULL) fault("does not give NULL");
    else if (p->expects == SOMETHING && found == NULL) fault("gives NULL");
    else if (p->expects == TEXT) fault("gives a pointer");
}

#include "calls.h"

/* ---- One probe -------------------------------------------------------------------------------------------- */

typedef struct errand {
    const probe *probe;
    plot_error **error;
    int done;
} errand;

static int32_t run_errand(world *w, enum kind kind) {
    errand *own = w->own;
    if (own->done || (int)kind != own->probe->inside) return PLOT_OK;
    own->done = 1;
    own->probe->call(w, own->probe, own->error);
    return PLOT_OK;
}

static void try_probe(const probe *p, int with_error) {
    static world w;
    static surroundings before, after;
    plot_error *error = POISON;
    errand own = {p, with_error ? &error : NULL, 0};
    const char *difference;
    snprintf(where, sizeof where, "%s, %s%s", p->function, p->what, with_error || !p->has_error ? "" : ", without an error");
    alarm(300); /* a call that waits for ever ends the program */
    look_round(&before);
    build_world(&w, NULL);
    w.spare = (tally){&w, KIND_plot_destroy_fn, 0, 0};
    awaited = 0;
    if (p->state == CLOSED && plot_engine_close(w.engine) != PLOT_OK) fault("could not be closed");
    if (p->inside >= 0) {
        w.inside = run_errand;
        w.own = &own;
        w.keeps = p->inside != KIND_plot_filter_fn && p->inside != KIND_plot_geotrigger_fn;
        provoke(&w, p->inside);
        if (!own.done) fault("the callback did not come");
    } else {
        p->call(&w, p, own.error);
    }
    end_world(&w, where);
    if (w.spare.destroyed != awaited) fault("destroy ran %d times, not %d", w.spare.destroyed, awaited);
    look_round(&after);
    if ((difference = changed(&before, &after)) != NULL) fault("%s changed", difference);
}

#ifndef ABUSE_WITHOUT_MAIN
int main(int count, char **arguments) {
    int tried = 0, once = count > 4; /* abuse REPORT FOLDER [LOCALE [once]] */
    if (count < 3 || (report = fopen(arguments[1], "w")) == NULL) return 2;
    if (count > 3 && setlocale(LC_ALL, arguments[3]) == NULL) {
        fprintf(report, "there is no locale %s\n", arguments[3]);
        return 2;
    }
    if (count > 3 && strcmp(arguments[3], "C") != 0 && strcmp(localeconv()->decimal_point, ",") != 0) {
        fprintf(report, "the locale %s has no decimal comma\n", arguments[3]);
        return 2;
    }
    setvbuf(report, NULL, _IOLBF, 0); /* so that it tells how far a crash let it come */
    if (chdir(arguments[2]) != 0) return 2;
    prepare_files();
    for (size_t index = 0; index < sizeof probes / sizeof probes[0]; index++) {
        int alone = once || probes[index].extreme; /* extreme numbers are many */
        int with_error = !alone || index % 2 == 0, without = probes[index].has_error && (!alone || !with_error);
        if (with_error || !without) try_probe(&probes[index], 1);
        if (without) try_probe(&probes[index], 0);
        tried += (with_error || !without) + without;
    }
    snprintf(where, sizeof where, "at the end");
    if (plot_live_objects() != 0) fault("%lld objects are left", (long long)plot_live_objects());
    fprintf(report, "%d calls, %d faults\n", tried, faults);
    fclose(report);
    return faults != 0;
}
#endif
