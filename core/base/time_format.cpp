// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/time_format.h"

#include <array>
#include <cstdlib>
#include <fmt/format.h>

namespace inversight {

std::string formatDuration(std::int64_t nanoseconds) {
    // Through unsigned, so that INT64_MIN has a magnitude.
    const bool negative = nanoseconds < 0;
    const auto magnitude = negative ? ~static_cast<std::uint64_t>(nanoseconds) + 1
                                    : static_cast<std::uint64_t>(nanoseconds);
    const char* sign = negative ? "-" : "";
    if (magnitude < 1000)
        return fmt::format("{}{} ns", sign, magnitude);

    struct Unit {
        double scale;
        const char* name;
    };
    constexpr std::array units{Unit{1e3, "us"}, Unit{1e6, "ms"}, Unit{1e9, "s"}};
    for (const Unit& unit : units) {
        const double value = static_cast<double>(magnitude) / unit.scale;
        const bool last = &unit == &units.back();
        // 999.95 would round to "1000.0": leave it to the next unit.
        if (value >= 999.95 && !last)
            continue;
        const int decimals = value < 9.9995 ? 3 : value < 99.995 ? 2 : value < 999.95 ? 1 : 0;
        return fmt::format("{}{:.{}f} {}", sign, value, decimals, unit.name);
    }
    return {};
}

std::string formatSeconds(std::int64_t nanoseconds) {
    const bool negative = nanoseconds < 0;
    const auto magnitude = negative ? ~static_cast<std::uint64_t>(nanoseconds) + 1
                                    : static_cast<std::uint64_t>(nanoseconds);
    return fmt::format("{}{}.{:09}", negative ? "-" : "", magnitude / 1'000'000'000,
                       magnitude % 1'000'000'000);
}

std::string formatKernelPriority(std::int32_t prio) {
    if (prio == -1)
        return "DEADLINE";
    if (prio >= 0 && prio <= 99)
        return fmt::format("RT {}", 99 - prio);
    if (prio >= 100 && prio <= 139)
        return fmt::format("nice {}", prio - 120);
    return fmt::format("prio {}", prio);
}

} // namespace inversight
