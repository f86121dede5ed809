// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/plots/latency_curves.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace inversight {

namespace {

constexpr double kNsPerUs = 1000;

/// 0 has no place on a logarithmic axis: half a nanosecond stands for it.
double toUs(std::int64_t nanoseconds) {
    return std::max(static_cast<double>(nanoseconds), 0.5) / kNsPerUs;
}

} // namespace

Curve histogramCurve(const LatencyHistogram& histogram, int perDecade) {
    std::map<int, double> bins;
    for (const LatencyHistogram::Bucket& bucket : histogram.buckets()) {
        const double middle = (toUs(bucket.low) + toUs(bucket.high)) / 2;
        bins[static_cast<int>(std::floor(std::log10(middle) * perDecade))] +=
            static_cast<double>(bucket.count);
    }
    const auto edge = [perDecade](int bin) {
        return std::pow(10.0, static_cast<double>(bin) / perDecade);
    };
    Curve curve;
    const auto add = [&curve](double x, double y) {
        curve.x.push_back(x);
        curve.y.push_back(y);
    };
    int expected = 0;
    for (const auto& [bin, count] : bins) {
        if (curve.x.empty())
            add(edge(bin), 0);
        else if (bin != expected)
            add(edge(expected), 0);
        add(edge(bin), count);
        expected = bin + 1;
    }
    if (!curve.x.empty())
        add(edge(expected), 0);
    return curve;
}

Curve cumulativeCurve(const LatencyHistogram& histogram) {
    Curve curve;
    const std::vector<LatencyHistogram::Bucket> buckets = histogram.buckets();
    if (buckets.empty())
        return curve;
    const auto total = static_cast<double>(histogram.count());
    // A step per bucket, or per group of buckets where there are too many.
    const std::size_t group = buckets.size() / (kMaxCurvePoints - 2) + 1;
    double sum = 0;
    curve.x.push_back(toUs(histogram.min()));
    curve.y.push_back(0);
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        sum += static_cast<double>(buckets[i].count);
        if ((i + 1) % group == 0 || i + 1 == buckets.size()) {
            curve.x.push_back(toUs(std::min(buckets[i].high, histogram.max())));
            curve.y.push_back(100 * sum / total);
        }
    }
    return curve;
}

Curve exceedanceCurve(const LatencyHistogram& histogram) {
    Curve curve;
    const Curve below = cumulativeCurve(histogram);
    const double least = histogram.count() > 0 ? 50.0 / static_cast<double>(histogram.count()) : 0;
    for (std::size_t i = 0; i < below.x.size(); ++i) {
        const double above = 100 - below.y[i];
        if (above < least)
            break; // rounding of the last step
        curve.x.push_back(below.x[i]);
        curve.y.push_back(above);
    }
    return curve;
}

std::vector<double> logarithmicTicks(double low, double high, double minRatio) {
    struct Series {
        std::vector<double> digits;
        double ratio; ///< the least between neighbours
    };
    static const std::vector<Series> habits{{{1, 1.2, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8}, 1.14},
                                            {{1, 1.5, 2, 3, 4, 5, 6, 8}, 1.2},
                                            {{1, 1.5, 2, 3, 5, 7}, 1.33},
                                            {{1, 2, 3, 5}, 1.5},
                                            {{1, 2, 5}, 2},
                                            {{1, 3}, 3},
                                            {{1}, 10}};
    const auto fits = [minRatio](const Series& each) { return each.ratio >= minRatio; };
    const auto series = std::find_if(habits.begin(), habits.end(), fits);
    const std::vector<double>& digits =
        series == habits.end() ? habits.back().digits : series->digits;
    const int every = std::max(1, static_cast<int>(std::ceil(std::log10(minRatio))));
    std::vector<double> ticks;
    for (int power = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, power) <= high;
         ++power) {
        for (const double digit : digits) {
            const double value = digit * std::pow(10.0, power);
            if (power % every == 0 && value >= low && value <= high)
                ticks.push_back(value);
        }
    }
    return ticks;
}

} // namespace inversight
