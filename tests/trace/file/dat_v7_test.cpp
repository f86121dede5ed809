// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The container of version 7 by hand: what no shared trace holds, and every way it can be damaged.
#include "dat7_bytes.h"
#include "trace/file/dat_file.h"

#include <gmock/gmock.h>

namespace inversight::test {

namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Result<DatFile> read(const std::string& bytes) {
    return readDat(RecordStore::fromBytes(bytes, "FILE"));
}

std::string v7Failure(const std::string& bytes) {
    const auto file = read(bytes);
    return file ? "" : file.error().what + " (" + file.error().where + ")";
}

/// A page with one record of 8 bytes.
std::string page(std::uint64_t time, const PageLayout& layout = {}) {
    return PageBytes(time, layout).head(2, 1).data("8 bytes!").build();
}

std::string pages(std::size_t count) {
    std::string bytes;
    for (std::size_t index = 0; index < count; ++index)
        bytes += page(1000 * (index + 1));
    return bytes;
}

/// How a file is packed, and the byte order and word size of its machine.
class EveryKind : public testing::TestWithParam<Dat7Bytes::Head> {};

TEST_P(EveryKind, ReadsEverySection) {
    Dat7Bytes dat(GetParam());
    dat.standardHead({"f1"}, {{"sched", {"s1", "s2"}}, {"lock", {}}});
    dat.sectionWithOption(19, dat.builder().u32(3).text("sym").bytes());
    dat.sectionWithOption(20, dat.builder().u32(4).text("prin").bytes());
    dat.option(4, "local [mono] boot\n").option(5, std::string("Linux box 6.1\0", 14));
    dat.option(9, std::string("3.1.6\0", 6)).option(8, dat.builder().u32(5).bytes());
    dat.option(2, "CPU: 0\n").option(9999, std::string(37, 'x')).option(11, "12345678");
    dat.options();
    dat.sectionWithOption(21, dat.builder().u64(9).text("7 worker\n").bytes());
    dat.options(); // a second section
    dat.buffer("", "mono", {{0, pages(1)}, {3, pages(2)}});
    dat.buffer("second", "local", {{3, pages(1)}});
    dat.options(); // a third
    dat.section(15, std::string("strings\0", 8));

    const auto file = read(dat.build());
    ASSERT_TRUE(file) << file.error().sentence();
    EXPECT_THAT(file->warnings, IsEmpty());
    EXPECT_TRUE(file->complete);
    EXPECT_EQ(file->version, 7);
    EXPECT_EQ(file->compression, GetParam().compression);
    EXPECT_EQ(file->order, GetParam().order);
    EXPECT_EQ(file->longSize, GetParam().longSize);
    EXPECT_EQ(file->layout.dataOffset, 8u + GetParam().longSize);
    ASSERT_THAT(file->formats, SizeIs(3));
    EXPECT_EQ(file->formats[0].text, "f1");
    EXPECT_EQ(file->formats[2].system, "sched");
    EXPECT_EQ(file->kallsyms, "sym");
    EXPECT_EQ(file->printkFormats, "prin");
    EXPECT_EQ(file->savedCmdlines, "7 worker\n");
    EXPECT_EQ(file->systemName, "Linux box 6.1");
    EXPECT_EQ(file->writerVersion, "3.1.6");
    EXPECT_THAT(file->cpuStats, ElementsAre("CPU: 0\n"));
    EXPECT_EQ(file->cpuCount, 5);
    ASSERT_THAT(file->buffers, SizeIs(2));
    EXPECT_EQ(file->buffers[0].clock, "mono");
    ASSERT_THAT(file->buffers[0].cpus, SizeIs(2));
    EXPECT_EQ(file->buffers[0].cpus[1].cpu, 3);
    EXPECT_EQ(file->buffers[0].cpus[1].size, 8192u);
    EXPECT_EQ(file->buffers[1].name, "second");
    EXPECT_EQ(file->buffers[1].clock, "local");
    EXPECT_EQ(file->buffers[1].cpus[0].size, 4096u);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, EveryKind,
    testing::Values(Dat7Bytes::Head{.compression = "none"}, Dat7Bytes::Head{.compression = "zlib"},
                    Dat7Bytes::Head{.compression = "zstd"},
                    Dat7Bytes::Head{.order = ByteOrder::Big, .compression = "none", .longSize = 4},
                    Dat7Bytes::Head{.order = ByteOrder::Big, .compression = "zstd", .longSize = 4}),
    [](const auto& info) {
        return info.param.compression + (info.param.order == ByteOrder::Big ? "Big32" : "");
    });

TEST(DatV7, WhatARecorderLeftOutIsEmpty) {
    Dat7Bytes dat;
    dat.sectionWithOption(16, dat.headerInfo());
    dat.option(4, "[boot]");
    dat.options();
    const auto file = read(dat.build());
    ASSERT_TRUE(file) << file.error().sentence();
    EXPECT_TRUE(file->complete);
    EXPECT_EQ(file->kallsyms, "");
    EXPECT_EQ(file->savedCmdlines, "");
    ASSERT_THAT(file->buffers, SizeIs(1)); // the top one, which holds nothing
    EXPECT_EQ(file->buffers[0].clock, "boot");
    EXPECT_THAT(file->buffers[0].cpus, IsEmpty());
}

TEST(DatV7, TheTopBufferIsTheFirst) {
    Dat7Bytes dat;
    dat.standardHead();
    dat.buffer("second", "local", {{1, pages(1)}});
    dat.buffer("", "mono", {{1, pages(1)}, {0, ""}});
    dat.options();
    const auto file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->complete);
    EXPECT_EQ(file->buffers[0].name, "");
    EXPECT_EQ(file->buffers[1].name, "second");
    ASSERT_THAT(file->buffers[0].cpus, SizeIs(1)); // CPU 0 recorded nothing
    EXPECT_EQ(file->buffers[0].cpus[0].cpu, 1);
    EXPECT_EQ(file->cpuCount, 2);
}

