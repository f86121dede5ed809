// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/run_warnings.h"

#include "core/workload/wire_time.h"

#include <algorithm>

#include <fmt/format.h>

namespace inversight {

namespace {

// IRQ threads run at FIFO 50 (kernel/irq/manage.c).
constexpr std::int32_t kIrqThreadPriority = 50;

/// What one pass through a body takes, in ns.
struct BodyTime {
    double busy = 0;
    double asleep = 0;
};

double meanNs(const TimeDistribution& time) {
    return static_cast<double>(time.mean().count());
}

BodyTime bodyTime(const ThreadSpec& thread, const WorkloadSpec& spec) {
    BodyTime total;
    for (const Step& step : thread.body) {
        if (const auto* run = std::get_if<RunStep>(&step))
            total.busy += meanNs(run->duration);
        if (const auto* sleep = std::get_if<SleepStep>(&step))
            total.asleep += meanNs(sleep->duration);
        if (const auto* transfer = std::get_if<TransferStep>(&step)) {
            const BusSpec& bus = *spec.findBus(transfer->bus);
            const TimeDistribution wire = busWireTime(bus, transfer->operation);
            total.busy += meanNs(bus.cpuBefore) + meanNs(bus.cpuAfter);
            total.asleep += meanNs(wire) + meanNs(bus.stretch);
        }
    }
    return total;
}

std::size_t periodsIn(const ThreadSpec& thread) {
    return static_cast<std::size_t>(std::ranges::count_if(thread.body, [](const Step& step) {
        return std::holds_alternative<NextPeriodStep>(step);
    }));
}

/// The CPU time of all its loops, in ns.
double totalBusyNs(const ThreadSpec& thread, const WorkloadSpec& spec) {
    if (thread.loops == 0)
        return static_cast<double>(thread.duration->count()) * cpuShare(thread, spec);
    return static_cast<double>(thread.loops) * bodyTime(thread, spec).busy;
}

bool runsOn(const ThreadSpec& thread, int cpu) {
    return thread.cpus.empty() || std::ranges::find(thread.cpus, cpu) != thread.cpus.end();
}

bool throttled(const ThreadSpec& thread) {
    return thread.scheduling.schedulingClass == SchedulingClass::Fifo ||
           thread.scheduling.schedulingClass == SchedulingClass::RoundRobin;
}

/// A thread that may use several of the scenario's CPUs counts on each with its part.
std::string throttlingWarning(const WorkloadSpec& spec, const RtEnvironment& environment, int cpu) {
    double share = 0;
    double busyNs = 0;
    for (const ThreadSpec& thread : spec.threads) {
        if (!throttled(thread) || !runsOn(thread, cpu))
            continue;
        const auto cpus = static_cast<double>(
            thread.cpus.empty() ? static_cast<std::size_t>(spec.cpuCount) : thread.cpus.size());
        share += cpuShare(thread, spec) / cpus;
        busyNs += totalBusyNs(thread, spec) / cpus;
    }
    const auto runtime = static_cast<double>(environment.rtRuntimeUs);
    const double limit = runtime / static_cast<double>(environment.rtPeriodUs);
    if (share <= limit || busyNs <= runtime * 1000)
        return {};
    return fmt::format("the real-time workers would use {:.0f} % of the scenario's CPU {}, more "
                       "than the kernel leaves them ({} of {} us): throttling, or the fair "
                       "threads' share, will show as waits",
                       std::min(share, 1.0) * 100, cpu, environment.rtRuntimeUs,
                       environment.rtPeriodUs);
}

} // namespace

double cpuShare(const ThreadSpec& thread, const WorkloadSpec& spec) {
    const BodyTime time = bodyTime(thread, spec);
    const double perLoop =
        static_cast<double>(thread.period.count()) * static_cast<double>(periodsIn(thread));
    const double whole = std::max(time.busy + time.asleep, perLoop);
    return whole > 0 ? time.busy / whole : 0;
}

std::vector<std::string> layoutWarnings(const WorkloadSpec& spec, const RtEnvironment& environment,
                                        const CpuPlan& cpus) {
    std::vector<std::string> warnings;
    for (const ThreadSpec& thread : spec.threads) {
        if (thread.scheduling.priority > kIrqThreadPriority)
            warnings.push_back(fmt::format("worker {} runs at {}, above the kernel's interrupt "
                                           "threads ({}): it can delay real devices",
                                           thread.name, thread.scheduling.text(),
                                           kIrqThreadPriority));
    }
    if (std::ranges::find(cpus.workerCpus, cpus.otherCpus.front()) != cpus.workerCpus.end())
        warnings.emplace_back("the workers use every CPU there is: recorder and engine share one "
                              "with them");
    if (environment.rtRuntimeUs < 0 || environment.rtPeriodUs <= 0)
        return warnings;
    for (int cpu = 0; cpu < spec.cpuCount; ++cpu) {
        if (std::string warning = throttlingWarning(spec, environment, cpu); !warning.empty())
            warnings.push_back(std::move(warning));
    }
    return warnings;
}

} // namespace inversight
