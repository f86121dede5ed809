// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/session/view_state.h"

#include <QSignalSpy>
#include <gtest/gtest.h>

namespace inversight {
namespace {

constexpr TimeRange kWhole{1000, 11'000};

class View : public testing::Test {
protected:
    void SetUp() override { view.reset(kWhole, {2000, 4000}); }
    ViewState view;
};

TEST_F(View, ZoomKeepsTheTimeUnderTheCursorAlsoAtTheLimits) {
    view.zoomAt(2500, 0.5);
    EXPECT_EQ(view.visible(), (TimeRange{2250, 3250}));
    view.setMinLength(800);
    view.zoomAt(2250, 0.1); // only 0.8 is possible
    EXPECT_EQ(view.visible(), (TimeRange{2250, 3050}));
    view.zoomAt(2250, 1e9);
    EXPECT_EQ(view.visible(), kWhole);
}

TEST_F(View, PanStopsAtTheEnds) {
    view.pan(-5000);
    EXPECT_EQ(view.visible(), (TimeRange{1000, 3000}));
    view.pan(100'000);
    EXPECT_EQ(view.visible(), (TimeRange{9000, 11'000}));
}

TEST_F(View, EveryStepCanBeUndoneAndRedone) {
    view.setVisible({5000, 6000});
    view.frame({7000, 7100});
    EXPECT_EQ(view.visible(), (TimeRange{6900, 7200}));
    view.goBack();
    EXPECT_EQ(view.visible(), (TimeRange{5000, 6000}));
    view.goBack();
    EXPECT_EQ(view.visible(), (TimeRange{2000, 4000}));
    EXPECT_FALSE(view.canGoBack());
    view.goForward();
    view.goForward();
    EXPECT_EQ(view.visible(), (TimeRange{6900, 7200}));
    EXPECT_FALSE(view.canGoForward());
    view.goBack();
    view.setVisible({3000, 5000});
    EXPECT_FALSE(view.canGoForward());
}

TEST_F(View, OneGestureIsOneEntry) {
    view.pan(100, ViewState::Change::Continuous);
    view.pan(100, ViewState::Change::Continuous);
    view.pan(100, ViewState::Change::Continuous);
    EXPECT_EQ(view.visible().begin, 2300);
    view.goBack();
    EXPECT_EQ(view.visible(), (TimeRange{2000, 4000}));
    EXPECT_FALSE(view.canGoBack());
}

TEST_F(View, SaysWhatChangedAndOnlyThen) {
    QSignalSpy changes(&view, &ViewState::visibleChanged);
    view.setVisible({2000, 4000});
    EXPECT_EQ(changes.count(), 0);
    view.setVisible({2000, 4001});
    EXPECT_EQ(changes.count(), 1);
    view.reset({0, 10}, {-5, 50});
    EXPECT_EQ(view.visible(), (TimeRange{0, 10}));
    EXPECT_FALSE(view.canGoBack());
}

} // namespace
} // namespace inversight
