/* The library's effects on its process, and the process's on it: process SCENE REPORT FOLDER. Each scene runs in a process of its own
 * (Tests/process/check.py), and writes what is wrong, or what is to be compared, to REPORT. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "surroundings.h"
#include "world.h"

static int reap(pid_t child) {
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* ---- What a whole day gives, to the byte ------------------------------------------------------------------- */

static void tell(const char *what, const char *text) { fprintf(report, "%s %s\n", what, text); }

static void tell_event(void *user_data, plot_engine *engine, const char *json, size_t length, const plot_item *item) {
    (void)user_data; (void)engine; (void)length; (void)item;
    tell("event", json);
}

static void tell_decision(void *user_data, plot_engine *engine, const char *json, size_t length) {
    (void)user_data; (void)engine; (void)length;
    tell("decision", json);
}

static void tell_log(void *user_data, plot_engine *engine, int32_t level, const char *message) {
    (void)user_data; (void)engine; (void)level;
    tell("log", message);
}

static void tell_string(const char *what, int32_t status, plot_string *text) {
    tell(what, status == PLOT_OK ? plot_string_get(text) : plot_status_name(status));
    plot_string_free(text);
}

/* The call comes before its string is looked at. */
#define TELL(what, call) do { int32_t status_ = (call); tell_string(what, status_, text); } while (0)

/* Walks, and tells all that can be told. */
static void a_day(plot_engine *engine, int64_t time) {
    plot_string *text = NULL;
    plot_list *list = NULL;
    for (int step = 0; step < 8; step++) {
        int32_t status = plot_engine_update_location(engine, time += 61000, step % 2 ? 52.5 : LATITUDE + (step % 3 - 1) * APART, LONGITUDE, 4.25, 1.5, 90.125, NULL);
        if (status != PLOT_OK) tell("fix", plot_status_name(status));
    }
    TELL("visits", plot_engine_get_visits(engine, &text, NULL));
    TELL("explain", plot_engine_explain(engine, "art", NULL, "de", &text, NULL));
    TELL("plan", plot_engine_plan_regions(engine, time, LATITUDE, LONGITUDE, 12.5, 0, 0, &text, NULL));
    plot_engine_set_double_segmentation_property(engine, time, "half", 0.5, NULL);
    TELL("properties", plot_engine_get_segmentation_properties(engine, &text, NULL));
    if (plot_engine_get_sent_notifications(engine, &list, NULL) == PLOT_OK) TELL("sent", plot_list_to_json(list, &text, NULL));
    plot_list_free(list);
    WELL(plot_engine_set_time_zone(engine, time, "Europe/Amsterdam", NULL));
    TELL("zone", plot_engine_get_time_zone(engine, &text, NULL));
}

static void listen_and_tell(plot_engine *engine) {
    WELL(plot_engine_set_event_callback(engine, tell_event, NULL, NULL, NULL));
    WELL(plot_engine_set_decision_callback(engine, tell_decision, NULL, NULL, NULL));
    WELL(plot_engine_set_log_callback(engine, tell_log, NULL, NULL, NULL));
}

static plot_engine *fresh(const char *store, const char *recording) {
    plot_engine *engine = NULL;
    plot_config *config = NULL;
    plot_feed *feed = NULL;
    WELL(plot_config_parse(world_config, sizeof world_config - 1, &config, NULL));
    WELL(plot_feed_parse(world_feed, sizeof world_feed - 1, &feed, NULL));
    WELL(plot_engine_new(&engine, NULL));
    listen_and_tell(engine);
    if (recording) WELL(plot_engine_record_to_file(engine, recording, 0, NULL));
    WELL(plot_engine_init(engine, START, config, store, NULL));
    WELL(plot_engine_set_feed(engine, START, feed, NULL));
    plot_config_free(config);
    plot_feed_free(feed);
    return engine;
}

static void scene_bytes(void) {
    plot_engine *engine = fresh("bytes.db", NULL);
    a_day(engine, START);
    plot_engine_free(engine);
    if (unlink("bytes.db") != 0) fault("there is no store");
}

/* ---- Surroundings ------------------------------------------------------------------------------------------- */

