// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/compare_report.h"

#include "app/cli/output.h"
#include "trace/export/text_table.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace inversight {

namespace {

using Cells = std::vector<std::string>;

std::string microsOf(double ns) {
    return fmt::format("{:.1f}", ns / 1000);
}

std::string changeCell(const ComparisonRow& row) {
    return row.changePercent ? fmt::format("{:+.1f} %", *row.changePercent) : "-";
}

std::string intervalCell(const ComparisonRow& row) {
    return row.interval ? fmt::format("{:+.1f} to {:+.1f} %", row.interval->low, row.interval->high)
                        : "-";
}

std::string verdict(const ComparisonRow& row) {
    if (!row.p)
        return row.metric == LatencyMetric::Max ? "one operation" : "too few to say";
    return row.differs() ? "differs" : "no difference shown";
}

const Cells kComparisonTitles{"worker", "metric", "before us", "after us", "change", "95 %", ""};

Cells comparisonCells(const RunComparison& comparison, const ComparisonRow& row) {
    return {printable(comparison.workers[row.thread]),
            latencyMetricName(row.metric),
            microsOf(row.before),
            microsOf(row.after),
            changeCell(row),
            intervalCell(row),
            verdict(row)};
}

std::string runsOf(std::size_t count) {
    return fmt::format("{} run{}", count, count == 1 ? "" : "s");
}

std::string titleOf(const RunComparison& comparison) {
    return fmt::format("{} ({}) -> {} ({})", comparison.before,
                       runsOf(comparison.samples.beforeRuns), comparison.after,
                       runsOf(comparison.samples.afterRuns));
}

/// What the verdicts stand on.
std::string methodOf(const SampleComparison& samples) {
    const std::size_t fewer = std::min(samples.beforeRuns, samples.afterRuns);
    if (fewer >= kRunsForPermutation)
        return "permutation test over runs; p adjusted for all rows";
    const std::string runs = fewer == 1 ? "single run a side" : "few runs a side";
    return runs + ", indicative: moving-block bootstrap; what a run's own luck did to all of its "
                  "operations is not seen";
}

std::string summaryOf(const RunComparison& comparison) {
    const auto& rows = comparison.samples.rows;
    const auto differing = std::ranges::count_if(rows, &ComparisonRow::differs);
    if (differing == 0)
        return "no difference shown";
    return fmt::format("{} of {} rows differ", differing,
                       std::ranges::count_if(rows, [](const auto& row) { return row.p.has_value(); }));
}

std::string inversionLine(const InversionChange& change) {
    const std::string what =
        fmt::format("{} on {}", change.victim, change.lock.empty() ? "a helper or an unknown lock" : change.lock);
    const std::string told =
        fmt::format("{:g} -> {:g} inversions a run, others ran {} -> {} us meanwhile",
                    change.beforePerRun, change.afterPerRun, microsOf(change.beforeMidNsPerRun),
                    microsOf(change.afterMidNsPerRun));
    const char* fate = change.afterPerRun == 0    ? " (vanished)"
                       : change.beforePerRun == 0 ? " (appeared)"
                                                  : "";
    return printable(what) + ": " + told + fate;
}

std::string lossLine(const RunComparison& comparison) {
    return comparison.lossCount == 0
               ? ""
               : fmt::format("EVENTS ARE MISSING at {} places of these traces", comparison.lossCount);
}

std::vector<std::string> linesOf(const RunComparison& comparison) {
    std::vector<std::string> lines{summaryOf(comparison), methodOf(comparison.samples)};
    for (const InversionChange& change : comparison.inversions)
        lines.push_back(inversionLine(change));
    if (const std::string losses = lossLine(comparison); !losses.empty())
        lines.push_back(losses);
    return lines;
}

std::string markdownRow(const Cells& cells) {
    std::string line = "|";
    for (std::string cell : cells) {
        for (std::size_t bar = cell.find('|'); bar != std::string::npos; bar = cell.find('|', bar + 2))
            cell.insert(bar, 1, '\\');
        line += " " + cell + " |";
    }
    return line + "\n";
}

Json rowObject(const RunComparison& comparison, const ComparisonRow& row) {
    static constexpr std::array<const char*, 3> kUnits{"run", "block", "none"};
    Json object{{"worker", comparison.workers[row.thread]},
                {"metric", latencyMetricName(row.metric)},
                {"before_ns", row.before},
                {"after_ns", row.after},
                {"change_percent", nullptr},
                {"interval_percent", nullptr},
                {"p", nullptr},
                {"unit", kUnits[static_cast<std::size_t>(row.unit)]},
                {"differs", row.differs()}};
    if (row.changePercent)
        object["change_percent"] = *row.changePercent;
    if (row.interval)
        object["interval_percent"] = {row.interval->low, row.interval->high};
    if (row.p)
        object["p"] = *row.p;
    return object;
}

Json inversionObject(const InversionChange& change) {
    return {{"victim", change.victim},
            {"lock", change.lock.empty() ? Json() : Json(change.lock)},
            {"before_per_run", change.beforePerRun},
            {"after_per_run", change.afterPerRun},
            {"before_mid_ns_per_run", change.beforeMidNsPerRun},
            {"after_mid_ns_per_run", change.afterMidNsPerRun}};
}

Json comparisonObjectOf(const RunComparison& comparison) {
    Json rows = Json::array();
    for (const ComparisonRow& row : comparison.samples.rows)
        rows.push_back(rowObject(comparison, row));
    Json inversions = Json::array();
    for (const InversionChange& change : comparison.inversions)
        inversions.push_back(inversionObject(change));
    return {{"before", comparison.before},
            {"after", comparison.after},
            {"before_run_count", comparison.samples.beforeRuns},
            {"after_run_count", comparison.samples.afterRuns},
            {"any_difference", comparison.samples.anyDifference()},
            {"rows", rows},
            {"inversions", inversions},
            {"loss_count", comparison.lossCount}};
}

} // namespace

std::string compareText(std::span<const RunComparison> comparisons) {
    using enum Align;
    std::string text;
    for (const RunComparison& comparison : comparisons) {
        TextTable table({{"worker", Left}, {"metric", Left}, {"before us", Right}, {"after us", Right},
                         {"change", Right}, {"95 %", Right}, {"", Left}});
        for (const ComparisonRow& row : comparison.samples.rows)
            table.addRow(comparisonCells(comparison, row));
        text += (text.empty() ? "" : "\n") + titleOf(comparison) + "\n" + table.toText();
        for (const std::string& line : linesOf(comparison))
            text += "  " + line + "\n";
    }
    return text;
}

std::string compareMarkdown(std::span<const RunComparison> comparisons) {
    std::string text;
    for (const RunComparison& comparison : comparisons) {
        text += (text.empty() ? "### " : "\n### ") + titleOf(comparison) + "\n\n";
        text += markdownRow(kComparisonTitles) + "|---|---|---:|---:|---:|---:|---|\n";
        for (const ComparisonRow& row : comparison.samples.rows)
            text += markdownRow(comparisonCells(comparison, row));
        text += "\n";
        for (const std::string& line : linesOf(comparison))
            text += "- " + line + "\n";
    }
    return text;
}

JsonDocument compareDocument(std::span<const RunComparison> comparisons) {
    JsonDocument document = makeDocument("inversight.compare/1");
    document.data["comparisons"] = Json::array();
    for (const RunComparison& comparison : comparisons) {
        document.data["comparisons"].push_back(comparisonObjectOf(comparison));
        document.complete = document.complete && comparison.lossCount == 0;
    }
    return document;
}

} // namespace inversight
