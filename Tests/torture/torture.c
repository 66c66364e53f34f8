/* Lives of an engine on a store that end badly, and what is found after them (docs/reliability.md). */
#define _GNU_SOURCE
#include "disk.h"
#include "life.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <plotengine.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[3000];
static char store[3100];
static uint64_t seed;
static const char *part = "";
static char where[300];
static size_t told_to;
static char previous[20000]; /* what the life before told, without its lists */

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
    fprintf(stderr, "The life before:\n%s\n", previous);
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

/* The files that the disk of disk.c knows, and the two that may be absent: the page, which is written without a system call, and the compiled feed. */
enum { PAGE = 4, FEED, FILES };

static const char *end_of_name(int file) { return file == PAGE ? "-page" : file == FEED ? "-feed" : disk_names[file]; }

static char *name_of(int file) {
    static char name[FILES][3200];
    snprintf(name[file], sizeof name[file], "%s%s", store, end_of_name(file));
    return name[file];
}

static void remove_store(void) {
    for (int i = 0; i < FILES; i++) unlink(name_of(i));
}

/* With what a start left there that was killed while it set a store aside. */
static void remove_folder(void) {
    DIR *files = opendir(folder);
    for (struct dirent *file; files && (file = readdir(files));) {
        char name[3500];
        snprintf(name, sizeof name, "%s/%s", folder, file->d_name);
        unlink(name);
    }
    if (files) closedir(files);
    if (rmdir(folder)) fail("rmdir: %s", strerror(errno));
}

/* The files of a store in memory. */
struct files { unsigned char *bytes[FILES]; long length[FILES]; /* -1: not there */ };

