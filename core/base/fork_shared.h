// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstddef>
#include <new>

namespace inversight {

/// What derives from this and is made with new lives in pages of its own that processes forked
/// later share with the one that made it, at the same address. Members that own memory elsewhere
/// (names) must be filled before the fork and not changed after it.
class ForkShared {
public:
    [[nodiscard]] static void* operator new(std::size_t size);
    [[nodiscard]] static void* operator new(std::size_t size, std::align_val_t alignment);
    static void operator delete(void* address, std::size_t size);
    static void operator delete(void* address, std::size_t size, std::align_val_t alignment);
};

} // namespace inversight
