/*
 * A store that somebody has written to: byte 0 chooses a scenario whose life has made a store; then come pieces between bytes 0xFF: a table, a column, a
 * type, and the value that is put there, or the rows taken away. The engine starts on it and lives on, or refuses it with a status of the store's.
 */
#include <sqlite3.h>

#include "lived.h"

typedef struct {
    uint8_t *data;
    size_t size;
} image;

static image images[COUNT_OF(scenarios)];

static void remove_all(const char *path) {
    static const char *const ends[] = {"", "-wal", "-shm", "-journal", "-page", "-feed"};
    for (size_t index = 0; index < COUNT_OF(ends); index++) {
        char name[300];
        snprintf(name, sizeof name, "%s%s", path, ends[index]);
        unlink(name);
    }
}

static const image *image_of(size_t number) {
    image *one = &images[number];
    const scenario *what = &scenarios[number];
    const char *path = scratch("store");
    plot_feed *feed;
    if (one->data != NULL) return one;
    remove_all(path);
    plot_config *config = config_of(what);
    plot_engine *engine = fresh();
    CHECK(plot_engine_init(engine, what->start, config, path, NULL) == PLOT_OK, "init");
    CHECK(plot_feed_parse(what->feed, strlen(what->feed), &feed, NULL) == PLOT_OK, "feed");
    CHECK(plot_engine_set_feed(engine, what->start, feed, NULL) == PLOT_OK, "set_feed");
    live(engine, what, what->start);
    plot_engine_free(engine);
    plot_feed_free(feed);
    plot_config_free(config);
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL, "no store was made");
    one->data = malloc(1 << 22);
    one->size = fread(one->data, 1, 1 << 22, file);
    fclose(file);
    CHECK(one->size > 512 && one->size < 1 << 22, "a store of %zu bytes", one->size);
    return one;
}

static char *name_at(sqlite3 *database, const char *query, uint8_t which) {
    sqlite3_stmt *statement;
    char *names[128], *name = NULL;
    size_t count = 0;
    CHECK(sqlite3_prepare_v2(database, query, -1, &statement, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(database));
    while (count < COUNT_OF(names) && sqlite3_step(statement) == SQLITE_ROW)
        names[count++] = strdup((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    for (size_t index = 0; index < count; index++) {
        if (index == which % count) name = names[index];
        else free(names[index]);
    }
    return name;
}

static void edit(sqlite3 *database, const uint8_t *piece, size_t length) {
    bytes from = {piece, piece + length};
    char query[400];
    sqlite3_stmt *statement = NULL;
    char *table = name_at(database, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", take(&from));
    snprintf(query, sizeof query, "SELECT name FROM pragma_table_info('%s')", table);
    char *column = name_at(database, query, take(&from));
    uint8_t type = take(&from);
    size_t rest = (size_t)(from.end - from.at);
    if (type % 8 == 7) {
        snprintf(query, sizeof query, "DELETE FROM \"%s\"", table);
    } else {
        snprintf(query, sizeof query, "UPDATE \"%s\" SET \"%s\" = ?1", table, column);
    }
    if (sqlite3_prepare_v2(database, query, -1, &statement, NULL) == SQLITE_OK) {
        int64_t integer = 0;
        double number = 0;
        memcpy(&integer, from.at, rest < 8 ? rest : 8);
        memcpy(&number, from.at, rest < 8 ? rest : 8);
        switch (type % 8) {
        case 0: case 1: sqlite3_bind_text(statement, 1, (const char *)from.at, (int)rest, SQLITE_TRANSIENT); break;
        case 2: sqlite3_bind_int64(statement, 1, integer); break;
        case 3: sqlite3_bind_int64(statement, 1, rest > 0 ? (int64_t)from.at[0] - 128 : INT64_MIN); break;
        case 4: sqlite3_bind_double(statement, 1, number); break;
        case 5: sqlite3_bind_null(statement, 1); break;
        case 6: sqlite3_bind_blob(statement, 1, from.at, (int)rest, SQLITE_TRANSIENT); break;
        }
        sqlite3_step(statement);
        sqlite3_finalize(statement);
    }
    free(table);
    free(column);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    size_t number = data[0] % COUNT_OF(scenarios);
    const scenario *what = &scenarios[number];
    const image *base = image_of(number);
    char path[300];
    snprintf(path, sizeof path, "%s", scratch("store"));
    remove_all(path);
    write_scratch(path, base->data, base->size);
    sqlite3 *database;
    CHECK(sqlite3_open(path, &database) == SQLITE_OK, "open");
    sqlite3_exec(database, "PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON", NULL, NULL, NULL);
    for (const uint8_t *at = data + 1, *end = data + size; at < end;) {
        const uint8_t *stop = memchr(at, 0xFF, (size_t)(end - at));
        if (stop == NULL) stop = end;
        if (stop - at >= 3) edit(database, at, (size_t)(stop - at));
        at = stop + 1;
    }
    sqlite3_close(database);

    plot_config *config = config_of(what);
    plot_engine *engine = fresh();
    plot_error *error;
    int32_t status = plot_engine_init(engine, what->start + 7200000, config, path, &error);
    CHECK(status == PLOT_OK || (status >= PLOT_STORE_FAILED && status <= PLOT_STORE_NEWER), "%s", plot_error_get_message(error));
    if (judged(status, &error, "init") == PLOT_OK) live(engine, what, what->start + 7200000);
    plot_engine_free(engine);
    plot_config_free(config);
    remove_all(path);
    CHECK(plot_live_objects() == 0, "%" PRId64 " objects are alive", plot_live_objects());
    return 0;
}