TEST(DatV7, ABufferHasItsOwnPageSize) {
    Dat7Bytes dat({.compression = "zstd"});
    dat.standardHead();
    PageLayout large;
    large.pageSize = 16384;
    dat.buffer("large", "mono", {{0, page(7, large) + page(8, large)}}, 16384, 12288);
    dat.buffer("", "mono", {{0, pages(3)}});
    dat.options();
    const auto file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_THAT(file->warnings, IsEmpty());
    EXPECT_EQ(file->buffers[0].layout.pageSize, 4096u);
    EXPECT_EQ(file->buffers[1].layout.pageSize, 16384u);
    EXPECT_EQ(file->buffers[1].cpus[0].size, 32768u);
}

TEST(DatV7, ReadsTheTextOfALatencyTracer) {
    const std::string text = "# tracer: wakeup_rt\n" + std::string(9000, '.');
    for (const char* compression : {"none", "zlib", "zstd"}) {
        Dat7Bytes dat({.compression = compression});
        dat.standardHead();
        const bool packed = dat.pack("aaaaaaaa") != "aaaaaaaa";
        const std::uint64_t offset =
            dat.plainSection(22, packed ? dat.chunks(text, 4000) : text, packed ? 1 : 0);
        dat.option(22, dat.builder().u64(offset).u8(0).text("mono").u8(0).bytes());
        dat.options();
        const auto file = read(dat.build());
        ASSERT_TRUE(file) << file.error().sentence();
        EXPECT_EQ(file->latencyText, text) << compression;
        EXPECT_TRUE(file->complete);
    }
}

TEST(DatV7, TimeOptionsAreThoseOfVersion6) {
    Dat7Bytes dat;
    dat.standardHead();
    dat.option(1, std::string("0x10\0", 5)).option(7, "-500");
    dat.option(14, ByteBuilder().u32(3).u32(1).u64(0).bytes());
    dat.options();
    const auto file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_EQ(file->time.apply(10), 15 + 16000 - 500);
}

TEST(DatV7, OptionsThatLeadInACircleEnd) {
    Dat7Bytes dat;
    dat.standardHead();
    const std::uint64_t first = dat.options();
    dat.option(5, "Linux").options();
    dat.patch64(dat.doneAt(), first);
    const auto file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_EQ(file->systemName, "Linux");
    EXPECT_FALSE(file->complete);
    EXPECT_THAT(file->warnings,
                ElementsAre("the options lead in a circle to offset " + std::to_string(first)));
}

/// A recorder that died: what it had written is found without the options.
TEST(DatV7, SectionsAreFoundWithoutOptions) {
    Dat7Bytes dat({.compression = "zlib"});
    dat.standardHead({"f1"}, {{"sched", {"s1"}}});
    dat.option(5, "Linux").options();
    dat.setFirstOptions(0);
    const auto file = read(dat.build());
    ASSERT_TRUE(file) << file.error().sentence();
    EXPECT_FALSE(file->complete);
    EXPECT_THAT(file->warnings,
                ElementsAre("the recorder ended before it wrote the file's options"));
    EXPECT_THAT(file->formats, SizeIs(2));
    EXPECT_EQ(file->systemName, "Linux");
}

