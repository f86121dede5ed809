// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/file/page_layout.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace inversight {

/// A data record of a ring-buffer page. `data` begins with the event's common fields.
struct RingRecord {
    std::uint64_t time = 0; ///< in the ring buffer's clock
    std::span<const std::byte> data;
    std::uint32_t pageOffset = 0; ///< where the record's first word is, from the page's begin
};

/// Events that were dropped before the first record of a page.
struct MissedEvents {
    std::optional<std::uint64_t> count; ///< none: the kernel did not keep the number
};

/// Walks over the records of one page, in the order they were written.
///
/// The rules are those of the kernel's ring buffer (include/linux/ring_buffer.h, ring_buffer.c):
/// - the low five bits (in a big-endian word the high five) of a record's first word are its kind,
///   the other 27 the time since the record before;
/// - kinds 1..28 are data of that many words; kind 0 is data whose size in bytes, with itself, is
/// in
///   the next word; 29 is padding: what is discarded, or with no time difference the rest of the
///   page; 30 extends the time difference to 59 bits; 31 is an absolute time of 59 bits, whose five
///   missing high bits are those of the time before it (plus one when that ran over);
/// - the commit word holds the bytes in use, bit 31 if events were missed, and bit 30 if their
///   number follows the data as a long.
///
/// Every access is inside the page, each step advances: any bytes end in End or Damaged.
/// Thread-bound.
class PageReader {
public:
    enum class Step { Record, End, Damaged };

    /// `page` has layout.pageSize bytes. Corrupt if the commit word contradicts that.
    [[nodiscard]] static Result<PageReader> open(std::span<const std::byte> page,
                                                 const PageLayout& layout);

    [[nodiscard]] std::uint64_t pageTime() const { return pageTime_; }
    [[nodiscard]] const std::optional<MissedEvents>& missed() const { return missed_; }

    /// Record: `record` is the next one. After Damaged, damage() says what was wrong.
    [[nodiscard]] Step next(RingRecord& record);
    [[nodiscard]] Error damage() const;

private:
    PageReader(std::span<const std::byte> page, const PageLayout& layout)
        : page_(page), order_(layout.order) {}
    void readMissed(std::uint64_t commit, const PageLayout& layout);
    [[nodiscard]] std::uint32_t word(std::uint32_t offset) const {
        return loadInteger<std::uint32_t>(page_.data() + offset, order_);
    }
    [[nodiscard]] std::uint64_t absoluteTime(std::uint64_t low59) const;
    Step damaged(std::uint32_t begin, const char* what) {
        position_ = begin;
        damage_ = what;
        return Step::Damaged;
    }

    std::span<const std::byte> page_;
    std::uint64_t time_ = 0;
    std::uint64_t pageTime_ = 0;
    std::uint32_t position_ = 0;
    std::uint32_t end_ = 0; ///< end of the committed data, from the page's begin
    ByteOrder order_;
    const char* damage_ = nullptr;
    std::optional<MissedEvents> missed_;
};

/// The data of the record whose first word is at `offset` of `bytes` (EventHeader::offset), as
/// PageReader yielded it. Corrupt if no data record can be there.
[[nodiscard]] Result<std::span<const std::byte>> recordAt(std::span<const std::byte> bytes,
                                                          ByteOrder order, std::uint64_t offset);

} // namespace inversight
