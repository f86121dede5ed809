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
        tracks.resize(1000 + header(), 600);
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
    void wheel(int delta, QPoint at, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWheelEvent event(at, tracks.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(tracks.viewport(), &event);
    }

    AnalyzedStore trace{boostedRounds(20)};
    std::shared_ptr<const TrackModel> model;
    ViewState view;
    TrackView tracks{view};
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

TEST_F(Timeline, DraggingMovesTheTraceWithTheHand) {
    view.setVisible({kOrigin + 10'000'000, kOrigin + 20'000'000});
    for (const Qt::MouseButton button : {Qt::LeftButton, Qt::MiddleButton}) {
        const TimeRange before = view.visible();
        const QPoint from(header() + 500, 100);
        QTest::mousePress(tracks.viewport(), button, {}, from);
        moveMouse(from + QPoint(-100, 0), button);
        QTest::mouseRelease(tracks.viewport(), button, {}, from + QPoint(-100, 0));
        EXPECT_EQ(view.visible(), panRange(before, 1'000'000));
        moveMouse(from, Qt::NoButton); // only a tooltip
        EXPECT_EQ(view.visible(), panRange(before, 1'000'000));
    }
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
    EXPECT_EQ(tracks.tooltipAt({header() + 10, 590}), QString()); // below all lanes
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

TEST_F(Timeline, AHighlightIsScrolledIntoSight) {
    tracks.resize(1000 + header(), 110);
    (void)tracks.grab();
    const std::size_t last = model->laneCount() - 1;
    tracks.setHighlight(TrackView::Highlight{model->lane(last).thread, view.visible()});
    const QRect area = tracks.laneArea(last);
    EXPECT_LE(area.bottom(), tracks.viewport()->height());
    tracks.setHighlight(TrackView::Highlight{model->lane(0).thread, view.visible()});
    EXPECT_GE(tracks.laneArea(0).top(), Theme::of(ThemeKind::Light).sizes.ruler);
}

TEST_F(Timeline, AClickIntoTheOverviewGoesThere) {
    OverviewStrip overview(view);
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
