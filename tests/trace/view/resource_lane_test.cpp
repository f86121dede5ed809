// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Lanes of CPUs, locks and buses; figures of a range; arrows.
#include "tests/trace/analysis/analyzed_script.h"
#include "trace/view/lock_queue.h"
#include "trace/view/range_figures.h"
#include "trace/view/track_arrows.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace inversight {
namespace {

using test::AnalyzedStore;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr LaneLayout kLockLayout{.priority = 0, .state = 16, .lock = 10, .gap = 1};

/// low holds "bus" 20..490, mid waits from 60, high (RT) from 100 to 550.
TraceScript queued() {
    TraceScript script;
    script.task(10, "low", 120).task(20, "mid", 130).task(30, "high", 0);
    script.at(0).switchTo(10).at(20).marker(WaitBegin{"bus"}).marker(HoldBegin{"bus", 1});
    script.at(25).marker(SliceEnd{}).at(30).marker(TransferBegin{"i2c-0", "read"});
    script.at(50).switchTo(20, kTaskInterruptible).at(60).marker(WaitBegin{"bus"});
    script.at(90).switchTo(30, kTaskInterruptible).at(100).marker(WaitBegin{"bus"});
    script.at(120).switchTo(0, kTaskInterruptible);
    script.at(470).waking(10).at(475).switchTo(10).at(480).marker(SliceEnd{});
    script.at(490).marker(HoldEnd{"bus", 1}).waking(30);
    script.at(540).switchTo(30, kTaskPreempted).at(550).marker(HoldBegin{"bus", 2});
    script.at(555).marker(SliceEnd{}).at(900).marker(HoldEnd{"bus", 2}).waking(20);
    script.at(950).switchTo(20, kTaskInterruptible).at(960).marker(HoldBegin{"bus", 3});
    script.at(965).marker(SliceEnd{}).at(990).marker(HoldEnd{"bus", 3});
    script.at(1000).switchTo(0, kTaskInterruptible);
    return script;
}

class Resources : public testing::Test {
protected:
    Resources() {
        const auto built =
            TrackModel::build(TrackInputs::from(trace.store, trace.results), {}, JobContext());
        model = *built;
    }
    std::size_t laneOf(LaneKind kind) const {
        std::size_t lane = 0;
        while (model->lane(lane).kind != kind)
            ++lane;
        return lane;
    }
    TrackGeometry draw(LaneKind kind, int width = 1000) const {
        return model->query(laneOf(kind), {0, 1000}, width, kLockLayout);
    }
    static std::vector<std::pair<float, float>> spans(const TrackGeometry& geometry,
                                                      ThemeRole role) {
        std::vector<std::pair<float, float>> found;
        for (const GeometryRect& rect : geometry.rects) {
            if (rect.role == role && (found.empty() || found.back().first != rect.x))
                found.emplace_back(rect.x, rect.x + rect.width);
        }
        return found;
    }

