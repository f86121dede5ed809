// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/lock_policies.h"

#include "core/lock/mutex_2009.h"
#include "core/lock/rt_mutex.h"

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
         .makeModel = nullptr,
         .traits = {.priorityInheritance = false, .fifoOrder = true}},
        {.name = "rt_mutex",
         .text = "priority inheritance: the kernel's rt_mutex through a PI futex",
         .makeReal = makeRtMutex,
         .makeModel = nullptr,
         .traits = {.priorityInheritance = true, .fifoOrder = false}},
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
