// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/latency.h"
#include "trace/view/track_model.h"
#include "ui/plots/latency_plot.h"
#include "ui/session/timeline_state.h"
#include "ui/timeline/track_view.h"

#include <QWidget>
#include <memory>
#include <vector>

class QLabel;
class QSpinBox;
class QVBoxLayout;

namespace inversight {

/// A run in a comparison.
struct ComparedRun {
    QString title; ///< "rt_mutex"
    std::shared_ptr<const TrackModel> model;
    std::shared_ptr<const Latency> latency; ///< null: no operations
};

/// Two or more runs beneath each other, aligned at their start or at the begin of their n-th
/// operation, zoomed together; their latencies in one plot. Thread-bound.
class ComparisonPage final : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonPage(std::vector<ComparedRun> runs, const Theme& theme,
                            QWidget* parent = nullptr);
    ~ComparisonPage() override;

    void setTheme(const Theme& theme);
    /// 0: their start.
    void alignAt(int operation);
    [[nodiscard]] std::size_t runCount() const { return rows_.size(); }
    [[nodiscard]] ViewState& view(std::size_t run);
    [[nodiscard]] TrackView& tracks(std::size_t run);
    [[nodiscard]] LatencyPlot& latency() { return *plot_; }

private:
    struct Row {
        ComparedRun run;
        std::unique_ptr<TimelineState> state;
        QLabel* title = nullptr;
        TrackView* tracks = nullptr;
        std::int64_t origin = 0;
    };
    void addRow(ComparedRun run, QVBoxLayout& column);
    void follow(std::size_t leader);
    void fillPlot();
    [[nodiscard]] static std::int64_t originOf(const ComparedRun& run, int operation);
    [[nodiscard]] int mostOperations() const;

    std::vector<Row> rows_;
    QSpinBox* operation_;
    LatencyPlot* plot_;
    bool following_ = false;
};

} // namespace inversight
