// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/dat_v6.h"

#include "trace/file/field_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace inversight {

namespace {

using namespace std::string_view_literals;

// Far above what machines have, and low enough that hostile counts cost nothing.
constexpr std::uint32_t kMostCpus = 1 << 15;
constexpr std::size_t kMostBuffers = 4096;
constexpr std::size_t kMostFormats = 60000;

/// Option numbers of trace-cmd.dat.v6(5) and of the tool's later versions. Others are skipped.
enum Option : std::uint16_t {
    kOptionDone = 0,
    kOptionDate = 1,
    kOptionCpuStat = 2,
    kOptionBuffer = 3,
    kOptionTraceClock = 4,
    kOptionUname = 5,
    kOptionTimeOffset = 7,
    kOptionCpuCount = 8,
    kOptionVersion = 9,
    kOptionTscCalibration = 14,
};

std::string_view withoutZeros(std::string_view text) {
    return text.substr(0, std::min(text.find('\0'), text.size()));
}

/// A number as C writes it, decimal or with 0x, after an optional sign.
std::optional<std::int64_t> parseNumber(std::string_view text) {
    text = trimBlanks(withoutZeros(text));
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+'))
        text.remove_prefix(1);
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
        base = 16;
    }
    std::int64_t value = 0;
    const auto [end, failure] =
        std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (failure != std::errc() || end == text.data())
        return std::nullopt;
    return negative ? -value : value;
}

/// The name between brackets in "local [mono] boot", nothing if the text is no trace_clock.
std::optional<std::string> markedClock(std::string_view text) {
    const std::size_t begin = text.find('[');
    const std::size_t end = text.find(']', begin == std::string_view::npos ? 0 : begin);
    if (begin == std::string_view::npos || end == std::string_view::npos)
        return std::nullopt;
    const std::string_view name = text.substr(begin + 1, end - begin - 1);
    const bool plausible =
        !name.empty() && name.size() <= 32 && std::ranges::all_of(name, [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        });
    return plausible ? std::optional<std::string>(name) : std::nullopt;
}

/// An instance as the options announce it.
struct BufferReference {
    std::string name;
    std::uint64_t offset = 0;
};

class V6Reader {
public:
    V6Reader(ByteCursor& cursor, DatFile& file) : cursor_(cursor), file_(file) {}

    Result<void> read() {
        TRY(readInitial());
        TRY(readHeaders());
        TRY(readFtraceFormats());
        TRY(readEventFormats());
        TRY(readTexts());
        TRY(readCpuCount());
        DatBuffer top;
        TRY(readRest(top, Part::Top));
        file_.buffers.push_back(std::move(top));
        TRY(readInstances());
        return checkExtents();
    }

private:
    enum class Part { Top, Instance };

    Result<void> readInitial();
    Result<void> readHeaders();
    Result<void> readFormats(std::string_view system, std::uint32_t count);
    Result<void> readFtraceFormats();
    Result<void> readEventFormats();
    Result<void> readTexts();
    Result<void> readCpuCount();
    Result<void> readRest(DatBuffer& buffer, Part part);
    Result<void> readOptions(Part part);
    Result<void> readOption(std::uint16_t id, std::string_view content);
    Result<void> readBufferOption(std::string_view content);
    void readTimeOption(std::uint16_t id, std::string_view content);
    Result<void> readCpuTable(DatBuffer& buffer);
    void readClock(DatBuffer& buffer);
    Result<void> readInstances();
    Result<void> checkExtents();
    void limitToFile(CpuPages& pages, const DatBuffer& buffer);
    void warn(std::string text) { file_.warnings.push_back(std::move(text)); }
    void warnMissing(std::string text) {
        file_.complete = false;
        warn(std::move(text));
    }

    ByteCursor& cursor_;
    DatFile& file_;
    std::uint32_t cpuCount_ = 0;
    std::string_view clockOption_;
    bool hasClockOption_ = false;
    std::vector<BufferReference> references_;
};

