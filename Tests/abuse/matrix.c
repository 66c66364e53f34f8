/* Each kind of callback, and what it may do while it runs: destroy runs once, whatever it does. The expected counts are Tests/abuse/matrix.json,
 * from which Tests/abuse/callbacks.py makes matrix.h; the kinds are the header's. Writes what is wrong to the file it is given. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>

#include "world.h"

#include "matrix.h" /* enum action, action_names, expected, returns_something */

typedef struct act {
    enum kind kind;
    enum action action;
    int done, depth, inside; /* how often it has been called; how deep; how often it was destroyed while it ran */
    int64_t shown;           /* how many had been shown */
} act;

/* A kind other than this one, and not the log's, through which destroy is provoked. */
static enum kind other_kind(enum kind kind) {
    return kind == KIND_plot_event_fn ? KIND_plot_decision_fn : KIND_plot_event_fn;
}

static void *remove_it(void *given) {
    world *w = given;
    act *own = w->own;
    if (enlist(w->engine, own->kind, NULL, "own", NULL) != PLOT_OK) fault("another thread could not remove it");
    return NULL;
}

static void call_engine(world *w) {
    plot_list *list = NULL;
    plot_string *text = NULL;
    int64_t next;
    if (walk(w, 51) != PLOT_OK || plot_engine_advance(w->engine, w->now, NULL) != PLOT_OK) fault("could not be called");
    if (plot_engine_get_displayed_notifications(w->engine, &list, NULL) != PLOT_OK || plot_engine_get_visits(w->engine, &text, NULL) != PLOT_OK
        || plot_engine_next_wakeup(w->engine, &next, NULL) != PLOT_OK)
        fault("could not be asked");
    plot_list_free(list);
    plot_string_free(text);
}

/* Registers for nothing: each gives an error, and has been destroyed by then. */
static void fail_to_register(world *w, enum kind kind) {
    plot_engine *closed = NULL;
    tally late[4];
    int count = 0;
    for (int index = 0; index < 4; index++) late[index] = (tally){w, kind, 0, 0};
    if (plot_engine_new(&closed, NULL) != PLOT_OK || plot_engine_close(closed) != PLOT_OK) fault("no closed engine");
    if (enlist(closed, kind, &late[count++], "own", NULL) != PLOT_CLOSED) fault("was registered on a closed engine");
    if (enlist(NULL, kind, &late[count++], "own", NULL) != PLOT_INVALID_ARGUMENT) fault("was registered on no engine");
    if (kind == KIND_plot_strategy_fn) {
        if (enlist(w->engine, kind, &late[count++], "", NULL) != PLOT_INVALID_ARGUMENT) fault("was registered without a key");
        if (enlist(w->engine, kind, &late[count++], "\xff", NULL) != PLOT_INVALID_ARGUMENT) fault("was registered with a key that is no text");
    }
    if (kind == KIND_plot_recording_fn) {
        plot_engine *running = NULL;
        if (plot_engine_new(&running, NULL) != PLOT_OK || plot_engine_init(running, START, w->config, NULL, NULL) != PLOT_OK) fault("no engine");
        if (enlist(running, kind, &late[count++], "own", NULL) != PLOT_ALREADY_INITIALIZED) fault("was registered too late");
        plot_engine_free(running);
    }
    plot_engine_free(closed);
    for (int index = 0; index < count; index++) {
        if (late[index].destroyed != 1 || late[index].calls != 0) fault("one that could not be registered was destroyed %d times, and called %d times", late[index].destroyed, late[index].calls);
    }
}

