// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/dat6_writer.h"

#include "trace/file/dat_options.h"
#include "trace/file/dat_parts.h"

#include <fmt/format.h>

#include <cassert>
#include <string>
#include <utility>

namespace inversight {

namespace {

constexpr std::string_view kTableHead{"flyrecord\0", 10};
constexpr std::size_t kTableRowSize = 2 * sizeof(std::uint64_t);

std::uint64_t alignUp(std::uint64_t value, std::uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

/// A buffer's table of CPUs, and behind it the clock's text: readers that find the option look for
/// the chosen clock there once more.
struct TableOfCpus {
    std::string name;
    std::string clock; ///< "[mono]"
    std::vector<std::uint64_t> sizes;

    [[nodiscard]] std::size_t byteCount() const {
        return kTableHead.size() + sizes.size() * kTableRowSize +
               (clock.empty() ? 0 : sizeof(std::uint64_t) + clock.size());
    }
};

/// "[mono]" of "local [mono] boot", the whole text if nothing is marked in it.
std::string chosenClock(const std::string& traceClock) {
    const std::optional<std::string> name = markedClock(traceClock);
    return name ? "[" + *name + "]" : traceClock;
}

/// An instance's table is found through its option.
void appendInstanceOption(FileBytes& bytes, const TableOfCpus& table, std::uint64_t offset,
                          ByteOrder order) {
    FileBytes content(order);
    content.number(offset);
    content.terminated(table.name);
    bytes.option(kOptionBuffer, content.bytes());
}

/// Everything in front of the first table, which is that of the top buffer; the others follow it.
FileBytes frontOf(const TraceMetadata& metadata, std::span<const TableOfCpus> tables) {
    FileBytes bytes(byteOrder(metadata));
    appendDatHead(bytes, 6, metadata);
    for (const DatPart& part : datParts())
        part.append(bytes, metadata);
    bytes.number(static_cast<std::uint32_t>(metadata.cpuCount));
    bytes.terminated("options  ");
    appendPlainOptions(bytes, metadata);
    std::uint64_t place = bytes.size() + sizeof(std::uint16_t);
    for (std::size_t index = 1; index < tables.size(); ++index)
        place += 6 + sizeof(std::uint64_t) + tables[index].name.size() + 1; // the option's bytes
    for (std::size_t index = 1; index < tables.size(); ++index) {
        place += tables[index - 1].byteCount();
        appendInstanceOption(bytes, tables[index], place, byteOrder(metadata));
    }
    bytes.number(static_cast<std::uint16_t>(kOptionDone));
    return bytes;
}

TraceDatLayout layoutTables(const TraceMetadata& metadata, std::span<const TableOfCpus> tables) {
    FileBytes bytes = frontOf(metadata, tables);
    std::uint64_t offset = bytes.size();
    for (const TableOfCpus& table : tables)
        offset += table.byteCount();
    TraceDatLayout layout;
    for (const TableOfCpus& table : tables) {
        bytes.text(kTableHead);
        for (const std::uint64_t size : table.sizes) {
            offset = alignUp(offset, metadata.pageSize);
            bytes.number(offset);
            bytes.number(size);
            layout.cpus.push_back({offset, size});
            offset += size;
        }
        if (!table.clock.empty())
            bytes.sized<std::uint64_t>(table.clock);
    }
    layout.head = bytes.bytes();
    return layout;
}

Result<TableOfCpus> tableOf(const TraceMetadata& metadata, const BufferToWrite& buffer,
                            const BufferToWrite& top) {
    const std::uint32_t pageSize = top.pageSize;
    if (&buffer != &top && buffer.name.empty())
        return std::unexpected(Error{ErrorCode::Unsupported,
                                     "version 6 of trace.dat has one buffer without a name, here "
                                     "are several",
                                     "buffers", "write version 7"});
    if (buffer.pageSize != pageSize)
        return std::unexpected(Error{
            ErrorCode::Unsupported,
            fmt::format("version 6 of trace.dat has one page size for all buffers, here are {} and "
                        "{} bytes",
                        pageSize, buffer.pageSize),
            fmt::format("buffer \"{}\"", buffer.name), "write version 7"});
    TableOfCpus table{buffer.name, {}, {}};
    if (!metadata.traceClock.empty())
        table.clock =
            buffer.clock.empty() ? chosenClock(metadata.traceClock) : "[" + buffer.clock + "]";
    table.sizes.resize(static_cast<std::size_t>(metadata.cpuCount));
    for (const BufferToWrite::Cpu& cpu : buffer.cpus) {
        assert(cpu.cpu >= 0 && cpu.cpu < metadata.cpuCount);
        table.sizes[static_cast<std::size_t>(cpu.cpu)] = cpu.size;
    }
    return table;
}

} // namespace

TraceDatLayout layoutTraceDat(const TraceMetadata& metadata,
                              std::span<const std::uint64_t> cpuBytes) {
    assert(cpuBytes.size() == static_cast<std::size_t>(metadata.cpuCount));
    const TableOfCpus top{"", chosenClock(metadata.traceClock), {cpuBytes.begin(), cpuBytes.end()}};
    return layoutTables(metadata, std::span(&top, 1));
}

Result<void> writeDatV6(const TraceMetadata& metadata, std::span<const BufferToWrite> buffers,
                        DatOutput& out) {
    // Every buffer has a row for every CPU of the machine, which a file that lists few may only
    // claim to have.
    constexpr std::uint64_t kMostTableBytes = std::uint64_t{64} << 20;
    const auto cpus = static_cast<std::uint64_t>(metadata.cpuCount);
    if (buffers.size() * cpus * kTableRowSize > kMostTableBytes)
        return std::unexpected(Error{
            ErrorCode::Unsupported,
            fmt::format("version 6 of trace.dat needs a row for each of {} CPUs in each of {} "
                        "buffers, which is more than the recording",
                        cpus, buffers.size()),
            "CPU table", "write version 7"});
    std::vector<TableOfCpus> tables;
    for (const BufferToWrite& buffer : buffers)
        tables.push_back(TRY(tableOf(metadata, buffer, buffers.front())));
    const TraceDatLayout layout = layoutTables(metadata, tables);
    out.put(layout.head);
    const auto cpuCount = static_cast<std::size_t>(metadata.cpuCount);
    for (std::size_t index = 0; index < buffers.size(); ++index) {
        for (const BufferToWrite::Cpu& cpu : buffers[index].cpus) {
            out.fillTo(layout.cpus[index * cpuCount + static_cast<std::size_t>(cpu.cpu)].offset);
            TRY(out.supply(cpu, [&](std::span<const std::byte> pages) -> Result<void> {
                out.put(pages);
                return {};
            }));
        }
    }
    return {};
}

} // namespace inversight
