// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Files by hand, for what no shared trace holds.
#include "collecting_sink.h"
#include "core/event/marker.h"
#include "core/event/run_manifest.h"
#include "tests/trace/file/byte_builder.h"
#include "trace/decode/page_source.h"
#include "trace/decode/trace_source.h"
#include "trace/file/page_reader.h"
#include "trace/model/trace_store_builder.h"
#include "trace_files.h"

#include <gmock/gmock.h>

namespace inversight::test {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t kPrint = 5;
constexpr std::uint32_t kWakeup = 300;
constexpr std::uint32_t kFork = 301;

/// Common fields as a kernel with lazy preemption has them: events begin at 12.
std::string commonFields() {
    return "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
           "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
           "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
           "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
           "\tfield:unsigned char common_preempt_lazy_count;\toffset:8;\tsize:1;\tsigned:0;\n\n";
}

std::string format(const std::string& name, std::uint32_t id, const std::string& fields) {
    return "name: " + name + "\nID: " + std::to_string(id) + "\nformat:\n" + commonFields() +
           fields + "\nprint fmt: \"\"\n";
}

/// An old sched_wakeup: a success field, no target_cpu.
std::string oldWakeup() {
    return format("sched_wakeup", kWakeup,
                  "\tfield:char comm[16];\toffset:12;\tsize:16;\tsigned:0;\n"
                  "\tfield:pid_t pid;\toffset:28;\tsize:4;\tsigned:1;\n"
                  "\tfield:int prio;\toffset:32;\tsize:4;\tsigned:1;\n"
                  "\tfield:int success;\toffset:36;\tsize:4;\tsigned:1;\n");
}

/// A new sched_process_fork: names anywhere in the record.
std::string newFork() {
    return format("sched_process_fork", kFork,
                  "\tfield:__data_loc char[] parent_comm;\toffset:12;\tsize:4;\tsigned:0;\n"
                  "\tfield:pid_t parent_pid;\toffset:16;\tsize:4;\tsigned:1;\n"
                  "\tfield:__rel_loc char[] child_comm;\toffset:20;\tsize:4;\tsigned:0;\n"
                  "\tfield:pid_t child_pid;\toffset:24;\tsize:4;\tsigned:1;\n");
}

std::string printFormat() {
    return format("print", kPrint,
                  "\tfield:unsigned long ip;\toffset:16;\tsize:8;\tsigned:0;\n"
                  "\tfield:char buf[];\toffset:24;\tsize:0;\tsigned:0;\n");
}

ByteBuilder common(std::uint32_t type, std::uint32_t pid) {
    ByteBuilder record;
    record.u16(static_cast<std::uint16_t>(type)).u8(1).u8(2).u32(pid).u32(0);
    return record;
}

std::string wakeup(std::uint32_t pid, std::uint32_t prio, std::uint32_t success) {
    return common(kWakeup, 10).text("sleeper").padTo(28).u32(pid).u32(prio).u32(success).bytes();
}

std::string print(const std::string& text) {
    ByteBuilder record = common(kPrint, 42);
    record.padTo(24).text(text).u8(0);
    return record.padTo((record.bytes().size() + 3) / 4 * 4).bytes();
}

/// Puts records on a page, `step` apart.
class RecordPage {
public:
    explicit RecordPage(std::uint64_t time) : page_(time) {}
    RecordPage& add(const std::string& record, std::uint32_t step = 10) {
        page_.head(0, step).word(static_cast<std::uint32_t>(record.size() + 4)).data(record);
        return *this;
    }
    PageBytes& page() { return page_; }

private:
    PageBytes page_;
};

/// A version 6 file with these pages per CPU.
class FileWithPages {
public:
    FileWithPages() {
        dat.ftraceFormats = {printFormat()};
        dat.systems = {{"sched", {oldWakeup(), newFork()}}};
    }
    void addCpu(const std::string& pages) {
        dat.cpus.push_back({kPagesBegin + pages_.size(), pages.size()});
        pages_ += pages;
    }
    void write() {
        file_.write(ByteBuilder().text(dat.build()).padTo(kPagesBegin).text(pages_).bytes());
    }
    [[nodiscard]] const std::string& path() const { return file_.path(); }

    LoadReport load(CollectingSink& sink, const JobContext& job = {}) {
        write();
        auto source = openTraceSource(path());
        EXPECT_TRUE(source) << source.error().sentence();
        auto report = (*source)->load(StreamId{0}, sink, job);
        EXPECT_TRUE(report) << report.error().sentence();
        return *report;
    }

