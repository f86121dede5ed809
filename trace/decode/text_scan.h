// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

/// Small readers of text that is never copied: each removes what it read from the begin of `text`,
/// or returns false and leaves it alone.
namespace inversight {

[[nodiscard]] constexpr bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr bool isBlank(char c) {
    return c == ' ' || c == '\t';
}
/// A character of an event's or a function's name.
[[nodiscard]] constexpr bool isWordCharacter(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

[[nodiscard]] constexpr std::string_view withoutLeadingBlanks(std::string_view text) {
    std::size_t begin = 0;
    while (begin < text.size() && isBlank(text[begin]))
        ++begin;
    return text.substr(begin);
}
[[nodiscard]] constexpr std::string_view withoutTrailingBlanks(std::string_view text) {
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

[[nodiscard]] constexpr bool takeText(std::string_view& text, std::string_view expected) {
    if (!text.starts_with(expected))
        return false;
    text.remove_prefix(expected.size());
    return true;
}

/// Decimal digits that fit 64 bits.
[[nodiscard]] constexpr bool takeDecimal(std::string_view& text, std::uint64_t& value) {
    constexpr std::size_t kNeverTooMany = 19; // digits: 10^19 - 1 fits
    std::uint64_t sum = 0;
    std::size_t used = 0;
    for (; used < text.size() && isDigit(text[used]); ++used) {
        const auto digit = static_cast<std::uint64_t>(text[used] - '0');
        if (used >= kNeverTooMany && sum > (std::numeric_limits<std::uint64_t>::max() - digit) / 10)
            return false;
        sum = sum * 10 + digit;
    }
    text.remove_prefix(used);
    value = sum;
    return used > 0;
}

/// Hexadecimal digits that fit 64 bits, with or without "0x".
[[nodiscard]] bool takeHex(std::string_view& text, std::uint64_t& value);

/// A number as an event's body has it: "120", "-1", "0x78", "4294967295" (which as an int is -1),
/// and "0x78 (120)" of Linux 6.12's options/fields, where the decimal form counts.
[[nodiscard]] bool takeNumber(std::string_view& text, std::int64_t& value);
[[nodiscard]] inline bool takeNumber(std::string_view& text, std::int32_t& value) {
    // Nearly all are a few digits.
    constexpr std::size_t kNeverTooMany = 9;
    std::int32_t sum = 0;
    std::size_t used = 0;
    for (; used < text.size() && used < kNeverTooMany && isDigit(text[used]); ++used)
        sum = sum * 10 + (text[used] - '0');
    const bool ended = used == text.size() || !(isDigit(text[used]) || text[used] == 'x');
    if (used > 0 && ended) [[likely]] {
        text.remove_prefix(used);
        value = sum;
        return true;
    }
    std::int64_t wide = 0;
    if (!takeNumber(text, wide))
        return false;
    value = static_cast<std::int32_t>(wide);
    return true;
}

} // namespace inversight
