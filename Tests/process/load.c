/* An app that loads the library while it runs: load REPORT LIBRARY [COPY]. Writes what is wrong to REPORT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <plotengine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

typedef struct functions {
    int32_t (*abi)(void);
    int64_t (*live)(void);
    int32_t (*new)(plot_engine **, plot_error **);
    void (*free)(plot_engine *);
    int32_t (*parse)(const char *, size_t, plot_config **, plot_error **);
    void (*free_config)(plot_config *);
    int32_t (*init)(plot_engine *, int64_t, const plot_config *, const char *, plot_error **);
    int32_t (*walk)(plot_engine *, int64_t, double, double, double, double, double, plot_error **);
} functions;

static void *find(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (found == NULL) {
        fault("%s is not there: %s", name, dlerror());
        exit(1);
    }
    return found;
}

static void *open_library(const char *path, functions *f) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fault("could not be loaded: %s", dlerror());
        exit(1);
    }
    *(void **)&f->abi = find(library, "plot_abi_version");
    *(void **)&f->live = find(library, "plot_live_objects");
    *(void **)&f->new = find(library, "plot_engine_new");
    *(void **)&f->free = find(library, "plot_engine_free");
    *(void **)&f->parse = find(library, "plot_config_parse");
    *(void **)&f->free_config = find(library, "plot_config_free");
    *(void **)&f->init = find(library, "plot_engine_init");
    *(void **)&f->walk = find(library, "plot_engine_update_location");
    return library;
}

#define START INT64_C(1767225600000)

static plot_engine *start(const functions *f) {
    static const char text[] = "{\"publicToken\": \"t\"}";
    plot_engine *engine = NULL;
    plot_config *config = NULL;
    if (f->new(&engine, NULL) || f->parse(text, sizeof text - 1, &config, NULL) || f->init(engine, START + 1, config, NULL, NULL)) fault("no engine");
    f->free_config(config);
    return engine;
}

/* How many times the file is mapped. */
static int mapped(const char *path) {
    char line[4352];
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL) return -1;
    while (fgets(line, sizeof line, maps)) count += strstr(line, path) != NULL;
    fclose(maps);
    return count;
}

int main(int count, char **arguments) {
    functions first, second;
    void *library;
    plot_engine *engine;
    int maps;
    if (count < 3 || (report = fopen(arguments[1], "w")) == NULL) return 2;
    setvbuf(report, NULL, _IOLBF, 0);
    if (mapped(arguments[2]) != 0) fault("is loaded before it is asked for");
    library = open_library(arguments[2], &first);
    engine = start(&first);
    if (first.walk(engine, START + 2, 52, 4, 5, -1, -1, NULL) != PLOT_OK) fault("no fix");
    maps = mapped(arguments[2]);
    if (maps <= 0) fault("is not mapped");
    /* It stays (-z nodelete): what lives, lives on, and its code can be run. */
    if (dlclose(library) != 0) fault("could not be closed: %s", dlerror());
    if (mapped(arguments[2]) != maps) fault("is gone after dlclose");
    if (first.live() != 1 || first.walk(engine, START + 3, 52, 4, 5, -1, -1, NULL) != PLOT_OK) fault("does not live on after dlclose");
    for (int round = 0; round < 200; round++) {
        plot_engine *other;
        library = open_library(arguments[2], &second);
        if (memcmp(&first, &second, sizeof first) != 0) fault("is another one after dlopen");
        other = start(&second);
        if (second.live() != 2 || second.walk(engine, START + 4 + round, 52, 4, 5, -1, -1, NULL) != PLOT_OK) fault("does not know what lives");
        second.free(other);
        if (dlclose(library) != 0) fault("could not be closed again: %s", dlerror());
    }
    if (mapped(arguments[2]) != maps) fault("is mapped %d times after 200 rounds, and %d times at first", mapped(arguments[2]), maps);
    /* A copy, such as that of another package of the app: two libraries, each with its own objects. */
    if (count > 3) {
        plot_engine *other;
        open_library(arguments[3], &second);
        if (second.abi == first.abi) fault("the copy is not another library");
        if (second.live() != 0) fault("the copy has objects of the other");
        other = start(&second);
        if (second.walk(other, START + 2, 52, 4, 5, -1, -1, NULL) != PLOT_OK || first.walk(engine, START + 1000, 52, 4, 5, -1, -1, NULL) != PLOT_OK) fault("two at once do not work");
        second.free(other);
        if (second.live() != 0) fault("the copy has %lld objects left", (long long)second.live());
    }
    first.free(engine);
    if (first.live() != 0) fault("%lld objects are left", (long long)first.live());
    fprintf(report, "%d faults\n", faults);
    fclose(report);
    return faults != 0;
}
