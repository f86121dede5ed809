// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/chunk_cache.h"

#include <fmt/format.h>

#include <algorithm>

namespace inversight {

namespace {

/// Addresses of a table begin at such a multiple, so that they look like offsets of pages.
constexpr std::uint64_t kAlignment = 4096;

std::uint64_t aligned(std::uint64_t address) {
    return (address + kAlignment - 1) / kAlignment * kAlignment;
}

} // namespace

ChunkCache::ChunkCache(std::span<const std::byte> file) : file_(file), end_(aligned(file.size())) {}

std::uint64_t ChunkCache::add(std::shared_ptr<const ChunkTable> table) {
    const MutexLock lock(mutex_);
    const std::uint64_t begin = end_;
    end_ = aligned(begin + table->size());
    tables_.push_back({begin, std::move(table)});
    return begin;
}

Result<ChunkCache::Found> ChunkCache::at(std::uint64_t address) {
    const MutexLock lock(mutex_);
    const std::optional<std::size_t> table = tableAt(address);
    if (!table)
        return std::unexpected(Error{ErrorCode::Corrupt,
                                     "expected a record, nothing has that address",
                                     fmt::format("offset {}", address)});
    const Table& found = tables_[*table];
    const std::size_t index = found.chunks->batchAt(address - found.begin);
    Bytes bytes = TRY(batch({*table, index}));
    return Found{std::move(bytes), address - found.begin - found.chunks->batches()[index].offset};
}

std::optional<std::size_t> ChunkCache::tableAt(std::uint64_t address) const {
    const auto behind = std::ranges::upper_bound(tables_, address, {}, &Table::begin);
    if (behind == tables_.begin())
        return std::nullopt;
    const auto table = std::prev(behind);
    if (address - table->begin >= table->chunks->size())
        return std::nullopt;
    return static_cast<std::size_t>(table - tables_.begin());
}

Result<ChunkCache::Bytes> ChunkCache::batch(Key key) {
    const auto known = std::ranges::find(entries_, key, &Entry::key);
    if (known != entries_.end()) {
        entries_.splice(entries_.begin(), entries_, known);
        return entries_.front().bytes;
    }
    const ChunkTable& table = *tables_[key.first].chunks;
    Decompressor decompressor(table.compression());
    std::vector<std::byte> scratch;
    const std::size_t size = TRY(table.unpack(file_, key.second, decompressor, scratch)).size();
    scratch.resize(size);
    auto bytes = std::make_shared<const std::vector<std::byte>>(std::move(scratch));
    keep(key, bytes);
    return bytes;
}

void ChunkCache::keep(Key key, Bytes bytes) {
    bytes_ += bytes->size();
    entries_.push_front({key, std::move(bytes)});
    while (bytes_ > kMostBytes && entries_.size() > 1) {
        bytes_ -= entries_.back().bytes->size();
        entries_.pop_back();
    }
}

} // namespace inversight
