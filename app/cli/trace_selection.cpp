// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/trace_selection.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

namespace inversight {

namespace {

constexpr double kNsPerSecond = 1e9;

/// A time of a range: seconds from the first event, up to the trace's end.
Result<std::int64_t> parseTime(const std::string& word, const TimeRange& whole,
                               std::int64_t missing) {
    if (word.empty())
        return missing;
    try {
        std::size_t used = 0;
        const double seconds = std::stod(word, &used);
        if (used == word.size() && std::isfinite(seconds) && seconds >= 0) {
            const double length = static_cast<double>(whole.length());
            return whole.begin + std::llround(std::min(seconds * kNsPerSecond, length));
        }
    } catch (const std::exception&) {
        // said below
    }
    return std::unexpected(Error{ErrorCode::InvalidArgument, "no time: " + word, "--range",
                                 "give two times in seconds from the first event, as 0.5:1.2"});
}

Result<TimeRange> parseRange(const std::string& text, const TimeRange& whole) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
        return std::unexpected(Error{ErrorCode::InvalidArgument, "no range: " + text, "--range",
                                     "give two times in seconds from the first event, as 0.5:1.2"});
    const TimeRange range{TRY(parseTime(text.substr(0, colon), whole, whole.begin)),
                          TRY(parseTime(text.substr(colon + 1), whole, whole.end))};
    if (range.begin > range.end)
        return std::unexpected(
            Error{ErrorCode::InvalidArgument, "a range that ends before it begins", "--range"});
    return range;
}

Error notInTrace(const std::string& what, const std::string& name, const char* option) {
    return {ErrorCode::NotFound, "the trace has no " + what + " " + name, option};
}

Result<std::vector<bool>> selectThreads(const std::vector<std::string>& words,
                                        const TraceStore& store) {
    std::vector<bool> chosen(words.empty() ? 0 : store.threads().size(), false);
    for (const std::string& word : words) {
        bool found = false;
        for (std::uint32_t i = 0; i < chosen.size(); ++i) {
            const ThreadId thread{i};
            if (store.threadName(thread) != word &&
                std::to_string(store.threads()[thread].tid) != word)
                continue;
            chosen[i] = found = true;
        }
        if (!found)
            return std::unexpected(notInTrace("thread", word, "--thread"));
    }
    return chosen;
}

Result<std::vector<bool>> selectLocks(const std::vector<std::string>& words,
                                      const AnalysisResults& results) {
    const auto events = results.get<LockEvents>();
    std::vector<bool> chosen(words.empty() || !events ? 0 : events->locks.size(), false);
    for (const std::string& word : words) {
        bool found = false;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            if (events->locks[i].name == word)
                chosen[i] = found = true;
        }
        if (!found)
            return std::unexpected(notInTrace("lock", word, "--lock"));
    }
    return chosen;
}

} // namespace

void addSelectionOptions(CLI::App& app, TraceSelection& selection) {
    app.add_option("--thread", selection.threads, "Only what concerns this thread: name or number")
        ->type_name("NAME")
        ->take_all();
    app.add_option("--lock", selection.locks, "Only what concerns this lock")
        ->type_name("NAME")
        ->take_all();
    app.add_option("--range", selection.range,
                   "Only what happened between these times: seconds from the first event, as "
                   "0.5:1.2; either may be left out")
        ->type_name("A:B");
}

void addOnlyOption(CLI::App& app, TraceSelection& selection) {
    std::vector<std::string> names;
    for (const AnalysisRow& row : analyses())
        names.emplace_back(row.name);
    app.add_option("--only", selection.analyses,
                   "Only the results of this analysis (list analyses)")
        ->check(CLI::IsMember(names))
        ->type_name("NAME")
        ->take_all();
}

Result<void> applySelection(const TraceSelection& selection, AnalyzedTrace& analyzed) {
    if (!selection.range.empty())
        analyzed.range = TRY(parseRange(selection.range, analyzed.store().range()));
    for (const AnalysisRow& row : analyses())
        if (std::ranges::find(selection.analyses, row.name) != selection.analyses.end())
            analyzed.filter.only.push_back(row.id);
    analyzed.filter.threads = TRY(selectThreads(selection.threads, analyzed.store()));
    analyzed.filter.locks = TRY(selectLocks(selection.locks, analyzed.results));
    return {};
}

} // namespace inversight
