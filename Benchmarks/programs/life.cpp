/*
 * What a phone's life costs: life DATA PASSES SCRATCH
 *
 *   evidence  one device among 100,000 circles that walks for ten minutes and rests for ten, a fix every 10 s, in batches: a policy that weighs
 *             evidence beside one with gates; the same far from most circles, there also with a fix a minute
 *   kept      fixes of the same device that change nothing, with a store that keeps the track, beside none
 *   opened    a store opened, a fix, and closed, with one campaign and with 300, beside the same with raw SQLite: the file opened in the same
 *             modes, all that it has read as text, a row written, closed
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#include "host.h"
#include "stores.hpp"

#include <cmath>
#include <vector>

namespace {

constexpr size_t STEPS = 12000;    // of a turn
constexpr int TURNS = 5;

struct walk {
    std::vector<int64_t> times;
    std::vector<double> latitudes, longitudes, accuracies, speeds;
};

// With errors of some metres, alike for neighbours. `period`: ms between two fixes.
walk walk_from(fix start, int64_t time, int64_t period = PERIOD) {
    walk made;
    uint64_t state = 1;
    auto random = [&] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (double)(state >> 33) / (double)(1u << 31) * 2 - 1;
    };
    double north = 0, east = 0, error_north = 0, error_east = 0;
    const size_t steps = 600000 / (size_t)period;
    const double step = 1.4e-3 * (double)period;
    for (size_t i = 0; i < STEPS; i++) {
        if (i / steps % 2 == 0) {
            double angle = (double)(i / (2 * steps)) * 2.4;
            north += step * std::cos(angle), east += step * std::sin(angle);
        }
        error_north = 0.8 * error_north + 2 * random(), error_east = 0.8 * error_east + 2 * random();
        made.times.push_back(time + (int64_t)(i + 1) * period);
        made.latitudes.push_back(start.latitude + (north + error_north) / 111195);
        made.longitudes.push_back(start.longitude + (east + error_east) / 111195 / std::cos(start.latitude * M_PI / 180));
        made.accuracies.push_back(ACCURACY);
        made.speeds.push_back(-1);
    }
    return made;
}

void take(plot_engine *engine, const walk &by, int64_t later) {
    static std::vector<int64_t> times;
    times = by.times;
    for (auto &time : times) time += later;
    plot_effects *effects;
    plot_error *error;
    must(plot_engine_update_locations(engine, times.size(), times.data(), by.latitudes.data(), by.longitudes.data(), by.accuracies.data(), nullptr, nullptr,
                                      &effects, &error),
         "a batch", error);
    plot_effects_free(effects);
}

// `north`: so many degrees from a circle in the middle of others.
void measure_evidence(const char *data, int passes, double north, int64_t period, const char *names_told[2]) {
    circles all = read_circles(data, "100k");
    plot_feed *feed = feed_of_fences(&all);
    walk way = walk_from({all.all[0].latitude + north, all.all[0].longitude}, START, period);
    const char *names[] = {"balanced", "default-1"};
    plot_engine *engines[2];
    std::vector<double> took[2];
    for (int i = 0; i < 2; i++) {
        plot_config *config = config_of(names[i], "none");
        engines[i] = engine_of(config, feed, nullptr, nullptr, 0);
        plot_config_free(config);
    }
    const int64_t turn = (int64_t)STEPS * period + 7200000;
    int64_t later = 0;
    for (int pass = -1; pass < passes; pass++) {
        double sum[2] = {0, 0};
        for (int n = 0; n < TURNS; n++, later += turn)
            for (int k = 0; k < 2; k++) {
                int i = (n + k) % 2;
                double begin = now();
                take(engines[i], way, later);
                sum[i] += now() - begin;
            }
        for (int i = 0; i < 2 && pass >= 0; i++) took[i].push_back(sum[i] * 1e9 / (double)(STEPS * TURNS));
    }
    for (int i = 0; i < 2; i++) tell(names_told[i], "ns", took[i].data(), took[i].size());
    for (auto engine : engines) plot_engine_free(engine);
    plot_feed_free(feed);
    free(all.all);
}

void measure_kept(const char *data, int passes, const char *scratch) {
    circles all = read_circles(data, "1k");
    plot_feed *feed = feed_of_fences(&all);
    walk way = walk_from({all.all[0].latitude + 0.1, all.all[0].longitude}, START);
    plot_config *config = config_of("balanced", "none");
    plot_engine *kept = engine_of(config, feed, fresh(scratch, "life.store").c_str(), nullptr, 0);
    plot_engine *unkept = engine_of(config, feed, nullptr, nullptr, 0);
    const int64_t turn = (int64_t)STEPS * PERIOD + 7200000;
    std::vector<double> with, without;
    int64_t later = 0;
    auto run = [&](plot_engine *engine) {
        double begin = now();
        for (size_t i = 0; i < STEPS; i++) update(engine, way.times[i] + later, {way.latitudes[i], way.longitudes[i]});
        return now() - begin;
    };
    for (int pass = -1; pass < passes; pass++) {
        double a = 0, b = 0;
        for (int n = 0; n < TURNS; n++, later += turn) a += run(kept), b += run(unkept);
        if (pass < 0) continue;
        with.push_back(a * 1e9 / (double)(STEPS * TURNS));
        without.push_back(b * 1e9 / (double)(STEPS * TURNS));
    }
    tell("life/a fix with a store", "ns", with.data(), with.size());
    tell("life/a fix without one", "ns", without.data(), without.size());
    plot_engine_free(kept);
    plot_engine_free(unkept);
    plot_config_free(config);
    plot_feed_free(feed);
    fresh(scratch, "life.store");
    free(all.all);
}

// Reads all rows of a table, as a program would that goes on from them.
void read_all(sqlite3 *database, const std::string &table) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, ("SELECT * FROM " + table).c_str(), -1, &statement, nullptr) != SQLITE_OK) fail("SQLite", sqlite3_errmsg(database));
    while (sqlite3_step(statement) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(statement); i++) sqlite3_column_text(statement, i);
    sqlite3_finalize(statement);
}

void measure_opened(const char *data, int passes, const char *scratch, size_t count, const char *name) {
    circles all = read_circles(data, "phone");
    all.count = count;
    plot_feed *feed = phone_feed_of(&all);
    plot_config *config = config_of("balanced", "none");
    std::string store = fresh(scratch, "life.store"), raw = fresh(scratch, "life.sqlite");
    plot_engine_free(engine_of(config, feed, store.c_str(), nullptr, 0));
    // The same tables with the same rows.
    std::vector<std::string> tables;
    {
        sqlite3 *database;
        if (sqlite3_open(raw.c_str(), &database) != SQLITE_OK) fail("SQLite", sqlite3_errmsg(database));
        sql(database, "ATTACH '" + store + "' AS old");
        sqlite3_stmt *statement;
        std::vector<std::string> made;
        sqlite3_prepare_v2(database, "SELECT name, sql FROM old.sqlite_schema WHERE type = 'table'", -1, &statement, nullptr);
        while (sqlite3_step(statement) == SQLITE_ROW) {
            tables.push_back((const char *)sqlite3_column_text(statement, 0));
            made.push_back((const char *)sqlite3_column_text(statement, 1));
        }
        sqlite3_finalize(statement);
        for (size_t i = 0; i < tables.size(); i++) sql(database, made[i] + "; INSERT INTO main." + tables[i] + " SELECT * FROM old." + tables[i]);
        sql(database, "DETACH old; CREATE TABLE fix (id INTEGER PRIMARY KEY, time INTEGER, latitude REAL, longitude REAL)");
        sqlite3_close(database);
    }
    std::vector<double> engine_times, raw_times;
    int64_t time = START;
    fix place = {all.all[0].latitude + 0.1, all.all[0].longitude};
    const int each = 20;
    for (int pass = -1; pass < passes; pass++) {
        double a = 0, b = 0;
        for (int n = 0; n < each; n++) {
            time += 60000;
            double begin = now();
            plot_engine *engine;
            plot_error *error;
            must(plot_engine_new(&engine, &error), "an engine", error);
            must(plot_engine_init(engine, time, config, store.c_str(), &error), "init", error);
            update(engine, time, place);
            plot_engine_free(engine);
            a += now() - begin;
            begin = now();
            sqlite3 *database;
            if (sqlite3_open(raw.c_str(), &database) != SQLITE_OK) fail("SQLite", sqlite3_errmsg(database));
            sql(database, MODES);
            for (auto &table : tables) read_all(database, table);
            sql(database, "INSERT INTO fix (time, latitude, longitude) VALUES (1700000000000, 52.1, 4.9)");
            sqlite3_close(database);
            b += now() - begin;
        }
        if (pass < 0) continue;
        engine_times.push_back(a * 1e6 / each);
        raw_times.push_back(b * 1e6 / each);
    }
    tell((std::string("life/") + name).c_str(), "us", engine_times.data(), engine_times.size());
    tell((std::string("life/") + name + ", raw SQLite").c_str(), "us", raw_times.data(), raw_times.size());
    plot_config_free(config);
    plot_feed_free(feed);
    fresh(scratch, "life.store");
    fresh(scratch, "life.sqlite");
    free(all.all);
}

}

int main(int count, char **arguments) {
    if (count != 4) fail("usage", "life DATA PASSES SCRATCH");
    int passes = atoi(arguments[2]);
    const char *among[] = {"life/evidence", "life/gates"}, *far[] = {"life/evidence, far", "life/gates, far"};
    const char *seldom[] = {"life/evidence, far, each minute", "life/gates, far, each minute"};
    measure_evidence(arguments[1], passes, 0, PERIOD, among);
    measure_evidence(arguments[1], passes, 0.3, PERIOD, far);
    measure_evidence(arguments[1], passes, 0.3, 60000, seldom);
    measure_kept(arguments[1], passes, arguments[3]);
    measure_opened(arguments[1], passes, arguments[3], 1, "opened with one campaign");
    measure_opened(arguments[1], passes, arguments[3], 300, "opened with 300 campaigns");
    return 0;
}
