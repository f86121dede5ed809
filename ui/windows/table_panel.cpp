// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/table_panel.h"

#include "ui/session/trace_facts.h"
#include "ui/windows/file_saver.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace inversight {

TablePanel::TablePanel(const QString& title, const QString& emptySentence, QWidget* parent)
    : QWidget(parent), title_(title), emptySentence_(emptySentence), table_(new ResultTable(this)),
      view_(new QTableView(this)), filter_(new QLineEdit(this)), count_(new QLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* row = new QHBoxLayout;
    column->addLayout(row);
    column->addWidget(view_, 1);
    auto* save = new QPushButton(tr("Save as CSV..."), this);
    row->addWidget(filter_, 1);
    row->addWidget(count_);
    row->addWidget(save);
    filter_->setPlaceholderText(tr("Show rows that contain..."));
    filter_->setClearButtonEnabled(true);
    filter_->setAccessibleName(tr("Filter of the table %1").arg(title));
    view_->setAccessibleName(title);
    view_->setModel(table_);
    view_->setSortingEnabled(true);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setAlternatingRowColors(true);
    view_->setShowGrid(false);
    view_->setTabKeyNavigation(false);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view_->horizontalHeader()->setStretchLastSection(true);
    view_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    view_->installEventFilter(this);
    connect(save, &QPushButton::clicked, this, &TablePanel::exportCsv);
    connect(filter_, &QLineEdit::textChanged, table_, &ResultTable::setFilterText);
    connect(table_, &ResultTable::arranged, this, &TablePanel::updateCount);
    // Selection by keyboard chooses too, as a click does.
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &TablePanel::choose);
    connect(view_, &QTableView::clicked, this, &TablePanel::choose);
    updateCount();
}

void TablePanel::setTheme(const Theme& theme) {
    view_->verticalHeader()->setDefaultSectionSize(theme.sizes.eventRow);
    layout()->setSpacing(theme.sizes.spacing / 2);
}

void TablePanel::setContents(TableContents contents) {
    table_->setContents(std::move(contents));
    view_->resizeColumnsToContents();
}

void TablePanel::sortBy(int column, Qt::SortOrder order) {
    view_->sortByColumn(column, order);
}

void TablePanel::follow(ThreadId thread, TimeRange range) {
    const int row = table_->rowOf(thread, range);
    if (row < 0 || view_->currentIndex().row() == row)
        return;
    following_ = true;
    view_->selectRow(row);
    view_->scrollTo(table_->index(row, 0));
    following_ = false;
}

void TablePanel::choose(const QModelIndex& index) {
    if (index.isValid() && !following_ && index.row() < table_->rowCount())
        emit chosen(table_->item(index.row()));
}

void TablePanel::updateCount() {
    const auto all = table_->contents().rowCount;
    const auto shown = static_cast<std::size_t>(table_->rowCount());
    count_->setText(all == 0       ? emptySentence_
                    : shown == all ? tr("%1 rows").arg(groupDigits(all))
                                   : tr("%1 of %2 rows").arg(groupDigits(shown), groupDigits(all)));
    emit countChanged(static_cast<int>(all));
}

QString TablePanel::selectedText() const {
    QString text;
    for (const QModelIndex& index : view_->selectionModel()->selectedRows()) {
        QStringList cells;
        for (int column = 0; column < table_->columnCount(); ++column)
            cells << table_->index(index.row(), column).data().toString();
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
}

bool TablePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(selectedText());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void TablePanel::exportCsv() {
    (void)saveByDialog(this, tr("Save the table"), title_ + QStringLiteral(".csv"),
                       tr("Comma separated values (*.csv)"), table_->toCsv().toUtf8());
}

} // namespace inversight
