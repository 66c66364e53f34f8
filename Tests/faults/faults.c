/* Requests for memory and of files fail, once, or from then on: at the N-th question, for each N that a scenario reaches. Each call then
 * gives an error and has changed nothing, or it succeeds; said again it succeeds; and what was acknowledged is there after reopening.
 *
 *   faults [--most RUNS] [--only KIND] [--spoil] FOLDER
 *
 * KIND: jansson, sqlite-memory, vfs, vfs-dead, log, log-dead. RUNS: at most so many for each kind, spread evenly; 0 for all.
 * --spoil: expects another end, to see that the checks find it. The files are made in FOLDER. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <plotengine.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- The fault: which question fails ------------------------------------------------------------------------ */

enum { JANSSON, MEMORY, VFS, LOG };
static int armed = -1;      /* the kind that is counted; -1: none */
static long count, fails;   /* questions so far; the one that fails, 0 for none */
static int is_dead;         /* all after it fail, too */
static long hits;           /* how many have failed */

static int failing(int kind) {
    if (kind != armed) return 0;
    count++;
    if (fails == 0 || count < fails || (count > fails && !is_dead)) return 0;
    hits++;
    return 1;
}

/* ---- Jansson's memory --------------------------------------------------------------------------------------- */

/* Not the growth of the buffer that a token is read into (twice as much each time): Jansson 2.14 goes on without the bytes that did not fit
 * (load.c, lex_save), and fails an assertion or writes behind the end. No caller can keep it from that. */
static int is_growth(size_t size) { return size >= 32 && (size & (size - 1)) == 0; }
static long growths;

static void *jansson_malloc(size_t size) {
    if (armed == JANSSON && is_growth(size)) growths++;
    else if (failing(JANSSON)) return NULL;
    return malloc(size);
}

/* ---- SQLite's memory ---------------------------------------------------------------------------------------- */

static sqlite3_mem_methods memory;
static void *memory_malloc(int size) { return failing(MEMORY) ? NULL : memory.xMalloc(size); }
static void *memory_realloc(void *old, int size) { return failing(MEMORY) ? NULL : memory.xRealloc(old, size); }

/* ---- SQLite's files ----------------------------------------------------------------------------------------- */

typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
} file;

static sqlite3_vfs *system_vfs;
#define REAL(f) (((file *)(f))->real)
#define PASS(f, call, ...) (REAL(f)->pMethods->call(REAL(f), ##__VA_ARGS__))

static int file_close(sqlite3_file *f) { return PASS(f, xClose); }
static int file_read(sqlite3_file *f, void *to, int size, sqlite3_int64 at) {
    return failing(VFS) ? SQLITE_IOERR_READ : PASS(f, xRead, to, size, at);
}
/* Half of it is written. */
static int file_write(sqlite3_file *f, const void *from, int size, sqlite3_int64 at) {
    if (!failing(VFS)) return PASS(f, xWrite, from, size, at);
    PASS(f, xWrite, from, size / 2, at);
    return is_dead ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}
static int file_truncate(sqlite3_file *f, sqlite3_int64 size) {
    return failing(VFS) ? SQLITE_IOERR_TRUNCATE : PASS(f, xTruncate, size);
}
static int file_sync(sqlite3_file *f, int flags) { return failing(VFS) ? SQLITE_IOERR_FSYNC : PASS(f, xSync, flags); }
static int file_size(sqlite3_file *f, sqlite3_int64 *size) {
    return failing(VFS) ? SQLITE_IOERR_FSTAT : PASS(f, xFileSize, size);
}
static int file_lock(sqlite3_file *f, int level) { return failing(VFS) ? SQLITE_IOERR_LOCK : PASS(f, xLock, level); }
static int file_unlock(sqlite3_file *f, int level) { return PASS(f, xUnlock, level); }
static int file_reserved(sqlite3_file *f, int *out) {
    return failing(VFS) ? SQLITE_IOERR_CHECKRESERVEDLOCK : PASS(f, xCheckReservedLock, out);
}
static int file_control(sqlite3_file *f, int op, void *arg) { return PASS(f, xFileControl, op, arg); }
static int file_sector(sqlite3_file *f) { return PASS(f, xSectorSize); }
static int file_device(sqlite3_file *f) { return PASS(f, xDeviceCharacteristics); }
static int file_map(sqlite3_file *f, int page, int size, int extend, void volatile **out) {
    return failing(VFS) ? SQLITE_IOERR_SHMMAP : PASS(f, xShmMap, page, size, extend, out);
}
static int file_shm_lock(sqlite3_file *f, int at, int n, int flags) {
    return failing(VFS) ? SQLITE_IOERR_SHMLOCK : PASS(f, xShmLock, at, n, flags);
}
static void file_barrier(sqlite3_file *f) { PASS(f, xShmBarrier); }
static int file_unmap(sqlite3_file *f, int remove) { return PASS(f, xShmUnmap, remove); }

