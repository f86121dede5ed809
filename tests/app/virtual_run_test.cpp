// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Runs in virtual time as a user starts them, and what their files say when they are read again.
#include "tests/app/program.h"
#include "tests/app/schema.h"
#include "tests/support/temporary_folder.h"
#include "trace/analysis/boosts.h"
#include "trace/analysis/lock_waits.h"
#include "trace/analysis/sched_runs.h"
#include "trace/decode/trace_source.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace inversight {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t kUs = 1000;

std::string bytesOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A trace file with its analyses.
struct ReadTrace {
    std::shared_ptr<const TraceStore> store;
    AnalysisResults results;
};

class VirtualRunTest : public testing::Test {
protected:
    std::vector<std::string> command(std::vector<std::string> more) const {
        std::vector<std::string> arguments{"run"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        for (const char* word : {"--engine", "virtual", "-o"})
            arguments.emplace_back(word);
        arguments.push_back(folder_.file("out"));
        return arguments;
    }
    json run(const std::string& scenario, const std::string& policies) {
        const ProgramResult result =
            runInversight(command({scenario, "--policy", policies, "--format", "json"}));
        EXPECT_EQ(result.exitStatus, 0) << result.err;
        EXPECT_TRUE(validBySchema("run", {result.out}));
        return json::parse(result.out, nullptr, false);
    }
    std::unique_ptr<ReadTrace> read(const std::string& policy) {
        auto loaded = loadTrace(folder_.file("out/" + policy + ".dat"), JobContext());
        EXPECT_TRUE(loaded) << loaded.error().sentence();
        auto trace = std::make_unique<ReadTrace>();
        trace->store = loaded->store;
        EXPECT_TRUE(runAnalyses(*trace->store, trace->results, JobContext()));
        return trace;
    }

    TemporaryFolder folder_;
};

/// "L[0,2) H[2,3) ..." in ms from the first run on, from the trace alone.
std::string timelineOf(const ReadTrace& trace) {
    std::string text;
    const auto runs = trace.results.get<SchedRuns>();
    std::optional<std::int64_t> origin;
    for (const SchedRun& run : runs->runs) {
        const std::string name = trace.store->threadName(run.thread);
        if (run.range.length() == 0 || name == "inversight" || name.starts_with("swapper") ||
            name.starts_with("<idle>"))
            continue;
        origin = origin.value_or(run.range.begin);
        text += fmt::format("{}{}[{:g},{:g})", text.empty() ? "" : " ", name,
                            static_cast<double>(run.range.begin - *origin) / 1e6,
                            static_cast<double>(run.range.end - *origin) / 1e6);
    }
    return text;
}

std::int64_t waitOf(const ReadTrace& trace, const std::string& name) {
    std::int64_t sum = 0;
    const auto waits = trace.results.get<LockWaits>();
    for (const LockWait& wait : waits->waits) {
        if (trace.store->threadName(wait.thread) == name)
            sum += wait.range.length();
    }
    return sum;
}

/// The end of the thread's last run, from the first run of all.
std::int64_t endOf(const ReadTrace& trace, const std::string& name) {
    std::int64_t end = 0;
    std::optional<std::int64_t> origin;
    const auto runs = trace.results.get<SchedRuns>();
    for (const SchedRun& run : runs->runs) {
        const std::string runner = trace.store->threadName(run.thread);
        if (!origin && !runner.starts_with("inversight") && !runner.starts_with("<idle>") &&
            !runner.starts_with("swapper"))
            origin = run.range.begin;
        if (runner == name)
            end = run.range.end - origin.value_or(0);
    }
    return end;
}

struct FileOracle {
    const char* scenario;
    const char* policy;
    const char* thread;
    std::int64_t releaseUs;
    std::int64_t waitUs;
    std::int64_t responseUs;
};

const FileOracle kFileOracles[] = {
    {"classic", "mutex-2009", "H", 2'000, 13'000, 17'000},
    {"classic", "rt_mutex", "H", 2'000, 3'000, 7'000},
    {"classic", "ceiling", "H", 2'000, 0, 7'000},
    {"bus", "mutex-2009", "H", 200, 20'120, 20'740},
    {"bus", "rt_mutex", "H", 200, 420, 1'040},
    {"bus", "ceiling", "H", 200, 420, 1'040},
    {"chain", "mutex-2009", "T4", 3'000, 16'000, 17'000},
    {"chain", "rt_mutex", "T4", 3'000, 6'000, 7'000},
    {"chain", "ceiling", "T4", 3'000, 0, 1'000},
    {"multi", "mutex-2009", "H", 3'000, 9'000, 12'000},
    {"multi", "rt_mutex", "H", 3'000, 9'000, 12'000},
    {"multi", "ceiling", "H", 3'000, 0, 4'000},
    {"queue", "mutex-2009", "H", 400, 3'600, 4'600},
    {"queue", "rt_mutex", "H", 400, 600, 1'600},
    {"queue", "ceiling", "H", 400, 600, 1'600},
    {"two-cpus", "mutex-2009", "H", 2'000, 12'000, 13'000},
    {"two-cpus", "rt_mutex", "H", 2'000, 3'000, 4'000},
    {"two-cpus", "ceiling", "H", 2'000, 2'000, 3'000},
    {"nested", "mutex-2009", "H2", 2'000, 7'000, 8'000},
    {"nested", "rt_mutex", "H2", 2'000, 2'000, 3'000},
    {"nested", "rt_mutex", "H1", 1'000, 6'000, 7'000},
    {"nested", "ceiling", "H2", 2'000, 0, 3'000},
};

TEST_F(VirtualRunTest, FilesSayWhatTheEngineMeasured) {
    std::string last;
    for (const FileOracle& oracle : kFileOracles) {
        SCOPED_TRACE(fmt::format("{} {} {}", oracle.scenario, oracle.policy, oracle.thread));
        if (last != oracle.scenario) {
            const json document = run(oracle.scenario, "mutex-2009,rt_mutex,ceiling");
            EXPECT_EQ(document.at("data").at("engine"), "virtual");
            EXPECT_EQ(document.at("complete"), true);
            EXPECT_THAT(document.at("warnings"), testing::IsEmpty());
        }
        last = oracle.scenario;
        const auto trace = read(oracle.policy);
        EXPECT_EQ(waitOf(*trace, oracle.thread), oracle.waitUs * kUs);
        EXPECT_EQ(endOf(*trace, oracle.thread) - oracle.releaseUs * kUs, oracle.responseUs * kUs);
    }
}

TEST_F(VirtualRunTest, TheTraceHasTheTimelineAndTheBoosts) {
    run("chain", "rt_mutex");
    const auto trace = read("rt_mutex");
    EXPECT_EQ(timelineOf(*trace), "T1[0,1) T2[1,2) T1[2,3) T1[3,7) T2[7,9) T4[9,10) T3[10,20) "
                                  "T1[20,21)");
    std::vector<std::string> boosts;
    const auto found = trace->results.get<Boosts>();
    for (const Boost& boost : found->boosts)
        boosts.push_back(fmt::format("{} {}->{} by {}", trace->store->threadName(boost.target),
                                     boost.fromPrio, boost.toPrio,
                                     trace->store->threadName(boost.donor)));
    EXPECT_THAT(boosts, ElementsAre("T1 98->95 by T4", "T2 97->95 by T4"));
}

TEST_F(VirtualRunTest, TheSameRunGivesTheSameBytes) {
    run("pathfinder", "rt_mutex");
    const std::string first = bytesOf(folder_.file("out/rt_mutex.dat"));
    std::filesystem::rename(folder_.file("out"), folder_.file("before"));
    run("pathfinder", "rt_mutex");
    EXPECT_EQ(first.size(), bytesOf(folder_.file("out/rt_mutex.dat")).size());
    EXPECT_TRUE(first == bytesOf(folder_.file("out/rt_mutex.dat")));
    EXPECT_GT(first.size(), 4096u);
}

TEST_F(VirtualRunTest, TraceCmdReadsTheFile) {
    run("classic", "rt_mutex");
    const ProgramResult report =
        runProgram({"trace-cmd", "report", "-N", "-i", folder_.file("out/rt_mutex.dat")});
    EXPECT_EQ(report.exitStatus, 0) << report.err;
    EXPECT_THAT(report.out, HasSubstr("sched_pi_setprio:     comm=L pid=1001 oldprio=98 "
                                      "newprio=96"));
    EXPECT_THAT(report.out, HasSubstr("\"engine\":\"virtual\""));
}

TEST_F(VirtualRunTest, TextSaysWhichEngineRanAndWhatTheJobsDid) {
    const ProgramResult result = runInversight(command({"classic", "--policy", "rt_mutex"}));
    EXPECT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("classic, policy rt_mutex: 3 workers in virtual time on 1 "
                                      "CPU, recorded in "));
    EXPECT_THAT(result.out, HasSubstr("boosted: L RT 1 -> RT 3 by H on R: 1 time, longest "
                                      "3.000 ms"));
    EXPECT_THAT(result.out, HasSubstr("7000"));
    EXPECT_EQ(result.err, "");
}

TEST_F(VirtualRunTest, ADeadlockIsSaidAndItsTraceKept) {
    const ProgramResult result = runInversight(command({"deadlock", "--policy", "rt_mutex"}));
    EXPECT_EQ(result.exitStatus, 3);
    EXPECT_THAT(result.err, HasSubstr("deadlock after 3.000 ms: L waits for B, held by H, which "
                                      "waits for A, held by L"));
    EXPECT_TRUE(std::filesystem::exists(folder_.file("out/rt_mutex.dat")));
}

TEST_F(VirtualRunTest, SettingsSeedAndDurationReachTheRun) {
    const ProgramResult result = runInversight(
        command({"i2c-bus-2009", "--policy", "rt_mutex", "--set", "thread.fifo-99.priority=50",
                 "--duration", "0.2", "--seed", "9", "--format", "json"}));
    ASSERT_EQ(result.exitStatus, 0) << result.err;
    const json data = json::parse(result.out).at("data");
    EXPECT_EQ(data.at("scenario").at("threads").at(2).at("priority"), 50);
    EXPECT_EQ(data.at("scenario").at("seed"), 9);
    EXPECT_LT(data.at("runs").at(0).at("total_ns"), 210'000'000);
    EXPECT_EQ(data.at("worker_cpu"), nullptr);
}

TEST_F(VirtualRunTest, ARefusedLayoutLeavesNoFile) {
    const ProgramResult result = runInversight(command({"i2c-bus-2009", "--policy", "ceiling"}));
    EXPECT_EQ(result.exitStatus, 1);
    EXPECT_THAT(result.err, HasSubstr("policy ceiling: prio-0 (nice 0) is no FIFO or RR thread"));
    EXPECT_FALSE(std::filesystem::exists(folder_.file("out")));
}

TEST_F(VirtualRunTest, WhatOnlyVirtualTimeCanDoIsDoneThereAndSaid) {
    const ProgramResult result = runInversight(
        {"run", "i2c-bus-2009", "--policy", "rt_mutex-nice", "--loops", "3", "--no-record"});
    EXPECT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("in virtual time"));
    EXPECT_THAT(result.err, HasSubstr("policy rt_mutex-nice exists in virtual time only"));
    const ProgramResult real = runInversight(
        {"run", "i2c-bus-2009", "--policy", "rt_mutex-nice", "--engine", "real", "--no-record"});
    EXPECT_EQ(real.exitStatus, 1);
    EXPECT_THAT(real.err, HasSubstr("policy rt_mutex-nice exists in virtual time only"));
}

} // namespace
} // namespace inversight
