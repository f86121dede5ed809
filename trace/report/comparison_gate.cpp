// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/report/comparison_gate.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace inversight {

namespace {

constexpr std::array kMetrics{LatencyMetric::Average, LatencyMetric::P50, LatencyMetric::P99,
                              LatencyMetric::P99_9, LatencyMetric::Max};

std::unexpected<Error> badGate(std::string_view text) {
    return std::unexpected(
        Error{ErrorCode::InvalidArgument,
              "expected METRIC>TIME or METRIC:+PERCENT%, perhaps with WORKER: in front",
              fmt::format("the bound {}", text),
              "for example fifo-99:max>1300us or p99:+5%; metrics are avg, p50, p99, p99.9, max"});
}

std::optional<LatencyMetric> metricNamed(std::string_view name) {
    const auto found = std::ranges::find_if(kMetrics, [name](LatencyMetric metric) {
        return name == latencyMetricName(metric);
    });
    return found == kMetrics.end() ? std::nullopt : std::optional(*found);
}

std::optional<double> numberIn(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && number >= 0 ? std::optional(number) : std::nullopt;
}

/// "1300us" in ns.
std::optional<double> timeIn(std::string_view text) {
    struct Unit {
        std::string_view name;
        double ns;
    };
    for (const auto& [name, ns] : {Unit{"ns", 1}, Unit{"us", 1e3}, Unit{"ms", 1e6}, Unit{"s", 1e9}}) {
        if (!text.ends_with(name))
            continue;
        if (const auto number = numberIn(text.substr(0, text.size() - name.size())))
            return *number * ns;
    }
    return std::nullopt;
}

std::string microseconds(double ns) {
    return fmt::format("{:.1f} us", ns / 1000);
}

} // namespace

Result<ComparisonGate> ComparisonGate::parse(std::string_view text) {
    ComparisonGate gate;
    gate.text = text;
    std::string_view subject;
    if (const std::size_t above = text.rfind('>'); above != std::string_view::npos) {
        gate.most = timeIn(text.substr(above + 1));
        subject = text.substr(0, above);
    } else if (const std::size_t plus = text.rfind(":+");
               plus != std::string_view::npos && text.ends_with('%')) {
        gate.mostPercent = numberIn(text.substr(plus + 2, text.size() - plus - 3));
        subject = text.substr(0, plus);
    }
    // A worker's name may hold colons.
    const std::size_t colon = subject.rfind(':');
    if (colon != std::string_view::npos)
        gate.worker = subject.substr(0, colon);
    const auto metric =
        metricNamed(colon == std::string_view::npos ? subject : subject.substr(colon + 1));
    if (!metric || (!gate.most && !gate.mostPercent))
        return badGate(text);
    gate.metric = *metric;
    return gate;
}

Result<std::optional<std::string>> ComparisonGate::broken(const RunComparison& comparison) const {
    bool found = false;
    for (const ComparisonRow& row : comparison.samples.rows) {
        const std::string& name = comparison.workers[row.thread];
        if (row.metric != metric || (worker && *worker != name))
            continue;
        found = true;
        if (most && row.after > *most)
            return fmt::format("{}: {} of {} is {}", text, latencyMetricName(metric), name,
                               microseconds(row.after));
        const bool larger = mostPercent && row.changePercent && *row.changePercent > *mostPercent;
        if (larger && (!row.p || row.differs()))
            return fmt::format("{}: {} of {} went from {} to {} ({:+.1f} %)", text,
                               latencyMetricName(metric), name, microseconds(row.before),
                               microseconds(row.after), *row.changePercent);
    }
    if (!found)
        return std::unexpected(Error{ErrorCode::InvalidArgument,
                                     worker ? fmt::format("no run has a worker {}", *worker)
                                            : std::string("no run has a worker"),
                                     fmt::format("the bound {}", text)});
    return std::nullopt;
}

} // namespace inversight
