// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/segment_memory.h"

#include <cstdint>
#include <new>
#include <sys/mman.h>

namespace inversight {

namespace {

std::byte* map(std::size_t size) {
    void* memory =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw std::bad_alloc();
    return static_cast<std::byte*>(memory);
}

/// A mapping that begins at a multiple of a huge page: more is mapped, the rest given back.
std::byte* mapAligned(std::size_t size) {
    constexpr std::size_t kHugePage = SegmentMemory::kHugePage;
    std::byte* begin = map(size + kHugePage);
    const std::size_t lead =
        (kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage) % kHugePage;
    if (lead > 0)
        ::munmap(begin, lead);
    ::munmap(begin + lead + size, kHugePage - lead);
    // Only advice: without huge pages everything works as before.
    ::madvise(begin + lead, size, MADV_HUGEPAGE);
    return begin + lead;
}

} // namespace

SegmentMemory::SegmentMemory(std::size_t size, Pages pages) : size_(size), pages_(pages) {
    if (pages == Pages::Huge) {
        size_ = (size + kHugePage - 1) / kHugePage * kHugePage;
        data_ = mapAligned(size_);
    } else {
        data_ = static_cast<std::byte*>(::operator new(size));
    }
}

void SegmentMemory::trim(std::size_t used) {
    constexpr std::size_t kPage = 4096;
    used = (used + kPage - 1) / kPage * kPage;
    if (pages_ != Pages::Huge || used >= size_)
        return;
    ::munmap(data_ + used, size_ - used);
    size_ = used;
}

void SegmentMemory::release() {
    if (data_ == nullptr)
        return;
    if (pages_ == Pages::Huge)
        ::munmap(data_, size_);
    else
        ::operator delete(data_);
    data_ = nullptr;
}

} // namespace inversight
