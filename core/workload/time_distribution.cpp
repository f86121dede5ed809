// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/time_distribution.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace inversight {

namespace {

__extension__ typedef unsigned __int128 Wide;
__extension__ typedef __int128 SignedWide;

/// -ln(x / 2^64) in units of 2^-32, for x > 0. The binary logarithm comes bit by bit from squaring.
std::uint64_t minusLn(std::uint64_t x) {
    constexpr std::uint64_t kLn2 = 2977044472; // ln 2 * 2^32
    const int zeros = std::countl_zero(x);
    std::uint64_t mantissa = x << zeros; // 1..2 in units of 2^-63
    std::uint64_t fraction = 0;
    for (int bit = 0; bit < 32; ++bit) {
        const Wide square = (Wide{mantissa} * mantissa) >> 63;
        const bool over = (square >> 64) != 0;
        fraction = (fraction << 1) | (over ? 1 : 0);
        mantissa = static_cast<std::uint64_t>(over ? square >> 1 : square);
    }
    const std::uint64_t minusLog2 = (static_cast<std::uint64_t>(zeros + 1) << 32) - fraction;
    return static_cast<std::uint64_t>((Wide{minusLog2} * kLn2) >> 32);
}

/// The integer part of the square root.
std::uint64_t squareRoot(std::uint64_t x) {
    std::uint64_t root = 0;
    for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
        const std::uint64_t next = root | bit;
        if (next * next <= x)
            root = next;
    }
    return root;
}

/// A standard normal value in units of 2^-28: Marsaglia's polar method.
std::int64_t standardNormal(RandomSource& random) {
    for (;;) {
        const std::uint64_t bits = random.next();
        const auto u = static_cast<std::int64_t>(static_cast<std::int32_t>(bits >> 32));
        const auto v = static_cast<std::int64_t>(static_cast<std::int32_t>(bits));
        const auto square = static_cast<std::uint64_t>(u * u + v * v);
        if (square >= std::uint64_t{1} << 62 || square < std::uint64_t{1} << 20)
            continue; // outside the circle, or too near its middle for integers
        const std::uint64_t twiceLog = minusLn(square << 2) >> 3; // 2 ln in units of 2^-28
        const std::uint64_t factor = squareRoot(twiceLog << 28);
        const auto radius = static_cast<std::int64_t>(squareRoot(square));
        return u * static_cast<std::int64_t>(factor) / radius;
    }
}

} // namespace

TimeDistribution TimeDistribution::uniform(Duration low, Duration high) {
    assert(low.count() >= 0 && low <= high);
    return {Kind::Uniform, low, high};
}

TimeDistribution TimeDistribution::normal(Duration mean, Duration deviation) {
    assert(mean.count() >= 0 && deviation.count() >= 0);
    return {Kind::Normal, mean, deviation};
}

TimeDistribution TimeDistribution::exponential(Duration mean) {
    assert(mean.count() >= 0);
    return {Kind::Exponential, mean, mean};
}

TimeDistribution::Duration TimeDistribution::mean() const {
    return kind_ == Kind::Uniform ? a_ + (b_ - a_) / 2 : a_;
}

TimeDistribution::Duration TimeDistribution::upperBound() const {
    switch (kind_) {
    case Kind::Fixed:
    case Kind::Uniform:
        return b_;
    case Kind::Normal:
        return a_ + 10 * b_;
    case Kind::Exponential:
        return 45 * a_; // -ln(2^-64) = 44.4
    }
    return b_;
}

TimeDistribution::Duration TimeDistribution::drawVarying(RandomSource& random) const {
    switch (kind_) {
    case Kind::Fixed:
        break;
    case Kind::Uniform: {
        const auto width = static_cast<std::uint64_t>((b_ - a_).count());
        return a_ + Duration(static_cast<std::int64_t>(random.upTo(width)));
    }
    case Kind::Normal: {
        const SignedWide offset = (SignedWide{b_.count()} * standardNormal(random)) / (1 << 28);
        return std::max(Duration(0), a_ + Duration(static_cast<std::int64_t>(offset)));
    }
    case Kind::Exponential: {
        const std::uint64_t log = minusLn(std::max<std::uint64_t>(random.next(), 1));
        const Wide scaled = (Wide{static_cast<std::uint64_t>(a_.count())} * log) >> 32;
        return Duration(static_cast<std::int64_t>(scaled));
    }
    }
    return a_;
}

} // namespace inversight
