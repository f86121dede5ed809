// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "ui/session/event_list.h"
#include "ui/theme/theme.h"

#include <QAbstractScrollArea>
#include <optional>
#include <vector>

namespace inversight {

/// The events as a table that costs what its visible rows cost, however many there are: lines are
/// made when the view scrolls and kept for painting. Arrows, pages, Home, End move; Shift extends;
/// Ctrl+C copies. Thread-bound.
class EventsView final : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit EventsView(EventList& events, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Makes a row current and scrolls it into sight.
    void setCurrent(std::size_t row);
    [[nodiscard]] std::optional<std::size_t> current() const { return current_; }
    [[nodiscard]] std::size_t firstRow() const;
    [[nodiscard]] int visibleRows() const;
    /// The selected rows as text, a line each.
    [[nodiscard]] QString selectedText() const;

signals:
    /// A person chose a row.
    void chosen(qulonglong row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Extend { No, Yes };
    void relayout();
    void refresh();
    void choose(std::ptrdiff_t row, Extend extend);
    [[nodiscard]] int headerHeight() const;
    [[nodiscard]] std::vector<int> columnEdges() const;
    void paintCells(QPainter& painter, int top, int height, const QStringList& cells) const;

    EventList& events_;
    const Theme* theme_;
    std::optional<std::size_t> current_;
    std::size_t anchor_ = 0; ///< the other end of the selected rows
    std::size_t linesBegin_ = 0;
    std::vector<EventLine> lines_; ///< what is on screen
};

} // namespace inversight
