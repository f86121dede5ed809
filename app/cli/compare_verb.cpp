// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/compare_verb.h"

#include "app/cli/compare_report.h"
#include "app/cli/load_progress.h"
#include "app/cli/option_words.h"
#include "app/cli/output.h"
#include "trace/decode/trace_source.h"
#include "trace/report/comparison_gate.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

namespace inversight {

namespace {

namespace fs = std::filesystem;

struct CompareOptions {
    std::vector<std::string> sides;
    std::vector<std::string> bounds;
    std::string format;
    std::uint64_t seed = 1;
};

/// The traces of one side: a file, or all *.dat of a folder.
Result<std::vector<std::string>> filesOf(const std::string& side) {
    std::error_code error;
    if (!fs::is_directory(side, error))
        return std::vector{side};
    std::vector<std::string> files;
    for (auto entry = fs::directory_iterator(side, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        if (entry->path().extension() == ".dat")
            files.push_back(entry->path().string());
    }
    if (error)
        return std::unexpected(Error{ErrorCode::Io, error.message(), side});
    std::ranges::sort(files);
    if (files.empty())
        return std::unexpected(Error{ErrorCode::NotFound, "the folder holds no *.dat file", side,
                                     "inversight run -o FOLDER makes some"});
    return files;
}

/// One trace at a time, so that memory does not grow with the traces.
Result<RunFacts> readRun(const std::string& file) {
    const auto reporter = makeJobReporter(ProgressStyle::Terminal);
    const JobContext job = reportingContext(*reporter, {});
    const LoadedTrace trace = TRY(loadTrace(file, job));
    AnalysisResults results;
    TRY(runAnalyses(*trace.store, results, job));
    reporter->finish({});
    RunFacts facts = runFactsOf(*trace.store, results, file);
    if (facts.workers.empty())
        return std::unexpected(Error{ErrorCode::NotFound,
                                     "the trace names no operations to compare (no markers of a run)",
                                     file, "inversight analyze says what it holds"});
    return facts;
}

Result<RunSet> readSide(const std::string& side) {
    RunSet set{side, {}};
    for (const std::string& file : TRY(filesOf(side)))
        set.runs.push_back(TRY(readRun(file)));
    return set;
}

void addMetric(ComparisonOptions& options, LatencyMetric metric) {
    if (std::ranges::find(options.metrics, metric) == options.metrics.end())
        options.metrics.push_back(metric);
}

/// Says the first reason on stderr.
Result<bool> keepsBounds(std::span<const RunComparison> comparisons,
                         std::span<const ComparisonGate> gates) {
    for (const RunComparison& comparison : comparisons) {
        for (const ComparisonGate& gate : gates) {
            if (const auto reason = TRY(gate.broken(comparison))) {
                fmt::print(stderr, "inversight: {}\n", *reason);
                return false;
            }
        }
    }
    return true;
}

std::string toldAs(const std::string& format, std::span<const RunComparison> comparisons) {
    if (format == "json")
        return compareDocument(comparisons).toText();
    return format == "markdown" ? compareMarkdown(comparisons) : compareText(comparisons);
}

Result<ExitCode> compareSides(const CompareOptions& options) {
    ComparisonOptions how;
    how.seed = options.seed;
    std::vector<ComparisonGate> gates;
    for (const std::string& bound : options.bounds) {
        gates.push_back(TRY(ComparisonGate::parse(bound)));
        addMetric(how, gates.back().metric);
    }
    const RunSet before = TRY(readSide(options.sides.front()));
    std::vector<RunComparison> comparisons;
    for (std::size_t side = 1; side < options.sides.size(); ++side)
        comparisons.push_back(compareRuns(before, TRY(readSide(options.sides[side])), how));
    print(toldAs(options.format, comparisons));
    if (!TRY(keepsBounds(comparisons, gates)))
        return ExitCode::GateFailed;
    const bool lossless =
        std::ranges::all_of(comparisons, [](const auto& one) { return one.lossCount == 0; });
    return lossless ? ExitCode::Done : ExitCode::Incomplete;
}

} // namespace

VerbAction setupCompare(CLI::App& app, const Invocation&) {
    const auto options = std::make_shared<CompareOptions>();
    app.add_option("RUNS", options->sides, "Trace files or folders of them; the first is before")
        ->required()
        ->expected(2, 1000)
        ->type_name("");
    app.add_option("--fail-if", options->bounds,
                   "Exit 4 if METRIC>TIME or METRIC:+PERCENT%, perhaps WORKER: in front "
                   "(fifo-99:max>1300us, p99:+5%)")
        ->type_name("BOUND");
    app.add_option("--seed", options->seed, "Of the resamples")->capture_default_str();
    addFormatOption(app, options->format, {"text", "json", "markdown"});
    return [options] { return compareSides(*options); };
}

} // namespace inversight
