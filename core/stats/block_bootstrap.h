// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/stats/sample_comparison.h"

namespace inversight {

/// One thread's runs on both sides.
struct ThreadSamples {
    std::vector<const LatencySeries*> before;
    std::vector<const LatencySeries*> after;
};

/// What the bootstrap finds of one metric.
struct BootstrapFinding {
    double p = 1;   ///< of this row by itself
    double low = 0; ///< 95 % interval of after - before, where values of a side are those of all its
                    ///< operations together
    double high = 0;
};

/// Nothing if a side has fewer than kFewestBlocks blocks. The metrics share their resamples.
[[nodiscard]] std::optional<std::vector<BootstrapFinding>>
bootstrapBlocks(const ThreadSamples& samples, std::span<const LatencyMetric> metrics,
                std::uint64_t seed, std::uint64_t stream);

inline constexpr std::size_t kFewestBlocks = 10;

} // namespace inversight
