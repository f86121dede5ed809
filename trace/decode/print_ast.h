// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/event_format.h"
#include "trace/decode/print_integer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inversight {

/// What a node of a print format's expression does.
enum class PrintOp : std::uint8_t {
    Constant,     ///< value, of `type`
    Text,         ///< texts[value]
    Unknown,      ///< a name whose value no file tells
    Field,        ///< fields[value]: an integer, or the bytes of an array
    LocationWord, ///< fields[value], the __data_loc word itself
    AddressOf,    ///< the bytes of the integer fields[value]
    Cast,         ///< a as `type`
    PointerCast,  ///< the bytes a as elements of `type`
    Negate,
    Complement,
    Not,
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    LogicalAnd,
    LogicalOr,
    Conditional,   ///< a ? b : c
    Subscript,     ///< a[b]
    Dereference,   ///< *a
    DynamicLength, ///< bytes of the dynamic fields[value]
    Flags,         ///< a by rows b..b+c, between them texts[value]
    Symbolic,      ///< a by rows b..b+c
    Hex,           ///< b bytes of a, "01 02"
    HexString,     ///< b bytes of a, "0102"
    Array,         ///< b elements (all, without b) of c bytes of a, "{0x1,0x2}"
    Bitmask,       ///< fields[value]
};

/// One node; its operands a, b and c are nodes before it.
struct PrintNode {
    static constexpr std::uint32_t kNone = 0xffffffff;
    PrintOp op = PrintOp::Constant;
    IntegerType type = {};
    std::uint16_t height = 1; ///< nodes on the longest way down, with itself
    std::uint32_t a = kNone, b = kNone, c = kNone;
    std::uint64_t value = 0;
};

/// A field as expressions use it.
struct PrintField {
    std::uint32_t offset = 0;
    std::uint32_t size = 0; ///< 0: from the offset to the record's end
    FieldPlacement placement = FieldPlacement::Fixed;
    bool isArray = false;
    IntegerType element; ///< of the array, or the field itself
};

/// A row of __print_flags or __print_symbolic.
struct PrintRow {
    std::uint64_t value = 0;
    std::uint32_t text = 0;
};

/// The argument expressions of a print format. Flat: freed at once, and no way to build a cycle.
struct PrintAst {
    std::vector<PrintNode> nodes;
    std::vector<PrintField> fields;
    std::vector<PrintRow> rows;
    std::vector<std::string> texts;
};

// The largest formats of Linux have some hundred of each.
inline constexpr std::size_t kMostPrintNodes = 4096;
inline constexpr std::size_t kMostPrintRows = 4096;
inline constexpr std::uint16_t kDeepestPrintNode = 200;

} // namespace inversight
