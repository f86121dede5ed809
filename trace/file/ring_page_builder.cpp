// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/ring_page_builder.h"

#include "trace/file/byte_writer.h"
#include "trace/file/ring_page_format.h"

#include <cassert>
#include <utility>

namespace inversight {

namespace {

constexpr std::size_t kCommitOffset = 8;
constexpr std::uint32_t kTypeTimeExtend = 30;
constexpr std::size_t kMaxShortRecord = 28 * 4; ///< its length fits into the 5 bits, in words
constexpr std::uint64_t kMaxDelta = (1ULL << kRingDeltaBits) - 1;
constexpr std::uint64_t kMaxExtendedDelta = (1ULL << (kRingDeltaBits + 32)) - 1;
constexpr std::size_t kExtendSize = 8;

std::size_t padded(std::size_t size) {
    return (size + 3) / 4 * 4;
}

/// Bytes of a record with its header.
std::size_t recordSize(std::size_t size) {
    return padded(size) + (padded(size) > kMaxShortRecord || size == 0 ? 8 : 4);
}

} // namespace

template <class Integer>
void RingPageBuilder::append(Integer value) {
    appendInteger(bytes_, value, ByteOrder::Little);
}

void RingPageBuilder::appendHeader(std::uint32_t type, std::uint32_t delta) {
    append(type | delta << 5U);
}

std::size_t RingPageBuilder::room() const {
    const std::size_t reserved = pageLostCount_ > 0 ? sizeof(std::uint64_t) : 0;
    return pageBegin_ + kPageSize - reserved - bytes_.size();
}

void RingPageBuilder::openPage(std::uint64_t timeNs) {
    flush();
    pageBegin_ = bytes_.size();
    append(timeNs);
    append(std::uint64_t{0});
    pageOpen_ = true;
    lastTime_ = timeNs;
    pageLostCount_ = std::exchange(lostCount_, 0);
}

void RingPageBuilder::flush() {
    if (!pageOpen_)
        return;
    std::uint64_t commit = bytes_.size() - pageBegin_ - kPageHeaderSize;
    if (pageLostCount_ > 0) {
        commit |= kRingMissedEvents | kRingMissedStored;
        append(pageLostCount_);
    }
    storeInteger(bytes_.data() + pageBegin_ + kCommitOffset, commit, ByteOrder::Little);
    bytes_.resize(pageBegin_ + kPageSize);
    pageBegin_ = bytes_.size();
    pageLostCount_ = 0;
    pageOpen_ = false;
}

void RingPageBuilder::lose(std::uint64_t count) {
    lostCount_ += count;
    flush();
}

void RingPageBuilder::add(std::uint64_t timeNs, std::span<const std::byte> record) {
    assert(record.size() <= kMaxRecordBytes);
    assert(!pageOpen_ || timeNs >= lastTime_);
    std::uint64_t delta = timeNs - lastTime_;
    const std::size_t size = recordSize(record.size());
    const std::size_t needed = size + (delta > kMaxDelta ? kExtendSize : 0);
    if (!pageOpen_ || needed > room() || delta > kMaxExtendedDelta) {
        openPage(timeNs);
        delta = 0;
    }
    if (delta > kMaxDelta) {
        appendHeader(kTypeTimeExtend, static_cast<std::uint32_t>(delta & kMaxDelta));
        append(static_cast<std::uint32_t>(delta >> kRingDeltaBits));
        delta = 0;
    }
    const std::size_t length = padded(record.size());
    const bool isShort = size == length + 4;
    appendHeader(isShort ? static_cast<std::uint32_t>(length / 4) : 0,
                 static_cast<std::uint32_t>(delta));
    if (!isShort) // the length counts its own four bytes
        append(static_cast<std::uint32_t>(length + 4));
    bytes_.insert(bytes_.end(), record.begin(), record.end());
    bytes_.resize(bytes_.size() + length - record.size());
    lastTime_ = timeNs;
}

std::span<const std::byte> RingPageBuilder::pages() const {
    return {bytes_.data(), pageBegin_};
}

void RingPageBuilder::dropPages() {
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(pageBegin_));
    pageBegin_ = 0;
}

} // namespace inversight
