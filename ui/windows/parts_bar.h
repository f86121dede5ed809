// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "ui/theme/theme.h"

#include <QString>
#include <QWidget>
#include <cstdint>
#include <vector>

namespace inversight {

/// A part of a stretch of time.
struct TimePart {
    ThemeRole role = ThemeRole::Unknown;
    RectShape shape = RectShape::Solid;
    QString words; ///< "on the bus"
    std::int64_t length = 0;
};

/// What a stretch of time consists of, as one stacked bar with a line of words per part.
/// Thread-bound.
class PartsBar final : public QWidget {
    Q_OBJECT
public:
    explicit PartsBar(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// Parts without a length are left out.
    void setParts(std::vector<TimePart> parts, ClockUnit unit);
    [[nodiscard]] const std::vector<TimePart>& parts() const { return parts_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void resizeToParts();

    const Theme* theme_;
    std::vector<TimePart> parts_;
    ClockUnit unit_ = ClockUnit::Nanoseconds;
};

} // namespace inversight
