// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/lock_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace inversight {

std::size_t LockTable::KeyHash::operator()(const Key& key) const noexcept {
    // Fibonacci hashing: addresses differ in few, low bits.
    const std::uint64_t mixed =
        (key.value + (static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.tgid)) << 32) +
         static_cast<std::uint64_t>(key.space)) *
        0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(mixed ^ (mixed >> 32));
}

LockTable::LockTable(const TraceStore& store) : store_(store) {
    const auto& markers = store.table<MarkerRow>();
    for (std::size_t row = 0; row < markers.size(); ++row) {
        const MarkerRow& marker = markers[row];
        if (marker.kind == MarkerKind::LockAddress)
            announce(markers.event(row), marker);
        else if (marker.kind == MarkerKind::HoldBegin)
            held_.insert(marked(marker.tgid, marker.subject));
    }
}

void LockTable::announce(EventIndex event, const MarkerRow& row) {
    const LockId lock = marked(row.tgid, row.subject);
    const bool kernel = row.number == 1;
    locks_[lock.index()].address = row.value;
    announcements_[{kernel ? Space::Kernel : Space::Futex, kernel ? -1 : row.tgid, row.value}]
        .push_back({event, lock});
}

LockId LockTable::announced(const Key& key, EventIndex event) const {
    const auto found = announcements_.find(key);
    if (found == announcements_.end())
        return LockId::none();
    const std::vector<Announcement>& list = found->second;
    const auto after = std::upper_bound(
        list.begin(), list.end(), event,
        [](EventIndex value, const Announcement& entry) { return value < entry.event; });
    return after == list.begin() ? list.front().lock : (after - 1)->lock;
}

LockId LockTable::findOrAdd(const Key& key, LockInfo (*make)(const Key&)) {
    const auto [entry, fresh] =
        ids_.try_emplace(key, LockId{static_cast<std::uint32_t>(locks_.size())});
    if (fresh)
        locks_.push_back(make(key));
    return entry->second;
}

LockId LockTable::marked(std::int32_t tgid, StringId name) {
    const LockId lock = findOrAdd({Space::Name, tgid, name.value}, [](const Key& key) {
        return LockInfo{{}, 0, key.tgid, LockSource::Marker};
    });
    LockInfo& info = locks_[lock.index()];
    if (info.name.empty())
        info.name = store_.text(name);
    return lock;
}

LockId LockTable::futex(ThreadId thread, std::uint64_t address, EventIndex event) {
    const Key key{Space::Futex, store_.threads()[thread].tgid, address};
    if (const LockId lock = announced(key, event); lock.valid())
        return lock;
    return findOrAdd(key, [](const Key& k) {
        const std::string name = k.tgid < 0
                                     ? fmt::format("futex {:#x}", k.value)
                                     : fmt::format("futex {:#x} (process {})", k.value, k.tgid);
        return LockInfo{name, k.value, k.tgid, LockSource::Futex};
    });
}

LockId LockTable::kernel(std::uint64_t address, EventIndex event) {
    const Key key{Space::Kernel, -1, address};
    if (const LockId lock = announced(key, event); lock.valid())
        return lock;
    return findOrAdd(key, [](const Key& k) {
        return LockInfo{fmt::format("lock {:#x}", k.value), k.value, -1, LockSource::Contention};
    });
}

} // namespace inversight
