// The indexes that the engine's is compared with. Each answers a bounding box, S2 a covering, and then filters by exact haversine (workload.h).
// WITHOUT_BOOST, WITHOUT_GEOS, WITHOUT_S2: libraries that are not there.
//
// Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
#ifndef CONTENDERS_HPP
#define CONTENDERS_HPP

#include "workload.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <sqlite3.h>

#ifndef WITHOUT_BOOST
#include <boost/function_output_iterator.hpp>
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#endif
#ifndef WITHOUT_GEOS
#define USE_UNSTABLE_GEOS_CPP_API
#include <geos/geom/Envelope.h>
#include <geos/index/strtree/TemplateSTRtree.h>
#endif
#ifndef WITHOUT_S2
#include <s2/s1angle.h>
#include <s2/s2cap.h>
#include <s2/s2cell_index.h>
#include <s2/s2latlng.h>
#include <s2/s2region_coverer.h>
#endif

// The answers to a run of fixes.
struct answers {
    uint64_t totals[2] = {0, 0};    // hits and checksum
    uint32_t *counts = nullptr;     // hits of each fix, where wanted
    uint64_t *sums = nullptr;       // sum of their circles' numbers
};

class contender {
public:
    virtual ~contender() = default;
    virtual const char *name() const = 0;
    virtual void build(const circles &from) = 0;
    virtual void forget() = 0;
    // In the order given; the loop is the contender's own, so that no call through a table is measured.
    virtual void ask(const fix *fixes, const uint32_t *order, size_t count, answers &out) = 0;
};

// Counts what `find(latitude, longitude, take)` takes.
template <typename Find> void count_hits(const fix *fixes, const uint32_t *order, size_t count, answers &out, Find find) {
    uint64_t hits = 0, checksum = 0;
    for (size_t place = 0; place < count; place++) {
        uint32_t number = order[place], found = 0;
        uint64_t sum = 0;
        find(fixes[number].latitude, fixes[number].longitude, [&](uint32_t circle) {
            found++;
            sum += circle;
        });
        hits += found;
        checksum += sum * (number % 1000 + 1);
        if (out.counts != nullptr) {
            out.counts[number] = found;
            out.sums[number] = sum;
        }
    }
    out.totals[0] = hits;
    out.totals[1] = checksum;
}

class scan final : public contender {
    struct box {
        double south, west, north, east;
    };
    std::vector<box> boxes;
    const circle *all = nullptr;

public:
    const char *name() const override { return "scan"; }
    void build(const circles &from) override {
        all = from.all;
        boxes.resize(from.count);
        for (size_t i = 0; i < from.count; i++) enclose(&all[i], &boxes[i].south, &boxes[i].west, &boxes[i].north, &boxes[i].east);
    }
    void forget() override { std::vector<box>().swap(boxes); }
    void ask(const fix *fixes, const uint32_t *order, size_t count, answers &out) override {
        count_hits(fixes, order, count, out, [this](double latitude, double longitude, auto take) {
            for (size_t i = 0; i < boxes.size(); i++) {
                const box &b = boxes[i];
                if (latitude < b.south || latitude > b.north || longitude < b.west || longitude > b.east) continue;
                if (haversine(latitude, longitude, all[i].latitude, all[i].longitude) <= all[i].radius) take((uint32_t)i);
            }
        });
    }
};

#ifndef WITHOUT_BOOST
// Asked in its fastest way, with one call for all that a box has.
class boost_rtree : public contender {
protected:
    using point = boost::geometry::model::point<double, 2, boost::geometry::cs::cartesian>;
    using box = boost::geometry::model::box<point>;
    using entry = std::pair<box, uint32_t>;
    using tree = boost::geometry::index::rtree<entry, boost::geometry::index::rstar<16>>;
    std::unique_ptr<tree> index;
    const circle *all = nullptr;

public:
    const char *name() const override { return "boost"; }
    void build(const circles &from) override {
        all = from.all;
        std::vector<entry> entries;
        entries.reserve(from.count);
        for (size_t i = 0; i < from.count; i++) {
            double south, west, north, east;
            enclose(&all[i], &south, &west, &north, &east);
            entries.emplace_back(box(point(west, south), point(east, north)), (uint32_t)i);
        }
        index = std::make_unique<tree>(entries);    // packed: built from a range
    }
    void forget() override { index.reset(); }
    void ask(const fix *fixes, const uint32_t *order, size_t count, answers &out) override {
        count_hits(fixes, order, count, out, [this](double latitude, double longitude, auto take) {
            auto each = [&](const entry &found) {
                const circle &one = all[found.second];
                if (haversine(latitude, longitude, one.latitude, one.longitude) <= one.radius) take(found.second);
            };
            index->query(boost::geometry::index::intersects(point(longitude, latitude)), boost::make_function_output_iterator(std::ref(each)));
        });
    }
};

// The same tree, asked for one after the other.
class boost_by_iterators final : public boost_rtree {
public:
    const char *name() const override { return "boost iterators"; }
    void ask(const fix *fixes, const uint32_t *order, size_t count, answers &out) override {
        count_hits(fixes, order, count, out, [this](double latitude, double longitude, auto take) {
            for (auto found = index->qbegin(boost::geometry::index::intersects(point(longitude, latitude))); found != index->qend(); ++found) {
                const circle &one = all[found->second];
                if (haversine(latitude, longitude, one.latitude, one.longitude) <= one.radius) take(found->second);
            }
        });
    }
};
#endif