static int32_t run_act(world *w, enum kind kind) {
    act *own = w->own;
    tally *mine = kind == KIND_plot_destroy_fn ? &w->tallies[KIND_plot_log_fn] : &w->tallies[kind];
    pthread_t thread;
    if (kind != own->kind) {
        /* Effects of a destroy that runs in no callback come at once. */
        if (own->depth != 0 && kind != KIND_plot_destroy_fn && own->kind != KIND_plot_destroy_fn) fault("%s runs inside of it", kind_names[kind]);
        return PLOT_OK;
    }
    if (own->depth != 0) {
        if (kind != KIND_plot_destroy_fn) fault("runs inside of itself");
        return PLOT_OK;
    }
    if (own->done++) return own->action == ACTION_returns_an_unknown_code ? 999 : PLOT_OK;
    own->depth++;
    switch (own->action) {
    case ACTION_does_nothing: break;
    case ACTION_removes_itself_twice:
        if (enlist(w->engine, kind, NULL, "own", NULL) != PLOT_OK) fault("could not remove itself");
        /* fallthrough */
    case ACTION_removes_itself:
        if (enlist(w->engine, kind, NULL, "own", NULL) != PLOT_OK) fault("could not remove itself");
        break;
    case ACTION_replaces_itself:
        w->spare = (tally){w, kind == KIND_plot_destroy_fn ? KIND_plot_log_fn : kind, 0, 0};
        if (enlist(w->engine, kind, &w->spare, "own", NULL) != PLOT_OK) fault("could not replace itself");
        break;
    case ACTION_removes_another:
        if (enlist(w->engine, other_kind(kind), NULL, "own", NULL) != PLOT_OK) fault("could not remove another");
        /* While a callback runs, destroy waits; inside a destroy nothing runs that it could wait for. */
        if (w->tallies[other_kind(kind)].destroyed != (kind == KIND_plot_destroy_fn)) fault("the other one was destroyed %d times at once", w->tallies[other_kind(kind)].destroyed);
        break;
    case ACTION_removes_all:
        for (int each = 0; each < KINDS; each++) {
            if (enlist(w->engine, each, NULL, "own", NULL) != PLOT_OK) fault("could not remove %s", kind_names[each]);
        }
        break;
    case ACTION_adds_another:
        w->spare = (tally){w, other_kind(kind), 0, 0};
        if (kind == KIND_plot_strategy_fn) {
            w->spare.kind = kind;
            if (enlist(w->engine, kind, &w->spare, "another", NULL) != PLOT_OK) fault("could not add another strategy");
        } else if (enlist(w->engine, other_kind(kind), &w->spare, NULL, NULL) != PLOT_OK) {
            fault("could not add another");
        }
        break;
    case ACTION_calls_the_engine: call_engine(w); break;
    case ACTION_provokes_itself:
        if (kind == KIND_plot_remove_fn) walk(w, LATITUDE);
        if (provoke(w, kind) != PLOT_OK) fault("could not provoke itself");
        break;
    case ACTION_closes_the_engine:
        if (plot_engine_close(w->engine) != PLOT_OK || plot_engine_close(w->engine) != PLOT_OK) fault("could not close");
        if (plot_engine_advance(w->engine, w->now, NULL) != PLOT_CLOSED) fault("is not closed");
        break;
    case ACTION_frees_the_engine: {
        plot_engine *engine = w->engine;
        w->engine = NULL;
        plot_engine_free(engine);
        break;
    }
    case ACTION_fails_to_register_another: fail_to_register(w, kind == KIND_plot_destroy_fn ? KIND_plot_log_fn : kind); break;
    case ACTION_is_removed_by_another_thread:
        if (pthread_create(&thread, NULL, remove_it, w) != 0 || pthread_join(thread, NULL) != 0) fault("no thread");
        break;
    case ACTION_returns_an_unknown_code: break;
    case ACTIONS: break;
    }
    own->inside = mine->destroyed;
    own->depth--;
    return own->action == ACTION_returns_an_unknown_code ? 999 : PLOT_OK;
}

static int64_t count_displayed(world *w) {
    plot_list *list = NULL;
    int64_t count = -1;
    if (plot_engine_get_displayed_notifications(w->engine, &list, NULL) == PLOT_OK) count = (int64_t)plot_list_get_count(list);
    plot_list_free(list);
    return count;
}

