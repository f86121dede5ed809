// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/trace/analysis/analyzed_script.h"
#include "tests/ui/boosted_rounds.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/track_view.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <gmock/gmock.h>
#include <set>

namespace inversight {
namespace {

using test::AnalyzedStore;
using test::boostedRounds;
using test::kBoostBegin;
using test::kBoostEnd;
using test::kOrigin;
using test::kRound;
using testing::HasSubstr;

/// A timeline of 1000 pixels on 10 ms: 10 us a pixel.
class Timeline : public testing::Test {
protected:
    Timeline() {
        tracks.resize(1000 + header(), 700);
        // Geometry of a hidden scroll area settles with its first picture.
        (void)tracks.grab();
        auto built =
            TrackModel::build(TrackInputs::from(trace.store, trace.results), {}, JobContext());
        model = *built;
        tracks.setModel(model);
        view.reset(model->wholeRange(), {kOrigin, kOrigin + 10'000'000});
        (void)tracks.grab();
    }
    static int header() { return Theme::of(ThemeKind::Light).sizes.laneHeader; }

    [[nodiscard]] std::size_t laneOf(std::int32_t tid) const {
        return model->laneOf(trace.thread(tid, kOrigin)).value();
    }
    [[nodiscard]] QPoint pointOf(std::int64_t time, std::size_t lane, float y) const {
        const double x = tracks.scale().positionOf(kOrigin + time);
        return {header() + static_cast<int>(x), tracks.laneArea(lane).top() + static_cast<int>(y)};
    }
    // QTest::mouseMove does not deliver moves without a button.
    void moveMouse(QPoint to, Qt::MouseButtons buttons) {
        QMouseEvent event(QEvent::MouseMove, to, tracks.viewport()->mapToGlobal(to), Qt::NoButton,
                          buttons, Qt::NoModifier);
        QCoreApplication::sendEvent(tracks.viewport(), &event);
    }
    void drag(Qt::MouseButton button, QPoint from, QPoint to) {
        QTest::mousePress(tracks.viewport(), button, {}, from);
        moveMouse((from + to) / 2, button);
        moveMouse(to, button);
        QTest::mouseRelease(tracks.viewport(), button, {}, to);
    }
    void wheel(int delta, QPoint at, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWheelEvent event(at, tracks.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(tracks.viewport(), &event);
    }

    AnalyzedStore trace{boostedRounds(20)};
    std::shared_ptr<const TrackModel> model;
    TimelineState state;
    ViewState& view = state.view;
    TrackView tracks{state};
};

TEST_F(Timeline, ShowsTenMillisecondsOnAThousandPixels) {
    ASSERT_EQ(tracks.scale().width, 1000);
    ASSERT_EQ(view.visible(), (TimeRange{kOrigin, kOrigin + 10'000'000}));
}

TEST_F(Timeline, CtrlWheelZoomsAtTheCursor) {
    wheel(120, {header() + 250, 100}, Qt::ControlModifier);
    // 0.8 of the length, 2.5 ms stay at a quarter.
    EXPECT_EQ(view.visible(), (TimeRange{kOrigin + 500'000, kOrigin + 8'500'000}));
    wheel(-120, {header() + 250, 100}, Qt::ControlModifier);
    EXPECT_EQ(view.visible(), (TimeRange{kOrigin, kOrigin + 10'000'000}));
}

TEST_F(Timeline, PlainWheelZoomsWhereThereIsNothingToScroll) {
    ASSERT_EQ(tracks.verticalScrollBar()->maximum(), 0);
    wheel(120, {header() + 250, 100});
    EXPECT_EQ(view.visible().length(), 8'000'000);
}

TEST_F(Timeline, PlainWheelScrollsLanesThatDoNotFit) {
    tracks.resize(1000 + header(), 110);
    (void)tracks.grab();
    ASSERT_GT(tracks.verticalScrollBar()->maximum(), 0);
    const TimeRange before = view.visible();
    wheel(-120, {header() + 250, 60});
    EXPECT_EQ(view.visible(), before);
    EXPECT_GT(tracks.verticalScrollBar()->value(), 0);
}

TEST_F(Timeline, ShiftWheelPans) {
    view.setVisible({kOrigin + 10'000'000, kOrigin + 20'000'000});
    wheel(-120, {header() + 250, 100}, Qt::ShiftModifier);
    EXPECT_EQ(view.visible(), (TimeRange{kOrigin + 10'900'000, kOrigin + 20'900'000}));
}

TEST_F(Timeline, MiddleDraggingMovesTheTraceWithTheHand) {
    view.setVisible({kOrigin + 10'000'000, kOrigin + 20'000'000});
    const TimeRange before = view.visible();
    const QPoint from(header() + 500, 100);
    drag(Qt::MiddleButton, from, from + QPoint(-100, 0));
    EXPECT_EQ(view.visible(), panRange(before, 1'000'000));
    moveMouse(from, Qt::NoButton); // only a tooltip
    EXPECT_EQ(view.visible(), panRange(before, 1'000'000));
}

TEST_F(Timeline, LeftDraggingSelectsARangeEitherWay) {
    const TimeRange visible = view.visible();
    drag(Qt::LeftButton, {header() + 600, 100}, {header() + 200, 110});
    EXPECT_EQ(view.visible(), visible);
    EXPECT_EQ(state.selection.range(), (TimeRange{kOrigin + 2'000'000, kOrigin + 6'000'000}));
    QTest::keyClick(&tracks, Qt::Key_F);
    EXPECT_EQ(view.visible(), (TimeRange{kOrigin, kOrigin + 12'000'000})); // clamped at the begin
    QTest::keyClick(&tracks, Qt::Key_Escape);
    EXPECT_EQ(state.selection.range(), std::nullopt);
}

TEST_F(Timeline, AClickSelectsWhatIsThereAndFFramesIt) {
    const std::size_t low = laneOf(10);
    const QPoint boost = pointOf(kRound + 500'000, low, tracks.layoutOf(low).priorityTop() + 4);
    QTest::mouseClick(tracks.viewport(), Qt::LeftButton, {}, boost);
    ASSERT_TRUE(state.selection.item());
    EXPECT_NE(state.selection.item()->as<Boost>(), nullptr);
    EXPECT_EQ(state.selection.laneKey(), model->lane(low).key());
    const TimeRange before = view.visible();
    QTest::keyClick(&tracks, Qt::Key_F);
    EXPECT_EQ(view.visible(),
              frameRange({kOrigin + kRound + kBoostBegin, kOrigin + kRound + kBoostEnd}));
    view.goBack();
    EXPECT_EQ(view.visible(), before);
    // A boost's arrow comes from its donor.
    ASSERT_EQ(tracks.arrows().size(), 1u);
    EXPECT_EQ(tracks.arrows()[0].fromLane, laneOf(30));
    EXPECT_EQ(tracks.arrows()[0].toLane, low);
}

TEST_F(Timeline, CommaAndDotGoThroughTheLanesEvents) {
    const std::size_t low = laneOf(10);
    QTest::mouseClick(tracks.viewport(), Qt::LeftButton, {},
                      pointOf(700'000, low, tracks.layoutOf(low).stateTop() + 5));
    ASSERT_TRUE(state.selection.item());
    const TimeRange running = state.selection.item()->range();
    QTest::keyClick(&tracks, Qt::Key_Period);
    const TimeRange next = state.selection.item()->range();
    EXPECT_EQ(next.begin, running.end);
    QTest::keyClick(&tracks, Qt::Key_Comma);
    EXPECT_EQ(state.selection.item()->range(), running);
    // What is selected is brought into sight.
    view.setVisible({kOrigin + 30'000'000, kOrigin + 31'000'000});
    QTest::keyClick(&tracks, Qt::Key_Period);
    EXPECT_TRUE(view.visible().contains(next.begin));
}

TEST_F(Timeline, MarkersStandAtTheMouseAndGiveTheDifference) {
    moveMouse({header() + 250, 100}, Qt::NoButton);
    QTest::keyClick(&tracks, Qt::Key_M);
    moveMouse({header() + 750, 100}, Qt::NoButton);
    QTest::keyClick(&tracks, Qt::Key_M, Qt::ShiftModifier);
    EXPECT_EQ(state.marks.marker(TimelineMarks::Marker::A), kOrigin + 2'500'000);
    EXPECT_EQ(state.marks.difference(), 5'000'000);
    QTest::keyClick(&tracks, Qt::Key_B);
    ASSERT_EQ(state.marks.bookmarks().size(), 1u);
    EXPECT_EQ(state.marks.bookmarks()[0].time, kOrigin + 7'500'000);
    view.setVisible({kOrigin + 20'000'000, kOrigin + 21'000'000});
    QTest::keyClick(&tracks, Qt::Key_BracketLeft, Qt::AltModifier);
    EXPECT_TRUE(view.visible().contains(kOrigin + 7'500'000));
}

TEST_F(Timeline, WithoutInversionsTheKeysSaySo) {
    QSignalSpy noted(&tracks, &TrackView::noted);
    QTest::keyClick(&tracks, Qt::Key_BracketRight);
    ASSERT_EQ(noted.count(), model->inversions().empty() ? 1 : 0);
}

TEST_F(Timeline, HomeAndEndGoToTheEnds) {
    QTest::keyClick(&tracks, Qt::Key_End);
    EXPECT_EQ(view.visible().end, model->wholeRange().end);
    EXPECT_EQ(view.visible().length(), 10'000'000);
    QTest::keyClick(&tracks, Qt::Key_Home);
    EXPECT_EQ(view.visible().begin, kOrigin);
}

TEST_F(Timeline, LanesArePinnedHiddenAndMovedByKeys) {
    const std::size_t first = laneOf(10);
    const std::size_t second = laneOf(30);
    const auto select = [&](std::size_t lane) {
        QTest::mouseClick(tracks.viewport(), Qt::LeftButton, {},
                          {20, tracks.laneArea(lane).center().y()});
    };
    ASSERT_LT(tracks.laneArea(first).top(), tracks.laneArea(second).top());
    select(second);
    QTest::keyClick(&tracks, Qt::Key_Up, Qt::AltModifier);
    EXPECT_GT(tracks.laneArea(first).top(), tracks.laneArea(second).top());
    QTest::keyClick(&tracks, Qt::Key_Down, Qt::AltModifier);
    EXPECT_LT(tracks.laneArea(first).top(), tracks.laneArea(second).top());
    QTest::keyClick(&tracks, Qt::Key_P);
    EXPECT_EQ(tracks.arrangement().pinnedRows, 1u);
    EXPECT_EQ(tracks.laneArea(second).top(), Theme::of(ThemeKind::Light).sizes.ruler);
    select(first);
    QTest::keyClick(&tracks, Qt::Key_H);
    EXPECT_TRUE(tracks.laneArea(first).isEmpty());
    EXPECT_THAT(tracks.hiddenText().toStdString(), HasSubstr("1 lane hidden by hand"));
    QTest::keyClick(&tracks, Qt::Key_H, Qt::ShiftModifier);
    EXPECT_FALSE(tracks.laneArea(first).isEmpty());
}

TEST_F(Timeline, ALanesNameIsDraggedToItsPlace) {
    const std::size_t first = laneOf(10);
    const std::size_t second = laneOf(30);
    drag(Qt::LeftButton, {20, tracks.laneArea(first).center().y()},
         {20, tracks.laneArea(second).center().y()});
    EXPECT_LT(tracks.laneArea(second).top(), tracks.laneArea(first).top());
    EXPECT_EQ(state.selection.range(), std::nullopt);
}

TEST_F(Timeline, AHeadingCollapsesItsGroup) {
    const std::size_t rows = tracks.arrangement().rows.size();
    ASSERT_FALSE(tracks.arrangement().rows[0].lane);
    QTest::mouseClick(tracks.viewport(), Qt::LeftButton, {}, tracks.rowArea(0).center());
    EXPECT_EQ(tracks.arrangement().rows.size(), rows - 2);
    EXPECT_TRUE(tracks.arrangement().rows[0].collapsed);
    QTest::keyClick(&tracks, Qt::Key_Space);
    EXPECT_EQ(tracks.arrangement().rows.size(), rows);
    QTest::keyClick(&tracks, Qt::Key_Down);
    EXPECT_EQ(tracks.currentRow(), 1u);
}

TEST_F(Timeline, AFilterLeavesLanesOutAndSaysSo) {
    LaneFilter filter;
    filter.text = "HIG";
    state.lanes.setFilter(filter);
    EXPECT_TRUE(tracks.laneArea(laneOf(10)).isEmpty());
    EXPECT_FALSE(tracks.laneArea(laneOf(30)).isEmpty());
    EXPECT_THAT(tracks.hiddenText().toStdString(), HasSubstr("that the filter leaves out"));
    state.lanes.setFilter({});
    EXPECT_FALSE(tracks.laneArea(laneOf(10)).isEmpty());
}

TEST_F(Timeline, EveryCommandHasAKeyAndEveryKeyIsUnique) {
    std::set<std::pair<int, int>> keys;
    for (const TrackKey& row : trackKeys()) {
        EXPECT_TRUE(keys.emplace(row.key, row.modifiers.toInt()).second) << row.keyText;
        const QKeyEvent event(QEvent::KeyPress, row.key, row.modifiers);
        EXPECT_EQ(commandFor(event), row.command) << row.keyText;
    }
    const QKeyEvent shifted(QEvent::KeyPress, Qt::Key_Plus, Qt::ShiftModifier);
    EXPECT_EQ(commandFor(shifted), TrackCommand::ZoomIn);
    const QKeyEvent control(QEvent::KeyPress, Qt::Key_S, Qt::ControlModifier);
    EXPECT_EQ(commandFor(control), std::nullopt);
}

TEST_F(Timeline, KeysZoomAtTheMouseAndPan) {
    moveMouse({header() + 500, 100}, Qt::NoButton);
    QTest::keyClick(&tracks, Qt::Key_W);
    EXPECT_EQ(view.visible(), (TimeRange{kOrigin + 1'500'000, kOrigin + 8'500'000}));
    QTest::keyClick(&tracks, Qt::Key_S);
    EXPECT_EQ(view.visible(), (TimeRange{kOrigin, kOrigin + 10'000'000}));
    QTest::keyClick(&tracks, Qt::Key_D);
    EXPECT_EQ(view.visible().begin, kOrigin + 1'500'000);
    QTest::keyClick(&tracks, Qt::Key_A);
    EXPECT_EQ(view.visible().begin, kOrigin);
    QTest::keyClick(&tracks, Qt::Key_F);
    EXPECT_EQ(view.visible(), model->wholeRange());
}

TEST_F(Timeline, DoubleClickFramesTheItem) {
    const std::size_t low = laneOf(10);
    QSignalSpy framed(&tracks, &TrackView::itemFramed);
    QTest::mouseDClick(tracks.viewport(), Qt::LeftButton, {},
                       pointOf(kRound + 500'000, low, tracks.layoutOf(low).priorityTop() + 4));
    EXPECT_EQ(view.visible(),
              frameRange({kOrigin + kRound + kBoostBegin, kOrigin + kRound + kBoostEnd}));
    EXPECT_EQ(framed.count(), 1);
}

TEST_F(Timeline, TooltipsNameWhatIsThere) {
    const std::size_t low = laneOf(10);
    const std::size_t high = laneOf(30);
    const LaneLayout& layout = tracks.layoutOf(low);
    const auto textAt = [&](std::int64_t time, std::size_t lane, float y) {
        return tracks.tooltipAt(pointOf(time, lane, y)).toStdString();
    };
    const std::string boost = textAt(500'000, low, layout.priorityTop() + 4);
    EXPECT_THAT(boost, HasSubstr("<b>low</b>: boosted from nice 0 [120] to RT 99 [0]"));
    EXPECT_THAT(boost, HasSubstr("because of high"));
    EXPECT_THAT(boost, HasSubstr("lock: i2c-2 bus lock"));
    EXPECT_THAT(boost, HasSubstr("0.000310000 s to 0.000910000 s"));
    EXPECT_THAT(boost, HasSubstr("for 600.0 us (600000 ns)"));

    const std::string blocked = textAt(500'000, high, layout.stateTop() + layout.state - 2);
    EXPECT_THAT(blocked, HasSubstr("<b>high</b>: blocked on a lock"));
    EXPECT_THAT(blocked, HasSubstr("held by low"));
    EXPECT_THAT(textAt(700'000, low, layout.stateTop() + 5), HasSubstr("running<br>on CPU 0"));
    EXPECT_THAT(textAt(500'000, low, layout.lockTop() + layout.lock - 1),
                HasSubstr("transfer on i2c-2<br>read_byte_data"));
    EXPECT_THAT(tracks.tooltipAt({20, tracks.laneArea(low).center().y()}).toStdString(),
                HasSubstr("<b>low</b><br>thread 10<br>nice 0"));
    EXPECT_EQ(tracks.tooltipAt({header() + 10, 690}), QString()); // below all lanes
}

TEST_F(Timeline, TheBoostIsPainted) {
    const QImage picture = tracks.grab().toImage();
    const std::size_t low = laneOf(10);
    const QPoint inside = pointOf(800'000, low, tracks.layoutOf(low).priorityTop() + 12);
    const QPoint beside = pointOf(1'200'000, low, tracks.layoutOf(low).priorityTop() + 12);
    const QColor ground = Theme::of(ThemeKind::Light).colours.laneLeading;
    EXPECT_EQ(picture.pixelColor(beside), ground);
    EXPECT_NE(picture.pixelColor(inside), ground);
    // 40 % of the boost's colour over the lane.
    const QColor boost = Theme::of(ThemeKind::Light).role(ThemeRole::Boost).edge;
    EXPECT_NEAR(picture.pixelColor(inside).green(), 0.4 * boost.green() + 0.6 * ground.green(), 3);
}

TEST_F(Timeline, WhatATableSelectsIsScrolledIntoSight) {
    tracks.resize(1000 + header(), 110);
    (void)tracks.grab();
    const auto select = [&](std::size_t lane) {
        TrackHit hit = model->next(lane, kOrigin);
        state.selection.selectItem(hit, model->lane(lane).key(), SelectionState::Origin::Table);
        return tracks.laneArea(lane);
    };
    EXPECT_LE(select(model->laneCount() - 1).bottom(), tracks.viewport()->height());
    EXPECT_GE(select(0).top(), Theme::of(ThemeKind::Light).sizes.ruler);
}

TEST_F(Timeline, AClickIntoTheOverviewGoesThere) {
    OverviewStrip overview(state);
    overview.setModel(model);
    overview.resize(1000 + header(), 40);
    (void)overview.grab();
    const TimeRange whole = model->wholeRange();
    QTest::mouseClick(&overview, Qt::LeftButton, {}, {header() + 500, 20});
    EXPECT_NEAR(static_cast<double>(view.visible().begin + view.visible().length() / 2),
                static_cast<double>(whole.begin + whole.length() / 2),
                static_cast<double>(whole.length()) / 900);
    EXPECT_EQ(view.visible().length(), 10'000'000);
}

TEST(Painter, AColumnsOpacityFollowsItsCoverage) {
    const Theme& theme = Theme::of(ThemeKind::Light);
    TrackGeometry geometry;
    geometry.strips.push_back({0,
                               10,
                               {{0, ThemeRole::Running, 255, 0, 10},
                                {1, ThemeRole::Running, 64, 0, 10},
                                {2, ThemeRole::Running, 1, 5, 10}}});
    const PreparedGeometry prepared = GeometryPainter(theme).prepare(geometry, 4);
    ASSERT_EQ(prepared.strips.size(), 1u);
    const QImage& image = prepared.strips[0];
    EXPECT_EQ(image.pixelColor(0, 5), theme.role(ThemeRole::Running).fill);
    EXPECT_NEAR(image.pixelColor(1, 5).alphaF(), 0.5, 0.01);
    EXPECT_GT(image.pixelColor(2, 7).alpha(), 40); // even the smallest share is seen
    EXPECT_EQ(image.pixelColor(2, 4).alpha(), 0);  // above its top
    EXPECT_EQ(image.pixelColor(3, 5).alpha(), 0);
}

TEST(Painter, TheLongestTextThatFitsIsDrawn) {
    const Theme& theme = Theme::of(ThemeKind::Light);
    const auto inkOf = [&](float width, std::vector<std::string> texts) {
        QImage image(400, 20, QImage::Format_ARGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setFont(theme.font(theme.sizes.smallFont));
        TrackGeometry geometry;
        geometry.labels.push_back({0, 0, width, 20, ThemeRole::Boost, std::move(texts)});
        GeometryPainter(theme).paint(painter, GeometryPainter(theme).prepare(geometry, 400), {});
        painter.end();
        int rightmost = -1;
        for (int x = 0; x < image.width(); ++x) {
            for (int y = 0; y < image.height(); ++y) {
                if (image.pixelColor(x, y) != Qt::white)
                    rightmost = x;
            }
        }
        return rightmost;
    };
    const int longer = inkOf(300, {"a rather long text", "short"});
    const int shorter = inkOf(60, {"a rather long text", "short"});
    EXPECT_GT(longer, 60);
    EXPECT_GT(shorter, 10);
    EXPECT_LT(shorter, 60);
    EXPECT_EQ(inkOf(12, {"a rather long text", "short"}), -1);
}

} // namespace
} // namespace inversight
