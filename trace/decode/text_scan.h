// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

/// Eight characters, looked at together: columns and names are as long as they like, and a loop
/// that ends after a number of steps nobody can foresee costs a processor more than all of these.
class EightCharacters {
public:
    static constexpr std::size_t kCount = 8;

    explicit EightCharacters(const char* begin) {
        std::memcpy(&word_, begin, sizeof word_);
        if constexpr (std::endian::native == std::endian::big)
            word_ = __builtin_bswap64(word_);
    }

    /// Which of them are `c`, as marks for firstOf().
    [[nodiscard]] std::uint64_t marksOf(char c) const {
        const std::uint64_t zero = word_ ^ (kOnes * static_cast<unsigned char>(c));
        return ~(((zero & kLow7) + kLow7) | zero | kLow7);
    }
    [[nodiscard]] std::uint64_t blankMarks() const { return marksOf(' ') | marksOf('\t'); }
    static constexpr std::uint64_t kAllMarks = 0x8080808080808080U;
    /// The place of the first mark; kCount if there is none.
    [[nodiscard]] static std::size_t firstOf(std::uint64_t marks) {
        return static_cast<std::size_t>(std::countr_zero(marks)) / 8;
    }

    /// How many of the last ones are digits, and the number that they make.
    [[nodiscard]] std::size_t trailingDigits(std::uint32_t& number) const {
        const std::uint64_t others = ((word_ & (kOnes * 0xf0)) ^ (kOnes * 0x30)) |
                                     (((word_ & (kOnes * 0x0f)) + kOnes * 0x06) & (kOnes * 0x10));
        const auto count = static_cast<std::size_t>(std::countl_zero(others)) / 8;
        if (count == 0)
            return 0;
        // What is in front of them becomes zeros; then pairs, fours and eight are joined.
        std::uint64_t sum = (word_ & (kOnes * 0x0f)) >> (8 * (kCount - count))
                                                            << (8 * (kCount - count));
        sum = (sum * 10 + (sum >> 8)) & 0x00ff00ff00ff00ffU;
        sum = (sum * 100 + (sum >> 16)) & 0x0000ffff0000ffffU;
        number = static_cast<std::uint32_t>(sum * 10000 + (sum >> 32));
        return count;
    }

private:
    static constexpr std::uint64_t kOnes = 0x0101010101010101U;
    static constexpr std::uint64_t kLow7 = 0x7f7f7f7f7f7f7f7fU;

    std::uint64_t word_ = 0; ///< the first character in the lowest byte
};

[[nodiscard]] inline std::string_view withoutLeadingBlanks(std::string_view text) {
    while (text.size() >= EightCharacters::kCount) {
        const std::uint64_t others =
            EightCharacters(text.data()).blankMarks() ^ EightCharacters::kAllMarks;
        text.remove_prefix(EightCharacters::firstOf(others));
        if (others != 0)
            return text;
    }
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    return text;
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
