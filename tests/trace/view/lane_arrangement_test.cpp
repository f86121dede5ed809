// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/trace/analysis/analyzed_script.h"
#include "trace/view/lane_arrangement.h"

#include <gmock/gmock.h>

namespace inversight {
namespace {

using test::AnalyzedStore;
using testing::ElementsAre;

/// Three threads on two CPUs; low and high share the lock "bus", other only computes.
TraceScript threeThreads() {
    TraceScript script;
    script.task(10, "low", 120).task(30, "high", 0).task(50, "other", 120);
    script.at(0).switchTo(10).at(20).marker(WaitBegin{"bus"}).marker(HoldBegin{"bus", 1});
    script.at(25).marker(SliceEnd{}).at(30).marker(TransferBegin{"i2c-0", "read"});
    script.at(90).switchTo(30, kTaskInterruptible).at(100).marker(WaitBegin{"bus"});
    script.at(120).switchTo(0, kTaskInterruptible);
    script.cpu(1).at(150).switchTo(50).at(300).switchTo(0, kTaskInterruptible).cpu(0);
    script.at(470).waking(10).at(475).switchTo(10).at(480).marker(SliceEnd{});
    script.at(490).marker(HoldEnd{"bus", 1}).waking(30);
    script.at(540).switchTo(30, kTaskPreempted).at(550).marker(HoldBegin{"bus", 2});
    script.at(555).marker(SliceEnd{}).at(900).marker(HoldEnd{"bus", 2});
    script.at(1000).switchTo(0, kTaskInterruptible);
    return script;
}

class Arranged : public testing::Test {
protected:
    Arranged() {
        const auto built =
            TrackModel::build(TrackInputs::from(trace.store, trace.results), {}, JobContext());
        model = *built;
    }
    /// Rows as words: "# kind" for headings, names for lanes.
    std::vector<std::string> rows(const LaneSettings& settings) {
        arrangement = arrangeLanes(*model, settings);
        std::vector<std::string> words;
        for (const LaneRow& row : arrangement.rows)
            words.push_back(row.lane ? nameOf(*row.lane)
                                     : "#" + std::to_string(static_cast<int>(row.group.kind)));
        const std::size_t lanes = static_cast<std::size_t>(
            std::count_if(arrangement.rows.begin(), arrangement.rows.end(),
                          [](const LaneRow& row) { return row.lane.has_value(); }));
        EXPECT_EQ(lanes + arrangement.filteredOut + arrangement.hiddenByHand +
                      arrangement.inCollapsed,
                  model->laneCount());
        return words;
    }
    std::string nameOf(std::size_t lane) const {
        const LaneInfo& info = model->lane(lane);
        return info.kind == LaneKind::Cpu ? "cpu" + std::to_string(info.cpu) : info.name;
    }

    AnalyzedStore trace{threeThreads()};
    std::shared_ptr<const TrackModel> model;
    LaneArrangement arrangement;
};

TEST_F(Arranged, ThreadsThatTakePartThenLocksBusesCpusThenTheRest) {
    EXPECT_THAT(rows({}), ElementsAre("#1", "high", "low", "#2", "bus", "#3", "i2c-0", "#4", "cpu0",
                                      "cpu1", "#5", "other"));
}

TEST_F(Arranged, TextIsLookedForInNamesAndIds) {
    LaneSettings settings;
    settings.filter.text = "IG";
    EXPECT_THAT(rows(settings), ElementsAre("#1", "high"));
    settings.filter.text = "rt 99"; // the chip
    EXPECT_THAT(rows(settings), ElementsAre("#1", "high"));
    settings.filter.text = ":50:";
    EXPECT_THAT(rows(settings), ElementsAre("#5", "other"));
}

TEST_F(Arranged, ConditionsOfThreadsConcernThreadsOnly) {
    LaneSettings settings;
    settings.filter.priorityClass = PriorityClass::RealTime;
    EXPECT_THAT(rows(settings),
                ElementsAre("#1", "high", "#2", "bus", "#3", "i2c-0", "#4", "cpu0", "cpu1"));
    settings.filter = {};
    settings.filter.cpu = 1;
    EXPECT_THAT(rows(settings),
                ElementsAre("#2", "bus", "#3", "i2c-0", "#4", "cpu0", "cpu1", "#5", "other"));
}

TEST_F(Arranged, PinnedLanesStandOnTopWhateverTheFilterSays) {
    LaneSettings settings;
    settings.pinned = {"cpu:1", "thread:10:low"};
    settings.filter.text = "high";
    EXPECT_THAT(rows(settings), ElementsAre("cpu1", "low", "#1", "high"));
    EXPECT_EQ(arrangement.pinnedRows, 2u);
}

TEST_F(Arranged, MovedLanesComeFirstInTheirGroup) {
    LaneSettings settings;
    settings.moved = {"thread:10:low", "cpu:1"};
    EXPECT_THAT(rows(settings), ElementsAre("#1", "low", "high", "#2", "bus", "#3", "i2c-0", "#4",
                                            "cpu1", "cpu0", "#5", "other"));
}

TEST_F(Arranged, CollapsedAndHiddenLanesAreCounted) {
    LaneSettings settings;
    settings.collapsed = {{LaneGroupKind::Cpus, -1}};
    settings.hidden = {"thread:50:other"};
    EXPECT_THAT(rows(settings), ElementsAre("#1", "high", "low", "#2", "bus", "#3", "i2c-0", "#4"));
    EXPECT_EQ(arrangement.inCollapsed, 2u);
    EXPECT_EQ(arrangement.hiddenByHand, 1u);
    EXPECT_TRUE(arrangement.rows.back().collapsed);
    EXPECT_EQ(arrangement.rows.back().laneCount, 2u);
}

TEST_F(Arranged, ByLockEachStandsWithItsThreads) {
    LaneSettings settings;
    settings.grouping = LaneGrouping::Lock;
    EXPECT_THAT(rows(settings), ElementsAre("#3", "i2c-0", "#4", "cpu0", "cpu1", "#5", "other",
                                            "#7", "high", "low", "bus"));
}

} // namespace
} // namespace inversight
