/* Lives of an engine on a store that end badly, and what is found after them (docs/reliability.md). */
#define _GNU_SOURCE
#include "disk.h"
#include "life.h"

#include <errno.h>
#include <fcntl.h>
#include <plotengine.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[200];
static char store[256];
static uint64_t seed;
static const char *part = "";
static char where[300];
static int keeps;
static size_t told_to;

static void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

static void fail(const char *format, ...) {
    va_list list;
    fprintf(stderr, "torture: %s, seed %llu, %s: ", part, (unsigned long long)seed, where);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    size_t end = told_to && told_to < world->used ? told_to : world->used;
    size_t from = end > 6000 ? end - 6000 : 0;
    fprintf(stderr, "\nThe store is %s. The last that was told:\n%.*s\n", store, (int)(end - from), world->text + from);
    exit(1);
}

static uint64_t told(void) { return world->used; }

static void *shared(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        perror("torture: mmap");
        exit(1);
    }
    return memory;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static char *name_of(int file) {
    static char name[4][300];
    snprintf(name[file], sizeof name[file], "%s%s", store, disk_names[file]);
    return name[file];
}

static void remove_store(void) {
    for (int i = 0; i < 4; i++) unlink(name_of(i));
}

/* The files of a store in memory. */
struct files { unsigned char *bytes[4]; long length[4]; /* -1: not there */ };

static void keep(struct files *files) {
    for (int i = 0; i < 4; i++) {
        free(files->bytes[i]);
        files->bytes[i] = NULL;
        files->length[i] = -1;
        FILE *file = fopen(name_of(i), "rb");
        if (!file) continue;
        fseek(file, 0, SEEK_END);
        files->length[i] = ftell(file);
        rewind(file);
        files->bytes[i] = malloc((size_t)files->length[i] + 1);
        if (fread(files->bytes[i], 1, (size_t)files->length[i], file) != (size_t)files->length[i]) fail("a copy");
        fclose(file);
    }
}

static void put_back(const struct files *files) {
    remove_store();
    for (int i = 0; i < 4; i++) {
        if (files->length[i] < 0) continue;
        FILE *file = fopen(name_of(i), "wb");
        if (!file || fwrite(files->bytes[i], 1, (size_t)files->length[i], file) != (size_t)files->length[i] || fclose(file))
            fail("a copy");
    }
}

static int is_same(const struct files *files) {
    struct files now = {{0}, {0}};
    keep(&now);
    int same = 1;
    for (int i = 0; i < 4; i++) {
        same &= now.length[i] == files->length[i]
                && (now.length[i] <= 0 || !memcmp(now.bytes[i], files->bytes[i], (size_t)now.length[i]));
        free(now.bytes[i]);
    }
    return same;
}

static void drop(struct files *files) {
    for (int i = 0; i < 4; i++) free(files->bytes[i]);
    memset(files, 0, sizeof *files);
}

/* ---- Lives */

static uint64_t life_seed(uint64_t number) {
    uint64_t state = seed * 1000003 + number;
    return random_bits(&state);
}

static void new_world(void) {
    size_t used = sizeof *world - sizeof world->text;
    memset(world, 0, used);
    world->mono = INT64_C(3600000) * 24;
    world->offset = INT64_C(1700000000000);
}

static void no_faults(void) {
    disk->count = disk->kill_at = disk->fail_from = disk->fail_count = disk->failed = 0;
    disk->kill_torn = 0;
    disk->fail_file = -1;
}

static pid_t start(uint64_t number, int steps) {
    world->used = 0;
    world->is_ready = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) fail("fork: %s", strerror(errno));
    if (!child) live(store, life_seed(number), steps);
    return child;
}

