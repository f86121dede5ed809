// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/event_format.h"
#include "trace/decode/print_context.h"

#include <string>
#include <string_view>

namespace inversight {

/// Appends an event's text in a way of its own; false, with `out` as before, if that fails.
using SpecialPrint = bool (*)(const EventFormat& format, const PrintContext& context,
                              std::string& out);

/// Events whose print format does not say how the kernel prints them: trace_printk() with its
/// arguments in binary, stacks of any depth. Null for all others.
[[nodiscard]] SpecialPrint findSpecialPrint(std::string_view system, std::string_view name);

} // namespace inversight
