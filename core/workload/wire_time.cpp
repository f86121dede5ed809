// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/wire_time.h"

#include <cassert>

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

} // namespace inversight
