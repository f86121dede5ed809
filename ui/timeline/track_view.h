// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_model.h"
#include "ui/session/view_state.h"
#include "ui/theme/theme.h"
#include "ui/timeline/geometry_painter.h"

#include <QAbstractScrollArea>
#include <map>
#include <memory>
#include <optional>

namespace inversight {

/// The timeline: one lane per thread with its header, a ruler, hatched losses over all lanes.
///
/// Wheel scrolls the lanes, or zooms at the cursor where there is nothing to scroll; Ctrl+wheel
/// zooms at the cursor; Shift+wheel pans; left or middle drag pans; W/S zoom at the mouse, A/D pan;
/// F or 0 shows everything; a double click frames the item under the cursor.
///
/// Geometry is queried and prepared when the view changes; painting only replays it. Thread-bound.
class TrackView final : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TrackView(ViewState& view, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Null: nothing to show.
    void setModel(std::shared_ptr<const TrackModel> model);

    /// For pictures, which cannot be scrolled: lanes that do not fit as a whole are left out, and
    /// how many is said beneath.
    void setWholeLanesOnly();

    /// Puts a frame around an item and scrolls its lane into sight; no value takes it away.
    struct Highlight {
        ThreadId thread;
        TimeRange range;
    };
    void setHighlight(std::optional<Highlight> highlight);

    /// The tooltip for a point of the viewport; "" where there is nothing.
    [[nodiscard]] QString tooltipAt(QPoint position) const;
    /// Where a lane's bars are in the viewport, header left out.
    [[nodiscard]] QRect laneArea(std::size_t lane) const;
    [[nodiscard]] const LaneLayout& layoutOf(std::size_t lane) const;
    [[nodiscard]] TimeScale scale() const;

signals:
    /// A lane's item was framed by a double click.
    void itemFramed(inversight::ThreadId thread, qlonglong begin, qlonglong end);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    struct Drag {
        QPointF start;
        TimeRange range;
        int scroll = 0;
    };

    void relayout();
    void refresh();
    void showTooltip(QPointF position, QPoint globalPosition);
    void zoomAtPixel(double x, double factor);
    void panByPixels(double pixels);
    [[nodiscard]] int timelineWidth() const;
    [[nodiscard]] int laneTop(std::size_t lane) const;
    [[nodiscard]] int laneHeight(std::size_t lane) const;
    /// Height of ruler, lanes and footer when the first `count` lanes have this layout.
    [[nodiscard]] int contentHeight(std::size_t count, const LaneLayout& layout) const;
    void chooseLaneSizes();
    /// One past the last lane that may be shown.
    [[nodiscard]] std::size_t laneEnd() const;
    [[nodiscard]] std::optional<std::size_t> laneAtY(int y) const;
    [[nodiscard]] std::int64_t timeAtX(double x) const;
    [[nodiscard]] TrackHit hitAt(QPoint position) const;
    [[nodiscard]] QString hiddenText() const;
    [[nodiscard]] int labelFontSize(const LaneLayout& layout) const;

    void paintLane(QPainter& painter, std::size_t lane);
    void paintRuler(QPainter& painter) const;
    void paintHighlight(QPainter& painter) const;

    ViewState& view_;
    const Theme* theme_;
    std::shared_ptr<const TrackModel> model_;
    std::size_t largeCount_ = 0; ///< the first lanes, drawn larger than the others
    LaneLayout large_;
    // What is on screen: made by refresh(), replayed by paintEvent().
    TimeScale shown_;
    std::vector<RulerTick> ticks_;
    std::map<std::size_t, PreparedGeometry> lanes_;
    PreparedGeometry losses_;
    std::optional<Highlight> highlight_;
    std::optional<Drag> drag_;
    double mouseX_ = 0;
    bool wholeLanesOnly_ = false;
};

} // namespace inversight
