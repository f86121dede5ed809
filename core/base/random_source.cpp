// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/random_source.h"

namespace inversight {

namespace {

__extension__ typedef unsigned __int128 WideProduct;

/// The finalizer of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014).
std::uint64_t mixBits(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15U;

} // namespace

RandomSource::RandomSource(std::uint64_t seed, std::uint64_t stream)
    : state_(mixBits(seed + kGolden) ^ mixBits(stream * kGolden + 1)) {}

std::uint64_t RandomSource::next() {
    state_ += kGolden;
    return mixBits(state_);
}

std::uint64_t RandomSource::upTo(std::uint64_t last) {
    if (last == ~std::uint64_t{0})
        return next();
    const std::uint64_t count = last + 1;
    const std::uint64_t unfair = (0 - count) % count; // 2^64 mod count numbers too many
    for (;;) {
        const WideProduct product = WideProduct{next()} * count;
        if (static_cast<std::uint64_t>(product) >= unfair)
            return static_cast<std::uint64_t>(product >> 64);
    }
}

} // namespace inversight
