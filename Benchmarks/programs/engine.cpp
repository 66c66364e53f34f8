// The whole pipeline through the C header: engine DATA PASSES SECONDS SCRATCH WHAT...
//
// WHAT is a number of circles (1,000 engines on one shared feed, order I), `fences/` and a number of circles (the same without campaigns, a tick
// in a call), `phone` (one engine alone, 300 campaigns), `doubled` (one region
// with 10,000 and with 20,000 campaigns, never entered) or `durable` (a store beside raw SQLite, in the folder SCRATCH). A first pass, which looks at all that is
// told, sorts the fixes: those that change nothing, of which the noise policy may hold some, and those that cross. Engines are then made anew
// for each pass, and in each tick those that change nothing are timed in one run, and those that cross in another; devices know nothing of
// each other, so that this changes no answer. SECONDS limits the first pass, and with it the number of ticks.
//
// Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
#include "contenders.hpp"
#include "host.h"
#include "stores.hpp"

#include <unistd.h>

enum kind { plain, held, crossing };

static std::vector<plot_engine *> engines_of(size_t count, const plot_config *config, const plot_feed *feed, witness *seen, bool looks) {
    std::vector<plot_engine *> engines(count);
    for (auto &one : engines) one = engine_of(config, feed, nullptr, seen, looks);
    return engines;
}

static void free_all(std::vector<plot_engine *> &engines) {
    for (auto one : engines) plot_engine_free(one);
    engines.clear();
}

// Ends the program when the engines have found others than those of the workload.
static void compare_crossings(const expectation &want, uint64_t enters, uint64_t exits) {
    if (enters == want.enters && exits == want.exits) return;
    fprintf(stderr, "bench: %zu circles: the engine found %llu enters and %llu exits, not %llu and %llu\n", want.count, (unsigned long long)enters,
            (unsigned long long)exits, (unsigned long long)want.enters, (unsigned long long)want.exits);
    exit(1);
}

// With every fix taken as the truth, and a place that the first fix lies in entered, the engine finds the crossings of the workload.
static void check_crossings(const expectation &want, const plot_feed *feed, const tracks &from) {
    plot_config *exact = config_of("exact", "enter");
    witness seen = {};
    auto engines = engines_of(from.tracks, exact, feed, &seen, true);
    for (size_t tick = 0; tick < from.each; tick++)
        for (size_t device = 0; device < from.tracks; device++) {
            seen.time = START + (int64_t)tick * PERIOD;
            update(engines[device], seen.time, from.all[device * from.each + tick]);
        }
    free_all(engines);
    plot_config_free(exact);
    compare_crossings(want, seen.enters, seen.exits);
}

