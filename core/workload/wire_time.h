// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/workload/workload_spec.h"

#include <chrono>
#include <cstdint>
#include <string>

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

/// 8 bits a byte over the lanes at `clockHz` (> 0), rounded to the nearest ns, and the stack's chip
/// select times and delays: 8 bytes at 1 MHz on one lane are 64 us.
[[nodiscard]] std::chrono::nanoseconds spiWireTime(const SpiMessage& message, const SpiStack& stack,
                                                   std::uint32_t clockHz);

/// How long an operation of the bus's kind keeps its wire busy: the spec's own time or else the
/// formula's, clock stretching not included.
[[nodiscard]] TimeDistribution busWireTime(const BusSpec& bus, const BusOperation& operation);

/// "read_byte_data", or "8_bytes": the name in markers.
[[nodiscard]] std::string busOperationName(const BusOperation& operation);

/// The longest a transfer may take if nothing is in its way and no DMA channel is missing.
[[nodiscard]] std::chrono::nanoseconds longestTransfer(const BusSpec& bus,
                                                       const BusOperation& operation);

} // namespace inversight
