// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/theme/theme.h"

#include <gtest/gtest.h>

#include <cmath>

namespace inversight {
namespace {

class EveryTheme : public testing::TestWithParam<ThemeKind> {};

TEST_P(EveryTheme, TextReadsOnItsGround) {
    const Theme& theme = Theme::of(GetParam());
    const ThemeColours& colours = theme.colours;
    for (const QColor& ground : {colours.window, colours.panel, colours.lane}) {
        EXPECT_GE(contrast(colours.text, ground), 4.5);
        EXPECT_GE(contrast(colours.mutedText, ground), 4.5);
    }
    EXPECT_GE(contrast(colours.chipText, colours.chip), 4.5);
    EXPECT_GE(contrast(colours.dangerText, colours.danger), 4.5);
    EXPECT_GE(contrast(colours.accentText, colours.accent), 4.5);
    for (const QColor& series : colours.series)
        EXPECT_GE(contrast(series, colours.panel), 3.0) << series.name().toStdString();
}

TEST_P(EveryTheme, LabelsReadOnTheBarsThatCarryThem) {
    const Theme& theme = Theme::of(GetParam());
    for (const ThemeRole role : {ThemeRole::BlockedLock, ThemeRole::Wire, ThemeRole::BoostTick})
        EXPECT_GE(contrast(theme.role(role).text, theme.role(role).fill), 4.5)
            << static_cast<int>(role);
    // A translucent area over the lane.
    const QColor& fill = theme.role(ThemeRole::Boost).fill;
    const QColor& lane = theme.colours.laneLeading;
    const float alpha = fill.alphaF();
    const auto mix = [alpha](float over, float under) {
        return alpha * over + (1 - alpha) * under;
    };
    const QColor ground =
        QColor::fromRgbF(mix(fill.redF(), lane.redF()), mix(fill.greenF(), lane.greenF()),
                         mix(fill.blueF(), lane.blueF()));
    EXPECT_GE(contrast(theme.role(ThemeRole::Boost).text, ground), 4.5);
}

TEST_P(EveryTheme, TextReadsOnLocksTintsAndNumbers) {
    const Theme& theme = Theme::of(GetParam());
    for (const ThemeRole role :
         {ThemeRole::LockHeld, ThemeRole::LockContended, ThemeRole::LockUrgent})
        EXPECT_GE(contrast(theme.role(role).text, theme.role(role).fill), 4.5)
            << static_cast<int>(role);
    for (const RoleStyle& tint : theme.tints)
        EXPECT_GE(contrast(tint.text, tint.fill), 4.5) << tint.fill.name().toStdString();
    EXPECT_GE(contrast(theme.colours.panel, theme.colours.markerA), 4.5);
    EXPECT_GE(contrast(theme.colours.panel, theme.colours.markerB), 4.5);
}

/// States that lie beside each other in a bar are told apart by shape; where shapes are alike,
/// colours differ for those who see no red or no green, too.
TEST_P(EveryTheme, ColoursDifferWithoutRedOrGreen) {
    const Theme& theme = Theme::of(GetParam());
    const auto distance = [&](ThemeRole a, ThemeRole b, ColourVision vision) {
        const QColor first = simulated(theme.role(a).fill, vision);
        const QColor second = simulated(theme.role(b).fill, vision);
        return std::abs(first.red() - second.red()) + std::abs(first.green() - second.green()) +
               std::abs(first.blue() - second.blue());
    };
    const std::pair<ThemeRole, ThemeRole> pairs[] = {
        {ThemeRole::Running, ThemeRole::Runnable},
        {ThemeRole::Runnable, ThemeRole::BlockedLock},
        {ThemeRole::Wire, ThemeRole::Uninterruptible},
        {ThemeRole::LockHeld, ThemeRole::LockContended},
        {ThemeRole::LockContended, ThemeRole::LockUrgent},
    };
    for (const ColourVision vision : {ColourVision::Deuteranopia, ColourVision::Protanopia}) {
        for (const auto& [a, b] : pairs)
            EXPECT_GE(distance(a, b, vision), 60)
                << static_cast<int>(a) << " and " << static_cast<int>(b);
    }
}

TEST_P(EveryTheme, EveryRoleHasColours) {
    const Theme& theme = Theme::of(GetParam());
    for (const RoleStyle& style : theme.roles) {
        EXPECT_TRUE(style.fill.isValid());
        EXPECT_TRUE(style.edge.isValid());
        EXPECT_TRUE(style.text.isValid());
    }
    EXPECT_EQ(theme.sizes.laneCompact.height(), 44);
}

INSTANTIATE_TEST_SUITE_P(Themes, EveryTheme, testing::Values(ThemeKind::Light, ThemeKind::Dark));

TEST(Contrast, IsWcags) {
    EXPECT_NEAR(contrast(Qt::black, Qt::white), 21, 0.01);
    EXPECT_NEAR(contrast(Qt::red, Qt::red), 1, 0.01);
}

} // namespace
} // namespace inversight
