// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_hit.h"

#include <QAbstractTableModel>
#include <QString>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace inversight {

/// A column of a table of results: what a row says there, and what it is sorted by.
struct TableColumn {
    enum class Kind { Text, Number };

    QString title;
    Kind kind = Kind::Text;
    std::function<QString(std::size_t row)> text;
    std::function<std::int64_t(std::size_t row)> key; ///< of a Number
};

/// The rows of a table over a frozen result. The functions are reentrant and hold on to what they
/// read.
struct TableContents {
    std::size_t rowCount = 0;
    std::vector<TableColumn> columns;
    std::function<TrackHit(std::size_t row)> item;   ///< what the row is about
    std::function<TimeRange(std::size_t row)> range; ///< of it, without making it
    std::function<ThreadId(std::size_t row)> thread; ///< whose lane it is in
};

/// A table of results that sorts and filters itself: big tables in a thread of their own, so that
/// the window never waits. Rows are numbered as shown; `source` numbers are those of the contents.
/// Thread-bound (GUI).
class ResultTable final : public QAbstractTableModel {
    Q_OBJECT
public:
    /// Tables up to this size are sorted at once.
    static constexpr std::size_t kSortedAtOnce = 20'000;

    explicit ResultTable(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    ~ResultTable() override;

    void setContents(TableContents contents);
    [[nodiscard]] const TableContents& contents() const { return *contents_; }

    /// Rows in which some column contains `text`; "" for all.
    void setFilterText(const QString& text);
    void sort(int column, Qt::SortOrder order) override;

    [[nodiscard]] std::size_t source(int row) const {
        return order_[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] TrackHit item(int row) const { return contents_->item(source(row)); }
    /// The row of an item; -1 if it is not shown.
    [[nodiscard]] int rowOf(ThreadId thread, TimeRange range) const;
    [[nodiscard]] bool busy() const { return busy_; }
    /// Header and shown rows, as CSV (RFC 4180).
    [[nodiscard]] QString toCsv() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

signals:
    /// A new order is shown.
    void arranged();

private:
    struct Wanted {
        QString filter;
        int column = -1;
        Qt::SortOrder order = Qt::AscendingOrder;
    };
    using Order = std::vector<std::uint32_t>;
    /// Reentrant; stops early, with nothing, when asked to.
    [[nodiscard]] static Order arrange(const TableContents& contents, const Wanted& wanted,
                                       const std::stop_token& stop);
    void rearrange();
    void show(Order order);

    std::shared_ptr<const TableContents> contents_ = std::make_shared<TableContents>();
    Wanted wanted_;
    Order order_;
    bool busy_ = false;
    std::uint64_t generation_ = 0; ///< of rearrange(): older orders are dropped
    std::jthread worker_;
};

/// A cell as RFC 4180 wants it.
[[nodiscard]] QString csvCellOf(const QString& text);

} // namespace inversight
