// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/app/program.h"
#include "tests/app/recording_fixture.h"
#include "tests/app/schema.h"
#include "trace/analysis/boosts.h"
#include "trace/analysis/lock_events.h"
#include "trace/decode/trace_source.h"

#include <gmock/gmock.h>

/// `inversight run` on this machine's threads and kernel, to its normal end.
namespace inversight {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kWorkers{"prio-0", "prio-m5", "fifo-99"};
constexpr const char* kBusLock = "i2c-2 bus lock";

class RunTest : public RecordingTest {
protected:
    /// The `data` of a run of `loops` loops per worker, its document checked.
    json run(const std::string& policies, int loops) {
        const ProgramResult result =
            runInversight({"run", "i2c-bus-2009", "--policy", policies, "--loops",
                           std::to_string(loops), "-o", path("out"), "--format", "json"});
        EXPECT_EQ(result.exitStatus, 0) << result.err;
        EXPECT_TRUE(validBySchema("run", {result.out}));
        const json document = json::parse(result.out, nullptr, false);
        EXPECT_TRUE(document.at("complete")) << result.out;
        return document.at("data");
    }
};

TEST_F(RunTest, DocumentHasEveryWorkerOfEveryPolicy) {
    const json data = run("mutex-2009,rt_mutex", 30);
    ASSERT_EQ(data.at("runs").size(), 2U);
    EXPECT_EQ(data.at("runs").at(0).at("policy"), "mutex-2009");
    EXPECT_EQ(data.at("runs").at(1).at("policy"), "rt_mutex");
    EXPECT_EQ(data.at("scenario").at("threads").at(0).at("loops"), 30);
    for (const json& run : data.at("runs")) {
        std::vector<std::string> names;
        std::int64_t longest = 0;
        for (const json& thread : run.at("threads")) {
            names.push_back(thread.at("name"));
            EXPECT_EQ(thread.at("operation_count"), 30);
            EXPECT_EQ(thread.at("error_count"), 0);
            // 390 us of wire and 100 us of CPU: no read can be shorter.
            EXPECT_GE(thread.at("latency_ns").at("min"), 490'000);
            longest = std::max<std::int64_t>(longest, thread.at("run_ns"));
        }
        EXPECT_EQ(names, kWorkers);
        // All 90 reads go over one wire; and the total is the slowest worker's.
        EXPECT_GE(run.at("total_ns"), 90 * 490'000);
        EXPECT_GE(run.at("total_ns"), longest);
    }
    EXPECT_EQ(data.at("comparisons").at(0).at("after"), "rt_mutex");
    EXPECT_THAT(filesIn(path("out")), ElementsAre("mutex-2009.dat", "rt_mutex.dat"));
}

TEST_F(RunTest, EventCountsAreThoseOfTraceCmdReport) {
    run("mutex-2009,rt_mutex", 30);
    for (const char* name : {"out/mutex-2009.dat", "out/rt_mutex.dat"}) {
        const auto counts = countsByTraceCmd(path(name));
        EXPECT_GT(counts.at("sched_switch"), 90U);
        EXPECT_GE(counts.at("print"), 90U * 6); // wait, hold and xfer, each begun and ended
        EXPECT_EQ(countsByInfo(path(name)), counts) << name;
    }
}

TEST_F(RunTest, RtMutexBoostsTheHolderForFifo99) {
    const json data = run("rt_mutex", 100);
    const auto trace = loadTrace(path("out/rt_mutex.dat"), JobContext());
    ASSERT_TRUE(trace.has_value()) << trace.error().sentence();
    const TraceStore& store = *trace->store;
    AnalysisResults results;
    ASSERT_TRUE(runAnalyses(store, results, JobContext()).has_value());
    const auto waits = results.get<LockWaits>();
    const auto boosts = results.get<Boosts>();
    const auto locks = results.get<LockEvents>();
    ASSERT_TRUE(waits && boosts && locks);

    int contended = 0;
    int explained = 0;
    for (const LockWait& wait : waits->waits) {
        if (!wait.contended || store.threadName(wait.thread) != "fifo-99")
            continue;
        ++contended;
        explained += std::ranges::any_of(boosts->boosts, [&](const Boost& boost) {
            return boost.donor == wait.thread && boost.target == wait.owner && boost.lock.valid() &&
                   locks->locks[boost.lock.index()].name == kBusLock &&
                   wait.range.overlaps(boost.range) && boost.toPrio == 0;
        });
    }
    EXPECT_GE(contended, 50) << "two tight loops should keep the bus busy";
    EXPECT_GE(explained, 0.9 * contended) << explained << " of " << contended;
    EXPECT_GE(data.at("runs").at(0).at("boost_count"), explained);
    const json& group = data.at("runs").at(0).at("boosts").at(0);
    EXPECT_EQ(group.at("donor"), "fifo-99");
    EXPECT_EQ(group.at("lock"), kBusLock);
    EXPECT_EQ(group.at("to_prio"), 0);
}

TEST_F(RunTest, Mutex2009BoostsNoWorker) {
    const json data = run("mutex-2009", 100);
    EXPECT_EQ(data.at("runs").at(0).at("boost_count"), 0);
    EXPECT_TRUE(data.at("runs").at(0).at("boosts").empty());
    // ... and by the kernel's own word, read by another program.
    const ProgramResult report =
        runProgram({"trace-cmd", "report", "-i", path("out/mutex-2009.dat"), "-F",
                    "sched_pi_setprio:comm == \"prio-0\" || comm == \"prio-m5\" || comm == "
                    "\"fifo-99\""});
    EXPECT_EQ(report.exitStatus, 0) << report.err;
    EXPECT_THAT(report.out, Not(HasSubstr("sched_pi_setprio")));
}

TEST_F(RunTest, TextHasTheOriginalsColumnsTheBoostsAndTheComparison) {
    const ProgramResult result =
        runInversight({"run", "i2c-bus-2009", "--loops", "30", "-o", path("out")});
    EXPECT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("run ms"), HasSubstr("min us"), HasSubstr("max us"),
                                  HasSubstr("avg us"), HasSubstr("p50 us"), HasSubstr("p99 us"),
                                  HasSubstr("p99.9 us"), HasSubstr("count"), HasSubstr("total "),
                                  HasSubstr("boosted: no worker"), HasSubstr("lost events: none"),
                                  HasSubstr("mutex-2009 -> rt_mutex\n"), HasSubstr("FIFO 99"),
                                  HasSubstr("nice -5")));
    EXPECT_THAT(result.out, testing::ContainsRegex("boosted: prio-(0|m5) nice (0|-5) -> RT 99 by "
                                                   "fifo-99 on i2c-2 bus lock: [0-9]+ times?, "
                                                   "longest "));
}

TEST_F(RunTest, NoRecordLeavesNoFileAndKnowsNoBoosts) {
    const ProgramResult result =
        runInversight({"run", "i2c-bus-2009", "--policy", "rt_mutex", "--loops", "5", "--no-record",
                       "-o", path("out"), "--format", "json"});
    EXPECT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_TRUE(validBySchema("run", {result.out}));
    const json run = json::parse(result.out).at("data").at("runs").at(0);
    EXPECT_EQ(run.at("trace"), nullptr);
    EXPECT_EQ(run.at("boost_count"), nullptr);
    EXPECT_THAT(filesIn(path("out")), testing::IsEmpty());
}

TEST_F(RunTest, ManifestTellsTheWholeRun) {
    run("rt_mutex", 5);
    const auto trace = loadTrace(path("out/rt_mutex.dat"), JobContext());
    ASSERT_TRUE(trace.has_value()) << trace.error().sentence();
    ASSERT_TRUE(trace->report.manifest.has_value());
    const RunManifest& manifest = *trace->report.manifest;
    EXPECT_EQ(manifest.tool, "inversight " INVERSIGHT_VERSION);
    EXPECT_EQ(manifest.policy, "rt_mutex");
    EXPECT_EQ(manifest.engine, "real");
    EXPECT_EQ(manifest.clock, "mono");
    EXPECT_THAT(manifest.argv, testing::Contains("i2c-bus-2009"));
    EXPECT_THAT(manifest.systemName, HasSubstr("Linux"));
    EXPECT_THAT(manifest.rtLimits, HasSubstr("rt_runtime"));
    EXPECT_EQ(json::parse(manifest.scenario).at("threads").at(2).at("loops"), 5);
    ASSERT_EQ(manifest.threads.size(), 3U);
    EXPECT_EQ(manifest.threads[2].name, "fifo-99");
    EXPECT_EQ(manifest.threads[2].schedulingClass, "fifo");
    EXPECT_EQ(manifest.threads[2].priority, 99);
    EXPECT_EQ(manifest.threads[1].nice, -5);
}

TEST_F(RunTest, ProtocolHasAFrameAndTheResultInIt) {
    const ProgramResult result =
        runInversight({"run", "i2c-bus-2009", "--policy", "rt_mutex", "--loops", "300", "-o",
                       path("out"), "--progress=json"});
    EXPECT_EQ(result.exitStatus, 0) << result.err;
    const std::vector<json> lines = parseLines(result.out);
    ASSERT_GE(lines.size(), 4U);
    std::vector<std::string> documents;
    for (const json& line : lines)
        documents.push_back(line.dump());
    EXPECT_TRUE(validBySchema("protocol", documents));
    EXPECT_EQ(lines[0].at("type"), "hello");
    EXPECT_THAT(lines[0].at("instance").get<std::string>(),
                testing::StartsWith("inversight-" + lines[0].at("pid").dump() + "-"));
    EXPECT_EQ(lines[1].at("type"), "plan");
    EXPECT_EQ(lines[1].at("operations_total"), 900);
    EXPECT_EQ(lines[2].at("type"), "progress");
    EXPECT_EQ(lines.back().at("type"), "result");
    EXPECT_TRUE(validBySchema("run", {lines.back().at("document").dump()}));
}

} // namespace
} // namespace inversight
