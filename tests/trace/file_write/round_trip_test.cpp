// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Written, read and written again: the same bytes, for every kind of record, in every form.
#include "tests/support/temporary_folder.h"
#include "tests/trace/file/byte_builder.h"
#include "tests/trace/file_write/kernel_events.h"
#include "tests/trace/file_write/trace_cmd.h"
#include "trace/file/dat_rewriter.h"
#include "trace/file/kernel_event_writer.h"
#include "trace/file/page_reader.h"
#include "trace/file/page_stream.h"
#include "trace/file/ring_page_builder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <stdexcept>

namespace inversight::test {

namespace {

using namespace std::string_literals;
using testing::HasSubstr;
using testing::SizeIs;

constexpr DatForm kForms[] = {
    {6, Compression::None}, {7, Compression::None}, {7, Compression::Zlib}, {7, Compression::Zstd}};

std::string formName(const DatForm& form) {
    return "version " + std::to_string(form.version) + " " +
           std::string(compressionName(form.compression));
}

/// The machine a page was recorded on.
struct Machine {
    ByteOrder order = ByteOrder::Little;
    std::uint8_t longSize = 8;

    [[nodiscard]] PageLayout layout() const { return {order, 4096, 8, longSize, 8u + longSize}; }
};
constexpr Machine kMachines[] = {
    {ByteOrder::Little, 8}, {ByteOrder::Little, 4}, {ByteOrder::Big, 8}, {ByteOrder::Big, 4}};

/// One buffer: the pages of its CPUs, by number.
struct MadeBuffer {
    std::string name;
    std::string clock;
    std::vector<std::string> cpus;
};

BufferToWrite toWrite(const MadeBuffer& made) {
    BufferToWrite buffer{.name = made.name, .clock = made.clock};
    for (std::size_t cpu = 0; cpu < made.cpus.size(); ++cpu) {
        const std::string& pages = made.cpus[cpu];
        if (pages.empty())
            continue;
        buffer.cpus.push_back(
            {static_cast<int>(cpu), pages.size(), [pages, begin = std::size_t{0}]() mutable {
                 // Batches of three pages end elsewhere than chunks do.
                 const std::string_view batch = std::string_view(pages).substr(begin, 3 * 4096);
                 begin += batch.size();
                 return Result<std::span<const std::byte>>(
                     std::as_bytes(std::span(batch.data(), batch.size())));
             }});
    }
    return buffer;
}

TraceMetadata metadataFor(const Machine& machine, int cpuCount) {
    TraceMetadata metadata;
    metadata.bigEndian = machine.order == ByteOrder::Big;
    metadata.longSize = machine.longSize;
    metadata.headerPage = DatBytes::headerPageText(machine.longSize);
    metadata.headerEvent = "event";
    metadata.ftraceFormats = {"F1", "F2"};
    metadata.systems = {{"lock", {"L"}}, {"sched", {"S1", "S2"}}};
    metadata.kallsyms = "ff T symbol\n";
    metadata.printkFormats = "0x1 : \"text\"\n";
    metadata.savedCmdlines = "7 worker\n";
    metadata.traceClock = "local [mono] boot";
    metadata.systemName = "Linux box 6.1";
    metadata.cpuStats = {"entries: 0\n", "entries: 1\n"};
    metadata.options = {{1, "0x1234\0"s}, {7, "-5\0"s}, {9, "3.1.6\0"s}, {11, "12345678"}};
    metadata.cpuCount = cpuCount;
    return metadata;
}

std::string writtenAs(const DatForm& form, const TraceMetadata& metadata,
                      const std::vector<MadeBuffer>& made) {
    std::vector<BufferToWrite> buffers;
    for (const MadeBuffer& buffer : made)
        buffers.push_back(toWrite(buffer));
    std::ostringstream out;
    const auto done = writeTraceDat(metadata, buffers, form, JobContext(), out);
    EXPECT_TRUE(done) << done.error().sentence();
    return out.str();
}

DatFile readBack(const std::string& bytes) {
    auto file = readDat(RecordStore::fromBytes(bytes, "FILE"));
    if (!file)
        throw std::runtime_error(file.error().sentence()); // fails the test
    EXPECT_TRUE(file->complete);
    EXPECT_THAT(file->warnings, testing::IsEmpty());
    return *std::move(file);
}

std::string rewritten(const std::string& bytes, const DatForm& form) {
    std::ostringstream out;
    const auto done = rewriteDat(readBack(bytes), form, JobContext(), out);
    EXPECT_TRUE(done) << done.error().sentence();
    return out.str();
}

std::string pagesOfCpu(const DatFile& file, const DatBuffer& buffer, const CpuPages& cpu) {
    PageStream stream(*file.records, buffer.layout, cpu);
    std::string pages;
    for (std::size_t index = 0; index < stream.batchCount(); ++index) {
        const auto batch = stream.batch(index);
        EXPECT_TRUE(batch) << batch.error().sentence();
        if (batch)
            pages.append(reinterpret_cast<const char*>(batch->pages.data()), batch->pages.size());
    }
    return pages;
}

/// What a file holds must be what was put in, or equal bytes would prove nothing.
void expectHolds(const std::string& bytes, const std::vector<MadeBuffer>& made) {
    const DatFile file = readBack(bytes);
    ASSERT_THAT(file.buffers, SizeIs(made.size()));
    for (std::size_t index = 0; index < made.size(); ++index) {
        EXPECT_EQ(file.buffers[index].name, made[index].name);
        EXPECT_EQ(file.buffers[index].clock, made[index].clock);
        std::vector<std::string> cpus(made[index].cpus.size());
        for (const CpuPages& cpu : file.buffers[index].cpus)
            cpus.at(static_cast<std::size_t>(cpu.cpu)) = pagesOfCpu(file, file.buffers[index], cpu);
        EXPECT_EQ(cpus, made[index].cpus);
    }
}

/// Through every form and back: each form is the same whatever it was made from.
void expectRoundTrips(const TraceMetadata& metadata, const std::vector<MadeBuffer>& made) {
    for (const DatForm& form : kForms) {
        SCOPED_TRACE(formName(form));
        const std::string bytes = writtenAs(form, metadata, made);
        expectHolds(bytes, made);
        for (const DatForm& other : kForms)
            EXPECT_TRUE(rewritten(bytes, other) == writtenAs(other, metadata, made))
                << "as " << formName(other);
    }
}

constexpr std::uint64_t kMissed = std::uint64_t{1} << 31;
constexpr std::uint64_t kStored = std::uint64_t{1} << 30;

/// What may stand in a page.
struct RecordCase {
    const char* name;
    void (*put)(PageBytes& page);
};
constexpr RecordCase kRecords[] = {
    {"a short record", [](PageBytes& page) { page.head(1, 3).data("4byt"); }},
    {"the longest short record",
     [](PageBytes& page) { page.head(28, 3).data(std::string(112, 'x')); }},
    {"a long record",
     [](PageBytes& page) { page.head(0, 3).word(120).data(std::string(116, 'x')); }},
    {"a long record whose size is no multiple of four",
     [](PageBytes& page) { page.head(0, 3).word(119).data(std::string(116, 'x')); }},
    {"a record as large as a page",
     [](PageBytes& page) { page.head(0, 3).word(4064).data(std::string(4060, 'x')); }},
    {"a time extend",
     [](PageBytes& page) { page.head(30, 0x7ffffff).word(5).head(1, 1).data("4byt"); }},
    {"an absolute time",
     [](PageBytes& page) { page.head(31, 0x123).word(0xfffffff0).head(1, 1).data("4byt"); }},
    {"a discarded record",
     [](PageBytes& page) { page.head(29, 7).word(12).data("discards").head(1, 1).data("4byt"); }},
    {"padding up to the end", [](PageBytes& page) { page.head(1, 1).data("4byt").head(29, 0); }},
    {"nothing", [](PageBytes&) {}},
    {"events missed, nobody knows how many",
     [](PageBytes& page) { page.commitFlags(kMissed).head(1, 1).data("4byt"); }},
    {"events missed, and how many",
     [](PageBytes& page) {
         page.commitFlags(kMissed | kStored).behind(1234).head(1, 1).data("4byt");
     }},
};

TEST(RoundTrip, EveryKindOfRecordOnEveryMachineInEveryForm) {
    for (const Machine& machine : kMachines) {
        for (const RecordCase& record : kRecords) {
            SCOPED_TRACE(record.name);
            PageBytes page(1'000'000, machine.layout());
            record.put(page);
            expectRoundTrips(metadataFor(machine, 1), {{"", "mono", {page.build()}}});
        }
    }
}

/// A page of each kind behind the other, again and again: chunks and batches end between them.
std::string manyPages(std::size_t count, std::uint64_t time) {
    std::string pages;
    for (std::size_t index = 0; index < count; ++index) {
        PageBytes page(time + index);
        kRecords[index % std::size(kRecords)].put(page);
        pages += page.build();
    }
    return pages;
}

TEST(RoundTrip, SeveralBuffersAndCpus) {
    expectRoundTrips(metadataFor({}, 4),
                     {{"", "mono", {manyPages(25, 1), "", manyPages(10, 2), manyPages(1, 3)}},
                      {"second", "mono", {"", manyPages(20, 4), "", ""}},
                      {"of another clock", "local", {manyPages(9, 5), "", "", manyPages(11, 6)}},
                      {"empty", "mono", {"", "", "", ""}}});
}

TEST(RoundTrip, AFileThatSaysNothingElse) {
    TraceMetadata metadata;
    metadata.headerPage = DatBytes::headerPageText(8);
    metadata.cpuCount = 3;
    expectRoundTrips(metadata, {{"", "", {"", "", ""}}});
    expectRoundTrips(metadata, {{"", "", {manyPages(1, 1), "", ""}}});
}

TEST(RoundTrip, AnOptionNobodyKnowsIsLeftOut) {
    TraceMetadata metadata = metadataFor({}, 1);
    metadata.options = {{9999, std::string(37, 'x')}, {11, "12345678"}};
    const std::string bytes = writtenAs(kForms[0], metadata, {{"", "mono", {manyPages(1, 1)}}});
    metadata.options.erase(metadata.options.begin());
    EXPECT_EQ(rewritten(bytes, kForms[0]),
              writtenAs(kForms[0], metadata, {{"", "mono", {manyPages(1, 1)}}}));
}

TEST(RoundTrip, ABufferWithPagesOfItsOwnNeedsVersion7) {
    std::vector<BufferToWrite> buffers{toWrite({"", "mono", {""}}), {.name = "large"}};
    buffers[1].pageSize = 16384;
    std::ostringstream out;
    const auto done = writeTraceDat(metadataFor({}, 1), buffers, kForms[0], JobContext(), out);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().sentence(),
              "version 6 of trace.dat has one page size for all buffers, here are 4096 and 16384 "
              "bytes (buffer \"large\"); write version 7");
    for (std::size_t index = 1; index < std::size(kForms); ++index) {
        std::ostringstream bytes;
        ASSERT_TRUE(writeTraceDat(metadataFor({}, 1), buffers, kForms[index], JobContext(), bytes));
        EXPECT_EQ(readBack(bytes.str()).buffers.at(1).layout.pageSize, 16384u);
        EXPECT_TRUE(rewritten(bytes.str(), kForms[index]) == bytes.str());
    }
}

/// Readers refuse what shrinks beyond belief, so the writer must not pack it.
TEST(RoundTrip, TextsAndPagesOfOneLetterAreBelieved) {
    TraceMetadata metadata = metadataFor({}, 1);
    metadata.kallsyms = metadata.printkFormats = metadata.savedCmdlines =
        std::string(std::size_t{1} << 20, 'x');
    expectRoundTrips(metadata, {{"", "mono", {std::string(100 * 4096, '\0')}}});
}

/// A stream that cannot go back.
class Pipe final : public std::streambuf {
protected:
    int overflow(int c) override { return c; }
};

TEST(RoundTrip, Version7NeedsAFile) {
    Pipe pipe;
    std::ostream out(&pipe);
    const std::vector<BufferToWrite> buffers{toWrite({"", "mono", {manyPages(1, 1)}})};
    EXPECT_TRUE(writeTraceDat(metadataFor({}, 1), buffers, kForms[0], JobContext(), out));
    const auto done = writeTraceDat(metadataFor({}, 1), buffers, kForms[1], JobContext(), out);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(done.error().what,
                HasSubstr("version 7 of trace.dat can only be written to a file"));
}

TEST(RoundTrip, FailuresAreErrors) {
    for (const DatForm& form : kForms) {
        std::vector<BufferToWrite> buffers{toWrite({"", "mono", {manyPages(12, 1)}})};
        std::ostringstream broken;
        broken.setstate(std::ios::badbit);
        EXPECT_FALSE(writeTraceDat(metadataFor({}, 1), buffers, form, JobContext(), broken));

        std::stop_source stop;
        stop.request_stop();
        std::ostringstream out;
        buffers = {toWrite({"", "mono", {manyPages(12, 1)}})};
        const auto cancelled =
            writeTraceDat(metadataFor({}, 1), buffers, form, JobContext(stop.get_token()), out);
        ASSERT_FALSE(cancelled);
        EXPECT_EQ(cancelled.error().code, ErrorCode::Cancelled);

        buffers = {toWrite({"", "mono", {manyPages(12, 1)}})};
        buffers[0].cpus[0].size += 4096;
        const auto less = writeTraceDat(metadataFor({}, 1), buffers, form, JobContext(), out);
        ASSERT_FALSE(less);
        EXPECT_EQ(less.error().sentence(), "expected 53248 bytes of pages, found 49152 (CPU 0)");
    }
}

// The records of the pages the writer makes, taken apart and put together again.

std::vector<std::byte> rebuilt(std::span<const std::byte> pages) {
    RingPageBuilder builder;
    for (; !pages.empty(); pages = pages.subspan(4096)) {
        auto reader = PageReader::open(pages.first(4096), PageLayout());
        EXPECT_TRUE(reader) << reader.error().sentence();
        if (!reader)
            break;
        if (reader->missed())
            builder.lose(reader->missed()->count.value_or(0));
        RingRecord record;
        while (reader->next(record) == PageReader::Step::Record)
            builder.add(record.time, record.data);
    }
    builder.flush();
    return {builder.pages().begin(), builder.pages().end()};
}

std::string asString(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Records of every size, at distances that need nothing, a time extend or a page of their own.
std::string randomRecords(std::mt19937_64& random) {
    RingPageBuilder builder;
    std::uint64_t time = random() >> 8;
    const std::size_t count = random() % 300;
    for (std::size_t index = 0; index < count; ++index) {
        std::vector<std::byte> record(1 + random() % (random() % 20 == 0
                                                          ? RingPageBuilder::kMaxRecordBytes
                                                          : std::uint64_t{200}));
        std::ranges::generate(record, [&] { return static_cast<std::byte>(random()); });
        time += random() >> (40 + random() % 24);
        if (random() % 50 == 0)
            builder.lose(1 + random() % 1000);
        builder.add(time, record);
    }
    builder.flush();
    return asString(builder.pages());
}

TEST(RoundTrip, RandomRecordsGiveTheSamePagesWhenTheyAreAddedAgain) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const std::string pages = randomRecords(random);
        EXPECT_TRUE(asString(rebuilt(std::as_bytes(std::span(pages.data(), pages.size())))) ==
                    pages);
    }
}

