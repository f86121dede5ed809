// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/event_catalog.h"
#include "trace/decode/event_format.h"
#include "trace/decode/file_names.h"
#include "trace/decode/print_format.h"
#include "trace/decode/special_events.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace inversight {

/// Event records as text, the way the kernel would have printed them: by the print format the file
/// holds for the event, and where that cannot be evaluated as "name=value" of its fields. A record
/// of an id without a format is "unknown event 65000" with its bytes.
///
/// A format is parsed when the first of its events is printed. Reentrant; the file's texts that
/// catalog and names refer to must outlive it.
class EventPrinter {
public:
    EventPrinter(const EventCatalog& catalog, ByteOrder order, int longSize,
                 std::string_view kallsyms, std::string_view printkFormats);

    /// Appends the text of a record (its data, from the common fields on), without a newline at its
    /// end.
    void append(std::span<const std::byte> record, std::string& out) const;

    /// Why events of this type are shown as "name=value"; "" if they are not. For tests and
    /// whoever wants to tell.
    [[nodiscard]] std::string refusal(std::uint16_t rawId) const;

private:
    /// One event type, made on first use.
    struct Type {
        std::once_flag made;
        EventFormat format;
        SpecialPrint special = nullptr;
        std::optional<PrintFormat> print;
        std::string refusal;
    };
    const Type& typeAt(std::size_t index) const;
    void make(std::size_t index, Type& type) const;

    const EventCatalog& catalog_;
    ByteOrder order_;
    std::uint8_t longSize_;
    FileNames names_;
    std::unique_ptr<Type[]> types_; // each written once, under its flag
};

} // namespace inversight
