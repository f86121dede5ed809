// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "ui/plots/latency_plot.h"
#include "ui/windows/table_panel.h"

#include <QWidget>

class QComboBox;

namespace inversight {

/// Latencies as histogram and distribution, and the operations behind what is brushed in the
/// histogram. Thread-bound.
class LatencyPanel final : public QWidget {
    Q_OBJECT
public:
    explicit LatencyPanel(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setInputs(TableInputs inputs);
    /// Lists operations with a latency in [from, to) ns, worst first.
    void brush(qlonglong from, qlonglong to);

    [[nodiscard]] LatencyPlot& plot() { return *plot_; }
    [[nodiscard]] TablePanel& operations() { return *operations_; }
    [[nodiscard]] QComboBox& distribution() { return *distribution_; }

signals:
    void chosen(const inversight::TrackHit& item);

private:
    TableInputs inputs_;
    LatencyPlot* plot_;
    TablePanel* operations_;
    QComboBox* distribution_;
};

} // namespace inversight
