// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/event_fields.h"

#include <cstdint>
#include <string_view>

namespace inversight {

/// Who wrote the letters of prev_state.
enum class StateLetters : std::uint8_t {
    Kernel, ///< the kernel's own print format, from its own table
    /// The sched_switch plugin of libtraceevent (trace-cmd report, older perf): bits 0 to 7 are
    /// "SDTtZXxW" whatever the kernel means by them, and "+" is left out.
    Plugin,
};

/// prev_state of a text.
struct TextState {
    std::uint32_t raw = 0; ///< the bits of Linux 4.14 and later
    TaskState state = TaskState::Unknown;
    bool preempted = false;
};

/// "R+", "D|K", "S", a number. Only R and R+ are runnable; what nobody knows is Unknown. Numbers
/// and plugin letters are taken as Linux 4.14 and later mean them: the text does not say which
/// kernel it was.
[[nodiscard]] TextState decodeTextState(std::string_view text, StateLetters letters);

} // namespace inversight