static const sqlite3_io_methods methods = {
    2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock, file_reserved,
    file_control, file_sector, file_device, file_map, file_shm_lock, file_barrier, file_unmap, NULL, NULL,
};

static int vfs_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *f, int flags, int *out) {
    (void)vfs;
    f->pMethods = NULL;
    if (failing(VFS)) return SQLITE_CANTOPEN;
    REAL(f) = (sqlite3_file *)((file *)f + 1);
    int code = system_vfs->xOpen(system_vfs, name, REAL(f), flags, out);
    if (REAL(f)->pMethods) f->pMethods = &methods;
    return code;
}
static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    (void)vfs;
    return failing(VFS) ? SQLITE_IOERR_DELETE : system_vfs->xDelete(system_vfs, name, sync);
}
static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *out) {
    (void)vfs;
    return failing(VFS) ? SQLITE_IOERR_ACCESS : system_vfs->xAccess(system_vfs, name, flags, out);
}
static int vfs_full(sqlite3_vfs *vfs, const char *name, int size, char *out) {
    (void)vfs;
    return failing(VFS) ? SQLITE_CANTOPEN : system_vfs->xFullPathname(system_vfs, name, size, out);
}

static sqlite3_vfs faulty;

static void register_vfs(void) {
    system_vfs = sqlite3_vfs_find(NULL);
    faulty = *system_vfs;
    faulty.szOsFile = (int)sizeof(file) + system_vfs->szOsFile;
    faulty.zName = "faulty";
    faulty.pNext = NULL;
    faulty.xOpen = vfs_open;
    faulty.xDelete = vfs_delete;
    faulty.xAccess = vfs_access;
    faulty.xFullPathname = vfs_full;
    sqlite3_vfs_register(&faulty, 1);
}

/* ---- The log's files: these stand in the place of the C library's ------------------------------------------- */

static int is_log(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, "-log") == 0;
}

static int is_log_file(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    struct stat facts;
    if (syscall(SYS_newfstatat, AT_FDCWD, path, &facts, 0) == 0 && S_ISDIR(facts.st_mode)) return 1;
    return is_log(path);
}

static int failing_log(int fd) {
    if (armed != LOG || !is_log_file(fd) || !failing(LOG)) return 0;
    errno = EIO;
    return 1;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (armed == LOG && is_log(path) && failing(LOG)) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) __attribute__((alias("open")));

ssize_t pwrite(int fd, const void *from, size_t size, off_t at) {
    if (!failing_log(fd)) return syscall(SYS_pwrite64, fd, from, size, at);
    /* Half of it is written. */
    syscall(SYS_pwrite64, fd, from, size / 2, at);
    errno = is_dead ? ENOSPC : EIO;
    return -1;
}
ssize_t pwrite64(int fd, const void *from, size_t size, off_t at) __attribute__((alias("pwrite")));

ssize_t pread(int fd, void *to, size_t size, off_t at) {
    return failing_log(fd) ? -1 : syscall(SYS_pread64, fd, to, size, at);
}
ssize_t pread64(int fd, void *to, size_t size, off_t at) __attribute__((alias("pread")));

int fdatasync(int fd) { return failing_log(fd) ? -1 : (int)syscall(SYS_fdatasync, fd); }
int fsync(int fd) { return failing_log(fd) ? -1 : (int)syscall(SYS_fsync, fd); }
int fstat(int fd, struct stat *out) {
    return failing_log(fd) ? -1 : (int)syscall(SYS_newfstatat, fd, "", out, AT_EMPTY_PATH);
}
int unlink(const char *path) {
    if (armed == LOG && is_log(path) && failing(LOG)) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_unlink, path);
}

/* ---- The scenario ------------------------------------------------------------------------------------------- */

#define START 1747389600000LL
static const double NEAR = 52.36, FAR = 52.5, EAST = 4.885;

