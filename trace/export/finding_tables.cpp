// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/finding_tables.h"

#include "core/base/time_format.h"
#include "trace/analysis/wakeups.h"
#include "trace/export/json_document.h"
#include "trace/export/thread_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace inversight {

namespace {

/// More lines than anybody reads; the other formats have all of them.
constexpr std::size_t kMaxInversionRows = 50;

std::string kindsOf(const Inversion& inversion) {
    std::string words;
    for (const InversionKind kind : kInversionKinds)
        if (inversion.is(kind))
            words += (words.empty() ? "" : " ") + std::string(inversionKindName(kind));
    return words;
}

FindingTable inversionTable(const AnalyzedTrace& analyzed, const Inversions& inversions) {
    const ThreadWords words(analyzed);
    FindingTable table{"Inversions",
                       "none",
                       {{"from (s)", Align::Right},
                        {"waited", Align::Right},
                        {"victim"},
                        {"for"},
                        {"of"},
                        {"kind"},
                        {"lower", Align::Right},
                        {"mid", Align::Right},
                        {"mid by"},
                        {"confidence"}},
                       {}};
    std::size_t count = 0;
    for (const Inversion& row : inversions.inversions) {
        if (!analyzed.includes(row.range) || !analyzed.includes({row.victim, row.owner}) ||
            !analyzed.includes(row.lock) || count++ >= kMaxInversionRows)
            continue;
        std::string midBy;
        for (const MidShare& share : row.midBy)
            midBy += (midBy.empty() ? "" : ", ") + words.name(share.by);
        const std::int64_t begin = relativeTime(row.range.begin, analyzed.store().range().begin);
        const bool helper = row.is(InversionKind::ThroughHelper);
        table.rows.push_back({formatSeconds(begin), formatDuration(row.range.length()),
                              words.withPriority(row.victim, row.range.begin),
                              helper ? "its work" : words.lock(row.lock),
                              words.withPriority(row.owner, row.range.begin), kindsOf(row),
                              formatDuration(row.invertedNs), formatDuration(row.midNs), midBy,
                              confidenceName(row.confidence)});
    }
    table.title = fmt::format("Inversions: {}", count);
    if (count > kMaxInversionRows)
        table.title += fmt::format(", the worst {}", kMaxInversionRows);
    return table;
}

/// The waits of one thread for one lock, or for one helper.
struct WaitSum {
    std::uint64_t count = 0;
    std::int64_t totalNs = 0;
    std::int64_t longestNs = 0;
    PartTotals parts{};

