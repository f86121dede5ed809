// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <algorithm>
#include <cstdint>

/// How kernel priorities compare: lower numbers first, and all fair ones level, for among them the
/// scheduler's fairness decides and not priority (DOMAIN 4).
namespace inversight {

inline constexpr std::int32_t kFirstFairRank = 100; ///< MAX_RT_PRIO, include/linux/sched/prio.h

[[nodiscard]] constexpr bool isFair(std::int32_t prio) {
    return prio >= kFirstFairRank;
}
/// Comparable: smaller is more urgent.
[[nodiscard]] constexpr std::int32_t priorityRank(std::int32_t prio) {
    return std::min(prio, kFirstFairRank);
}
[[nodiscard]] constexpr bool isHigher(std::int32_t a, std::int32_t b) {
    return priorityRank(a) < priorityRank(b);
}

} // namespace inversight
