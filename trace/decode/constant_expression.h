// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string_view>

namespace inversight {

/// Evaluates the constant integer expression at the begin of `text` and removes it from there:
/// decimal, octal and hexadecimal numbers with C's suffixes, parentheses, and | ^ & << >> + - * ~
/// and unary minus with C's precedence, in 64-bit arithmetic that wraps. It ends before the first
/// token that cannot continue it. Corrupt if there is no expression; nesting is limited.
[[nodiscard]] Result<std::uint64_t> takeConstantExpression(std::string_view& text);

} // namespace inversight
