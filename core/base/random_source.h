// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>

namespace inversight {

/// A stream of pseudo-random numbers (SplitMix64) that is the same on every machine and compiler,
/// unlike the standard library's distributions. Streams of one seed are independent: give every
/// thread its own. Thread-bound.
class RandomSource {
public:
    RandomSource(std::uint64_t seed, std::uint64_t stream);

    [[nodiscard]] std::uint64_t next();
    /// Each of 0..`last` equally likely.
    [[nodiscard]] std::uint64_t upTo(std::uint64_t last);

private:
    std::uint64_t state_;
};

} // namespace inversight
