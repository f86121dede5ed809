// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// A text is read in chunks: what is loaded is the same, wherever it is cut.
#include "trace/decode/source_formats.h"
#include "trace/decode/text_dialect.h"
#include "trace/decode/text_source.h"
#include "trace/model/trace_store_builder.h"
#include "trace_files.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace inversight::test {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWhole = std::size_t{1} << 40;

/// All that a store says, line by line.
class StoreText {
public:
    explicit StoreText(const TraceStore& store) : store_(store) {}

    std::vector<std::string> lines() {
        for (std::uint32_t index = 0; index < store_.eventCount(); ++index)
            event(EventIndex{index});
        for (const LossRow& loss : store_.losses())
            add("loss {} {} {} {} {}", loss.stream.value, loss.cpu, loss.gap.begin, loss.gap.end,
                loss.count ? static_cast<std::int64_t>(*loss.count) : -1);
        for (const ThreadInfo& thread : store_.threads().all())
            this->thread(thread);
        for (std::size_t type = 0; type < store_.types().size(); ++type)
            add("type {}/{} {}", store_.types()[type].system, store_.types()[type].name,
                store_.eventCounts()[type]);
        for (const StreamInfo& stream : store_.streams())
            add("stream {} {}", stream.name, stream.cpuCount);
        add("cpus {} from {} to {}", fmt::join(store_.cpus(), " "), store_.range().begin,
            store_.range().end);
        return std::move(lines_);
    }

private:
    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        lines_.push_back(fmt::format(format, std::forward<Values>(values)...));
    }
    void event(EventIndex event) {
        const RecordRef record = store_.record(event);
        add("{} cpu {} tid {} type {} flags {} {} record {} {}", store_.time(event),
            store_.cpu(event), store_.tid(event), store_.type(event).value, store_.flags(event),
            store_.preemptCount(event), record.stream.value, record.offset);
        fields<SchedSwitchRow>(event);
        fields<SchedWakeRow>(event);
        fields<PiSetprioRow>(event);
        fields<SchedForkRow>(event);
        fields<SchedExitRow>(event);
        fields<SchedMigrateRow>(event);
        fields<ContentionBegin>(event);
        fields<ContentionEnd>(event);
        fields<FutexEnter>(event);
        fields<FutexExit>(event);
        fields<MarkerRow>(event);
    }
    template <class Row>
    void fields(EventIndex event) {
        const EventTable<Row>& table = store_.table<Row>();
        const std::size_t row = table.find(event);
        if (row < table.size())
            say(table[row]);
    }
    void say(const SchedSwitchRow& r) {
        add("  {} {} {} ==> {} {} {}, state {} {} {}", store_.text(r.prevComm), r.prevTid,
            r.prevPrio, store_.text(r.nextComm), r.nextTid, r.nextPrio, r.rawState,
            static_cast<int>(r.prevState), r.preempted);
    }
    void say(const SchedWakeRow& r) {
        add("  {} {} {} {} {}", static_cast<int>(r.kind), store_.text(r.comm), r.tid, r.prio,
            r.targetCpu);
    }
    void say(const PiSetprioRow& r) {
        add("  {} {} {} {}", store_.text(r.comm), r.tid, r.oldPrio, r.newPrio);
    }
    void say(const SchedForkRow& r) {
        add("  {} {} {} {}", store_.text(r.parentComm), r.parentTid, store_.text(r.childComm),
            r.childTid);
    }
    void say(const SchedExitRow& r) { add("  {} {} {}", store_.text(r.comm), r.tid, r.prio); }
    void say(const SchedMigrateRow& r) {
        add("  {} {} {} {} {}", store_.text(r.comm), r.tid, r.prio, r.fromCpu, r.toCpu);
    }
    void say(const ContentionBegin& r) { add("  {} {}", r.address, r.flags); }
    void say(const ContentionEnd& r) { add("  {} {}", r.address, r.ret); }
    void say(const FutexEnter& r) { add("  {} {} {}", r.uaddr, r.op, r.val); }
    void say(const FutexExit& r) { add("  {}", r.ret); }
    void say(const MarkerRow& r) {
        add("  {} {} {} {} {} {}", static_cast<int>(r.kind), r.tgid, r.number, r.value,
            store_.text(r.subject), store_.text(r.detail));
    }
    void thread(const ThreadInfo& thread) {
        add("thread {} of {} on {} by {} from {} to {}, fork {} exit {}", thread.tid, thread.tgid,
            thread.idleCpu, thread.parent.value, thread.firstTime, thread.lastTime,
            thread.forkTime.value_or(-1), thread.exitTime.value_or(-1));
        for (const NameChange& name : thread.names)
            add("  name {} at {}", store_.text(name.name), name.time);
        add("  name {}", store_.text(thread.name));
    }

    const TraceStore& store_;
    std::vector<std::string> lines_;
};

/// Passes on everything but that something is settled: one stream cannot speak for the next.
class PatientSink final : public EventSink {
public:
    explicit PatientSink(EventSink& sink) : sink_(sink) {}

