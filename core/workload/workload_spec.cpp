// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/workload_spec.h"

#include <algorithm>

#include <fmt/format.h>

namespace inversight {

namespace {

/// In ms, without zeros behind the point that say nothing.
double milliseconds(std::chrono::nanoseconds time) {
    return static_cast<double>(time.count()) / 1e6;
}

} // namespace

const char* schedulingClassName(SchedulingClass schedulingClass) {
    switch (schedulingClass) {
    case SchedulingClass::Other:
        return "other";
    case SchedulingClass::Fifo:
        return "fifo";
    case SchedulingClass::RoundRobin:
        return "rr";
    case SchedulingClass::Deadline:
        return "deadline";
    }
    return "other";
}

std::string Scheduling::text() const {
    switch (schedulingClass) {
    case SchedulingClass::Other:
        return fmt::format("nice {}", nice);
    case SchedulingClass::Fifo:
        return fmt::format("FIFO {}", priority);
    case SchedulingClass::RoundRobin:
        return fmt::format("RR {}", priority);
    case SchedulingClass::Deadline:
        return fmt::format("DEADLINE {}/{}/{} ms", milliseconds(runtime), milliseconds(deadline),
                           milliseconds(period));
    }
    return "unknown";
}

std::int32_t Scheduling::kernelPriority() const {
    if (schedulingClass == SchedulingClass::Deadline)
        return -1;
    return schedulingClass == SchedulingClass::Other ? 120 + nice : 99 - priority;
}

bool ThreadSpec::isHelper() const {
    return body.size() == 1 && std::holds_alternative<ServeStep>(body.front());
}

const BusSpec* WorkloadSpec::findBus(const std::string& busName) const {
    const auto found = std::ranges::find(buses, busName, &BusSpec::name);
    return found == buses.end() ? nullptr : &*found;
}

const LockSpec* WorkloadSpec::findLock(const std::string& lockName) const {
    const auto found = std::ranges::find(locks, lockName, &LockSpec::name);
    return found == locks.end() ? nullptr : &*found;
}

std::uint64_t WorkloadSpec::totalOperations() const {
    std::uint64_t total = 0;
    for (const ThreadSpec& thread : threads) {
        if (thread.background)
            continue;
        const auto transfers = std::ranges::count_if(
            thread.body, [](const Step& s) { return std::holds_alternative<TransferStep>(s); });
        total += thread.loops * static_cast<std::uint64_t>(transfers);
    }
    return total;
}

} // namespace inversight
