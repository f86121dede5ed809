// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace inversight {

/// How a field's bytes are found.
enum class FieldPlacement : std::uint8_t {
    Fixed,            ///< at its offset
    DataLocation,     ///< __data_loc: the offset holds a word, length << 16 | offset in the record
    RelativeLocation, ///< __rel_loc: the same, the offset counted from the word's end
};

/// A field of an event. Views point into the format's text.
struct EventField {
    std::string_view type; ///< "unsigned short", "char", "u32 *"
    std::string_view name;
    std::uint32_t offset = 0;
    std::uint32_t size = 0; ///< 0: from the offset to the record's end
    bool isSigned = false;
    bool isArray = false; ///< also every __data_loc and __rel_loc
    FieldPlacement placement = FieldPlacement::Fixed;
};

/// An events/SYSTEM/EVENT/format text, understood. Views point into that text.
struct EventFormat {
    std::string_view name;
    std::uint16_t id = 0;           ///< common_type of its records
    std::vector<EventField> fields; ///< common fields first
    std::string_view printFormat;   ///< what follows "print fmt:"; empty if it was damaged
    bool printFormatDamaged = false;

    /// The first of that name: some kernels' events have a field twice.
    [[nodiscard]] const EventField* find(std::string_view fieldName) const;
};

/// Parses a format text. Strict: what the kernel would not write is Corrupt, with the line and what
/// was expected there. Bounded: linear in the text, at most kMaxEventFields fields.
[[nodiscard]] Result<EventFormat> parseEventFormat(std::string_view text);

inline constexpr std::size_t kMaxEventFields = 256;

} // namespace inversight
