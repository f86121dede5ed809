// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <string_view>

namespace inversight {

/// Whether softirqs, timers among them, are this thread's work: on PREEMPT_RT all of them are some
/// thread's (kernel/softirq.c). What happens in its context is an interrupt's doing.
[[nodiscard]] inline bool isSoftirqThread(std::string_view name) {
    return name.starts_with("ktimers/") || name.starts_with("ksoftirqd/") ||
           name.starts_with("ktimersoftd/");
}

} // namespace inversight
