// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/dat_v7.h"

#include "trace/file/cpu_extents.h"
#include "trace/file/dat_options.h"
#include "trace/file/dat_sections.h"
#include "trace/file/section_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace inversight {

namespace {

/// Sections whose content DatSections reads, and what is lost with each.
struct SectionKind {
    std::uint16_t id;
    Result<void> (DatSections::*read)();
    const char* name;
};

constexpr SectionKind kSections[] = {
    {kOptionFtraceEvents, &DatSections::readFtraceFormats, "formats of ftrace's own events"},
    {kOptionEventFormats, &DatSections::readEventFormats, "event formats"},
    {kOptionKallsyms, &DatSections::readKallsyms, "kernel symbols"},
    {kOptionPrintk, &DatSections::readPrintkFormats, "printk formats"},
    {kOptionCmdlines, &DatSections::readSavedCmdlines, "saved command lines"},
};

class V7Reader {
public:
    V7Reader(ByteCursor& cursor, DatFile& file) : cursor_(cursor), file_(file) {}

    Result<void> read() {
        TRY(DatSections(cursor_, file_).readInitial());
        TRY(readCompression());
        SectionLoader loader(file_, compression_);
        loader_ = &loader;
        readAllOptions();
        TRY(readHeaderInfo());
        for (const SectionKind& kind : kSections)
            readSection(kind);
        readBuffers();
        return limitToFile(file_);
    }

private:
    /// A BUFFER or BUFFER_TEXT option, read once the sections are known.
    struct BufferOption {
        std::uint16_t id = 0;
        ByteCursor content;
    };

    Result<void> readCompression();
    void readAllOptions();
    Result<std::uint64_t> readOptions(std::uint64_t offset);
    Result<std::uint64_t> readOptionList(ByteCursor cursor);
    Result<void> readOption(std::uint16_t id, std::string_view content);
    void searchSections();
    Result<void> readHeaderInfo();
    void readSection(const SectionKind& kind);
    void readBuffers();
    Result<void> readBuffer(BufferOption& option);
    Result<void> readBufferText(const SectionHead& head);
    Result<void> readCpus(ByteCursor& cursor, DatBuffer& buffer);
    void finishBuffers();
    void countCpus(std::uint32_t count) { cpuCount_ = std::max(cpuCount_, count); }
    void warnMissing(std::string text) {
        file_.complete = false;
        file_.warnings.push_back(std::move(text));
    }

