// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/workload_spec.h"

#include <algorithm>

#include <fmt/format.h>

namespace inversight {

std::string Scheduling::text() const {
    switch (schedulingClass) {
    case SchedulingClass::Other:
        return fmt::format("nice {}", nice);
    case SchedulingClass::Fifo:
        return fmt::format("FIFO {}", priority);
    case SchedulingClass::RoundRobin:
        return fmt::format("RR {}", priority);
    }
    return "unknown";
}

std::int32_t Scheduling::kernelPriority() const {
    return schedulingClass == SchedulingClass::Other ? 120 + nice : 99 - priority;
}

const BusSpec* WorkloadSpec::findBus(const std::string& busName) const {
    const auto found = std::ranges::find(buses, busName, &BusSpec::name);
    return found == buses.end() ? nullptr : &*found;
}

std::uint64_t WorkloadSpec::totalOperations() const {
    std::uint64_t total = 0;
    for (const ThreadSpec& thread : threads) {
        const auto transfers = std::ranges::count_if(
            thread.body, [](const Step& s) { return std::holds_alternative<TransferStep>(s); });
        total += thread.loops * static_cast<std::uint64_t>(transfers);
    }
    return total;
}

} // namespace inversight
