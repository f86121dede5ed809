// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/stats/sample_comparison.h"

namespace inversight {

/// One row's metric in each run of both sides.
struct RunValues {
    std::vector<double> before;
    std::vector<double> after;
};

/// What a permutation test finds of one row.
struct PermutationFinding {
    double p = 1;        ///< adjusted for all rows
    double low = 0;      ///< 95 % interval of after - before
    double high = 0;
};

/// Two-sided tests of the difference of means by exchanging runs between the sides: all exchanges
/// where they are few, else random ones. The statistic is Welch's; rows are adjusted by the
/// step-down of Westfall and Young (Resampling-Based Multiple Testing, 1993), which is Holm's with
/// the rows' joint distribution in place of Bonferroni's bound. Intervals are those shifts of the
/// later side that the test does not reject. Every row has the same numbers of runs.
[[nodiscard]] std::vector<PermutationFinding> permuteRuns(std::span<const RunValues> rows,
                                                          std::uint64_t seed);

} // namespace inversight
