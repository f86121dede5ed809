// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/print_integer.h"

#include "trace/decode/print_ast.h"

#include <algorithm>
#include <charconv>

namespace inversight {

namespace {

constexpr IntegerType kInt{4, true};

IntegerType promoted(IntegerType type) {
    return type.size < kInt.size ? kInt : type;
}

/// C's usual arithmetic conversions.
IntegerType common(IntegerType a, IntegerType b) {
    a = promoted(a);
    b = promoted(b);
    if (a.size != b.size)
        return a.size > b.size ? a : b;
    return {a.size, a.isSigned && b.isSigned};
}

PrintInteger truth(bool value) {
    return {value ? 1U : 0U, kInt};
}

std::optional<PrintInteger> divide(PrintOp op, PrintInteger a, PrintInteger b) {
    if (b.bits == 0)
        return std::nullopt;
    const bool quotient = op == PrintOp::Divide;
    if (!a.type.isSigned)
        return PrintInteger::of(quotient ? a.bits / b.bits : a.bits % b.bits, a.type);
    if (b.asSigned() == -1) // INT64_MIN / -1 has no value
        return PrintInteger::of(quotient ? 0 - a.bits : 0, a.type);
    const std::int64_t value = quotient ? a.asSigned() / b.asSigned() : a.asSigned() % b.asSigned();
    return PrintInteger::of(static_cast<std::uint64_t>(value), a.type);
}

PrintInteger shift(PrintOp op, PrintInteger a, PrintInteger b) {
    a = a.convertedTo(promoted(a.type));
    if (b.bits >= a.type.size * 8U)
        return {0, a.type};
    if (op == PrintOp::ShiftLeft)
        return PrintInteger::of(a.bits << b.bits, a.type);
    const std::uint64_t value =
        a.type.isSigned ? static_cast<std::uint64_t>(a.asSigned() >> b.bits) : a.bits >> b.bits;
    return PrintInteger::of(value, a.type);
}

bool less(PrintInteger a, PrintInteger b) {
    return a.type.isSigned ? a.asSigned() < b.asSigned() : a.bits < b.bits;
}

/// Both operands have the same type.
std::optional<PrintInteger> combine(PrintOp op, PrintInteger a, PrintInteger b) {
    switch (op) {
    case PrintOp::Multiply:
        return PrintInteger::of(a.bits * b.bits, a.type);
    case PrintOp::Divide:
    case PrintOp::Remainder:
        return divide(op, a, b);
    case PrintOp::Add:
        return PrintInteger::of(a.bits + b.bits, a.type);
    case PrintOp::Subtract:
        return PrintInteger::of(a.bits - b.bits, a.type);
    case PrintOp::BitAnd:
        return PrintInteger::of(a.bits & b.bits, a.type);
    case PrintOp::BitXor:
        return PrintInteger::of(a.bits ^ b.bits, a.type);
    case PrintOp::BitOr:
        return PrintInteger::of(a.bits | b.bits, a.type);
    case PrintOp::Less:
        return truth(less(a, b));
    case PrintOp::LessEqual:
        return truth(!less(b, a));
    case PrintOp::Greater:
        return truth(less(b, a));
    case PrintOp::GreaterEqual:
        return truth(!less(a, b));
    case PrintOp::Equal:
        return truth(a.bits == b.bits);
    case PrintOp::NotEqual:
        return truth(a.bits != b.bits);
    default:
        return std::nullopt;
    }
}

/// How many u/U and l/L end `text`; they are removed.
struct Suffix {
    bool isUnsigned = false;
    int longs = 0;
};
std::optional<Suffix> takeSuffix(std::string_view suffix) {
    Suffix found;
    for (const char c : suffix) {
        if (c == 'u' || c == 'U')
            found.isUnsigned = true;
        else if (c == 'l' || c == 'L')
            ++found.longs;
        else
            return std::nullopt;
    }
    return found.longs <= 2 ? std::optional(found) : std::nullopt;
}

} // namespace

PrintInteger PrintInteger::of(std::uint64_t bits, IntegerType type) {
    const unsigned unused = 64U - type.size * 8U;
    const std::uint64_t shifted = bits << unused;
    if (type.isSigned)
        return {static_cast<std::uint64_t>(static_cast<std::int64_t>(shifted) >> unused), type};
    return {shifted >> unused, type};
}

std::optional<PrintInteger> applyBinary(PrintOp op, PrintInteger a, PrintInteger b) {
    if (op == PrintOp::ShiftLeft || op == PrintOp::ShiftRight)
        return shift(op, a, b);
    const IntegerType type = common(a.type, b.type);
    return combine(op, a.convertedTo(type), b.convertedTo(type));
}

std::optional<PrintInteger> applyUnary(PrintOp op, PrintInteger a) {
    const IntegerType type = promoted(a.type);
    switch (op) {
    case PrintOp::Negate:
        return PrintInteger::of(0 - a.bits, type);
    case PrintOp::Complement:
        return PrintInteger::of(~a.bits, type);
    case PrintOp::Not:
        return truth(a.bits == 0);
    default:
        return std::nullopt;
    }
}

std::optional<PrintInteger> parsePrintNumber(std::string_view text, int longSize) {
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        base = 16;
        text.remove_prefix(2);
    } else if (text.starts_with('0')) {
        base = 8;
    }
    std::uint64_t value = 0;
    const auto [end, failure] =
        std::from_chars(text.data(), text.data() + text.size(), value, base);
    const auto suffix = takeSuffix(text.substr(static_cast<std::size_t>(end - text.data())));
    if (failure != std::errc() || !suffix)
        return std::nullopt;
    // C17 6.4.4.1: unsigned types only for other than decimal, or with a suffix.
    std::uint8_t size = suffix->longs == 0   ? std::uint8_t{4}
                        : suffix->longs == 1 ? static_cast<std::uint8_t>(longSize)
                                             : std::uint8_t{8};
    for (; size <= 8; size = static_cast<std::uint8_t>(size * 2)) {
        const IntegerType asSigned{size, true};
        if (!suffix->isUnsigned && PrintInteger::of(value, asSigned).bits == value &&
            static_cast<std::int64_t>(value) >= 0)
            return PrintInteger{value, asSigned};
        const IntegerType asUnsigned{size, false};
        if ((suffix->isUnsigned || base != 10) && PrintInteger::of(value, asUnsigned).bits == value)
            return PrintInteger{value, asUnsigned};
    }
    return PrintInteger{value, {8, false}};
}

} // namespace inversight
