// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// From a hand-made trace to what is drawn: low holds "bus" and transfers, high waits and boosts it.
#include "tests/trace/analysis/analyzed_script.h"
#include "trace/view/focus_range.h"
#include "trace/view/track_model.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace inversight {
namespace {

using test::AnalyzedStore;
using test::kLockPi;
using test::kUnlockPi;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

constexpr LaneLayout kLayout{};

/// Times in ns from 0. low runs 0..90, is off CPU on the wire 90..480 while high waits from 120,
/// is boosted 110..510, high runs from 540.
TraceScript boostedScript() {
    TraceScript script;
    script.task(10, "low", 120).task(30, "high", 0).task(50, "other", 120);
    script.at(0).switchTo(10).marker(LockAnnouncement{"bus", 0x1000, LockAddressKind::Futex});
    script.at(20).marker(WaitBegin{"bus"}).marker(HoldBegin{"bus", 1}).marker(SliceEnd{});
    script.at(30).marker(TransferBegin{"i2c-0", "read"});
    script.at(90).switchTo(30, kTaskInterruptible);
    script.at(100).marker(WaitBegin{"bus"}).futexEnter(0x1000, kLockPi);
    script.at(110).setprio(10, 0);
    script.at(120).switchTo(0, kTaskInterruptible);
    script.at(470).waking(10).at(475).switchTo(10);
    script.at(480).marker(SliceEnd{});
    script.at(490).marker(HoldEnd{"bus", 1}).at(500).futexEnter(0x1000, kUnlockPi);
    script.at(510).setprio(10, 120).waking(30).at(530).futexExit(0);
    script.at(540).switchTo(30, kTaskPreempted).futexExit(0);
    script.at(550).marker(HoldBegin{"bus", 2}).marker(SliceEnd{});
    script.at(900).marker(HoldEnd{"bus", 2});
    script.at(1000).switchTo(0, kTaskInterruptible);
    return script;
}

class BoostedTrack : public testing::Test {
protected:
    std::shared_ptr<const TrackModel> build(std::vector<LeadThread> leads = {}) {
        const auto model =
            TrackModel::build(TrackInputs::from(trace.store, trace.results), leads, JobContext());
        EXPECT_TRUE(model.has_value());
        return *model;
    }
    std::size_t laneOf(const TrackModel& model, std::int32_t tid) {
        return model.laneOf(trace.thread(tid)).value();
    }

