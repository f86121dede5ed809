// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/event_catalog.h"
#include "trace/file/page_reader.h"
#include "trace/model/event_sink.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace inversight {

/// What reading one CPU brought to light besides its events.
struct CpuFindings {
    struct ManifestText {
        std::uint32_t index = 0;
        std::uint32_t count = 0;
        std::string text;
    };
    std::map<std::uint16_t, std::uint64_t> unknownIds; ///< records per id without a format
    std::map<std::size_t, std::uint64_t> shortRecords; ///< records per type without all fields
    std::uint64_t headlessRecords = 0;                 ///< too short for the common fields
    std::vector<ManifestText> manifestTexts;
};

/// Turns the records of one CPU into events. No allocation per event, but for markers with escapes.
/// Thread-bound.
class CpuDecoder {
public:
    /// `typeIds`: what the sink called the catalog's types, in their order.
    CpuDecoder(const EventCatalog& catalog, std::span<const EventTypeId> typeIds, ByteOrder order,
               CpuEventSink& sink)
        : catalog_(catalog), typeIds_(typeIds), rawId_(catalog.rawIdField()), order_(order),
          sink_(sink) {}

    /// `time` corrected, `offset` of the record in the file.
    void decode(const RingRecord& record, std::int64_t time, std::uint64_t offset);

    [[nodiscard]] CpuFindings takeFindings() { return std::move(findings_); }

private:
    struct Emitter;

    const EventCatalog& catalog_;
    std::span<const EventTypeId> typeIds_;
    IntegerField rawId_;
    ByteOrder order_;
    CpuEventSink& sink_;
    std::string unescaped_;
    CpuFindings findings_;
};

} // namespace inversight
