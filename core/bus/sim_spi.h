// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/bus/bus_backend.h"

namespace inversight {

/// `sim-spi`: a message's way through spidev and the SPI core without hardware (SpiStack). With a
/// pump the caller hands its message over and sleeps until the pump's thread has carried it out;
/// with a threaded interrupt a timer that ends with the wire time wakes that thread, and it wakes
/// whoever waits. Both work across processes forked after opening.
[[nodiscard]] Result<std::unique_ptr<BusBackend>> openSimSpi(const BusSpec& spec);

} // namespace inversight