static void measure_shared(const char *data, int passes, double seconds, size_t size) {
    const expectation *want = expected(size);
    circles all = read_circles(data, want->tag);
    tracks from = read_tracks(data, want->tracks);
    std::string about = "engine/" + std::to_string(size) + "/";

    double begin = now();
    plot_feed *feed = feed_of(&all);
    tell_one((about + "load the feed").c_str(), "s", now() - begin);
    plot_config *config = config_of("default-1", "none");

    // Sorts the fixes of each tick.
    std::vector<uint8_t> kinds(from.tracks * from.each);
    witness seen = {};
    begin = now();
    auto engines = engines_of(from.tracks, config, feed, &seen, true);
    tell_one((about + "make an engine").c_str(), "us", (now() - begin) * 1e6 / (double)from.tracks);
    size_t ticks = 0;
    begin = now();
    for (; ticks < from.each && now() - begin < seconds; ticks++)
        for (size_t device = 0; device < from.tracks; device++) {
            size_t number = device * from.each + ticks;
            seen.told = 0;
            seen.time = START + (int64_t)ticks * PERIOD;
            update(engines[device], seen.time, from.all[number]);
            kinds[number] = (uint8_t)seen.told;
        }
    free_all(engines);
    if (ticks == from.each) check_crossings(*want, feed, from);
    else fprintf(stderr, "bench: %zu circles: %zu of %zu ticks within %.0f seconds; the crossings are not compared\n", size, ticks, from.each, seconds);

    std::vector<std::vector<uint32_t>> parts[3];
    double counts[3] = {0, 0, 0};
    for (int kind = 0; kind < 3; kind++) {
        parts[kind].resize(ticks);
        for (size_t tick = 1; tick < ticks; tick++)
            for (size_t device = 0; device < from.tracks; device++)
                if (kinds[device * from.each + tick] == kind) parts[kind][tick].push_back((uint32_t)device);
        for (auto &part : parts[kind]) counts[kind] += (double)part.size();
    }

#ifndef WITHOUT_BOOST
    boost_rtree boost;
    boost.build(all);
    uint32_t *order = order_of(&from, 'I');
#endif
    std::vector<double> costs[8];
#ifndef WITHOUT_BOOST
    // The fixes of each tick that change nothing, for the bare index.
    std::vector<std::vector<uint32_t>> unchanged(ticks);
    for (size_t tick = 1; tick < ticks; tick++)
        for (int kind : {plain, held})
            for (uint32_t device : parts[kind][tick]) unchanged[tick].push_back((uint32_t)(device * from.each + tick));
#endif
    for (int pass = 0; pass < passes; pass++) {
#ifndef WITHOUT_BOOST
        answers found;
        begin = now();
        boost.ask(from.all, order, from.tracks * from.each, found);
        costs[5].push_back((now() - begin) * 1e9 / (double)(from.tracks * from.each));
        if (found.totals[0] != want->hits || found.totals[1] != want->checksum) fail("Boost found other hits", about.c_str());
#endif
        witness counted = {};
        size_t used = in_use();
        engines = engines_of(from.tracks, config, feed, &counted, false);
        double took[3] = {0, 0, 0}, beside = 0;
        uint64_t before = 0;
        for (size_t tick = 0; tick < ticks; tick++) {
            int64_t time = counted.time = START + (int64_t)tick * PERIOD;
            if (tick == 0) {
                for (size_t device = 0; device < from.tracks; device++) update(engines[device], time, from.all[device * from.each]);
                before = counted.geotriggers;
                continue;
            }
            // The crossings of the tick before have left little in the caches: Boost answers the same fixes there, before and after in turns.
            auto ask = [&](size_t turn) {
#ifndef WITHOUT_BOOST
                if (tick % 2 != turn) return;
                answers same;
                double start = now();
                boost.ask(from.all, unchanged[tick].data(), unchanged[tick].size(), same);
                beside += now() - start;
#else
                (void)turn;
#endif
            };
            ask(0);
            for (int kind = 0; kind < 3; kind++) {
                if (kind == crossing) ask(1);
                const auto &part = parts[kind][tick];
                double start = now();
                for (uint32_t device : part) update(engines[device], time, from.all[device * from.each + tick]);
                took[kind] += now() - start;
            }
        }
        if (pass == 0) tell_one((about + "an engine after its track").c_str(), "bytes", (double)(in_use() - used) / (double)from.tracks);
        free_all(engines);
        double handled = (double)(counted.geotriggers - before);
        auto cost = [&](double seconds, double count) { return count > 0 ? seconds * 1e9 / count : 0; };
        costs[0].push_back(cost(took[plain] + took[held], counts[plain] + counts[held]));
        costs[1].push_back(cost(took[held], counts[held]));
        costs[2].push_back(cost(took[crossing], counts[crossing]));
        costs[3].push_back(cost(took[crossing], handled));
        costs[6].push_back(cost(took[plain], counts[plain]));
        if (beside > 0) costs[7].push_back(cost(beside, counts[plain] + counts[held]));
        costs[4].push_back(cost(took[plain] + took[held] + took[crossing], counts[plain] + counts[held] + counts[crossing]));
        if (pass == 0) tell_one((about + "geotriggers").c_str(), "geotriggers", handled);
    }
    const char *names[] = {"unchanged", "held", "crossing", "geotrigger", "all", "boost", "plain", "boost beside"};
    for (int i = 0; i < 8; i++)
        if (!costs[i].empty()) tell((about + names[i]).c_str(), "ns", costs[i].data(), costs[i].size());
    tell_one((about + "fixes").c_str(), "fixes", counts[0] + counts[1] + counts[2]);
    tell_one((about + "fixes that cross").c_str(), "fixes", counts[crossing]);
    tell_one((about + "fixes held").c_str(), "fixes", counts[held]);
#ifndef WITHOUT_BOOST
    free(order);
#else
    tell_left_out((about + "boost").c_str(), "libboost-dev is not there");
#endif
    plot_feed_free(feed);
    plot_config_free(config);
    free(all.all);
    free(from.all);
}

