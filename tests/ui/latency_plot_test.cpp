// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/plots/latency_curves.h"
#include "ui/plots/latency_plot.h"

#include <gmock/gmock.h>
#include <qcustomplot.h>

#include <numeric>

namespace inversight {
namespace {

using testing::ElementsAre;

TEST(HistogramCurve, CountsEveryOperationOnce) {
    LatencyHistogram histogram;
    for (const std::int64_t ns : {505'000, 510'000, 512'000, 4'000'000})
        histogram.record(ns);
    const Curve curve = histogramCurve(histogram, 10);
    EXPECT_DOUBLE_EQ(std::accumulate(curve.y.begin(), curve.y.end(), 0.0), 4);
    EXPECT_TRUE(std::is_sorted(curve.x.begin(), curve.x.end()));
    EXPECT_GT(curve.x.front(), 0);
    EXPECT_DOUBLE_EQ(curve.y.back(), 0); // closes the last bin
    // Two separate groups have a bin of nothing between them.
    EXPECT_THAT(curve.y, ElementsAre(0, 3, 0, 1, 0));
}

TEST(HistogramCurve, StaysSmallForAnyNumberOfValues) {
    LatencyHistogram histogram;
    for (std::int64_t ns = 1; ns < 4'000'000'000; ns += ns / 700 + 1)
        histogram.record(ns);
    EXPECT_GT(histogram.buckets().size(), kMaxCurvePoints);
    EXPECT_LE(histogramCurve(histogram, 40).x.size(), kMaxCurvePoints);
    const Curve share = cumulativeCurve(histogram);
    EXPECT_LE(share.x.size(), kMaxCurvePoints);
    EXPECT_GT(share.x.size(), kMaxCurvePoints / 2);
    EXPECT_DOUBLE_EQ(share.y.back(), 100);
    EXPECT_TRUE(std::is_sorted(share.y.begin(), share.y.end()));
}

TEST(CumulativeCurve, RisesByTheShareOfEachValue) {
    LatencyHistogram histogram;
    for (const std::int64_t ns : {1000, 2000, 2000, 2000})
        histogram.record(ns);
    const Curve curve = cumulativeCurve(histogram);
    EXPECT_THAT(curve.x, ElementsAre(1, 1, 2));
    EXPECT_THAT(curve.y, ElementsAre(0, 25, 100));
    EXPECT_TRUE(cumulativeCurve(LatencyHistogram{}).x.empty());
    EXPECT_TRUE(histogramCurve(LatencyHistogram{}, 10).x.empty());
}

TEST(CumulativeCurve, ZeroHasAPlaceOnALogarithmicAxis) {
    LatencyHistogram histogram;
    histogram.record(0);
    EXPECT_GT(cumulativeCurve(histogram).x.front(), 0);
    EXPECT_GT(histogramCurve(histogram, 10).x.front(), 0);
}

TEST(LogarithmicTicks, AreRoundAndFarEnoughApart) {
    EXPECT_THAT(logarithmicTicks(450, 5500, 1.9), ElementsAre(500, 1000, 2000, 5000));
    EXPECT_THAT(logarithmicTicks(1, 1e6, 12), ElementsAre(1, 100, 1e4, 1e6));
    for (const double ratio : {1.05, 1.3, 1.45, 2.5, 7.0, 40.0}) {
        const std::vector<double> ticks = logarithmicTicks(3, 3e6, ratio);
        ASSERT_GE(ticks.size(), 3u) << ratio;
        for (std::size_t i = 1; i < ticks.size(); ++i)
            EXPECT_GE(ticks[i] / ticks[i - 1], std::min(ratio, 1.14) - 1e-9);
        if (ratio > 1.2) {
            for (std::size_t i = 1; i < ticks.size(); ++i)
                EXPECT_GE(ticks[i] / ticks[i - 1], ratio - 1e-9) << ticks[i];
        }
    }
}

std::shared_ptr<const Latency> twoWorkers() {
    auto latency = std::make_shared<Latency>();
    for (std::uint32_t thread = 0; thread < 2; ++thread) {
        ThreadLatency& each = latency->threads.emplace_back();
        each.thread = ThreadId{thread};
        for (int i = 0; i < 100; ++i)
            each.latency.record(500'000 * (thread + 1) + i * 1000);
    }
    return latency;
}

TEST(LatencyPlot, DrawsACurveOfEachWorkerInBothPlots) {
    LatencyPlot plot;
    plot.resize(1200, 240);
    plot.setLatency(twoWorkers(), {"prio-0", "fifo-99"});
    (void)plot.grab();
    ASSERT_EQ(plot.histogramPlot().graphCount(), 2);
    ASSERT_EQ(plot.cumulativePlot().graphCount(), 2);
    EXPECT_EQ(plot.histogramPlot().xAxis->scaleType(), QCPAxis::stLogarithmic);
    EXPECT_GT(plot.histogramPlot().xAxis->range().lower, 0);
    EXPECT_EQ(plot.cumulativePlot().graph(1)->name().toStdString(),
              "fifo-99\navg 1.050 ms, p99 1.099 ms\nmax 1.099 ms");
    EXPECT_NE(plot.cumulativePlot().graph(0)->pen().style(),
              plot.cumulativePlot().graph(1)->pen().style());
}

TEST(LatencyPlot, SaysWhyThereIsNothing) {
    LatencyPlot plot;
    plot.setLatency(std::make_shared<Latency>(), {});
    EXPECT_TRUE(plot.histogramPlot().isHidden());
    plot.setLatency(twoWorkers(), {"a", "b"});
    EXPECT_FALSE(plot.histogramPlot().isHidden());
}

} // namespace
} // namespace inversight