    ByteCursor& cursor_;
    DatFile& file_;
    SectionLoader* loader_ = nullptr;
    Compression compression_ = Compression::None;
    std::uint64_t firstOptions_ = 0;
    std::uint64_t firstSection_ = 0;
    std::uint32_t cpuCount_ = 0;
    std::string clock_;                               ///< of the TRACECLOCK option
    std::map<std::uint16_t, std::uint64_t> sections_; ///< offset by number
    std::vector<BufferOption> bufferOptions_;
    std::set<std::uint64_t> optionsRead_;
};

Result<void> V7Reader::readCompression() {
    cursor_.enter("compression");
    const std::string_view name = TRY(cursor_.terminatedText("the compression's name"));
    TRY(cursor_.terminatedText("the compression's version"));
    auto compression = compressionByName(name);
    if (!compression)
        return std::unexpected(cursor_.error(compression.error().code, compression.error().what));
    compression_ = *compression;
    file_.compression = name;
    firstOptions_ = TRY(cursor_.u64("the offset of the first options"));
    firstSection_ = cursor_.offset();
    return {};
}

/// Follows the chain of options sections. A file that lacks some of it still has its sections.
void V7Reader::readAllOptions() {
    if (firstOptions_ == 0) {
        warnMissing("the recorder ended before it wrote the file's options");
        return searchSections();
    }
    for (std::uint64_t offset = firstOptions_; offset != 0;) {
        if (!optionsRead_.insert(offset).second)
            return warnMissing(fmt::format("the options lead in a circle to offset {}", offset));
        const Result<std::uint64_t> next = readOptions(offset);
        if (!next) {
            warnMissing("options are missing: " + next.error().sentence());
            return searchSections();
        }
        offset = *next;
    }
}

Result<std::uint64_t> V7Reader::readOptions(std::uint64_t offset) {
    const SectionHead head = TRY(loader_->head(offset));
    if (head.id != kOptionDone)
        return std::unexpected(
            Error{ErrorCode::Corrupt,
                  fmt::format("section \"options\": expected section 0, found {}", head.id),
                  fmt::format("offset {}", offset)});
    return readOptionList(TRY(loader_->content(head)));
}

/// Yields the offset of the next options, 0 if these are the last.
Result<std::uint64_t> V7Reader::readOptionList(ByteCursor cursor) {
    cursor.enter("options");
    while (true) {
        const std::uint16_t id = TRY(cursor.u16("an option's number"));
        const std::uint32_t size = TRY(cursor.u32("an option's size"));
        const std::string_view content = TRY(cursor.text(size, "an option's content"));
        if (id == kOptionDone)
            return size < 8 ? 0
                            : loadInteger<std::uint64_t>(
                                  reinterpret_cast<const std::byte*>(content.data()), file_.order);
        if (const Result<void> result = readOption(id, content); !result)
            warnMissing(fmt::format("option {} is damaged: {}", id, result.error().sentence()));
    }
}

Result<void> V7Reader::readOption(std::uint16_t id, std::string_view content) {
    ByteCursor cursor(std::as_bytes(std::span(content.data(), content.size())), file_.order);
    cursor.enter("option");
    cursor.setContainer("option");
    switch (id) {
    case kOptionHeaderInfo:
    case kOptionFtraceEvents:
    case kOptionEventFormats:
    case kOptionKallsyms:
    case kOptionPrintk:
    case kOptionCmdlines:
        sections_[id] = TRY(cursor.u64("a section's offset"));
        return {};
    case kOptionBuffer:
    case kOptionBufferText:
        if (bufferOptions_.size() == kMostBuffers)
            return std::unexpected(cursor.error(
                ErrorCode::Unsupported, fmt::format("expected at most {} buffers", kMostBuffers)));
        bufferOptions_.push_back({id, cursor});
        return {};
    case kOptionTraceClock:
        file_.traceClock = content;
        clock_ = markedClock(content).value_or("");
        return {};
    case kOptionCpuCount: {
        const std::uint32_t count = TRY(cursor.u32("the number of CPUs"));
        if (count > kMostCpus)
            return std::unexpected(
                cursor.error(ErrorCode::Corrupt,
                             fmt::format("expected at most {} CPUs, found {}", kMostCpus, count)));
        countCpus(count);
        return {};
    }
    default:
        readPlainOption(file_, id, content);
        return {};
    }
}

/// One section behind the other, as writers write them. Ends at the first that cannot be one.
void V7Reader::searchSections() {
    constexpr std::uint16_t kLargestNumber = 64;
    for (std::uint64_t offset = firstSection_;;) {
        const Result<SectionHead> head = loader_->head(offset);
        const std::uint64_t fileSize = file_.records->bytes().size();
        if (!head || head->id > kLargestNumber)
            return;
        if (head->id == kOptionDone && optionsRead_.insert(offset).second)
            (void)readOptions(offset);
        else
            sections_.try_emplace(head->id, offset);
        if (head->id == kOptionBuffer && bufferOptions_.empty())
            warnMissing(fmt::format("the events from offset {} on cannot be assigned to CPUs: the "
                                    "table that says whose they are is missing",
                                    head->contentOffset));
        if (head->size > fileSize - head->contentOffset)
            return;
        offset = head->contentOffset + head->size;
    }
}

Result<void> V7Reader::readHeaderInfo() {
    const auto place = sections_.find(kOptionHeaderInfo);
    if (place == sections_.end())
        return std::unexpected(Error{ErrorCode::Truncated,
                                     "section \"header_page\": expected it among the file's "
                                     "sections, it is missing",
                                     fmt::format("offset {}", firstSection_)});
    const SectionHead head = TRY(loader_->head(place->second));
    if (head.id != kOptionHeaderInfo)
        return std::unexpected(
            Error{ErrorCode::Corrupt,
                  fmt::format("section \"header_page\": expected section {}, found {}",
                              +kOptionHeaderInfo, head.id),
                  fmt::format("offset {}", place->second)});
    ByteCursor cursor = TRY(loader_->content(head));
    return DatSections(cursor, file_).readHeaders();
}

void V7Reader::readSection(const SectionKind& kind) {
    const auto place = sections_.find(kind.id);
    if (place == sections_.end())
        return; // recorders leave out what they did not have
    const auto read = [&]() -> Result<void> {
        const SectionHead head = TRY(loader_->head(place->second));
        if (head.id != kind.id)
            return std::unexpected(Error{
                ErrorCode::Corrupt, fmt::format("expected section {}, found {}", kind.id, head.id),
                fmt::format("offset {}", place->second)});
        ByteCursor cursor = TRY(loader_->content(head));
        return (DatSections(cursor, file_).*kind.read)();
    };
    if (const Result<void> result = read(); !result)
        warnMissing(fmt::format("{} are missing: {}", kind.name, result.error().sentence()));
}

void V7Reader::readBuffers() {
    for (BufferOption& option : bufferOptions_) {
        if (const Result<void> result = readBuffer(option); !result)
            warnMissing("a buffer is missing: " + result.error().sentence());
    }
    finishBuffers();
}

Result<void> V7Reader::readBuffer(BufferOption& option) {
    ByteCursor& cursor = option.content;
    cursor.enter("buffer option");
    const std::uint64_t offset = TRY(cursor.u64("the offset of a buffer's section"));
    DatBuffer buffer{.name = std::string(TRY(cursor.terminatedText("a buffer's name"))),
                     .layout = file_.layout};
    const std::string_view clock = TRY(cursor.terminatedText("a buffer's clock"));
    buffer.clock = plausibleClock(clock).value_or(markedClock(clock).value_or(""));
    const SectionHead head = TRY(loader_->head(offset));
    if (head.id != option.id)
        return std::unexpected(
            cursor.error(ErrorCode::Corrupt,
                         fmt::format("expected section {} of buffer \"{}\" at offset {} of the "
                                     "file, found {}",
                                     option.id, buffer.name, offset, head.id)));
    if (option.id == kOptionBufferText)
        return readBufferText(head);
    buffer.compression = head.compressed ? compression_ : Compression::None;
    if (const std::uint32_t pageSize = TRY(cursor.u32("a buffer's page size")); pageSize != 0) {
        auto layout = file_.layout.withPageSize(pageSize);
        if (!layout)
            return std::unexpected(cursor.error(layout.error().code, layout.error().what));
        buffer.layout = *layout;
    }
    const Result<void> result = readCpus(cursor, buffer);
    file_.buffers.push_back(std::move(buffer));
    return result;
}

/// The text of a latency tracer, instead of pages.
Result<void> V7Reader::readBufferText(const SectionHead& head) {
    if (head.compressed) {
        file_.latencyText = TRY(loader_->chunkedText(head));
        return {};
    }
    ByteCursor cursor = TRY(loader_->content(head));
    const std::uint64_t present = cursor.remaining();
    file_.latencyText = TRY(cursor.text(present, "the latency text"));
    if (present < head.size)
        warnMissing(fmt::format("{} bytes of the latency text are missing", head.size - present));
    return {};
}

/// CPUs before a damaged entry stay.
Result<void> V7Reader::readCpus(ByteCursor& cursor, DatBuffer& buffer) {
    const std::uint32_t count = TRY(cursor.u32("the number of a buffer's CPUs"));
    for (std::uint32_t index = 0; index < count; ++index) {
        const std::uint32_t cpu = TRY(cursor.u32("a CPU's number"));
        CpuPages pages;
        pages.cpu = static_cast<int>(cpu);
        pages.offset = TRY(cursor.u64("the offset of a CPU's data"));
        pages.declaredSize = TRY(cursor.u64("the size of a CPU's data"));
        if (cpu >= kMostCpus)
            return std::unexpected(
                cursor.error(ErrorCode::Corrupt,
                             fmt::format("expected a CPU below {}, found {}", kMostCpus, cpu)));
        countCpus(cpu + 1);
        if (pages.declaredSize > 0)
            buffer.cpus.push_back(pages);
    }
    return {};
}

/// The top buffer first, whatever the options' order; one CPU is one row of a buffer.
void V7Reader::finishBuffers() {
    if (file_.buffers.empty())
        file_.buffers.push_back({.name = "", .clock = clock_, .layout = file_.layout});
    std::ranges::stable_partition(file_.buffers,
                                  [](const DatBuffer& buffer) { return buffer.name.empty(); });
    for (DatBuffer& buffer : file_.buffers) {
        if (buffer.clock.empty())
            buffer.clock = clock_;
        std::ranges::stable_sort(buffer.cpus, {}, &CpuPages::cpu);
        const auto twice = std::ranges::unique(buffer.cpus, {}, &CpuPages::cpu);
        if (!twice.empty())
            warnMissing(fmt::format("buffer \"{}\" lists CPU {} twice; the first was read",
                                    buffer.name, twice.front().cpu));
        buffer.cpus.erase(twice.begin(), twice.end());
    }
    file_.cpuCount = static_cast<int>(cpuCount_);
}

} // namespace

Result<void> readDatV7(ByteCursor& cursor, DatFile& file) {
    return V7Reader(cursor, file).read();
}

} // namespace inversight