static void try_act(enum kind kind, enum action action, const char *store) {
    static world w;
    act own = {kind, action, 0, 0, 0, 0};
    const counts *wanted = &expected[kind][action];
    tally *mine;
    int calls, spare;
    snprintf(where, sizeof where, "%s %s%s", kind_names[kind], action_names[action], store ? ", with a store" : "");
    if (store) {
        unlink(store);
    }
    build_world(&w, store);
    mine = kind == KIND_plot_destroy_fn ? &w.tallies[KIND_plot_log_fn] : &w.tallies[kind];
    own.shown = count_displayed(&w);
    w.inside = run_act;
    w.own = &own;
    w.keeps = kind != KIND_plot_filter_fn && kind != KIND_plot_geotrigger_fn;
    w.spare.destroyed = -1;
    if (provoke(&w, kind) != PLOT_OK) fault("the call gave an error");
    if (own.done == 0) fault("did not come");
    if (own.inside != wanted->inside) fault("was destroyed %d times while it ran, not %d", own.inside, wanted->inside);
    if (mine->destroyed != wanted->after) fault("was destroyed %d times after the call, not %d", mine->destroyed, wanted->after);
    if (action == ACTION_removes_another && w.tallies[other_kind(kind)].destroyed != 1) fault("the other one was destroyed %d times", w.tallies[other_kind(kind)].destroyed);
    /* The meaning of an unknown code. */
    if (action == ACTION_returns_an_unknown_code && kind == KIND_plot_show_fn && count_displayed(&w) != own.shown) fault("counts as shown");
    if (action == ACTION_returns_an_unknown_code && kind == KIND_plot_remove_fn && count_displayed(&w) != own.shown) fault("counts as removed");
    if (action == ACTION_returns_an_unknown_code && kind == KIND_plot_strategy_fn && count_displayed(&w) != own.shown + 1) fault("counts as a no");
    /* Again: it comes, or it does not. A wakeup only comes when the time is another. */
    if (w.engine != NULL && kind != KIND_plot_destroy_fn) {
        calls = mine->calls;
        spare = action == ACTION_replaces_itself ? w.spare.calls : 0;
        if (kind == KIND_plot_wakeup_fn) plot_engine_advance(w.engine, w.now + 600000, NULL);
        walk(&w, 53);
        walk(&w, LATITUDE);
        provoke(&w, kind);
        if ((mine->calls > calls) != wanted->again) fault("%s when it is provoked again", mine->calls > calls ? "comes" : "does not come");
        if (action == ACTION_replaces_itself && w.spare.calls == spare) fault("what it was replaced by does not come");
    }
    if (action == ACTION_removes_another && w.tallies[other_kind(kind)].destroyed != 1) fault("the other one was destroyed again");
    end_world(&w, where);
    if (action == ACTION_replaces_itself || action == ACTION_adds_another) {
        if (w.spare.destroyed != 1) fault("the new one was destroyed %d times", w.spare.destroyed);
    }
}

int main(int count, char **arguments) {
    int tried = 0;
    if (count != 3 || (report = fopen(arguments[1], "w")) == NULL || chdir(arguments[2]) != 0) return 2;
    setvbuf(report, NULL, _IOLBF, 0);
    for (int kind = 0; kind < KINDS; kind++) {
        for (int action = 0; action < ACTIONS; action++) {
            if (action == ACTION_returns_an_unknown_code && !returns_something[kind]) continue;
            try_act(kind, action, NULL);
            try_act(kind, action, "store.db");
            tried += 2;
        }
    }
    snprintf(where, sizeof where, "at the end");
    if (plot_live_objects() != 0) fault("%lld objects are left", (long long)plot_live_objects());
    fprintf(report, "%d cases, %d faults\n", tried, faults);
    fclose(report);
    return faults != 0;
}
