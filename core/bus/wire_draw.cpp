// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/bus/wire_draw.h"

#include <algorithm>

namespace inversight {

namespace {

// START, the address byte with its acknowledge bit, STOP; and the same without STOP.
constexpr std::int64_t kNackBits = 11;
constexpr std::int64_t kArbitrationBits = 10;
constexpr std::uint64_t kMillion = 1'000'000;

} // namespace

bool happens(std::uint32_t ppm, RandomSource& random) {
    return ppm > 0 && random.upTo(kMillion - 1) < ppm;
}

WireDraw drawWire(const BusSpec& bus, const TimeDistribution& wire, RandomSource& random) {
    const std::int64_t whole = wire.draw(random).count() + bus.stretch.draw(random).count();
    const std::int64_t bitNs = 1'000'000'000 / static_cast<std::int64_t>(bus.clockHz);
    if (happens(bus.arbitrationLossPpm, random))
        return {std::min(whole, kArbitrationBits * bitNs), TransferFault::ArbitrationLost};
    if (happens(bus.nackPpm, random))
        return {std::min(whole, kNackBits * bitNs), TransferFault::Nack};
    return {whole, TransferFault::None};
}

} // namespace inversight