static surroundings at_first;

static void compare_now(const char *when, int with_files) {
    surroundings now;
    const char *difference;
    look_round(&now);
    if (with_files) {
        /* Descriptors that the library opens go to no program that the app starts. */
        for (int descriptor = 0; descriptor < 64; descriptor++) {
            uint64_t bit = UINT64_C(1) << descriptor;
            if ((now.descriptors & bit) == 0 || (at_first.descriptors & bit) != 0) continue;
            if ((fcntl(descriptor, F_GETFD) & FD_CLOEXEC) == 0) fault("%s: descriptor %d stays open across exec", when, descriptor);
        }
        now.descriptors = at_first.descriptors;
    }
    if ((difference = changed(&at_first, &now)) != NULL) fault("%s: %s changed", when, difference);
}

static int32_t compare_inside(world *w, enum kind kind) {
    (void)w;
    compare_now(kind_names[kind], 1);
    return PLOT_OK;
}

static void scene_surroundings(void) {
    static world w;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
    umask(027);
    setenv("PLOT_TEST", "a", 1);
    if (setlocale(LC_ALL, "") == NULL) fault("no locale");
    look_round(&at_first);
    for (int round = 0; round < 2; round++) {
        plot_engine *engine;
        build_world(&w, "surroundings.db");
        compare_now("with a store", 1);
        w.inside = compare_inside;
        w.keeps = 1;
        for (int kind = 0; kind < KINDS; kind++) provoke(&w, kind);
        WELL(plot_engine_write_debug_log(w.engine, "debug.txt", NULL));
        WELL(plot_engine_write_decisions_to(w.engine, "decisions.jsonl", NULL));
        WELL(walk(&w, LATITUDE));
        compare_now("with files", 1);
        end_world(&w, "surroundings");
        compare_now("at the end", 0);
        unlink("recording.jsonl");
        engine = fresh(NULL, "recording.jsonl");
        compare_now("with a recording", 1);
        plot_engine_free(engine);
        compare_now("after a recording", 0);
        unlink("surroundings.db");
    }
}

/* The app has closed 0, 1 and 2: what it writes there must not end in a file of the library. */
static void scene_closed(void) {
    plot_engine *engine;
    for (int descriptor = 0; descriptor < 3; descriptor++) close(descriptor);
    engine = fresh("closed.db", "closed.jsonl");
    for (int descriptor = 0; descriptor < 3; descriptor++) {
        if (write(descriptor, "x", 1) != -1 || errno != EBADF) fault("descriptor %d is a file of the library", descriptor);
    }
    plot_engine_free(engine);
}

/* A relative name is that of the folder of then. */
static void scene_folder(void) {
    plot_engine *engine = fresh("moved.db", "moved.jsonl");
    if (mkdir("elsewhere", 0700) != 0 || chdir("elsewhere") != 0) fault("no folder");
    a_day(engine, START);
    plot_engine_free(engine);
    if (access("moved.db", F_OK) == 0 || access("../moved.db", F_OK) != 0 || access("../moved.db-wal", F_OK) == 0 || access("../moved.db-log", F_OK) == 0) fault("the store is somewhere else");
}

/* Signals that interrupt calls of the system. */
static volatile sig_atomic_t alarms;
static void on_alarm(int number) {
    (void)number;
    alarms++;
}

static void scene_signals(void) {
    struct sigaction action;
    struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    plot_engine *engine = fresh("signals.db", "signals.jsonl");
    memset(&action, 0, sizeof action);
    action.sa_handler = on_alarm; /* without SA_RESTART */
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int step = 0; step < 400 || alarms < 50; step++) {
        int32_t status = plot_engine_update_location(engine, START + 61000 * (step + 1), step % 2 ? 52.5 : LATITUDE, LONGITUDE, 5, -1, -1, NULL);
        if (status != PLOT_OK) fault("a signal made it %s", plot_status_name(status));
        if (faults > 5 || step > 1000000) break;
    }
    setitimer(ITIMER_REAL, &never, NULL);
    plot_engine_free(engine);
}