    DatBytes dat;

private:
    static constexpr std::uint64_t kPagesBegin = 8192;
    TemporaryFile file_;
    std::string pages_;
};

TEST(PageSource, FieldsAreWhereTheFormatSays) {
    FileWithPages file;
    file.addCpu(RecordPage(100).add(wakeup(77, static_cast<std::uint32_t>(-1), 1)).page().build());
    CollectingSink sink;
    const LoadReport report = file.load(sink);
    EXPECT_TRUE(report.complete);
    EXPECT_THAT(report.warnings, IsEmpty());
    const auto& events = sink.events(StreamId{0}, 0);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].header.time, 110);
    EXPECT_EQ(events[0].header.tid, 10);
    EXPECT_EQ(events[0].header.flags, 1);
    EXPECT_EQ(events[0].header.preemptCount, 2);
    EXPECT_EQ(events[0].header.offset, 8192u + 16);
    EXPECT_EQ(events[0].fields["comm"], "sleeper");
    EXPECT_EQ(events[0].fields["pid"], 77);
    EXPECT_EQ(events[0].fields["prio"], -1);
    EXPECT_EQ(events[0].fields["target_cpu"], -1); // the format has none
    EXPECT_EQ(sink.names[7], "worker");
}

TEST(PageSource, AWakeUpWithoutSuccessIsNone) {
    FileWithPages file;
    file.addCpu(RecordPage(100).add(wakeup(77, 120, 0)).page().build());
    CollectingSink sink;
    file.load(sink);
    ASSERT_EQ(sink.eventCount(), 1u);
    EXPECT_TRUE(sink.events(StreamId{0}, 0)[0].fields.is_null());
}

TEST(PageSource, TextsMayBeAnywhereInTheRecord) {
    // "sup" lies at 28, "my child" at 32 = 8 behind the end of its word.
    const std::string record = common(kFork, 5)
                                   .u32(4 << 16 | 28)
                                   .u32(5)
                                   .u32(9 << 16 | 8)
                                   .u32(6)
                                   .text(std::string_view("sup\0my child\0", 13))
                                   .padTo(44)
                                   .bytes();
    FileWithPages file;
    file.addCpu(RecordPage(0).add(record).page().build());
    CollectingSink sink;
    file.load(sink);
    ASSERT_EQ(sink.eventCount(), 1u);
    const auto& fields = sink.events(StreamId{0}, 0)[0].fields;
    EXPECT_EQ(fields["parent_comm"], "sup");
    EXPECT_EQ(fields["child_comm"], "my child");
    EXPECT_EQ(fields["child_pid"], 6);
}

TEST(PageSource, UnknownEventsAreKeptAndCounted) {
    FileWithPages file;
    file.addCpu(RecordPage(0)
                    .add(common(65000, 9).bytes())
                    .add(common(65000, 9).bytes())
                    .add(wakeup(1, 2, 1))
                    .page()
                    .build());
    CollectingSink sink;
    const LoadReport report = file.load(sink);
    EXPECT_THAT(report.warnings, ElementsAre("2 records of unknown event 65000: the file has no "
                                             "format for it"));
    const auto& events = sink.events(StreamId{0}, 0);
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(sink.type(events[0]).name, "unknown event");
    EXPECT_EQ(events[0].header.tid, 9);
}

TEST(PageSource, ShortRecordsLoseTheirFieldsOnly) {
    FileWithPages file;
    file.addCpu(RecordPage(0)
                    .add(wakeup(1, 2, 1).substr(0, 32))
                    .add(std::string(4, '\0'))
                    .add(wakeup(1, 2, 1))
                    .page()
                    .build());
    CollectingSink sink;
    const LoadReport report = file.load(sink);
    EXPECT_THAT(report.warnings,
                ElementsAre("1 records of sched_wakeup are too short for their fields",
                            "1 records are too short for any event and were left out"));
    const auto& events = sink.events(StreamId{0}, 0);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_TRUE(events[0].fields.is_null());
    EXPECT_EQ(events[1].fields["pid"], 1);
}

TEST(PageSource, DamagedPagesAreNamedAndCountAsLoss) {
    FileWithPages file;
    RecordPage damaged(0);
    damaged.add(wakeup(1, 2, 1)).page().head(28, 0);
    file.addCpu(damaged.page().build() + PageBytes(50).commitSize(5000).build() +
                RecordPage(100).add(wakeup(3, 2, 1)).page().build());
    CollectingSink sink;
    const LoadReport report = file.load(sink);
    EXPECT_FALSE(report.complete);
    EXPECT_THAT(
        report.warnings,
        ElementsAre("CPU 0, page at offset 8192: expected a record at byte 64 of the page, "
                    "but its size leads past the data in use",
                    "CPU 0, page at offset 12288: expected at most 4080 bytes of records in "
                    "a page, its commit word says 5000"));
    const auto& events = sink.events(StreamId{0}, 0);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].lostBefore, std::nullopt);
    EXPECT_EQ(events[1].lostBefore, -1);
    EXPECT_EQ(events[1].fields["pid"], 3);
}

