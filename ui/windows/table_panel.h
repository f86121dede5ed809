// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "ui/models/result_tables.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;

namespace inversight {

/// A table of results with a filter, a count, and export as CSV; Ctrl+C copies the selected rows. A
/// row that becomes current is told, one that is selected elsewhere is followed. Thread-bound.
class TablePanel final : public QWidget {
    Q_OBJECT
public:
    explicit TablePanel(const QString& title, const QString& emptySentence,
                        QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setContents(TableContents contents);
    void sortBy(int column, Qt::SortOrder order);
    /// Makes the row of an item current, if it is shown, without telling anybody.
    void follow(ThreadId thread, TimeRange range);

    [[nodiscard]] ResultTable& table() { return *table_; }
    [[nodiscard]] QTableView& view() { return *view_; }
    [[nodiscard]] QLineEdit& filter() { return *filter_; }
    /// The selected rows, tabs between cells.
    [[nodiscard]] QString selectedText() const;

signals:
    void chosen(const inversight::TrackHit& item);
    void countChanged(int rows);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void updateCount();
    void choose(const QModelIndex& index);
    void exportCsv();

    QString title_;
    QString emptySentence_;
    ResultTable* table_;
    QTableView* view_;
    QLineEdit* filter_;
    QLabel* count_;
    bool following_ = false;
};

} // namespace inversight
