// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/latency.h"
#include "ui/theme/theme.h"

#include <QWidget>
#include <memory>
#include <string>
#include <vector>

class QCustomPlot;
class QLabel;

namespace inversight {

/// The latency of every worker's bus operations: histogram (logarithmic x) and cumulative
/// distribution side by side, with a legend that gives the figures. Thread-bound (GUI).
class LatencyPlot final : public QWidget {
    Q_OBJECT
public:
    explicit LatencyPlot(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// `names` go with latency->threads. A null or empty latency shows a sentence instead.
    void setLatency(std::shared_ptr<const Latency> latency, std::vector<std::string> names);

    /// What the right plot shows: how many operations are done within x, or how many take longer,
    /// which has room for the worst ones (both axes logarithmic).
    enum class Distribution { Within, Longer };
    void setDistribution(Distribution distribution);

    [[nodiscard]] const QCustomPlot& histogramPlot() const { return *histogram_; }
    [[nodiscard]] const QCustomPlot& cumulativePlot() const { return *cumulative_; }

signals:
    /// A range of latencies was brushed in the histogram, ns.
    void brushed(qlonglong from, qlonglong to);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void stylePlot(QCustomPlot& plot, const QString& title, const QString& yLabel) const;
    void addCurves();
    void setRanges();
    [[nodiscard]] QString legendText(std::size_t index) const;

    void brush(const QRect& area);

    Distribution distribution_ = Distribution::Within;
    const Theme* theme_;
    std::shared_ptr<const Latency> latency_;
    std::vector<std::string> names_;
    QCustomPlot* histogram_;
    QCustomPlot* cumulative_;
    QLabel* empty_;
};

} // namespace inversight
