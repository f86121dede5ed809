// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Faults that people reported of readers like ours, each under the kind of fault, where no test
// nearer to the code has it. docs/reported-faults.md says which test has which report.
#include "tests/trace/file/byte_builder.h"
#include "tests/trace/file/dat7_bytes.h"
#include "text_samples.h"
#include "trace/decode/event_printer.h"
#include "trace/file/dat_file.h"
#include "trace/model/trace_store_builder.h"
#include "trace_files.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace inversight::test {

namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

/// What a text's events say, in the order of their lines.
std::vector<std::string> textsOf(const std::string& text) {
    auto source = openTraceSource(RecordStore::fromBytes(text, "sample"));
    EXPECT_TRUE(source) << source.error().sentence();
    TraceStoreBuilder builder;
    EXPECT_TRUE((*source)->load(StreamId{0}, builder, {}));
    const auto store = std::move(builder).finish({});
    std::vector<std::string> texts;
    for (std::uint32_t index = 0; index < (*store)->eventCount(); ++index) {
        const auto said = (*source)->text((*store)->record(EventIndex{index}));
        texts.push_back(said ? *said : said.error().sentence());
    }
    return texts;
}

TEST(ReportedText, ValuesWithEqualsSignsBlanksAndBracesStayAsTheyAre) {
    const std::string power = "cpus=00000000,00000006 freq=1400000 raw_cpu_power=189 "
                              "load={23, 12} power=14";
    const std::string equals = "foo=1bar=2 path=/a=b";
    EXPECT_THAT(
        textsOf("x-1 [000] 1.0: my_event: " + equals +
                "\nkworker/4:1-397 [004] 720.741349: thermal_power_cpu_get_power: " + power + "\n"),
        ElementsAre(EndsWith(" " + equals), EndsWith(" " + power)));
}

TEST(ReportedText, WhatAnotherToolCouldNotParseKeepsItsNameAndItsMark) {
    const std::string text = "    kworker/u8:0-7 [003] 1.245773: sched_stat_runtime: [FAILED TO "
                             "PARSE] comm=kworker/u8:0 pid=7 runtime=5014\n";
    EXPECT_EQ(loadText(text)->sink.count("sched_stat_runtime"), 1U);
    EXPECT_EQ(nameOf(*storeOf(text), 7), "kworker/u8:0");
    EXPECT_THAT(textsOf(text), ElementsAre(HasSubstr("[FAILED TO PARSE] comm=kworker/u8:0 pid=7")));
}

/// wakeup_rt's own lines: ":" in the middle of what the event says, no name in front of it.
TEST(ReportedText, LinesOfTheLatencyTracersAreWakeupsAndSwitches) {
    const auto loaded = loadText(
        "# tracer: wakeup_rt\n"
        "stress-n-232       0dn.h413    1us+:      232:120:R   + [000]     217:  0:R cyclictest\n"
        "stress-n-232       0d...3..    2us : <stack trace>\n => ttwu_do_wakeup\n => irq_exit\n"
        "stress-n-232       0d...3.. 1676us+:      232:120:R ==> [000]     217:  0:R cyclictest\n");
    ASSERT_EQ(loaded->count(0), 3U);
    EXPECT_EQ(loaded->sink.typeName(loaded->event(0, 0)), "ftrace/wakeup");
    EXPECT_EQ(loaded->event(0, 0).header.preemptCount, 0x34); // migrate-disable 3, depth 4 of h413
    EXPECT_EQ(loaded->sink.typeName(loaded->event(0, 1)), "ftrace/kernel_stack");
    EXPECT_EQ(loaded->sink.typeName(loaded->event(0, 2)), "ftrace/context_switch");
    EXPECT_EQ(loaded->event(0, 2).header.time, 1'676'000);
    EXPECT_THAT(loaded->report.warnings, IsEmpty());
}

TEST(ReportedText, HundredMegabytesOfCallStacksAsXz) {
    const std::string path = tracesFolder() + "/public/cunctator__traceshark-resources~sample-"
                                              "traces3~4cpu-ramload~file_to_open_with_traceshark."
                                              "asc.xz";
    if (!std::filesystem::exists(path))
        GTEST_SKIP() << "needs " << path;
    const auto trace = loadTrace(path, {});
    ASSERT_TRUE(trace) << trace.error().sentence();
    EXPECT_EQ(trace->info.compression, "xz");
    EXPECT_TRUE(trace->report.complete);
    std::map<std::string, std::size_t> counts;
    for (std::uint32_t index = 0; index < trace->store->eventCount(); ++index)
        ++counts[trace->store->types()[trace->store->type(EventIndex{index}).index()].name];
    EXPECT_EQ(counts["sched_switch"], 11498U);
    EXPECT_EQ(counts["sched_wakeup"], 6031U);
    EXPECT_EQ(counts["sched_waking"], 6032U);
    EXPECT_EQ(counts["cpu_idle"], 14274U);
    EXPECT_EQ(counts["sched_migrate_task"], 955U);
    EXPECT_EQ(counts["cpu_frequency"], 704U);
}