/* How it ended: -1 by SIGKILL, else its status. */
static int end_of(pid_t child) {
    int status;
    if (waitpid(child, &status, 0) != child) fail("waitpid: %s", strerror(errno));
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return -1;
    if (WIFSIGNALED(status)) fail("a life ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

/* Takes what the last life has told into the model. */
static void take(struct model *m, int status) {
    if (!model_take(m, world->text, world->used)) {
        told_to = m->at;
        fail("%s", m->fault);
    }
    if (status > 0) fail("a life ended with status %d", status);
    model_end(m);
}

/* A life that ends well, and what is in the file then. */
static void live_well(struct model *m, uint64_t number, int steps) {
    no_faults();
    take(m, end_of(start(number, steps)));
    if (!model_check_file(m, store)) fail("%s", m->fault);
    if (access(name_of(1), F_OK) == 0 || access(name_of(2), F_OK) == 0) fail("files were left beside a closed store");
}

/* What SQLite says of what a killed process has left. */
static void check_raw(void) {
    struct files files = {{0}, {0}};
    char here[256];
    keep(&files);
    strcpy(here, store);
    strcat(store, ".raw");
    put_back(&files);
    const char *answer = files.length[0] > 0 ? integrity(store) : "ok";
    remove_store();
    strcpy(store, here);
    drop(&files);
    if (strcmp(answer, "ok")) fail("PRAGMA integrity_check of what was left: %s", answer);
}

/* ---- Killed at random instants */

static void kills(int count) {
    struct model m;
    uint64_t dice = seed;
    int with_log = 0, at_start = 0, closed = 0;
    double began = seconds();
    part = "kills";
    memset(&m, 0, sizeof m);
    new_world();
    remove_store();
    for (int i = 0; i < count; i++) {
        snprintf(where, sizeof where, "life %d", i);
        no_faults();
        pid_t child = start((uint64_t)i, -1);
        if (random_bits(&dice) % 4 == 0) {
            usleep((useconds_t)(random_bits(&dice) % 15000));
            at_start++;
        } else {
            double limit = seconds() + 20;
            while (!__atomic_load_n(&world->is_ready, __ATOMIC_ACQUIRE) && seconds() < limit) {
                usleep(200);
                if (waitpid(child, NULL, WNOHANG | WNOWAIT) == child) break;
            }
            usleep((useconds_t)(random_bits(&dice) % 40000));
        }
        kill(child, SIGKILL);
        int status = end_of(child);
        take(&m, status);
        if (status == 0) fail("a life ended by itself");
        with_log += access(name_of(2), F_OK) == 0;
        if (i % 4 == 0) check_raw();
        if (i % 10 == 9) {
            live_well(&m, (uint64_t)i + 1000000, 5);
            closed++;
        }
    }
    live_well(&m, 2000000, 20);
    printf("kills: %d lives killed (%d of them from their first moment on, %d left a log), %d closed between; %ld acknowledged calls "
           "and displays, %lld events, %lld notifications shown (%ld found shown at a start), %ld events delivered again, %ld batches "
           "offered again, %ld times all lists compared; nothing lost, nothing twice; %.0f s\n",
           count, at_start, with_log, closed + 1, m.acknowledged, (long long)m.sequence, (long long)m.shown, m.recovered,
           m.delivered_again, m.offered_again, m.dumps, seconds() - began);
    model_free(&m);
}

static int usage(void) {
    fprintf(stderr, "usage: torture [--seed N] [--folder PATH] [--kills N] [--calls N] [--power N] [--files N]\n");
    return 2;
}

int main(int count, char **arguments) {
    const char *place = "/tmp";
    int todo[4] = {0, 0, 0, 0};
    static const char *const names[4] = {"--kills", "--calls", "--power", "--files"};
    seed = (uint64_t)time(NULL);
    for (int i = 1; i < count; i++) {
        int known = 0;
        if (i + 1 == count) return usage();
        for (int j = 0; j < 4; j++)
            if (!strcmp(arguments[i], names[j])) todo[j] = atoi(arguments[i + 1]), known = 1;
        if (!strcmp(arguments[i], "--seed")) seed = strtoull(arguments[i + 1], NULL, 10), known = 1;
        if (!strcmp(arguments[i], "--folder")) place = arguments[i + 1], known = 1;
        if (!known) return usage();
        i++;
    }
    snprintf(folder, sizeof folder, "%s/torture-XXXXXX", place);
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    snprintf(store, sizeof store, "%s/store.db", folder);
    world = shared(sizeof *world);
    disk = shared(sizeof *disk);
    disk_told = told;
    snprintf(disk->path, sizeof disk->path, "%s", store);
    printf("torture: seed %llu\n", (unsigned long long)seed);
    if (todo[0]) kills(todo[0]);
    if (!keeps) {
        remove_store();
        rmdir(folder);
    }
    return 0;
}