// Fences only: no campaigns, and so only enters and exits, as records. Each tick is one call with a fix of every device.
static void measure_fences(const char *data, int passes, size_t size) {
    const expectation *want = expected(size);
    circles all = read_circles(data, want->tag);
    tracks from = read_tracks(data, want->tracks);
    plot_feed *feed = feed_of_fences(&all);
    size_t count = from.tracks;
    std::vector<uint32_t> devices(count);
    std::vector<int64_t> times(count);
    std::vector<double> latitudes(count), longitudes(count), accuracies(count, ACCURACY);
    for (size_t device = 0; device < count; device++) devices[device] = (uint32_t)device;
    std::vector<double> cost;
    for (int pass = -1; pass < passes; pass++) {
        // The first pass compares the crossings with those of the workload.
        plot_config *config = pass < 0 ? config_of("exact", "enter") : config_of("default-1", "none");
        std::vector<plot_engine *> engines(count);
        for (auto &one : engines) one = engine_of(config, feed, nullptr, nullptr, 0);
        uint64_t enters = 0, exits = 0;
        double took = 0;
        for (size_t tick = 0; tick < from.each; tick++) {
            for (size_t device = 0; device < count; device++) {
                times[device] = START + (int64_t)tick * PERIOD;
                latitudes[device] = from.all[device * from.each + tick].latitude;
                longitudes[device] = from.all[device * from.each + tick].longitude;
            }
            plot_effects *effects;
            plot_error *error;
            double start = now();
            must(plot_engines_update_locations(engines.data(), count, devices.data(), count, times.data(), latitudes.data(), longitudes.data(),
                                               accuracies.data(), nullptr, nullptr, &effects, &error),
                 "a tick", error);
            const plot_effect *records = plot_effects_get_records(effects);
            for (size_t i = 0; i < plot_effects_get_count(effects); i++) {
                enters += records[i].kind == PLOT_EFFECT_REGION_ENTER;
                exits += records[i].kind == PLOT_EFFECT_REGION_EXIT;
            }
            plot_effects_free(effects);
            if (tick > 0) took += now() - start;
        }
        free_all(engines);
        plot_config_free(config);
        if (pass < 0) compare_crossings(*want, enters, exits);
        else cost.push_back(took * 1e9 / (double)(count * (from.each - 1)));
    }
    tell(("engine/" + std::to_string(size) + "/fences").c_str(), "ns", cost.data(), cost.size());
    plot_feed_free(feed);
    free(all.all);
    free(from.all);
}

static double cost_of_empty_call(size_t count) {
    double begin = now();
    int32_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += plot_abi_version();
    double took = now() - begin;
    if (sum == 0) fail("the library has no version", "plot_abi_version");
    return took * 1e9 / (double)count;
}

