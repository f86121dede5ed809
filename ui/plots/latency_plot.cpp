// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/plots/latency_plot.h"

#include "core/base/time_format.h"
#include "ui/plots/latency_curves.h"

#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>
#include <array>
#include <cmath>
#include <qcustomplot.h>

namespace inversight {

namespace {

constexpr int kBinsPerDecade = 40;
constexpr double kAxisAndLegend = 220; ///< pixels beside the axes' rectangle, at most
constexpr double kMargin = 1.15;       ///< of the logarithmic axis, at both ends

QVector<double> toQt(const std::vector<double>& values) {
    return {values.begin(), values.end()};
}

/// Line styles in the order of the series colours: curves differ for those who do not see colours.
Qt::PenStyle lineStyle(std::size_t index) {
    constexpr std::array styles{Qt::SolidLine, Qt::DashLine, Qt::DashDotLine, Qt::DotLine};
    return styles[index % styles.size()];
}

QString microsecondsText(double us) {
    const std::string text = formatDuration(std::llround(us * 1000));
    // An axis wants "2 ms", not "2.000 ms".
    const auto space = text.find(' ');
    QString number = QString::fromStdString(text.substr(0, space));
    if (number.contains(QLatin1Char('.'))) {
        while (number.endsWith(QLatin1Char('0')))
            number.chop(1);
        if (number.endsWith(QLatin1Char('.')))
            number.chop(1);
    }
    return number + QString::fromStdString(text.substr(space));
}

void setTicks(QCustomPlot& plot, double low, double high, double minRatio) {
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (const double tick : logarithmicTicks(low, high, minRatio))
        ticker->addTick(tick, microsecondsText(tick));
    plot.xAxis->setTicker(ticker);
    plot.xAxis->setRange(low, high);
}

/// The legend in a column of its own: inside the axes it would lie on the curves.
void putLegendBeside(QCustomPlot& plot) {
    auto* column = new QCPLayoutGrid;
    plot.plotLayout()->addElement(0, 1, column);
    column->addElement(0, 0, plot.legend);
    column->addElement(1, 0, new QCPLayoutElement(&plot)); // keeps the legend at the top
    column->setRowStretchFactor(0, 0.001);
    plot.plotLayout()->setColumnStretchFactor(1, 0.001);
}

} // namespace

LatencyPlot::LatencyPlot(QWidget* parent)
    : QWidget(parent), theme_(&Theme::of(ThemeKind::Light)), histogram_(new QCustomPlot(this)),
      cumulative_(new QCustomPlot(this)), empty_(new QLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme_->sizes.spacing);
    row->addWidget(histogram_, 1);
    row->addWidget(cumulative_, 1);
    row->addWidget(empty_, 1);
    putLegendBeside(*cumulative_);
    histogram_->setSelectionRectMode(QCP::srmCustom);
    connect(histogram_->selectionRect(), &QCPSelectionRect::accepted, this, &LatencyPlot::brush);
    histogram_->setAccessibleName(tr("Histogram of latencies"));
    cumulative_->setAccessibleName(tr("Distribution of latencies"));
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    rebuild();
}

void LatencyPlot::setTheme(const Theme& theme) {
    theme_ = &theme;
    rebuild();
}

void LatencyPlot::setLatency(std::shared_ptr<const Latency> latency,
                             std::vector<std::string> names) {
    latency_ = std::move(latency);
    names_ = std::move(names);
    rebuild();
}

void LatencyPlot::setDistribution(Distribution distribution) {
    distribution_ = distribution;
    rebuild();
}

void LatencyPlot::brush(const QRect& area) {
    constexpr double kNsPerUs = 1000;
    const double from = histogram_->xAxis->pixelToCoord(area.left());
    const double to = histogram_->xAxis->pixelToCoord(area.right() + 1);
    emit brushed(std::llround(from * kNsPerUs), std::llround(to * kNsPerUs));
}

void LatencyPlot::rebuild() {
    const bool has = latency_ && !latency_->threads.empty();
    histogram_->setVisible(has);
    cumulative_->setVisible(has);
    empty_->setVisible(!has);
    empty_->setText(latency_ ? tr("This trace has no markers of bus operations, so there are no "
                                  "latencies to show.\nRecord one with: inversight run "
                                  "i2c-bus-2009 --policy rt_mutex -o out")
                             : tr("Latencies are not computed yet."));
    stylePlot(*histogram_, tr("Latency of a bus operation"), tr("operations"));
    const bool longer = distribution_ == Distribution::Longer;
    stylePlot(*cumulative_,
              longer ? tr("Operations that take longer than") : tr("Operations done within"),
              tr("%"));
    cumulative_->yAxis->setScaleType(longer ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    cumulative_->yAxis->setTicker(longer ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog)
                                         : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    if (has) {
        addCurves();
        setRanges();
    }
    histogram_->replot();
    cumulative_->replot();
}

void LatencyPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (histogram_->graphCount() > 0)
        setRanges(); // how many ticks have room
}