TEST(DatV7, DataWithoutATableIsNamed) {
    Dat7Bytes dat;
    dat.standardHead();
    dat.option(5, "Linux").options();
    const std::uint64_t data = dat.plainSection(3, pages(2));
    dat.patch64(dat.doneAt(), 1 << 20); // the next options were never written
    const auto file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->complete);
    EXPECT_THAT(file->warnings,
                Contains("the events from offset " + std::to_string(data + 16) +
                         " on cannot be assigned to CPUs: the table that says whose they are is "
                         "missing"));
    EXPECT_EQ(file->systemName, "Linux");
}

TEST(DatV7, OptionsCutShortKeepWhatCameBefore) {
    Dat7Bytes dat;
    dat.standardHead();
    dat.option(5, "Linux").buffer("", "mono", {{0, pages(1)}});
    dat.options();
    const std::string bytes = dat.build();
    const auto file = read(bytes.substr(0, bytes.size() - 20)); // inside DONE's neighbour
    ASSERT_TRUE(file) << file.error().sentence();
    EXPECT_FALSE(file->complete);
    EXPECT_EQ(file->systemName, "Linux");
    EXPECT_THAT(file->warnings, Contains(AllOf(HasSubstr("options are missing: "),
                                               HasSubstr("expected an option's content"))));
}

TEST(DatV7, DamagedSectionsAreWarnings) {
    Dat7Bytes dat({.compression = "zstd"});
    dat.standardHead({"f1"});
    const std::uint64_t offset = dat.section(19, ByteBuilder().u32(3).text("sym").bytes());
    dat.pointer(19, offset).pointer(20, 3).pointer(21, std::uint64_t{1} << 40);
    dat.buffer("", "mono", {{0, pages(1)}});
    dat.options();
    std::string bytes = dat.build();
    bytes[offset + 16 + 8] ^= 0x55; // the compressed bytes
    const auto file = read(bytes);
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->complete);
    EXPECT_THAT(
        file->warnings,
        ElementsAre(HasSubstr("kernel symbols are missing: section 19: expected 16 compressed "
                              "bytes that hold 7, they are damaged (offset"),
                    HasSubstr("printk formats are missing: expected section 20, found"),
                    HasSubstr("saved command lines are missing: section \"section head\": expected "
                              "a section at offset 1099511627776, the file has")));
    EXPECT_EQ(file->buffers[0].cpus[0].size, 4096u); // the events are all there
}

TEST(DatV7, ClaimsAreNotAllocated) {
    Dat7Bytes dat({.compression = "zstd"});
    dat.standardHead();
    const std::uint64_t bomb =
        dat.plainSection(19, ByteBuilder().u32(4).u32(0xffffffff).text("zstd").bytes(), 1);
    dat.pointer(19, bomb);
    dat.buffer("", "mono", {{0, pages(1)}, {1, pages(1)}});
    dat.options();
    const auto file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_THAT(file->warnings,
                ElementsAre(HasSubstr("kernel symbols are missing: section 19: expected 4 "
                                      "compressed bytes to hold at most 1048576, they claim "
                                      "4294967295")));
}

TEST(DatV7, ABufferThatIsDamagedIsLeftOut) {
    const auto warnings = [](const std::string& option) {
        Dat7Bytes dat;
        dat.standardHead();
        dat.buffer("", "mono", {{0, pages(1)}});
        dat.option(3, option);
        dat.options();
        const auto file = read(dat.build());
        EXPECT_TRUE(file);
        EXPECT_FALSE(file->complete);
        EXPECT_THAT(file->buffers, SizeIs(1));
        return file->warnings;
    };
    EXPECT_THAT(warnings("short"),
                ElementsAre("a buffer is missing: section \"buffer option\": expected the offset "
                            "of a buffer's section (8 bytes), the option has 5 left (offset 0)"));
    EXPECT_THAT(warnings(ByteBuilder().u64(44).text("no end").bytes()),
                ElementsAre(HasSubstr("expected a buffer's name, which ends with a zero byte")));
    EXPECT_THAT(warnings(ByteBuilder().u64(44).text(std::string("b\0mono\0", 7)).bytes()),
                ElementsAre(HasSubstr("expected section 3 of buffer \"b\" at offset 44")));
}