std::string randomText(std::mt19937_64& random, std::size_t most) {
    std::string text(random() % most, '\0');
    std::ranges::generate(text, [&] { return static_cast<char>(random() % 95 + 32); });
    return text;
}

/// Pages of random records: those of the kernel that our own builder never makes as well.
std::string randomPages(std::mt19937_64& random, const Machine& machine) {
    std::string pages;
    const std::size_t count = random() % 30;
    for (std::size_t index = 0; index < count; ++index) {
        PageBytes page(random() >> 6, machine.layout());
        for (std::size_t record = random() % 20; record > 0; --record)
            kRecords[random() % 4].put(page);
        kRecords[4 + random() % (std::size(kRecords) - 4)].put(page);
        pages += page.build();
        pages.resize((index + 1) * 4096); // the largest record may have stood behind others
    }
    return pages;
}

TEST(RoundTrip, RandomFiles) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const Machine machine = kMachines[random() % std::size(kMachines)];
        TraceMetadata metadata = metadataFor(machine, 1 + static_cast<int>(random() % 5));
        metadata.kallsyms = randomText(random, 5000);
        metadata.savedCmdlines = randomText(random, 300);
        metadata.options.push_back({9, randomText(random, 40) + '\0'});
        std::vector<MadeBuffer> made{{"", "mono", {}}, {"b" + randomText(random, 9), "boot", {}}};
        for (MadeBuffer& buffer : made)
            for (int cpu = 0; cpu < metadata.cpuCount; ++cpu)
                buffer.cpus.push_back(random() % 3 == 0 ? "" : randomPages(random, machine));
        const DatForm& form = kForms[seed % std::size(kForms)];
        const DatForm& other = kForms[random() % std::size(kForms)];
        const std::string bytes = writtenAs(form, metadata, made);
        expectHolds(bytes, made);
        EXPECT_TRUE(rewritten(bytes, form) == bytes);
        EXPECT_TRUE(rewritten(rewritten(bytes, other), form) == bytes);
    }
}