static void *small_thread(void *given) {
    plot_engine *engine = fresh(given, NULL);
    a_day(engine, START);
    plot_engine_free(engine);
    return NULL;
}

/* Frameworks give their threads small stacks. */
static void scene_stack(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, 256 * 1024) != 0 || pthread_create(&thread, &attributes, small_thread, "stack.db") != 0
        || pthread_join(thread, NULL) != 0)
        fault("no thread");
}

/* ---- Fork --------------------------------------------------------------------------------------------------- */

static void append_file(const char *path, const char *what) {
    char line[16384];
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fault("no %s", path);
        return;
    }
    while (fgets(line, sizeof line, file)) fprintf(report, "%s%s", what, line);
    fclose(file);
}

/* In memory: parent and child each go on, and come to the same. */
static void scene_fork(void) {
    plot_engine *engine = fresh(NULL, NULL);
    FILE *own = report;
    pid_t child;
    WELL(plot_engine_update_location(engine, START + 1000, LATITUDE, LONGITUDE, 5, -1, -1, NULL));
    fflush(report);
    child = fork();
    if (child == 0) {
        if ((report = fopen("child.txt", "w")) == NULL) _exit(99);
        a_day(engine, START + 2000);
        plot_engine_free(engine);
        if (plot_live_objects() != 0) fault("%lld objects are left in the child", (long long)plot_live_objects());
        fclose(report);
        _exit(faults != 0);
    }
    if (reap(child) != 0) fault("the child did not end well");
    if ((report = fopen("parent.txt", "w")) == NULL) exit(99);
    a_day(engine, START + 2000);
    plot_engine_free(engine);
    fclose(report);
    report = own;
    append_file("parent.txt", "parent ");
    append_file("child.txt", "child ");
}

/* In a callback: the child comes back from it, and goes on. */
static pid_t forked = -1;
static int32_t fork_inside(world *w, enum kind kind) {
    (void)w;
    if (kind == KIND_plot_show_fn && forked == -1) {
        fflush(report);
        forked = fork();
    }
    return PLOT_OK;
}

static void scene_fork_inside(void) {
    static world w;
    build_world(&w, NULL);
    w.inside = fork_inside;
    w.keeps = 1;
    if (provoke(&w, KIND_plot_show_fn) != PLOT_OK) fault("the call gave an error");
    w.inside = NULL;
    if (w.told[KIND_plot_event_fn] == 0) fault("nothing was told after the fork");
    end_world(&w, "fork in a callback");
    if (forked == 0) {
        fflush(report);
        _exit(faults != 0);
    }
    if (reap(forked) != 0) fault("the child did not end well");
}

/* The store, what lies beside it, and the recording. */
static const char *const kept[] = {"fork.db", "fork.db-wal", "fork.db-log", "fork.jsonl"};
#define KEPT 4

static void look_at_files(struct stat *files) {
    for (int index = 0; index < KEPT; index++) {
        memset(&files[index], 0, sizeof files[index]);
        if (stat(kept[index], &files[index]) != 0) fault("%s is not there", kept[index]);
    }
}

static void same_files(const struct stat *before, const char *whose) {
    struct stat now[KEPT];
    look_at_files(now);
    for (int index = 0; index < KEPT; index++) {
        if (now[index].st_ino != before[index].st_ino || now[index].st_size != before[index].st_size || now[index].st_mtim.tv_sec != before[index].st_mtim.tv_sec
            || now[index].st_mtim.tv_nsec != before[index].st_mtim.tv_nsec)
            fault("%s was changed by the %s", kept[index], whose);
    }
}