TEST(PageSource, LossesStandBeforeTheFirstEventOfTheirPage) {
    constexpr std::uint64_t kMissed = std::uint64_t{1} << 31;
    constexpr std::uint64_t kStored = std::uint64_t{1} << 30;
    RecordPage counted(0);
    counted.add(wakeup(1, 2, 1)).add(wakeup(2, 2, 1));
    RecordPage unknown(100);
    unknown.add(wakeup(3, 2, 1));
    FileWithPages file;
    file.addCpu(counted.page().commitFlags(kMissed | kStored).behind(1234).build() +
                unknown.page().commitFlags(kMissed).build());
    file.write();
    const auto trace = loadTrace(file.path(), {});
    ASSERT_TRUE(trace) << trace.error().sentence();
    const auto losses = trace->store->losses();
    ASSERT_EQ(losses.size(), 2u);
    EXPECT_EQ(losses[0].count, 1234u);
    EXPECT_EQ(losses[0].gap.end, 10);
    EXPECT_EQ(losses[1].count, std::nullopt);
    EXPECT_EQ(losses[1].gap, (TimeRange{20, 110}));
}

TEST(PageSource, UnusableFormatsLeaveTheEventUntyped) {
    FileWithPages file;
    std::string withoutPid = oldWakeup();
    withoutPid.replace(withoutPid.find("pid_t pid"), 9, "pid_t who");
    file.dat.systems = {{"sched", {withoutPid, "name: broken\nID: x\n"}}};
    file.addCpu(RecordPage(0).add(wakeup(1, 2, 1)).page().build());
    CollectingSink sink;
    const LoadReport report = file.load(sink);
    EXPECT_THAT(
        report.warnings,
        ElementsAre("event sched:sched_wakeup is shown without its fields: field \"pid\" is "
                    "missing",
                    "an event of system \"sched\" has an unreadable format: expected a "
                    "number from 0 to 65535 after \"ID:\" (event format, line 2)"));
    ASSERT_EQ(sink.eventCount(), 1u);
    EXPECT_EQ(sink.type(sink.events(StreamId{0}, 0)[0]).kind, EventKind::Other);
}

TEST(PageSource, MarkersAndOtherTexts) {
    FileWithPages file;
    file.addCpu(RecordPage(0)
                    .add(print("B|42|wait i2c-1\n"))
                    .add(print("hello world\n"))
                    .add(print("S|42|hold i2c-1|9"))
                    .page()
                    .build());
    CollectingSink sink;
    file.load(sink);
    const auto& events = sink.events(StreamId{0}, 0);
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(events[0].markerKind, MarkerKind::WaitBegin);
    EXPECT_EQ(events[0].fields["subject"], "i2c-1");
    EXPECT_EQ(events[0].fields["tgid"], 42);
    EXPECT_EQ(events[1].markerKind, MarkerKind::Text);
    EXPECT_EQ(events[1].fields["subject"], "hello world");
    EXPECT_EQ(events[2].markerKind, MarkerKind::HoldBegin);
}

TEST(PageSource, TheManifestIsPutTogetherAcrossCpus) {
    RunManifest manifest;
    manifest.tool = "inversight test";
    manifest.scenario = R"({"name":")" + std::string(2000, 's') + R"("})";
    manifest.policy = "rt_mutex";
    manifest.clock = "mono";
    const std::vector<std::string> parts = manifest.toMarkerParts();
    ASSERT_GT(parts.size(), 2u);
    RecordPage pages[2] = {RecordPage(0), RecordPage(0)};
    for (std::size_t index = 0; index < parts.size(); ++index) {
        MarkerCodec::Buffer buffer;
        const ManifestPart part{static_cast<std::uint32_t>(index + 1),
                                static_cast<std::uint32_t>(parts.size()), parts[index]};
        pages[index % 2].add(print(std::string(MarkerCodec::encode({42, part}, buffer)) + "\n"));
    }
    FileWithPages file;
    file.addCpu(pages[0].page().build());
    file.addCpu(pages[1].page().build());
    CollectingSink sink;
    const LoadReport report = file.load(sink);
    EXPECT_THAT(report.warnings, IsEmpty());
    ASSERT_TRUE(report.manifest);
    EXPECT_EQ(*report.manifest, manifest);
}

