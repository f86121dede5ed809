// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/virtual/fair_share.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace inversight {

std::int64_t fairWeight(std::int32_t nice) {
    static constexpr std::array<std::int64_t, 40> weights{
        88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
        9548,  7620,  6100,  4904,  3906,  3121,  2501,  1991,  1586,  1277,
        1024,  820,   655,   526,   423,   335,   272,   215,   172,   137,
        110,   87,    70,    56,    45,    36,    29,    23,    18,    15};
    assert(nice >= -20 && nice <= 19);
    return weights[static_cast<std::size_t>(nice + 20)];
}

std::int64_t fairSlice(const FairParameters& fair, std::int64_t weight, std::int64_t otherCount,
                       std::int64_t otherWeight) {
    const std::int64_t round =
        std::max(fair.latency.count(), (otherCount + 1) * fair.minGranularity.count());
    return std::max(round * weight / (weight + otherWeight), fair.minGranularity.count());
}

} // namespace inversight
