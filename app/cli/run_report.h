// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/policy_run.h"

#include <span>
#include <string>

namespace inversight {

/// One run for a person: the table of the 2009 program (run time ms, min, max, avg in us, total)
/// with count and percentiles, the boosts its recording shows, what was lost.
[[nodiscard]] std::string runReport(const RunPlan& plan, const PolicyRun& run);

/// Each later run next to the first: average, p99 and maximum per worker, and the total time, as
/// "before -> after (change)". Empty for fewer than two runs.
[[nodiscard]] std::string comparisonReport(std::span<const PolicyRun> runs);

} // namespace inversight
