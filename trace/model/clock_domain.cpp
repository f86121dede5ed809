// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/clock_domain.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace inversight {

ClockDomain ClockDomain::fromName(const std::string& name) {
    // kernel/trace/trace.c: these count something else than ns.
    constexpr std::array<std::string_view, 4> ticks{"counter", "uptime", "x86-tsc", "ppc-tb"};
    ClockDomain domain;
    domain.name = name.empty() ? "unknown" : name;
    if (std::ranges::find(ticks, std::string_view(domain.name)) != ticks.end())
        domain.unit = ClockUnit::Ticks;
    domain.comparableAcrossCpus = domain.name != "local";
    return domain;
}

} // namespace inversight