// trace.dat -----------------------------------------------------------------------------------

constexpr std::uint32_t kSampleId = 7;

std::string sampleFormat() {
    return "name: sample\nID: 7\nformat:\n"
           "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
           "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
           "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
           "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";
}

/// A page with one event of task `pid`.
std::string samplePage(std::uint64_t time, std::uint32_t pid = 1) {
    const std::string record = ByteBuilder().u32(kSampleId).u32(pid).bytes();
    return PageBytes(time).head(2, 0).data(record).build();
}

DatBytes sampleFile() {
    DatBytes dat;
    dat.systems = {{"test", {sampleFormat()}}};
    return dat;
}

constexpr std::uint64_t kPagesBegin = 8192;

LoadedTrace loaded(const std::string& path) {
    auto trace = loadTrace(path, {});
    EXPECT_TRUE(trace) << trace.error().sentence();
    return trace ? *std::move(trace) : LoadedTrace{};
}

LoadedTrace loadedBytes(const std::string& bytes) {
    const TemporaryFile file;
    file.write(bytes);
    return loaded(file.path());
}

TEST(ReportedFile, SavedCommandLinesMayHoldBlanks) {
    DatBytes dat = sampleFile();
    dat.savedCmdlines = "333 HDMI polling ta\n412 Hashed wheel ti\n7 \n8  lead\n";
    dat.cpus = {{kPagesBegin, 4096}};
    const std::string bytes =
        ByteBuilder().text(dat.build()).padTo(kPagesBegin).text(samplePage(1)).bytes();
    const auto source = openTraceSource(RecordStore::fromBytes(bytes, "FILE"));
    ASSERT_TRUE(source) << source.error().sentence();
    CollectingSink sink;
    ASSERT_TRUE((*source)->load(StreamId{0}, sink, {}));
    EXPECT_EQ(sink.names[333], "HDMI polling ta");
    EXPECT_EQ(sink.names[412], "Hashed wheel ti");
    EXPECT_EQ(sink.names[8], " lead");
}