TEST(PageSource, TimesAreCorrectedByTheFile) {
    FileWithPages file;
    file.dat.options = {{7, "-5000000000"}};
    file.addCpu(RecordPage(3'000'000'000).add(wakeup(1, 2, 1), 0).page().build());
    CollectingSink sink;
    file.load(sink);
    EXPECT_EQ(sink.events(StreamId{0}, 0)[0].header.time, -2'000'000'000);
}

TEST(PageSource, BuffersOnAnotherClockAreLeftOut) {
    FileWithPages file;
    const std::string page = RecordPage(0).add(wakeup(1, 2, 1)).page().build();
    // The instance's table stands on a page of its own behind the data.
    file.dat.options = {
        {4, ""}, {3, ByteBuilder().u64(8192 + 4096).text(std::string_view("second\0", 7)).bytes()}};
    file.dat.clock = file.dat.clockText("[mono]");
    file.addCpu(page);
    file.write();
    std::string bytes = readBytes(file.path());
    bytes +=
        ByteBuilder().text(std::string_view("flyrecord\0", 10)).u64(8192 + 8192).u64(4096).bytes();
    bytes += file.dat.clockText("[local]");
    const TemporaryFile two;
    two.write(ByteBuilder().text(bytes).padTo(8192 + 8192).text(page).bytes());

    const auto source = openTraceSource(two.path());
    ASSERT_TRUE(source) << source.error().sentence();
    EXPECT_THAT((*source)->streams(), ElementsAre(StreamId{0}, StreamId{1}));
    EXPECT_EQ((*source)->info().streams[1].name, "second");
    EXPECT_FALSE((*source)->info().streams[1].clock.comparableAcrossCpus);
    const auto trace = loadTrace(two.path(), {});
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->store->eventCount(), 1u);
    EXPECT_THAT(
        trace->report.warnings,
        ElementsAre("buffer \"second\" was left out: its clock is local, that of buffer \"\" "
                    "is mono"));
}

TEST(PageSource, AnEmptyTraceIsNoError) {
    FileWithPages file;
    file.addCpu("");
    file.dat.cpus[0].offset = std::uint64_t{1} << 40;
    file.write();
    const auto trace = loadTrace(file.path(), {});
    ASSERT_TRUE(trace) << trace.error().sentence();
    EXPECT_TRUE(trace->report.complete);
    EXPECT_EQ(trace->store->eventCount(), 0u);
    EXPECT_EQ(trace->info.cpuCount, 1);
}

TEST(PageSource, ProgressReachesTheEndAndStopsWhenAsked) {
    FileWithPages file;
    const std::string page = RecordPage(0).add(wakeup(1, 2, 1)).page().build();
    file.addCpu(page + page);
    file.addCpu(page);
    std::atomic<std::uint64_t> done = 0;
    std::atomic<std::uint64_t> total = 0;
    std::stop_source stop;
    const JobContext job(stop.get_token(), [&](const Progress& progress) {
        done = std::max(done.load(), progress.done);
        total = progress.total;
    });
    CollectingSink sink;
    file.load(sink, job);
    EXPECT_EQ(total, 3 * 4096u);
    EXPECT_EQ(done, 3 * 4096u);

    stop.request_stop();
    auto source = openTraceSource(file.path());
    ASSERT_TRUE(source);
    const auto report = (*source)->load(StreamId{0}, sink, job);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::Cancelled);
}

TEST(TraceSource, RefusesWhatItCannotRead) {
    const TemporaryFile file;
    const auto failure = [&](const std::string& bytes) {
        file.write(bytes);
        const auto source = openTraceSource(file.path());
        return source ? Error{} : source.error();
    };
    EXPECT_EQ(failure("").code, ErrorCode::Truncated);
    EXPECT_EQ(failure("").what, "the file is empty");
    EXPECT_EQ(failure("just text").code, ErrorCode::Unsupported);
    EXPECT_THAT(failure("just text").what, testing::HasSubstr("looked for trace.dat"));
    DatBytes latency;
    latency.tail = std::string("latency  \0# tracer: wakeup\n", 27);
    EXPECT_EQ(failure(latency.build()).what, "holds the text of a latency tracer, no events");
    DatBytes seven;
    seven.version = "7";
    EXPECT_EQ(failure(seven.build()).code, ErrorCode::Unsupported);
    EXPECT_EQ(openTraceSource(file.path() + ".none").error().code, ErrorCode::NotFound);
    const auto stream = [&] {
        file.write(DatBytes().build());
        CollectingSink sink;
        return (*openTraceSource(file.path()))->load(StreamId{1}, sink, {});
    }();
    ASSERT_FALSE(stream);
    EXPECT_EQ(stream.error().what, "there is no stream 1, the file has 1");
}

} // namespace

} // namespace inversight::test
