// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/page_reader.h"

#include "trace/file/ring_page_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace inversight {

namespace {

constexpr std::uint64_t kCommitSizeMask = (std::uint64_t{1} << 27) - 1;
constexpr std::uint64_t kHighTimeBits = std::uint64_t{0x1f} << 59;

enum RecordKind : std::uint32_t {
    kLongData = 0,
    kLargestShortData = 28,
    kPadding = 29,
    kTimeExtend = 30,
    kTimeStamp = 31,
};

struct RecordWord {
    std::uint32_t kind;
    std::uint32_t delta;
};

RecordWord split(std::uint32_t word, ByteOrder order) {
    if (order == ByteOrder::Big)
        return {word >> kRingDeltaBits, word & ((1U << kRingDeltaBits) - 1)};
    return {word & 0x1f, word >> 5};
}

std::uint64_t loadLong(const std::byte* bytes, std::uint32_t size, ByteOrder order) {
    return size == 8 ? loadInteger<std::uint64_t>(bytes, order)
                     : loadInteger<std::uint32_t>(bytes, order);
}

/// Records begin at multiples of four.
std::uint32_t aligned(std::uint32_t size) {
    return (size + 3) & ~std::uint32_t{3};
}

} // namespace

Result<PageReader> PageReader::open(std::span<const std::byte> page, const PageLayout& layout) {
    assert(page.size() == layout.pageSize);
    PageReader reader(page, layout);
    const std::uint64_t commit =
        loadLong(page.data() + layout.commitOffset, layout.commitSize, layout.order);
    const auto used = static_cast<std::uint32_t>(commit & kCommitSizeMask);
    if (used > layout.dataSize())
        return std::unexpected(
            Error{ErrorCode::Corrupt, fmt::format("expected at most {} bytes of records in a page, "
                                                  "its commit word says {}",
                                                  layout.dataSize(), used)});
    reader.pageTime_ = loadInteger<std::uint64_t>(page.data(), layout.order);
    reader.time_ = reader.pageTime_;
    reader.position_ = layout.dataOffset;
    reader.end_ = layout.dataOffset + used;
    reader.readMissed(commit, layout);
    return reader;
}

void PageReader::readMissed(std::uint64_t commit, const PageLayout& layout) {
    if ((commit & kRingMissedEvents) == 0)
        return;
    missed_.emplace();
    // The number stands behind the data, where the kernel found room for it.
    if ((commit & kRingMissedStored) != 0 && end_ + layout.commitSize <= layout.pageSize)
        missed_->count = loadLong(page_.data() + end_, layout.commitSize, layout.order);
}

std::uint64_t PageReader::absoluteTime(std::uint64_t low59) const {
    const std::uint64_t high = time_ & kHighTimeBits;
    std::uint64_t time = low59 | high;
    if (high != 0 && time < time_)
        time += std::uint64_t{1} << 59;
    return time;
}

PageReader::Step PageReader::next(RingRecord& record) {
    while (true) {
        // Fewer bytes than a word cannot hold a record: the page's unused end.
        if (end_ - position_ < 4)
            return Step::End;
        const std::uint32_t begin = position_;
        const RecordWord head = split(word(begin), order_);
        if (head.kind - 1 < kLargestShortData) {
            const std::uint32_t size = head.kind * 4;
            if (end_ - begin - 4 < size)
                return damaged(begin, "its size leads past the data in use");
            time_ += head.delta;
            position_ = begin + 4 + size;
            record = {time_, page_.subspan(begin + 4, size), begin};
            return Step::Record;
        }
        if (head.kind == kPadding && head.delta == 0)
            return Step::End;
        if (end_ - begin < 8)
            return damaged(begin, "its second word is missing");
        const std::uint32_t second = word(begin + 4);
        position_ = begin + 8;
        if (head.kind == kTimeExtend) {
            time_ += (std::uint64_t{second} << kRingDeltaBits) + head.delta;
            continue;
        }
        if (head.kind == kTimeStamp) {
            time_ = absoluteTime((std::uint64_t{second} << kRingDeltaBits) + head.delta);
            continue;
        }
        // Long data or padding: `second` is the size from itself on.
        if (second < 4 || second > end_ - begin - 4)
            return damaged(begin, "its size leads past the data in use");
        time_ += head.delta;
        position_ = std::min(begin + 4 + aligned(second), end_);
        if (head.kind == kPadding)
            continue;
        record = {time_, page_.subspan(begin + 8, second - 4), begin};
        return Step::Record;
    }
}

Error PageReader::damage() const {
    assert(damage_ != nullptr);
    return {ErrorCode::Corrupt,
            fmt::format("expected a record at byte {} of the page, but {}", position_, damage_)};
}

Result<std::span<const std::byte>> recordAt(std::span<const std::byte> bytes, ByteOrder order,
                                            std::uint64_t offset) {
    const auto corrupt = [offset](const char* what) {
        return std::unexpected(Error{ErrorCode::Corrupt, what, fmt::format("offset {}", offset)});
    };
    if (bytes.size() < 8 || offset > bytes.size() - 8)
        return corrupt("expected a record, the file ends before it");
    const RecordWord head = split(loadInteger<std::uint32_t>(bytes.data() + offset, order), order);
    if (head.kind > kLargestShortData)
        return corrupt("expected a data record, found padding or a time");
    std::uint64_t begin = offset + 4;
    std::uint64_t size = head.kind * 4;
    if (head.kind == kLongData) {
        size = loadInteger<std::uint32_t>(bytes.data() + begin, order);
        if (size < 4)
            return corrupt("expected a record's size of at least 4 bytes");
        begin += 4;
        size -= 4;
    }
    if (size > bytes.size() - begin)
        return corrupt("expected a whole record, the file ends inside it");
    return bytes.subspan(begin, size);
}

} // namespace inversight
