// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/file/byte_cursor.h"
#include "trace/file/compression.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace inversight {

/// Where the compressed trace data of one CPU is: chunks that are unpacked one by one. Frozen once
/// read; reentrant.
///
/// Source of the layout: trace-cmd.dat.v7(5), "Compression format of the trace data". Chunks are
/// grouped into batches that end where a page ends, because writers cut chunks by the machine's
/// page size and a ring-buffer page may be larger; a batch is nearly always one chunk.
class ChunkTable {
public:
    struct Chunk {
        std::uint64_t fileOffset = 0; ///< of the compressed bytes
        std::uint32_t compressedSize = 0;
        std::uint32_t size = 0; ///< uncompressed
    };
    struct Batch {
        std::uint64_t offset = 0; ///< of its first byte in the uncompressed data
        std::uint64_t size = 0;   ///< in whole pages; the chunks may hold a rest behind them
        std::uint64_t unpackedSize = 0;
        std::size_t firstChunk = 0;
        std::size_t chunkCount = 0;
    };
    struct Place {
        ByteOrder order = ByteOrder::Little;
        std::uint64_t offset = 0; ///< of the chunk count in the file
        std::uint64_t size = 0;   ///< as declared
        std::uint32_t pageSize = 0;
    };

    /// Reads what is there: a table that is cut short or damaged yields the chunks before that and
    /// a problem() that says what was expected where. Nothing is allocated for a count or a size
    /// the file only claims.
    [[nodiscard]] static ChunkTable read(std::span<const std::byte> file, const Place& place,
                                         Compression compression);

    [[nodiscard]] const std::vector<Batch>& batches() const { return batches_; }
    [[nodiscard]] std::uint64_t size() const { return size_; } ///< of all batches
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] Compression compression() const { return compression_; }

    /// Unpacks a batch into `scratch`, which is enlarged as needed and used again.
    [[nodiscard]] Result<std::span<const std::byte>> unpack(std::span<const std::byte> file,
                                                            std::size_t batch,
                                                            Decompressor& decompressor,
                                                            std::vector<std::byte>& scratch) const;
    /// The batch that holds this byte of the uncompressed data; it must be below size().
    [[nodiscard]] std::size_t batchAt(std::uint64_t offset) const;

private:
    void readChunks(std::span<const std::byte> file, const Place& place);
    [[nodiscard]] Result<void> readAll(ByteCursor& cursor, std::uint64_t offset);
    void formBatches(std::uint32_t pageSize);

    Compression compression_ = Compression::None;
    std::vector<Chunk> chunks_;
    std::vector<Batch> batches_;
    std::uint64_t size_ = 0;
    std::uint64_t unpackedSize_ = 0;
    std::uint64_t compressedSize_ = 0;
    std::string problem_;
};

} // namespace inversight