/* With a store: it is the parent's, whatever the child does. */
static void scene_fork_store(void) {
    plot_engine *engine = fresh("fork.db", "fork.jsonl");
    plot_list *list = NULL;
    struct stat files[KEPT];
    pid_t child;
    size_t sent;
    WELL(plot_engine_update_location(engine, START + 1000, LATITUDE, LONGITUDE, 5, -1, -1, NULL));
    WELL(plot_engine_update_location(engine, START + 2000, 52.5, LONGITUDE, 5, -1, -1, NULL));
    look_at_files(files);
    fflush(report);
    child = fork();
    if (child == 0) {
        plot_error *error = NULL;
        plot_string *visits = NULL;
        plot_engine *other = NULL;
        plot_config *config = NULL;
        /* Calls that change state are refused, and change nothing; state can be read. */
        if (plot_engine_update_location(engine, START + 3000, LATITUDE, LONGITUDE, 5, -1, -1, &error) != PLOT_STORE_FAILED) fault("a fix is not refused in the child");
        if (strstr(plot_error_get_message(error), "forked") == NULL) fault("the error says: %s", plot_error_get_message(error));
        plot_error_free(error);
        if (plot_engine_set_cooldown_period(engine, START + 3000, 7, NULL) != PLOT_STORE_FAILED) fault("a setting is not refused in the child");
        if (plot_engine_get_visits(engine, &visits, NULL) != PLOT_OK || strcmp(plot_string_get(visits), "[]") != 0) fault("the visits are %s", plot_string_get(visits));
        plot_string_free(visits);
        WELL(plot_config_parse(world_config, sizeof world_config - 1, &config, NULL));
        WELL(plot_engine_new(&other, NULL));
        if (plot_engine_init(other, START, config, "fork.db", NULL) != PLOT_STORE_BUSY) fault("the child can open the parent's store");
        if (plot_engine_init(other, START, config, "own.db", NULL) != PLOT_OK) fault("the child cannot have a store of its own");
        plot_engine_free(other);
        plot_config_free(config);
        if (plot_engine_close(engine) != PLOT_OK) fault("the child cannot close it");
        plot_engine_free(engine);
        if (plot_live_objects() != 0) fault("%lld objects are left in the child", (long long)plot_live_objects());
        same_files(files, "child");
        fflush(report);
        exit(faults != 0); /* with all that runs at an exit */
    }
    if (reap(child) != 0) fault("the child did not end well");
    same_files(files, "exit of the child");
    WELL(plot_engine_update_location(engine, START + 63000, LATITUDE, LONGITUDE, 5, -1, -1, NULL));
    WELL(plot_engine_get_sent_notifications(engine, &list, NULL));
    sent = plot_list_get_count(list);
    plot_list_free(list);
    if (sent == 0) fault("nothing was sent");
    plot_engine_free(engine);
    engine = NULL;
    {
        plot_config *config = NULL;
        WELL(plot_config_parse(world_config, sizeof world_config - 1, &config, NULL));
        WELL(plot_engine_new(&engine, NULL));
        WELL(plot_engine_init(engine, START + 70000, config, "fork.db", NULL));
        WELL(plot_engine_get_sent_notifications(engine, &list, NULL));
        if (plot_list_get_count(list) != sent) fault("%zu were sent, and %zu are in the store", sent, plot_list_get_count(list));
        plot_list_free(list);
        plot_engine_free(engine);
        plot_config_free(config);
    }
}

/* ---- All of them -------------------------------------------------------------------------------------------- */

static const struct scene {
    const char *name;
    void (*run)(void);
} scenes[] = {
    {"bytes", scene_bytes}, {"surroundings", scene_surroundings}, {"closed", scene_closed}, {"folder", scene_folder},
    {"signals", scene_signals}, {"stack", scene_stack}, {"fork", scene_fork}, {"fork-inside", scene_fork_inside}, {"fork-store", scene_fork_store},
};

int main(int count, char **arguments) {
    if (count != 4 || (report = fopen(arguments[2], "we")) == NULL || chdir(arguments[3]) != 0) return 2;
    if (fileno(report) < 3) return 2;
    if (getenv("PLOT_LOCALE") && setlocale(LC_ALL, getenv("PLOT_LOCALE")) == NULL) return 2;
    for (size_t index = 0; index < sizeof scenes / sizeof scenes[0]; index++) {
        if (strcmp(scenes[index].name, arguments[1]) != 0) continue;
        scenes[index].run();
        if (plot_live_objects() != 0) fault("%lld objects are left", (long long)plot_live_objects());
        fprintf(report, "%d faults\n", faults);
        return fclose(report) != 0 || faults != 0;
    }
    return 2;
}
