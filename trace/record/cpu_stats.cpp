// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/record/cpu_stats.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace inversight {

namespace {

void parseLine(std::string_view line, CpuStats& stats) {
    static constexpr std::array<std::pair<std::string_view, std::uint64_t CpuStats::*>, 5> kNames{{
        {"entries: ", &CpuStats::entries},
        {"overrun: ", &CpuStats::overrun},
        {"commit overrun: ", &CpuStats::commitOverrun},
        {"dropped events: ", &CpuStats::droppedEvents},
        {"read events: ", &CpuStats::readEvents},
    }};
    for (const auto& [name, counter] : kNames)
        if (line.starts_with(name))
            std::from_chars(line.data() + name.size(), line.data() + line.size(), stats.*counter);
}

} // namespace

CpuStats parseCpuStats(std::string_view text) {
    CpuStats stats;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        parseLine(text.substr(0, end), stats);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return stats;
}

} // namespace inversight
