// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/rt_environment.h"

#include "core/engine/system_probe.h"

#include <algorithm>
#include <cassert>
#include <functional>

#include <fmt/format.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>

namespace inversight {

namespace {

constexpr std::int64_t kHighestRtPriority = 99;

std::string systemName() {
    utsname names{};
    if (uname(&names) != 0)
        return {};
    return fmt::format("{} {} {} {}", names.sysname, names.release, names.version, names.machine);
}

std::vector<int> allowedCpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cpus;
    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        return cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &set))
            cpus.push_back(cpu);
    }
    return cpus;
}

std::int64_t rtPriorityLimit() {
    if (hasCapability(CAP_SYS_NICE))
        return kHighestRtPriority;
    rlimit limit{};
    if (getrlimit(RLIMIT_RTPRIO, &limit) != 0)
        return 0;
    return static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_cur, kHighestRtPriority));
}

} // namespace

RtEnvironment RtEnvironment::probe() {
    return {
        .systemName = inversight::systemName(),
        .allowedCpus = inversight::allowedCpus(),
        .rtRuntimeUs = readNumber("/proc/sys/kernel/sched_rt_runtime_us", 0),
        .rtPeriodUs = readNumber("/proc/sys/kernel/sched_rt_period_us", 0),
        .rtPriorityLimit = inversight::rtPriorityLimit(),
    };
}

std::string RtEnvironment::rtLimitsText() const {
    const std::string runtime =
        rtRuntimeUs < 0 ? "rt_runtime unlimited"
                        : fmt::format("rt_runtime {} of {} us", rtRuntimeUs, rtPeriodUs);
    return fmt::format("{}, rtprio limit {}", runtime, rtPriorityLimit);
}

CpuPlan planCpus(const std::vector<int>& allowedCpus, int wanted) {
    assert(!allowedCpus.empty() && wanted >= 1);
    std::vector<int> cpus = allowedCpus;
    std::ranges::sort(cpus, std::ranges::greater());
    const auto count = std::min(static_cast<std::size_t>(wanted), cpus.size());
    const auto middle = cpus.begin() + static_cast<std::ptrdiff_t>(count);
    CpuPlan plan{.workerCpus = {cpus.begin(), middle}, .otherCpus = {middle, cpus.end()}};
    std::ranges::sort(plan.otherCpus);
    if (plan.otherCpus.empty())
        plan.otherCpus.push_back(plan.workerCpus.back());
    return plan;
}

} // namespace inversight
