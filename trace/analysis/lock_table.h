// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/lock_events.h"

#include <unordered_map>
#include <unordered_set>

namespace inversight {

/// Gives every lock of a trace one LockId, whatever shows it: a marker's name, a futex address, a
/// kernel address. Names belong to a process, futex addresses too (as far as the process of a
/// thread is known), kernel addresses to the machine. Announcements (`lock NAME addr=`) join them;
/// they are read before everything else, so that they also serve what precedes them. Thread-bound.
class LockTable {
public:
    explicit LockTable(const TraceStore& store);

    LockId marked(std::int32_t tgid, StringId name);
    LockId futex(ThreadId thread, std::uint64_t address, EventIndex event);
    LockId kernel(std::uint64_t address, EventIndex event);
    /// Whether markers of holds exist for it, so that a wait without one was given up.
    [[nodiscard]] bool hasHolds(LockId lock) const { return held_.contains(lock); }

    [[nodiscard]] std::vector<LockInfo> takeLocks() { return std::move(locks_); }

private:
    enum class Space : std::uint8_t { Name, Futex, Kernel };
    struct Key {
        Space space = Space::Name;
        std::int32_t tgid = -1;
        std::uint64_t value = 0;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept;
    };
    struct Announcement {
        EventIndex event;
        LockId lock;
    };

    void announce(EventIndex event, const MarkerRow& row);
    LockId announced(const Key& key, EventIndex event) const;
    LockId findOrAdd(const Key& key, LockInfo (*make)(const Key&));

    const TraceStore& store_;
    std::vector<LockInfo> locks_;
    std::unordered_map<Key, LockId, KeyHash> ids_;
    std::unordered_map<Key, std::vector<Announcement>, KeyHash> announcements_;
    std::unordered_set<LockId> held_;
};

} // namespace inversight
