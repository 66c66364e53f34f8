/* One store file, and many who want it: engines of one process and of several, hosts that open and close the file themselves, children that outlive
 * their parent, files that are moved at the wrong moment (docs/store.md).
 *
 *   locks [--rounds N] [--seed N] FOLDER
 *
 * First the cases one by one, then N rounds: two processes with two engines each open, are refused, write, close and are killed in random order. A store is
 * held by one engine at a time, and every acknowledged write is there. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <plotengine.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define START INT64_C(1700000000000)
#define KEYS 5

static char folder[3000], store[3100], other[3100];
static const char *scene = "";
static uint64_t seed;

static void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
static void fail(const char *format, ...) {
    va_list list;
    fprintf(stderr, "locks: %s, seed %llu, process %d: ", scene, (unsigned long long)seed, (int)getpid());
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    exit(1);
}

static uint64_t random_bits(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* ---- What happens between two requests of the store's: the program's own calls stand before the C library's. */

static void (*before_lock)(void), (*before_second_open)(void);
static int opens;

static int fcntl_any(int fd, int command, void *argument) {
    if (command == F_OFD_SETLK && before_lock) {
        void (*now)(void) = before_lock;
        before_lock = NULL;
        now();
    }
    return (int)syscall(SYS_fcntl, fd, command, argument);
}

int fcntl(int fd, int command, ...) {
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    return fcntl_any(fd, command, argument);
}

int fcntl64(int fd, int command, ...) {
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    return fcntl_any(fd, command, argument);
}

