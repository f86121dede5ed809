// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/bus/bus_backend.h"

#include <cstdint>

namespace inversight {

/// One attempt on the wire.
struct WireDraw {
    std::int64_t ns = 0; ///< how long the wire is busy
    TransferFault fault = TransferFault::None;
};

/// What `random` makes of a transfer whose wire time is `wire`: clock stretching is added, a lost
/// arbitration or a missing acknowledgement ends it after the address byte.
[[nodiscard]] WireDraw drawWire(const BusSpec& bus, const TimeDistribution& wire,
                                RandomSource& random);

/// Whether something of `ppm` per million happens this time; 0 takes no number from `random`.
[[nodiscard]] bool happens(std::uint32_t ppm, RandomSource& random);

} // namespace inversight