Result<void> V6Reader::readInitial() {
    cursor_.enter("initial format");
    const std::uint8_t order = TRY(cursor_.u8("the byte order"));
    if (order > 1)
        return std::unexpected(cursor_.error(
            ErrorCode::Corrupt, fmt::format("expected a byte order of 0 or 1, found {}", order)));
    file_.order = order == 0 ? ByteOrder::Little : ByteOrder::Big;
    cursor_.setByteOrder(file_.order);
    file_.longSize = TRY(cursor_.u8("the size of a long"));
    if (file_.longSize != 4 && file_.longSize != 8)
        return std::unexpected(cursor_.error(
            ErrorCode::Corrupt,
            fmt::format("expected a long of 4 or 8 bytes, found {}", file_.longSize)));
    file_.layout.pageSize = TRY(cursor_.u32("the page size"));
    return {};
}

Result<void> V6Reader::readHeaders() {
    cursor_.enter("header_page");
    TRY(cursor_.expect("header_page\0"sv, "the name \"header_page\""));
    const std::uint64_t size = TRY(cursor_.u64("the size of header_page"));
    const std::string_view text = TRY(cursor_.text(size, "the text of header_page"));
    const std::uint32_t pageSize = file_.layout.pageSize;
    const auto longSize = static_cast<std::uint32_t>(file_.longSize);
    const auto layout = text.empty() ? PageLayout::withoutHeader(file_.order, pageSize, longSize)
                                     : PageLayout::parse(text, file_.order, pageSize);
    if (!layout)
        return std::unexpected(cursor_.error(layout.error().code, layout.error().what));
    file_.layout = *layout;

    cursor_.enter("header_event");
    TRY(cursor_.expect("header_event\0"sv, "the name \"header_event\""));
    const std::uint64_t eventSize = TRY(cursor_.u64("the size of header_event"));
    TRY(cursor_.text(eventSize, "the text of header_event"));
    return {};
}

Result<void> V6Reader::readFormats(std::string_view system, std::uint32_t count) {
    for (std::uint32_t index = 0; index < count; ++index) {
        const std::uint64_t size = TRY(cursor_.u64("the size of an event's format"));
        file_.formats.push_back({system, TRY(cursor_.text(size, "an event's format"))});
        if (file_.formats.size() > kMostFormats)
            return std::unexpected(
                cursor_.error(ErrorCode::Unsupported,
                              fmt::format("expected at most {} event formats", kMostFormats)));
    }
    return {};
}

Result<void> V6Reader::readFtraceFormats() {
    cursor_.enter("ftrace event formats");
    return readFormats("ftrace", TRY(cursor_.u32("the number of ftrace events")));
}

Result<void> V6Reader::readEventFormats() {
    cursor_.enter("event formats");
    const std::uint32_t systems = TRY(cursor_.u32("the number of event systems"));
    for (std::uint32_t index = 0; index < systems; ++index) {
        const std::string_view system = TRY(cursor_.terminatedText("an event system's name"));
        TRY(readFormats(system, TRY(cursor_.u32("the number of events of a system"))));
    }
    return {};
}

Result<void> V6Reader::readTexts() {
    cursor_.enter("kallsyms");
    const std::uint32_t symbols = TRY(cursor_.u32("the size of kallsyms"));
    file_.kallsyms = TRY(cursor_.text(symbols, "the text of kallsyms"));
    cursor_.enter("printk_formats");
    const std::uint32_t formats = TRY(cursor_.u32("the size of printk_formats"));
    file_.printkFormats = TRY(cursor_.text(formats, "the text of printk_formats"));
    cursor_.enter("saved_cmdlines");
    const std::uint64_t names = TRY(cursor_.u64("the size of saved_cmdlines"));
    file_.savedCmdlines = TRY(cursor_.text(names, "the text of saved_cmdlines"));
    return {};
}

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
        // An instance's options concern the whole file where they say anything at all.
        if (part == Part::Top)
            TRY(readOption(id, content));
    }
}

