// The bare indexes beside each other, in one process: index DATA PASSES QUICK SIZE...
//
// For each number of circles, every contender is built, must find the hits and the checksum of the workload, and is then asked in passes, one
// contender after the other in each. A slow contender is asked a part of the fixes (the first ones in the order), and must find there what
// the others found. QUICK 1 leaves out what takes longest to build, and says so.
//
// Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
#include "contenders.hpp"

#include <algorithm>

extern "C" {
void *bench_index_new(const double *circles, intptr_t count);
void bench_index_build(void *held);
void bench_index_ask(void *held, const double *fixes, const uint32_t *order, intptr_t count, uint64_t *totals, uint32_t *counts, uint64_t *sums);
void bench_index_ask_ahead(void *held, const double *fixes, const uint32_t *order, intptr_t count, uint64_t *totals);
void bench_index_free(void *held);
}

class plot_index : public contender {
protected:
    void *held = nullptr;

public:
    const char *name() const override { return "plot"; }
    ~plot_index() override { forget(); }
    // The regions themselves are the feed's, not the index's.
    void take(const circles &from) { held = bench_index_new(&from.all[0].latitude, (intptr_t)from.count); }
    void build(const circles &) override { bench_index_build(held); }
    void forget() override {
        if (held != nullptr) bench_index_free(held);
        held = nullptr;
    }
    void ask(const fix *fixes, const uint32_t *order, size_t count, answers &out) override {
        bench_index_ask(held, &fixes[0].latitude, order, (intptr_t)count, out.totals, out.counts, out.sums);
    }
};

// All fixes are known, as in a batch: the search looks ahead, as plot_engines_update_locations does.
class plot_index_ahead final : public plot_index {
public:
    const char *name() const override { return "plot ahead"; }
    void ask(const fix *fixes, const uint32_t *order, size_t count, answers &out) override {
        bench_index_ask_ahead(held, &fixes[0].latitude, order, (intptr_t)count, out.totals);
    }
};

// How many fixes a contender is asked in a pass, so that none takes longer than some seconds.
static size_t share(const std::string &name, size_t circles, size_t fixes) {
    if (name == "scan") return std::max<size_t>(200, std::min<size_t>(fixes, 200000000 / circles));
    if (name == "sqlite") return std::min<size_t>(fixes, 100000);
    return fixes;
}

static void check(const std::string &where, const contender &one, const answers &found, uint64_t hits, uint64_t checksum) {
    if (found.totals[0] == hits && found.totals[1] == checksum) return;
    fprintf(stderr, "bench: %s: %s found %llu hits, checksum %llu, not %llu and %llu\n", where.c_str(), one.name(),
            (unsigned long long)found.totals[0], (unsigned long long)found.totals[1], (unsigned long long)hits, (unsigned long long)checksum);
    exit(1);
}

static void measure(const char *data, size_t size, int passes, bool quick) {
    const expectation *want = expected(size);
    circles all = read_circles(data, want->tag);
    tracks from = read_tracks(data, want->tracks);
    size_t fixes = from.tracks * from.each;
    std::string about = "index/" + std::to_string(size) + "/";

    std::vector<std::unique_ptr<contender>> contenders;
    auto plot = std::make_unique<plot_index>();
    plot->take(all);
    contenders.push_back(std::move(plot));
    auto ahead = std::make_unique<plot_index_ahead>();
    ahead->take(all);
    contenders.push_back(std::move(ahead));
    contenders.push_back(std::make_unique<scan>());
    auto left_out = [&](const char *name, const char *why) { tell_left_out((about + name).c_str(), why); };
#ifdef WITHOUT_BOOST
    left_out("boost", "libboost-dev is not there");
#else
    contenders.push_back(std::make_unique<boost_rtree>());
    contenders.push_back(std::make_unique<boost_by_iterators>());
#endif
#ifdef WITHOUT_GEOS
    left_out("geos", "libgeos-dev is not there");
#else
    contenders.push_back(std::make_unique<geos_strtree>());
#endif
    bool large = quick && size >= 1000000;
#ifdef WITHOUT_S2
    left_out("s2", "libs2-dev is not there");
#else
    if (large) left_out("s2", "--quick: its build takes long");
    else contenders.push_back(std::make_unique<s2_cell_index>());
#endif
    if (large) left_out("sqlite", "--quick: its build takes long");
    else contenders.push_back(std::make_unique<sqlite_rtree>());

    for (auto &one : contenders) {
        size_t before = in_use();
        double begin = now();
        one->build(all);
        double took = now() - begin;
        size_t bytes = in_use() - before;
        tell_one((about + "build/" + one->name()).c_str(), "s", took);
        tell_one((about + "bytes/" + one->name()).c_str(), "bytes", (double)bytes / (double)size);
    }

    // What each fix hits, from the first contender that is asked all of them and is found right.
    std::vector<uint32_t> counts(fixes);
    std::vector<uint64_t> sums(fixes);
    bool known = false;
    for (char order : {'I', 'T'}) {
        uint32_t *numbers = order_of(&from, order);
        std::string where = about + order;
        std::vector<std::vector<double>> costs(contenders.size());
        for (int pass = -1; pass < passes; pass++)
            for (size_t i = 0; i < contenders.size(); i++) {
                contender &one = *contenders[i];
                size_t asked = share(one.name(), size, fixes);
                answers found;
                if (!known && asked == fixes) {
                    found.counts = counts.data();
                    found.sums = sums.data();
                }
                double begin = now();
                one.ask(from.all, numbers, asked, found);
                double cost = (now() - begin) * 1e9 / (double)asked;
                uint64_t hits = want->hits, checksum = want->checksum;
                if (asked < fixes) {
                    if (!known) fail("nothing to compare a part with", one.name());
                    hits = checksum = 0;
                    for (size_t place = 0; place < asked; place++) {
                        hits += counts[numbers[place]];
                        checksum += sums[numbers[place]] * (numbers[place] % 1000 + 1);
                    }
                }
                check(where, one, found, hits, checksum);
                known = known || asked == fixes;
                if (pass >= 0) costs[i].push_back(cost);    // the one before is for warming up and for the hits
            }
        for (size_t i = 0; i < contenders.size(); i++) {
            std::string name = where + "/" + contenders[i]->name();
            tell(name.c_str(), "ns", costs[i].data(), costs[i].size());
            size_t asked = share(contenders[i]->name(), size, fixes);
            if (asked < fixes) tell_one((name + "/fixes").c_str(), "fixes", (double)asked);
        }
        free(numbers);
    }
    free(all.all);
    free(from.all);
}

int main(int count, char **arguments) {
    if (count < 5) fail("usage", "index DATA PASSES QUICK SIZE...");
    for (int i = 4; i < count; i++) measure(arguments[1], (size_t)atoll(arguments[i]), atoi(arguments[2]), atoi(arguments[3]) != 0);
    return 0;
}
