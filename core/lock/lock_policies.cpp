// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/lock_policies.h"

#include "core/lock/ceiling.h"
#include "core/lock/kernel_mutex.h"
#include "core/lock/late_boost.h"
#include "core/lock/lock_models.h"
#include "core/lock/mutex_2009.h"
#include "core/lock/priority_queue.h"
#include "core/lock/pthread_lock.h"
#include "core/lock/rt_mutex.h"
#include "core/lock/spin.h"
#include "core/lock/ticket.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace inversight {

std::span<const LockPolicyRow> lockPolicies() {
    static constexpr auto policies = std::to_array<LockPolicyRow>({
        {.name = "mutex-2009",
         .text = "kernel mutex of 2009: FIFO list, barging, no handoff, no priorities",
         .makeReal = makeMutex2009,
         .makeModel = makeMutex2009Model,
         .traits = {.fifoOrder = true}},
        {.name = "mutex",
         .text = "kernel mutex of today: spins while the owner runs, FIFO list, handoff (real "
                 "threads: a bounded spin, a preempted owner cannot be seen)",
         .makeReal = makeKernelMutex,
         .makeModel = makeMutexModel,
         .traits = {.fifoOrder = true}},
        {.name = "rt_mutex",
         .text = "priority inheritance: the kernel's rt_mutex through a PI futex",
         .makeReal = makeRtMutex,
         .makeModel = makeRtMutexModel,
         .traits = {.priorityInheritance = true,
                    .priorityOrder = true,
                    .survivesOwner = true,
                    .kernelSeesCycles = true}},
        {.name = "rt_mutex-nice",
         .text = "rt_mutex before Linux 5.15: nice levels order the fair waiters, too",
         .makeModel = makeRtMutexNiceModel,
         .traits = {.priorityInheritance = true, .priorityOrder = true}},
        {.name = "ceiling",
         .text = "immediate priority ceiling: the owner runs at its users' highest priority",
         .makeReal = makeCeiling,
         .makeModel = makeCeilingModel,
         .traits = {.realTimeOnly = true}},
        {.name = "late-boost",
         .text = "spins while the owner runs, boosts it only before sleeping (libpi, 2008; real "
                 "threads: a bounded spin, a preempted owner cannot be seen)",
         .makeReal = makeLateBoost,
         .makeModel = makeLateBoostModel,
         .traits = {.priorityInheritance = true,
                    .priorityOrder = true,
                    .survivesOwner = true,
                    .kernelSeesCycles = true}},
        {.name = "priority-queue",
         .text = "waiters by priority, no boost",
         .makeReal = makePriorityQueue,
         .makeModel = makePriorityQueueModel,
         .traits = {.priorityOrder = true}},
        {.name = "ticket",
         .text = "busy wait in order of arrival",
         .makeReal = makeTicket,
         .makeModel = makeTicketModel,
         .traits = {.fifoOrder = true, .busyWaits = true}},
        {.name = "spin",
         .text = "busy wait without order",
         .makeReal = makeSpin,
         .makeModel = makeSpinModel,
         .traits = {.busyWaits = true}},
        {.name = "pthread",
         .text = "glibc's default: RT waiters by priority, fair ones FIFO, barging, no boost",
         .makeReal = makePthread,
         .makeModel = makePthreadModel,
         .traits = {.priorityOrder = true}},
    });
    return policies;
}

Result<const LockPolicyRow*> findLockPolicy(std::string_view name) {
    const auto policies = lockPolicies();
    const auto found = std::ranges::find(policies, name, &LockPolicyRow::name);
    if (found != policies.end())
        return &*found;
    std::vector<std::string_view> names;
    for (const LockPolicyRow& row : policies)
        names.push_back(row.name);
    return std::unexpected(Error{ErrorCode::NotFound,
                                 fmt::format("no lock policy is called \"{}\"", name), "",
                                 fmt::format("policies: {}", fmt::join(names, ", "))});
}

} // namespace inversight
