// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/dat_file.h"

#include "byte_builder.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

namespace inversight::test {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class DatFileTest : public testing::Test {
protected:
    [[nodiscard]] std::string path() const { return folder_.file("t.dat"); }

    Result<DatFile> read(const std::string& bytes) const {
        std::ofstream(path(), std::ios::binary) << bytes;
        auto records = RecordStore::open(path());
        EXPECT_TRUE(records.has_value());
        return readDat(*records);
    }
    /// The error of a file, with the path shortened to FILE.
    std::string failure(const std::string& bytes) const {
        const auto file = read(bytes);
        std::string text = file ? "" : file.error().what + " (" + file.error().where + ")";
        if (const std::size_t at = text.find(path()); at != std::string::npos)
            text.replace(at, path().size(), "FILE");
        return text;
    }

    TemporaryFolder folder_;
};

DatBytes::Option clockOption(const std::string& text) {
    return {4, text};
}

TEST_F(DatFileTest, ReadsEverySection) {
    DatBytes dat;
    dat.ftraceFormats = {"f1"};
    dat.systems = {{"sched", {"s1", "s2"}}, {"lock", {}}};
    dat.cpus = {{4096, 4096}};
    dat.options = {clockOption("local [mono]\n"),
                   {5, std::string("Linux box 6.1\0", 14)},
                   {2, "CPU: 0\n"},
                   {9, std::string("3.1.6\0", 6)},
                   {9999, std::string(37, 'x')},
                   {11, "12345678"}};
    dat.clock = dat.clockText("[mono]");
    const auto file = read(ByteBuilder().text(dat.build()).padTo(8192).bytes());
    ASSERT_TRUE(file) << file.error().sentence();
    EXPECT_EQ(file->version, 6);
    EXPECT_EQ(file->compression, "none");
    EXPECT_EQ(file->order, ByteOrder::Little);
    EXPECT_EQ(file->longSize, 8);
    EXPECT_EQ(file->cpuCount, 1);
    ASSERT_EQ(file->formats.size(), 3u);
    EXPECT_EQ(file->formats[0].system, "ftrace");
    EXPECT_EQ(file->formats[0].text, "f1");
    EXPECT_EQ(file->formats[2].system, "sched");
    EXPECT_EQ(file->formats[2].text, "s2");
    EXPECT_EQ(file->kallsyms, "sym");
    EXPECT_EQ(file->printkFormats, "prin");
    EXPECT_EQ(file->savedCmdlines, "7 worker\n");
    EXPECT_EQ(file->systemName, "Linux box 6.1");
    EXPECT_EQ(file->writerVersion, "3.1.6");
    EXPECT_THAT(file->cpuStats, ElementsAre("CPU: 0\n"));
    ASSERT_EQ(file->buffers.size(), 1u);
    EXPECT_EQ(file->buffers[0].clock, "mono");
    ASSERT_EQ(file->buffers[0].cpus.size(), 1u);
    EXPECT_EQ(file->buffers[0].cpus[0].size, 4096u);
    EXPECT_TRUE(file->complete);
    EXPECT_THAT(file->warnings, IsEmpty());
}

TEST_F(DatFileTest, ReadsBigEndian) {
    DatBytes dat;
    dat.order = ByteOrder::Big;
    dat.longSize = 4;
    dat.headerPage = DatBytes::headerPageText(4);
    dat.cpus = {{0, 0}, {4096, 8192}};
    dat.options = {clockOption("[boot]")};
    dat.clock = dat.clockText("[boot]");
    const auto file = read(ByteBuilder().text(dat.build()).padTo(3 * 4096).bytes());
    ASSERT_TRUE(file) << file.error().sentence();
    EXPECT_EQ(file->order, ByteOrder::Big);
    EXPECT_EQ(file->longSize, 4);
    EXPECT_EQ(file->layout.dataOffset, 12u);
    EXPECT_EQ(file->buffers[0].clock, "boot");
    ASSERT_EQ(file->buffers[0].cpus.size(), 1u);
    EXPECT_EQ(file->buffers[0].cpus[0].cpu, 1);
    EXPECT_EQ(file->buffers[0].cpus[0].size, 8192u);
}

TEST_F(DatFileTest, TimeOptionsAddUp) {
    DatBytes dat;
    dat.options = {{1, std::string("0x10\0", 5)}, {7, "-500"}};
    const auto file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_EQ(file->time.apply(1000), 1000 + 16000 - 500);
    EXPECT_EQ(file->time.apply(0), 15500);

    dat.options = {{7, "-5000000000"}};
    const auto negative = read(dat.build());
    ASSERT_TRUE(negative);
    EXPECT_EQ(negative->time.apply(3'000'000'000), -2'000'000'000);

    dat.options = {{7, "later"}};
    const auto damaged = read(dat.build());
    ASSERT_TRUE(damaged);
    EXPECT_EQ(damaged->time.apply(3), 3);
    EXPECT_THAT(damaged->warnings,
                ElementsAre("the time offset of the file is not a number; times are as recorded"));
}

TEST_F(DatFileTest, TscCalibrationMakesNanoseconds) {
    DatBytes dat;
    dat.options = {{14, ByteBuilder().u32(3).u32(1).u64(0).bytes()}};
    const auto file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_EQ(file->time.apply(10), 15);
    EXPECT_EQ(file->time.apply(std::uint64_t{1} << 62), std::int64_t{3} << 61);
}

TEST_F(DatFileTest, TheClockBehindTheTableCountsMore) {
    DatBytes dat;
    dat.options = {clockOption("")};
    dat.clock = dat.clockText("local [global] counter\n");
    auto file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_EQ(file->buffers[0].clock, "global");

    dat.options = {clockOption("[tai]")};
    dat.clock = "\xff\xff\xff\xff\xff\xff\xff\xffjunk";
    file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_EQ(file->buffers[0].clock, "tai");
}

TEST_F(DatFileTest, ADamagedClockIsUnknown) {
    DatBytes dat;
    dat.options = {clockOption("")};
    dat.clock = dat.clockText("\x01[\xff\x02]garbage");
    const auto file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_EQ(file->buffers[0].clock, "");
    EXPECT_THAT(file->warnings,
                ElementsAre("the file's trace_clock is damaged; the clock is unknown"));
    EXPECT_TRUE(file->complete);
}

TEST_F(DatFileTest, AnInstanceIsABufferOfItsOwn) {
    DatBytes dat;
    dat.cpus = {{8192, 4096}, {12288, 0}};
    dat.options = {clockOption(""),
                   {3, ByteBuilder().u64(4096).text(std::string_view("second\0", 7)).bytes()}};
    dat.clock = dat.clockText("[mono]");
    ByteBuilder file;
    file.text(dat.build()).padTo(4096);
    file.text(std::string_view("flyrecord\0", 10)).u64(0).u64(0).u64(12288).u64(4096);
    file.text(dat.clockText("[local]")).padTo(16384);
    const auto read6 = read(file.bytes());
    ASSERT_TRUE(read6) << read6.error().sentence();
    ASSERT_EQ(read6->buffers.size(), 2u);
    EXPECT_EQ(read6->buffers[1].name, "second");
    EXPECT_EQ(read6->buffers[1].clock, "local");
    ASSERT_EQ(read6->buffers[1].cpus.size(), 1u);
    EXPECT_EQ(read6->buffers[1].cpus[0].cpu, 1);
    EXPECT_EQ(read6->buffers[1].cpus[0].offset, 12288u);
}

TEST_F(DatFileTest, AnInstanceBehindACutIsAWarning) {
    DatBytes dat;
    dat.cpus = {{4096, 4096}};
    dat.options = {{3, ByteBuilder().u64(1 << 20).text(std::string_view("second\0", 7)).bytes()}};
    const auto file = read(ByteBuilder().text(dat.build()).padTo(8192).bytes());
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->complete);
    EXPECT_THAT(file->warnings,
                ElementsAre("buffer \"second\" is missing: section \"buffer instance\": expected a "
                            "buffer instance at offset 1048576, the file has 8192 bytes (offset " +
                            std::to_string(dat.build().size()) + ")"));
    EXPECT_EQ(file->buffers[0].cpus[0].size, 4096u);
}

TEST_F(DatFileTest, CpusWithoutDataMayPointAnywhere) {
    DatBytes dat;
    dat.cpus = {{8192, 0}, {4096, 4096}, {std::uint64_t{1} << 60, 0}};
    const auto file = read(ByteBuilder().text(dat.build()).padTo(8192).bytes());
    ASSERT_TRUE(file);
    EXPECT_EQ(file->cpuCount, 3);
    ASSERT_EQ(file->buffers[0].cpus.size(), 1u);
    EXPECT_EQ(file->buffers[0].cpus[0].cpu, 1);
    EXPECT_TRUE(file->complete);
}

TEST_F(DatFileTest, CutDataKeepsTheWholePages) {
    DatBytes dat;
    dat.cpus = {{4096, 8192}, {12288, 8192}, {5ULL << 30, 4096}};
    const auto file = read(ByteBuilder().text(dat.build()).padTo(12288 + 5000).bytes());
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->complete);
    EXPECT_THAT(file->warnings,
                ElementsAre("CPU 1: 3192 of 8192 bytes are missing, the file is cut short; 1 whole "
                            "pages were read",
                            "CPU 2: 4096 of 4096 bytes are missing, the file is cut short; 0 whole "
                            "pages were read"));
    EXPECT_EQ(file->buffers[0].cpus[0].size, 8192u);
    EXPECT_EQ(file->buffers[0].cpus[1].size, 4096u);
    EXPECT_EQ(file->buffers[0].cpus[2].size, 0u);
}

