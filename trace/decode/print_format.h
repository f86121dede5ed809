// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/decode/event_format.h"
#include "trace/decode/print_context.h"
#include "trace/decode/print_conversion.h"
#include "trace/decode/print_parser.h"

#include <string>
#include <vector>

namespace inversight {

/// The print format of one event type, parsed once, evaluated for any number of its records. Our
/// own, because its text and the records come from files: any bytes end in text or in a refusal, in
/// bounded time and memory. Reentrant once made.
///
///     const PrintFormat format = TRY(PrintFormat::parse(eventFormat, longSize));
///     if (!format.append({record, order, longSize, &names}, text))
///         appendFields(...); // name=value
class PrintFormat {
public:
    [[nodiscard]] static Result<PrintFormat> parse(const EventFormat& format, int longSize);

    /// Appends the event's text; false, with `out` as before, if this record cannot be shown by it.
    [[nodiscard]] bool append(const PrintContext& context, std::string& out) const;

private:
    PrintFormat(ParsedPrint parsed, std::vector<PrintConversion> conversions)
        : parsed_(std::move(parsed)), conversions_(std::move(conversions)) {}

    ParsedPrint parsed_;
    std::vector<PrintConversion> conversions_;
};

/// No event's text is longer: the kernel's own is at most two pages.
inline constexpr std::size_t kLongestEventText = 1 << 20;

} // namespace inversight
