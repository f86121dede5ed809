// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>
#include <string_view>

namespace inversight {

/// The counters of one CPU's ring buffer, from per_cpu/cpuN/stats.
struct CpuStats {
    std::uint64_t entries = 0;       ///< events in the ring that nobody read yet
    std::uint64_t overrun = 0;       ///< events overwritten before they were read
    std::uint64_t commitOverrun = 0; ///< events lost because the ring was full of nested writes
    std::uint64_t droppedEvents = 0; ///< events lost because the ring does not overwrite
    std::uint64_t readEvents = 0;

    [[nodiscard]] std::uint64_t eventCount() const { return entries + readEvents; }
    [[nodiscard]] std::uint64_t lostCount() const {
        return overrun + commitOverrun + droppedEvents;
    }
};

/// Lines that are unknown or missing (kernels differ) leave their counter alone.
[[nodiscard]] CpuStats parseCpuStats(std::string_view text);

} // namespace inversight
