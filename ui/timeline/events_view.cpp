// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/timeline/events_view.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <limits>

namespace inversight {

namespace {
/// More than that in a clipboard helps nobody.
constexpr std::size_t kMostCopied = 100'000;
} // namespace

EventsView::EventsView(EventList& events, QWidget* parent)
    : QAbstractScrollArea(parent), events_(events), theme_(&Theme::of(ThemeKind::Light)) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Events"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&events_, &EventList::rowsChanged, this, [this] {
        if (current_ && *current_ >= events_.rowCount())
            current_.reset();
        relayout();
    });
}

void EventsView::setTheme(const Theme& theme) {
    theme_ = &theme;
    relayout();
}

int EventsView::headerHeight() const {
    return theme_->sizes.eventRow;
}

int EventsView::visibleRows() const {
    return std::max((viewport()->height() - headerHeight()) / theme_->sizes.eventRow, 1);
}

std::size_t EventsView::firstRow() const {
    return static_cast<std::size_t>(verticalScrollBar()->value());
}

void EventsView::relayout() {
    const auto rows = std::min<std::size_t>(events_.rowCount(), std::numeric_limits<int>::max());
    verticalScrollBar()->setRange(0, std::max(static_cast<int>(rows) - visibleRows(), 0));
    verticalScrollBar()->setPageStep(visibleRows());
    refresh();
}

void EventsView::refresh() {
    linesBegin_ = firstRow();
    lines_.clear();
    const std::size_t end =
        std::min(linesBegin_ + static_cast<std::size_t>(visibleRows()) + 1, events_.rowCount());
    for (std::size_t row = linesBegin_; row < end; ++row)
        lines_.push_back(events_.line(row));
    viewport()->update();
}

void EventsView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

void EventsView::scrollContentsBy(int, int) {
    refresh();
}

void EventsView::setCurrent(std::size_t row) {
    if (row >= events_.rowCount())
        return;
    current_ = row;
    anchor_ = row;
    const auto visible = static_cast<std::size_t>(visibleRows());
    if (row < firstRow() || row >= firstRow() + visible)
        verticalScrollBar()->setValue(static_cast<int>(row > visible / 2 ? row - visible / 2 : 0));
    viewport()->update();
}

void EventsView::choose(std::ptrdiff_t row, Extend extend) {
    if (events_.rowCount() == 0)
        return;
    const auto last = static_cast<std::ptrdiff_t>(events_.rowCount()) - 1;
    const auto target = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(row, 0, last));
    const std::size_t anchor = extend == Extend::Yes ? anchor_ : target;
    setCurrent(target);
    anchor_ = anchor;
    emit chosen(target);
}

QString EventsView::selectedText() const {
    if (!current_)
        return {};
    const std::size_t begin = std::min(*current_, anchor_);
    const std::size_t end = std::min(std::max(*current_, anchor_) + 1, begin + kMostCopied);
    QString text;
    for (std::size_t row = begin; row < end; ++row)
        text += events_.line(row).joined() + QLatin1Char('\n');
    return text;
}

std::vector<int> EventsView::columnEdges() const {
    const QFontMetrics metrics(theme_->font(theme_->sizes.bodyFont));
    const auto wide = [&](const char* text) {
        return metrics.horizontalAdvance(QLatin1String(text)) + 2 * theme_->sizes.margin;
    };
    std::vector<int> edges{0, wide("0000.000000000"), wide("CPU0"), wide("a-thread-name (000000)"),
                           wide("sched_process_exit_name")};
    for (std::size_t i = 1; i < edges.size(); ++i)
        edges[i] += edges[i - 1];
    edges.push_back(std::max(viewport()->width(), edges.back() + 1));
    return edges;
}

void EventsView::paintCells(QPainter& painter, int top, int height,
                            const QStringList& cells) const {
    const std::vector<int> edges = columnEdges();
    const QFontMetrics metrics(painter.font());
    for (qsizetype i = 0; i < cells.size(); ++i) {
        const auto column = static_cast<std::size_t>(i);
        const QRect cell(edges[column] + theme_->sizes.margin / 2, top,
                         edges[column + 1] - edges[column] - theme_->sizes.margin, height);
        painter.drawText(cell, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         metrics.elidedText(cells[i], Qt::ElideRight, cell.width()));
    }
}

void EventsView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    const ThemeColours& colours = theme_->colours;
    painter.fillRect(viewport()->rect(), colours.panel);
    painter.setFont(theme_->font(theme_->sizes.bodyFont));
    const int height = theme_->sizes.eventRow;
    const std::size_t selectedBegin = current_ ? std::min(*current_, anchor_) : 1;
    const std::size_t selectedEnd = current_ ? std::max(*current_, anchor_) + 1 : 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const std::size_t row = linesBegin_ + i;
        const int top = headerHeight() + static_cast<int>(i) * height;
        const bool selected = row >= selectedBegin && row < selectedEnd;
        if (selected || row % 2 == 1)
            painter.fillRect(0, top, viewport()->width(), height,
                             selected ? colours.accent : colours.lane);
        painter.setPen(selected ? colours.accentText : colours.text);
        const EventLine& line = lines_[i];
        paintCells(painter, top, height, {line.time, line.cpu, line.thread, line.name, line.text});
    }
    painter.fillRect(0, 0, viewport()->width(), headerHeight(), colours.window);
    painter.setPen(colours.mutedText);
    paintCells(painter, 0, headerHeight(),
               {tr("From start (s)"), tr("CPU"), tr("Thread"), tr("Event"), tr("What it says")});
    if (events_.rowCount() == 0)
        painter.drawText(viewport()->rect(), Qt::AlignCenter,
                         events_.scanning() ? tr("Looking...") : tr("No events."));
}

void EventsView::mousePressEvent(QMouseEvent* event) {
    const int y = static_cast<int>(event->position().y()) - headerHeight();
    if (y < 0)
        return;
    const std::size_t row = firstRow() + static_cast<std::size_t>(y / theme_->sizes.eventRow);
    if (row < events_.rowCount())
        choose(static_cast<std::ptrdiff_t>(row),
               event->modifiers() & Qt::ShiftModifier ? Extend::Yes : Extend::No);
}

void EventsView::mouseDoubleClickEvent(QMouseEvent* event) {
    mousePressEvent(event);
}

void EventsView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(selectedText());
        return;
    }
    const auto now = static_cast<std::ptrdiff_t>(current_.value_or(firstRow()));
    const auto last = static_cast<std::ptrdiff_t>(events_.rowCount());
    const Extend extend = event->modifiers() & Qt::ShiftModifier ? Extend::Yes : Extend::No;
    switch (event->key()) {
    case Qt::Key_Up:
        return choose(now - 1, extend);
    case Qt::Key_Down:
        return choose(now + 1, extend);
    case Qt::Key_PageUp:
        return choose(now - visibleRows(), extend);
    case Qt::Key_PageDown:
        return choose(now + visibleRows(), extend);
    case Qt::Key_Home:
        return choose(0, extend);
    case Qt::Key_End:
        return choose(last, extend);
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

} // namespace inversight