// One device after the other, each with an engine of its own: runs of fixes that change nothing.
static void measure_phone(const char *data, int passes) {
    circles all = read_circles(data, "phone");
    tracks from = read_tracks(data, "city");
    const size_t devices = 100;
    plot_feed *feed = phone_feed_of(&all);
    plot_config *config = config_of("default-1", "none");
    std::vector<std::vector<uint8_t>> kinds(devices, std::vector<uint8_t>(from.each));
    for (size_t device = 0; device < devices; device++) {
        witness seen = {};
        plot_engine *engine = engine_of(config, feed, nullptr, &seen, 1);
        for (size_t tick = 0; tick < from.each; tick++) {
            seen.told = 0;
            seen.time = START + (int64_t)tick * PERIOD;
            update(engine, seen.time, from.all[device * from.each + tick]);
            kinds[device][tick] = (uint8_t)(tick == 0 ? crossing : seen.told);
        }
        plot_engine_free(engine);
    }
    std::vector<double> unchanged, crossed, empty;
    for (int pass = 0; pass < passes; pass++) {
        empty.push_back(cost_of_empty_call(10000000));
        double took[2] = {0, 0};
        size_t count[2] = {0, 0};
        for (size_t device = 0; device < devices; device++) {
            witness seen = {};
            plot_engine *engine = engine_of(config, feed, nullptr, &seen, 0);
            for (size_t tick = 0; tick < from.each;) {
                bool crosses = kinds[device][tick] == crossing;
                size_t end = tick;
                while (end < from.each && (kinds[device][end] == crossing) == crosses) end++;
                double begin = now();
                for (size_t i = tick; i < end; i++) {
                    int64_t time = seen.time = START + (int64_t)i * PERIOD;
                    update(engine, time, from.all[device * from.each + i]);
                }
                if (tick > 0) took[crosses] += now() - begin, count[crosses] += end - tick;
                tick = end;
            }
            plot_engine_free(engine);
        }
        unchanged.push_back(took[0] * 1e9 / (double)count[0]);
        crossed.push_back(took[1] * 1e9 / (double)count[1]);
    }
    tell("phone/unchanged", "ns", unchanged.data(), unchanged.size());
    tell("phone/crossing", "ns", crossed.data(), crossed.size());
    tell("phone/empty call", "ns", empty.data(), empty.size());
    plot_feed_free(feed);
    plot_config_free(config);
    free(all.all);
    free(from.all);
}

// A thousand circles and one more, which nobody enters, with so many campaigns.
static plot_feed *crowded_feed(const circles &from, size_t campaigns) {
    text json = {nullptr, 0, 0};
    add(&json, "{\"version\":1,\"regions\":[");
    add_regions(&json, &from);
    add(&json, ",{\"id\":\"crowded\",\"type\":\"geofence\",\"latitude\":%.17g,\"longitude\":%.17g,\"radius\":200}],\"campaigns\":[",
        from.all[0].latitude + 0.1, from.all[0].longitude);
    add_geotriggers(&json, from.count);
    for (size_t i = 0; i < campaigns; i++) add(&json, ",{\"id\":\"c%zu\",\"type\":\"geotrigger\",\"name\":\"c\",\"regions\":[\"crowded\"]}", i);
    return ended_feed(&json);
}

static void measure_doubled(const char *data, int passes) {
    circles all = read_circles(data, "1k");
    plot_config *config = config_of("default-1", "none");
    witness seen = {};
    plot_engine *engines[2];
    for (int i = 0; i < 2; i++) {
        plot_feed *feed = crowded_feed(all, i == 0 ? 10000 : 20000);
        engines[i] = engine_of(config, feed, nullptr, &seen, 0);
        plot_feed_free(feed);
    }
    int64_t time = START;
    std::vector<double> costs[2];
    for (int pass = -1; pass < passes * 4; pass++) {
        int64_t begun = time;
        for (int i = 0; i < 2; i++) {
            double begin = now();
            time = begun;
            for (int n = 0; n < 100000; n++) {
                // About a kilometre from the crowded one.
                fix place = {all.all[0].latitude + 0.11 + (n & 7) * 1e-5, all.all[0].longitude};
                update(engines[i], time += 1000, place);
            }
            if (pass >= 0) costs[i].push_back((now() - begin) * 1e9 / 100000);
        }
    }
    tell("doubled/10000", "ns", costs[0].data(), costs[0].size());
    tell("doubled/20000", "ns", costs[1].data(), costs[1].size());
    for (auto one : engines) plot_engine_free(one);
    plot_config_free(config);
    free(all.all);
}

