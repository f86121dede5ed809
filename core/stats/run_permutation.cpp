// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/stats/run_permutation.h"

#include "core/base/random_source.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace inversight {

namespace {

constexpr double kTestLevel = 0.05;
constexpr std::size_t kMostExchanges = 10'000;
constexpr int kBisections = 50;
// Statistics that are equal but for rounding.
constexpr double kSlack = 1e-9;

/// Which runs, of both sides in a row, stand on the later side.
using Exchange = std::vector<bool>;

/// The number of ways to choose; no more than just above kMostExchanges.
std::size_t choices(std::size_t all, std::size_t chosen) {
    double count = 1;
    for (std::size_t i = 1; i <= chosen && count <= 2.0 * kMostExchanges; ++i)
        count = count * static_cast<double>(all - chosen + i) / static_cast<double>(i);
    return static_cast<std::size_t>(std::llround(std::min(count, 2.0 * kMostExchanges)));
}

/// The first is what was observed.
std::vector<Exchange> exchanges(std::size_t before, std::size_t after, std::uint64_t seed) {
    Exchange sides(before + after);
    std::fill(sides.begin() + static_cast<std::ptrdiff_t>(before), sides.end(), true);
    std::vector<Exchange> all;
    if (choices(before + after, after) <= kMostExchanges) {
        Exchange next = sides;
        do
            all.push_back(next);
        while (std::next_permutation(next.begin(), next.end()));
        return all; // the observed one is the first in order
    }
    all.push_back(sides);
    RandomSource random(seed, 0);
    while (all.size() < kMostExchanges) {
        for (std::size_t i = sides.size() - 1; i > 0; --i) {
            const std::size_t other = random.upTo(i);
            const bool kept = sides[i];
            sides[i] = sides[other];
            sides[other] = kept;
        }
        all.push_back(sides);
    }
    return all;
}

/// |Welch's t| of the values with those sides.
double statistic(std::span<const double> values, const Exchange& sides) {
    double sum[2] = {0, 0};
    double count[2] = {0, 0};
    for (std::size_t i = 0; i < values.size(); ++i) {
        sum[sides[i] ? 1 : 0] += values[i];
        count[sides[i] ? 1 : 0] += 1;
    }
    const double mean[2] = {sum[0] / count[0], sum[1] / count[1]};
    double squares[2] = {0, 0};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double off = values[i] - mean[sides[i] ? 1 : 0];
        squares[sides[i] ? 1 : 0] += off * off;
    }
    double variance = 0;
    for (const int side : {0, 1})
        variance += squares[side] / (count[side] - 1) / count[side];
    const double difference = std::abs(mean[1] - mean[0]);
    const double scale = std::abs(mean[0]) + std::abs(mean[1]);
    if (difference <= kSlack * scale)
        return 0;
    if (variance <= kSlack * kSlack * scale * scale) // runs that do not vary at all
        return std::numeric_limits<double>::max();
    return difference / std::sqrt(variance);
}

std::vector<double> joined(const RunValues& row, double shift) {
    std::vector<double> values = row.before;
    for (const double value : row.after)
        values.push_back(value - shift);
    return values;
}

bool reaches(double value, double observed) {
    return value >= observed * (1 - kSlack);
}

/// The unadjusted p of the row if the later side were lower by `shift`.
double pWithShift(const RunValues& row, double shift, std::span<const Exchange> all) {
    const std::vector<double> values = joined(row, shift);
    const double observed = statistic(values, all.front());
    const auto as = std::ranges::count_if(all, [&](const Exchange& sides) {
        return reaches(statistic(values, sides), observed);
    });
    return static_cast<double>(as) / static_cast<double>(all.size());
}

/// The end of the interval on one side of `middle`; `step` gives the side and how far to begin.
double intervalEnd(const RunValues& row, double middle, double step,
                   std::span<const Exchange> all) {
    double outside = middle + step;
    for (int tries = 0; tries < 60 && pWithShift(row, outside, all) > kTestLevel; ++tries)
        outside += (step *= 2);
    double inside = middle;
    for (int i = 0; i < kBisections; ++i) {
        const double between = (inside + outside) / 2;
        (pWithShift(row, between, all) > kTestLevel ? inside : outside) = between;
    }
    return inside;
}

double mean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void findInterval(const RunValues& row, std::span<const Exchange> all,
                  PermutationFinding& finding) {
    const double middle = mean(row.after) - mean(row.before);
    const auto [low, high] = std::ranges::minmax(joined(row, middle));
    const double spread = high - low;
    if (spread <= 0) {
        finding.low = finding.high = middle;
        return;
    }
    finding.low = intervalEnd(row, middle, -spread, all);
    finding.high = intervalEnd(row, middle, spread, all);
}

/// Of each exchange, the statistics of all rows.
std::vector<std::vector<double>> statisticsOf(std::span<const RunValues> rows,
                                              std::span<const Exchange> all) {
    std::vector<std::vector<double>> table(all.size());
    for (const RunValues& row : rows) {
        const std::vector<double> values = joined(row, 0);
        for (std::size_t i = 0; i < all.size(); ++i)
            table[i].push_back(statistic(values, all[i]));
    }
    return table;
}

/// From the most to the least striking row, each against the largest of those that are left.
void adjust(const std::vector<std::vector<double>>& table,
            std::vector<PermutationFinding>& findings) {
    std::vector<std::size_t> order(findings.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t row) { return table[0][row]; });
    double previous = 0;
    for (std::size_t place = 0; place < order.size(); ++place) {
        const double observed = table[0][order[place]];
        const auto as = std::ranges::count_if(table, [&](const std::vector<double>& statistics) {
            return std::any_of(order.begin() + static_cast<std::ptrdiff_t>(place), order.end(),
                               [&](std::size_t row) { return reaches(statistics[row], observed); });
        });
        previous = std::max(previous, static_cast<double>(as) / static_cast<double>(table.size()));
        findings[order[place]].p = previous;
    }
}

} // namespace

std::vector<PermutationFinding> permuteRuns(std::span<const RunValues> rows, std::uint64_t seed) {
    std::vector<PermutationFinding> findings(rows.size());
    if (rows.empty())
        return findings;
    const std::vector<Exchange> all =
        exchanges(rows.front().before.size(), rows.front().after.size(), seed);
    adjust(statisticsOf(rows, all), findings);
    for (std::size_t row = 0; row < rows.size(); ++row)
        findInterval(rows[row], all, findings[row]);
    return findings;
}

} // namespace inversight
