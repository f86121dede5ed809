// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/fork_shared.h"

#include <cassert>

#include <sys/mman.h>

namespace inversight {

void* ForkShared::operator new(std::size_t size) {
    void* address = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED)
        throw std::bad_alloc();
    return address;
}

void* ForkShared::operator new(std::size_t size, [[maybe_unused]] std::align_val_t alignment) {
    assert(static_cast<std::size_t>(alignment) <= 4096 && "a page is aligned no better");
    return operator new(size);
}

void ForkShared::operator delete(void* address, std::size_t size) {
    munmap(address, size);
}

void ForkShared::operator delete(void* address, std::size_t size, std::align_val_t) {
    munmap(address, size);
}

} // namespace inversight
