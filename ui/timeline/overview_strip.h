// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_model.h"
#include "ui/session/timeline_state.h"
#include "ui/theme/theme.h"
#include "ui/timeline/geometry_painter.h"

#include <QWidget>
#include <memory>

namespace inversight {

/// The whole trace in one strip: load of all CPUs, ticks where threads were boosted, losses, and
/// the visible range as a frame. A click or drag moves the visible range there. Thread-bound.
class OverviewStrip final : public QWidget {
    Q_OBJECT
public:
    explicit OverviewStrip(TimelineState& state, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setModel(std::shared_ptr<const TrackModel> model);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void refresh();
    void centreAt(double x);
    [[nodiscard]] QRect stripArea() const;

    void paintMarks(QPainter& painter, const QRect& area, const TimeScale& scale) const;

    TimelineState& state_;
    ViewState& view_;
    const Theme* theme_;
    std::shared_ptr<const TrackModel> model_;
    PreparedGeometry prepared_;
};

} // namespace inversight