void LatencyPlot::stylePlot(QCustomPlot& plot, const QString& title, const QString& yLabel) const {
    plot.clearPlottables();
    plot.legend->clearItems();
    const ThemeColours& colours = theme_->colours;
    const QFont small = theme_->font(theme_->sizes.smallFont);
    plot.setBackground(colours.panel);
    plot.xAxis->setScaleType(QCPAxis::stLogarithmic);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setBasePen(QPen(colours.mutedText));
        axis->setTickPen(QPen(colours.mutedText));
        axis->setSubTicks(false);
        axis->setTickLabelColor(colours.text);
        axis->setTickLabelFont(small);
        axis->setLabelColor(colours.mutedText);
        axis->setLabelFont(small);
        axis->grid()->setPen(QPen(colours.grid));
        axis->grid()->setZeroLinePen(QPen(colours.grid));
    }
    plot.xAxis->setLabel(title);
    plot.yAxis->setLabel(yLabel);
    plot.legend->setBrush(colours.panel);
    plot.legend->setBorderPen(QPen(colours.separator));
    plot.legend->setTextColor(colours.text);
    plot.legend->setFont(small);
    plot.legend->setIconSize(theme_->sizes.legendLine, theme_->sizes.smallFont);
    plot.legend->setVisible(&plot == cumulative_);
}

void LatencyPlot::addCurves() {
    for (std::size_t i = 0; i < latency_->threads.size(); ++i) {
        const QColor& colour = theme_->series(i);
        const QPen pen(colour, theme_->sizes.curveWidth, lineStyle(i));
        const Curve bins = histogramCurve(latency_->threads[i].latency, kBinsPerDecade);
        QCPGraph* bars = histogram_->addGraph();
        bars->setData(toQt(bins.x), toQt(bins.y), true);
        bars->setLineStyle(QCPGraph::lsStepLeft);
        bars->setPen(pen);
        QColor area = colour;
        area.setAlphaF(0.18F);
        bars->setBrush(area);

        const LatencyHistogram& values = latency_->threads[i].latency;
        const Curve share = distribution_ == Distribution::Longer ? exceedanceCurve(values)
                                                                  : cumulativeCurve(values);
        QCPGraph* line = cumulative_->addGraph();
        line->setData(toQt(share.x), toQt(share.y), true);
        line->setLineStyle(QCPGraph::lsStepLeft);
        line->setPen(pen);
        line->setName(legendText(i));
    }
}

void LatencyPlot::setRanges() {
    double low = 1e300;
    double high = 0;
    double most = 0;
    for (int i = 0; i < histogram_->graphCount(); ++i) {
        for (const QCPGraphData& point : *histogram_->graph(i)->data()) {
            low = std::min(low, point.key);
            high = std::max(high, point.key);
            most = std::max(most, point.value);
        }
    }
    low /= kMargin;
    high *= kMargin;
    // The plots' own widths may not be laid out yet; half of all less axis and legend is near.
    const double pixels = std::max(width() / 2.0 - kAxisAndLegend, 100.0);
    const double minRatio = std::pow(high / low, theme_->sizes.axisTick / pixels);
    for (QCustomPlot* plot : {histogram_, cumulative_})
        setTicks(*plot, low, high, minRatio);
    histogram_->yAxis->setRange(0, most * 1.08);
    if (distribution_ == Distribution::Within) {
        cumulative_->yAxis->setRange(0, 103);
        return;
    }
    std::uint64_t longest = 1;
    for (const ThreadLatency& thread : latency_->threads)
        longest = std::max(longest, thread.latency.count());
    cumulative_->yAxis->setRange(50.0 / static_cast<double>(longest), 110);
}

QString LatencyPlot::legendText(std::size_t index) const {
    const LatencyHistogram& values = latency_->threads[index].latency;
    const auto text = [](std::int64_t ns) { return QString::fromStdString(formatDuration(ns)); };
    return tr("%1\navg %2, p99 %3\nmax %4")
        .arg(index < names_.size() ? QString::fromStdString(names_[index]) : QString(),
             text(values.average()), text(values.percentile(0.99)), text(values.max()));
}

} // namespace inversight
