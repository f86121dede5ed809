// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/dat_rewriter.h"

#include "trace/file/dat_options.h"
#include "trace/file/page_stream.h"

#include <bit>
#include <utility>

namespace inversight {

namespace {

PageSupply pagesOf(const DatFile& file, const DatBuffer& buffer, const CpuPages& cpu) {
    auto stream = std::make_shared<PageStream>(*file.records, buffer.layout, cpu);
    return [stream, next = std::size_t{0}]() mutable -> Result<std::span<const std::byte>> {
        if (next == stream->batchCount())
            return std::span<const std::byte>();
        return TRY(stream->batch(next++)).pages;
    };
}

std::vector<BufferToWrite> buffersOf(const DatFile& file) {
    std::vector<BufferToWrite> buffers;
    for (const DatBuffer& buffer : file.buffers) {
        BufferToWrite copy{buffer.name, buffer.clock, buffer.layout.pageSize, {}};
        for (const CpuPages& cpu : buffer.cpus)
            if (cpu.size > 0)
                copy.cpus.push_back({cpu.cpu, cpu.size, pagesOf(file, buffer, cpu)});
        buffers.push_back(std::move(copy));
    }
    if (!buffers.front().name.empty()) // version 7 need not have a top buffer
        buffers.insert(buffers.begin(), {.pageSize = file.layout.pageSize});
    return buffers;
}

/// Pages are aligned to it, so a damaged one must not become gaps of gigabytes.
bool plausiblePageSize(const DatFile& file) {
    constexpr std::uint32_t kSmallest = 1024;
    constexpr std::uint32_t kLargest = 1 << 18;
    return std::has_single_bit(file.pageSize) && file.pageSize >= kSmallest &&
           file.pageSize <= kLargest;
}

} // namespace

TraceMetadata metadataOf(const DatFile& file) {
    TraceMetadata metadata;
    metadata.bigEndian = file.order == ByteOrder::Big;
    metadata.longSize = static_cast<std::uint8_t>(file.longSize);
    metadata.pageSize = plausiblePageSize(file) ? file.pageSize : file.layout.pageSize;
    metadata.headerPage = file.headerPage;
    metadata.headerEvent = file.headerEvent;
    for (const FormatText& format : file.formats) {
        if (format.system == "ftrace") {
            metadata.ftraceFormats.emplace_back(format.text);
            continue;
        }
        if (metadata.systems.empty() || metadata.systems.back().system != format.system)
            metadata.systems.push_back({std::string(format.system), {}});
        metadata.systems.back().formats.emplace_back(format.text);
    }
    metadata.kallsyms = file.kallsyms;
    metadata.printkFormats = file.printkFormats;
    metadata.savedCmdlines = file.savedCmdlines;
    metadata.traceClock = withoutZeros(file.traceClock);
    if (metadata.traceClock.empty() && !file.buffers.front().clock.empty())
        metadata.traceClock = "[" + file.buffers.front().clock + "]";
    for (const DatOptionBytes& option : file.options)
        metadata.options.push_back({option.id, std::string(option.content)});
    metadata.cpuCount = file.cpuCount;
    return metadata;
}

Result<void> rewriteDat(const DatFile& file, const DatForm& form, const JobContext& job,
                        std::ostream& out) {
    TRY(file.records->checkSize());
    if (!file.latencyText.empty())
        return std::unexpected(Error{ErrorCode::Unsupported,
                                     "holds the text of a latency tracer, no pages to copy",
                                     file.records->path()});
    return writeTraceDat(metadataOf(file), buffersOf(file), form, job, out);
}

} // namespace inversight
