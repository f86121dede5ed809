// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/page_stream.h"

#include <algorithm>

namespace inversight {

namespace {

std::uint64_t slice(const PageLayout& layout) {
    constexpr std::uint64_t kAbout = 1 << 18;
    return std::max<std::uint64_t>(kAbout / layout.pageSize, 1) * layout.pageSize;
}

} // namespace

PageStream::PageStream(const RecordStore& records, const PageLayout& layout, const CpuPages& pages)
    : records_(records), pages_(pages), sliceSize_(slice(layout)),
      batchCount_(pages.chunks ? pages.chunks->batches().size()
                               : (pages.size + sliceSize_ - 1) / sliceSize_),
      decompressor_(pages.chunks ? pages.chunks->compression() : Compression::None) {}

std::uint64_t PageStream::batchSize(std::size_t index) const {
    if (pages_.chunks)
        return pages_.chunks->batches()[index].size;
    return std::min(sliceSize_, pages_.size - index * sliceSize_);
}

Result<PageBatch> PageStream::batch(std::size_t index) {
    if (!pages_.chunks) {
        const std::uint64_t offset = pages_.offset + index * sliceSize_;
        const std::uint64_t size = batchSize(index);
        scratch_.resize(size);
        if (records_.read(offset, scratch_))
            return PageBatch{scratch_, offset};
        return PageBatch{records_.bytes().subspan(offset, size), offset};
    }
    const ChunkTable& chunks = *pages_.chunks;
    const std::uint64_t offset = pages_.offset + chunks.batches()[index].offset;
    return PageBatch{TRY(chunks.unpack(records_.bytes(), index, decompressor_, scratch_)), offset};
}

} // namespace inversight
