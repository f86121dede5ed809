// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/theme/theme.h"

#include <QApplication>
#include <QStyleFactory>
#include <algorithm>
#include <cmath>

namespace inversight {

namespace {

QColor colour(QRgb rgb, int percent = 100) {
    QColor result(rgb);
    result.setAlphaF(static_cast<float>(percent) / 100.0F);
    return result;
}

/// A solid role: one colour for area and outline, and the text that reads on it.
RoleStyle solid(QRgb rgb, QRgb text) {
    return {colour(rgb), colour(rgb), colour(text)};
}

void set(Theme& theme, ThemeRole role, RoleStyle style) {
    theme.roles[static_cast<std::size_t>(role)] = std::move(style);
}

void setTints(Theme& theme, const std::array<QRgb, kTintCount>& fills, QRgb text) {
    for (std::size_t i = 0; i < fills.size(); ++i)
        theme.tints[i] = solid(fills[i], text);
}

Theme makeLight() {
    Theme theme;
    theme.kind = ThemeKind::Light;
    theme.colours = {.window = colour(0xf5f6f8),
                     .panel = colour(0xffffff),
                     .lane = colour(0xfafbfc),
                     .laneLeading = colour(0xffffff),
                     .text = colour(0x1c2127),
                     .mutedText = colour(0x59636e),
                     .separator = colour(0xd5dae0),
                     .grid = colour(0xe6e9ed),
                     .accent = colour(0x2f6fc4),
                     .accentText = colour(0xffffff),
                     .chip = colour(0xe7ebf0),
                     .chipText = colour(0x2a313a),
                     .danger = colour(0xc8323c),
                     .dangerText = colour(0xffffff),
                     .good = colour(0x1f7a45),
                     .markerA = colour(0x0b63a5),
                     .markerB = colour(0xa6480a),
                     .selection = colour(0x2f6fc4, 14),
                     .arrow = colour(0x1c2127),
                     .series = {colour(0x0b63a5), colour(0xc2540a), colour(0x7b3fa0),
                                colour(0x15803d), colour(0xa61e4d), colour(0x5f6b7a)}};
    set(theme, ThemeRole::Running, solid(0x2e9e5b, 0x06240f));
    set(theme, ThemeRole::Runnable, solid(0xe0a800, 0x2a2000));
    set(theme, ThemeRole::BlockedLock, solid(0xc8323c, 0xffffff));
    set(theme, ThemeRole::Wire, solid(0x2f6fc4, 0xffffff));
    set(theme, ThemeRole::Uninterruptible, solid(0xb06a2c, 0xffffff));
    set(theme, ThemeRole::Sleeping, solid(0xc9ced4, 0x1c2127));
    set(theme, ThemeRole::Stopped, solid(0x6b7280, 0xffffff));
    set(theme, ThemeRole::Dead, solid(0xe6e9ed, 0x1c2127));
    set(theme, ThemeRole::Unknown, solid(0x9aa0a6, 0x1c2127));
    set(theme, ThemeRole::BasePriority, solid(0x808a95, 0x1c2127));
    set(theme, ThemeRole::Boost, {colour(0x7b3fa0, 40), colour(0x7b3fa0), colour(0x2b0d3d)});
    set(theme, ThemeRole::NominalBoost,
        {colour(0x7b3fa0, 18), colour(0x7b3fa0, 60), colour(0x3f1a57)});
    set(theme, ThemeRole::Hold, solid(0x4d7c8a, 0xffffff));
    set(theme, ThemeRole::Wait, solid(0xc8323c, 0xffffff));
    set(theme, ThemeRole::Lost, {colour(0x9aa0a6, 20), colour(0x9aa0a6), colour(0x1c2127)});
    set(theme, ThemeRole::Load, solid(0x9fb4c8, 0x1c2127));
    set(theme, ThemeRole::BoostTick, solid(0x7b3fa0, 0xffffff));
    set(theme, ThemeRole::CpuRun, solid(0x8fb8de, 0x10161d));
    set(theme, ThemeRole::LockHeld, solid(0x6fbf8b, 0x06240f));
    set(theme, ThemeRole::LockContended, solid(0xe0a800, 0x2a2000));
    set(theme, ThemeRole::LockUrgent, solid(0xc8323c, 0xffffff));
    set(theme, ThemeRole::Queue, {colour(0xc8323c, 35), colour(0xc8323c), colour(0x1c2127)});
    set(theme, ThemeRole::Inversion, {colour(0xc8323c, 12), colour(0xc8323c), colour(0x1c2127)});
    set(theme, ThemeRole::Throttled, solid(0x6b7280, 0xffffff));
    set(theme, ThemeRole::Interrupt, solid(0xa61e4d, 0xffffff));
    set(theme, ThemeRole::InversionTick, solid(0xc8323c, 0xffffff));
    set(theme, ThemeRole::FoldedCount, {colour(0xffffff, 88), colour(0xd5dae0), colour(0x2a313a)});
    setTints(theme,
             {0x8fb8de, 0xf0b469, 0x8ccfae, 0xe3d067, 0xd7a1c3, 0xb5a6dc, 0xc7b79e, 0x98d1de},
             0x10161d);
    return theme;
}

Theme makeDark() {
    Theme theme;
    theme.kind = ThemeKind::Dark;
    theme.colours = {.window = colour(0x16191d),
                     .panel = colour(0x1e2228),
                     .lane = colour(0x191d22),
                     .laneLeading = colour(0x1e2228),
                     .text = colour(0xe8ebef),
                     .mutedText = colour(0xa3acb7),
                     .separator = colour(0x363d46),
                     .grid = colour(0x2a3038),
                     .accent = colour(0x5b9dff),
                     .accentText = colour(0x0b1220),
                     .chip = colour(0x323a44),
                     .chipText = colour(0xe0e5eb),
                     .danger = colour(0xff5c66),
                     .dangerText = colour(0x23060a),
                     .good = colour(0x5fd38d),
                     .markerA = colour(0x5fb2f2),
                     .markerB = colour(0xf49a5b),
                     .selection = colour(0x5b9dff, 20),
                     .arrow = colour(0xe8ebef),
                     .series = {colour(0x5fb2f2), colour(0xf49a5b), colour(0xc79be8),
                                colour(0x62d08c), colour(0xf285a8), colour(0xb4bdc8)}};
    set(theme, ThemeRole::Running, solid(0x3fbf74, 0x04170b));
    set(theme, ThemeRole::Runnable, solid(0xffcc33, 0x2a2000));
    set(theme, ThemeRole::BlockedLock, solid(0xff5c66, 0x23060a));
    set(theme, ThemeRole::Wire, solid(0x5b9dff, 0x0b1220));
    set(theme, ThemeRole::Uninterruptible, solid(0xd9924f, 0x231302));
    set(theme, ThemeRole::Sleeping, solid(0x4a5058, 0xe8ebef));
    set(theme, ThemeRole::Stopped, solid(0x8b93a1, 0x0b1220));
    set(theme, ThemeRole::Dead, solid(0x2a3038, 0xe8ebef));
    set(theme, ThemeRole::Unknown, solid(0x7d838a, 0xe8ebef));
    set(theme, ThemeRole::BasePriority, solid(0x7f8994, 0x0b1220));
    set(theme, ThemeRole::Boost, {colour(0xb57edc, 40), colour(0xb57edc), colour(0xf7efff)});
    set(theme, ThemeRole::NominalBoost,
        {colour(0xb57edc, 18), colour(0xb57edc, 60), colour(0xe6d3f5)});
    set(theme, ThemeRole::Hold, solid(0x6fa8b8, 0x06191f));
    set(theme, ThemeRole::Wait, solid(0xff5c66, 0x23060a));
    set(theme, ThemeRole::Lost, {colour(0x7d838a, 20), colour(0x7d838a), colour(0xe8ebef)});
    set(theme, ThemeRole::Load, solid(0x51667c, 0xe8ebef));
    set(theme, ThemeRole::BoostTick, solid(0xb57edc, 0x1a0826));
    set(theme, ThemeRole::CpuRun, solid(0x6aa3d6, 0x0b1014));
    set(theme, ThemeRole::LockHeld, solid(0x4fae77, 0x04170b));
    set(theme, ThemeRole::LockContended, solid(0xffcc33, 0x2a2000));
    set(theme, ThemeRole::LockUrgent, solid(0xff5c66, 0x23060a));
    set(theme, ThemeRole::Queue, {colour(0xff5c66, 35), colour(0xff5c66), colour(0xe8ebef)});
    set(theme, ThemeRole::Inversion, {colour(0xff5c66, 16), colour(0xff5c66), colour(0xe8ebef)});
    set(theme, ThemeRole::Throttled, solid(0x8b93a1, 0x0b1220));
    set(theme, ThemeRole::Interrupt, solid(0xf285a8, 0x23060a));
    set(theme, ThemeRole::InversionTick, solid(0xff5c66, 0x23060a));
    set(theme, ThemeRole::FoldedCount, {colour(0x16191d, 85), colour(0x363d46), colour(0xe0e5eb)});
    setTints(theme,
             {0x6aa3d6, 0xdc9a4c, 0x57b58d, 0xcdb83f, 0xc883ae, 0xa08ad6, 0xb09c7c, 0x66b6c8},
             0x0b1014);
    return theme;
}

double linear(double channel) {
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double gamma(double channel) {
    const double value = std::clamp(channel, 0.0, 1.0);
    return value <= 0.0031308 ? value * 12.92 : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
}

double luminance(const QColor& value) {
    return 0.2126 * linear(value.redF()) + 0.7152 * linear(value.greenF()) +
           0.0722 * linear(value.blueF());
}

} // namespace

const Theme& Theme::of(ThemeKind kind) {
    static const Theme light = makeLight();
    static const Theme dark = makeDark();
    return kind == ThemeKind::Light ? light : dark;
}

QPalette Theme::palette() const {
    QPalette palette;
    palette.setColor(QPalette::Window, colours.window);
    palette.setColor(QPalette::WindowText, colours.text);
    palette.setColor(QPalette::Base, colours.panel);
    palette.setColor(QPalette::AlternateBase, colours.lane);
    palette.setColor(QPalette::Text, colours.text);
    palette.setColor(QPalette::PlaceholderText, colours.mutedText);
    palette.setColor(QPalette::Button, colours.panel);
    palette.setColor(QPalette::ButtonText, colours.text);
    palette.setColor(QPalette::BrightText, colours.danger);
    palette.setColor(QPalette::Highlight, colours.accent);
    palette.setColor(QPalette::HighlightedText, colours.accentText);
    palette.setColor(QPalette::ToolTipBase, colours.panel);
    palette.setColor(QPalette::ToolTipText, colours.text);
    palette.setColor(QPalette::Link, colours.accent);
    palette.setColor(QPalette::Light, colours.separator);
    palette.setColor(QPalette::Midlight, colours.separator);
    palette.setColor(QPalette::Mid, colours.separator);
    palette.setColor(QPalette::Dark, colours.mutedText);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, colours.mutedText);
    return palette;
}

QFont Theme::font(int pixels, QFont::Weight weight) const {
    QFont font = QApplication::font();
    font.setPixelSize(pixels);
    font.setWeight(weight);
    return font;
}

void applyTheme(const Theme& theme) {
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(theme.palette());
    QApplication::setFont(theme.font(theme.sizes.bodyFont));
}

QColor simulated(const QColor& value, ColourVision vision) {
    // The paper's matrices for linear sRGB: red and green collapse onto one axis.
    struct Row {
        double red;
        double green;
        double blue;
    };
    static constexpr std::array<Row, 3> deuteranopia{
        {{0.29275, 0.70725, -0.02234}, {0.29275, 0.70725, -0.02234}, {-0.02234, 0.02234, 1}}};
    static constexpr std::array<Row, 3> protanopia{
        {{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}}};
    const auto& rows = vision == ColourVision::Deuteranopia ? deuteranopia : protanopia;
    const double red = linear(value.redF());
    const double green = linear(value.greenF());
    const double blue = linear(value.blueF());
    const auto channel = [&](const Row& row) {
        return static_cast<float>(gamma(row.red * red + row.green * green + row.blue * blue));
    };
    return QColor::fromRgbF(channel(rows[0]), channel(rows[1]), channel(rows[2]), value.alphaF());
}

double contrast(const QColor& a, const QColor& b) {
    const double lighter = std::max(luminance(a), luminance(b));
    const double darker = std::min(luminance(a), luminance(b));
    return (lighter + 0.05) / (darker + 0.05);
}

} // namespace inversight
