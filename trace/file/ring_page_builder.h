// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inversight {

/// Builds the kernel's ring-buffer pages of one CPU: little endian, 64-bit longs, `page size` bytes
/// each. The layout is what events/header_page and header_event describe: a page starts with its
/// time (u64) and its commit word (u64: bytes of records, and the loss flags), records start with
/// 5 bits of type and length and 27 bits of time since the record before. Thread-bound.
class RingPageBuilder {
public:
    static constexpr std::size_t kPageSize = 4096;
    static constexpr std::size_t kPageHeaderSize = 16;
    /// The largest record that fits into any page, also one that states a loss.
    static constexpr std::size_t kMaxRecordBytes = kPageSize - kPageHeaderSize - 8 - 8;

    /// Adds a record; times must not go backwards. Records longer than kMaxRecordBytes are a bug.
    void add(std::uint64_t timeNs, std::span<const std::byte> record);
    /// The next record starts a page that says that `count` events are missing before it.
    void lose(std::uint64_t count);
    /// Closes the page being filled.
    void flush();

    /// Whole pages that nobody took yet.
    [[nodiscard]] std::span<const std::byte> pages() const;
    void dropPages();

private:
    [[nodiscard]] std::size_t room() const;
    void openPage(std::uint64_t timeNs);
    void appendHeader(std::uint32_t type, std::uint32_t delta);
    template <class Integer>
    void append(Integer value);

    std::vector<std::byte> bytes_;
    std::size_t pageBegin_ = 0; ///< of the page being filled, in bytes_
    bool pageOpen_ = false;
    std::uint64_t lastTime_ = 0;
    std::uint64_t lostCount_ = 0;     ///< before the next page
    std::uint64_t pageLostCount_ = 0; ///< before this page
};

} // namespace inversight
