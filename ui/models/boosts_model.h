// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_inputs.h"

#include <QAbstractTableModel>
#include <memory>

namespace inversight {

/// The boosts of a trace as a table, one row each, over the frozen result. Sort with a
/// QSortFilterProxyModel on kSortRole: numbers sort as numbers. Thread-bound (GUI).
class BoostsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Begin, Length, Target, From, To, Donor, Lock, Evidence, ColumnCount };
    static constexpr int kSortRole = Qt::UserRole;

    explicit BoostsModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Shows the boosts of `inputs` (none where inputs.boosts is null).
    void setInputs(TrackInputs inputs);
    [[nodiscard]] const Boost& boost(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString text(const Boost& boost, int column) const;
    [[nodiscard]] QVariant sortValue(const Boost& boost, int column) const;
    [[nodiscard]] QString threadText(ThreadId thread) const;
    [[nodiscard]] ClockUnit clockUnit() const;

    TrackInputs inputs_;
};

} // namespace inversight