static const char config_text[] =
    "{\"publicToken\": \"t\", \"debug\": true, \"engine\": {\"noise\": \"exact\", \"initial\": \"enter\", \"filterDeadline\": 600}}";
static const char feed_text[] =
    "{\"version\": 1, \"regions\": [{\"id\": \"a\", \"type\": \"geofence\", \"name\": \"A\", \"latitude\": 52.36,"
    " \"longitude\": 4.885, \"radius\": 100, \"customFields\": {\"k\": \"v\"}},"
    " {\"id\": \"b\", \"type\": \"geofence\", \"latitude\": 52.4, \"longitude\": 4.885, \"radius\": 100}],"
    " \"campaigns\": [{\"id\": \"one\", \"type\": \"notification\", \"message\": \"One at {{name}}\", \"regions\": [\"a\"],"
    " \"content\": {\"title\": \"T\", \"userInfo\": {\"x\": [1, \"two\", null]}}},"
    " {\"id\": \"two\", \"type\": \"notification\", \"message\": \"Two\", \"regions\": [\"a\", \"b\"], \"resend\": true},"
    " {\"id\": \"stay\", \"type\": \"notification\", \"message\": \"Stay\", \"trigger\": \"dwelling\", \"dwellingMinutes\": 5,"
    " \"regions\": [\"b\"]}, {\"id\": \"g\", \"type\": \"geotrigger\", \"name\": \"G\", \"regions\": [\"a\"]}]}";

static char store[4096];
static plot_engine *engine;
static uint64_t filter_token, geotrigger_token;
static char shown[64][64];
static int shown_count;
static char first_error[512];

static void die(const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    fputs("faults: ", stderr);
    vfprintf(stderr, format, rest);
    fputc('\n', stderr);
    va_end(rest);
    exit(1);
}

static void on_filter(void *data, plot_engine *from, uint64_t token, plot_list *list) {
    (void)data, (void)from, (void)list;
    filter_token = token;
}
static void on_geotriggers(void *data, plot_engine *from, uint64_t token, plot_list *list) {
    (void)data, (void)from, (void)list;
    geotrigger_token = token;
}
static int32_t on_show(void *data, plot_engine *from, const plot_item *item) {
    (void)data, (void)from;
    const char *match = NULL;
    if (plot_item_get_string(item, PLOT_KEY_MATCH_IDENTIFIER, &match) != PLOT_OK || shown_count == 64) return PLOT_OK;
    snprintf(shown[shown_count++], 64, "%s", match);
    return PLOT_OK;
}

static int64_t minute(int n) { return START + n * 60000LL; }

static int32_t start(int64_t time) {
    plot_config *config = NULL;
    plot_error *error = NULL;
    int32_t status = engine ? PLOT_OK : plot_engine_new(&engine, NULL);
    if (status == PLOT_OK) status = plot_engine_set_filter_callback(engine, on_filter, NULL, NULL, &error);
    if (status == PLOT_OK) status = plot_engine_set_geotrigger_callback(engine, on_geotriggers, NULL, NULL, &error);
    if (status == PLOT_OK) status = plot_engine_set_show_callback(engine, on_show, NULL, NULL, &error);
    if (status == PLOT_OK) status = plot_config_parse(config_text, strlen(config_text), &config, &error);
    if (status == PLOT_OK) status = plot_engine_init(engine, time, config, store, &error);
    if (status != PLOT_OK && error) snprintf(first_error, sizeof first_error, "%s", plot_error_get_message(error));
    plot_config_free(config);
    plot_error_free(error);
    return status;
}

static void end(void) {
    plot_engine_close(engine);
    plot_engine_free(engine);
    engine = NULL;
}

static int32_t fix(int n, double latitude, plot_error **error) {
    return plot_engine_update_location(engine, minute(n), latitude, EAST, 5, -1, -1, error);
}

static int32_t set_feed(plot_error **error) {
    plot_feed *feed = NULL;
    int32_t status = plot_feed_parse(feed_text, strlen(feed_text), &feed, error);
    if (status == PLOT_OK) status = plot_engine_set_feed(engine, minute(1), feed, error);
    plot_feed_free(feed);
    return status;
}