static int open_any(const char *path, int flags, mode_t mode) {
    if (!strcmp(path, store) && ++opens == 2 && before_second_open) {
        void (*now)(void) = before_second_open;
        before_second_open = NULL;
        now();
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#define WITH_MODE                        \
    mode_t mode = 0;                     \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list list;                    \
        va_start(list, flags);           \
        mode = va_arg(list, mode_t);     \
        va_end(list);                    \
    }

int open(const char *path, int flags, ...) {
    WITH_MODE
    return open_any(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    WITH_MODE
    return open_any(path, flags, mode);
}

/* ---- Engines */

static plot_config *config;

static int start(plot_engine **engine, int64_t time, const char *path) {
    if (plot_engine_new(engine, NULL)) fail("no engine");
    int status = plot_engine_init(*engine, time, config, path, NULL);
    if (status) {
        plot_engine_free(*engine);
        *engine = NULL;
    }
    return status;
}

static void expect(int status, int expected, const char *what) {
    if (status != expected) fail("%s: %s, expected %s", what, plot_status_name(status), plot_status_name(expected));
}

static int set(plot_engine *engine, int64_t time, int key, uint64_t value) {
    char name[8], text[24];
    snprintf(name, sizeof name, "k%d", key);
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return plot_engine_set_string_segmentation_property(engine, time, name, text, NULL);
}

static uint64_t value_of(plot_engine *engine, int key) {
    char pattern[40];
    plot_string *text;
    if (plot_engine_get_segmentation_properties(engine, &text, NULL)) fail("the properties cannot be read");
    snprintf(pattern, sizeof pattern, "\"k%d\":", key);
    const char *at = strstr(plot_string_get(text), pattern);
    uint64_t value = 0;
    if (at) {
        at = strstr(at, "\"value\":\"");
        value = at ? strtoull(at + 9, NULL, 10) : UINT64_MAX;
    }
    plot_string_free(text);
    return value;
}

/* The status that another process gets. */
static int start_elsewhere(const char *path) {
    fflush(NULL);
    int pipes[2], status = -1;
    if (pipe(pipes)) fail("pipe");
    pid_t child = fork();
    if (!child) {
        /* A new program, as another app would be: nothing of this one is in its memory. */
        char number[12];
        snprintf(number, sizeof number, "%d", pipes[1]);
        execl("/proc/self/exe", "locks", "--start", number, path, (char *)NULL);
        _exit(99);
    }
    close(pipes[1]);
    if (read(pipes[0], &status, sizeof status) != sizeof status) fail("the other process said nothing");
    close(pipes[0]);
    waitpid(child, NULL, 0);
    return status;
}

/* How many locks of this kind anybody has on a file. */
static int locks_of(const char *kind, const char *path) {
    struct stat facts;
    char line[300], place[60];
    int count = 0;
    if (stat(path, &facts)) fail("%s: %s", path, strerror(errno));
    snprintf(place, sizeof place, ":%lu ", (unsigned long)facts.st_ino);
    FILE *file = fopen("/proc/locks", "r");
    while (file && fgets(line, sizeof line, file)) count += strstr(line, kind) && strstr(line, place);
    if (file) fclose(file);
    return count;
}

static void clean(void) {
    static const char *const ends[] = {"", "-wal", "-shm", "-log", "-journal", "-page", "-feed"};
    char name[3200];
    for (size_t i = 0; i < 2 * (sizeof ends / sizeof *ends); i++) {
        snprintf(name, sizeof name, "%s%s", i % 2 ? store : other, ends[i / 2]);
        unlink(name);
    }
    opens = 0;
}

/* Acts of careless hosts with a live file: back it up, look whether it is there. */
static void stray(const char *path) {
    char byte;
    int fd = open(path, O_RDONLY);
    if (fd < 0) return;
    if (read(fd, &byte, 1) < 0) fail("read: %s", strerror(errno));
    close(fd);
}

static void case_refused(void) {
    plot_engine *a, *b;
    scene = "an engine that is refused";
    expect(start(&a, START, store), PLOT_OK, "the first engine");
    int own = locks_of("POSIX", store);
    if (!own || locks_of("OFDLCK", store) != 1) fail("the file is locked by %d and %d", own, locks_of("OFDLCK", store));
    /* By its name, by a link, and by another name. */
    if (symlink(store, other)) fail("symlink");
    expect(start(&b, START, store), PLOT_STORE_BUSY, "the second engine");
    expect(start(&b, START, other), PLOT_STORE_BUSY, "by a link");
    unlink(other);
    if (link(store, other)) fail("link");
    expect(start(&b, START, other), PLOT_STORE_BUSY, "by another name");
    unlink(other);
    if (locks_of("POSIX", store) != own || locks_of("OFDLCK", store) != 1) fail("a refused engine has taken the locks away");
    expect(start_elsewhere(store), PLOT_STORE_BUSY, "another process");
    expect(set(a, START + 1000, 0, 7), PLOT_OK, "a write");
    plot_engine_free(a);
    expect(start_elsewhere(store), PLOT_OK, "another process, later");
}

static void case_stray(void) {
    plot_engine *a;
    char name[3200];
    scene = "a host that opens and closes the file";
    expect(start(&a, START, store), PLOT_OK, "the engine");
    expect(set(a, START + 1000, 0, 8), PLOT_OK, "a write");
    stray(store);
    snprintf(name, sizeof name, "%s-wal", store);
    stray(name);
    snprintf(name, sizeof name, "%s-log", store);
    stray(name);
    if (locks_of("POSIX", store)) fail("a stray close is meant to take SQLite's lock away");
    expect(start_elsewhere(store), PLOT_STORE_BUSY, "another process");
    /* As a feed and as a configuration: the library opens and closes it itself. */
    plot_feed *feed;
    plot_config *wrong;
    if (plot_feed_load(store, &feed, NULL) == PLOT_OK || plot_config_load(store, &wrong, NULL) == PLOT_OK) fail("a store is no document");
    expect(start_elsewhere(store), PLOT_STORE_BUSY, "another process");
    expect(set(a, START + 2000, 0, 9), PLOT_OK, "a write");
    plot_engine_free(a);
    expect(start(&a, START + 3000, store), PLOT_OK, "the engine again");
    if (value_of(a, 0) != 9) fail("a write is lost");
    plot_engine_free(a);
}

static void case_orphan(void) {
    plot_engine *engine;
    int ready[2], hold[2];
    pid_t orphan = 0;
    scene = "a child that outlives its parent";
    if (pipe(ready) || pipe(hold)) fail("pipe");
    fflush(NULL);
    pid_t parent = fork();
    if (!parent) {
        expect(start(&engine, START, store), PLOT_OK, "the parent");
        expect(set(engine, START + 1000, 1, 5), PLOT_OK, "a write");
        pid_t child = fork();
        if (!child) {
            char byte;
            plot_engine *again;
            close(hold[1]);
            expect(set(engine, START + 2000, 1, 6), PLOT_STORE_FAILED, "a write in the child");
            if (start(&again, START, store) != PLOT_STORE_BUSY) fail("the child has opened its parent's store");
            pid_t self = getpid();
            if (write(ready[1], &self, sizeof self) != sizeof self) _exit(1);
            /* Until the test lets go of it. */
            _exit(read(hold[0], &byte, 1) != 0);
        }
        for (;;) pause();
    }
    if (read(ready[0], &orphan, sizeof orphan) != sizeof orphan) fail("the child said nothing");
    expect(start_elsewhere(store), PLOT_STORE_BUSY, "while the parent lives");
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    if (kill(orphan, 0)) fail("the child has ended too early");
    expect(start_elsewhere(store), PLOT_OK, "after the parent was killed");
    expect(start(&engine, START + 5000, store), PLOT_OK, "here");
    if (value_of(engine, 1) != 5) fail("a write is lost");
    if (kill(orphan, 0)) fail("the child has ended too early");
    plot_engine_free(engine);
    for (int i = 0; i < 2; i++) close(ready[i]), close(hold[i]);
}

static void move_away(void) {
    if (rename(store, other)) fail("rename: %s", strerror(errno));
}
static void take_away(void) {
    if (unlink(store)) fail("unlink: %s", strerror(errno));
}
static void put_another(void) {
    if (rename(other, store)) fail("rename: %s", strerror(errno));
}

/* The store that is opened is the one at the path, and it is the one that is locked. */
static void case_moved(void) {
    static const struct { const char *name; void (*what)(void); int exists; } cases[] = {
        {"renamed", move_away, 1}, {"unlinked", take_away, 1}, {"replaced", put_another, 1},
        {"new, and renamed", move_away, 0}, {"new, and unlinked", take_away, 0}, {"new, and replaced", put_another, 0},
    };
    static char text[100];
    for (int i = 0; i < 12; i++) {
        plot_engine *engine;
        int is_second = i >= 6;
        const char *name = cases[i % 6].name;
        snprintf(text, sizeof text, "%s between opening and %s", name, is_second ? "SQLite's opening" : "locking");
        scene = text;
        clean();
        for (int j = 0; j < 2; j++) {
            const char *path = j ? other : store;
            if (j ? cases[i % 6].what != put_another : !cases[i % 6].exists) continue;
            expect(start(&engine, START, path), PLOT_OK, "a store");
            expect(set(engine, START + 1000, 0, 10 + (uint64_t)j), PLOT_OK, "a write");
            plot_engine_free(engine);
        }
        opens = 0;
        *(is_second ? &before_second_open : &before_lock) = cases[i % 6].what;
        expect(start(&engine, START + 2000, store), PLOT_OK, "the engine");
        if (before_lock || before_second_open) fail("nothing was moved");
        if (locks_of("OFDLCK", store) != 1 || !locks_of("POSIX", store)) fail("the file at the path is not locked");
        uint64_t expected = cases[i % 6].what == put_another ? 11 : 0;
        if (value_of(engine, 0) != expected) fail("another file was read");
        if (!access(other, F_OK) && locks_of("OFDLCK", other)) fail("the file that was moved away is still locked");
        expect(set(engine, START + 3000, 1, 3), PLOT_OK, "a write");
        expect(start_elsewhere(store), PLOT_STORE_BUSY, "another process");
        plot_engine_free(engine);
        expect(start(&engine, START + 4000, store), PLOT_OK, "the engine again");
        if (value_of(engine, 1) != 3) fail("a write is lost");
        plot_engine_free(engine);
    }
    clean();
}

/* ---- Rounds */

struct shared {
    uint64_t ticket;            /* of writes, from 1: the value that is written */
    uint64_t acknowledged[KEYS]; /* the newest */
    uint64_t tried[KEYS];        /* the newest that was begun */
    int holder;                  /* the process that has the store, 0 for nobody */
    int dying[2], killed;        /* processes that are being killed */
    long opened, refused, writes, strays, orphans, closed;
    int64_t time;
};
static struct shared *shared;

static void check_values(plot_engine *engine) {
    for (int key = 0; key < KEYS; key++) {
        uint64_t value = value_of(engine, key);
        if (value < shared->acknowledged[key] || value > shared->tried[key])
            fail("k%d is %llu: %llu was acknowledged, and %llu tried last", key, (unsigned long long)value,
                 (unsigned long long)shared->acknowledged[key], (unsigned long long)shared->tried[key]);
        /* An act that was tried and is there stays. */
        shared->acknowledged[key] = shared->tried[key] = value;
    }
}

static void play(int number, uint64_t dice) __attribute__((noreturn));
static void play(int number, uint64_t dice) {
    plot_engine *engines[2] = {NULL, NULL};
    char name[3200];
    int self = getpid();
    for (;;) {
        int slot = (int)(random_bits(&dice) & 1), holds = engines[0] || engines[1];
        int64_t time = __atomic_add_fetch(&shared->time, 1, __ATOMIC_SEQ_CST);
        switch (random_bits(&dice) % 12) {
            case 0: case 1: case 2: case 3:
                if (!engines[slot]) {
                    int status = start(&engines[slot], time, store);
                    if (status == PLOT_OK) {
                        int holder = __atomic_exchange_n(&shared->holder, self, __ATOMIC_SEQ_CST);
                        if (holds || (holder && holder != __atomic_load_n(&shared->dying[0], __ATOMIC_SEQ_CST)
                                      && holder != __atomic_load_n(&shared->dying[1], __ATOMIC_SEQ_CST)))
                            fail("the store is open already, in process %d", holds ? self : holder);
                        shared->opened++;
                        check_values(engines[slot]);
                    } else if (status == PLOT_STORE_BUSY) {
                        __atomic_add_fetch(&shared->refused, 1, __ATOMIC_RELAXED);
                    } else {
                        fail("opening: %s", plot_status_name(status));
                    }
                }
                break;
            case 4: case 5: case 6: case 7: case 8:
                for (int i = 0; i < 2; i++)
                    if (engines[i]) {
                        int key = (int)(random_bits(&dice) % KEYS);
                        uint64_t value = ++shared->ticket;
                        shared->tried[key] = value;
                        expect(set(engines[i], time, key, value), PLOT_OK, "a write");
                        shared->acknowledged[key] = value;
                        shared->writes++;
                    }
                break;
            case 9:
                if (random_bits(&dice) % 4 == 0 && engines[slot]) {
                    __atomic_store_n(&shared->holder, 0, __ATOMIC_SEQ_CST);
                    plot_engine_free(engines[slot]);
                    engines[slot] = NULL;
                    __atomic_add_fetch(&shared->closed, 1, __ATOMIC_RELAXED);
                }
                break;
            case 10: {
                static const char *const ends[] = {"", "-wal", "-log"};
                snprintf(name, sizeof name, "%s%s", store, ends[random_bits(&dice) % 3]);
                stray(name);
                __atomic_add_fetch(&shared->strays, 1, __ATOMIC_RELAXED);
                break;
            }
            default:
                if (random_bits(&dice) % 16 == 0) {
                    fflush(NULL);
                    pid_t child = fork();
                    if (!child) {
                        sleep(4);
                        _exit(0);
                    }
                    __atomic_add_fetch(&shared->orphans, 1, __ATOMIC_RELAXED);
                }
        }
        while (waitpid(-1, NULL, WNOHANG) > 0) {}
        (void)number;
    }
}

static const char *integrity(void) {
    static char answer[300];
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    snprintf(answer, sizeof answer, "it cannot be opened");
    if (!sqlite3_open_v2(store, &db, SQLITE_OPEN_READONLY, NULL)
        && !sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &statement, NULL) && sqlite3_step(statement) == SQLITE_ROW)
        snprintf(answer, sizeof answer, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return answer;
}

static void rounds(int count) {
    static char text[60];
    uint64_t dice = seed;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    clean();
    shared->time = START;
    long kills = 0;
    for (int round = 0; round < count; round++) {
        pid_t players[2];
        snprintf(text, sizeof text, "round %d", round);
        scene = text;
        for (int i = 0; i < 2; i++) {
            uint64_t own = random_bits(&dice);
            fflush(NULL);
            if (!(players[i] = fork())) play(i, own);
        }
        for (int i = 0; i < 3; i++) {
            usleep((useconds_t)(random_bits(&dice) % 12000));
            /* The last two end the round; the one before is followed by another process. */
            int at = i == 0 ? (int)(random_bits(&dice) & 1) : i - 1, status;
            __atomic_store_n(&shared->dying[at], players[at], __ATOMIC_SEQ_CST);
            kill(players[at], SIGKILL);
            if (waitpid(players[at], &status, 0) != players[at] || !WIFSIGNALED(status)) exit(1);
            kills++;
            if (i > 0) continue;
            int holder = players[at];
            __atomic_compare_exchange_n(&shared->holder, &holder, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
            uint64_t own = random_bits(&dice);
            fflush(NULL);
            if (!(players[at] = fork())) play(at, own);
        }
        shared->holder = 0;
        plot_engine *engine;
        /* A child that is forked just now closes its copy of the descriptor as soon as it runs; long before it ends. */
        int status = PLOT_STORE_BUSY;
        for (int i = 0; i < 200 && status == PLOT_STORE_BUSY; i++) {
            status = start(&engine, ++shared->time, store);
            if (status) usleep(10000);
        }
        expect(status, PLOT_OK, "after the round");
        check_values(engine);
        plot_engine_free(engine);
        if (strcmp(integrity(), "ok")) fail("PRAGMA integrity_check: %s", integrity());
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (count >= 50 && (!shared->refused || !shared->orphans || !shared->strays || !shared->closed || !shared->opened || !shared->writes))
        fail("something was never tried");
    printf("locks: %d rounds of two processes with two engines each, %ld killed: %ld opened, %ld refused, %ld closed, %ld acknowledged writes, %ld "
           "stray closes, %ld children left; one holder at a time, nothing lost; %.0f s\n",
           count, kills, shared->opened, shared->refused, shared->closed, shared->writes, shared->strays, shared->orphans,
           (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9);
}

int main(int count, char **arguments) {
    static const char text[] = "{\"publicToken\":\"T\",\"engine\":{\"noise\":\"exact\",\"initial\":\"enter\"}}";
    int todo = 500;
    if (plot_config_parse(text, sizeof text - 1, &config, NULL)) return 2;
    if (count == 4 && !strcmp(arguments[1], "--start")) {
        plot_engine *engine;
        int status = start(&engine, START + 10000, arguments[3]);
        plot_engine_free(engine);
        return write(atoi(arguments[2]), &status, sizeof status) != sizeof status;
    }
    seed = (uint64_t)time(NULL);
    for (int i = 1; i < count - 1; i += 2) {
        if (!strcmp(arguments[i], "--rounds") && i + 1 < count) todo = atoi(arguments[i + 1]);
        else if (!strcmp(arguments[i], "--seed") && i + 1 < count) seed = strtoull(arguments[i + 1], NULL, 10);
    }
    if (count < 2 || count % 2) {
        fprintf(stderr, "usage: locks [--rounds N] [--seed N] FOLDER\n");
        return 2;
    }
    snprintf(folder, sizeof folder, "%s/locks-XXXXXX", arguments[count - 1]);
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    snprintf(store, sizeof store, "%s/store.db", folder);
    snprintf(other, sizeof other, "%s/other.db", folder);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 1;
    case_refused();
    clean();
    case_stray();
    clean();
    case_orphan();
    case_moved();
    printf("locks: refused engines, stray closes, a child that outlives its parent, 12 moves at the wrong moment: one holder, nothing lost\n");
    rounds(todo);
    clean();
    if (rmdir(folder)) {
        perror(folder);
        return 1;
    }
    plot_config_free(config);
    return 0;
}