static void keep(struct files *files) {
    for (int i = 0; i < FILES; i++) {
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
    for (int i = 0; i < FILES; i++) {
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
    for (int i = 0; i < FILES; i++) {
        /* An empty -wal says nothing, and SQLite takes it away. */
        if (i == 1 && now.length[i] < 0 && files->length[i] == 0) now.length[i] = 0;
        int is = now.length[i] == files->length[i]
                 && (now.length[i] <= 0 || !memcmp(now.bytes[i], files->bytes[i], (size_t)now.length[i]));
        if (!is) fprintf(stderr, "%s: %ld bytes, there were %ld\n", name_of(i), now.length[i], files->length[i]);
        same &= is;
        free(now.bytes[i]);
    }
    return same;
}

static void drop(struct files *files) {
    for (int i = 0; i < FILES; i++) free(files->bytes[i]);
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
    disk->kill_torn = disk->kill_replaced = 0;
    disk->fail_file = -1;
}

static pid_t start(uint64_t number, int steps) {
    size_t length = 0;
    for (const char *line = world->text, *end; line < world->text + world->used; line = end + 1) {
        end = memchr(line, '\n', world->used - (size_t)(line - world->text));
        if (!end) break;
        size_t size = (size_t)(end + 1 - line);
        if (*line == 'd') continue;
        if (length + size >= sizeof previous) {
            memmove(previous, previous + length / 2, length - length / 2);
            length -= length / 2;
        }
        if (length + size >= sizeof previous) continue;
        memcpy(previous + length, line, size);
        length += size;
    }
    previous[length] = 0;
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

/* SQLite's answer about the files of a killed process. */
static void check_raw(void) {
    struct files files = {{0}, {0}};
    char here[sizeof store];
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

/* ---- Killed at each request to the disk */

/* How many requests the life of this number makes from nothing to its end. */
static uint64_t requests_of(uint64_t number, int steps) {
    struct model m;
    memset(&m, 0, sizeof m);
    new_world();
    remove_store();
    live_well(&m, number, steps);
    model_free(&m);
    return disk->count;
}

static void calls(int count) {
    const int steps = 60;
    double began = seconds();
    int done = 0, twice = 0;
    long acknowledged = 0, recovered = 0;
    uint64_t dice = seed + 1;
    part = "calls";
    for (uint64_t scenario = 0; done < count; scenario++) {
        snprintf(where, sizeof where, "scenario %llu", (unsigned long long)scenario);
        uint64_t number = 3000000 + scenario, all = requests_of(number, steps);
        /* The first scenario as far as the count allows evenly; torn writes in every other. */
        uint64_t stride = all > (uint64_t)(count - done) ? all / (uint64_t)(count - done) + 1 : 1;
        for (uint64_t n = 1 + random_bits(&dice) % stride; n <= all; n += stride, done++) {
            struct model m;
            memset(&m, 0, sizeof m);
            new_world();
            remove_store();
            no_faults();
            disk->kill_at = n;
            disk->kill_torn = (int)((n + scenario) & 1);
            snprintf(where, sizeof where, "scenario %llu, killed before request %llu of %llu", (unsigned long long)scenario,
                     (unsigned long long)n, (unsigned long long)all);
            int status = end_of(start(number, steps));
            take(&m, status);
            /* The order of some writes, and so their number, is not quite the same in each process. */
            if (status == 0) {
                if (n * 10 < all * 9) fail("it was not killed");
                model_free(&m);
                break;
            }
            check_raw();
            if (n % 3) {
                /* The next start, too. */
                no_faults();
                disk->kill_at = 1 + random_bits(&dice) % 24;
                disk->kill_torn = !disk->kill_torn;
                take(&m, end_of(start(number + 500, 2)));
                check_raw();
                twice++;
            }
            live_well(&m, number + 1000, 4);
            acknowledged += m.acknowledged;
            recovered += m.recovered;
            model_free(&m);
        }
    }
    printf("calls: killed before %d requests to the disk, half of those writes begun (%d times the next start, too); %ld acknowledged calls "
           "and displays, %ld found shown at a start; nothing lost, nothing twice; %.0f s\n",
           done, twice, acknowledged, recovered, seconds() - began);
}

/* ---- The power goes */

/* A file as the disk has it, and what has been written since. */
struct inode { unsigned char *bytes; uint64_t length; struct { const struct disk_op *op; } pending[4096]; int pending_count; };
struct naming { int file, inode; };
struct platter {
    struct inode inodes[64];
    int inode_count;
    int names[4], durable[4]; /* -1: no such file */
    struct naming pending[256];
    int pending_count;
};

static void write_to(struct inode *inode, uint64_t offset, const void *bytes, uint64_t length) {
    if (offset + length > inode->length) {
        inode->bytes = realloc(inode->bytes, offset + length);
        memset(inode->bytes + inode->length, 0, offset + length - inode->length);
        inode->length = offset + length;
    }
    memcpy(inode->bytes + offset, bytes, length);
}

static void put(struct inode *inode, const struct disk_op *op, int is_torn, uint64_t *dice) {
    const unsigned char *bytes = (const unsigned char *)(op + 1);
    if (op->kind == DISK_TRUNCATE) {
        if (op->offset < inode->length) inode->length = op->offset;
        return;
    }
    if (!is_torn) {
        write_to(inode, op->offset, bytes, op->length);
        return;
    }
    /* Sectors of 512 bytes get there, or not. */
    for (uint64_t at = 0; at < op->length;) {
        uint64_t size = 512 - (op->offset + at) % 512;
        if (size > op->length - at) size = op->length - at;
        if (random_bits(dice) & 1) write_to(inode, op->offset + at, bytes + at, size);
        at += size;
    }
}

static void play(struct platter *p, const struct disk_op *op) {
    int at = p->names[op->file];
    switch (op->kind) {
        case DISK_CREATE:
        case DISK_UNLINK:
            at = -1;
            if (op->kind == DISK_CREATE) {
                at = p->inode_count++;
                if (at == 64) fail("too many files");
                memset(&p->inodes[at], 0, sizeof p->inodes[at]);
            }
            p->names[op->file] = at;
            p->pending[p->pending_count++] = (struct naming){(int)op->file, at};
            if (p->pending_count == 256) fail("too many names");
            return;
        case DISK_SYNC_FOLDER:
            memcpy(p->durable, p->names, sizeof p->durable);
            p->pending_count = 0;
            return;
        case DISK_SYNC:
            if (at < 0) return;
            for (int i = 0; i < p->inodes[at].pending_count; i++) put(&p->inodes[at], p->inodes[at].pending[i].op, 0, NULL);
            p->inodes[at].pending_count = 0;
            return;
        default:
            if (at < 0) return;
            if (p->inodes[at].pending_count == 4096) fail("too many writes");
            p->inodes[at].pending[p->inodes[at].pending_count++].op = op;
    }
}

/* The disk after the power went: nothing that was not waited for, all of it, some of it, or parts of some of it. */
static void lose(struct platter *p, int variant, uint64_t *dice) {
    int names = variant == 0 ? 0 : variant == 1 ? p->pending_count : (int)(random_bits(dice) % (uint64_t)(p->pending_count + 1));
    for (int i = 0; i < names; i++) p->durable[p->pending[i].file] = p->pending[i].inode;
    for (int i = 0; i < p->inode_count; i++)
        for (int j = 0; j < p->inodes[i].pending_count; j++) {
            if (variant == 0 || (variant > 1 && random_bits(dice) & 1)) continue;
            put(&p->inodes[i], p->inodes[i].pending[j].op, variant == 3, dice);
        }
    struct files files = {{0}, {0}};
    files.length[PAGE] = files.length[FEED] = -1;
    for (int i = 0; i < 4; i++) {
        files.length[i] = p->durable[i] < 0 ? -1 : (long)p->inodes[p->durable[i]].length;
        files.bytes[i] = p->durable[i] < 0 ? NULL : p->inodes[p->durable[i]].bytes;
    }
    put_back(&files);
}

/* Answers about geotriggers do not wait for the disk while nobody hears of events: each is there, or its batch is offered again; and an answer
 * before a transaction that was waited for is there. */
static void check_quiet(const char *text, size_t length, const char *after, size_t after_length) {
    static struct { unsigned long long token; int is_answered; char match[40]; } asked[2000];
    int count = 0;
    for (size_t at = 0; at < length;) {
        unsigned long long token;
        int is_geotrigger, items, used = 0;
        const char *end = memchr(text + at, '\n', length - at);
        if (!end) break;
        char line[400];
        snprintf(line, sizeof line, "%.*s", (int)(end - (text + at)), text + at);
        at = (size_t)(end - text) + 1;
        if (sscanf(line, "F %llu %d %d %n", &token, &is_geotrigger, &items, &used) == 3 && count < 2000) {
            asked[count].token = token;
            asked[count].is_answered = 0;
            snprintf(asked[count].match, sizeof asked[count].match, "%.36s", line + used);
            count++;
        } else if (sscanf(line, "A %llu", &token) == 1) {
            for (int i = count - 1; i >= 0 && asked[i].token == token; i--) asked[i].is_answered = 1;
        }
    }
    for (int i = count > 60 ? count - 60 : 0; i < count; i++) {
        char again[64], handled[64];
        snprintf(again, sizeof again, "\nF %llu ", asked[i].token);
        snprintf(handled, sizeof handled, "\ndg %s 1", asked[i].match);
        int is_again = memmem(after, after_length, again, strlen(again)) != NULL;
        int is_handled = memmem(after, after_length, handled, strlen(handled)) != NULL;
        if (!is_handled) fail("geotrigger %s is not in the list as handled", asked[i].match);
        /* Another batch was asked about since, which was waited for. */
        if (asked[i].token == asked[count - 1].token) continue;
        if (is_again) fail("batch %llu was offered again, and its answer was on the disk", asked[i].token);
        if (!asked[i].is_answered) fail("batch %llu was not answered before the next one", asked[i].token);
    }
}

static int quiet_power(int count, uint64_t *dice, struct platter *p, char *text) {
    int done = 0, again = 0;
    snprintf(where, sizeof where, "answers about geotriggers");
    new_world();
    world->is_quiet = 1;
    remove_store();
    no_faults();
    disk->used = 0;
    disk->room = UINT64_C(1) << 28;
    if (end_of(start(4500000, 120))) fail("the life did not end well");
    disk->room = 0;
    memcpy(text, world->text, world->used);
    size_t length = world->used;
    int64_t mono = world->mono;
    uint64_t recorded = disk->used;
    while (done < count) {
        uint64_t stop = random_bits(dice) % recorded, at = 0;
        size_t until = length;
        memset(p, 0, sizeof *p);
        memset(p->names, 0xff, sizeof p->names);
        memset(p->durable, 0xff, sizeof p->durable);
        while (at < recorded) {
            const struct disk_op *op = (const struct disk_op *)(disk->record + at);
            until = op->told;
            if (at >= stop) break;
            play(p, op);
            at += sizeof *op + op->length;
        }
        int variant = done % 4;
        lose(p, variant, dice);
        for (int i = 0; i < p->inode_count; i++) free(p->inodes[i].bytes);
        snprintf(where, sizeof where, "answers about geotriggers, power lost at byte %llu of %llu, variant %d", (unsigned long long)at,
                 (unsigned long long)recorded, variant);
        world->mono = mono;
        world->open_count = 0;
        if (end_of(start(4600000, 0))) fail("the life after did not end well");
        check_quiet(text, until, world->text, world->used);
        again += memmem(world->text, world->used, "\nF ", 3) != NULL;
        done++;
    }
    if (count >= 100 && !again) fail("no batch was ever offered again: nothing was tried");
    world->is_quiet = 0;
    return done;
}

static void power(int count) {
    const int steps = 70;
    double began = seconds();
    int done = 0;
    long acknowledged = 0, lost = 0;
    uint64_t dice = seed + 2;
    char *text = malloc(sizeof world->text);
    struct platter *p = malloc(sizeof *p);
    part = "power";
    disk->record = shared(UINT64_C(1) << 28);
    for (uint64_t scenario = 0; done < count; scenario++) {
        snprintf(where, sizeof where, "scenario %llu", (unsigned long long)scenario);
        struct model all;
        memset(&all, 0, sizeof all);
        new_world();
        remove_store();
        disk->used = 0;
        disk->room = UINT64_C(1) << 28;
        live_well(&all, 4000000 + scenario, steps);
        model_free(&all);
        disk->room = 0;
        memcpy(text, world->text, world->used);
        size_t text_length = world->used;
        int64_t mono = world->mono;
        uint64_t recorded = disk->used;
        int ops = 0;
        for (uint64_t at = 0; at < recorded; ops++) {
            const struct disk_op *op = (const struct disk_op *)(disk->record + at);
            at += sizeof *op + op->length;
        }
        int stride = ops * 4 > count - done ? ops * 4 / (count - done) + 1 : 1;
        int turn = (int)(random_bits(&dice) % (uint64_t)stride);
        for (int cut = 0; cut <= ops; cut++)
            for (int variant = 0; variant < 4; variant++) {
                if (turn++ % stride) continue;
                struct model m;
                size_t until = text_length;
                memset(p, 0, sizeof *p);
                memset(p->names, 0xff, sizeof p->names);
                memset(p->durable, 0xff, sizeof p->durable);
                memset(&m, 0, sizeof m);
                m.loses_power = 1;
                uint64_t at = 0;
                for (int i = 0; i <= cut && at < recorded; i++) {
                    const struct disk_op *op = (const struct disk_op *)(disk->record + at);
                    if (i == cut) until = op->told;
                    else play(p, op);
                    at += sizeof *op + op->length;
                }
                for (int i = 0; i < p->inode_count; i++) lost += variant != 1 ? p->inodes[i].pending_count : 0;
                lose(p, variant, &dice);
                for (int i = 0; i < p->inode_count; i++) free(p->inodes[i].bytes);
                snprintf(where, sizeof where, "scenario %llu, power lost before request %d of %d, variant %d",
                         (unsigned long long)scenario, cut + 1, ops, variant);
                if (!model_take(&m, text, until)) fail("%s", m.fault);
                model_end(&m);
                world->open_count = 0;
                world->mono = mono;
                live_well(&m, 5000000 + scenario, 3);
                acknowledged += m.acknowledged;
                model_free(&m);
                done++;
            }
    }
    int quiet = quiet_power(count / 5, &dice, p, text);
    printf("power: answers about geotriggers alone, at %d moments: handled, or offered again, and only the last ones\n", quiet);
    printf("power: gone at %d moments, %ld writes lost, in part or whole; %ld acknowledged calls and displays; all that had been waited for is "
           "there; %.0f s\n",
           done, lost, acknowledged, seconds() - began);
    free(p);
    free(text);
}

/* ---- A disk that is full, or fails; files that are damaged */

/* Whether the next starts set a damaged store aside. */
static int sets_aside;

/* The status of a start, in a process of its own; `mutate` runs in it first. */
static int start_status(int64_t time, void (*mutate)(void)) {
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        static const char configuration[] = "{\"publicToken\":\"T\",\"engine\":{\"noise\":\"exact\",\"initial\":\"enter\"}}";
        static const char aside[] =
            "{\"publicToken\":\"T\",\"engine\":{\"noise\":\"exact\",\"initial\":\"enter\",\"damagedStore\":\"setAside\"}}";
        const char *text = sets_aside ? aside : configuration;
        plot_config *config = NULL;
        plot_engine *engine = NULL;
        plot_list *list = NULL;
        if (mutate) mutate();
        disk_is_on = sets_aside;
        if (plot_config_parse(text, strlen(text), &config, NULL) || plot_engine_new(&engine, NULL)) _exit(100);
        int status = plot_engine_init(engine, time, config, store, NULL);
        if (status == PLOT_OK) {
            if (plot_engine_get_sent_notifications(engine, &list, NULL)) _exit(101);
            plot_list_free(list);
            status = plot_engine_update_location(engine, time, 52, 4, 10, -1, -1, NULL);
            if (status) status += 50;
        }
        plot_engine_free(engine);
        plot_config_free(config);
        _exit(plot_live_objects() ? 102 : status);
    }
    return end_of(child);
}

static void expect(int status, int expected) {
    if (status != expected)
        fail("the status is %s (%d), expected %s", plot_status_name(status), status, plot_status_name(expected));
}

/* Modes of files hold for the superuser's processes, too. */
static void unprivileged(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
    if (syscall(SYS_capset, &head, none)) _exit(103);
}

/* A disk without room, from some request on and for some time; and one that fails once. */
static void failing_disk(int count) {
    const int steps = 60;
    static const struct { const char *name; int error; uint32_t kinds; uint64_t length; } faults[] = {
        {"no room from request %llu on", ENOSPC, 1 << DISK_WRITE | 1 << DISK_CREATE, UINT64_MAX},
        {"no room from request %llu on, for 30 requests", ENOSPC, 1 << DISK_WRITE | 1 << DISK_CREATE, 30},
        {"request %llu, or the next write, fails", EIO, 1 << DISK_WRITE, 1},
        {"request %llu, or the next wait for the disk, fails", EIO, 1 << DISK_SYNC, 1},
        /* Neither what was written nor its erasure gets there: only then a refused call may be found done. */
        {"every wait and write from request %llu on fails", EIO, 1 << DISK_SYNC | 1 << DISK_WRITE, UINT64_MAX},
        {"every wait for the disk from request %llu on fails", EIO, 1 << DISK_SYNC, UINT64_MAX},
    };
    enum { kinds = sizeof faults / sizeof *faults };
    uint64_t dice = seed + 3;
    int done = 0, met = 0;
    long in_doubts = 0;
    double began = seconds();
    for (uint64_t scenario = 0; done < count; scenario++) {
        uint64_t number = 6000000 + scenario, all = requests_of(number, steps);
        uint64_t stride = all * (uint64_t)kinds / (uint64_t)(count - done) + 1;
        /* Every kind has its turn. */
        while (stride % 2 == 0 || stride % 3 == 0) stride++;
        uint64_t turn = random_bits(&dice) % stride;
        for (uint64_t n = 1; n <= all; n++)
            for (int kind = 0; kind < kinds; kind++) {
                if (turn++ % stride) continue;
                struct model m;
                memset(&m, 0, sizeof m);
                new_world();
                remove_store();
                no_faults();
                disk->fail_from = n;
                disk->fail_count = faults[kind].length;
                disk->fail_kinds = faults[kind].kinds;
                disk->fail_errno = faults[kind].error;
                int length = snprintf(where, sizeof where, "failing disk, scenario %llu, ", (unsigned long long)scenario);
                snprintf(where + length, sizeof where - (size_t)length, faults[kind].name, (unsigned long long)n);
                world->may_fail = 1;
                take(&m, end_of(start(number, steps)));
                world->may_fail = 0;
                met += disk->failed > 0;
                check_raw();
                live_well(&m, number + 1000, 4);
                if (m.in_doubts && kind < 4) fail("a call was in doubt, and the disk could have told");
                in_doubts += m.in_doubts;
                model_free(&m);
                done++;
            }
    }
    if (!in_doubts) fail("no call was ever in doubt");
    printf("failing disk: %d lives, %d of which it failed in; each call PLOT_OK or PLOT_STORE_FAILED, or PLOT_STORE_IN_DOUBT (%ld) where the disk "
           "failed for good; the host alive, all that was acknowledged there, nothing that was refused without a doubt; %.0f s\n",
           done, met, in_doubts, seconds() - began);
}

/* A file system of this process and its children alone, of so many bytes. */
static int mount_small(const char *at, const char *options) {
    uid_t user = geteuid();
    gid_t group = getegid();
    char map[32];
    if (unshare(CLONE_NEWNS)) {
        if (unshare(CLONE_NEWUSER | CLONE_NEWNS)) return 0;
        const struct { const char *path; unsigned id; } maps[] = {{"/proc/self/uid_map", user}, {"/proc/self/gid_map", group}};
        int deny = open("/proc/self/setgroups", O_WRONLY);
        if (deny < 0 || write(deny, "deny", 4) != 4 || close(deny)) return 0;
        for (int i = 0; i < 2; i++) {
            int length = snprintf(map, sizeof map, "0 %u 1", maps[i].id), file = open(maps[i].path, O_WRONLY);
            if (file < 0 || write(file, map, (size_t)length) != length || close(file)) return 0;
        }
    }
    return !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) && !mount("tmpfs", at, "tmpfs", 0, options);
}

/* A disk that is really full: a tmpfs, with a file in it that leaves some room, and is then taken away. */
static void full_disk(int count) {
    char small[3020], filler[3040];
    int met = 0, status;
    double began = seconds();
    fflush(NULL);
    pid_t child = fork();
    if (child) {
        if ((status = end_of(child))) exit(status);
        return;
    }
    snprintf(small, sizeof small, "%s/small", folder);
    snprintf(filler, sizeof filler, "%s/filler", small);
    snprintf(store, sizeof store, "%s/store.db", small);
    if (mkdir(small, 0700)) fail("mkdir: %s", strerror(errno));
    if (!mount_small(small, "size=4m")) {
        printf("full disk: a tmpfs cannot be mounted here; the failing disk below stands for it\n");
        rmdir(small);
        fflush(NULL);
        _exit(0);
    }
    for (int i = 0; i < count; i++) {
        struct model m;
        memset(&m, 0, sizeof m);
        new_world();
        remove_store();
        no_faults();
        int room = 4096 + i * 8192 % (512 << 10);
        snprintf(where, sizeof where, "full disk, %d bytes of room", room);
        int file = open(filler, O_CREAT | O_WRONLY, 0600);
        int is_full = file < 0 || posix_fallocate(file, 0, (4 << 20) - room);
        close(file);
        if (is_full) fail("there is not so much room");
        world->may_fail = 1;
        take(&m, end_of(start(8000000 + (uint64_t)i, 60)));
        world->may_fail = 0;
        int is_met = 0;
        for (const char *line = world->text; line - world->text < (long)world->used; line = strchr(line, '\n') + 1)
            is_met |= sscanf(line, "R %*d %d", &status) == 1 && status == PLOT_STORE_FAILED;
        met += is_met;
        unlink(filler);
        check_raw();
        live_well(&m, 8100000 + (uint64_t)i, 4);
        model_free(&m);
    }
    if (!met) fail("it was never full");
    printf("full disk: %d lives on a tmpfs of 4 MiB, %d of which had no room; each call PLOT_OK or PLOT_STORE_FAILED, the host alive, all that was "
           "acknowledged there; %.0f s\n",
           count, met, seconds() - began);
    remove_store();
    umount2(small, MNT_DETACH);
    rmdir(small);
    fflush(NULL);
    _exit(0);
}

struct aside { int count, killed; uint64_t requests; long known, shown; };

/* A damaged store is set aside, by starts that are killed at any request and at last by one that is not. What comes is a store, and what it knows
 * to have been shown is not shown again. */
static void aside(int64_t time, uint64_t *dice, struct aside *all) {
    static char known[1 << 20];
    sets_aside = 1;
    for (int i = all->count++ % 4; i > 0 && all->requests; i--) {
        disk->count = 0;
        disk->kill_at = 1 + random_bits(dice) % all->requests;
        disk->kill_torn = (int)(random_bits(dice) & 1);
        all->killed += start_status(time, NULL) == -1;
        if (access(store, F_OK)) fail("killed before request %llu: there is no store", (unsigned long long)disk->kill_at);
    }
    no_faults();
    disk->kill_replaced = 1;
    int status = start_status(time, NULL);
    disk->kill_replaced = 0;
    sets_aside = 0;
    /* One that was killed may have come as far. */
    if (status != -1 && status != PLOT_OK && status != 50 + PLOT_OUT_OF_ORDER) fail("set aside: the status is %d", status);
    if (status == -1 && disk->count > all->requests) all->requests = disk->count;
    if (strcmp(integrity(store), "ok")) fail("set aside: PRAGMA integrity_check: %s", integrity(store));
    shown_before(store, known, sizeof known);
    for (const char *line = known; (line = strchr(line, '\n')); line++) all->known++;
    int64_t mono = world->mono, offset = world->offset;
    world->used = 0;
    fflush(NULL);
    pid_t child = fork();
    if (!child) live_on(store);
    if ((status = end_of(child))) fail("after it was set aside: a life ended with status %d: %.*s", status, (int)world->used, world->text);
    const char *again = shown_again(known, world->text, world->used, &all->shown);
    if (again) fail("%s was shown again after the store was set aside", again);
    world->mono = mono, world->offset = offset;
    for (int i = 0; i < FILES; i++) {
        char name[400];
        snprintf(name, sizeof name, "%s-damaged%s", store, end_of_name(i));
        unlink(name);
    }
}

/* Files cut off, and overwritten, as a killed process left them: the store and all that lies beside it. */
static void damaged(int count) {
    struct files good = {{0}, {0}}, bad = {{0}, {0}};
    uint64_t dice = seed + 4;
    int statuses[2][FILES][20] = {{{0}}};
    struct aside set_aside = {0};
    double began = seconds();
    for (int i = 0; i < count; i++) {
        if (i % 50 == 0) {
            /* Another life. */
            struct model m;
            memset(&m, 0, sizeof m);
            new_world();
            remove_store();
            no_faults();
            snprintf(where, sizeof where, "damage, life %d", i / 50);
            /* In every other the tables hold a life that was closed; else all is in the -wal and the -log. */
            if (i / 50 % 2 == 0) live_well(&m, 7500000 + (uint64_t)i / 50, 40);
            disk->count = 0;
            disk->kill_at = 120 + random_bits(&dice) % 150;
            take(&m, end_of(start(7000000 + (uint64_t)i / 50, 120)));
            model_free(&m);
            no_faults();
            keep(&good);
        }
        static const int damaged_files[] = {0, 1, 2, PAGE, FEED};
        int file = damaged_files[random_bits(&dice) % 5], is_cut = (int)(random_bits(&dice) & 1);
        if (good.length[file] <= 0) continue;
        put_back(&good);
        unsigned char *bytes = malloc((size_t)good.length[file]);
        long length = good.length[file];
        memcpy(bytes, good.bytes[file], (size_t)length);
        if (is_cut) {
            length = (long)(random_bits(&dice) % (uint64_t)length);
        } else {
            for (int j = 1 + (int)(random_bits(&dice) % 20); j > 0; j--) {
                long from = (long)(random_bits(&dice) % (uint64_t)length);
                for (long k = from; k < length && k < from + 64; k++) bytes[k] = (unsigned char)random_bits(&dice);
            }
        }
        FILE *out = fopen(name_of(file), "wb");
        if (!out || fwrite(bytes, 1, (size_t)length, out) != (size_t)length || fclose(out)) fail("a copy");
        free(bytes);
        keep(&bad);
        snprintf(where, sizeof where, "damage %d: %s %s", i, *end_of_name(file) ? end_of_name(file) : "the store",
                 is_cut ? "cut off" : "overwritten");
        int64_t time = world->mono + world->offset + 100000;
        int status = start_status(time, NULL);
        if (status >= 20 && status != 50 + PLOT_STORE_FAILED && status != 50 + PLOT_OUT_OF_ORDER) fail("the status is %d", status);
        statuses[is_cut][file][status % 50]++;
        if (status == PLOT_STORE_DAMAGED) {
            if (!is_same(&bad)) fail("a damaged store was changed");
            expect(start_status(time + 1000, NULL), PLOT_STORE_DAMAGED);
            aside(time + 2000, &dice, &set_aside);
        } else if (status == PLOT_OK) {
            if (file && strcmp(integrity(store), "ok")) fail("PRAGMA integrity_check: %s", integrity(store));
            expect(start_status(time + 1000, NULL), PLOT_OK);
        } else if (status != 50 + PLOT_OUT_OF_ORDER) {
            fail("the status is %d", status);
        }
    }
    printf("damage:");
    for (int file = 0; file < FILES; file++)
        for (int is_cut = 0; is_cut < 2 && file != 3; is_cut++) {
            int ok = statuses[is_cut][file][PLOT_OK] + statuses[is_cut][file][PLOT_OUT_OF_ORDER];
            printf(" %s %s %d opened, %d PLOT_STORE_DAMAGED;", *end_of_name(file) ? end_of_name(file) : "store",
                   is_cut ? "cut off:" : "overwritten:", ok, statuses[is_cut][file][PLOT_STORE_DAMAGED]);
        }
    printf(" %.0f s\n", seconds() - began);
    if (set_aside.count >= 20 && !(set_aside.killed && set_aside.known && set_aside.shown)) fail("set aside: nothing was tried");
    printf("set aside: %d stores, killed %d times on the way; all started; %ld notifications shown afterwards, none of the %ld that were known to "
           "have been shown\n",
           set_aside.count, set_aside.killed, set_aside.shown, set_aside.known);
    drop(&good);
    drop(&bad);
}

/* Read-only, newer, held by another process, another time. */
static void others(void) {
    struct model m;
    struct files files = {{0}, {0}};
    memset(&m, 0, sizeof m);
    new_world();
    remove_store();
    no_faults();
    snprintf(where, sizeof where, "other faults");
    live_well(&m, 8000000, 40);
    model_free(&m);
    keep(&files);
    int64_t time = world->mono + world->offset + 100000, day = 86400000;

    snprintf(where, sizeof where, "a file that cannot be written");
    if (chmod(store, 0444) || chmod(folder, 0555)) fail("chmod");
    expect(start_status(time, unprivileged), PLOT_STORE_READ_ONLY);
    if (chmod(folder, 0777)) fail("chmod");
    expect(start_status(time, unprivileged), PLOT_STORE_READ_ONLY);
    if (!is_same(&files)) fail("it was changed");
    snprintf(where, sizeof where, "a folder that cannot be written");
    if (chmod(store, 0666) || chmod(folder, 0555)) fail("chmod");
    int status = start_status(time, unprivileged);
    if (status != PLOT_STORE_READ_ONLY && status != PLOT_STORE_FAILED) fail("the status is %d", status);
    if (!is_same(&files)) fail("it was changed");
    printf("a folder that cannot be written: %s\n", plot_status_name(status));
    if (chmod(store, 0600) || chmod(folder, 0755)) fail("chmod");

    snprintf(where, sizeof where, "a newer store");
    unsigned char version = files.bytes[0][63];
    files.bytes[0][63]++;
    put_back(&files);
    expect(start_status(time, NULL), PLOT_STORE_NEWER);
    if (!is_same(&files)) fail("it was changed");
    files.bytes[0][63] = version;
    put_back(&files);

    snprintf(where, sizeof where, "a store that another process has open");
    pid_t holder = start(8000001, -1);
    while (!__atomic_load_n(&world->is_ready, __ATOMIC_ACQUIRE)) usleep(500);
    for (int i = 0; i < 20; i++) expect(start_status(time, NULL), PLOT_STORE_BUSY);
    kill(holder, SIGKILL);
    end_of(holder);
    /* It has set its clock by up to an hour to either side. */
    time = world->mono + world->offset + 2 * 3600000 + 100000;

    snprintf(where, sizeof where, "the clock between two starts");
    expect(start_status(time, NULL), PLOT_OK);
    expect(start_status(time + 400 * day, NULL), PLOT_OK);
    /* Nobody told the clock: the engine waits until it has caught up. */
    expect(start_status(time, NULL), 50 + PLOT_OUT_OF_ORDER);
    if (strcmp(integrity(store), "ok")) fail("PRAGMA integrity_check: %s", integrity(store));
    printf("read-only, newer, busy, moved clock: a status each, and the file as it was\n");
    drop(&files);
}

/* After a wait for the disk has failed, the log may lack lines and say nothing of it: the next transaction takes all of them into the tables, and
 * then the log is used again. */
static void unsure(void) {
    struct model m;
    memset(&m, 0, sizeof m);
    new_world();
    remove_store();
    no_faults();
    snprintf(where, sizeof where, "a log that could not be waited for");
    if (!disk->record) disk->record = shared(UINT64_C(1) << 28);
    disk->used = 0;
    disk->room = UINT64_C(1) << 28;
    disk->fail_from = 150;
    disk->fail_count = 1;
    disk->fail_kinds = 1 << DISK_SYNC;
    disk->fail_file = 2;
    disk->fail_errno = EIO;
    world->may_fail = 1;
    take(&m, end_of(start(9000000, 40)));
    world->may_fail = 0;
    disk->room = 0;
    if (disk->failed != 1) fail("no wait for the log has failed");
    /* The changes after the failure: the store's own log is waited for before the log is again. */
    int stage = 0;
    for (uint64_t at = 0; at < disk->used;) {
        const struct disk_op *op = (const struct disk_op *)(disk->record + at);
        at += sizeof *op + op->length;
        if (op->kind & DISK_FAILED) stage = 1;
        else if (stage == 1 && op->kind == DISK_SYNC && op->file == 2) fail("the log was relied upon after it had failed");
        else if (stage == 1 && op->kind == DISK_SYNC && op->file == 1) stage = 2;
        else if (stage == 2 && op->kind == DISK_SYNC && op->file == 2) stage = 3;
    }
    if (stage != 3) fail("after a failure of the log: stage %d", stage);
    live_well(&m, 9000001, 4);
    model_free(&m);
    printf("a log that could not be waited for: the next transaction went into the tables, later ones into the log again\n");
}

static void files(int count) {
    part = "files";
    others();
    unsure();
    damaged(count);
    full_disk(count / 4);
    failing_disk(count);
}

static int usage(void) {
    fprintf(stderr, "usage: torture [--quick] [--seed N] [--folder PATH] [--kills N] [--calls N] [--power N] [--files N]\n");
    return 2;
}

int main(int count, char **arguments) {
    const char *place = "/tmp";
    int todo[4] = {1000, 1500, 3000, 1000};
    static const char *const names[4] = {"--kills", "--calls", "--power", "--files"};
    seed = (uint64_t)time(NULL);
    for (int i = 1; i < count; i++) {
        int known = 0;
        if (!strcmp(arguments[i], "--quick")) {
            /* The same lives each time, but for the instants of the kills. */
            static const int few[4] = {40, 40, 100, 60};
            memcpy(todo, few, sizeof todo);
            seed = 1;
            continue;
        }
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
    fflush(stdout);
    if (todo[0]) kills(todo[0]);
    if (todo[1]) calls(todo[1]);
    if (todo[2]) power(todo[2]);
    if (todo[3]) files(todo[3]);
    remove_folder();
    return 0;
}