    StreamId declareStream(const StreamInfo& info) override { return sink_.declareStream(info); }
    EventTypeId declareType(const EventTypeInfo& info) override { return sink_.declareType(info); }
    void nameThread(std::int32_t tid, std::string_view comm) override {
        sink_.nameThread(tid, comm);
    }
    void threadGroup(std::int32_t tid, std::int32_t tgid) override { sink_.threadGroup(tid, tgid); }
    CpuEventSink& cpuSink(StreamId stream, int cpu) override { return sink_.cpuSink(stream, cpu); }
    [[nodiscard]] bool takesParts() const override { return true; }
    CpuEventSink& cpuPart(StreamId stream, int cpu) override { return sink_.cpuPart(stream, cpu); }

private:
    EventSink& sink_;
};

/// All that a text's source says, cut into chunks of about `chunkBytes`.
std::vector<std::string> loadedIn(std::size_t chunkBytes,
                                  const std::shared_ptr<const RecordStore>& records) {
    const TextDialect* dialect = findTextDialect(withoutByteOrderMark(textOf(*records)));
    if (dialect == nullptr)
        return {};
    auto source = TextSource::create(records, *dialect, {}, chunkBytes);
    if (!source)
        return {source.error().sentence()};
    std::vector<std::string> reports;
    TraceStoreBuilder builder;
    PatientSink patient(builder);
    const std::vector<StreamId> streams = (*source)->streams();
    EventSink& sink = streams.size() == 1 ? static_cast<EventSink&>(builder) : patient;
    for (const StreamId stream : streams) {
        const auto report = (*source)->load(stream, sink, {});
        EXPECT_TRUE(report) << report.error().sentence();
        reports.push_back(
            fmt::format("complete {} manifest {}", report->complete, report->manifest.has_value()));
        reports.insert(reports.end(), report->warnings.begin(), report->warnings.end());
    }
    auto store = std::move(builder).finish({});
    EXPECT_TRUE(store) << store.error().sentence();
    std::vector<std::string> lines = StoreText(**store).lines();
    lines.insert(lines.end(), reports.begin(), reports.end());
    lines.push_back(fmt::format("{} CPUs", (*source)->info().cpuCount));
    return lines;
}

void expectSameWhereverCut(const std::shared_ptr<const RecordStore>& records,
                           std::initializer_list<std::size_t> sizes) {
    const std::vector<std::string> whole = loadedIn(kWhole, records);
    for (const std::size_t size : sizes) {
        const std::vector<std::string> cut = loadedIn(size, records);
        const auto [a, b] = std::ranges::mismatch(whole, cut);
        EXPECT_TRUE(a == whole.end() && b == cut.end())
            << records->path() << " in chunks of " << size << ", line " << a - whole.begin()
            << "\nwhole: " << (a == whole.end() ? "the end" : *a)
            << "\ncut:   " << (b == cut.end() ? "the end" : *b);
    }
}

void expectSameWhereverCut(const std::string& text) {
    expectSameWhereverCut(RecordStore::fromBytes(text, "sample"), {1, 100, 400});
}

std::vector<std::string> textsIn(const std::string& folder) {
    std::vector<std::string> paths;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
        if (entry.is_regular_file() && entry.file_size() > 0)
            paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    return paths;
}

std::string switchLine(int tid, int cpu, double time, int next) {
    return fmt::format(
        "   t{}-{}   [{:03}] d..2.   {:.6f}: sched_switch: prev_comm=t{} prev_pid={} "
        "prev_prio=120 prev_state=D ==> next_comm=t{} next_pid={} next_prio=120\n",
        tid, tid, cpu, time, tid, tid, next, next);
}

TEST(TextChunks, EverySampleIsTheSameWhereverCut) {
    for (const std::string& path : textsIn(std::string(INVERSIGHT_TEST_DATA) + "/text"))
        expectSameWhereverCut(*RecordStore::open(path), {1, 300, 5000});
}

TEST(TextChunks, EverySharedTextIsTheSameWhereverCut) {
    const std::vector<std::string> paths = textsIn(tracesFolder());
    if (paths.empty())
        GTEST_SKIP() << "needs the shared traces in " << tracesFolder() << " or $INVERSIGHT_TRACES";
    std::size_t texts = 0;
    for (const std::string& path : paths) {
        const auto records = *RecordStore::open(path);
        const std::string_view text = textOf(*records);
        constexpr std::size_t kMost = std::size_t{8} << 20;
        const SourceFormat& pages = sourceFormats().front();
        if (text.size() > kMost || pages.looksLike(records->bytes()) ||
            findTextDialect(withoutByteOrderMark(text)) == nullptr)
            continue;
        ++texts;
        expectSameWhereverCut(records, {text.size() / 300 + 1, text.size() / 3 + 1});
    }
    EXPECT_GT(texts, 20U);
}

