// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/runnable.h"

#include "core/lock/lock_policies.h"

#include <fmt/format.h>

namespace inversight {

namespace {

constexpr const char* kVirtualRemedy = "run it with --engine virtual";

} // namespace

Result<const LockPolicyRow*> realPolicyOf(const LockUse& use, const LockPolicyRow& runPolicy) {
    const LockPolicyRow* policy = use.policy ? TRY(findLockPolicy(*use.policy)) : &runPolicy;
    if (!policy->makeReal)
        return std::unexpected(
            Error{ErrorCode::Unsupported,
                  fmt::format("policy {} exists in virtual time only", policy->name), "",
                  kVirtualRemedy});
    TRY(checkLayout(use, {policy->name, policy->traits.realTimeOnly, policy->traits.busyWaits}));
    return policy;
}

Result<void> checkRealThreadsCanRun(const WorkloadSpec& spec, const LockPolicyRow& policy,
                                    const CpuPlan& cpus) {
    if (static_cast<std::size_t>(spec.cpuCount) > cpus.workerCpus.size())
        return std::unexpected(
            Error{ErrorCode::Unsupported,
                  fmt::format("the scenario has {} CPUs, and the workers may use {}", spec.cpuCount,
                              cpus.workerCpus.size()),
                  spec.name, kVirtualRemedy});
    for (const LockUse& use : lockUses(spec))
        TRY(realPolicyOf(use, policy));
    return {};
}

} // namespace inversight