#ifndef WITHOUT_GEOS
class geos_strtree final : public contender {
    std::unique_ptr<geos::index::strtree::TemplateSTRtree<uint32_t>> index;
    const circle *all = nullptr;

public:
    const char *name() const override { return "geos"; }
    void build(const circles &from) override {
        all = from.all;
        index = std::make_unique<geos::index::strtree::TemplateSTRtree<uint32_t>>(10, from.count);
        for (size_t i = 0; i < from.count; i++) {
            double south, west, north, east;
            enclose(&all[i], &south, &west, &north, &east);
            index->insert(geos::geom::Envelope(west, east, south, north), (uint32_t)i);
        }
        index->query(geos::geom::Envelope(0, 0, 0, 0), [](uint32_t) {});    // the tree is made at the first question
    }
    void forget() override { index.reset(); }
    void ask(const fix *fixes, const uint32_t *order, size_t count, answers &out) override {
        count_hits(fixes, order, count, out, [this](double latitude, double longitude, auto take) {
            index->query(geos::geom::Envelope(longitude, longitude, latitude, latitude), [&](uint32_t found) {
                const circle &one = all[found];
                if (haversine(latitude, longitude, one.latitude, one.longitude) <= one.radius) take(found);
            });
        });
    }
};
#endif

#ifndef WITHOUT_S2
class s2_cell_index final : public contender {
    std::unique_ptr<S2CellIndex> index;
    const circle *all = nullptr;

public:
    const char *name() const override { return "s2"; }
    void build(const circles &from) override {
        all = from.all;
        index = std::make_unique<S2CellIndex>();
        S2RegionCoverer::Options options;
        options.set_max_cells(8);
        S2RegionCoverer coverer(options);
        std::vector<S2CellId> cells;
        for (size_t i = 0; i < from.count; i++) {
            S2Point center = S2LatLng::FromDegrees(all[i].latitude, all[i].longitude).ToPoint();
            S2Cap cap(center, S1Angle::Radians(all[i].radius / EARTH_RADIUS * (1 + 1e-9) + 1e-12));
            coverer.GetCovering(cap, &cells);
            for (S2CellId cell : cells) index->Add(cell, (int32_t)i);
        }
        index->Build();
    }
    void forget() override { index.reset(); }
    void ask(const fix *fixes, const uint32_t *order, size_t count, answers &out) override {
        S2CellIndex::RangeIterator range(index.get());
        S2CellIndex::ContentsIterator contents(index.get());
        count_hits(fixes, order, count, out, [&](double latitude, double longitude, auto take) {
            range.Seek(S2CellId(S2LatLng::FromDegrees(latitude, longitude)));
            contents.Clear();
            for (contents.StartUnion(range); !contents.done(); contents.Next()) {
                uint32_t found = (uint32_t)contents.label();
                const circle &one = all[found];
                if (haversine(latitude, longitude, one.latitude, one.longitude) <= one.radius) take(found);
            }
        });
    }
};
#endif

class sqlite_rtree final : public contender {
    sqlite3 *database = nullptr;
    sqlite3_stmt *question = nullptr;
    const circle *all = nullptr;

    void must(int status) {
        if (status != SQLITE_OK && status != SQLITE_DONE) fail("SQLite R*Tree", sqlite3_errmsg(database));
    }

public:
    const char *name() const override { return "sqlite"; }
    ~sqlite_rtree() override { forget(); }
    void build(const circles &from) override {
        all = from.all;
        must(sqlite3_open(":memory:", &database));
        must(sqlite3_exec(database, "CREATE VIRTUAL TABLE circle USING rtree(id, south, north, west, east); BEGIN", nullptr, nullptr, nullptr));
        sqlite3_stmt *insert;
        must(sqlite3_prepare_v2(database, "INSERT INTO circle VALUES (?, ?, ?, ?, ?)", -1, &insert, nullptr));
        for (size_t i = 0; i < from.count; i++) {
            double south, west, north, east;
            enclose(&all[i], &south, &west, &north, &east);
            sqlite3_bind_int64(insert, 1, (sqlite3_int64)i);
            sqlite3_bind_double(insert, 2, south);
            sqlite3_bind_double(insert, 3, north);
            sqlite3_bind_double(insert, 4, west);
            sqlite3_bind_double(insert, 5, east);
            must(sqlite3_step(insert));
            sqlite3_reset(insert);
        }
        sqlite3_finalize(insert);
        must(sqlite3_exec(database, "COMMIT", nullptr, nullptr, nullptr));
        must(sqlite3_prepare_v2(database, "SELECT id FROM circle WHERE south <= ?1 AND north >= ?1 AND west <= ?2 AND east >= ?2", -1, &question, nullptr));
    }
    void forget() override {
        sqlite3_finalize(question);
        sqlite3_close(database);
        question = nullptr;
        database = nullptr;
    }
    void ask(const fix *fixes, const uint32_t *order, size_t count, answers &out) override {
        count_hits(fixes, order, count, out, [this](double latitude, double longitude, auto take) {
            sqlite3_bind_double(question, 1, latitude);
            sqlite3_bind_double(question, 2, longitude);
            while (sqlite3_step(question) == SQLITE_ROW) {
                uint32_t found = (uint32_t)sqlite3_column_int64(question, 0);
                if (haversine(latitude, longitude, all[found].latitude, all[found].longitude) <= all[found].radius) take(found);
            }
            sqlite3_reset(question);
        });
    }
};

#endif
