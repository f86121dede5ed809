// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/latency.h"

#include <cstddef>
#include <vector>

namespace inversight {

/// At most so many points a curve: a plot redraws in a frame.
inline constexpr std::size_t kMaxCurvePoints = 4000;

/// x in us, > 0 (for logarithmic axes); y as the function says.
struct Curve {
    std::vector<double> x;
    std::vector<double> y;
};

/// Counts in bins of equal width on a logarithmic axis, `perDecade` of them in a factor of ten, as
/// left edges of steps: the last point closes the last bin with 0. Empty for an empty histogram.
[[nodiscard]] Curve histogramCurve(const LatencyHistogram& histogram, int perDecade);

/// Percent of the values that are at most x; rises to 100. Empty for an empty histogram.
[[nodiscard]] Curve cumulativeCurve(const LatencyHistogram& histogram);

/// Percent of the values that are greater than x, for logarithmic y: points at 0 % are left out.
[[nodiscard]] Curve exceedanceCurve(const LatencyHistogram& histogram);

/// Round values from `low` to `high` (us, > 0) for a logarithmic axis, each at least `minRatio` (>
/// 1) times the one before: the densest of a few habitual series that allows it.
[[nodiscard]] std::vector<double> logarithmicTicks(double low, double high, double minRatio);

} // namespace inversight
