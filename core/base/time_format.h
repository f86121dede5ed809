// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>
#include <string>

namespace inversight {

/// A duration for people: 3 to 4 significant digits and the unit that keeps them
/// ("580 ns", "12.35 us", "1.282 ms", "20.42 s"). Negative durations keep their sign.
[[nodiscard]] std::string formatDuration(std::int64_t nanoseconds);

/// A point in time as seconds with nine decimals ("1234.000000001"); exact for every int64.
[[nodiscard]] std::string formatSeconds(std::int64_t nanoseconds);

/// A kernel priority (0..139, -1) in the user's words: "FIFO 99" is not knowable from a switch
/// event (FIFO and RR look alike), so RT priorities read "RT 99"; 120+n reads "nice n"; -1 reads
/// "DEADLINE"; others (vendor kernels) read "prio N". Source: include/linux/sched/prio.h.
[[nodiscard]] std::string formatKernelPriority(std::int32_t prio);

} // namespace inversight
