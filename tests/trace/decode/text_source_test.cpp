// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Whole texts: what becomes of every line, names, losses, clocks, refusals.
#include "text_samples.h"
#include "trace/decode/source_formats.h"
#include "trace/model/trace_store.h"
#include "trace_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace inversight::test {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kSwitch = "prev_comm=a prev_pid=10 prev_prio=120 prev_state=D ==> next_comm=b "
                            "next_pid=11 next_prio=120";

TEST(TextSource, EveryLineIsSomething) {
    const auto loaded =
        loadText("# tracer: nop\n#\n# entries-in-buffer/entries-written: 2/9   #P:4\n"
                 "   a-10   [000] d..2.   1.000000: sched_switch: " +
                 kSwitch + "\n\nwhat is this\n   a-10   [003] d..2.   1.000001: x: y\n");
    EXPECT_EQ(loaded->info.format, "ftrace text");
    EXPECT_EQ(loaded->info.cpuCount, 4);
    EXPECT_EQ(loaded->sink.eventCount(), 2U);
    EXPECT_TRUE(loaded->report.complete);
    EXPECT_THAT(loaded->report.warnings,
                ElementsAre("1 lines are neither event nor heading; the first is line 6, \"what is "
                            "this\", expected \"TASK-PID [CPU] FLAGS TIME: EVENT: ...\"",
                            HasSubstr("7 events before the first one were overwritten")));
}

TEST(TextSource, OffsetsAreWhereLinesBegin) {
    const std::string text = "# tracer: nop\r\n   a-10   [000] 1.0: x: y\r\n   a-10 [000] 2.0: z: "
                             "y\r\n";
    const auto loaded = loadText(text);
    ASSERT_EQ(loaded->count(0), 2U);
    EXPECT_EQ(loaded->event(0, 0).header.offset, text.find("   a-10   "));
    EXPECT_EQ(loaded->event(0, 1).header.offset, text.find("   a-10 [000] 2"));
    EXPECT_EQ(loaded->sink.type(loaded->event(0, 1)).name, "z");
}

TEST(TextSource, NamesAlsoBackwardInTime) {
    const auto store = storeOf(
        "           <...>-3979  [007]   217.975284: sched_stat_runtime:   comm=Thread-103 pid=3979 "
        "runtime=5014167 [ns]\n"
        "           <...>-3980  [006]   217.975300: cpu_idle:             state=0 cpu_id=6\n"
        "           <...>-3979  [007]   217.975400: sched_switch:         prev_comm=Thread-103 "
        "prev_pid=3979 prev_prio=120 prev_state=S ==> next_comm=<...> next_pid=3980 "
        "next_prio=120\n");
    ASSERT_TRUE(store);
    EXPECT_EQ(nameOf(*store, 3979), "Thread-103");
    EXPECT_EQ(nameOf(*store, 3980), "");
}

TEST(TextSource, ShortNamesGiveWayToFullOnes) {
    const auto store = storeOf("rcu_tort-71     1d..3. 10607791189us : sched_pi_setprio: "
                               "comm=rcu_torture_rea pid=71 oldprio=139 newprio=97\n");
    EXPECT_EQ(nameOf(*store, 71), "rcu_torture_rea");
}

TEST(TextSource, LossesStandBeforeTheNextEventOfTheirCpu) {
    const auto store = storeOf(
        "   a-10   [000] d..2.   1.000000: sched_switch: " + kSwitch +
        "\nCPU:0 [LOST 2 EVENTS]\n   a-10   [000] d..2.   1.900000: sched_switch: " + kSwitch +
        "\nCPU:7 [204600 EVENTS DROPPED]\nCPU:0 [LOST EVENTS]\n");
    ASSERT_EQ(store->losses().size(), 3U);
    const LossRow& first = store->losses()[0];
    EXPECT_EQ(first.cpu, 0);
    EXPECT_EQ(first.count, 2U);
    EXPECT_EQ(first.gap, (TimeRange{1'000000000, 1'900000000}));
    for (const LossRow& loss : store->losses().subspan(1))
        EXPECT_TRUE((loss.cpu == 7 && loss.count == 204600) || (loss.cpu == 0 && !loss.count));
    EXPECT_EQ(store->eventCount(), 2U);
}