/* All of a batch is kept, one of it with other words. */
static int32_t answer(int n, uint64_t token, int is_filter, plot_error **error) {
    plot_list *list = NULL;
    int32_t status = plot_engine_get_batch(engine, token, &list, error);
    if (status == PLOT_OK && is_filter && plot_list_get_count(list) > 0)
        status = plot_item_set_json(plot_list_get(list, 0), "userInfo", "{\"edited\": [true]}", 18, error);
    if (status == PLOT_OK)
        status = is_filter ? plot_engine_answer_filter(engine, minute(n), token, list, error)
                           : plot_engine_mark_geotriggers_handled(engine, minute(n), token, list, error);
    plot_list_free(list);
    return status;
}

static int32_t plan(int n, plot_error **error) {
    plot_string *out = NULL;
    int32_t status = plot_engine_plan_regions(engine, minute(n), NEAR, EAST, 5, 5, 0, &out, error);
    plot_string_free(out);
    return status;
}

static int32_t message(int n, const char *text, plot_error **error) {
    return plot_engine_process_message(engine, minute(n), text, strlen(text), error);
}

enum { STEPS = 20, REOPEN = 11, CLEAR = 18 };

static int32_t step(int n, plot_error **error) {
    static const char list[] = "{\"version\": 1, \"entries\": [\"x\", \"y\"]}";
    switch (n) {
        case 0: return start(minute(0));
        case 1: return set_feed(error);
        case 2: return plot_engine_set_string_segmentation_property(engine, minute(1), "gender", "F", error);
        case 3: return plot_engine_set_double_segmentation_property(engine, minute(1), "spent", 10.35, error);
        case 4: return fix(2, FAR, error);
        case 5: return fix(30, NEAR, error);
        case 6: return answer(31, filter_token, 1, error);
        case 7: return answer(31, geotrigger_token, 0, error);
        case 8: return message(32, "{\"id\": \"m1\", \"body\": \"b\", \"correlationKey\": \"k\", \"revision\": 1}", error);
        case 9: return plot_engine_set_list(engine, minute(32), "l", list, strlen(list), error);
        case 10: return plan(33, error);
        case REOPEN:
            if (engine) end();
            return start(minute(34));
        case 12: return fix(60, 52.4, error);
        case 13: return answer(61, filter_token, 1, error);
        case 14: return plot_engine_advance(engine, minute(66), error);
        case 15: return plot_engine_clear_segmentation_property(engine, minute(67), "gender", error);
        case 16: return fix(90, FAR, error);
        case 17: return plot_engine_clear_sent_geotriggers(engine, minute(91), error);
        case CLEAR: return plot_engine_clear_all_data(engine, minute(92), error);
        default: return plot_engine_set_time_zone(engine, minute(93), "Europe/Amsterdam", error);
    }
}

/* ---- What is observed --------------------------------------------------------------------------------------- */

typedef struct {
    char text[16384];
    size_t length;
} digest;

static void add(digest *to, const char *text) {
    size_t length = strlen(text);
    if (to->length + length + 2 > sizeof to->text) die("the digest is too small");
    memcpy(to->text + to->length, text, length);
    to->length += length;
    to->text[to->length++] = '\n';
    to->text[to->length] = 0;
}

static void add_string(digest *to, int32_t (*get)(plot_engine *, plot_string **, plot_error **)) {
    plot_string *out = NULL;
    if (get(engine, &out, NULL) != PLOT_OK) die("a question about the state has failed");
    add(to, plot_string_get(out));
    plot_string_free(out);
}

/* Items without times: one that was found again counts as shown at the start. */
static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* The same, in any order: what is found again is the newest. */
static void add_items(digest *to, const plot_list *list) {
    size_t items = plot_list_get_count(list);
    char *texts[64];
    if (items > 64) die("too many items");
    for (size_t i = 0; i < items; i++) {
        digest one = {.length = 0};
        const plot_item *item = plot_list_get(list, i);
        const char *keys[] = {PLOT_KEY_IDENTIFIER, PLOT_KEY_MATCH_IDENTIFIER, PLOT_KEY_MESSAGE};
        for (int k = 0; k < 3; k++) {
            const char *text = NULL;
            if (plot_item_get_string(item, keys[k], &text) == PLOT_OK) add(&one, text);
        }
        plot_string *json = NULL;
        if (plot_item_get_json(item, "userInfo", &json) == PLOT_OK) add(&one, plot_string_get(json));
        plot_string_free(json);
        texts[i] = strdup(one.text);
    }
    qsort(texts, items, sizeof *texts, by_text);
    for (size_t i = 0; i < items; i++) {
        add(to, texts[i]);
        free(texts[i]);
    }
    add(to, "-");
}