/// What a recorder leaves that was killed: the table is there, but nobody filled it in.
TEST_F(DatFileTest, ATableThatWasNeverFilledInIsAWarning) {
    DatBytes dat;
    dat.cpus = {{0, 0}, {0, 0}};
    auto file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->complete);
    EXPECT_THAT(file->warnings,
                ElementsAre("buffer \"\": the recorder ended before it wrote where the events are; "
                            "if its per-CPU files are still there, trace-cmd restore makes a whole "
                            "file of them"));
    // Where nothing was recorded at all, the table still says where it would be.
    dat.cpus = {{8192, 0}, {8192, 0}};
    file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->complete);
    EXPECT_THAT(file->warnings, IsEmpty());
}

TEST_F(DatFileTest, ATopBufferAmongTheInstancesIsNotReadTwice) {
    DatBytes dat;
    dat.cpus = {{4096, 4096}};
    dat.options = {{3, ByteBuilder().u64(100).u8(0).bytes()}};
    const auto file = read(ByteBuilder().text(dat.build()).padTo(8192).bytes());
    ASSERT_TRUE(file);
    EXPECT_EQ(file->buffers.size(), 1u);
    EXPECT_TRUE(file->complete);
}

TEST_F(DatFileTest, BuffersThatShareATableAreRefused) {
    DatBytes dat;
    dat.cpus.assign(200, {4096, 0});
    for (int index = 0; index < 8; ++index)
        dat.options.push_back(
            {3, ByteBuilder().u64(1500).text("b" + std::to_string(index)).u8(0).bytes()});
    ByteBuilder bytes;
    bytes.text(dat.build()).padTo(1500 > dat.build().size() ? 1500 : dat.build().size());
    std::string whole = bytes.bytes();
    whole.replace(1500, 10, std::string("flyrecord\0", 10));
    EXPECT_THAT(read(whole)->warnings,
                testing::Contains(HasSubstr("the file is too small for one in every buffer")));
}