    AnalyzedStore trace{queued()};
    std::shared_ptr<const TrackModel> model;
};

TEST_F(Resources, ALocksOwnerIsColouredByItsWaiters) {
    const TrackGeometry geometry = draw(LaneKind::Lock);
    EXPECT_THAT(spans(geometry, ThemeRole::LockHeld),
                ElementsAre(std::pair(20.0F, 60.0F), std::pair(960.0F, 990.0F)));
    // mid's own priority is below low's; high's is above; behind high waits only mid again.
    EXPECT_THAT(spans(geometry, ThemeRole::LockContended),
                ElementsAre(std::pair(60.0F, 100.0F), std::pair(550.0F, 900.0F)));
    EXPECT_THAT(spans(geometry, ThemeRole::LockUrgent), ElementsAre(std::pair(100.0F, 490.0F)));
}

TEST_F(Resources, AHoldSeenTwiceCountsOnce) {
    EXPECT_EQ(model->lane(laneOf(LaneKind::Lock)).itemCount, 3u);
    EXPECT_EQ(model->lane(laneOf(LaneKind::Lock)).runningTime, 470 + 350 + 30);
}

TEST_F(Resources, ALocksQueueHasASliverPerWaiter) {
    const TrackGeometry geometry = draw(LaneKind::Lock);
    const auto depthAt = [&](float x) {
        return std::count_if(
            geometry.rects.begin(), geometry.rects.end(), [x](const GeometryRect& rect) {
                return rect.role == ThemeRole::Wait && rect.x <= x && x < rect.x + rect.width;
            });
    };
    EXPECT_EQ(depthAt(30), 0);
    EXPECT_EQ(depthAt(80), 1);
    EXPECT_EQ(depthAt(300), 2);
    EXPECT_EQ(depthAt(700), 1);
    const TrackHit hit = model->hit(laneOf(LaneKind::Lock), 300, kLockLayout.lockTop() + 2, kLockLayout, 0);
    ASSERT_NE(hit.as<LockQueue>(), nullptr);
    EXPECT_EQ(hit.as<LockQueue>()->waiterCount, 2u);
    EXPECT_TRUE(hit.as<LockQueue>()->urgent);
    EXPECT_THAT(hit.as<LockQueue>()->waiters, ElementsAre(trace.thread(30), trace.thread(20)));
}

TEST_F(Resources, ACpuShowsWhoRunsAndNothingWhileIdle) {
    const std::size_t lane = laneOf(LaneKind::Cpu);
    const TrackGeometry geometry = draw(LaneKind::Cpu);
    ASSERT_EQ(geometry.rects.size(), 6u);
    EXPECT_EQ(geometry.rects[2].x + geometry.rects[2].width, 120);
    EXPECT_EQ(geometry.rects[3].x, 475);
    EXPECT_NE(geometry.rects[0].tint, geometry.rects[1].tint);
    EXPECT_EQ(geometry.rects[0].tint, geometry.rects[3].tint); // low again
    EXPECT_EQ(model->hit(lane, 300, 5, kLockLayout, 2).range().length(), 0);
    EXPECT_EQ(model->hit(lane, 60, 5, kLockLayout, 2).thread, trace.thread(20));
    EXPECT_EQ(model->next(lane, 60).range().begin, 90);
    EXPECT_EQ(model->previous(lane, 60).range().begin, 50);
    EXPECT_EQ(model->next(lane, 960).range().length(), 0);
}

TEST_F(Resources, FoldedACpuIsAsHighAsItIsBusy) {
    const TrackGeometry geometry = draw(LaneKind::Cpu, 2); // 0..500: busy 0..120 and 475..500
    ASSERT_EQ(geometry.strips.size(), 1u);
    const PixelColumn& column = geometry.strips[0].columns[0];
    EXPECT_NEAR(column.top, kLockLayout.state * (1 - 145.0 / 500), 1);
    EXPECT_EQ(geometry.strips[0].detail, StripDetail::Folded);
}

TEST_F(Resources, ABusShowsItsTransfers) {
    const TrackGeometry geometry = draw(LaneKind::Bus);
    EXPECT_THAT(spans(geometry, ThemeRole::Wire), ElementsAre(std::pair(30.0F, 480.0F)));
    EXPECT_THAT(geometry.labels[0].texts, ElementsAre("low: read", "low"));
}

TEST_F(Resources, ARangesFigures) {
    const auto latency = trace.results.get<Latency>();
    const RangeFigures figures = rangeFigures(*model, latency.get(), {100, 600});
    EXPECT_EQ(figures.range.length(), 500);
    EXPECT_EQ(figures.waitCount, 2u);
    EXPECT_EQ(figures.longestWait, 900); // mid's, 60..960
    const auto high =
        std::find_if(figures.threads.begin(), figures.threads.end(),
                     [&](const ThreadFigures& each) { return each.thread == trace.thread(30); });
    ASSERT_NE(high, figures.threads.end());
    const auto time = [&](ThreadState state) {
        return high->states[static_cast<std::size_t>(state)];
    };
    EXPECT_EQ(time(ThreadState::Running), 20 + 60);
    EXPECT_EQ(time(ThreadState::BlockedLock), 490 - 120);
    EXPECT_EQ(time(ThreadState::RunnableWoken), 50);
    EXPECT_EQ(figures.eventCount, countEvents(*trace.store, {100, 600}));
    EXPECT_EQ(countEvents(*trace.store, {0, 1001}), trace.store->eventCount());
    EXPECT_EQ(firstEventAt(*trace.store, 5000), trace.store->eventCount());
}

TEST_F(Resources, AWaitPointsAtItsOwner) {
    const std::size_t high = *model->laneOf(trace.thread(30));
    const LockWait* wait = model->waitAt(high, 300);
    ASSERT_NE(wait, nullptr);
    EXPECT_THAT(arrowsFor(*model, {trace.thread(30), *wait}),
                ElementsAre(TrackArrow{TrackArrow::Kind::WaitsFor, high, 100,
                                       *model->laneOf(trace.thread(10)), 100}));
}

TEST_F(Resources, AWokenThreadPointsBackAtItsWaker) {
    const std::size_t high = *model->laneOf(trace.thread(30));
    const TrackHit running = model->hit(high, 600, 5, kLockLayout, 0);
    ASSERT_NE(running.as<ThreadStateInterval>(), nullptr);
    EXPECT_THAT(arrowsFor(*model, running),
                ElementsAre(TrackArrow{TrackArrow::Kind::Wake, *model->laneOf(trace.thread(10)),
                                       490, high, 490}));
    EXPECT_THAT(arrowsFor(*model, {}), IsEmpty());
}

/// The queue against a slow count at every instant.
TEST(LockQueues, EqualACountAtEveryInstant) {
    auto waits = std::make_shared<LockWaits>();
    std::vector<std::uint32_t> indices;
    std::uint64_t seed = 7;
    const auto random = [&seed](std::uint64_t below) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::int64_t>((seed >> 33) % below);
    };
    for (std::uint32_t i = 0; i < 60; ++i) {
        const std::int64_t begin = random(900);
        waits->waits.push_back({.lock = LockId{0},
                                .thread = ThreadId{i},
                                .range = {begin, begin + random(80)},
                                .owner = {},
                                .evidence = {}});
        indices.push_back(i);
    }
    TrackInputs inputs;
    inputs.waits = waits;
    const std::vector<LockQueue> queues = lockQueues(inputs, LockId{0}, indices);
    for (std::int64_t time = 0; time < 1000; ++time) {
        const auto expected =
            std::count_if(waits->waits.begin(), waits->waits.end(),
                          [time](const LockWait& wait) { return wait.range.contains(time); });
        const auto queue =
            std::find_if(queues.begin(), queues.end(),
                         [time](const LockQueue& each) { return each.range.contains(time); });
        EXPECT_EQ(queue == queues.end() ? 0 : queue->waiterCount, expected) << time;
    }
}

} // namespace
} // namespace inversight
