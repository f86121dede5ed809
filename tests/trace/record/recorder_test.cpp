// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/record/recorder.h"

#include "core/base/unique_fd.h"
#include "tests/trace/record/recorder_fixture.h"
#include "trace/record/cpu_stats.h"

#include <chrono>
#include <cstring>
#include <filesystem>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <time.h>
#include <unistd.h>

namespace inversight {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::int64_t monotonicNs() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/// "[001] 12.345678901: ..." in ns.
std::int64_t timeOf(const std::string& reportLine) {
    const std::string text = withoutTask(reportLine);
    const std::size_t dot = text.find('.');
    return std::stoll(text.substr(6, dot - 6)) * 1000000000LL + std::stoll(text.substr(dot + 1, 9));
}

int cpuOf(const std::string& reportLine) {
    return std::stoi(withoutTask(reportLine).substr(1, 3));
}

/// The statistics trace-cmd finds in the file, by CPU.
std::vector<CpuStats> statsInFile(const std::string& path) {
    std::vector<std::string> texts;
    for (const std::string& line : runTraceCmd("dump --options -i " + path).lines) {
        if (line.starts_with("CPU: "))
            texts.emplace_back();
        else if (!texts.empty())
            texts.back() += line + "\n";
    }
    std::vector<CpuStats> stats;
    for (const std::string& text : texts)
        stats.push_back(parseCpuStats(text));
    return stats;
}

TEST_F(RecorderTest, AShortRecordingHoldsItsMarkersAtTheirTimes) {
    const auto recorder = startRecorder({.output = output(), .events = {}, .recorderCpus = {}});
    ASSERT_TRUE(recorder);
    std::vector<std::int64_t> before;
    std::vector<std::int64_t> after;
    for (std::uint64_t i = 0; i < 5; ++i) {
        before.push_back(monotonicNs());
        recorder->markers().write({::getpid(), HoldBegin{"bus", i}});
        after.push_back(monotonicNs());
        std::this_thread::sleep_for(100ms);
    }
    const auto summary = recorder->stop();
    ASSERT_TRUE(summary) << summary.error().sentence();
    EXPECT_EQ(summary->path, output());
    EXPECT_EQ(summary->lostMarkerCount, 0U);
    EXPECT_THAT(folder_.names(), ElementsAre("a.dat"));
    EXPECT_THAT(ownInstances(), IsEmpty());

    const auto markers = linesWith(reportTrace(output()), "S|");
    ASSERT_THAT(markers, SizeIs(5));
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_THAT(markers[i], HasSubstr("print: "));
        EXPECT_THAT(markers[i], HasSubstr("S|" + std::to_string(::getpid()) + "|hold bus|" +
                                          std::to_string(i)));
        EXPECT_GE(timeOf(markers[i]), before[i]);
        EXPECT_LE(timeOf(markers[i]), after[i]);
    }
}

TEST_F(RecorderTest, EveryEventTheKernelCountedIsInTheFile) {
    const auto recorder = startRecorder({.output = output(), .events = {}, .recorderCpus = {}});
    ASSERT_TRUE(recorder);
    std::uint64_t lastCount = 0;
    for (int i = 0; i < 10; ++i) {
        std::this_thread::sleep_for(50ms);
        const RecorderStatus status = recorder->status();
        EXPECT_GE(status.eventCount, lastCount);
        lastCount = status.eventCount;
    }
    const auto summary = recorder->stop();
    ASSERT_TRUE(summary) << summary.error().sentence();
    EXPECT_EQ(summary->lostCount, 0U);

    const auto report = reportTrace(output());
    const auto stats = statsInFile(output());
    ASSERT_THAT(stats, SizeIs(summary->cpus.size()));
    std::vector<std::uint64_t> counts(stats.size(), 0);
    for (const std::string& line : report)
        ++counts.at(static_cast<std::size_t>(cpuOf(line)));
    for (std::size_t cpu = 0; cpu < stats.size(); ++cpu) {
        EXPECT_EQ(counts[cpu], stats[cpu].readEvents) << "CPU " << cpu;
        EXPECT_EQ(stats[cpu].entries, 0U);
    }
    const RecorderStatus status = recorder->status();
    EXPECT_EQ(status.eventCount, report.size());
    EXPECT_GE(status.eventCount, lastCount);
    EXPECT_EQ(status.bytes, summary->cpus.at(0).bytes + summary->cpus.at(1).bytes);
    EXPECT_THAT(linesWith(report, "sched_switch:"), Not(IsEmpty()));
    EXPECT_THAT(linesWith(report, "sched_waking:"), Not(IsEmpty()));
}