TEST(TextSource, ConsoleDumps) {
    const auto loaded = loadText(
        "[10611.859409] Dumping ftrace buffer:\n[10611.859411] ---------------------------------\n"
        "[10611.859412]   rcub/1-17        1d..3. 10607791189us : sched_pi_setprio: "
        "comm=rcu_torture_rea pid=71 oldprio=139 newprio=97\n"
        "[10611.859413] CPU:1 [LOST 5 EVENTS]\n<4>[10611.859414] rcu_tort-71       1d..3. "
        "10607791203us : sched_pi_setprio: comm=rcu_torture_rea pid=71 oldprio=97 newprio=139\n");
    ASSERT_EQ(loaded->count(1), 2U);
    EXPECT_EQ(loaded->event(1, 0).header.time, 10607'791189000);
    EXPECT_EQ(loaded->event(1, 0).header.tid, 17);
    EXPECT_EQ(loaded->event(1, 1).lostBefore, 5);
    EXPECT_THAT(loaded->report.warnings, IsEmpty());
}

TEST(TextSource, CallStacksBelongToTheirEvents) {
    const auto loaded =
        loadText("  a-1 [000] d..3. 1.0: <stack trace>\n => schedule\n => worker\n");
    EXPECT_EQ(loaded->sink.type(loaded->event(0, 0)).name, "kernel_stack");
    EXPECT_THAT(loaded->report.warnings, IsEmpty());
    const auto perf = loadText("a 1 [000] 1.0: 1 cycles:uppp: \n\tffff8 x::y+0x1 (kernel)\n\n"
                               "a 1 [000] 2.0: 1 sched:sched_process_exec: filename=x\n");
    EXPECT_EQ(perf->info.format, "perf script");
    ASSERT_EQ(perf->count(0), 2U);
    EXPECT_EQ(perf->sink.type(perf->event(0, 0)).name, "cycles:uppp");
    EXPECT_EQ(perf->sink.typeName(perf->event(0, 1)), "sched/sched_process_exec");
    EXPECT_THAT(perf->report.warnings, IsEmpty());
}

TEST(TextSource, WithoutACpuIsKeptAsUnknownCpu) {
    const std::string text = "swapper 0 1.0: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 "
                             "prev_prio=120 prev_state=R ==> next_comm=b next_pid=11 next_prio=9\n"
                             "b 11 2.0: sched:sched_waking: comm=c pid=12 prio=5 target_cpu=001\n";
    const auto loaded = loadText(text);
    EXPECT_EQ(loaded->count(-1), 2U);
    EXPECT_EQ(loaded->info.cpuCount, 0);
    EXPECT_THAT(loaded->report.warnings, ElementsAre("2 events do not say their CPU"));
    const auto store = storeOf(text);
    EXPECT_THAT(store->cpus(), ElementsAre(-1));
    EXPECT_EQ(store->cpu(EventIndex{0}), -1);
    const ThreadId idle = store->thread(EventIndex{0});
    ASSERT_TRUE(idle.valid());
    EXPECT_TRUE(store->threads()[idle].isIdle());
    EXPECT_EQ(store->threadName(idle), "idle");
}

TEST(TextSource, ThreadGroupsOfTheirColumn) {
    const auto store = storeOf("  b-12   (   10) [000] ..... 1.0: x: y\n"
                               "  c-13   (-----) [000] ..... 1.1: x: y\n");
    for (const ThreadInfo& thread : store->threads().all())
        EXPECT_EQ(thread.tgid, thread.tid == 12 ? 10 : -1);
}

TEST(TextSource, BuffersOfAReportAreStreams) {
    const auto loaded = loadText("cpus=2\n                       t-293   [000]   1.000001: x:   y\n"
                                 "second:                t-293   [001]   1.000002: x:   y\n"
                                 "second:           <idle>-0     [000]   1.000003: x:   y\n");
    ASSERT_EQ(loaded->info.streams.size(), 2U);
    EXPECT_EQ(loaded->info.streams[0].name, "");
    EXPECT_EQ(loaded->info.streams[1].name, "second");
    EXPECT_EQ(loaded->sink.events(StreamId{0}, 0).size(), 1U);
    EXPECT_EQ(loaded->sink.events(StreamId{1}, 0).size(), 1U);
    EXPECT_EQ(loaded->sink.events(StreamId{1}, 1).size(), 1U);
}

TEST(TextSource, WholeTimesOfFtraceAreTicks) {
    const auto ticks = loadText("# tracer: nop\n  a-1 [000] d..3.. 39505019806: x: y\n");
    EXPECT_EQ(ticks->info.streams[0].clock.unit, ClockUnit::Ticks);
    const auto ns = loadText("cpus=1\n  a-1 [000]39505019806: x:    y\n");
    EXPECT_EQ(ns->info.streams[0].clock.unit, ClockUnit::Nanoseconds);
    EXPECT_THAT(ns->report.warnings, ElementsAre(HasSubstr("taken as nanoseconds")));
}

TEST(TextSource, PagesHoldTheTraceInScripts) {
    const auto old = loadText("<!DOCTYPE html>\n<script>\n  var linuxPerfData = \"\\\n"
                              "# tracer: nop\\n\\\n  Binder_1-340   [000] 50260.935656: 0: "
                              "C|124|StatusBar|1\\n\\\n         \\n\";\n  </script>\n");
    EXPECT_EQ(old->info.format, "systrace");
    ASSERT_EQ(old->count(0), 1U);
    EXPECT_EQ(old->event(0, 0).fields["subject"], "C|124|StatusBar|1");
    EXPECT_THAT(old->report.warnings, IsEmpty());
    const auto page =
        loadText("<!DOCTYPE html>\n<html>\n<script>if (a-1 [000] 1.0: x: y)</script>\n"
                 "<script class=\"trace-data\" type=\"application/text\">\n# tracer: nop\n"
                 "  a-1 [000] ...1 2.0: x: y\n</script>\n  a-1 [000] ...1 3.0: x: y\n</html>\n");
    EXPECT_EQ(page->count(0), 1U);
}

TEST(TextSource, QuotesAndByteOrderMarks) {
    EXPECT_EQ(loadText("\"to_ftrace(id)\"\n\"   <unknown>-937   (  937) [002] .... 1.0: x: y\"\n")
                  ->event(2, 0)
                  .header.tid,
              937);
    const auto marked = loadText("\xef\xbb\xbf"
                                 "comm  0/0  [000] 0.0: event_name: properties\n");
    EXPECT_EQ(marked->count(0), 1U);
    EXPECT_EQ(marked->event(0, 0).header.offset, 3U);
}

TEST(TextSource, FileCutInALineSaysSo) {
    const auto loaded = loadText("  a-1 [000] 1.0: x: y\n  a-1 [00");
    EXPECT_FALSE(loaded->report.complete);
    EXPECT_THAT(loaded->report.warnings,
                ElementsAre("the file ends in the middle of line 2", HasSubstr("line 2")));
}

TEST(TextSource, WithoutEventsIsEmptyOrRefused) {
    EXPECT_EQ(loadText("# tracer: nop\n#\n")->sink.eventCount(), 0U);
    EXPECT_EQ(loadText("cpus=2\n")->info.cpuCount, 2);
    EXPECT_THAT(refusedText("# tracer: nop\nnonsense\n").what,
                HasSubstr("line 2 is \"nonsense\", expected"));
}

TEST(TextSource, KnownTextsWithoutEventsAreNamed) {
    EXPECT_THAT(refusedText("# tracer: nop\n#\n0 0 7784403220 type: 322\n").what,
                HasSubstr("options/raw"));
    EXPECT_THAT(refusedText("# tracer: nop\n#\nsched_waking: comm=a pid=1\n").what,
                HasSubstr("context-info"));
    EXPECT_THAT(refusedText("# tracer: function_graph\n 0)               |  /* x: y */\n").what,
                HasSubstr("function_graph"));
    EXPECT_THAT(refusedText("1003.956560: spi_message_submit: spi16.0\n").what,
                HasSubstr("no task and no CPU"));
    EXPECT_THAT(refusedText("PERFILE2xxxx").remedy, HasSubstr("perf script"));
}

TEST(TextSource, UnknownContentNamesAllThatWasLookedFor) {
    const Error error = refusedText("hello\n");
    EXPECT_EQ(error.code, ErrorCode::Unsupported);
    for (const SourceFormat& format : sourceFormats())
        EXPECT_THAT(error.what, HasSubstr(std::string(format.name)));
    EXPECT_THAT(error.what, HasSubstr("gzip"));
}

TEST(TextSource, StopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    const JobContext job(stop.get_token());
    const auto records = RecordStore::fromBytes("  a-1 [000] 1.0: x: y\n", "sample");
    EXPECT_EQ(openTraceSource(records, job).error().code, ErrorCode::Cancelled);
    CollectingSink sink;
    auto source = openTraceSource(records);
    EXPECT_EQ((*source)->load(StreamId{0}, sink, job).error().code, ErrorCode::Cancelled);
    EXPECT_EQ((*source)->load(StreamId{1}, sink, {}).error().code, ErrorCode::NotFound);
}

TEST(TextSource, TellsHowFarItIs) {
    std::string text;
    while (text.size() < std::size_t{3} << 20)
        text += "          <idle>-0     [001] d..h2..    12.345678: some_event: with a body\n";
    std::vector<std::uint64_t> done;
    const JobContext job({}, [&](const Progress& progress) { done.push_back(progress.done); });
    auto source = openTraceSource(RecordStore::fromBytes(text, "sample"), job);
    EXPECT_GE(done.size(), 3U);
    done.clear();
    CollectingSink sink;
    ASSERT_TRUE((*source)->load(StreamId{0}, sink, job));
    EXPECT_GE(done.size(), 3U);
    EXPECT_EQ(done.back(), text.size());
}

TEST(TextSource, AnyNumberOfNamesIsBounded) {
    std::string text;
    for (int index = 0; index < 6000; ++index)
        text += fmt::format("  a-{} [{:03}] 1.0: event_{}: x\n", index + 1, index % 4096, index);
    const auto loaded = loadText(text);
    EXPECT_EQ(loaded->sink.eventCount(), 6000U);
    EXPECT_LE(loaded->sink.types.size(), 4100U);
    EXPECT_EQ(loaded->sink.count("other events"), 6000U - 4096U);
}

TEST(TextSource, CommittedSamples) {
    const std::string folder = std::string(INVERSIGHT_TEST_DATA) + "/text/";
    const std::pair<const char*, const char*> samples[] = {{"ftrace.txt", "ftrace text"},
                                                           {"latency.txt", "ftrace text"},
                                                           {"report.txt", "trace-cmd report"},
                                                           {"perf.txt", "perf script"}};
    for (const auto& [name, format] : samples) {
        const auto loaded = loadTextFile(folder + name);
        EXPECT_EQ(loaded->info.format, format) << name;
        EXPECT_EQ(loaded->sink.count("sched_switch"), 4U) << name;
        EXPECT_EQ(loaded->sink.count("sched_waking"), 2U) << name;
        EXPECT_EQ(loaded->sink.count("sched_pi_setprio"), 2U) << name;
        const CollectedEvent& last = loaded->event(0, loaded->count(0) - 1);
        EXPECT_EQ(last.fields["prev_comm"], "low job") << name;
        EXPECT_EQ(last.prevState, TaskState::Uninterruptible) << name;
    }
}

} // namespace

} // namespace inversight::test
