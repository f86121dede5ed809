// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/dat7_writer.h"

#include "trace/file/dat_options.h"
#include "trace/file/dat_parts.h"

#include <algorithm>
#include <string>

namespace inversight {

namespace {

constexpr std::uint16_t kSectionCompressed = 1;
constexpr std::uint64_t kSizeSize = 8; ///< of the size at the end of a section's head

/// What is packed at once. Readers refuse what shrinks beyond belief: even zeros stay below that.
constexpr std::size_t kMostChunk = std::size_t{64} << 10;
constexpr std::size_t kMostTextRatio = 16;

/// Ten pages, as trace-cmd packs them, or as many as fit.
std::size_t chunkSize(std::uint32_t pageSize) {
    constexpr std::size_t kPages = 10;
    return std::min(kPages, kMostChunk / pageSize) * pageSize;
}

/// Cuts a CPU's pages into chunks, wherever the batches they come in end.
class ChunkWriter {
public:
    ChunkWriter(DatOutput& out, Compression compression, ByteOrder order, std::uint32_t pageSize)
        : out_(out), compression_(compression), order_(order), chunkSize_(chunkSize(pageSize)) {}

    Result<void> write(const BufferToWrite::Cpu& cpu) {
        putNumber(static_cast<std::uint32_t>((cpu.size + chunkSize_ - 1) / chunkSize_));
        TRY(out_.supply(cpu, [&](std::span<const std::byte> pages) { return add(pages); }));
        return pending_.empty() ? Result<void>() : writeChunk();
    }

private:
    Result<void> add(std::span<const std::byte> pages) {
        while (!pages.empty()) {
            const std::size_t size = std::min(pages.size(), chunkSize_ - pending_.size());
            pending_.insert(pending_.end(), pages.begin(),
                            pages.begin() + static_cast<std::ptrdiff_t>(size));
            pages = pages.subspan(size);
            if (pending_.size() == chunkSize_)
                TRY(writeChunk());
        }
        return {};
    }
    Result<void> writeChunk() {
        const std::vector<std::byte> packed = TRY(packBlock(compression_, pending_));
        putNumber(static_cast<std::uint32_t>(packed.size()));
        putNumber(static_cast<std::uint32_t>(pending_.size()));
        out_.put(packed);
        pending_.clear();
        return {};
    }
    void putNumber(std::uint32_t value) {
        FileBytes bytes(order_);
        bytes.number(value);
        out_.put(bytes.bytes());
    }

    DatOutput& out_;
    Compression compression_;
    ByteOrder order_;
    std::size_t chunkSize_;
    std::vector<std::byte> pending_;
};

/// Writes one section behind the other and collects the options that lead to them; the options
/// themselves come last.
class V7Writer {
public:
    V7Writer(const TraceMetadata& metadata, Compression compression, DatOutput& out)
        : metadata_(metadata), compression_(compression), order_(byteOrder(metadata)), out_(out),
          options_(order_) {}

