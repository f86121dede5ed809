// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/chunk_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace inversight {

namespace {

/// Of a whole CPU. Single chunks may be all zeros; so many that this is passed are no recording,
/// and would let a small file cause any amount of work.
constexpr std::uint64_t kMostTotalRatio = 4096;
/// A batch that did not reach a page's end within this is of no recording either.
constexpr std::uint64_t kMostBatchBytes = 16 << 20;

Result<ChunkTable::Chunk> readChunk(ByteCursor& cursor) {
    ChunkTable::Chunk chunk;
    chunk.compressedSize = TRY(cursor.u32("a chunk's compressed size"));
    chunk.size = TRY(cursor.u32("a chunk's uncompressed size"));
    chunk.fileOffset = cursor.offset();
    TRY(cursor.text(chunk.compressedSize, "a chunk's bytes"));
    const std::uint64_t most = mostUncompressed(chunk.compressedSize);
    if (chunk.size == 0 || chunk.size > most)
        return std::unexpected(
            cursor.error(ErrorCode::Corrupt,
                         fmt::format("expected a chunk of {} bytes to hold 1 to {} bytes, it "
                                     "claims {}",
                                     chunk.compressedSize, most, chunk.size)));
    return chunk;
}

} // namespace

ChunkTable ChunkTable::read(std::span<const std::byte> file, const Place& place,
                            Compression compression) {
    ChunkTable table;
    table.compression_ = compression;
    table.readChunks(file, place);
    table.formBatches(place.pageSize);
    return table;
}

void ChunkTable::readChunks(std::span<const std::byte> file, const Place& place) {
    // The size trace-cmd declares is that of the chunks, without their count.
    constexpr std::uint64_t kCountSize = 4;
    const std::uint64_t begin = std::min<std::uint64_t>(place.offset, file.size());
    const std::uint64_t left = file.size() - begin;
    const std::uint64_t end =
        begin + (place.size < left ? std::min(place.size + kCountSize, left) : left);
    ByteCursor cursor(file.first(end), place.order);
    cursor.enter("chunk table");
    if (const Result<void> result = readAll(cursor, place.offset); !result)
        problem_ = result.error().sentence();
}

Result<void> ChunkTable::readAll(ByteCursor& cursor, std::uint64_t offset) {
    TRY(cursor.seek(offset, "a chunk table"));
    const std::uint32_t count = TRY(cursor.u32("the number of chunks"));
    for (std::uint32_t index = 0; index < count; ++index) {
        const Chunk chunk = TRY(readChunk(cursor));
        unpackedSize_ += chunk.size;
        compressedSize_ += chunk.compressedSize;
        if (unpackedSize_ > mostUncompressed(0) + compressedSize_ * kMostTotalRatio)
            return std::unexpected(cursor.error(
                ErrorCode::Corrupt,
                fmt::format("expected at most {} times as many bytes as the chunks have",
                            kMostTotalRatio)));
        chunks_.push_back(chunk);
    }
    return {};
}

void ChunkTable::formBatches(std::uint32_t pageSize) {
    assert(pageSize > 0);
    Batch batch;
    const auto close = [&] {
        batch.size = batch.unpackedSize - batch.unpackedSize % pageSize;
        if (batch.size > 0)
            batches_.push_back(batch);
        size_ = batch.offset + batch.size;
        batch = {size_, 0, 0, batch.firstChunk + batch.chunkCount, 0};
    };
    for (const Chunk& chunk : chunks_) {
        batch.unpackedSize += chunk.size;
        ++batch.chunkCount;
        const bool wholePages = batch.unpackedSize % pageSize == 0;
        if (wholePages)
            close();
        else if (batch.unpackedSize > kMostBatchBytes)
            break;
    }
    if (batch.chunkCount == 0)
        return;
    const std::uint64_t rest = batch.unpackedSize % pageSize;
    const bool last = batch.firstChunk + batch.chunkCount == chunks_.size();
    close();
    if (problem_.empty())
        problem_ = last ? fmt::format("the last {} bytes are no whole page", rest)
                        : fmt::format("expected a chunk that ends at the end of a page of {} "
                                      "bytes within {} bytes",
                                      pageSize, kMostBatchBytes);
}

Result<std::span<const std::byte>> ChunkTable::unpack(std::span<const std::byte> file,
                                                      std::size_t batch, Decompressor& decompressor,
                                                      std::vector<std::byte>& scratch) const {
    const Batch& wanted = batches_[batch];
    if (scratch.size() < wanted.unpackedSize)
        scratch.resize(wanted.unpackedSize);
    std::uint64_t done = 0;
    for (std::size_t index = 0; index < wanted.chunkCount; ++index) {
        const Chunk& chunk = chunks_[wanted.firstChunk + index];
        const auto from = file.subspan(chunk.fileOffset, chunk.compressedSize);
        if (auto result = decompressor.run(from, std::span(scratch).subspan(done, chunk.size));
            !result) {
            result.error().where = fmt::format("chunk at offset {}", chunk.fileOffset);
            return std::unexpected(std::move(result).error());
        }
        done += chunk.size;
    }
    return std::span<const std::byte>(scratch).first(wanted.size);
}

std::size_t ChunkTable::batchAt(std::uint64_t offset) const {
    const auto behind = std::ranges::upper_bound(batches_, offset, {}, &Batch::offset);
    assert(behind != batches_.begin() && offset < size_);
    return static_cast<std::size_t>(behind - batches_.begin()) - 1;
}

} // namespace inversight
