// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/virtual/lock_setup.h"

#include "core/bus/bus_backends.h"
#include "core/lock/lock_policies.h"

#include <algorithm>

#include <fmt/format.h>

namespace inversight {

namespace {

// Made-up addresses: one word in user space and one lock in the kernel's memory per lock.
constexpr std::uint64_t kFutexBase = 0x7f0000001000;
constexpr std::uint64_t kKernelBase = 0xffff888100001000;
constexpr std::uint64_t kLockBytes = 64;

/// What a lock or a bus says about its lock.
struct LockWish {
    std::string name;
    LockEventKinds events;
    const std::optional<std::string>& policy;
    const std::string* bus; ///< null: a lock of the scenario
};

bool uses(const ThreadSpec& thread, const LockWish& wish) {
    return std::ranges::any_of(thread.body, [&](const Step& step) {
        if (const auto* lock = std::get_if<LockStep>(&step))
            return !wish.bus && lock->lock == wish.name;
        if (const auto* attempt = std::get_if<TryLockStep>(&step))
            return !wish.bus && attempt->lock == wish.name;
        const auto* transfer = std::get_if<TransferStep>(&step);
        return wish.bus && transfer && transfer->bus == *wish.bus;
    });
}

bool isRealTime(const ThreadSpec& thread) {
    const SchedulingClass own = thread.scheduling.schedulingClass;
    return own == SchedulingClass::Fifo || own == SchedulingClass::RoundRobin;
}

bool shareCpu(const ThreadSpec& a, const ThreadSpec& b) {
    if (a.cpus.empty() || b.cpus.empty())
        return true;
    return std::ranges::any_of(
        a.cpus, [&](int cpu) { return std::ranges::find(b.cpus, cpu) != b.cpus.end(); });
}

Error badLayout(std::string what, const std::string& lock, std::string remedy) {
    return {ErrorCode::InvalidArgument, std::move(what), "lock " + lock, std::move(remedy)};
}

/// A real-time thread that busy-waits for a lock whose owner needs its CPU waits for ever.
Result<void> checkBusyWait(const std::vector<const ThreadSpec*>& users, const LockWish& wish,
                           std::string_view policy) {
    for (const ThreadSpec* waiter : users) {
        for (const ThreadSpec* owner : users) {
            if (waiter == owner || waiter->scheduling.schedulingClass == SchedulingClass::Other ||
                !shareCpu(*waiter, *owner))
                continue;
            return std::unexpected(badLayout(
                fmt::format("policy {}: {} ({}) could busy-wait on the CPU that {} needs to let go",
                            policy, waiter->name, waiter->scheduling.text(), owner->name),
                wish.name, "give the two threads different CPUs (\"affinity\")"));
        }
    }
    return {};
}

Result<void> checkUsers(const std::vector<const ThreadSpec*>& users, const LockWish& wish,
                        const LockPolicyRow& policy) {
    if (policy.traits.realTimeOnly) {
        const auto other = std::ranges::find_if_not(
            users, [](const ThreadSpec* thread) { return isRealTime(*thread); });
        if (other != users.end())
            return std::unexpected(
                badLayout(fmt::format("policy {}: {} ({}) is no FIFO or RR thread", policy.name,
                                      (*other)->name, (*other)->scheduling.text()),
                          wish.name, "give every user of the lock a real-time priority"));
    }
    if (policy.traits.busyWaits)
        return checkBusyWait(users, wish, policy.name);
    return {};
}

Result<LockState> makeLock(const WorkloadSpec& spec, const LockWish& wish,
                           const LockPolicyRow& runPolicy) {
    const LockPolicyRow* policy = wish.policy ? TRY(findLockPolicy(*wish.policy)) : &runPolicy;
    if (!policy->makeModel)
        return std::unexpected(
            Error{ErrorCode::Unsupported,
                  fmt::format("policy {} exists on real threads only", policy->name),
                  "lock " + wish.name});
    std::vector<const ThreadSpec*> users;
    for (const ThreadSpec& thread : spec.threads) {
        if (uses(thread, wish))
            users.push_back(&thread);
    }
    TRY(checkUsers(users, wish, *policy));
    LockState lock;
    lock.model = policy->makeModel();
    lock.name = wish.name;
    lock.policy = policy->name;
    lock.events = wish.events;
    for (const ThreadSpec* thread : users)
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
    std::vector<LockState> locks;
    for (const LockSpec& lock : spec.locks)
        locks.push_back(
            TRY(makeLock(spec, {lock.name, lock.events, lock.policy, nullptr}, policy)));
    for (const BusSpec& bus : spec.buses) {
        TRY(checkBackend(bus));
        locks.push_back(
            TRY(makeLock(spec, {bus.lockName(), bus.lockEvents, bus.policy, &bus.name}, policy)));
    }
    for (std::size_t i = 0; i < locks.size(); ++i) {
        locks[i].futexAddress = kFutexBase + i * kLockBytes;
        locks[i].kernelAddress = kKernelBase + i * kLockBytes;
    }
    return locks;
}

} // namespace inversight
