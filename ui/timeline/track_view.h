// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_arrows.h"
#include "trace/view/track_model.h"
#include "ui/session/timeline_state.h"
#include "ui/theme/theme.h"
#include "ui/timeline/geometry_painter.h"
#include "ui/timeline/row_layout.h"
#include "ui/timeline/track_keys.h"

#include <QAbstractScrollArea>
#include <map>
#include <memory>
#include <optional>

namespace inversight {

/// The timeline: lanes under headings, with names at the left, a ruler on top, hatched losses over
/// all lanes, markers, bookmarks, the selection and its arrows. Keys stand in track_keys.h.
///
/// The plain wheel scrolls the lanes, or zooms at the cursor where there is nothing to scroll.
///
/// Geometry is queried and prepared when the view changes; painting only replays it. Thread-bound.
class TrackView final : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TrackView(TimelineState& state, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Null: nothing to show.
    void setModel(std::shared_ptr<const TrackModel> model);
    [[nodiscard]] const std::shared_ptr<const TrackModel>& model() const { return model_; }

    /// For pictures, which cannot be scrolled: lanes that do not fit as a whole are left out, and
    /// how many is said beneath.
    void setWholeLanesOnly();

    void perform(TrackCommand command);
    /// Scrolls the lane into sight, if it is shown.
    void showLane(std::size_t lane);

    /// The tooltip for a point of the viewport; "" where there is nothing.
    [[nodiscard]] QString tooltipAt(QPoint position) const;
    /// Where a lane's bars are in the viewport, header left out; empty for lanes without a row.
    [[nodiscard]] QRect laneArea(std::size_t lane) const;
    [[nodiscard]] const LaneLayout& layoutOf(std::size_t lane) const;
    [[nodiscard]] TimeScale scale() const;
    [[nodiscard]] const LaneArrangement& arrangement() const { return arrangement_; }
    /// Where a row is in the viewport, header included.
    [[nodiscard]] QRect rowArea(std::size_t row) const;
    /// The row that keys are about.
    [[nodiscard]] std::optional<std::size_t> currentRow() const { return currentRow_; }
    [[nodiscard]] const std::vector<TrackArrow>& arrows() const { return arrows_; }
    /// What is not shown, and why; "" when everything is.
    [[nodiscard]] QString hiddenText() const;
    /// Paints the whole timeline as it stands elsewhere: an image, SVG, PDF.
    void paintAll(QPainter& painter);

signals:
    /// A lane's item was framed by a double click.
    void itemFramed(inversight::ThreadId thread, qlonglong begin, qlonglong end);
    /// Something a person should read that is not worth a dialog: "there are no inversions".
    void noted(const QString& sentence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    enum class DragKind { Undecided, Range, Pan, Lane };
    struct Drag {
        DragKind kind = DragKind::Undecided;
        QPointF start;
        TimeRange range; ///< visible at the start
        int scroll = 0;
        std::size_t lane = 0; ///< being moved
    };
    struct Prepared {
        PreparedGeometry bars;
        PreparedGeometry shade;
    };

    // track_view.cpp: layout and geometry
    void rearrange();
    void relayout();
    void refresh();
    void followSelection();
    [[nodiscard]] int timelineWidth() const;
    [[nodiscard]] int contentTop() const; ///< of scrolled rows: below ruler and pinned rows
    [[nodiscard]] int rowTop(std::size_t row) const;
    [[nodiscard]] int contentHeight() const; ///< of ruler, rows and footer
    [[nodiscard]] int footerHeight() const;
    [[nodiscard]] bool hidesLanes() const;
    [[nodiscard]] std::size_t rowEnd() const; ///< one past the last row that may be shown
    [[nodiscard]] bool isVisible(std::size_t row) const;
    [[nodiscard]] std::optional<std::size_t> rowAtY(int y) const;
    [[nodiscard]] std::optional<std::size_t> rowOf(std::size_t lane) const;
    [[nodiscard]] std::optional<std::size_t> laneAtY(int y) const;
    [[nodiscard]] std::optional<std::size_t> laneOfKey(const std::string& key) const;
    [[nodiscard]] std::int64_t timeAtX(double x) const;
    [[nodiscard]] std::int64_t timeAtMouse() const;
    [[nodiscard]] TrackHit hitAt(QPoint position) const;

    // track_view_input.cpp: mouse and wheel
    void showTooltip(QPointF position, QPoint globalPosition);
    void zoomAtPixel(double x, double factor);
    void panByPixels(double pixels);
    void dragTo(QPointF position);
    void click(QPoint position);
    void dropLane(QPoint position);
    void hoverAt(QPointF position);
    void leave();

    // track_view_commands.cpp: what keys do
    void goToTime(std::int64_t time);
    void stepInversion(int direction);
    void stepItem(int direction);
    void stepRow(int direction);
    void stepBookmark(int direction);
    void moveLane(int direction);
    void addBookmark();
    void toggleGroup();
    void selectInLane(std::size_t lane, const TrackHit& hit);
    void setCurrentRow(std::optional<std::size_t> row);
    [[nodiscard]] std::optional<std::size_t> currentLane() const;
    [[nodiscard]] std::vector<std::string> keysOfGroup(const LaneRow& row) const;

    // track_view_paint.cpp
    void paintRow(QPainter& painter, std::size_t row);
    void paintLane(QPainter& painter, std::size_t row, std::size_t lane);
    void paintHeading(QPainter& painter, std::size_t row) const;
    void paintRuler(QPainter& painter) const;
    void paintOverlays(QPainter& painter) const;
    void paintSelection(QPainter& painter) const;
    void paintMark(QPainter& painter, std::int64_t time, const QString& flag,
                   const QColor& colour) const;
    void paintMarks(QPainter& painter) const;
    void paintArrows(QPainter& painter) const;
    void paintHover(QPainter& painter) const;
    void paintFooter(QPainter& painter) const;
    [[nodiscard]] double xOf(std::int64_t time) const;
    [[nodiscard]] int labelFontSize(const LaneLayout& layout) const;
    [[nodiscard]] QString groupText(const LaneRow& row) const;

    TimelineState& state_;
    ViewState& view_;
    const Theme* theme_;
    std::shared_ptr<const TrackModel> model_;
    LaneArrangement arrangement_;
    std::map<std::size_t, std::size_t> rowByLane_;
    RowLayout rows_;
    // What is on screen: made by refresh(), replayed by paintEvent().
    TimeScale shown_;
    std::vector<RulerTick> ticks_;
    std::map<std::size_t, Prepared> lanes_;
    PreparedGeometry losses_;
    std::vector<TrackArrow> arrows_;
    std::optional<std::size_t> selectedLane_;
    std::optional<std::size_t> currentRow_;
    std::optional<std::size_t> linkedLane_; ///< responsible for what is hovered
    std::optional<Drag> drag_;
    QPointF mouse_;
    bool mouseInside_ = false;
    bool wholeLanesOnly_ = false;
};

} // namespace inversight
