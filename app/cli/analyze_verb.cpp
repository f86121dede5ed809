// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/analyze_verb.h"

#include "app/cli/load_progress.h"
#include "app/cli/option_words.h"
#include "app/cli/output.h"
#include "trace/export/analyzed_trace.h"
#include "trace/export/exporters.h"
#include "trace/export/trace_summary.h"

#include <iostream>

namespace inversight {

namespace {

struct AnalyzeOptions {
    std::string file;
    std::string format;
};

/// A failed analysis leaves a gap as a lost event does.
bool complete(const LoadedTrace& trace, const AnalysisResults& results) {
    for (const AnalysisRow& row : analyses()) {
        if (results.state(row.id) != AnalysisState::Ready)
            return false;
    }
    return trace.report.complete && !summarizeLosses(*trace.store).any();
}

Result<ExitCode> analyze(const AnalyzeOptions& options) {
    const ExportFormat& format = *TRY(findExportFormat(options.format));
    const auto reporter = makeJobReporter(ProgressStyle::Terminal);
    const JobContext job = reportingContext(*reporter, {});
    const LoadedTrace trace = TRY(loadTrace(options.file, job));
    AnalysisResults results;
    TRY(runAnalyses(*trace.store, results, job));
    reporter->finish({});
    const auto written = format.write({trace, results, toolName()}, std::cout);
    if (!written && errno != EPIPE)
        return std::unexpected(written.error());
    return complete(trace, results) ? ExitCode::Done : ExitCode::Incomplete;
}

} // namespace

VerbAction setupAnalyze(CLI::App& app, const Invocation&) {
    const auto options = std::make_shared<AnalyzeOptions>();
    app.add_option("FILE", options->file, "A trace file")->required()->type_name("");
    std::vector<std::string> names;
    for (const ExportFormat& format : exportFormats())
        names.emplace_back(format.name);
    addFormatOption(app, options->format, names);
    return [options] { return analyze(*options); };
}

} // namespace inversight