/// A guest's offset: unsigned arithmetic would put the first event behind all others.
TEST(ReportedFile, TimesBelowZeroComeFirst) {
    DatBytes dat = sampleFile();
    dat.options = {{7, "-5000000000"}};
    dat.cpus = {{kPagesBegin, 4096}, {kPagesBegin + 4096, 4096}};
    const LoadedTrace trace = loadedBytes(ByteBuilder()
                                              .text(dat.build())
                                              .padTo(kPagesBegin)
                                              .text(samplePage(7'000'000'000))
                                              .text(samplePage(3'000'000'000))
                                              .bytes());
    ASSERT_EQ(trace.store->eventCount(), 2U);
    EXPECT_EQ(trace.store->time(EventIndex{0}), -2'000'000'000);
    EXPECT_EQ(trace.store->cpu(EventIndex{0}), 1);
    EXPECT_EQ(trace.store->time(EventIndex{1}), 2'000'000'000);
}

TEST(ReportedFile, AnInstanceMayHaveCpusTheTopBufferHasNot) {
    Dat7Bytes dat;
    dat.standardHead({}, {{"test", {sampleFormat()}}});
    dat.option(8, dat.builder().u32(8).bytes());
    dat.buffer("", "mono", {{3, samplePage(1)}});
    dat.buffer("second", "mono", {{0, samplePage(2)}, {11, samplePage(3)}});
    dat.options();
    const LoadedTrace trace = loadedBytes(dat.build());
    ASSERT_EQ(trace.store->eventCount(), 3U);
    EXPECT_THAT(trace.store->cpus(), ElementsAre(0, 3, 11));
    EXPECT_EQ(trace.info.cpuCount, 12);
}

TEST(ReportedFile, StringsOfA32BitKernelAreFoundByTheFilesLongs) {
    const std::string format =
        "name: bputs\nID: 7\nformat:\n"
        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
        "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
        "\tfield:unsigned long ip;\toffset:8;\tsize:4;\tsigned:0;\n"
        "\tfield:const char * str;\toffset:12;\tsize:4;\tsigned:0;\n\n"
        "print fmt: \"%ps: %s\", (void *)REC->ip, REC->str\n";
    std::vector<std::string> warnings;
    const std::vector<FormatText> formats{{"ftrace", format}};
    const EventCatalog catalog = EventCatalog::build(formats, warnings);
    const EventPrinter printer(catalog, ByteOrder::Little, 4, "c0046d00 t sched_rt_period_timer\n",
                               "0xc0a1b2c3 : \"RT throttling activated\\n\"\n");
    const std::string record =
        ByteBuilder().u32(kSampleId).u32(1).u32(0xc0046db2).u32(0xc0a1b2c3).bytes();
    std::string text;
    printer.append(std::as_bytes(std::span(record.data(), record.size())), text);
    EXPECT_THAT(text, EndsWith(": RT throttling activated"));
    EXPECT_THAT(warnings, IsEmpty());
}

/// Reading such a string once more for every byte would take minutes.
TEST(ReportedFile, AStringWithoutItsEndIsAnErrorAtOnce) {
    constexpr std::size_t kMuch = std::size_t{4} << 20;
    const std::string head = DatBytes().build().substr(0, 18);
    for (const std::string& bytes :
         {std::string("\x17\x08\x44tracing", 10) + std::string(kMuch, '6'),
          std::string("\x17\x08\x44tracing7\0\0\x08\0\x10\0\0", 18) + std::string(kMuch, '\x01'),
          head + std::string(kMuch, '\xff')}) {
        const auto file = readDat(RecordStore::fromBytes(bytes, "FILE"));
        ASSERT_FALSE(file);
        EXPECT_THAT(file.error().what, HasSubstr("expected"));
        EXPECT_LT(file.error().sentence().size(), 400U);
    }
}

/// A file with holes, so that a page may stand anywhere.
class SparseFile {
public:
    explicit SparseFile(const std::string& head) { file_.write(head); }
    SparseFile& put(std::uint64_t offset, const std::string& bytes) {
        std::fstream out(file_.path(), std::ios::in | std::ios::out | std::ios::binary);
        out.seekp(static_cast<std::streamoff>(offset));
        out << bytes;
        return *this;
    }
    [[nodiscard]] const std::string& path() const { return file_.path(); }

private:
    TemporaryFile file_;
};

constexpr std::uint64_t kGigabyte = std::uint64_t{1} << 30;

TEST(ReportedFile, PagesBehindFiveGigabytesAreRead) {
    DatBytes dat = sampleFile();
    dat.cpus = {{kPagesBegin, 4096}, {5 * kGigabyte, 8192}};
    SparseFile file(dat.build());
    file.put(kPagesBegin, samplePage(1)).put(5 * kGigabyte, samplePage(2) + samplePage(3));
    const LoadedTrace trace = loaded(file.path());
    EXPECT_TRUE(trace.report.complete);
    EXPECT_EQ(trace.store->eventCount(), 3U);
    EXPECT_THAT(trace.store->cpus(), ElementsAre(0, 1));
}

TEST(ReportedFile, PagesBehindTheFilesEndAreMissing) {
    DatBytes dat = sampleFile();
    dat.cpus = {{kPagesBegin, 4096}, {5 * kGigabyte, 8192}};
    SparseFile file(dat.build());
    file.put(kPagesBegin, samplePage(1));
    const LoadedTrace trace = loaded(file.path());
    EXPECT_FALSE(trace.report.complete);
    EXPECT_EQ(trace.store->eventCount(), 1U);
    EXPECT_THAT(trace.report.warnings,
                ElementsAre(HasSubstr("CPU 1: 8192 of 8192 bytes are missing")));
}

TEST(ReportedFile, ChunksBehindThreeGigabytesAreRead) {
    Dat7Bytes dat({.compression = "zstd"});
    dat.standardHead({}, {{"test", {sampleFormat()}}});
    const std::uint64_t section = dat.plainSection(3, "", 1);
    const std::string chunks = dat.chunks(samplePage(1) + samplePage(2), 4096);
    dat.option(3, dat.builder()
                      .u64(section)
                      .u8(0)
                      .text("mono")
                      .u8(0)
                      .u32(4096)
                      .u32(1)
                      .u32(0)
                      .u64(3 * kGigabyte)
                      .u64(chunks.size() - 4)
                      .bytes());
    dat.options();
    SparseFile file(dat.build());
    const LoadedTrace trace = loaded(file.put(3 * kGigabyte, chunks).path());
    EXPECT_TRUE(trace.report.complete);
    EXPECT_EQ(trace.store->eventCount(), 2U);
}

} // namespace

} // namespace inversight::test
