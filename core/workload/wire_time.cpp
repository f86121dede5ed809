// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/wire_time.h"

#include <cassert>

#include <fmt/format.h>

namespace inversight {

namespace {

/// Bytes on the wire (address bytes included) and conditions (START, repeated START, STOP).
struct WireShape {
    const char* name;
    std::uint32_t bytes;
    std::uint32_t conditions;
};

WireShape wireShape(I2cOperation operation) {
    switch (operation) {
    case I2cOperation::Quick:
        return {"quick", 1, 2};
    case I2cOperation::SendByte:
        return {"send_byte", 2, 2};
    case I2cOperation::ReceiveByte:
        return {"receive_byte", 2, 2};
    // address, command, repeated START, address again, data
    case I2cOperation::ReadByteData:
        return {"read_byte_data", 4, 3};
    case I2cOperation::WriteByteData:
        return {"write_byte_data", 3, 2};
    case I2cOperation::ReadWordData:
        return {"read_word_data", 5, 3};
    case I2cOperation::WriteWordData:
        return {"write_word_data", 4, 2};
    }
    assert(!"an I2cOperation without a wire shape");
    return {"unknown", 0, 0};
}

} // namespace

std::uint32_t i2cBitTimes(I2cOperation operation) {
    const WireShape shape = wireShape(operation);
    return 9 * shape.bytes + shape.conditions;
}

std::chrono::nanoseconds i2cWireTime(I2cOperation operation, std::uint32_t clockHz) {
    assert(clockHz > 0);
    const std::uint64_t bitNanoseconds = std::uint64_t{i2cBitTimes(operation)} * 1'000'000'000;
    return std::chrono::nanoseconds((bitNanoseconds + clockHz / 2) / clockHz);
}

const char* i2cOperationName(I2cOperation operation) {
    return wireShape(operation).name;
}

std::chrono::nanoseconds spiWireTime(const SpiMessage& message, const SpiStack& stack,
                                     std::uint32_t clockHz) {
    assert(clockHz > 0 && stack.lanes > 0 && stack.bitsPerWord > 0);
    const std::uint64_t bits = std::uint64_t{message.bytes} * 8;
    const std::uint64_t bitsPerSecond = std::uint64_t{clockHz} * stack.lanes;
    const std::uint64_t words = (bits + stack.bitsPerWord - 1) / stack.bitsPerWord;
    const auto delays = stack.wordDelay * static_cast<std::int64_t>(words > 0 ? words - 1 : 0);
    return std::chrono::nanoseconds((bits * 1'000'000'000 + bitsPerSecond / 2) / bitsPerSecond) +
           stack.csSetup + stack.csHold + stack.postDelay + delays;
}

TimeDistribution busWireTime(const BusSpec& bus, const BusOperation& operation) {
    if (bus.wireTime)
        return *bus.wireTime;
    if (const auto* message = std::get_if<SpiMessage>(&operation))
        return TimeDistribution(spiWireTime(*message, *bus.spi, bus.clockHz));
    return TimeDistribution(i2cWireTime(std::get<I2cOperation>(operation), bus.clockHz));
}

std::string busOperationName(const BusOperation& operation) {
    if (const auto* message = std::get_if<SpiMessage>(&operation))
        return fmt::format("{}_bytes", message->bytes);
    return i2cOperationName(std::get<I2cOperation>(operation));
}

std::chrono::nanoseconds longestTransfer(const BusSpec& bus, const BusOperation& operation) {
    const std::chrono::nanoseconds attempt = bus.cpuBefore.upperBound() +
                                             busWireTime(bus, operation).upperBound() +
                                             bus.stretch.upperBound() + bus.pollInterval;
    std::chrono::nanoseconds stack{0};
    if (bus.spi)
        stack = bus.spi->allocation.upperBound() + bus.spi->dmaAcquire.upperBound() +
                bus.spi->interruptCost.upperBound();
    return attempt * (std::int64_t{bus.retries} + 1) + bus.cpuAfter.upperBound() + stack;
}

} // namespace inversight