    void add(const TimeRange& range, const PartTotals& of) {
        ++count;
        totalNs += range.length();
        longestNs = std::max(longestNs, range.length());
        for (std::size_t i = 0; i < kWaitPartCount; ++i)
            parts[i] += of[i];
    }
};

std::string partWords(const PartTotals& parts) {
    std::vector<std::pair<std::int64_t, std::string>> list;
    for (std::size_t i = 0; i < kWaitPartCount; ++i)
        if (parts[i] > 0)
            list.emplace_back(parts[i], waitPartName(static_cast<WaitPart>(i)));
    std::ranges::stable_sort(list, std::greater{}, [](const auto& entry) { return entry.first; });
    std::string words;
    for (const auto& [ns, name] : list)
        words += fmt::format("{}{} {}", words.empty() ? "" : ", ", name, formatDuration(ns));
    std::ranges::replace(words, '_', ' ');
    return words;
}

FindingTable waitTable(const AnalyzedTrace& analyzed, const Decomposition& decomposition) {
    const ThreadWords words(analyzed);
    const auto helpers = analyzed.results.get<HelperWaits>();
    std::map<std::pair<std::string, std::string>, WaitSum> sums;
    for (std::uint32_t i = 0; i < decomposition.waits.size(); ++i) {
        const DecomposedWait& wait = decomposition.waits[i];
        if (!analyzed.includes(wait.range) || !analyzed.includes({wait.thread}) ||
            !analyzed.includes(wait.lock))
            continue;
        const std::string on = wait.on == WaitOn::Helper && helpers
                                   ? words.name(helpers->waits[wait.source].helper)
                                   : words.lock(wait.lock);
        sums[{words.name(wait.thread), on}].add(wait.range, decomposition.parts(i));
    }
    std::vector<std::pair<std::pair<std::string, std::string>, WaitSum>> order(sums.begin(),
                                                                               sums.end());
    std::ranges::stable_sort(order, std::greater{},
                             [](const auto& entry) { return entry.second.totalNs; });
    FindingTable table{"Waits that somebody else caused",
                       "none",
                       {{"thread"},
                        {"for"},
                        {"count", Align::Right},
                        {"total", Align::Right},
                        {"longest", Align::Right},
                        {"of what"}},
                       {}};
    for (const auto& [key, sum] : order)
        table.rows.push_back({key.first, key.second, std::to_string(sum.count),
                              formatDuration(sum.totalNs), formatDuration(sum.longestNs),
                              partWords(sum.parts)});
    return table;
}

FindingTable wakeupTable(const AnalyzedTrace& analyzed, const Wakeups& wakeups) {
    // Thread, CPU, priority; the latencies of one group follow each other in ascending order.
    std::vector<std::tuple<ThreadId, std::int32_t, std::int32_t, std::int64_t>> all;
    for (const Wakeup& wakeup : wakeups.wakeups)
        if (analyzed.includes(TimeRange{wakeup.time, wakeup.run}) &&
            analyzed.includes({wakeup.thread}))
            all.emplace_back(wakeup.thread, wakeup.cpu, wakeup.prio, wakeup.latency());
    std::ranges::sort(all);
    const ThreadWords words(analyzed);
    FindingTable table{"Wake-up to run",
                       "none",
                       {{"thread"},
                        {"CPU", Align::Right},
                        {"priority"},
                        {"count", Align::Right},
                        {"p50", Align::Right},
                        {"p99", Align::Right},
                        {"max", Align::Right}},
                       {}};
    const auto groupOf = [](const auto& entry) {
        return std::tuple(std::get<0>(entry), std::get<1>(entry), std::get<2>(entry));
    };
    for (auto first = all.begin(); first != all.end();) {
        const auto end = std::find_if(
            first, all.end(), [&](const auto& entry) { return groupOf(entry) != groupOf(*first); });
        const auto count = end - first;
        const auto latencyAt = [&](std::ptrdiff_t percent) {
            return formatDuration(std::get<3>(first[(count * percent - 1) / 100]));
        };
        table.rows.push_back({words.name(std::get<0>(*first)), std::to_string(std::get<1>(*first)),
                              formatKernelPriority(std::get<2>(*first)), std::to_string(count),
                              latencyAt(50), latencyAt(99), latencyAt(100)});
        first = end;
    }
    return table;
}

} // namespace

std::vector<FindingTable> findingTables(const AnalyzedTrace& analyzed) {
    std::vector<FindingTable> tables;
    const auto inversions = analyzed.results.get<Inversions>();
    if (inversions && analyzed.wants({AnalysisId::Inversions}))
        tables.push_back(inversionTable(analyzed, *inversions));
    const auto decomposition = analyzed.results.get<Decomposition>();
    if (decomposition &&
        analyzed.wants({AnalysisId::Decomposition, AnalysisId::LockWaits, AnalysisId::HelperWaits}))
        tables.push_back(waitTable(analyzed, *decomposition));
    const auto wakeups = analyzed.results.get<Wakeups>();
    if (wakeups && analyzed.wants({AnalysisId::Wakeups}))
        tables.push_back(wakeupTable(analyzed, *wakeups));
    return tables;
}

std::string findingsText(const AnalyzedTrace& analyzed) {
    std::string text;
    for (const FindingTable& table : findingTables(analyzed)) {
        if (table.rows.empty()) {
            text += fmt::format("{}: {}\n\n", table.title, table.note);
            continue;
        }
        TextTable lines(table.columns);
        for (const std::vector<std::string>& row : table.rows)
            lines.addRow(row);
        text += table.title + "\n" + lines.toText() + "\n";
    }
    return text;
}

} // namespace inversight