Result<void> V6Reader::readOption(std::uint16_t id, std::string_view content) {
    switch (id) {
    case kOptionCpuStat:
        file_.cpuStats.push_back(withoutZeros(content));
        return {};
    case kOptionBuffer:
        return readBufferOption(content);
    case kOptionTraceClock:
        hasClockOption_ = true;
        clockOption_ = content;
        return {};
    case kOptionUname:
        file_.systemName = withoutZeros(content);
        return {};
    case kOptionVersion:
        file_.writerVersion = withoutZeros(content);
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
    case kOptionDate:
    case kOptionTimeOffset:
    case kOptionTscCalibration:
        readTimeOption(id, content);
        return {};
    default:
        return {}; // its length was respected; nothing here needs it
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
    references_.push_back({std::string(withoutZeros(content.substr(kOffsetSize))), offset});
    return {};
}

void V6Reader::readTimeOption(std::uint16_t id, std::string_view content) {
    if (id == kOptionTscCalibration) {
        if (content.size() < 8)
            return warn("the TSC calibration of the file is too short; times stay ticks");
        const auto* bytes = reinterpret_cast<const std::byte*>(content.data());
        file_.time.multiplier = loadInteger<std::uint32_t>(bytes, file_.order);
        file_.time.shift = loadInteger<std::uint32_t>(bytes + 4, file_.order) & 63;
        return;
    }
    const std::optional<std::int64_t> value = parseNumber(content);
    const std::int64_t unit = id == kOptionDate ? 1000 : 1; // a date is in us
    std::int64_t offset = 0;
    if (!value || __builtin_mul_overflow(*value, unit, &offset) ||
        __builtin_add_overflow(file_.time.offset, offset, &offset))
        return warn("the time offset of the file is not a number; times are as recorded");
    file_.time.offset = offset;
}

Result<void> V6Reader::readCpuTable(DatBuffer& buffer) {
    cursor_.enter("CPU table");
    for (std::uint32_t cpu = 0; cpu < cpuCount_; ++cpu) {
        CpuPages pages;
        pages.cpu = static_cast<int>(cpu);
        pages.offset = TRY(cursor_.u64("the offset of a CPU's data"));
        pages.declaredSize = TRY(cursor_.u64("the size of a CPU's data"));
        // A CPU that recorded nothing may have any offset, even one past the end.
        if (pages.declaredSize > 0)
            buffer.cpus.push_back(pages);
    }
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
        clock = markedClock(clockOption_);
    if (!clock)
        warn("the file's trace_clock is damaged; the clock is unknown");
    buffer.clock = clock.value_or("");
}

Result<void> V6Reader::readInstances() {
    for (const BufferReference& reference : references_) {
        DatBuffer buffer;
        buffer.name = reference.name;
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

void V6Reader::limitToFile(CpuPages& pages, const DatBuffer& buffer) {
    const std::uint64_t fileSize = file_.records->bytes().size();
    const std::uint64_t present =
        pages.offset >= fileSize ? 0 : std::min(pages.declaredSize, fileSize - pages.offset);
    pages.size = present - present % file_.layout.pageSize;
    const std::string name =
        buffer.name.empty() ? std::string() : fmt::format(" of buffer \"{}\"", buffer.name);
    if (present < pages.declaredSize)
        warnMissing(fmt::format("CPU {}{}: {} of {} bytes are missing, the file is cut short; {} "
                                "whole pages were read",
                                pages.cpu, name, pages.declaredSize - present, pages.declaredSize,
                                pages.size / file_.layout.pageSize));
    else if (pages.size < pages.declaredSize)
        warnMissing(fmt::format("CPU {}{}: the last {} bytes are no whole page and were left out",
                                pages.cpu, name, pages.declaredSize - pages.size));
}

/// Leaves only whole pages inside the file. Ranges that overlap would let a small file claim any
/// amount of work.
Result<void> V6Reader::checkExtents() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> extents;
    for (DatBuffer& buffer : file_.buffers) {
        for (CpuPages& pages : buffer.cpus) {
            limitToFile(pages, buffer);
            if (pages.size > 0)
                extents.emplace_back(pages.offset, pages.offset + pages.size);
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
    file_.cpuCount = static_cast<int>(cpuCount_);
    return {};
}

} // namespace

Result<void> readDatV6(ByteCursor& cursor, DatFile& file) {
    return V6Reader(cursor, file).read();
}

} // namespace inversight