TEST_F(RecorderTest, GlobalSettingsAreLeftAlone) {
    const auto before = globalSettings(tracefsPath_);
    ASSERT_GT(before.size(), 30U);
    const auto recorder = startRecorder(
        {.output = output(), .events = {}, .bufferKibPerCpu = 1024, .recorderCpus = {}});
    ASSERT_TRUE(recorder);
    EXPECT_EQ(globalSettings(tracefsPath_), before);
    ASSERT_TRUE(recorder->stop());
    EXPECT_EQ(globalSettings(tracefsPath_), before);
}

TEST_F(RecorderTest, TheInstanceIsSetUpAsAsked) {
    const auto recorder = startRecorder({.output = output(),
                                         .events = {"sched:sched_switch", "lock"},
                                         .bufferKibPerCpu = 512,
                                         .recorderCpus = {},
                                         .clock = "boot"});
    ASSERT_TRUE(recorder);
    const std::string instance = tracefs("instances/" + recorder->instanceName() + "/");
    EXPECT_THAT(recorder->instanceName(),
                testing::MatchesRegex("inversight-" + std::to_string(::getpid()) + "-[0-9]+"));
    EXPECT_THAT(readBytes(instance + "trace_clock"), HasSubstr("[boot]"));
    // Whole sub-buffers, and one more for the reader.
    EXPECT_THAT(std::stoi(readBytes(instance + "per_cpu/cpu0/buffer_size_kb")),
                testing::AllOf(testing::Ge(512), testing::Lt(520)));
    EXPECT_EQ(readBytes(instance + "buffer_percent"), "50\n");
    EXPECT_EQ(readBytes(instance + "events/sched/sched_switch/enable"), "1\n");
    EXPECT_EQ(readBytes(instance + "events/sched/sched_waking/enable"), "0\n");
    EXPECT_EQ(readBytes(instance + "events/lock/enable"), "1\n");
    EXPECT_EQ(readBytes(instance + "tracing_on"), "1\n");
    ASSERT_TRUE(recorder->stop());
    EXPECT_THAT(readBytes(output()), HasSubstr("name: contention_end\n"));
    EXPECT_THAT(readBytes(output()), Not(HasSubstr("name: sched_waking\n")));
}

/// /proc/self/task/TID/status of the recorder's threads.
std::vector<std::string> readerThreads() {
    std::vector<std::string> threads;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        const std::string status = readFile(task.path() / "status").value_or("");
        if (status.starts_with("Name:\trecord-"))
            threads.push_back(status);
    }
    return threads;
}

/// Once each was seen asleep, waiting for pages: before, the C library blocks signals by itself.
std::vector<std::string> sleepingReaderThreads() {
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    for (;;) {
        const auto threads = readerThreads();
        const auto asleep = linesWith(threads, "State:\tS").size();
        if (asleep == threads.size() || std::chrono::steady_clock::now() > deadline)
            return threads;
        std::this_thread::sleep_for(5ms);
    }
}

TEST_F(RecorderTest, ReadersStayOnTheirCpusAndTakeNoSignals) {
    const auto recorder = startRecorder({.output = output(), .events = {}, .recorderCpus = {1}});
    ASSERT_TRUE(recorder);
    const auto threads = sleepingReaderThreads();
    ASSERT_THAT(threads, SizeIs(std::thread::hardware_concurrency()));
    for (const std::string& status : threads) {
        EXPECT_THAT(status, HasSubstr("Cpus_allowed_list:\t1\n"));
        // All but SIGKILL, SIGSTOP and the two the C library keeps for itself.
        EXPECT_THAT(status, HasSubstr("SigBlk:\tfffffffe7ffbfeff\n"));
    }
    ASSERT_TRUE(recorder->stop());
    EXPECT_THAT(readerThreads(), IsEmpty());
}

