// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/run_report.h"

#include "core/base/time_format.h"
#include "core/stats/latency_summary.h"
#include "trace/export/text_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace inversight {

namespace {

constexpr std::string_view kIndent = "  ";

/// Whole microseconds, rounded down as in the 2009 program.
std::string micros(std::int64_t nanoseconds) {
    return fmt::to_string(nanoseconds / 1000);
}

std::string titleLine(const RunPlan& plan, const PolicyRun& run) {
    const std::string where =
        plan.engine == EngineKind::Virtual
            ? fmt::format("in virtual time on {} CPU{}", plan.scenario.spec.cpuCount,
                          plan.scenario.spec.cpuCount == 1 ? "" : "s")
            : fmt::format("on real {}, CPU {}",
                          plan.workers == WorkerKind::Process ? "processes" : "threads",
                          fmt::join(plan.cpus.workerCpus, ", "));
    const std::size_t workers = run.result.threads.size();
    std::string line =
        fmt::format("{}, policy {}: {} worker{} {}", plan.scenario.spec.name, run.result.policy,
                    workers, workers == 1 ? "" : "s", where);
    if (run.recording)
        line += ", recorded in " + run.recording->path;
    return line + (run.result.interrupted ? " (stopped early)\n" : "\n");
}

std::string workerTable(const RunResult& result) {
    using enum Align;
    TextTable table({{"worker", Left},
                     {"class", Left},
                     {"count", Right},
                     {"run ms", Right},
                     {"min us", Right},
                     {"max us", Right},
                     {"avg us", Right},
                     {"p50 us", Right},
                     {"p99 us", Right},
                     {"p99.9 us", Right}});
    for (const ThreadRunResult& thread : result.threads) {
        const LatencySummary summary = summarize(thread.latency);
        table.addRow({thread.name, thread.scheduling.text(), fmt::to_string(thread.operationCount),
                      fmt::to_string(thread.runTimeNs / 1'000'000), micros(summary.min),
                      micros(summary.max), micros(summary.average), micros(summary.p50),
                      micros(summary.p99), micros(summary.p99_9)});
    }
    return table.toText();
}

bool anyTransfers(const RunResult& result) {
    return std::ranges::any_of(
        result.threads, [](const ThreadRunResult& thread) { return thread.operationCount > 0; });
}

/// Of workloads that are more than transfers.
std::string jobTable(const RunPlan& plan, const RunResult& result) {
    const bool deadlines =
        std::ranges::any_of(plan.scenario.spec.threads,
                            [](const ThreadSpec& thread) { return thread.deadline.count() > 0; });
    const bool locks = !plan.scenario.spec.locks.empty();
    const bool known = std::ranges::all_of(
        result.threads, [](const ThreadRunResult& thread) { return thread.jobs.has_value(); });
    if (!known || (anyTransfers(result) && !deadlines && !locks))
        return {};
    using enum Align;
    TextTable table({{"worker", Left},
                     {"class", Left},
                     {"jobs", Right},
                     {"response min us", Right},
                     {"max us", Right},
                     {"avg us", Right},
                     {"lock wait max us", Right},
                     {"deadlines missed", Right}});
    for (const ThreadRunResult& thread : result.threads) {
        const JobFigures& jobs = *thread.jobs;
        table.addRow({thread.name, thread.scheduling.text(), fmt::to_string(jobs.count),
                      micros(jobs.response.min()), micros(jobs.response.max()),
                      micros(jobs.response.average()), micros(jobs.maxWaitNs),
                      jobs.hasDeadline ? fmt::to_string(jobs.deadlineMissCount) : "-"});
    }
    return table.toText();
}

std::string errorLines(const RunResult& result) {
    std::string lines;
    for (const ThreadRunResult& thread : result.threads) {
        if (thread.errorCount > 0)
            lines += fmt::format("{}{}: {} operations failed\n", kIndent, thread.name,
                                 thread.errorCount);
    }
    return lines;
}

std::string boostLines(const PolicyRun& run) {
    if (!run.findings)
        return {};
    std::string lines;
    for (const BoostGroup& group : run.findings->boosts)
        lines += fmt::format("{}boosted: {}\n", kIndent, group.sentence());
    if (lines.empty())
        lines = fmt::format("{}boosted: no worker\n", kIndent);
    if (run.findings->otherBoostCount > 0)
        lines +=
            fmt::format("{}boosts of other threads: {}\n", kIndent, run.findings->otherBoostCount);
    return lines + fmt::format("{}{}\n", kIndent, run.findings->inversions.sentence());
}

std::string lossLine(const PolicyRun& run) {
    if (!run.recording)
        return {};
    if (run.lostCount() == 0)
        return fmt::format("{}lost events: none\n", kIndent);
    return fmt::format("{}LOST: {} events, {} markers; what the trace shows is incomplete\n",
                       kIndent, run.recording->lostCount, run.recording->lostMarkerCount);
}

std::string change(std::int64_t before, std::int64_t after, double percent) {
    return fmt::format("{} -> {} ({:+.1f} %)", micros(before), micros(after), percent);
}

const ThreadRunResult* findThread(const RunResult& result, const std::string& name) {
    const auto found = std::ranges::find(result.threads, name, &ThreadRunResult::name);
    return found == result.threads.end() ? nullptr : &*found;
}

/// What a thread is judged by: its transfers, or without any its jobs.
const LatencyHistogram& figuresOf(const ThreadRunResult& thread) {
    return thread.latency.count() == 0 && thread.jobs ? thread.jobs->response : thread.latency;
}

std::string comparisonTable(const RunResult& before, const RunResult& after) {
    using enum Align;
    TextTable table({{"worker", Left}, {"avg us", Right}, {"p99 us", Right}, {"max us", Right}});
    for (const ThreadRunResult& thread : before.threads) {
        const ThreadRunResult* other = findThread(after, thread.name);
        if (!other)
            continue;
        const LatencySummary was = summarize(figuresOf(thread));
        const LatencySummary is = summarize(figuresOf(*other));
        const LatencyChange changes = compare(was, is);
        if (!changes.comparable) {
            table.addRow({thread.name, "-", "-", "-"});
            continue;
        }
        table.addRow({thread.name, change(was.average, is.average, changes.averagePercent),
                      change(was.p99, is.p99, changes.p99Percent),
                      change(was.max, is.max, changes.maxPercent)});
    }
    return table.toText();
}

std::string totalLine(const RunResult& before, const RunResult& after) {
    std::string line = fmt::format("{}total {} us -> {} us", kIndent, micros(before.totalNs),
                                   micros(after.totalNs));
    if (before.totalNs > 0)
        line += fmt::format(" ({:+.1f} %)",
                            100.0 * static_cast<double>(after.totalNs - before.totalNs) /
                                static_cast<double>(before.totalNs));
    return line + "\n";
}

} // namespace

std::string runReport(const RunPlan& plan, const PolicyRun& run) {
    const std::string jobs = jobTable(plan, run.result);
    const bool operations = jobs.empty() || anyTransfers(run.result);
    return titleLine(plan, run) + (operations ? workerTable(run.result) : "") + jobs +
           fmt::format("{}total {} us\n", kIndent, micros(run.result.totalNs)) +
           errorLines(run.result) + boostLines(run) + lossLine(run);
}

std::string comparisonReport(std::span<const PolicyRun> runs) {
    std::string text;
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const RunResult& before = runs.front().result;
        const RunResult& after = runs[i].result;
        text += fmt::format("{} -> {}\n{}", before.policy, after.policy,
                            comparisonTable(before, after));
        text += totalLine(before, after);
    }
    return text;
}

} // namespace inversight
