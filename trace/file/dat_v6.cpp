// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/dat_v6.h"

#include "trace/file/cpu_extents.h"
#include "trace/file/dat_options.h"
#include "trace/file/dat_sections.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace inversight {

namespace {

using namespace std::string_view_literals;

/// An instance as the options announce it.
struct BufferReference {
    std::string name;
    std::uint64_t offset = 0;
};

class V6Reader {
public:
    V6Reader(ByteCursor& cursor, DatFile& file) : cursor_(cursor), file_(file) {}

    Result<void> read() {
        DatSections sections(cursor_, file_);
        TRY(sections.readInitial());
        TRY(sections.readHeaders());
        TRY(sections.readFtraceFormats());
        TRY(sections.readEventFormats());
        TRY(sections.readKallsyms());
        TRY(sections.readPrintkFormats());
        TRY(sections.readSavedCmdlines());
        TRY(readCpuCount());
        DatBuffer top{.layout = file_.layout};
        TRY(readRest(top, Part::Top));
        file_.buffers.push_back(std::move(top));
        TRY(readInstances());
        file_.cpuCount = static_cast<int>(cpuCount_);
        return limitToFile(file_);
    }

private:
    enum class Part { Top, Instance };
    static constexpr std::uint64_t kTableRowSize = 16;
    static constexpr std::uint64_t kOptionHeadSize = 6;

    Result<void> readCpuCount();
    Result<void> readRest(DatBuffer& buffer, Part part);
    Result<void> readOptions(Part part);
    Result<void> readOption(std::uint16_t id, std::string_view content);
    Result<void> readBufferOption(std::string_view content);
    Result<void> readCpuTable(DatBuffer& buffer);
    void readClock(DatBuffer& buffer);
    Result<void> readInstances();
    void warn(std::string text) { file_.warnings.push_back(std::move(text)); }
    void warnMissing(std::string text) {
        file_.complete = false;
        warn(std::move(text));
    }

