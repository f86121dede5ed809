// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/models/result_table.h"

#include <QStringList>
#include <algorithm>
#include <numeric>

namespace inversight {

namespace {

constexpr std::size_t kStopEvery = 1024;

bool anyColumnContains(const TableContents& contents, std::size_t row, const QString& text) {
    return std::any_of(contents.columns.begin(), contents.columns.end(),
                       [&](const TableColumn& column) {
                           return column.text(row).contains(text, Qt::CaseInsensitive);
                       });
}

template <class Key>
void sortByKey(std::vector<std::uint32_t>& order, const std::vector<Key>& keys,
               Qt::SortOrder direction) {
    if (direction == Qt::AscendingOrder)
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    else
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return keys[b] < keys[a]; });
}

} // namespace

QString csvCellOf(const QString& text) {
    static const QString special = QStringLiteral(",\"\r\n");
    const bool quoted =
        std::any_of(text.begin(), text.end(), [](QChar each) { return special.contains(each); });
    if (!quoted)
        return text;
    QString inner = text;
    return QStringLiteral("\"%1\"").arg(inner.replace(QLatin1Char('"'), QStringLiteral("\"\"")));
}

ResultTable::~ResultTable() {
    worker_.request_stop();
}

void ResultTable::setContents(TableContents contents) {
    beginResetModel();
    contents_ = std::make_shared<const TableContents>(std::move(contents));
    order_.clear();
    endResetModel();
    rearrange();
}

void ResultTable::setFilterText(const QString& text) {
    wanted_.filter = text;
    rearrange();
}

void ResultTable::sort(int column, Qt::SortOrder order) {
    wanted_.column = column;
    wanted_.order = order;
    rearrange();
}

ResultTable::Order ResultTable::arrange(const TableContents& contents, const Wanted& wanted,
                                        const std::stop_token& stop) {
    Order order;
    for (std::size_t row = 0; row < contents.rowCount; ++row) {
        if (row % kStopEvery == 0 && stop.stop_requested())
            return {};
        if (wanted.filter.isEmpty() || anyColumnContains(contents, row, wanted.filter))
            order.push_back(static_cast<std::uint32_t>(row));
    }
    if (wanted.column < 0 || wanted.column >= static_cast<int>(contents.columns.size()))
        return order;
    const TableColumn& column = contents.columns[static_cast<std::size_t>(wanted.column)];
    if (column.kind == TableColumn::Kind::Number) {
        std::vector<std::int64_t> keys(contents.rowCount);
        for (const std::uint32_t row : order)
            keys[row] = column.key(row);
        sortByKey(order, keys, wanted.order);
    } else {
        std::vector<QString> keys(contents.rowCount);
        for (const std::uint32_t row : order)
            keys[row] = column.text(row);
        sortByKey(order, keys, wanted.order);
    }
    return order;
}

void ResultTable::rearrange() {
    worker_.request_stop();
    const std::uint64_t generation = ++generation_;
    if (contents_->rowCount <= kSortedAtOnce) {
        show(arrange(*contents_, wanted_, {}));
        return;
    }
    busy_ = true;
    worker_ = std::jthread(
        [this, generation, contents = contents_, wanted = wanted_](const std::stop_token& stop) {
            Order order = arrange(*contents, wanted, stop);
            if (stop.stop_requested())
                return;
            QMetaObject::invokeMethod(
                this,
                [this, generation, order = std::move(order)]() mutable {
                    if (generation == generation_)
                        show(std::move(order));
                },
                Qt::QueuedConnection);
        });
}

void ResultTable::show(Order order) {
    beginResetModel();
    order_ = std::move(order);
    busy_ = false;
    endResetModel();
    emit arranged();
}

int ResultTable::rowOf(ThreadId thread, TimeRange range) const {
    const auto found = std::find_if(order_.begin(), order_.end(), [&](std::uint32_t row) {
        return contents_->range(row) == range && contents_->thread(row) == thread;
    });
    return found == order_.end() ? -1 : static_cast<int>(found - order_.begin());
}

QString ResultTable::toCsv() const {
    QString out;
    const auto line = [&out](const QStringList& cells) {
        out += cells.join(QLatin1Char(',')) + QStringLiteral("\r\n");
    };
    QStringList cells;
    for (const TableColumn& column : contents_->columns)
        cells << csvCellOf(column.title);
    line(cells);
    for (const std::uint32_t row : order_) {
        cells.clear();
        for (const TableColumn& column : contents_->columns)
            cells << csvCellOf(column.text(row));
        line(cells);
    }
    return out;
}

int ResultTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int ResultTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(contents_->columns.size());
}

QVariant ResultTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const TableColumn& column = contents_->columns[static_cast<std::size_t>(index.column())];
    if (role == Qt::DisplayRole)
        return column.text(source(index.row()));
    if (role == Qt::TextAlignmentRole && column.kind == TableColumn::Kind::Number)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    return {};
}

QVariant ResultTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 ||
        section >= columnCount())
        return {};
    return contents_->columns[static_cast<std::size_t>(section)].title;
}

} // namespace inversight
