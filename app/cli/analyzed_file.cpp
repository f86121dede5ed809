// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/analyzed_file.h"

#include "app/cli/load_progress.h"
#include "app/cli/output.h"
#include "trace/export/trace_summary.h"

#include <cerrno>

namespace inversight {

namespace {

/// A failed analysis leaves a gap as a lost event does.
bool complete(const LoadedTrace& trace, const AnalysisResults& results) {
    for (const AnalysisRow& row : analyses()) {
        if (results.state(row.id) != AnalysisState::Ready)
            return false;
    }
    return trace.report.complete && !summarizeLosses(*trace.store).any();
}

} // namespace

Result<ExitCode> tellOfFile(const std::string& file, const TraceSelection& selection,
                            const std::function<Result<void>(const AnalyzedTrace&)>& tell) {
    const auto reporter = makeJobReporter(ProgressStyle::Terminal);
    const JobContext job = reportingContext(*reporter, {});
    const LoadedTrace trace = TRY(loadTrace(file, job));
    AnalysisResults results;
    TRY(runAnalyses(*trace.store, results, job));
    reporter->finish({});
    AnalyzedTrace analyzed{trace, results, toolName()};
    TRY(applySelection(selection, analyzed));
    errno = 0;
    const auto written = tell(analyzed);
    // A reader that has enough (a pager that was left) is no failure.
    if (!written && errno != EPIPE)
        return std::unexpected(written.error());
    return complete(trace, results) ? ExitCode::Done : ExitCode::Incomplete;
}

} // namespace inversight
