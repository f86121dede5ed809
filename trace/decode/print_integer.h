// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace inversight {

/// C's integer types as far as a print format can tell them apart.
struct IntegerType {
    std::uint8_t size = 4; ///< 1, 2, 4 or 8 bytes
    bool isSigned = true;
    bool operator==(const IntegerType&) const = default;
};

/// An integer with its C type: what `-1 >> 60`, `a < b` and `%llx` yield depends on it. `bits` is
/// always the value extended to 64 bits by that type.
struct PrintInteger {
    std::uint64_t bits = 0;
    IntegerType type;

    [[nodiscard]] static PrintInteger of(std::uint64_t bits, IntegerType type);
    [[nodiscard]] std::int64_t asSigned() const { return static_cast<std::int64_t>(bits); }
    [[nodiscard]] PrintInteger convertedTo(IntegerType to) const { return of(bits, to); }
};

enum class PrintOp : std::uint8_t;

/// The value of `op` with C's promotions and conversions, in arithmetic that wraps. A shift by the
/// type's width or more, or by a negative number, yields 0 (C does not define it; so does no CPU in
/// the same way). Nothing for a division by zero.
[[nodiscard]] std::optional<PrintInteger> applyBinary(PrintOp op, PrintInteger a, PrintInteger b);
[[nodiscard]] std::optional<PrintInteger> applyUnary(PrintOp op, PrintInteger a);

/// A C constant: decimal, octal, hexadecimal, with suffixes. Its type is the first of C's list that
/// holds it, on a machine with longs of `longSize`. Nothing for what is none.
[[nodiscard]] std::optional<PrintInteger> parsePrintNumber(std::string_view text, int longSize);

} // namespace inversight
