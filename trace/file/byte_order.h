// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace inversight {

/// The byte order of the recording machine, which need not be ours.
enum class ByteOrder : std::uint8_t { Little, Big };

inline constexpr ByteOrder kHostByteOrder =
    std::endian::native == std::endian::big ? ByteOrder::Big : ByteOrder::Little;

inline std::uint8_t swapBytes(std::uint8_t value) {
    return value;
}
inline std::uint16_t swapBytes(std::uint16_t value) {
    return __builtin_bswap16(value);
}
inline std::uint32_t swapBytes(std::uint32_t value) {
    return __builtin_bswap32(value);
}
inline std::uint64_t swapBytes(std::uint64_t value) {
    return __builtin_bswap64(value);
}

/// The unsigned integer at `bytes` (no alignment needed), in the host's order.
template <std::unsigned_integral T>
[[nodiscard]] T loadInteger(const std::byte* bytes, ByteOrder order) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return order == kHostByteOrder ? value : swapBytes(value);
}

} // namespace inversight