// Each fix crosses: in, handled, out, handled. Beside it one row a transaction, in the modes that the store uses.
static void measure_durable(const char *data, int passes, const char *scratch) {
    circles all = read_circles(data, "1k");
    const int each = 20;
    plot_feed *feed = feed_of(&all);
    plot_config *config = config_of("default-1", "none");
    witness seen = {};
    witness seen_in_memory = {};
    plot_engine *engine = engine_of(config, feed, fresh(scratch, "bench.store").c_str(), &seen, 0);
    plot_engine *in_memory = engine_of(config, feed, nullptr, &seen_in_memory, 0);

    sqlite3 *database;
    if (sqlite3_open(fresh(scratch, "bench.sqlite").c_str(), &database) != SQLITE_OK) fail("SQLite", sqlite3_errmsg(database));
    sql(database, MODES);
    sql(database, "CREATE TABLE event (sequence INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;");
    sqlite3_stmt *insert;
    if (sqlite3_prepare_v2(database, "INSERT INTO event (json) VALUES (?)", -1, &insert, nullptr) != SQLITE_OK) fail("SQLite", sqlite3_errmsg(database));
    std::string record(300, 'x');    // about an event record

    fix outside = {all.all[0].latitude + 0.1, all.all[0].longitude}, inside = {all.all[0].latitude, all.all[0].longitude};
    int64_t time = START;
    for (auto one : {engine, in_memory}) update(one, time, outside);
    std::vector<double> durable, memory, raw;
    // In short turns, for a disk has its moods.
    const int turns = 15;
    for (int pass = -1; pass < passes; pass++) {
        double rows = 0, stored = 0, kept = 0;
        for (int turn = 0; turn < turns; turn++) {
            double begin = now();
            for (int i = 0; i < each; i++) {
                sqlite3_bind_text(insert, 1, record.c_str(), (int)record.size(), SQLITE_STATIC);
                if (sqlite3_step(insert) != SQLITE_DONE) fail("SQLite", sqlite3_errmsg(database));
                sqlite3_reset(insert);
            }
            rows += now() - begin;
            int64_t begun = time;
            auto cross = [&](plot_engine *one, witness &by) {
                uint64_t before = by.geotriggers;
                time = begun;
                double start = now();
                for (int i = 0; i < each; i++) {
                    by.time = time += PERIOD;
                    update(one, time, i % 2 == 0 ? inside : outside);
                }
                double took = now() - start;
                if (by.geotriggers - before != (uint64_t)each) fail("not every fix crossed once", "durable");
                return took;
            };
            stored += cross(engine, seen);
            kept += cross(in_memory, seen_in_memory);
        }
        if (pass < 0) continue;
        raw.push_back(rows * 1e6 / (each * turns));
        durable.push_back(stored * 1e6 / (each * turns));
        memory.push_back(kept * 1e6 / (each * turns));
    }
    tell("durable/raw SQLite", "us", raw.data(), raw.size());
    tell("durable/crossing", "us", durable.data(), durable.size());
    tell("durable/crossing in memory", "us", memory.data(), memory.size());
    sqlite3_finalize(insert);
    sqlite3_close(database);
    plot_engine_free(engine);
    plot_engine_free(in_memory);
    plot_feed_free(feed);
    plot_config_free(config);
    fresh(scratch, "bench.store");
    fresh(scratch, "bench.sqlite");
    free(all.all);
}

int main(int count, char **arguments) {
    if (count < 6) fail("usage", "engine DATA PASSES SECONDS SCRATCH WHAT...");
    int passes = atoi(arguments[2]);
    for (int i = 5; i < count; i++) {
        std::string what = arguments[i];
        if (what == "phone") measure_phone(arguments[1], passes);
        else if (what == "doubled") measure_doubled(arguments[1], passes);
        else if (what == "durable") measure_durable(arguments[1], passes, arguments[4]);
        else if (what.rfind("fences/", 0) == 0) measure_fences(arguments[1], passes, (size_t)atoll(arguments[i] + 7));
        else measure_shared(arguments[1], passes, atof(arguments[3]), (size_t)atoll(arguments[i]));
    }
    return 0;
}