// Files of kernel events, as the virtual engine writes them.

std::string kernelEventFile(const TemporaryFolder& folder) {
    auto writer = KernelEventWriter::create(folder.file("events.dat"),
                                            {.cpuCount = 3, .systemName = "Linux test"});
    EXPECT_TRUE(writer) << writer.error().sentence();
    for (const KernelEvent& event : oneOfEach())
        (*writer)->emit(event);
    (*writer)->lose(1, 17);
    std::int64_t time = 3'000'000'000;
    for (std::size_t index = 0; index < 2000; ++index) {
        time += index % 7 == 0 ? 200'000'000 : 10; // a time extend now and then
        (*writer)->emit({time, 1, 20, PrintEvent{std::string(1 + index % 150, 'x')}});
    }
    const auto finished = (*writer)->finish();
    EXPECT_TRUE(finished) << finished.error().sentence();
    return readBytes(folder.file("events.dat"));
}

TEST(RoundTrip, FilesOfKernelEventsComeBackFromEveryForm) {
    const TemporaryFolder folder;
    const std::string bytes = kernelEventFile(folder);
    for (const DatForm& form : kForms) {
        SCOPED_TRACE(formName(form));
        const std::string other = rewritten(bytes, form);
        EXPECT_TRUE(rewritten(other, form) == other);
        EXPECT_TRUE(rewritten(other, kForms[0]) == bytes);
    }
    const DatFile file = readBack(bytes);
    for (const CpuPages& cpu : file.buffers.front().cpus) {
        const std::string pages = pagesOfCpu(file, file.buffers.front(), cpu);
        EXPECT_TRUE(asString(rebuilt(std::as_bytes(std::span(pages.data(), pages.size())))) ==
                    pages)
            << "CPU " << cpu.cpu;
    }
}

void writeBytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

/// Debian's trace-cmd has no zlib; our own reader checks that form above.
TEST(RoundTrip, TraceCmdReportsTheSameLinesFromEveryForm) {
    const TemporaryFolder folder;
    const std::string bytes = kernelEventFile(folder);
    const std::vector<std::string> lines = reportTrace(folder.file("events.dat"));
    EXPECT_GT(lines.size(), 2000U);
    EXPECT_THAT(lines, testing::Contains(HasSubstr("[17 EVENTS DROPPED]")));
    for (const DatForm& form : {kForms[0], kForms[1], kForms[3]}) {
        writeBytes(folder.file("again.dat"), rewritten(bytes, form));
        EXPECT_TRUE(reportTrace(folder.file("again.dat")) == lines) << formName(form);
    }
}

TEST(RoundTrip, TraceCmdReportsEveryBuffer) {
    const TemporaryFolder folder;
    const std::string bytes = kernelEventFile(folder);
    const DatFile file = readBack(bytes);
    const std::string pages =
        pagesOfCpu(file, file.buffers.front(), file.buffers.front().cpus.front());
    const std::vector<MadeBuffer> made{{"", "mono", {pages, "", ""}},
                                       {"second", "mono", {"", pages, ""}}};
    std::vector<std::string> lines;
    for (const DatForm& form : {kForms[0], kForms[1], kForms[3]}) {
        writeBytes(folder.file("two.dat"), writtenAs(form, metadataOf(file), made));
        const std::vector<std::string> found = reportTrace(folder.file("two.dat"));
        EXPECT_THAT(found, SizeIs(2 * oneOfEach().size())) << formName(form);
        EXPECT_THAT(found,
                    testing::Contains(testing::AllOf(HasSubstr("second:"), HasSubstr("[001]"))));
        if (lines.empty())
            lines = found;
        EXPECT_EQ(found, lines) << formName(form);
    }
}

} // namespace

} // namespace inversight::test
