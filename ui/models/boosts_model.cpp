// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/models/boosts_model.h"

#include "core/base/time_format.h"
#include "trace/view/thread_lane.h"
#include "trace/view/time_scale.h"

namespace inversight {

void BoostsModel::setInputs(TrackInputs inputs) {
    beginResetModel();
    inputs_ = std::move(inputs);
    endResetModel();
}

const Boost& BoostsModel::boost(int row) const {
    return inputs_.boosts->boosts[static_cast<std::size_t>(row)];
}

int BoostsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !inputs_.boosts ? 0
                                               : static_cast<int>(inputs_.boosts->boosts.size());
}

int BoostsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant BoostsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const Boost& each = boost(index.row());
    if (role == Qt::DisplayRole)
        return text(each, index.column());
    if (role == kSortRole)
        return sortValue(each, index.column());
    if (role == Qt::TextAlignmentRole && index.column() <= Length)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    return {};
}

QVariant BoostsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Begin:
        return tr("From start");
    case Length:
        return tr("Lasted");
    case Target:
        return tr("Boosted thread");
    case From:
        return tr("From");
    case To:
        return tr("To");
    case Donor:
        return tr("Because of");
    case Lock:
        return tr("Lock");
    case Evidence:
        return tr("Evidence");
    default:
        return {};
    }
}

ClockUnit BoostsModel::clockUnit() const {
    const auto streams = inputs_.store->streams();
    return streams.empty() ? ClockUnit::Nanoseconds : streams.front().clock.unit;
}

QString BoostsModel::threadText(ThreadId thread) const {
    if (!thread.valid())
        return tr("not known");
    return QStringLiteral("%1 (%2)")
        .arg(QString::fromStdString(inputs_.store->threadName(thread)))
        .arg(inputs_.store->threads()[thread].tid);
}

QString BoostsModel::text(const Boost& boost, int column) const {
    const ClockUnit unit = clockUnit();
    switch (column) {
    case Begin: {
        const std::int64_t offset = boost.range.begin - inputs_.store->range().begin;
        return boost.beginSeen ? QString::fromStdString(unit == ClockUnit::Nanoseconds
                                                            ? formatSeconds(offset)
                                                            : formatSpan(offset, unit))
                               : tr("before the trace");
    }
    case Length:
        return QString::fromStdString(formatSpan(boost.range.length(), unit));
    case Target:
        return threadText(boost.target);
    case From:
        return QString::fromStdString(formatKernelPriority(boost.fromPrio));
    case To:
        return QString::fromStdString(formatKernelPriority(boost.toPrio));
    case Donor:
        return threadText(boost.donor);
    case Lock: {
        const std::string lock = lockNameOf(inputs_, boost.lock);
        return lock.empty() ? tr("not known") : QString::fromStdString(lock);
    }
    case Evidence: {
        const QString confidence = QString::fromLatin1(confidenceName(boost.confidence));
        return boost.nominal ? tr("%1, nominal: no scheduling effect").arg(confidence) : confidence;
    }
    default:
        return {};
    }
}

QVariant BoostsModel::sortValue(const Boost& boost, int column) const {
    switch (column) {
    case Begin:
        return static_cast<qlonglong>(boost.range.begin);
    case Length:
        return static_cast<qlonglong>(boost.range.length());
    case From:
        return boost.fromPrio;
    case To:
        return boost.toPrio;
    default:
        return text(boost, column);
    }
}

} // namespace inversight
