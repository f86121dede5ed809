// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/decode/event_format.h"
#include "trace/file/byte_order.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace inversight {

/// An integer of a record; `size` 0 = the event has no such field.
struct IntegerField {
    std::uint32_t offset = 0;
    std::uint8_t size = 0;
    bool isSigned = false;

    [[nodiscard]] bool present() const { return size != 0; }

    /// Sign-extended where the format says signed. The record holds offset + size bytes.
    [[nodiscard]] std::int64_t load(const std::byte* record, ByteOrder order) const {
        switch (size) {
        case 1:
            return extend<std::int8_t>(loadInteger<std::uint8_t>(record + offset, order));
        case 2:
            return extend<std::int16_t>(loadInteger<std::uint16_t>(record + offset, order));
        case 4:
            return extend<std::int32_t>(loadInteger<std::uint32_t>(record + offset, order));
        case 8:
            return extend<std::int64_t>(loadInteger<std::uint64_t>(record + offset, order));
        default:
            return 0;
        }
    }
    [[nodiscard]] std::int32_t load32(const std::byte* record, ByteOrder order) const {
        return static_cast<std::int32_t>(load(record, order));
    }

private:
    template <class Signed, class Unsigned>
    [[nodiscard]] std::int64_t extend(Unsigned value) const {
        return isSigned ? static_cast<std::int64_t>(static_cast<Signed>(value))
                        : static_cast<std::int64_t>(value);
    }
};

/// A text of a record.
struct TextField {
    std::uint32_t offset = 0;
    std::uint32_t size = 0; ///< of a Fixed one; 0 = to the record's end
    FieldPlacement placement = FieldPlacement::Fixed;

    /// Up to the first NUL; "" where the record points outside itself. The record holds the fixed
    /// part of the field.
    [[nodiscard]] std::string_view load(std::span<const std::byte> record, ByteOrder order) const {
        if (placement != FieldPlacement::Fixed)
            return loadLocated(record, order);
        const std::size_t limit = size != 0 ? size : record.size() - offset;
        return terminated(record, offset, limit);
    }

private:
    [[nodiscard]] static std::string_view terminated(std::span<const std::byte> record,
                                                     std::size_t begin, std::size_t limit) {
        const auto* text = reinterpret_cast<const char*>(record.data() + begin);
        return {text, strnlen(text, limit)};
    }
    [[nodiscard]] std::string_view loadLocated(std::span<const std::byte> record,
                                               ByteOrder order) const;
};

/// Looks up the fields a plan needs in one format and remembers what is wrong, so that a plan is
/// written down as a list of fields and checked once. Thread-bound.
class FieldFinder {
public:
    explicit FieldFinder(const EventFormat& format) : format_(format) {}

    [[nodiscard]] IntegerField integer(std::string_view name);
    /// Not present without complaint.
    [[nodiscard]] IntegerField optionalInteger(std::string_view name);
    [[nodiscard]] TextField text(std::string_view name);
    /// A text that reaches to the record's end, whatever size the format gives.
    [[nodiscard]] TextField trailingText(std::string_view name);

    /// The bytes a record must have for every field looked up to be inside it; Corrupt names the
    /// first field that is missing or of the wrong form.
    [[nodiscard]] Result<std::uint32_t> minimumSize() const;

private:
    const EventField* require(std::string_view name);
    void complain(std::string_view name, std::string_view what);
    void cover(std::uint32_t end) { minimumSize_ = std::max(minimumSize_, end); }

    const EventFormat& format_;
    std::uint32_t minimumSize_ = 0;
    std::string complaint_;
};

} // namespace inversight
