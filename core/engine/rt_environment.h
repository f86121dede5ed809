// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace inversight {

/// What this machine permits and is, as a run's manifest states it. Probing changes nothing.
struct RtEnvironment {
    std::string systemName;       ///< uname -srvm
    std::vector<int> allowedCpus; ///< sched_getaffinity of the calling thread
    std::int64_t rtRuntimeUs = 0; ///< /proc/sys/kernel/sched_rt_runtime_us, -1 = no throttling
    std::int64_t rtPeriodUs = 0;
    std::int64_t rtPriorityLimit = 0; ///< RLIMIT_RTPRIO, 99 with CAP_SYS_NICE

    [[nodiscard]] static RtEnvironment probe();
    /// "rt_runtime 950000 of 1000000 us, rtprio limit 99".
    [[nodiscard]] std::string rtLimitsText() const;
};

/// Where the parts of a real run go.
struct CpuPlan {
    /// The machine's CPU of each of the scenario's; fewer where the machine has too few.
    std::vector<int> workerCpus;
    std::vector<int> otherCpus; ///< for everything else; not empty
};
/// `wanted` CPUs for the workers, the last allowed ones first (CPU 0 serves most interrupts), the
/// rest for the others. `allowedCpus` must not be empty; where none is left, the others share the
/// workers' last one.
[[nodiscard]] CpuPlan planCpus(const std::vector<int>& allowedCpus, int wanted = 1);

} // namespace inversight
