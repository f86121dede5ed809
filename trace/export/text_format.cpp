// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/text_format.h"

#include "core/base/time_format.h"
#include "trace/export/boost_text.h"
#include "trace/export/finding_tables.h"
#include "trace/export/json_document.h"
#include "trace/export/stream_output.h"
#include "trace/export/text_table.h"
#include "trace/export/trace_summary.h"

#include <algorithm>
#include <fmt/format.h>

namespace inversight {

namespace {

using StateTotals = std::array<std::int64_t, kThreadStateCount>;

std::int64_t total(const StateTotals& states, std::initializer_list<ThreadState> which) {
    std::int64_t sum = 0;
    for (const ThreadState state : which)
        sum += states[static_cast<std::size_t>(state)];
    return sum;
}

std::string durationCell(std::int64_t ns) {
    return ns == 0 ? "-" : formatDuration(ns);
}

/// Workers first, then whoever used the most CPU time; idle tasks last.
void sortForReading(std::vector<ThreadSummary>& threads, const TraceStore& store) {
    const auto rank = [&](const ThreadSummary& thread) {
        const std::int64_t running =
            thread.statesNs ? total(*thread.statesNs, {ThreadState::Running}) : 0;
        return std::tuple(store.threads()[thread.thread].isIdle(), !thread.latency, -running);
    };
    std::ranges::stable_sort(threads, {}, rank);
}

std::string threadsText(const std::vector<ThreadSummary>& threads, const TraceStore& store) {
    using enum ThreadState;
    TextTable table({{"thread"},
                     {"priority"},
                     {"running", Align::Right},
                     {"runnable", Align::Right},
                     {"preempted", Align::Right},
                     {"on a lock", Align::Right},
                     {"on the bus", Align::Right},
                     {"sleeping", Align::Right},
                     {"in D", Align::Right},
                     {"other", Align::Right},
                     {"unknown", Align::Right}});
    for (const ThreadSummary& thread : threads) {
        std::vector<std::string> cells{threadLabel(store, thread.thread),
                                       thread.priority.empty() ? "?" : thread.priority};
        const StateTotals states = thread.statesNs.value_or(StateTotals{});
        for (const auto& which :
             std::initializer_list<std::initializer_list<ThreadState>>{{Running},
                                                                       {RunnableWoken},
                                                                       {RunnablePreempted},
                                                                       {BlockedLock},
                                                                       {Wire},
                                                                       {Sleeping},
                                                                       {Uninterruptible},
                                                                       {Idle, Stopped, Dead},
                                                                       {Unknown}})
            cells.push_back(thread.statesNs ? durationCell(total(states, which)) : "?");
        table.addRow(std::move(cells));
    }
    return fmt::format("Threads: {}\n", threads.size()) + table.toText();
}

std::string latencyText(const std::vector<ThreadSummary>& threads, const TraceStore& store) {
    TextTable table({{"thread"},
                     {"count", Align::Right},
                     {"min", Align::Right},
                     {"avg", Align::Right},
                     {"p50", Align::Right},
                     {"p99", Align::Right},
                     {"p99.9", Align::Right},
                     {"max", Align::Right}});
    bool any = false;
    for (const ThreadSummary& thread : threads) {
        if (!thread.latency)
            continue;
        any = true;
        const LatencySummary& summary = *thread.latency;
        std::vector<std::string> cells{threadLabel(store, thread.thread),
                                       std::to_string(summary.count)};
        for (const std::int64_t value :
             {summary.min, summary.average, summary.p50, summary.p99, summary.p99_9, summary.max})
            cells.push_back(formatDuration(value));
        table.addRow(std::move(cells));
    }
    return any ? "Latency of bus operations, from the request to the release\n" + table.toText() +
                     "\n"
               : "";
}

std::string missingText(const AnalyzedTrace& analyzed) {
    std::string text;
    for (const std::string& warning : analyzed.trace.report.warnings)
        text += "warning: " + printable(warning) + "\n";
    for (const AnalysisRow& row : analyses())
        if (const auto error = analyzed.results.error(row.id))
            text += "warning: " + printable(error->sentence()) + "\n";
    return text.empty() ? text : text + "\n";
}

std::string rangeText(const AnalyzedTrace& analyzed) {
    const TimeRange range = analyzed.range.value_or(analyzed.store().range());
    const std::int64_t origin = analyzed.store().range().begin;
    return fmt::format(
        "{}: {} to {} s of {} s; times count from the first event at {} s\n\n",
        printable(analyzed.trace.info.path), formatSeconds(relativeTime(range.begin, origin)),
        formatSeconds(relativeTime(range.end, origin)),
        formatSeconds(relativeTime(analyzed.store().range().end, origin)), formatSeconds(origin));
}

} // namespace

Result<void> writeText(const AnalyzedTrace& analyzed, std::ostream& out) {
    const TraceStore& store = analyzed.store();
    std::vector<ThreadSummary> threads = summarizeThreads(analyzed);
    sortForReading(threads, store);
    using enum AnalysisId;
    out << lossText(store) << missingText(analyzed) << rangeText(analyzed);
    if (analyzed.filter.only.empty())
        out << eventCountsText(store) << "\n";
    std::erase_if(threads,
                  [&](const ThreadSummary& thread) { return !analyzed.includes({thread.thread}); });
    if (analyzed.wants({SchedRuns, Priorities, ThreadStates}))
        out << threadsText(threads, store) << "\n";
    if (analyzed.wants({Latency}))
        out << latencyText(threads, store);
    out << findingsText(analyzed);
    if (analyzed.wants({Boosts}))
        out << boostsText(analyzed);
    return finishOutput(out);
}

} // namespace inversight
