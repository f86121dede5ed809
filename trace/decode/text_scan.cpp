// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_scan.h"

#include <charconv>

namespace inversight {

bool takeHex(std::string_view& text, std::uint64_t& value) {
    std::string_view rest = text;
    if (!takeText(rest, "0x"))
        (void)takeText(rest, "0X");
    const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), value, 16);
    if (failure != std::errc())
        return false;
    text = rest.substr(static_cast<std::size_t>(end - rest.data()));
    return true;
}

bool takeNumber(std::string_view& text, std::int64_t& value) {
    std::string_view rest = text;
    const bool negative = takeText(rest, "-");
    std::uint64_t magnitude = 0;
    if (rest.starts_with("0x")) {
        if (!takeHex(rest, magnitude))
            return false;
        std::string_view decimal = rest;
        std::int64_t again = 0;
        if (takeText(decimal, " (") && !decimal.starts_with("0x") && takeNumber(decimal, again) &&
            takeText(decimal, ")")) {
            text = decimal;
            value = again;
            return true;
        }
    } else if (!takeDecimal(rest, magnitude)) {
        return false;
    }
    text = rest;
    value = static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
    return true;
}

} // namespace inversight
