// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/cpu_extents.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace inversight {

namespace {

/// The first byte and the one behind the last.
using Extent = std::pair<std::uint64_t, std::uint64_t>;

std::string cpuName(const CpuPages& pages, const DatBuffer& buffer) {
    return buffer.name.empty() ? fmt::format("CPU {}", pages.cpu)
                               : fmt::format("CPU {} of buffer \"{}\"", pages.cpu, buffer.name);
}

void warnMissing(DatFile& file, std::string text) {
    file.complete = false;
    file.warnings.push_back(std::move(text));
}

void limitPlain(DatFile& file, const DatBuffer& buffer, CpuPages& pages) {
    const std::uint64_t fileSize = file.records->bytes().size();
    const std::uint64_t present =
        pages.offset >= fileSize ? 0 : std::min(pages.declaredSize, fileSize - pages.offset);
    pages.size = present - present % buffer.layout.pageSize;
    if (present < pages.declaredSize)
        warnMissing(file, fmt::format("{}: {} of {} bytes are missing, the file is cut short; {} "
                                      "whole pages were read",
                                      cpuName(pages, buffer), pages.declaredSize - present,
                                      pages.declaredSize, pages.size / buffer.layout.pageSize));
    else if (pages.size < pages.declaredSize)
        warnMissing(file, fmt::format("{}: the last {} bytes are no whole page and were left out",
                                      cpuName(pages, buffer), pages.declaredSize - pages.size));
}

/// Reads the chunk table at the offset in the file, which then becomes one in the unpacked data.
void limitChunks(DatFile& file, const DatBuffer& buffer, CpuPages& pages) {
    const ChunkTable::Place place{file.order, pages.offset, pages.declaredSize,
                                  buffer.layout.pageSize};
    auto chunks = std::make_shared<const ChunkTable>(
        ChunkTable::read(file.records->bytes(), place, buffer.compression));
    if (!chunks->problem().empty())
        warnMissing(file, fmt::format("{}: {}; {} whole pages were read", cpuName(pages, buffer),
                                      chunks->problem(), chunks->size() / buffer.layout.pageSize));
    pages.size = chunks->size();
    pages.offset = file.records->addChunks(chunks);
    pages.chunks = std::move(chunks);
}

Result<void> checkApart(const DatFile& file) {
    const std::uint64_t fileSize = file.records->bytes().size();
    std::vector<Extent> extents;
    for (const DatBuffer& buffer : file.buffers) {
        for (const CpuPages& pages : buffer.cpus) {
            const std::uint64_t begin = std::min(pages.offset, fileSize);
            const std::uint64_t size = std::min(pages.declaredSize, fileSize - begin);
            if (size > 0)
                extents.emplace_back(begin, begin + size);
        }
    }
    std::ranges::sort(extents);
    for (std::size_t index = 1; index < extents.size(); ++index) {
        if (extents[index].first < extents[index - 1].second)
            return std::unexpected(Error{ErrorCode::Corrupt,
                                         "section \"CPU table\": expected every CPU's data apart, "
                                         "found two that overlap",
                                         fmt::format("offset {}", extents[index].first)});
    }
    return {};
}

} // namespace

Result<void> limitToFile(DatFile& file) {
    TRY(checkApart(file));
    for (DatBuffer& buffer : file.buffers) {
        for (CpuPages& pages : buffer.cpus) {
            if (buffer.compression == Compression::None)
                limitPlain(file, buffer, pages);
            else
                limitChunks(file, buffer, pages);
        }
    }
    return {};
}

} // namespace inversight
