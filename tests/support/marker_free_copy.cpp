// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/support/marker_free_copy.h"

#include "trace/file/dat_rewriter.h"
#include "trace/file/page_reader.h"
#include "trace/file/page_stream.h"
#include "trace/file/ring_page_builder.h"

#include <fstream>
#include <optional>

namespace inversight::test {

namespace {

/// The raw id of ftrace/print in the file.
std::optional<std::uint16_t> printId(const DatFile& file) {
    for (const FormatText& format : file.formats) {
        const std::size_t id = format.text.find("ID:");
        if (format.system == "ftrace" && format.text.starts_with("name: print\n") &&
            id != std::string_view::npos)
            return static_cast<std::uint16_t>(std::stoi(std::string(format.text.substr(id + 3))));
    }
    return std::nullopt;
}

/// One CPU's pages without the records of one type.
class PageFilter {
public:
    explicit PageFilter(std::uint16_t dropped) : dropped_(dropped) {}

    Result<void> add(std::span<const std::byte> page, const PageLayout& layout) {
        PageReader reader = TRY(PageReader::open(page, layout));
        if (reader.missed())
            builder_.lose(reader.missed()->count.value_or(1));
        RingRecord record;
        PageReader::Step step = PageReader::Step::End;
        while ((step = reader.next(record)) == PageReader::Step::Record)
            if (loadInteger<std::uint16_t>(record.data.data(), ByteOrder::Little) != dropped_)
                builder_.add(record.time, record.data);
        if (step == PageReader::Step::Damaged)
            return std::unexpected(reader.damage());
        return {};
    }
    std::vector<std::byte> take() {
        builder_.flush();
        const auto pages = builder_.pages();
        return {pages.begin(), pages.end()};
    }

private:
    std::uint16_t dropped_;
    RingPageBuilder builder_;
};

Result<std::vector<std::byte>> filtered(const DatFile& file, const DatBuffer& buffer,
                                        const CpuPages& cpu, std::uint16_t dropped) {
    PageStream stream(*file.records, buffer.layout, cpu);
    PageFilter filter(dropped);
    for (std::size_t i = 0; i < stream.batchCount(); ++i) {
        const auto pages = TRY(stream.batch(i)).pages;
        for (std::size_t at = 0; at < pages.size(); at += buffer.layout.pageSize)
            TRY(filter.add(pages.subspan(at, buffer.layout.pageSize), buffer.layout));
    }
    return filter.take();
}

PageSupply supply(std::vector<std::byte> pages) {
    return
        [pages = std::move(pages), done = false]() mutable -> Result<std::span<const std::byte>> {
            if (std::exchange(done, true))
                return std::span<const std::byte>();
            return std::span<const std::byte>(pages);
        };
}

} // namespace

Result<void> copyWithoutMarkers(const std::string& from, const std::string& to) {
    const DatFile file = TRY(readDat(TRY(RecordStore::open(from))));
    const auto dropped = printId(file);
    if (!dropped || file.order != ByteOrder::Little || file.longSize != 8)
        return std::unexpected(Error{ErrorCode::Unsupported, "no markers to take out", from});
    std::vector<BufferToWrite> buffers;
    for (const DatBuffer& buffer : file.buffers) {
        BufferToWrite copy{.name = buffer.name, .clock = buffer.clock};
        for (const CpuPages& cpu : buffer.cpus) {
            std::vector<std::byte> pages = TRY(filtered(file, buffer, cpu, *dropped));
            const std::uint64_t size = pages.size();
            if (size > 0)
                copy.cpus.push_back({cpu.cpu, size, supply(std::move(pages))});
        }
        buffers.push_back(std::move(copy));
    }
    std::ofstream out(to, std::ios::binary);
    return writeTraceDat(metadataOf(file), buffers, {}, {}, out);
}

} // namespace inversight::test
