// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/event_format.h"
#include "trace/decode/print_integer.h"
#include "trace/decode/print_lexer.h"

#include <optional>
#include <string_view>

namespace inversight {

/// A C type as far as evaluating needs it.
struct PrintType {
    enum class Form : std::uint8_t {
        Integer,
        Pointer, ///< `integer` is what it points to
        Unknown, ///< a name we do not know: a cast to it changes nothing
    };
    Form form = Form::Integer;
    IntegerType integer;
};

/// Takes a type's name from `lexer`: keywords, the kernel's fixed-width and common typedefs,
/// struct, union, enum, pointers. Nothing if there is none, `lexer` is then anywhere.
[[nodiscard]] std::optional<PrintType> takePrintType(PrintLexer& lexer, int longSize);

/// The elements of a field by the type its format gives ("unsigned long", "u8", "char *").
[[nodiscard]] IntegerType fieldElement(const EventField& field, int longSize);

} // namespace inversight
