// Devices that come near each other (docs/roaming.md): `plot_roaming`, beside the loop over all pairs, and beside a packed R-tree that is made
// anew at each tick. All must find the same pairs at the end of each tick.
//
//     roaming PASSES
//
// Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
#include "contenders.hpp"

#include <plotengine.h>

namespace {

constexpr double reach = 100;
constexpr size_t ticks = 12;

struct crowd {
    std::vector<double> latitudes, longitudes;
    std::vector<uint32_t> devices, moved;
    uint64_t state = 7;

    double next() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<double>(state >> 11) / 9007199254740992.0;
    }

    // A square of so many kilometres that each device has as much room however many there are.
    explicit crowd(size_t count) {
        double side = sqrt(static_cast<double>(count) / 20000) * 0.4;
        for (size_t i = 0; i < count; i++) {
            latitudes.push_back(52 + next() * side);
            longitudes.push_back(5 + next() * side * 1.6);
            devices.push_back(static_cast<uint32_t>(i));
        }
        moved = devices;
    }

    // About 30 m to any side, of one device in so many; those are `moved`.
    void walk(size_t one_in) {
        moved.clear();
        size_t first = static_cast<size_t>(next() * static_cast<double>(one_in));
        for (size_t i = first; i < latitudes.size(); i += one_in) {
            latitudes[i] += (next() - 0.5) * 0.0008;
            longitudes[i] += (next() - 0.5) * 0.0012;
            moved.push_back(devices[i]);
        }
    }
};

struct found {
    uint64_t pairs = 0, sum = 0;

    void take(uint64_t a, uint64_t b) {
        pairs++;
        sum += (a < b ? a * 1000003 + b : b * 1000003 + a);
    }

    bool operator!=(const found &other) const { return pairs != other.pairs || sum != other.sum; }
};

found by_loop(const crowd &of) {
    found all;
    double most = reach / (EARTH_RADIUS * DEGREE) * 1.0000001;
    size_t count = of.latitudes.size();
    for (size_t a = 0; a < count; a++) {
        for (size_t b = a + 1; b < count; b++) {
            // What any loop would leave out.
            if (fabs(of.latitudes[a] - of.latitudes[b]) > most) continue;
            if (haversine(of.latitudes[a], of.longitudes[a], of.latitudes[b], of.longitudes[b]) <= reach) all.take(a, b);
        }
    }
    return all;
}

#ifndef WITHOUT_BOOST
// The pairs of some devices with all others; each once where they are all devices.
found by_index(const crowd &of, const std::vector<uint32_t> &asking) {
    namespace bg = boost::geometry;
    using point = bg::model::point<double, 2, bg::cs::cartesian>;
    using value = std::pair<point, uint32_t>;
    std::vector<value> points;
    size_t count = of.latitudes.size();
    points.reserve(count);
    for (size_t i = 0; i < count; i++) points.emplace_back(point(of.longitudes[i], of.latitudes[i]), of.devices[i]);
    bg::index::rtree<value, bg::index::quadratic<16>> tree(points);
    found all;
    bool once = asking.size() == count;
    for (size_t a : asking) {
        circle around = {of.latitudes[a], of.longitudes[a], reach};
        double south, west, north, east;
        enclose(&around, &south, &west, &north, &east);
        tree.query(bg::index::intersects(bg::model::box<point>(point(west, south), point(east, north))),
                   boost::make_function_output_iterator([&](const value &other) {
                       size_t b = other.second;
                       if ((once ? b > a : b != a) && haversine(of.latitudes[a], of.longitudes[a], of.latitudes[b], of.longitudes[b]) <= reach) all.take(a, b);
                   }));
    }
    return all;
}
#endif

class roamer {
public:
    roamer() {
        if (plot_roaming_new(reach, reach, 0, 0, &roaming, nullptr) != PLOT_OK) fail("plot_roaming_new", "");
    }

    ~roamer() { plot_roaming_free(roaming); }

    void tick(const crowd &of, int64_t time) {
        size_t count = of.moved.size();
        times.assign(count, time);
        latitudes.resize(count);
        longitudes.resize(count);
        for (size_t i = 0; i < count; i++) {
            latitudes[i] = of.latitudes[of.moved[i]];
            longitudes[i] = of.longitudes[of.moved[i]];
        }
        plot_pairs *news = nullptr;
        if (plot_roaming_update_locations(roaming, of.moved.data(), count, times.data(), latitudes.data(), longitudes.data(), &news,
                                          nullptr)
            != PLOT_OK)
            fail("plot_roaming_update_locations", "");
        plot_pairs_free(news);
    }

    found near() {
        found all;
        plot_pairs *pairs = nullptr;
        if (plot_roaming_list_pairs(roaming, &pairs, nullptr) != PLOT_OK) fail("plot_roaming_list_pairs", "");
        const plot_pair *records = plot_pairs_get_records(pairs);
        for (size_t i = 0; i < plot_pairs_get_count(pairs); i++) all.take(records[i].first, records[i].second);
        plot_pairs_free(pairs);
        return all;
    }

private:
    plot_roaming *roaming = nullptr;
    std::vector<int64_t> times;
    std::vector<double> latitudes, longitudes;
};

void compare(size_t count, size_t passes, bool loops, size_t one_in = 1) {
    std::vector<double> loop, index, plot;
    for (size_t pass = 0; pass < passes; pass++) {
        crowd of(count);
        roamer own;
        own.tick(of, 1000);
        double spent[3] = {0, 0, 0};
        uint64_t pairs = 0, fixes = 0;
        for (size_t tick = 1; tick <= ticks; tick++) {
            of.walk(one_in);
            fixes += of.moved.size();
            double start = now();
            own.tick(of, 1000 * static_cast<int64_t>(tick + 1));
            spent[2] += now() - start;
            found mine = own.near();
            pairs += mine.pairs;
#ifndef WITHOUT_BOOST
            start = now();
            found theirs = by_index(of, of.moved);
            spent[1] += now() - start;
            if (one_in > 1) theirs = by_index(of, of.devices);
            if (theirs != mine) fail("the R-tree finds other pairs", "");
#endif
            if (!loops) continue;
            start = now();
            found all = by_loop(of);
            spent[0] += now() - start;
            if (all != mine) fail("the loop finds other pairs", "");
        }
        if (pairs == 0) fail("no pairs", "");
        double each = 1e9 / static_cast<double>(fixes);
        loop.push_back(spent[0] * each);
        index.push_back(spent[1] * each);
        plot.push_back(spent[2] * each);
    }
    std::string about = "roaming/" + std::to_string(count) + (one_in > 1 ? "/tenth/" : "/");
    if (loops) tell((about + "loop").c_str(), "ns a fix", loop.data(), loop.size());
#ifdef WITHOUT_BOOST
    tell_left_out((about + "index").c_str(), "libboost-dev is not there");
#else
    tell((about + "index").c_str(), "ns a fix", index.data(), index.size());
#endif
    tell((about + "plot").c_str(), "ns a fix", plot.data(), plot.size());
}

}  // namespace

int main(int argc, char **argv) {
    size_t passes = argc > 1 ? static_cast<size_t>(atoi(argv[1])) : 3;
    compare(2000, passes, true);
    compare(20000, passes, true);
    compare(200000, passes, false);
    compare(200000, passes, false, 10);
    return 0;
}
