// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/bus/bus_backend.h"

namespace inversight {

/// `sim-i2c`: an i2c bus without hardware. A transfer spends the CPU cost in front of the wire (the
/// driver setting up the controller), sleeps for the wire time of the operation as a real driver
/// sleeps until the controller's interrupt (or for whole polling intervals), and spends the cost
/// behind it. Lost arbitration, missing acknowledgements and clock stretching come as the spec
/// says; all attempts of a transfer are one call, so one hold of the lock.
[[nodiscard]] Result<std::unique_ptr<BusBackend>> openSimI2c(const BusSpec& spec);

} // namespace inversight