    AnalyzedStore trace{boostedScript()};
    std::shared_ptr<const TrackModel> model = build();
};

std::vector<GeometryRect> rectsOf(const TrackGeometry& geometry, ThemeRole role) {
    std::vector<GeometryRect> found;
    std::copy_if(geometry.rects.begin(), geometry.rects.end(), std::back_inserter(found),
                 [role](const GeometryRect& rect) { return rect.role == role; });
    return found;
}

TEST_F(BoostedTrack, ABoostIsAnAreaFromBaseToEffectivePriorityWithItsReason) {
    const std::size_t low = laneOf(*model, 10);
    const TrackGeometry geometry = model->query(low, {0, 1000}, 1000, kLayout);
    const std::vector<GeometryRect> boosts = rectsOf(geometry, ThemeRole::Boost);
    ASSERT_EQ(boosts.size(), 1u);
    EXPECT_EQ(boosts[0].x, 110);
    EXPECT_EQ(boosts[0].width, 400);
    EXPECT_EQ(boosts[0].shape, RectShape::Filled);
    // RT 99 stands near the row's top, nice 0 near its bottom.
    EXPECT_LT(boosts[0].y, kLayout.priorityTop() + 2);
    EXPECT_GT(boosts[0].height, kLayout.priority * 0.7F);
    const auto label = std::find_if(geometry.labels.begin(), geometry.labels.end(),
                                    [](const auto& each) { return each.role == ThemeRole::Boost; });
    ASSERT_NE(label, geometry.labels.end());
    EXPECT_THAT(label->texts, ElementsAre("\u2190 high via bus", "\u2190 high"));
}

TEST_F(BoostedTrack, ABoostTooNarrowForItsWordsHasThemBesideItWhereThereIsRoom) {
    const auto boostLabel = [&](TimeRange range, int width) {
        const TrackGeometry geometry = model->query(laneOf(*model, 10), range, width, kLayout);
        const auto label =
            std::find_if(geometry.labels.begin(), geometry.labels.end(),
                         [](const auto& each) { return each.role == ThemeRole::Boost; });
        return label == geometry.labels.end() ? GeometryLabel{} : *label;
    };
    // 110..510 of 1000 ns on 200 pixels: columns 22 to 101, and 98 free ones behind.
    const GeometryLabel beside = boostLabel({0, 1000}, 200);
    EXPECT_EQ(beside.x, 102);
    EXPECT_EQ(beside.width, 98);
    // The same boost where the picture ends behind it, and a boost wide enough.
    EXPECT_EQ(boostLabel({0, 520}, 104).x, 22);
    EXPECT_EQ(boostLabel({0, 520}, 104).width, 80);
    EXPECT_EQ(boostLabel({0, 1000}, 1000).x, 110);
}

TEST_F(BoostedTrack, StatesHaveTheShapesOfTheirMeaning) {
    const TrackGeometry low = model->query(laneOf(*model, 10), {0, 1000}, 1000, kLayout);
    const std::vector<GeometryRect> running = rectsOf(low, ThemeRole::Running);
    ASSERT_FALSE(running.empty());
    EXPECT_EQ(running[0].x, 0);
    EXPECT_EQ(running[0].width, 90);
    EXPECT_EQ(running[0].height, kLayout.state);
    const std::vector<GeometryRect> wire = rectsOf(low, ThemeRole::Wire);
    ASSERT_FALSE(wire.empty());
    EXPECT_EQ(wire[0].shape, RectShape::Dotted);
    EXPECT_EQ(wire[0].x, 90);
    EXPECT_EQ(wire[0].height, kLayout.state / 2);

    const TrackGeometry high = model->query(laneOf(*model, 30), {0, 1000}, 1000, kLayout);
    const std::vector<GeometryRect> blocked = rectsOf(high, ThemeRole::BlockedLock);
    ASSERT_EQ(blocked.size(), 1u);
    EXPECT_EQ(blocked[0].shape, RectShape::Notched);
    EXPECT_EQ(blocked[0].x, 120);
    EXPECT_EQ(blocked[0].height, 12);
    EXPECT_THAT(high.labels,
                Contains(Field(&GeometryLabel::texts, ElementsAre("bus: low", "low"))));
}

TEST_F(BoostedTrack, TheLockStripShowsHoldsWaitsAndTransfers) {
    const TrackGeometry low = model->query(laneOf(*model, 10), {0, 1000}, 1000, kLayout);
    const std::vector<GeometryRect> holds = rectsOf(low, ThemeRole::Hold);
    ASSERT_FALSE(holds.empty()); // the marker's; the rest of the unlock may be another piece
    EXPECT_EQ(holds[0].x, 20);
    EXPECT_EQ(holds[0].width, 470);
    EXPECT_EQ(holds[0].shape, RectShape::Solid);
    EXPECT_EQ(rectsOf(low, ThemeRole::Wire).back().y, kLayout.lockTop() + 4);

    const TrackGeometry high = model->query(laneOf(*model, 30), {0, 1000}, 1000, kLayout);
    const std::vector<GeometryRect> waits = rectsOf(high, ThemeRole::Wait);
    ASSERT_EQ(waits.size(), 1u);
    EXPECT_EQ(waits[0].shape, RectShape::Outline);
    EXPECT_EQ(waits[0].x, 100);
    EXPECT_EQ(waits[0].width, 450);
}

TEST_F(BoostedTrack, ZoomedOutPixelsBecomeColumns) {
    const TrackGeometry geometry = model->query(laneOf(*model, 10), {0, 1000}, 4, kLayout);
    ASSERT_FALSE(geometry.strips.empty());
    const ColumnStrip& states = geometry.strips[0];
    EXPECT_EQ(states.y, kLayout.stateTop());
    ASSERT_FALSE(states.columns.empty());
    // 0..250: running 90, then on the wire 160 of 250.
    EXPECT_EQ(states.columns[0].x, 0);
    EXPECT_EQ(states.columns[0].role, ThemeRole::Wire);
    EXPECT_EQ(states.columns[0].coverage, 163);
    EXPECT_EQ(states.columns[0].bottom, kLayout.state);
}

TEST_F(BoostedTrack, HitsNameWhatIsThere) {
    const std::size_t low = laneOf(*model, 10);
    const std::size_t high = laneOf(*model, 30);
    const auto hit = [&](std::size_t lane, std::int64_t time, float y) {
        return model->hit(lane, time, y, kLayout, 2);
    };
    const TrackHit boost = hit(low, 200, 3);
    ASSERT_NE(boost.as<Boost>(), nullptr);
    EXPECT_EQ(boost.as<Boost>()->donor, trace.thread(30));
    EXPECT_EQ(boost.range(), (TimeRange{110, 510}));

    const TrackHit priority = hit(low, 600, 3);
    ASSERT_NE(priority.as<PriorityStep>(), nullptr);
    EXPECT_EQ(priority.as<PriorityStep>()->base, 120);

    const TrackHit state = hit(low, 50, kLayout.stateTop() + 5);
    ASSERT_NE(state.as<ThreadStateInterval>(), nullptr);
    EXPECT_EQ(state.as<ThreadStateInterval>()->state, ThreadState::Running);
    EXPECT_EQ(state.range(), (TimeRange{0, 90}));

    EXPECT_NE(hit(low, 25, kLayout.lockTop() + 1).as<LockHold>(), nullptr);
    EXPECT_NE(hit(low, 200, kLayout.lockTop() + 7).as<BusTransfer>(), nullptr);
    const TrackHit wait = hit(high, 300, kLayout.lockTop() + 1);
    ASSERT_NE(wait.as<LockWait>(), nullptr);
    EXPECT_EQ(wait.as<LockWait>()->owner, trace.thread(10));
    // Two ns beside the wait still counts, three do not.
    EXPECT_NE(hit(high, 98, kLayout.lockTop() + 1).as<LockWait>(), nullptr);
    EXPECT_EQ(hit(high, 97, kLayout.lockTop() + 1).as<LockWait>(), nullptr);
}

TEST_F(BoostedTrack, LeadThreadsComeFirstAndIdleOnesAreHidden) {
    const auto led = build({{30, "FIFO 99"}, {10, ""}});
    ASSERT_EQ(led->threadLaneCount(), 2u);
    EXPECT_EQ(led->lane(0).tid, 30);
    EXPECT_EQ(led->lane(0).chip, "FIFO 99");
    EXPECT_EQ(led->lane(1).name, "low");
    EXPECT_EQ(led->lane(1).chip, "nice 0");
    EXPECT_TRUE(led->lane(1).lead);
    EXPECT_EQ(led->hiddenIdle(), 1u);
    // Without leads the one that ran longest is first.
    EXPECT_EQ(model->lane(0).tid, 30);
}

TEST_F(BoostedTrack, TheOverviewShowsLoadAndBoosts) {
    const TrackGeometry overview = model->overview({0, 1000}, 10, 40);
    ASSERT_EQ(overview.strips.size(), 2u);
    const auto& load = overview.strips[0].columns;
    const auto& ticks = overview.strips[1].columns;
    EXPECT_TRUE(std::none_of(load.begin(), load.end(), [](const PixelColumn& column) {
        return column.x == 2 || column.x == 3; // idle 120..475
    }));
    ASSERT_EQ(ticks.size(), 5u); // 110..510
    EXPECT_EQ(ticks[0].x, 1);
    EXPECT_EQ(ticks[0].coverage, coverageOf(90, 100));
    EXPECT_EQ(ticks[4].coverage, coverageOf(10, 100));
}

TEST_F(BoostedTrack, FocusFramesTheBoost) {
    const FocusRange focus = findFocus(model->inputs(), trace.results.get<Latency>().get(), 12);
    EXPECT_EQ(focus.reason, FocusRange::Reason::Boosts);
    EXPECT_EQ(focus.boostCount, 1u);
    // 110..510 would be -290..910: moved into the trace's 0..1000, all of it.
    EXPECT_EQ(focus.range, (TimeRange{0, 1000}));
}

TEST_F(BoostedTrack, ACancelledBuildSaysSo) {
    std::stop_source stop;
    stop.request_stop();
    const auto built = TrackModel::build(TrackInputs::from(trace.store, trace.results), {},
                                         JobContext(stop.get_token()));
    ASSERT_FALSE(built.has_value());
    EXPECT_EQ(built.error().code, ErrorCode::Cancelled);
}

TEST(TrackModel, LossesAreHatchedThroughAllLanes) {
    TraceScript script;
    script.task(10, "a");
    script.at(100).switchTo(10).at(400).lost(7).at(600).switchTo(0, kTaskInterruptible);
    script.at(1100).switchTo(10);
    const AnalyzedStore trace(script);
    const auto model =
        TrackModel::build(TrackInputs::from(trace.store, trace.results), {}, JobContext());
    const TrackGeometry losses = (*model)->losses({100, 1100}, 100, 500);
    ASSERT_EQ(losses.rects.size(), 1u);
    EXPECT_EQ(losses.rects[0], (GeometryRect{0, 0, 50, 500, ThemeRole::Lost, RectShape::Hatched}));
}

TEST(TrackModel, MissingAnalysesLeaveTheirPartOut) {
    const AnalyzedStore trace(boostedScript());
    TrackInputs inputs;
    inputs.store = trace.store;
    inputs.states = trace.results.get<ThreadStates>();
    const auto model = TrackModel::build(inputs, {}, JobContext());
    const TrackGeometry geometry = (*model)->query(0, {0, 1000}, 1000, kLayout);
    EXPECT_FALSE(rectsOf(geometry, ThemeRole::Running).empty());
    EXPECT_THAT(rectsOf(geometry, ThemeRole::Boost), IsEmpty());
    EXPECT_THAT(rectsOf(geometry, ThemeRole::Hold), IsEmpty());
}

TEST(PriorityLevel, HigherStandsHigher) {
    const std::vector<std::int32_t> prios{-1, 0, 49, 98, 100, 115, 120, 139};
    for (std::size_t i = 1; i < prios.size(); ++i)
        EXPECT_GT(priorityLevel(prios[i - 1]), priorityLevel(prios[i])) << prios[i];
    EXPECT_FLOAT_EQ(priorityLevel(-1), 1);
    EXPECT_FLOAT_EQ(priorityLevel(139), 0);
    EXPECT_GT(priorityLevel(98) - priorityLevel(100), 0.15F); // the gap between RT and fair
}

/// Many short boosts beat one long one; nominal boosts count only alone.
TEST(Focus, PrefersWhereManyBoostsAreCloseTogether) {
    auto boosts = std::make_shared<Boosts>();
    const auto add = [&](std::int64_t begin, std::int64_t end, bool nominal) {
        Boost boost;
        boost.range = {begin, end};
        boost.nominal = nominal;
        boosts->boosts.push_back(boost);
    };
    add(100, 1000, false);
    add(5000, 5060, false);
    add(5100, 5160, false);
    add(5200, 5260, false);
    add(5300, 5360, false);
    add(8000, 9900, true);
    auto ownership = std::make_shared<Ownership>();
    for (std::int64_t i = 0; i < 200; ++i)
        ownership->holds.push_back({.lock = {}, .thread = {}, .range = {i * 50, i * 50 + 40}});
    TraceScript script;
    script.task(1, "a").at(0).switchTo(1).at(10'000).switchTo(0);
    TrackInputs inputs;
    inputs.store = script.toStore();
    inputs.ownership = ownership;
    inputs.boosts = boosts;
    const FocusRange focus = findFocus(inputs, nullptr, 12);
    EXPECT_EQ(focus.reason, FocusRange::Reason::Boosts);
    EXPECT_EQ(focus.boostCount, 4u);
    // 12 holds are 600 long, 5000..5360 stands in their middle.
    EXPECT_EQ(focus.range, (TimeRange{4880, 5480}));
}

} // namespace
} // namespace inversight
