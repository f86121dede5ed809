// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/decode/event_format.h"
#include "trace/decode/print_ast.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inversight {

/// The text behind "print fmt:", taken apart: the format string, and a node per argument.
struct ParsedPrint {
    std::string formatString;
    PrintAst ast;
    std::vector<std::uint32_t> arguments;
};

/// Parses `format.printFormat`. Unsupported says what is in it that we do not evaluate (a function
/// we do not know, a statement, a name without a value); Corrupt, what the kernel would not write.
/// Bounded in time and memory by the text's length and the limits of print_ast.h.
[[nodiscard]] Result<ParsedPrint> parsePrintText(const EventFormat& format, int longSize);

} // namespace inversight
