// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstddef>
#include <utility>

namespace inversight {

/// Memory of columns, uninitialised. Large pieces lie in huge pages where the kernel gives them: a
/// trace of ten million events touches half a million ordinary pages for the first time, and where
/// that is slow (virtual machines) it costs more than decoding. Owns its memory. Thread-bound.
class SegmentMemory {
public:
    enum class Pages { Ordinary, Huge };

    SegmentMemory() = default;
    /// Throws std::bad_alloc.
    SegmentMemory(std::size_t size, Pages pages);
    ~SegmentMemory() { release(); }
    SegmentMemory(SegmentMemory&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(other.size_), pages_(other.pages_) {}
    SegmentMemory& operator=(SegmentMemory&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(pages_, other.pages_);
        return *this;
    }

    [[nodiscard]] std::byte* data() const { return data_; }

    /// Gives back what lies behind the first `used` bytes; it must not be touched any more.
    void trim(std::size_t used);

    static constexpr std::size_t kHugePage = std::size_t{2} << 20;

private:
    void release();

    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    Pages pages_ = Pages::Ordinary;
};

} // namespace inversight
