// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/decode/print_integer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inversight {

/// A part of a format string: literal text, or one conversion. Source of what they mean: the
/// kernel's Documentation/core-api/printk-formats.rst.
struct PrintConversion {
    enum class Kind : std::uint8_t {
        Literal,
        Integer,   ///< d i u x X o
        Character, ///< c
        Text,      ///< s
        Address,   ///< p, px, pK and what else shows the pointer itself
        Symbol,    ///< ps, pS, pf, pF, pB
        Mac,       ///< pM, pm
        Ip4,       ///< pI4, pi4
        Ip6,       ///< pI6, pi6
        Socket,    ///< pIS, piS
        Uuid,      ///< pU
        Dump,      ///< ph: bytes in hex
        Referred,  ///< pad, pap, par: an address the pointer points to
    };
    Kind kind = Kind::Literal;
    bool left = false;      ///< -
    bool plus = false;      ///< +
    bool blank = false;     ///< a blank where the sign of a positive number would be
    bool alternate = false; ///< #
    bool zero = false;      ///< 0
    bool uppercase = false;
    std::uint8_t base = 10;
    IntegerType type; ///< the argument of Integer
    bool widthFromArgument = false;
    bool precisionFromArgument = false;
    std::int32_t width = 0;
    std::int32_t precision = -1; ///< -1: none
    std::string literal;         ///< of Literal
    std::string modifiers;       ///< the letters of a pointer conversion behind its kind

    [[nodiscard]] bool has(char modifier) const {
        return modifiers.find(modifier) != std::string::npos;
    }
    [[nodiscard]] int argumentCount() const {
        return kind == Kind::Literal ? 0 : 1 + widthFromArgument + precisionFromArgument;
    }
};

/// Splits a format string. Unsupported names a conversion that is not known.
[[nodiscard]] Result<std::vector<PrintConversion>> parseConversions(std::string_view format,
                                                                    int longSize);

/// Wider fields and more digits are cut to this: a width may come from a damaged record.
inline constexpr std::int32_t kWidestField = 256;
inline constexpr std::size_t kMostConversions = 512;

/// Appends `value` as an Integer conversion of that width and precision shows it.
void appendInteger(const PrintConversion& conversion, std::uint64_t value, std::int32_t width,
                   std::int32_t precision, std::string& out);

/// Makes what was appended to `out` since `begin` at most `precision` long (-1: any) and at least
/// `width` wide.
void padText(const PrintConversion& conversion, std::size_t begin, std::int32_t width,
             std::int32_t precision, std::string& out);

} // namespace inversight
