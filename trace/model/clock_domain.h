// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <string>

namespace inversight {

enum class ClockUnit { Nanoseconds, Ticks };

/// What a stream's times mean. Streams of different domains are never merged.
struct ClockDomain {
    std::string name = "unknown"; ///< "mono", "local", "x86-tsc", ... or "unknown"
    ClockUnit unit = ClockUnit::Nanoseconds;
    bool comparableAcrossCpus = true; ///< false for `local`

    /// The domain of a clock named in trace_clock.
    [[nodiscard]] static ClockDomain fromName(const std::string& name);
    bool operator==(const ClockDomain&) const = default;
};

} // namespace inversight