TEST_F(DatFileTest, APartOfAPageIsLeftOut) {
    DatBytes dat;
    dat.cpus = {{4096, 4100}};
    const auto file = read(ByteBuilder().text(dat.build()).padTo(8200).bytes());
    ASSERT_TRUE(file);
    EXPECT_THAT(file->warnings,
                ElementsAre("CPU 0: the last 4 bytes are no whole page and were left out"));
    EXPECT_EQ(file->buffers[0].cpus[0].size, 4096u);
}

TEST_F(DatFileTest, RefusesCpusThatShareBytes) {
    DatBytes dat;
    dat.cpus = {{4096, 8192}, {8192, 4096}};
    EXPECT_EQ(failure(ByteBuilder().text(dat.build()).padTo(16384).bytes()),
              "section \"CPU table\": expected every CPU's data apart, found two that overlap "
              "(FILE, offset 8192)");
}

TEST_F(DatFileTest, LatencyTextIsKept) {
    DatBytes dat;
    dat.tail = std::string("latency  \0# tracer: wakeup\n", 27);
    const auto file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_EQ(file->latencyText, "# tracer: wakeup\n");
}

TEST_F(DatFileTest, NamesTheVersionItCannotRead) {
    DatBytes dat;
    dat.version = "42";
    EXPECT_EQ(failure(dat.build()),
              "trace.dat version \"42\" is unknown, versions 6 and 7 can be read (FILE)");
}

