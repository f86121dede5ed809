// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/page_stream.h"

#include <algorithm>
#include <sys/mman.h>

namespace inversight {

namespace {

/// Has the kernel enter all pages into the page table at once: one by one, as they are touched, it
/// costs more than decoding them where page faults are slow. Only advice (Linux 5.14).
void mapAhead(std::span<const std::byte> bytes) {
    constexpr std::uintptr_t kPage = 4096;
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data()) / kPage * kPage;
    const auto end = reinterpret_cast<std::uintptr_t>(bytes.data() + bytes.size());
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ);
}

std::uint64_t slice(const PageLayout& layout) {
    constexpr std::uint64_t kAbout = 1 << 20;
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
        const std::span<const std::byte> pages = records_.bytes().subspan(offset, batchSize(index));
        mapAhead(pages);
        return PageBatch{pages, offset};
    }
    const ChunkTable& chunks = *pages_.chunks;
    const std::uint64_t offset = pages_.offset + chunks.batches()[index].offset;
    return PageBatch{TRY(chunks.unpack(records_.bytes(), index, decompressor_, scratch_)), offset};
}

} // namespace inversight
