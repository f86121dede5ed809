// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/event_format.h"
#include "trace/decode/field_access.h"
#include "trace/decode/field_plans.h"
#include "trace/file/dat_file.h"
#include "trace/model/event_sink.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inversight {

/// An event type of a file, ready for reading its records.
struct CatalogType {
    EventTypeInfo info;
    IntegerField tid;
    IntegerField flags;
    IntegerField preemptCount;
    std::uint32_t headerSize = 0; ///< bytes a record needs for the three above
    FieldPlan plan;
    std::uint32_t planSize = 0;  ///< bytes a record needs for its plan
    std::string_view formatText; ///< of the file; for EventPrinter
};

/// Every event type of a file, found by the raw id of a record in constant time. The last type,
/// "unknown event", stands for records of ids the file has no format for. Reentrant once made.
class EventCatalog {
public:
    /// Formats that cannot be understood are left out, typed events without a usable format stay
    /// kind Other; `warnings` gets a line for each (the first of many).
    [[nodiscard]] static EventCatalog build(std::span<const FormatText> formats,
                                            std::vector<std::string>& warnings);

    [[nodiscard]] std::span<const CatalogType> types() const { return types_; }
    [[nodiscard]] std::size_t unknownType() const { return types_.size() - 1; }
    [[nodiscard]] std::size_t indexOf(std::uint16_t rawId) const { return byRawId_[rawId]; }
    /// Where common_type is.
    [[nodiscard]] IntegerField rawIdField() const { return rawId_; }

private:
    EventCatalog();
    void add(const FormatText& text, std::vector<std::string>& warnings);
    void finish();

    static constexpr std::uint16_t kNoType = 0xffff;
    std::vector<std::uint16_t> byRawId_;
    std::vector<CatalogType> types_;
    IntegerField rawId_{0, 2, false};
};

} // namespace inversight
