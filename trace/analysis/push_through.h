// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/inversions.h"

namespace inversight {

/// Appends the push-through inversions: a real-time thread was runnable while one of lower base
/// priority ran on its CPU at a priority that somebody else's wait had lent it. That is the price
/// of inheritance, not a fault of it.
///
/// Complexity: O((boosts + runnable stretches of real-time threads) log boosts).
[[nodiscard]] Result<void> findPushThrough(const TraceStore& store, const SchedRuns& runs,
                                           const Priorities& priorities, const Boosts& boosts,
                                           const ThreadStates& states, const JobContext& job,
                                           std::vector<Inversion>& out);

} // namespace inversight
