// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/lock_users.h"

#include <algorithm>

#include <fmt/format.h>

namespace inversight {

namespace {

bool usesLock(const ThreadSpec& thread, const std::string& lock) {
    return std::ranges::any_of(thread.body, [&](const Step& step) {
        const auto* taken = std::get_if<LockStep>(&step);
        const auto* tried = std::get_if<TryLockStep>(&step);
        return (taken && taken->lock == lock) || (tried && tried->lock == lock);
    });
}

bool usesBus(const ThreadSpec& thread, const std::string& bus) {
    return std::ranges::any_of(thread.body, [&](const Step& step) {
        const auto* transfer = std::get_if<TransferStep>(&step);
        return transfer && transfer->bus == bus;
    });
}

bool hasStaticPriority(const ThreadSpec& thread) {
    const SchedulingClass own = thread.scheduling.schedulingClass;
    return own == SchedulingClass::Fifo || own == SchedulingClass::RoundRobin;
}

bool mayMeet(const ThreadSpec& a, const ThreadSpec& b) {
    if (a.cpus.empty() || b.cpus.empty())
        return true;
    return std::ranges::find_first_of(a.cpus, b.cpus) != a.cpus.end();
}

std::unexpected<Error> layoutError(const LockUse& use, std::string what, const char* remedy) {
    return std::unexpected(
        Error{ErrorCode::InvalidArgument, std::move(what), "lock " + use.lock, remedy});
}

Result<void> checkBusyWaiters(const LockUse& use, std::string_view policy) {
    for (const ThreadSpec* waiter : use.users) {
        for (const ThreadSpec* owner : use.users) {
            const bool realTime = waiter->scheduling.schedulingClass != SchedulingClass::Other;
            if (waiter != owner && realTime && mayMeet(*waiter, *owner))
                return layoutError(
                    use,
                    fmt::format(
                        "policy {}: {} ({}) could busy-wait on the CPU that {} needs to let go",
                        policy, waiter->name, waiter->scheduling.text(), owner->name),
                    "give the two threads different CPUs (\"affinity\")");
        }
    }
    return {};
}

} // namespace

std::int32_t LockUse::ceiling() const {
    std::int32_t highest = 1;
    for (const ThreadSpec* thread : users)
        highest = std::max(highest, thread->scheduling.priority);
    return highest;
}

std::vector<LockUse> lockUses(const WorkloadSpec& spec) {
    std::vector<LockUse> uses;
    const auto add = [&](std::string name, const std::optional<std::string>& policy, auto isUser) {
        LockUse use{std::move(name), policy, {}};
        for (const ThreadSpec& thread : spec.threads) {
            if (isUser(thread))
                use.users.push_back(&thread);
        }
        uses.push_back(std::move(use));
    };
    for (const LockSpec& lock : spec.locks)
        add(lock.name, lock.policy,
            [&](const auto& thread) { return usesLock(thread, lock.name); });
    for (const BusSpec& bus : spec.buses)
        add(bus.lockName(), bus.policy,
            [&](const auto& thread) { return usesBus(thread, bus.name); });
    return uses;
}

Result<void> checkLayout(const LockUse& use, const LockDemands& demands) {
    if (demands.realTimeOnly) {
        const auto other = std::ranges::find_if_not(
            use.users, [](const ThreadSpec* thread) { return hasStaticPriority(*thread); });
        if (other != use.users.end())
            return layoutError(use,
                               fmt::format("policy {}: {} ({}) is no FIFO or RR thread",
                                           demands.policy, (*other)->name,
                                           (*other)->scheduling.text()),
                               "give every user of the lock a real-time priority");
    }
    if (demands.busyWaits)
        return checkBusyWaiters(use, demands.policy);
    return {};
}

} // namespace inversight
