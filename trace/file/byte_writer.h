// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/file/byte_order.h"

#include <concepts>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

/// The opposite of byte_order.h's loadInteger. Any integer type; no alignment needed.
namespace inversight {

template <std::integral T>
void storeInteger(std::byte* bytes, T value, ByteOrder order) {
    auto raw = static_cast<std::make_unsigned_t<T>>(value);
    if (order != kHostByteOrder)
        raw = swapBytes(raw);
    std::memcpy(bytes, &raw, sizeof raw);
}

template <std::integral T>
void appendInteger(std::vector<std::byte>& bytes, T value, ByteOrder order) {
    bytes.resize(bytes.size() + sizeof(T));
    storeInteger(bytes.data() + bytes.size() - sizeof(T), value, order);
}

template <std::integral T>
void appendInteger(std::string& bytes, T value, ByteOrder order) {
    std::byte raw[sizeof(T)];
    storeInteger(raw, value, order);
    bytes.append(reinterpret_cast<const char*>(raw), sizeof raw);
}

} // namespace inversight