static void observe(digest *to) {
    int kind = armed;
    char text[64];
    armed = -1;
    to->length = 0;
    to->text[0] = 0;
    add_string(to, plot_engine_get_visits);
    add_string(to, plot_engine_get_segmentation_properties);
    add_string(to, plot_engine_get_lists);
    add_string(to, plot_engine_get_time_zone);
    int32_t (*lists[])(plot_engine *, plot_list **, plot_error **) = {
        plot_engine_get_sent_notifications, plot_engine_get_sent_geotriggers, plot_engine_get_displayed_notifications};
    for (int i = 0; i < 4; i++) {
        plot_list *list = NULL;
        int32_t status = i < 3 ? lists[i](engine, &list, NULL)
                               : plot_engine_get_loaded_notifications(engine, 0, &list, NULL);
        if (status != PLOT_OK) die("a list cannot be had");
        if (i < 3) add_items(to, list);
        /* Their order depends on where the device is, which is not kept. */
        snprintf(text, sizeof text, "%zu", plot_list_get_count(list));
        add(to, text);
        plot_list_free(list);
    }
    int64_t wakeup = 0;
    if (plot_engine_next_wakeup(engine, &wakeup, NULL) != PLOT_OK) die("no wakeup");
    snprintf(text, sizeof text, "wakeup %lld", (long long)wakeup);
    add(to, text);
    armed = kind;
}

static digest after[STEPS]; /* what is seen after each step when nothing fails */
static int shown_after;

static int open_files(void) {
    DIR *folder = opendir("/proc/self/fd");
    int number = 0;
    while (readdir(folder)) number++;
    closedir(folder);
    return number;
}

static void remove_files(void) {
    const char *ends[] = {"", "-wal", "-log", "-page", "-feed", "-shm", "-journal"};
    for (int i = 0; i < 6; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s%s", store, ends[i]);
        unlink(path);
    }
}

/* ---- One run ------------------------------------------------------------------------------------------------ */

static const char *kinds[] = {"jansson", "sqlite-memory", "vfs", "vfs-dead", "log", "log-dead"};
static const int kind_of[] = {JANSSON, MEMORY, VFS, VFS, LOG, LOG};
static const char *what;
static long errors, undone;

static void same(const char *expected, const char *found, int n, const char *when) {
    if (strcmp(expected, found) == 0) return;
    die("%s %ld, step %d, %s: it should be\n%s\nand is\n%s", what, fails, n, when, expected, found);
}

static void check_shown(int n) {
    for (int i = 0; i < shown_count; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(shown[i], shown[j]) == 0) die("%s %ld, step %d: %s is shown twice", what, fails, n, shown[i]);
}

/* Opens the store with nothing failing. What is seen then is one of two. */
static int reopen(int n, const char *either, const char *other) {
    armed = -1;
    first_error[0] = 0;
    if (engine) end();
    int32_t status = start(minute(0));
    if (status != PLOT_OK) die("%s %ld, step %d: the store does not open again: %d %s", what, fails, n, status, first_error);
    digest seen;
    observe(&seen);
    if (either && strcmp(seen.text, either) == 0) return 0;
    if (other && strcmp(seen.text, other) == 0) return 1;
    if (either) same(either, seen.text, n, "after reopening");
    return 0;
}