TEST_F(DatFileTest, ErrorsNameSectionOffsetAndExpectation) {
    EXPECT_EQ(
        failure("\x17\x08\x44trac"),
        "section \"magic\": expected the bytes 17 08 44 \"tracing\" (10 bytes), the file has 7 "
        "left (FILE, offset 0)");
    EXPECT_EQ(failure("not a trace at all"),
              "section \"magic\": expected the bytes 17 08 44 \"tracing\" (FILE, offset 0)");
    EXPECT_EQ(failure("\x17\x08\x44tracing6"),
              "section \"version\": expected the file's version, which ends with a zero byte; none "
              "follows (FILE, offset 10)");
    DatBytes dat;
    dat.longSize = 5;
    EXPECT_EQ(failure(dat.build()), "section \"initial format\": expected a long of 4 or 8 bytes, "
                                    "found 5 (FILE, offset 14)");
    dat = {};
    dat.headerPage = "nothing";
    EXPECT_EQ(failure(dat.build()),
              "section \"header_page\": expected \"field:\" (FILE, offset 45)");
    dat = {};
    dat.pageSize = 77;
    dat.headerPage = "";
    EXPECT_EQ(failure(dat.build()),
              "section \"header_page\": expected a page size from 128 to 8388608 bytes, found 77 "
              "(FILE, offset 38)");
    dat = {};
    dat.tail = "0123456789";
    EXPECT_THAT(failure(dat.build()), HasSubstr("section \"options\": expected \"options\", "
                                                "\"latency\" or \"flyrecord\""));
    dat = {};
    dat.options = {{3, "short"}};
    EXPECT_THAT(failure(dat.build()),
                HasSubstr("section \"options\": expected a buffer's offset (8 bytes) in an option "
                          "of 5"));
    dat = {};
    dat.options = {{8, ByteBuilder().u32(1 << 20).bytes()}};
    EXPECT_THAT(failure(dat.build()),
                HasSubstr("section \"options\": expected at most 32768 CPUs, found 1048576"));
}

TEST_F(DatFileTest, SizesThatLeadOutOfTheFileAreErrors) {
    DatBytes dat;
    std::string bytes = dat.build();
    // The size of header_page, behind magic, version, order, long, page size and its name.
    const std::size_t at = 10 + 2 + 2 + 4 + 12;
    bytes.replace(at, 8, ByteBuilder().u64(~std::uint64_t{0}).bytes());
    EXPECT_EQ(failure(bytes), "section \"header_page\": expected the text of header_page "
                              "(18446744073709551615 bytes), the file has " +
                                  std::to_string(bytes.size() - at - 8) +
                                  " left (FILE, offset 38)");
}

TEST_F(DatFileTest, EveryCutOfTheHeaderIsAnErrorWithAnOffset) {
    DatBytes dat;
    dat.ftraceFormats = {"f1"};
    dat.systems = {{"sched", {"s1"}}};
    dat.cpus = {{8192, 0}};
    dat.options = {clockOption("[mono]"), {5, "Linux"}};
    dat.clock = dat.clockText("[mono]");
    const std::string bytes = dat.build();
    const std::size_t needed = bytes.size() - dat.clock.size();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto file = read(bytes.substr(0, size));
        ASSERT_EQ(file.has_value(), size >= needed) << size;
        if (!file) {
            EXPECT_EQ(file.error().code, ErrorCode::Truncated) << size;
            EXPECT_THAT(file.error().what, HasSubstr("expected ")) << size;
            EXPECT_THAT(file.error().where, HasSubstr("offset ")) << size;
        }
    }
}

TEST_F(DatFileTest, WhatIsNoFileIsRefused) {
    EXPECT_EQ(RecordStore::open(folder_.path()).error().what, "is not a regular file");
    EXPECT_EQ(RecordStore::open(folder_.file("none")).error().code, ErrorCode::NotFound);
    const std::string fifo = folder_.file("fifo");
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    EXPECT_EQ(RecordStore::open(fifo).error().what, "is not a regular file");
}

TEST_F(DatFileTest, NoticesAFileThatBecameShorter) {
    std::ofstream(path(), std::ios::binary) << std::string(10000, 'x');
    const auto records = RecordStore::open(path());
    ASSERT_TRUE(records);
    EXPECT_EQ((*records)->bytes().size(), 10000u);
    EXPECT_TRUE((*records)->checkSize());
    std::filesystem::resize_file(path(), 100);
    const auto check = (*records)->checkSize();
    ASSERT_FALSE(check);
    EXPECT_EQ(check.error().code, ErrorCode::Truncated);
    EXPECT_EQ(check.error().what,
              "the file was shortened from 10000 to 100 bytes while it was open");
}

} // namespace

} // namespace inversight::test