    ByteCursor& cursor_;
    DatFile& file_;
    std::uint32_t cpuCount_ = 0;
    std::uint64_t tableBytes_ = 0;
    std::uint64_t optionBytes_ = 0;
    bool hasClockOption_ = false;
    std::vector<BufferReference> references_;
};

Result<void> V6Reader::readCpuCount() {
    cursor_.enter("CPU count");
    cpuCount_ = TRY(cursor_.u32("the number of CPUs"));
    if (cpuCount_ > kMostCpus)
        return std::unexpected(
            cursor_.error(ErrorCode::Corrupt,
                          fmt::format("expected at most {} CPUs, found {}", kMostCpus, cpuCount_)));
    return {};
}

/// What follows the CPU count, and what an instance's offset points at.
Result<void> V6Reader::readRest(DatBuffer& buffer, Part part) {
    cursor_.enter(part == Part::Top ? "options" : "buffer instance");
    constexpr std::size_t kTypeSize = 10;
    while (true) {
        const std::string_view type = TRY(cursor_.text(kTypeSize, "a section type"));
        if (type == "options  \0"sv) {
            TRY(readOptions(part));
        } else if (type == "flyrecord\0"sv) {
            return readCpuTable(buffer);
        } else if (type == "latency  \0"sv) {
            if (part == Part::Top)
                file_.latencyText = TRY(cursor_.text(cursor_.remaining(), "the latency text"));
            return {};
        } else {
            return std::unexpected(cursor_.error(
                ErrorCode::Corrupt,
                "expected \"options\", \"latency\" or \"flyrecord\" in the 10 bytes before"));
        }
    }
}

Result<void> V6Reader::readOptions(Part part) {
    while (true) {
        const std::uint16_t id = TRY(cursor_.u16("an option's number"));
        if (id == kOptionDone)
            return {};
        const std::uint32_t size = TRY(cursor_.u32("an option's size"));
        const std::string_view content = TRY(cursor_.text(size, "an option's content"));
        // The same for options: those of all buffers together cannot be more than the file.
        optionBytes_ += kOptionHeadSize + size;
        if (optionBytes_ > file_.records->bytes().size())
            return std::unexpected(cursor_.error(ErrorCode::Corrupt,
                                                 "expected options of this buffer alone, other "
                                                 "buffers share them"));
        // An instance's options concern the whole file where they say anything at all.
        if (part == Part::Top)
            TRY(readOption(id, content));
    }
}

Result<void> V6Reader::readOption(std::uint16_t id, std::string_view content) {
    switch (id) {
    case kOptionBuffer:
        return readBufferOption(content);
    case kOptionTraceClock:
        hasClockOption_ = true;
        file_.traceClock = content;
        return {};
    case kOptionCpuCount:
        if (content.size() >= 4)
            cpuCount_ = loadInteger<std::uint32_t>(
                reinterpret_cast<const std::byte*>(content.data()), file_.order);
        if (cpuCount_ > kMostCpus)
            return std::unexpected(
                cursor_.error(ErrorCode::Corrupt, fmt::format("expected at most {} CPUs, found {}",
                                                              kMostCpus, cpuCount_)));
        return {};
    default:
        readPlainOption(file_, id, content);
        return {};
    }
}

Result<void> V6Reader::readBufferOption(std::string_view content) {
    constexpr std::size_t kOffsetSize = 8;
    if (content.size() < kOffsetSize)
        return std::unexpected(
            cursor_.error(ErrorCode::Corrupt,
                          fmt::format("expected a buffer's offset (8 bytes) in an option of {}",
                                      content.size())));
    if (references_.size() == kMostBuffers)
        return std::unexpected(cursor_.error(
            ErrorCode::Unsupported, fmt::format("expected at most {} buffers", kMostBuffers)));
    const auto offset =
        loadInteger<std::uint64_t>(reinterpret_cast<const std::byte*>(content.data()), file_.order);
    // Some writers announce the top buffer too, whose table stands behind the options anyway.
    const std::string_view name = withoutZeros(content.substr(kOffsetSize));
    if (!name.empty())
        references_.push_back({std::string(name), offset});
    return {};
}

Result<void> V6Reader::readCpuTable(DatBuffer& buffer) {
    cursor_.enter("CPU table");
    // Buffers that point at the same table would multiply what a small file makes us keep.
    tableBytes_ += std::uint64_t{cpuCount_} * kTableRowSize;
    if (tableBytes_ > file_.records->bytes().size())
        return std::unexpected(cursor_.error(
            ErrorCode::Truncated, fmt::format("expected a table for {} CPUs, the file is too small "
                                              "for one in every buffer",
                                              cpuCount_)));
    bool filledIn = cpuCount_ == 0;
    for (std::uint32_t cpu = 0; cpu < cpuCount_; ++cpu) {
        CpuPages pages;
        pages.cpu = static_cast<int>(cpu);
        pages.offset = TRY(cursor_.u64("the offset of a CPU's data"));
        pages.declaredSize = TRY(cursor_.u64("the size of a CPU's data"));
        filledIn |= pages.offset != 0 || pages.declaredSize != 0;
        // A CPU that recorded nothing may have any offset, even one past the end.
        if (pages.declaredSize > 0)
            buffer.cpus.push_back(pages);
    }
    if (!filledIn)
        warnMissing(
            fmt::format("buffer \"{}\": the recorder ended before it wrote where the events "
                        "are; if its per-CPU files are still there, trace-cmd restore makes "
                        "a whole file of them",
                        buffer.name));
    readClock(buffer);
    return {};
}

/// The trace_clock text behind the table. Some writers let CPU data overwrite it, so whatever it
/// is costs at most the clock's name.
void V6Reader::readClock(DatBuffer& buffer) {
    if (!hasClockOption_)
        return;
    constexpr std::uint64_t kLongestClock = 4096;
    cursor_.enter("trace_clock");
    std::optional<std::string> clock;
    const Result<std::uint64_t> size = cursor_.u64("the size of trace_clock");
    if (size && *size <= kLongestClock) {
        if (const auto text = cursor_.text(*size, "the text of trace_clock"))
            clock = markedClock(*text);
    }
    if (!clock)
        clock = markedClock(file_.traceClock);
    if (!clock)
        warn("the file's trace_clock is damaged; the clock is unknown");
    buffer.clock = clock.value_or("");
}

Result<void> V6Reader::readInstances() {
    for (const BufferReference& reference : references_) {
        DatBuffer buffer{.name = reference.name, .layout = file_.layout};
        cursor_.enter("buffer instance");
        Result<void> result = cursor_.seek(reference.offset, "a buffer instance");
        if (result)
            result = readRest(buffer, Part::Instance);
        if (!result && result.error().code != ErrorCode::Truncated)
            return result;
        // What came before a cut is whole.
        if (!result)
            warnMissing(fmt::format("buffer \"{}\" is missing: {}", reference.name,
                                    result.error().sentence()));
        file_.buffers.push_back(std::move(buffer));
    }
    return {};
}

} // namespace

Result<void> readDatV6(ByteCursor& cursor, DatFile& file) {
    return V6Reader(cursor, file).read();
}

} // namespace inversight
