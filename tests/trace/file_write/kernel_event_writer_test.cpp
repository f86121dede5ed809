// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/kernel_event_writer.h"

#include "tests/support/temporary_folder.h"
#include "tests/trace/file_write/kernel_events.h"
#include "tests/trace/file_write/trace_cmd.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <limits>

namespace inversight {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

/// Writes the events; the test fails where they cannot be written.
void writeTrace(const std::string& path, const std::vector<KernelEvent>& events,
                const KernelEventWriterOptions& options = {}) {
    auto writer = KernelEventWriter::create(path, options);
    ASSERT_TRUE(writer) << writer.error().sentence();
    for (const KernelEvent& event : events)
        (*writer)->emit(event);
    const auto finished = (*writer)->finish();
    ASSERT_TRUE(finished) << finished.error().sentence();
}

KernelEvent print(std::int64_t timeNs, std::int32_t cpu, const std::string& text) {
    return {timeNs, cpu, 7, PrintEvent{text}};
}

std::vector<std::string> lines(const std::string& path, const std::string& options = "-t") {
    std::vector<std::string> result;
    for (const std::string& line : reportTrace(path, options))
        result.push_back(withoutTask(line));
    return result;
}

TEST(KernelEventWriter, EveryEventReadsAsTheKernelsOwn) {
    const TemporaryFolder folder;
    writeTrace(folder.file("all.dat"), oneOfEach());
    // -N keeps trace-cmd's plug-ins out: the lines come from our print formats.
    EXPECT_THAT(
        lines(folder.file("all.dat"), "-t -N"),
        ElementsAre(
            "[000] 1.000000001: sched_waking: comm=low pid=20 prio=120 target_cpu=001",
            "[000] 1.000000500: sched_wakeup: comm=low pid=20 prio=120 target_cpu=001",
            "[000] 1.000000600: sched_wakeup_new: comm=low pid=20 prio=120 target_cpu=001",
            "[000] 2.000000600: sched_switch: prev_comm=high prev_pid=10 prev_prio=0 prev_state=S "
            "==> next_comm=low next_pid=20 next_prio=120",
            "[000] 2.000000700: sched_pi_setprio: comm=low pid=20 oldprio=120 newprio=-1",
            "[000] 2.000000800: sched_process_fork: comm=low pid=20 child_comm=kid child_pid=21",
            "[000] 2.000000900: sched_process_exit: comm=low pid=20 prio=139",
            "[000] 2.000001000: sched_migrate_task: comm=low pid=20 prio=5 orig_cpu=0 dest_cpu=1",
            "[000] 2.000001000: contention_begin: 0xffff888012345678 (flags=SPIN|MUTEX)",
            "[000] 2.000001000: contention_end: 0xffff888012345678 (ret=-4)",
            "[000] 2.000001100: sys_enter_futex: uaddr: 0x7fff00001234, op: 0x00000086, val: "
            "0x00000063, utime: 0x00000000, uaddr2: 0x00000000, val3: 0x00000000",
            "[000] 2.000001200: sys_exit_futex: 0xfffffffffffffff5",
            "[000] 2.000001300: print: tracing_mark_write: B|20|wait bus"));
}

TEST(KernelEventWriter, RawFieldsAreWhatWasEmitted) {
    const TemporaryFolder folder;
    writeTrace(folder.file("all.dat"),
               {{5, 0, 10, SchedSwitchEvent{"high", 10, 0, kTaskInterruptible, "low", 20, 120}},
                {6, 0, 20, ContentionBeginEvent{0xffff888012345678, kContentionRt}},
                {7, 0, 20, FutexEnterEvent{0x1234, 0x86, 99}}});
    EXPECT_THAT(lines(folder.file("all.dat"), "-t -R"),
                ElementsAre("[000] 0.000000005: sched_switch: prev_comm=high prev_pid=10 "
                            "prev_prio=0 prev_state=1 next_comm=low next_pid=20 next_prio=120",
                            "[000] 0.000000006: contention_begin: lock_addr=0xffff888012345678 "
                            "flags=8",
                            "[000] 0.000000007: sys_enter_futex: __syscall_nr=202 uaddr=0x00001234 "
                            "op=0x00000086 val=0x00000063 utime=0x00000000 uaddr2=0x00000000 "
                            "val3=0x00000000"));
}

TEST(KernelEventWriter, EveryTaskStateHasItsLetter) {
    const TemporaryFolder folder;
    std::vector<KernelEvent> events;
    for (const std::uint64_t state :
         {kTaskRunning, kTaskInterruptible, kTaskUninterruptible, kTaskStopped, kTaskTraced,
          kTaskDead, kTaskZombie, kTaskParked, kTaskIdle, kTaskPreempted})
        events.push_back({5, 0, 10, SchedSwitchEvent{"a", 10, 0, state, "b", 20, 120}});
    writeTrace(folder.file("states.dat"), events);
    std::string states;
    for (const std::string& line : lines(folder.file("states.dat"), "-t -N")) {
        const std::size_t begin = line.find("prev_state=") + 11;
        states += line.substr(begin, line.find(' ', begin) - begin) + " ";
    }
    EXPECT_EQ(states, "R S D T t X Z P I R+ ");
}

TEST(KernelEventWriter, TasksAreNamedFromTheEvents) {
    const TemporaryFolder folder;
    writeTrace(folder.file("names.dat"),
               {{5, 0, 0, SchedSwitchEvent{"swapper/0", 0, 120, 0, "a (b) - c: [d]", 10, 120}},
                {6, 0, 10, SchedForkEvent{"a (b) - c: [d]", 10, "sixteen letters!", 11}},
                {7, 0, 11, PrintEvent{"from the child"}},
                {8, 0, 99, PrintEvent{"from a stranger"}}});
    const auto report = reportTrace(folder.file("names.dat"));
    ASSERT_EQ(report.size(), 4U);
    EXPECT_THAT(report[0], testing::HasSubstr("<idle>-0 "));
    EXPECT_THAT(report[1], testing::HasSubstr("a (b) - c: [d]-10 "));
    EXPECT_THAT(report[1], testing::HasSubstr("child_comm=sixteen letters child_pid=11"));
    EXPECT_THAT(report[2], testing::HasSubstr("sixteen letters-11 "));
    EXPECT_THAT(report[3], testing::HasSubstr("<...>-99 "));
}

TEST(KernelEventWriter, CpusAreMergedByTime) {
    const TemporaryFolder folder;
    writeTrace(folder.file("two.dat"),
               {print(10, 1, "b"), print(5, 0, "a"), print(30, 1, "d"), print(20, 0, "c"),
                print(40, 0, "e")},
               {.cpuCount = 3});
    EXPECT_THAT(lines(folder.file("two.dat")),
                ElementsAre("[000] 0.000000005: print: tracing_mark_write: a",
                            "[001] 0.000000010: print: tracing_mark_write: b",
                            "[000] 0.000000020: print: tracing_mark_write: c",
                            "[001] 0.000000030: print: tracing_mark_write: d",
                            "[000] 0.000000040: print: tracing_mark_write: e"));
}

/// 27 bits of time in a record, 59 with a time extend, beyond that only a page's own time.
TEST(KernelEventWriter, GapsOfAnyLengthKeepTheirNanosecond) {
    const TemporaryFolder folder;
    std::int64_t time = 1;
    std::vector<KernelEvent> events{print(time, 0, "x")};
    std::vector<std::string> expected{"[000] 0.000000001: print: tracing_mark_write: x"};
    for (const std::int64_t gap :
         {(1LL << 27) - 1, 1LL << 27, (1LL << 27) + 1, 1LL << 40, (1LL << 59) - 1, 1LL << 59}) {
        time += gap;
        events.push_back(print(time, 0, "x"));
        const std::string digits = std::to_string(time % 1000000000);
        expected.push_back("[000] " + std::to_string(time / 1000000000) + "." +
                           std::string(9 - digits.size(), '0') + digits +
                           ": print: tracing_mark_write: x");
    }
    writeTrace(folder.file("gaps.dat"), events);
    EXPECT_THAT(lines(folder.file("gaps.dat")), ElementsAreArray(expected));
}

TEST(KernelEventWriter, ManyPagesLoseNothing) {
    const TemporaryFolder folder;
    std::vector<KernelEvent> events;
    std::vector<std::string> expected;
    for (int i = 0; i < 20000; ++i) { // more than the writer keeps in memory
        events.push_back(print(i + 1000, i % 2, "number " + std::to_string(i)));
        expected.push_back("number " + std::to_string(i));
    }
    writeTrace(folder.file("many.dat"), events, {.cpuCount = 2});
    std::vector<std::string> found;
    for (const std::string& line : reportTrace(folder.file("many.dat")))
        found.push_back(line.substr(line.find("number")));
    EXPECT_EQ(found, expected);
    EXPECT_GT(std::filesystem::file_size(folder.file("many.dat")), 2U * 64 * 4096);
}

/// Around 112 bytes the length of a record moves from its header into a word of its own; around
/// 4 KiB it no longer fits beside another one.
TEST(KernelEventWriter, TextsOfAnyLengthSurvive) {
    const TemporaryFolder folder;
    std::vector<std::size_t> lengths;
    for (std::size_t length = 1; length < 140; ++length)
        lengths.push_back(length);
    for (std::size_t length = 3980; length <= 4000; ++length)
        lengths.push_back(length);
    std::vector<KernelEvent> events;
    for (const std::size_t length : lengths)
        events.push_back(print(100, 0, std::string(length, 'x')));
    writeTrace(folder.file("lengths.dat"), events);
    std::vector<std::size_t> found;
    for (const std::string& line : reportTrace(folder.file("lengths.dat")))
        found.push_back(static_cast<std::size_t>(std::count(line.begin(), line.end(), 'x')));
    EXPECT_EQ(found, lengths);
}

TEST(KernelEventWriter, AnOverlongMarkerIsCutAsTheKernelCutsIt) {
    const TemporaryFolder folder;
    writeTrace(folder.file("long.dat"), {print(5, 0, std::string(70000, 'x')), print(6, 0, "y")});
    const auto report = lines(folder.file("long.dat"));
    ASSERT_EQ(report.size(), 2U);
    EXPECT_EQ(std::count(report[0].begin(), report[0].end(), 'x'), 4000);
    EXPECT_EQ(report[1], "[000] 0.000000006: print: tracing_mark_write: y");
}

TEST(KernelEventWriter, LossesAreSaidBeforeTheNextEvent) {
    const TemporaryFolder folder;
    auto writer = KernelEventWriter::create(folder.file("lost.dat"), {.cpuCount = 2});
    ASSERT_TRUE(writer) << writer.error().sentence();
    (*writer)->emit(print(5, 1, "before"));
    (*writer)->lose(1, 1000);
    (*writer)->lose(1, 234);
    (*writer)->emit(print(9, 1, std::string(4000, 'x')));
    (*writer)->emit(print(10, 1, "after"));
    ASSERT_TRUE((*writer)->finish());
    const auto report = lines(folder.file("lost.dat"));
    ASSERT_EQ(report.size(), 4U);
    EXPECT_EQ(report[0], "[001] 0.000000005: print: tracing_mark_write: before");
    EXPECT_EQ(report[1], "[1234 EVENTS DROPPED]");
    EXPECT_EQ(std::count(report[2].begin(), report[2].end(), 'x'), 4000);
    EXPECT_EQ(report[3], "[001] 0.000000010: print: tracing_mark_write: after");
}

TEST(KernelEventWriter, TheSameEventsGiveTheSameBytes) {
    const TemporaryFolder folder;
    writeTrace(folder.file("a.dat"), oneOfEach(), {.systemName = "Linux test"});
    writeTrace(folder.file("b.dat"), oneOfEach(), {.systemName = "Linux test"});
    EXPECT_EQ(readBytes(folder.file("a.dat")), readBytes(folder.file("b.dat")));
    EXPECT_THAT(readBytes(folder.file("a.dat")), testing::HasSubstr("Linux test"));
    EXPECT_THAT(folder.names(), ElementsAre("a.dat", "b.dat"));
}

TEST(KernelEventWriter, AnEmptyTraceIsAFile) {
    const TemporaryFolder folder;
    writeTrace(folder.file("empty.dat"), {}, {.cpuCount = 2});
    EXPECT_THAT(reportTrace(folder.file("empty.dat")), ElementsAre());
}

/// What finish() says after one bad event.
Error errorOf(const std::string& path, const std::vector<KernelEvent>& events) {
    auto writer = KernelEventWriter::create(path, {.cpuCount = 2});
    EXPECT_TRUE(writer);
    for (const KernelEvent& event : events)
        (*writer)->emit(event);
    const auto finished = (*writer)->finish();
    EXPECT_FALSE(finished);
    return finished ? Error{} : finished.error();
}

TEST(KernelEventWriter, ImpossibleEventsAreErrors) {
    const TemporaryFolder folder;
    EXPECT_EQ(errorOf(folder.file("a.dat"), {print(5, 2, "x")}).sentence(),
              "the trace has only 2 CPUs (event of CPU 2 at 5 ns)");
    EXPECT_EQ(errorOf(folder.file("b.dat"), {print(5, -1, "x"), print(4, 5, "x")}).sentence(),
              "the trace has only 2 CPUs (event of CPU -1 at 5 ns)");
    EXPECT_EQ(errorOf(folder.file("c.dat"), {print(5, 0, "x"), print(4, 0, "x")}).sentence(),
              "the time goes backwards from 5 ns (event of CPU 0 at 4 ns)");
    const Error negative = errorOf(folder.file("d.dat"), {print(-1, 0, "x")});
    EXPECT_EQ(negative.code, ErrorCode::InvalidArgument);
    EXPECT_EQ(negative.sentence(), "the time goes backwards from 0 ns (event of CPU 0 at -1 ns)");
    EXPECT_FALSE(std::filesystem::exists(folder.file("a.dat")));
}

TEST(KernelEventWriter, ATraceNeedsACpu) {
    const TemporaryFolder folder;
    const auto writer = KernelEventWriter::create(folder.file("a.dat"), {.cpuCount = 0});
    ASSERT_FALSE(writer);
    EXPECT_EQ(writer.error().code, ErrorCode::InvalidArgument);
    EXPECT_THAT(folder.names(), ElementsAre());
}

} // namespace
} // namespace inversight
