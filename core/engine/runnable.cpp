// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/runnable.h"

#include <fmt/format.h>

namespace inversight {

namespace {

std::unexpected<Error> virtualOnly(std::string what, const std::string& where) {
    return std::unexpected(Error{ErrorCode::Unsupported,
                                 std::move(what) + " cannot be run on real threads", where,
                                 "run the scenario with --engine virtual"});
}

bool runsOnRealThreads(const Step& step) {
    if (const auto* run = std::get_if<RunStep>(&step))
        return run->duration.isFixed();
    if (const auto* sleep = std::get_if<SleepStep>(&step))
        return sleep->duration.isFixed();
    return std::holds_alternative<TransferStep>(step);
}

Result<void> checkThread(const ThreadSpec& thread) {
    const std::string where = "thread " + thread.name;
    if (thread.scheduling.schedulingClass == SchedulingClass::Deadline)
        return virtualOnly("class deadline", where);
    if (thread.loops == 0 || thread.duration)
        return virtualOnly("a duration instead of loops", where);
    if (thread.startOffset != TimeDistribution() || thread.period.count() != 0)
        return virtualOnly("a start offset or a period", where);
    for (std::size_t i = 0; i < thread.body.size(); ++i) {
        if (!runsOnRealThreads(thread.body[i]))
            return virtualOnly(fmt::format("step {} of the body", i + 1), where);
    }
    return {};
}

Result<void> checkBus(const BusSpec& bus) {
    const bool plain = bus.cpuBefore.isFixed() && bus.cpuAfter.isFixed() && !bus.wireTime &&
                       bus.stretch == TimeDistribution() && bus.pollInterval.count() == 0 &&
                       bus.nackPpm == 0 && bus.arbitrationLossPpm == 0 && !bus.policy;
    if (!plain)
        return virtualOnly("a bus with times, faults or a lock policy of its own",
                           "bus " + bus.name);
    return {};
}

} // namespace

Result<void> checkRealThreadsCanRun(const WorkloadSpec& spec) {
    if (spec.cpuCount != 1)
        return virtualOnly("more than one CPU", spec.name);
    for (const BusSpec& bus : spec.buses)
        TRY(checkBus(bus));
    for (const ThreadSpec& thread : spec.threads)
        TRY(checkThread(thread));
    return {};
}

} // namespace inversight
