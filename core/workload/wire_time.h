// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/workload/workload_spec.h"

#include <chrono>
#include <cstdint>

namespace inversight {

/// Bit times of one SMBus operation: 9 per byte (8 data + acknowledge), address bytes included, and
/// 1 for each START, repeated START and STOP. Source: NXP UM10204 and the SMBus 3.1 specification;
/// read byte data is 39.
[[nodiscard]] std::uint32_t i2cBitTimes(I2cOperation operation);

/// Bit times divided by the bus clock, rounded to the nearest ns: 390 us for read byte data at
/// 100 kHz. `clockHz` must be > 0.
[[nodiscard]] std::chrono::nanoseconds i2cWireTime(I2cOperation operation, std::uint32_t clockHz);

/// "read_byte_data": the name in scenario files and markers.
[[nodiscard]] const char* i2cOperationName(I2cOperation operation);

} // namespace inversight