/// A real-time thread on the reader's own CPU keeps it from reading, and writes more than the ring
/// holds: events must get lost, and every one of them must be accounted for.
TEST_F(RecorderTest, LostEventsAreCounted) {
    const auto recorder = startRecorder({.output = output(),
                                         .events = {"sched:sched_pi_setprio"},
                                         .bufferKibPerCpu = 64,
                                         .recorderCpus = {0}});
    ASSERT_TRUE(recorder);
    constexpr std::uint64_t kWritten = 3000;
    int permission = 0;
    std::thread writer([&] {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(0, &set);
        pthread_setaffinity_np(pthread_self(), sizeof set, &set);
        const sched_param priority{.sched_priority = 1};
        permission = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority);
        for (std::uint64_t i = 0; permission == 0 && i < kWritten; ++i)
            recorder->markers().write({1, Note{std::string_view("0123456789012345678901234567")}});
    });
    writer.join();
    if (permission != 0) {
        ASSERT_TRUE(recorder->stop());
        GTEST_SKIP() << "SCHED_FIFO is not permitted: " << std::strerror(permission);
    }
    const auto summary = recorder->stop();
    ASSERT_TRUE(summary) << summary.error().sentence();
    EXPECT_EQ(summary->lostMarkerCount, 0U);
    EXPECT_GT(summary->lostCount, 100U);
    EXPECT_EQ(summary->cpus.at(0).lostCount, summary->lostCount);
    EXPECT_EQ(recorder->status().lostCount, summary->lostCount);

    const auto report = reportTrace(output());
    std::uint64_t said = 0;
    for (const std::string& line : linesWith(report, "EVENTS DROPPED]"))
        said += std::stoull(line.substr(line.find('[') + 1));
    EXPECT_EQ(said, summary->lostCount);
    EXPECT_EQ(linesWith(report, "I|1|0123").size() + summary->lostCount, kWritten);
}

TEST_F(RecorderTest, AMarkerOfTheLongestLengthIsWhole) {
    const auto recorder = startRecorder({.output = output(), .events = {}, .recorderCpus = {}});
    ASSERT_TRUE(recorder);
    recorder->markers().write({1, Note{std::string(kMaxMarkerBytes - 4, 'x')}});
    const auto summary = recorder->stop();
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->lostMarkerCount, 0U);
    EXPECT_THAT(linesWith(reportTrace(output()), "I|1|" + std::string(kMaxMarkerBytes - 4, 'x')),
                SizeIs(1));
}

TEST_F(RecorderTest, MarkersAreNamedByTheFunctionThatWritesThem) {
    const auto recorder = startRecorder({.output = output(), .events = {}, .recorderCpus = {}});
    ASSERT_TRUE(recorder);
    recorder->markers().write({1, Note{"here"}});
    ASSERT_TRUE(recorder->stop());
    if (readFile("/proc/kallsyms").value_or("").starts_with("0000000000000000"))
        GTEST_SKIP() << "the kernel hides its symbols (kernel.kptr_restrict)";
    EXPECT_THAT(linesWith(reportTrace(output()), "tracing_mark_write: I|1|here"), SizeIs(1));
    EXPECT_LT(std::filesystem::file_size(output()), 8U << 20U); // not all of kallsyms
}

TEST_F(RecorderTest, EventsTheKernelLacksAreWarnings) {
    const auto recorder =
        startRecorder({.output = output(),
                       .events = {"sched:sched_switch", "sched:no_such_event", "nosystem"},
                       .recorderCpus = {}});
    ASSERT_TRUE(recorder);
    const auto summary = recorder->stop();
    ASSERT_TRUE(summary);
    EXPECT_THAT(summary->warnings, ElementsAre("this kernel has no event sched:no_such_event",
                                               "this kernel has no event nosystem"));
}

TEST_F(RecorderTest, TheDefaultEventsAreAllHere) {
    EXPECT_THAT(defaultEvents(), SizeIs(12));
    const auto recorder = startRecorder({.output = output(), .events = {}, .recorderCpus = {}});
    ASSERT_TRUE(recorder);
    const auto summary = recorder->stop();
    ASSERT_TRUE(summary);
    EXPECT_THAT(summary->warnings, IsEmpty());
    for (const std::string& event : defaultEvents())
        EXPECT_THAT(readBytes(output()),
                    HasSubstr("name: " + event.substr(event.find(':') + 1) + "\n"));
}

} // namespace
} // namespace inversight
