// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/virtual/lock_setup.h"

#include "core/bus/bus_backends.h"
#include "core/lock/lock_policies.h"
#include "core/workload/lock_users.h"

#include <algorithm>

#include <fmt/format.h>

namespace inversight {

namespace {

// Made-up addresses: one word in user space and one lock in the kernel's memory per lock.
constexpr std::uint64_t kFutexBase = 0x7f0000001000;
constexpr std::uint64_t kKernelBase = 0xffff888100001000;
constexpr std::uint64_t kLockBytes = 64;

Result<LockState> makeLock(const LockUse& use, LockEventKinds events,
                           const LockPolicyRow& runPolicy) {
    const LockPolicyRow* policy = use.policy ? TRY(findLockPolicy(*use.policy)) : &runPolicy;
    if (!policy->makeModel)
        return std::unexpected(
            Error{ErrorCode::Unsupported,
                  fmt::format("policy {} exists on real threads only", policy->name),
                  "lock " + use.lock});
    TRY(checkLayout(use, {policy->name, policy->traits.realTimeOnly, policy->traits.busyWaits}));
    LockState lock;
    lock.model = policy->makeModel();
    lock.name = use.lock;
    lock.policy = policy->name;
    lock.events = events;
    for (const ThreadSpec* thread : use.users)
        lock.ceiling = std::min(lock.ceiling, Urgency{thread->scheduling.kernelPriority(), 0});
    return lock;
}

Result<void> checkBackend(const BusSpec& bus) {
    const BusBackendRow* backend = TRY(findBusBackend(bus.backend));
    if (backend->ownLock)
        return std::unexpected(
            Error{ErrorCode::Unsupported,
                  fmt::format("backend {} exists on real threads only", backend->name),
                  "bus " + bus.name});
    return {};
}

} // namespace

Result<std::vector<LockState>> makeLocks(const WorkloadSpec& spec, const LockPolicyRow& policy) {
    for (const BusSpec& bus : spec.buses)
        TRY(checkBackend(bus));
    std::vector<LockState> locks;
    const std::vector<LockUse> uses = lockUses(spec);
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const LockEventKinds events = i < spec.locks.size()
                                          ? spec.locks[i].events
                                          : spec.buses[i - spec.locks.size()].lockEvents;
        locks.push_back(TRY(makeLock(uses[i], events, policy)));
    }
    for (std::size_t i = 0; i < locks.size(); ++i) {
        locks[i].futexAddress = kFutexBase + i * kLockBytes;
        locks[i].kernelAddress = kKernelBase + i * kLockBytes;
    }
    return locks;
}

} // namespace inversight
