// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/text_bodies.h"

#include <string_view>

/// The readers of lock events, futex calls and markers; see TextBodyReader.
namespace inversight {

[[nodiscard]] bool readContentionBegin(std::string_view text, TextBodyContext& context);
[[nodiscard]] bool readContentionEnd(std::string_view text, TextBodyContext& context);
[[nodiscard]] bool readFutexEnter(std::string_view text, TextBodyContext& context);
[[nodiscard]] bool readFutexExit(std::string_view text, TextBodyContext& context);
/// ftrace's line of a marker: the text stands behind one blank.
[[nodiscard]] bool readMarkWrite(std::string_view text, TextBodyContext& context);
/// trace-cmd's: "print: tracing_mark_write: TEXT".
[[nodiscard]] bool readPrint(std::string_view text, TextBodyContext& context);

} // namespace inversight
