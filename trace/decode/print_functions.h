// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/print_ast.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace inversight {

/// A helper that print formats call (include/trace/stages/stage3_trace_output.h).
struct PrintFunction {
    enum class Form : std::uint8_t {
        Field,       ///< (NAME) of a field
        Rows,        ///< (key, [text between,] {value, "text"}...)
        Expressions, ///< (operands)
        First,       ///< the value of the first operand
        Scaled,      ///< (ns) by 10^9
    };
    std::string_view name;
    PrintOp op = PrintOp::Field;
    Form form = Form::Field;
    int operandCount = 0;
};

/// Null for one we do not know.
[[nodiscard]] const PrintFunction* findPrintFunction(std::string_view name);

/// Enumerators that kernels before 4.1 left in their formats by name and that never changed.
[[nodiscard]] std::optional<std::uint64_t> knownEnumerator(std::string_view name);

} // namespace inversight
