// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/strong_id.h"

#include <cstdint>

namespace inversight {

/// A sequence of events with one clock: a buffer of a trace.dat, a text file, a live instance.
using StreamId = StrongId<struct StreamIdTag, std::uint16_t>;
/// One incarnation of a thread (fork to exit) in ThreadTable; a tid is only an attribute of it.
using ThreadId = StrongId<struct ThreadIdTag, std::uint32_t>;
/// An interned string of a StringPool.
using StringId = StrongId<struct StringIdTag, std::uint32_t>;
/// A row of TraceStore::types().
using EventTypeId = StrongId<struct EventTypeIdTag, std::uint16_t>;
/// A position in the merged order (time, stream, CPU, record index) of a TraceStore.
using EventIndex = StrongId<struct EventIndexTag, std::uint32_t>;

/// Where an event's bytes are: an offset that the stream's RecordStore understands.
struct RecordRef {
    StreamId stream;
    std::uint64_t offset = 0;
    auto operator<=>(const RecordRef&) const = default;
};

/// [begin, end) in the stream's clock.
struct TimeRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    [[nodiscard]] std::int64_t length() const { return end - begin; }
    [[nodiscard]] bool contains(std::int64_t time) const { return begin <= time && time < end; }
    [[nodiscard]] bool overlaps(const TimeRange& other) const {
        return begin < other.end && other.begin < end;
    }
    auto operator<=>(const TimeRange&) const = default;
};

} // namespace inversight