static void run(int kind, long at, int dead) {
    remove_files();
    int files = open_files();
    shown_count = 0;
    filter_token = geotrigger_token = 0;
    count = hits = 0;
    fails = at;
    is_dead = dead;
    armed = kind;
    for (int n = 0; n < STEPS; n++) {
        plot_error *error = NULL;
        int32_t status = step(n, &error);
        int failed = status != PLOT_OK;
        int is_cleared = failed && error && strstr(plot_error_get_message(error), "all is cleared") != NULL;
        plot_error_free(error);
        digest seen;
        if (failed) {
            errors++;
            if (hits == 0) die("%s %ld, step %d: status %d, but nothing has failed", what, fails, n, status);
            if (status == PLOT_STORE_NEWER || status == PLOT_NOT_FOUND) die("%s %ld: status %d", what, fails, status);
            if (is_cleared && n != CLEAR) die("%s %ld, step %d: nothing was to be cleared", what, fails, n);
            const char *before = is_cleared ? after[n].text : n > 0 ? after[n - 1].text : NULL;
            if (n > 0 && n != REOPEN) {
                observe(&seen);
                same(before, seen.text, n, "after an error");
            }
            if (dead) {
                /* Acknowledged events are there; others may be. */
                undone += !reopen(n, before, after[n].text);
            } else {
                fails = 0;
            }
            armed = dead ? -1 : kind;
            if (n != REOPEN || !dead) {
                /* Done again, also where it has been done. */
                status = step(n, NULL);
                if (status != PLOT_OK && !dead) die("%s %ld, step %d: once more, and the status is %d", what, at, n, status);
            }
            fails = at;
        }
        observe(&seen);
        if (dead && !failed && strcmp(after[n].text, seen.text) != 0) {
            /* The host's answer is not on the disk, and nothing further is taken before it is. */
            if (hits == 0) die("%s %ld, step %d: nothing has failed", what, fails, n);
            if (plot_engine_set_foreground(engine, minute(95), 1, NULL) != PLOT_STORE_FAILED)
                die("%s %ld, step %d: a further input is taken", what, fails, n);
            reopen(n, after[n].text, NULL);
            observe(&seen);
        }
        if (!(failed && dead)) same(after[n].text, seen.text, n, failed ? "when it was done again" : "after success");
    }
    armed = dead ? kind : -1;
    end();
    reopen(STEPS, after[STEPS - 1].text, NULL);
    end();
    check_shown(STEPS);
    if (!dead && shown_count != shown_after) die("%s %ld: %d were shown, not %d", what, at, shown_count, shown_after);
    if (plot_live_objects() != 0) die("%s %ld: %lld objects are left", what, at, (long long)plot_live_objects());
    if (open_files() != files) die("%s %ld: %d files are left open", what, at, open_files() - files);
    armed = -1;
}

/* Nothing fails; the questions of a kind are counted. */
static long reach(int kind) {
    remove_files();
    shown_count = 0;
    count = hits = fails = 0;
    is_dead = 0;
    armed = kind;
    for (int n = 0; n < STEPS; n++) {
        plot_error *error = NULL;
        int32_t status = step(n, &error);
        if (status != PLOT_OK) die("step %d: %d %s %s", n, status, error ? plot_error_get_message(error) : "", first_error);
        observe(&after[n]);
    }
    armed = kind;
    end();
    armed = -1;
    shown_after = shown_count;
    if (shown_after < 3) die("only %d are shown", shown_after);
    return count;
}

int main(int argc, char **argv) {
    long most = 0;
    const char *only = NULL;
    int is_spoilt = 0;
    int at = 1;
    for (; at < argc - 1; at++) {
        if (strcmp(argv[at], "--most") == 0) most = atol(argv[++at]);
        else if (strcmp(argv[at], "--only") == 0) only = argv[++at];
        else if (strcmp(argv[at], "--spoil") == 0) is_spoilt = 1;
        else die("unknown: %s", argv[at]);
    }
    if (at != argc - 1) die("faults [--most RUNS] [--only KIND] [--spoil] FOLDER");
    snprintf(store, sizeof store, "%s/store", argv[at]);

    json_set_alloc_funcs(jansson_malloc, free);
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory) != SQLITE_OK) die("SQLite's memory cannot be had");
    sqlite3_mem_methods counted = memory;
    counted.xMalloc = memory_malloc;
    counted.xRealloc = memory_realloc;
    /* Without a lookaside, each piece is asked for. */
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &counted) != SQLITE_OK ||
        sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) != SQLITE_OK || sqlite3_initialize() != SQLITE_OK)
        die("SQLite's memory cannot be set");
    register_vfs();

    int played = 0;
    for (int k = 0; k < 6; k++) {
        what = kinds[k];
        if (only && strcmp(only, what) != 0) continue;
        played++;
        long all = reach(kind_of[k]);
        if (all < 10) die("%s: only %ld questions", what, all);
        if (is_spoilt) after[STEPS - 3].text[0] ^= 1;
        long stride = most > 0 && all > most ? (all + most - 1) / most : 1;
        long runs = 0;
        errors = undone = 0;
        for (long n = 1; n <= all; n += stride, runs++) run(kind_of[k], n, k == 3 || k == 5);
        if (errors == 0) die("%s: nothing has led to an error", what);
        printf("%-14s %6ld questions, %5ld runs, %5ld errors, each with the state of before; reopened, nothing lost\n", what, all, runs, errors);
    }
    if (!played) die("there is no kind %s", only);
    remove_files();
    return 0;
}