TEST(TextChunks, AreCutInFrontOfEvents) {
    const std::string first = "# tracer: nop\n# \nwhat\n" + switchLine(1, 0, 1, 2);
    const std::string text = first + "=> stack\n" + switchLine(2, 0, 2, 1) + "broken";
    const TextDialect& dialect = *findTextDialect(text);
    for (std::size_t bytes = 1; bytes < first.size(); ++bytes) {
        const std::vector<TextChunk> chunks = cutText(text, dialect, bytes);
        ASSERT_GE(chunks.size(), 2U);
        EXPECT_TRUE(chunks[0].end == text.find("   t1") || chunks[0].end == text.find("   t2"));
        EXPECT_EQ(chunks.back().end, text.size());
        for (std::size_t chunk = 1; chunk < chunks.size(); ++chunk)
            EXPECT_EQ(chunks[chunk].begin, chunks[chunk - 1].end);
    }
    EXPECT_EQ(cutText(text, dialect, text.size()).size(), 1U);
    EXPECT_TRUE(cutText("", dialect, 1).empty());
}

TEST(TextChunks, NamesWithNewlinesStayWhole) {
    std::string text = "# tracer: nop\n";
    for (int index = 0; index < 12; ++index)
        text += fmt::format("  a-1 [000] d..2. {}.0: sched_switch: prev_comm=x\ny prev_pid=1 "
                            "prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=1\n",
                            index);
    expectSameWhereverCut(text);
}

TEST(TextChunks, TimesThatStepBack) {
    std::string steps = "# tracer: nop\n";
    for (int index = 0; index < 60; ++index)
        steps += switchLine(index % 5 + 1, index % 3, 10 + index % 7 - index % 11, 9);
    expectSameWhereverCut(steps);
    std::string again = "# tracer: nop\n";
    for (int round = 0; round < 2; ++round) { // two traces in one file
        for (int index = 0; index < 20; ++index)
            again += switchLine(index % 5 + 1, index % 3, index, 9);
    }
    expectSameWhereverCut(again);
}

TEST(TextChunks, LossesUnparsedLinesAndBuffers) {
    std::string text = "cpus=2\n";
    for (int index = 0; index < 30; ++index) {
        const char* buffer = index % 3 == 0 ? "second:" : "       ";
        text += fmt::format("{}   task{}-{} [00{}] {}.000001: sched_waking:         comm=x pid=5 "
                            "prio=9 target_cpu=001\n",
                            buffer, index % 4, index % 4 + 1, index % 2, index);
        if (index % 5 == 2)
            text += fmt::format("CPU:{} [{} EVENTS DROPPED]\nwhat is this {}\n", index % 2, index,
                                index);
        if (index % 7 == 3)
            text += fmt::format("  t-{} [000] {}.000001: sched_wakeup: no fields {}\n", index,
                                index, index);
    }
    expectSameWhereverCut(text);
}

TEST(TextChunks, TasksThatHaveGoneAreThoseThatTheSwitchBeforeBrought) {
    std::string text;
    for (int index = 0; index < 20; ++index)
        text += fmt::format("a 1 [000] {0}.1: sched:sched_switch: prev_comm=a prev_pid=1 "
                            "prev_prio=120 prev_state=S ==> next_comm=b next_pid={1} next_prio=1\n"
                            ":-1 -1 [000] {0}.2: sched:sched_process_exec: filename=x\n",
                            index, index + 7);
    expectSameWhereverCut(text);
}

TEST(TextChunks, MoreTypesAndBuffersThanAreKept) {
    std::string types = "# tracer: nop\n";
    for (int index = 0; index < 4200; ++index)
        types += fmt::format("  a-1 [000] d..2. {}.0: event_{}: x\n", index, index % 4150);
    expectSameWhereverCut(RecordStore::fromBytes(types, "types"), {3000, 150000});
    std::string buffers = "cpus=2\n";
    for (int index = 0; index < 200; ++index)
        buffers += fmt::format("buffer{}:          task-1 [00{}] {}.000001: thing:         x\n",
                               index % 80, index % 2, index);
    expectSameWhereverCut(RecordStore::fromBytes(buffers, "buffers"), {1, 5000});
}

TEST(TextChunks, AJobThatWasStoppedIsCancelled) {
    std::string text = "# tracer: nop\n";
    for (int index = 0; index < 100; ++index)
        text += switchLine(1, 0, index, 2);
    const auto records = RecordStore::fromBytes(text, "sample");
    std::stop_source stop;
    auto source = TextSource::create(records, *findTextDialect(text), {}, 200);
    ASSERT_TRUE(source);
    TraceStoreBuilder builder;
    const JobContext job(stop.get_token(), [&](const Progress&) { stop.request_stop(); });
    const auto report = (*source)->load(StreamId{0}, builder, job);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::Cancelled);
    const auto survey = TextSource::create(records, *findTextDialect(text), job, 200);
    ASSERT_FALSE(survey);
    EXPECT_EQ(survey.error().code, ErrorCode::Cancelled);
}

} // namespace

} // namespace inversight::test