    Result<void> write(std::span<const BufferToWrite> buffers) {
        const std::uint64_t optionsPlace = putHead();
        appendPlainOptions(options_, metadata_);
        appendNumberOption(kOptionCpuCount, static_cast<std::uint32_t>(metadata_.cpuCount));
        for (const DatPart& part : datParts())
            TRY(putPart(part));
        for (const BufferToWrite& buffer : buffers)
            TRY(putBuffer(buffer));
        appendNumberOption(kOptionDone, std::uint64_t{0}); // no further options
        out_.patch(optionsPlace, out_.position(), order_);
        putSectionHead(kOptionDone, 0, options_.size());
        out_.put(options_.bytes());
        return {};
    }

private:
    /// Yields where the place of the options is to be said.
    std::uint64_t putHead() {
        FileBytes bytes(order_);
        appendDatHead(bytes, 7, metadata_);
        bytes.terminated(compressionName(compression_));
        bytes.terminated(compressionVersion(compression_));
        const std::uint64_t place = bytes.size();
        bytes.number(std::uint64_t{0});
        out_.put(bytes.bytes());
        return place;
    }
    void putSectionHead(std::uint16_t id, std::uint16_t flags, std::uint64_t size) {
        FileBytes bytes(order_);
        bytes.number(id);
        bytes.number(flags);
        bytes.number(std::uint32_t{0}); // no description
        bytes.number(size);
        out_.put(bytes.bytes());
    }
    template <std::integral Integer>
    void appendNumberOption(std::uint16_t id, Integer value) {
        FileBytes content(order_);
        content.number(value);
        options_.option(id, content.bytes());
    }
    Result<void> putPart(const DatPart& part) {
        FileBytes content(order_);
        part.append(content, metadata_);
        appendNumberOption(part.section, out_.position());
        const std::string& plain = content.bytes();
        const auto packed =
            TRY(packBlock(compression_, std::as_bytes(std::span(plain.data(), plain.size()))));
        if (compression_ == Compression::None || plain.size() > kMostTextRatio * packed.size()) {
            putSectionHead(part.section, 0, plain.size());
            out_.put(plain);
            return {};
        }
        FileBytes sizes(order_);
        sizes.number(static_cast<std::uint32_t>(packed.size()));
        sizes.number(static_cast<std::uint32_t>(plain.size()));
        putSectionHead(part.section, kSectionCompressed, sizes.size() + packed.size());
        out_.put(sizes.bytes());
        out_.put(packed);
        return {};
    }
    Result<void> putBuffer(const BufferToWrite& buffer) {
        FileBytes option(order_);
        option.number(out_.position());
        option.terminated(buffer.name);
        option.terminated(buffer.clock.empty() ? markedClock(metadata_.traceClock).value_or("")
                                               : buffer.clock);
        option.number(buffer.pageSize);
        option.number(static_cast<std::uint32_t>(buffer.cpus.size()));
        const Compression compression =
            buffer.pageSize > kMostChunk ? Compression::None : compression_;
        putSectionHead(kOptionBuffer, compression == Compression::None ? 0 : kSectionCompressed, 0);
        const std::uint64_t begin = out_.position();
        for (const BufferToWrite::Cpu& cpu : buffer.cpus) {
            out_.align(metadata_.pageSize);
            option.number(static_cast<std::uint32_t>(cpu.cpu));
            option.number(out_.position());
            option.number(TRY(putPages(cpu, compression, buffer.pageSize)));
        }
        out_.patch(begin - kSizeSize, out_.position() - begin, order_);
        options_.option(kOptionBuffer, option.bytes());
        return {};
    }
    /// Yields the size to state: that of the pages, or of the chunks without their count.
    Result<std::uint64_t> putPages(const BufferToWrite::Cpu& cpu, Compression compression,
                                   std::uint32_t pageSize) {
        const std::uint64_t begin = out_.position();
        if (compression != Compression::None) {
            TRY(ChunkWriter(out_, compression, order_, pageSize).write(cpu));
            return out_.position() - begin - sizeof(std::uint32_t);
        }
        TRY(out_.supply(cpu, [&](std::span<const std::byte> pages) -> Result<void> {
            out_.put(pages);
            return {};
        }));
        return out_.position() - begin;
    }

    const TraceMetadata& metadata_;
    Compression compression_;
    ByteOrder order_;
    DatOutput& out_;
    FileBytes options_;
};

} // namespace

Result<void> writeDatV7(const TraceMetadata& metadata, std::span<const BufferToWrite> buffers,
                        Compression compression, DatOutput& out) {
    if (!out.canPatch())
        return std::unexpected(Error{ErrorCode::Unsupported,
                                     "version 7 of trace.dat can only be written to a file",
                                     "output", "give -o a file's name, or write version 6"});
    return V7Writer(metadata, compression, out).write(buffers);
}

} // namespace inversight
