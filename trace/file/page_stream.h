// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/file/dat_file.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inversight {

/// Some whole pages of one CPU, in a row.
struct PageBatch {
    std::span<const std::byte> pages;
    std::uint64_t offset = 0; ///< of the first byte, as RecordStore::record() understands it
};

/// The pages of one CPU, batch by batch, whether the file holds them plain or compressed.
///
/// Pages stand for themselves, so batches may be asked for in any order. Thread-bound; several
/// streams over one CPU may be used at the same time, for they share nothing that changes. Memory
/// use is one batch, a buffer that the next batch overwrites: 256 KiB of the file, which stay in
/// a processor's cache, or one unpacked chunk.
class PageStream {
public:
    /// All must outlive the stream.
    PageStream(const RecordStore& records, const PageLayout& layout, const CpuPages& pages);

    [[nodiscard]] std::size_t batchCount() const { return batchCount_; }
    /// Bytes of the batch's pages, known without reading it.
    [[nodiscard]] std::uint64_t batchSize(std::size_t index) const;
    /// Valid until the next call. Corrupt if the chunk is damaged; the other batches are not.
    [[nodiscard]] Result<PageBatch> batch(std::size_t index);

private:
    const RecordStore& records_;
    const CpuPages& pages_;
    std::uint64_t sliceSize_; ///< of plain data
    std::size_t batchCount_;
    Decompressor decompressor_;
    std::vector<std::byte> scratch_;
};

} // namespace inversight
