// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/workload/workload_spec.h"

#include <cstdint>

/// The arithmetic of the fair class.
namespace inversight {

/// The kernel's weight of a nice value (sched_prio_to_weight in kernel/sched/core.c): 1024 for 0,
/// each step about 1.25 times.
[[nodiscard]] std::int64_t fairWeight(std::int32_t nice);

/// `timeNs` of a thread as its weight makes it count: nice 0 counts as it is.
[[nodiscard]] inline std::int64_t weighted(std::int64_t timeNs, std::int64_t weight) {
    return weight == 1024 ? timeNs : timeNs * 1024 / weight;
}

/// How long a thread runs at a stretch beside `otherCount` threads that weigh `otherWeight`.
[[nodiscard]] std::int64_t fairSlice(const FairParameters& fair, std::int64_t weight,
                                     std::int64_t otherCount, std::int64_t otherWeight);

} // namespace inversight
