/* State that belongs to the process and not to the library: it must be as it was, after whatever call. */
#ifndef SURROUNDINGS_H
#define SURROUNDINGS_H

#include <dirent.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

typedef struct surroundings {
    struct sigaction actions[65];
    sigset_t mask;
    char *environment; /* its address, and a sum of what stands in it */
    uint64_t sum;
    char folder[4096], locale[512], point[8];
    mode_t umask;
    uint64_t descriptors; /* a bit for each of the first 64 */
    int threads;
    int rounding;
    struct rlimit files, core, stack;
} surroundings;

static inline uint64_t summed(uint64_t sum, const char *text) {
    for (; *text; text++) sum = (sum ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return (sum ^ 1) * UINT64_C(1099511628211);
}

static inline int counted(const char *path) {
    DIR *folder = opendir(path);
    struct dirent *entry;
    int count = 0;
    if (folder == NULL) return -1;
    while ((entry = readdir(folder)) != NULL) count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static inline void look_round(surroundings *s) {
    memset(s, 0, sizeof *s);
    for (int number = 1; number < 65; number++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        if (sigaction(number, NULL, &action) == 0) s->actions[number] = action;
    }
    sigprocmask(SIG_SETMASK, NULL, &s->mask);
    s->environment = (char *)environ;
    for (char **entry = environ; entry && *entry; entry++) s->sum = summed(s->sum, *entry);
    if (getcwd(s->folder, sizeof s->folder) == NULL) s->folder[0] = 0;
    strncpy(s->locale, setlocale(LC_ALL, NULL), sizeof s->locale - 1);
    strncpy(s->point, localeconv()->decimal_point, sizeof s->point - 1);
    s->umask = umask(0);
    umask(s->umask);
    for (int descriptor = 0; descriptor < 64; descriptor++) {
        struct stat about;
        if (fstat(descriptor, &about) == 0) s->descriptors |= UINT64_C(1) << descriptor;
    }
    s->threads = counted("/proc/self/task");
    s->rounding = fegetround();
    getrlimit(RLIMIT_NOFILE, &s->files);
    getrlimit(RLIMIT_CORE, &s->core);
    getrlimit(RLIMIT_STACK, &s->stack);
}

/* The sets have room for more signals than there are, and nothing certain in it. */
static inline int same_signals(const sigset_t *a, const sigset_t *b) {
    for (int number = 1; number < 65; number++) {
        if (sigismember(a, number) != sigismember(b, number)) return 0;
    }
    return 1;
}

/* The difference, or NULL. */
static inline const char *changed(const surroundings *before, const surroundings *after) {
    for (int number = 1; number < 65; number++) {
        const struct sigaction *a = &before->actions[number], *b = &after->actions[number];
        if (a->sa_handler != b->sa_handler || a->sa_flags != b->sa_flags || !same_signals(&a->sa_mask, &b->sa_mask)) return "what a signal does";
    }
    if (!same_signals(&before->mask, &after->mask)) return "the signal mask";
    if (before->environment != after->environment || before->sum != after->sum) return "the environment";
    if (strcmp(before->folder, after->folder)) return "the current directory";
    if (strcmp(before->locale, after->locale) || strcmp(before->point, after->point)) return "the locale";
    if (before->umask != after->umask) return "the umask";
    if (before->descriptors != after->descriptors) return "the open descriptors";
    if (before->threads != after->threads) return "the number of threads";
    if (before->rounding != after->rounding) return "how numbers are rounded";
    if (memcmp(&before->files, &after->files, sizeof before->files) || memcmp(&before->core, &after->core, sizeof before->core)
        || memcmp(&before->stack, &after->stack, sizeof before->stack))
        return "the limits of the process";
    return NULL;
}

#endif
