// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The table of analyses and the runner that brings it to an end.
#include "tests/support/trace_script.h"
#include "trace/analysis/analysis_runner.h"
#include "trace/analysis/sched_runs.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <stdexcept>

namespace inversight::test {

namespace {

using enum AnalysisId;
using Output = Result<std::shared_ptr<const void>>;

Output succeed(const TraceStore&, const AnalysisResults&, const JobContext&) {
    return std::make_shared<const int>(1);
}
Output fail(const TraceStore&, const AnalysisResults&, const JobContext&) {
    return std::unexpected(Error{ErrorCode::Corrupt, "no good"});
}
Output exhaust(const TraceStore&, const AnalysisResults&, const JobContext&) {
    throw std::bad_alloc();
}
Output stumble(const TraceStore&, const AnalysisResults&, const JobContext&) {
    throw std::runtime_error("stumbled");
}

std::shared_ptr<const TraceStore> smallTrace() {
    TraceScript script;
    script.at(10).switchTo(1).at(20).switchTo(0, kTaskInterruptible);
    return script.toStore();
}

/// Collects who was reported ready, and how often.
class Reports {
public:
    ResultReady callback() {
        return [this](AnalysisId id) {
            const std::scoped_lock lock(mutex_);
            ++counts_[id];
        };
    }
    std::map<AnalysisId, int> counts() const { return counts_; }

private:
    std::mutex mutex_;
    std::map<AnalysisId, int> counts_;
};

TEST(AnalysisTable, HasEveryIdOnceWithANameAndAnOrder) {
    std::set<AnalysisId> ids;
    std::set<std::string_view> names;
    for (const AnalysisRow& row : analyses()) {
        ids.insert(row.id);
        names.insert(row.name);
        EXPECT_FALSE(row.text.empty()) << row.name;
    }
    EXPECT_EQ(ids.size(), kAnalysisCount);
    EXPECT_EQ(names.size(), kAnalysisCount);

    const auto order = analysisOrder(analyses());
    ASSERT_TRUE(order) << order.error().sentence();
    std::set<AnalysisId> done;
    for (const std::size_t row : *order) {
        for (const AnalysisId input : analyses()[row].inputs)
            EXPECT_TRUE(done.contains(input)) << analyses()[row].name;
        done.insert(analyses()[row].id);
    }
    EXPECT_EQ(done.size(), kAnalysisCount);
}

TEST(AnalysisTable, InputsAreReadOffTheFunction) {
    const auto boosts = std::ranges::find(analyses(), Boosts, &AnalysisRow::id);
    EXPECT_THAT(boosts->inputs, testing::ElementsAre(Priorities, LockEvents, LockWaits));
    const auto runs = std::ranges::find(analyses(), SchedRuns, &AnalysisRow::id);
    EXPECT_THAT(runs->inputs, testing::IsEmpty());
}

TEST(AnalysisTable, ACycleIsNamed) {
    const std::vector<AnalysisRow> table = {{SchedRuns, "runs", "", {}, &succeed},
                                            {Boosts, "boosts", "", {SchedRuns, Bus}, &succeed},
                                            {Latency, "latency", "", {Boosts}, &succeed},
                                            {Bus, "bus", "", {Latency}, &succeed}};
    const auto order = analysisOrder(table);
    ASSERT_FALSE(order);
    EXPECT_EQ(order.error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(order.error().what,
              "analyses need each other in a circle: boosts <- bus <- latency <- boosts");
}

TEST(AnalysisTable, AMissingInputAndADoubleIdAreRefused) {
    const auto missing =
        analysisOrder(std::vector<AnalysisRow>{{Boosts, "boosts", "", {Bus}, &succeed}});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
    const auto twice = analysisOrder(
        std::vector<AnalysisRow>{{Bus, "bus", "", {}, &succeed}, {Bus, "bus2", "", {}, &succeed}});
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().what, "two analyses have one id: bus and bus2");
}

TEST(RunAnalyses, ReportsEachResultOnce) {
    const auto store = smallTrace();
    for (const unsigned workers : {0U, 1U, 2U, 8U}) {
        AnalysisResults results;
        Reports reports;
        ASSERT_TRUE(runAnalyses(*store, results, JobContext(), reports.callback(), workers));
        EXPECT_EQ(reports.counts().size(), kAnalysisCount);
        for (const auto& [id, count] : reports.counts()) {
            EXPECT_EQ(count, 1);
            EXPECT_EQ(results.state(id), AnalysisState::Ready);
        }
        ASSERT_TRUE(results.get<inversight::SchedRuns>());
        EXPECT_EQ(results.get<inversight::SchedRuns>()->runs.size(), 3U);
    }
}

TEST(RunAnalyses, AResultIsThereWhenItIsReported) {
    const auto store = smallTrace();
    AnalysisResults results;
    std::atomic<int> early = 0;
    const auto ready = [&](AnalysisId id) {
        if (results.state(id) == AnalysisState::Pending)
            ++early;
    };
    ASSERT_TRUE(runAnalyses(*store, results, JobContext(), ready));
    EXPECT_EQ(early, 0);
}

TEST(RunAnalyses, AFailureTakesItsDependentsAndNobodyElse) {
    const std::vector<AnalysisRow> table = {{SchedRuns, "runs", "", {}, &fail},
                                            {Priorities, "priorities", "", {SchedRuns}, &succeed},
                                            {Boosts, "boosts", "", {Priorities}, &succeed},
                                            {Bus, "bus", "", {}, &succeed},
                                            {LockEvents, "events", "", {}, &exhaust},
                                            {Latency, "latency", "", {}, &stumble}};
    const auto store = smallTrace();
    AnalysisResults results;
    Reports reports;
    ASSERT_TRUE(runAnalysisTable(table, *store, results, JobContext(), reports.callback(), 2));
    EXPECT_EQ(results.state(SchedRuns), AnalysisState::Failed);
    EXPECT_EQ(results.error(SchedRuns)->code, ErrorCode::Corrupt);
    EXPECT_EQ(results.state(Priorities), AnalysisState::Unavailable);
    EXPECT_EQ(results.error(Priorities)->code, ErrorCode::Unavailable);
    EXPECT_EQ(results.error(Priorities)->what, "priorities needs runs, which is not available");
    EXPECT_EQ(results.state(Boosts), AnalysisState::Unavailable);
    EXPECT_EQ(results.state(Bus), AnalysisState::Ready);
    EXPECT_FALSE(results.error(Bus));
    EXPECT_EQ(results.state(LockEvents), AnalysisState::Failed);
    EXPECT_EQ(results.error(LockEvents)->what, "not enough memory for the analysis");
    EXPECT_EQ(results.error(Latency)->what, "stumbled");
    EXPECT_EQ(reports.counts().size(), table.size());
    for (const auto& [id, count] : reports.counts())
        EXPECT_EQ(count, 1);
}

TEST(RunAnalyses, AStopSettlesEverythingAsUnavailable) {
    std::stop_source stop;
    stop.request_stop();
    const auto store = smallTrace();
    AnalysisResults results;
    Reports reports;
    const auto done =
        runAnalyses(*store, results, JobContext(stop.get_token()), reports.callback());
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::Cancelled);
    EXPECT_EQ(reports.counts().size(), kAnalysisCount);
    EXPECT_EQ(results.state(SchedRuns), AnalysisState::Unavailable);
    EXPECT_EQ(results.error(SchedRuns)->code, ErrorCode::Cancelled);
}

TEST(RunAnalyses, AnEmptyTraceHasEmptyResults) {
    const auto store = TraceScript().toStore();
    AnalysisResults results;
    ASSERT_TRUE(runAnalyses(*store, results, JobContext()));
    for (const AnalysisRow& row : analyses())
        EXPECT_EQ(results.state(row.id), AnalysisState::Ready) << row.name;
}

} // namespace

} // namespace inversight::test
