// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/trace_dat_writer.h"

#include "trace/file/byte_writer.h"

#include <cassert>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

namespace inversight {

namespace {

/// Option numbers of version 6 files.
enum class Option : std::uint16_t { Done = 0, CpuStatistics = 2, TraceClock = 4, SystemName = 5 };

/// Appends numbers in the file's byte order.
class FileBytes {
public:
    explicit FileBytes(ByteOrder order) : order_(order) {}

    template <std::integral Integer>
    void number(Integer value) {
        appendInteger(bytes_, value, order_);
    }
    void text(std::string_view text) { bytes_.append(text); }
    void terminated(std::string_view text) {
        bytes_.append(text);
        bytes_.push_back('\0');
    }
    template <class Size>
    void sized(std::string_view text) {
        assert(text.size() <= std::numeric_limits<Size>::max());
        number(static_cast<Size>(text.size()));
        bytes_.append(text);
    }
    /// Option texts end with a zero byte, which counts.
    void option(Option option, const std::string& value) {
        number(static_cast<std::uint16_t>(option));
        number(static_cast<std::uint32_t>(value.size() + 1));
        terminated(value);
    }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
    ByteOrder order_;
    std::string bytes_;
};

void appendFormats(FileBytes& bytes, const std::vector<std::string>& formats) {
    bytes.number(static_cast<std::uint32_t>(formats.size()));
    for (const std::string& format : formats)
        bytes.sized<std::uint64_t>(format);
}

void appendSystems(FileBytes& bytes, const std::vector<EventSystemFormats>& systems) {
    bytes.number(static_cast<std::uint32_t>(systems.size()));
    for (const EventSystemFormats& system : systems) {
        bytes.terminated(system.system);
        appendFormats(bytes, system.formats);
    }
}

void appendTexts(FileBytes& bytes, const TraceMetadata& metadata) {
    bytes.text("\x17\x08\x44tracing");
    bytes.terminated("6");
    bytes.number(static_cast<std::uint8_t>(metadata.bigEndian));
    bytes.number(metadata.longSize);
    bytes.number(metadata.pageSize);
    bytes.terminated("header_page");
    bytes.sized<std::uint64_t>(metadata.headerPage);
    bytes.terminated("header_event");
    bytes.sized<std::uint64_t>(metadata.headerEvent);
    appendFormats(bytes, metadata.ftraceFormats);
    appendSystems(bytes, metadata.systems);
    bytes.sized<std::uint32_t>(metadata.kallsyms);
    bytes.sized<std::uint32_t>(metadata.printkFormats);
    bytes.sized<std::uint64_t>(metadata.savedCmdlines);
}

void appendOptions(FileBytes& bytes, const TraceMetadata& metadata) {
    bytes.terminated("options  ");
    if (!metadata.traceClock.empty())
        bytes.option(Option::TraceClock, metadata.traceClock);
    if (!metadata.systemName.empty())
        bytes.option(Option::SystemName, metadata.systemName);
    for (std::size_t cpu = 0; cpu < metadata.cpuStats.size(); ++cpu)
        bytes.option(Option::CpuStatistics,
                     "CPU: " + std::to_string(cpu) + "\n" + metadata.cpuStats[cpu]);
    bytes.number(static_cast<std::uint16_t>(Option::Done));
}

/// "[mono]" of "local [mono] boot": readers that find the option look for the chosen clock once
/// more behind the table of offsets.
std::string chosenClock(const std::string& traceClock) {
    const std::size_t begin = traceClock.find('[');
    const std::size_t end = traceClock.find(']', begin == std::string::npos ? 0 : begin);
    if (begin == std::string::npos || end == std::string::npos)
        return traceClock;
    return traceClock.substr(begin, end - begin + 1);
}

std::uint64_t alignUp(std::uint64_t value, std::uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

std::vector<CpuExtent> placePages(std::uint64_t headSize, std::uint32_t pageSize,
                                  std::span<const std::uint64_t> cpuBytes) {
    std::vector<CpuExtent> cpus;
    std::uint64_t offset = headSize;
    for (const std::uint64_t size : cpuBytes) {
        offset = alignUp(offset, pageSize);
        cpus.push_back({offset, size});
        offset += size;
    }
    return cpus;
}

} // namespace

TraceDatLayout layoutTraceDat(const TraceMetadata& metadata,
                              std::span<const std::uint64_t> cpuBytes) {
    assert(cpuBytes.size() == static_cast<std::size_t>(metadata.cpuCount));
    FileBytes bytes(metadata.bigEndian ? ByteOrder::Big : ByteOrder::Little);
    appendTexts(bytes, metadata);
    bytes.number(static_cast<std::uint32_t>(cpuBytes.size()));
    appendOptions(bytes, metadata);
    bytes.terminated("flyrecord");

    const std::string clock = chosenClock(metadata.traceClock);
    const std::size_t tableSize = cpuBytes.size() * 2 * sizeof(std::uint64_t);
    const std::size_t clockSize = clock.empty() ? 0 : sizeof(std::uint64_t) + clock.size();
    const std::uint64_t headSize = bytes.size() + tableSize + clockSize;
    std::vector<CpuExtent> cpus = placePages(headSize, metadata.pageSize, cpuBytes);
    for (const CpuExtent& cpu : cpus) {
        bytes.number(cpu.offset);
        bytes.number(cpu.size);
    }
    if (!clock.empty())
        bytes.sized<std::uint64_t>(clock);
    assert(bytes.size() == headSize);
    return {bytes.take(), std::move(cpus)};
}

} // namespace inversight
