/*
 * Files of stores for the benchmarks, and raw SQLite beside them.
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#ifndef STORES_HPP
#define STORES_HPP

#include "workload.h"

#include <sqlite3.h>
#include <string>
#include <unistd.h>

/* Those that a store uses. */
static const char *const MODES = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;";

static inline void sql(sqlite3 *database, const std::string &statements) {
    if (sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail("SQLite", sqlite3_errmsg(database));
}

/* A path at which no file lies, nor anything that belongs to one. */
static inline std::string fresh(const char *scratch, const char *name) {
    std::string path = std::string(scratch) + "/" + name;
    for (const char *end : {"", "-wal", "-shm", "-journal", "-log", "-page"}) unlink((path + end).c_str());
    return path;
}

#endif
