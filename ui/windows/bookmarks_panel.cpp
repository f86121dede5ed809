// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/bookmarks_panel.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QTableWidget>
#include <QVBoxLayout>

namespace inversight {

BookmarksPanel::BookmarksPanel(TimelineState& state, QWidget* parent)
    : QWidget(parent), state_(state), table_(new QTableWidget(0, 2, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(table_);
    table_->setHorizontalHeaderLabels({tr("From start"), tr("Note (double click to write)")});
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->verticalHeader()->hide();
    table_->setShowGrid(false);
    table_->setTabKeyNavigation(false);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setAccessibleName(tr("Bookmarks"));
    table_->installEventFilter(this);
    connect(table_, &QTableWidget::itemChanged, this, [this](QTableWidgetItem* item) {
        if (!refreshing_ && item->column() == 1)
            state_.marks.setNote(static_cast<std::size_t>(item->row()), item->text());
    });
    connect(table_, &QTableWidget::cellClicked, this, [this](int row, int) { goTo(row); });
    connect(&state_.marks, &TimelineMarks::changed, this, &BookmarksPanel::refresh);
}

void BookmarksPanel::setModel(std::shared_ptr<const TrackModel> model) {
    model_ = std::move(model);
    refresh();
}

void BookmarksPanel::refresh() {
    if (!model_)
        return;
    refreshing_ = true;
    const std::vector<Bookmark>& bookmarks = state_.marks.bookmarks();
    table_->setRowCount(static_cast<int>(bookmarks.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const Bookmark& each = bookmarks[static_cast<std::size_t>(row)];
        const std::int64_t offset = each.time - model_->wholeRange().begin;
        auto* time =
            new QTableWidgetItem(QString::fromStdString(formatSpan(offset, model_->clockUnit())));
        time->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        table_->setItem(row, 0, time);
        table_->setItem(row, 1, new QTableWidgetItem(each.note));
    }
    refreshing_ = false;
}

void BookmarksPanel::goTo(int row) {
    const std::int64_t time = state_.marks.bookmarks()[static_cast<std::size_t>(row)].time;
    const TimeRange visible = state_.view.visible();
    state_.view.pan(time - visible.begin - visible.length() / 2, ViewState::Change::Step);
}

bool BookmarksPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int row = table_->currentRow();
        if (row >= 0 && (key == Qt::Key_Delete || key == Qt::Key_Return)) {
            if (key == Qt::Key_Delete)
                state_.marks.removeBookmark(static_cast<std::size_t>(row));
            else
                goTo(row);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace inversight
