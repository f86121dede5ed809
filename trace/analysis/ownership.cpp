// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/ownership.h"

#include "trace/analysis/ownership_builder.h"

#include <algorithm>

namespace inversight {

const char* ownerEvidenceName(OwnerEvidence evidence) {
    switch (evidence) {
    case OwnerEvidence::Marker:
        return "marker";
    case OwnerEvidence::PiSetprio:
        return "pi_setprio";
    case OwnerEvidence::FutexHistory:
        return "futex_history";
    case OwnerEvidence::Waker:
        return "waker";
    case OwnerEvidence::ContentionEnd:
        break;
    }
    return "contention_end";
}

const LockHold* Ownership::at(LockId lock, std::int64_t time) const {
    if (lock.index() >= byLock.size())
        return nullptr;
    const std::vector<std::uint32_t>& list = byLock[lock.index()];
    auto after = std::upper_bound(list.begin(), list.end(), time,
                                  [this](std::int64_t value, std::uint32_t index) {
                                      return value < holds[index].range.begin;
                                  });
    // Holds of one lock do not overlap: only empty ones can stand between `time` and its hold, and
    // only a hostile trace has more than a few of them.
    for (int left = 16; left > 0 && after != list.begin(); --left) {
        const LockHold& hold = holds[*--after];
        if (hold.range.contains(time))
            return &hold;
        if (hold.range.length() > 0)
            return nullptr;
    }
    return nullptr;
}

Result<Ownership> findOwnership(const TraceStore& store, const LockEvents& events,
                                const JobContext& job) {
    OwnershipBuilder builder(store, events);
    const auto& markers = store.table<MarkerRow>();
    const auto& boosts = store.table<PiSetprioRow>();
    std::size_t marker = 0;
    std::size_t boost = 0;
    const auto addRowsBefore = [&](EventIndex end) {
        for (; marker < markers.size() && markers.event(marker) < end; ++marker)
            builder.seenInUserMode(markers.event(marker));
        for (; boost < boosts.size() && boosts.event(boost) < end; ++boost)
            builder.inherit(boosts.event(boost), boosts[boost]);
    };
    std::size_t count = 0;
    for (const LockEvent& event : events.events) {
        if ((count++ & 0xffff) == 0)
            TRY(job.check("finding owners"));
        addRowsBefore(event.event);
        builder.add(event);
    }
    addRowsBefore(EventIndex::none());
    return std::move(builder).finish();
}

} // namespace inversight