TEST(DatV7, ACpuListedTwiceCountsOnce) {
    Dat7Bytes dat;
    dat.standardHead();
    dat.buffer("", "mono", {{4, pages(1)}, {4, pages(2)}});
    dat.options();
    const auto file = read(dat.build());
    ASSERT_TRUE(file);
    EXPECT_THAT(file->warnings, ElementsAre("buffer \"\" lists CPU 4 twice; the first was read"));
    EXPECT_EQ(file->buffers[0].cpus[0].size, 4096u);
}

TEST(DatV7, MissingPagesAreCountedPerCpu) {
    Dat7Bytes dat;
    dat.standardHead();
    const std::uint64_t offset = dat.plainSection(3, "");
    dat.option(3, ByteBuilder()
                      .u64(offset)
                      .text(std::string("\0mono\0", 6))
                      .u32(4096)
                      .u32(1)
                      .u32(2)
                      .u64(4096)
                      .u64(8192)
                      .bytes());
    dat.options();
    std::string bytes = dat.build();
    bytes.resize(4096, '\0');
    const auto file = read(bytes + pages(1) + "part of a page");
    ASSERT_TRUE(file);
    EXPECT_THAT(file->warnings, ElementsAre("CPU 2: 4082 of 8192 bytes are missing, the file is "
                                            "cut short; 1 whole pages were read"));
    EXPECT_EQ(file->buffers[0].cpus[0].size, 4096u);
}

TEST(DatV7, ErrorsNameSectionOffsetAndExpectation) {
    Dat7Bytes unknown({.compression = "lz4"});
    EXPECT_EQ(v7Failure(unknown.build()),
              "section \"compression\": the file is compressed with \"lz4\"; none, zlib and zstd "
              "can be read (FILE, offset 26)");
    EXPECT_EQ(v7Failure(Dat7Bytes().build().substr(0, 30)),
              "section \"compression\": expected the offset of the first options (8 bytes), the "
              "file has 3 left (FILE, offset 27)");
    EXPECT_EQ(v7Failure(Dat7Bytes().build().substr(0, 20)),
              "section \"compression\": expected the compression's name, which ends with a zero "
              "byte; none follows (FILE, offset 18)");
    EXPECT_EQ(v7Failure(Dat7Bytes().build()),
              "section \"header_page\": expected it among the file's sections, it is missing "
              "(FILE, offset 35)");
    Dat7Bytes wrong;
    wrong.sectionWithOption(17, "");
    wrong.pointer(16, 35);
    wrong.options();
    EXPECT_EQ(v7Failure(wrong.build()),
              "section \"header_page\": expected section 16, found 17 (FILE, offset 35)");
    Dat7Bytes shortHead;
    shortHead.sectionWithOption(16, "header_page");
    shortHead.options();
    EXPECT_EQ(v7Failure(shortHead.build()),
              "section \"header_page\": expected the name \"header_page\" (12 bytes), the section "
              "has 11 left (FILE, offset 51)");
    Dat7Bytes shared;
    shared.standardHead();
    shared.buffer("", "mono", {{0, pages(2)}});
    shared.buffer("b", "mono", {});
    const std::uint64_t data = 4096;
    shared.option(3, ByteBuilder()
                         .u64(shared.plainSection(3, ""))
                         .text(std::string("c\0mono\0", 7))
                         .u32(4096)
                         .u32(1)
                         .u32(0)
                         .u64(data + 4096)
                         .u64(4096)
                         .bytes());
    shared.options();
    EXPECT_EQ(v7Failure(shared.build()),
              "section \"CPU table\": expected every CPU's data apart, found two that overlap "
              "(FILE, offset 8192)");
}

TEST(DatV7, EveryCutLoadsOrSaysWhy) {
    for (const char* compression : {"none", "zlib", "zstd"}) {
        Dat7Bytes dat({.compression = compression});
        dat.standardHead({"f1"}, {{"sched", {"s1"}}});
        dat.option(5, "Linux").options();
        dat.buffer("", "mono", {{0, pages(2)}}, 0, 4096);
        dat.options();
        const std::string bytes = dat.build();
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            const auto file = read(bytes.substr(0, size));
            if (file) {
                ASSERT_FALSE(file->complete) << size;
                ASSERT_THAT(file->warnings, Contains(HasSubstr("expected "))) << size;
            } else {
                ASSERT_EQ(file.error().code, ErrorCode::Truncated) << size;
                ASSERT_THAT(file.error().where, HasSubstr("offset ")) << size;
            }
        }
    }
}

} // namespace

} // namespace inversight::test
