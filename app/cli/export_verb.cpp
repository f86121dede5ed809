// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/export_verb.h"

#include "app/cli/load_progress.h"
#include "app/cli/option_words.h"
#include "app/cli/stop_control.h"
#include "core/base/unique_fd.h"
#include "trace/export/exporters.h"
#include "trace/export/trace_summary.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <unistd.h>

namespace inversight {

namespace {

struct ExportOptions {
    std::string file;
    std::string format;
    std::string output;
};

/// Puts what was written to PARTIAL in the place of `output`, once it is on the disk.
Result<void> publish(const std::string& partial, const std::string& output) {
    const UniqueFd fd = TRY(UniqueFd::open(partial, O_RDONLY));
    if (::fsync(fd.get()) != 0)
        return std::unexpected(Error::fromErrno(errno, "cannot write the file", partial));
    if (std::rename(partial.c_str(), output.c_str()) != 0)
        return std::unexpected(Error::fromErrno(errno, "cannot rename the finished file", output));
    return {};
}

/// Under the name FILE.partial until it is whole; nothing is left behind by a failure.
Result<void> writeFile(const EventFormatRow& format, const LoadedTrace& trace,
                       const std::string& output, const JobContext& job) {
    const std::string partial = output + ".partial";
    std::ofstream out(partial, std::ios::binary | std::ios::trunc);
    if (!out)
        return std::unexpected(Error::fromErrno(errno, "cannot create the file", partial));
    Result<void> written = format.write(trace, job, out);
    out.close();
    if (written)
        written = publish(partial, output);
    if (!written) {
        if (written.error().code == ErrorCode::Io && written.error().where == "output")
            written.error().where = partial;
        ::unlink(partial.c_str());
    }
    return written;
}

/// A reader that has enough (a pager that was left) is no failure.
Result<void> writeStandardOutput(const EventFormatRow& format, const LoadedTrace& trace,
                                 const JobContext& job) {
    errno = 0;
    Result<void> written = format.write(trace, job, std::cout);
    if (!written && written.error().code == ErrorCode::Io && errno == EPIPE)
        return {};
    return written;
}

bool sameFile(const std::string& a, const std::string& b) {
    std::error_code ignored;
    return std::filesystem::equivalent(a, b, ignored);
}

Result<ExitCode> exportTrace(const ExportOptions& options, JobReporter& reporter,
                             const StopControl& stop) {
    const EventFormatRow& format = *TRY(findEventFormat(options.format));
    if (sameFile(options.file, options.output))
        return std::unexpected(Error{ErrorCode::InvalidArgument, "the output is the trace itself",
                                     options.output, "give -o another name"});
    const JobContext job = reportingContext(reporter, stop.stopToken());
    const LoadedTrace trace = TRY(loadTrace(options.file, job));
    if (options.output == "-")
        TRY(writeStandardOutput(format, trace, job));
    else
        TRY(writeFile(format, trace, options.output, job));
    reporter.finish({});
    for (const std::string& warning : trace.report.warnings)
        reporter.warning(warning);
    const std::string lost = lossSentence(*trace.store);
    if (!lost.empty())
        reporter.warning(lost);
    return trace.report.complete && lost.empty() ? ExitCode::Done : ExitCode::Incomplete;
}

Result<ExitCode> runExport(const ExportOptions& options) {
    const auto stop = TRY(StopControl::create(ControlInput::None));
    const auto reporter = makeJobReporter(ProgressStyle::Terminal);
    Result<ExitCode> result = exportTrace(options, *reporter, *stop);
    reporter->finish({});
    if (!result && result.error().code == ErrorCode::Cancelled)
        return ExitCode::Interrupted;
    return result;
}

} // namespace

VerbAction setupExport(CLI::App& app, const Invocation&) {
    const auto options = std::make_shared<ExportOptions>();
    app.add_option("FILE", options->file, "A trace file")->required()->type_name("");
    std::vector<std::string> names;
    for (const EventFormatRow& format : eventFormats())
        names.emplace_back(format.name);
    app.add_option("--to", options->format, "The format to write")
        ->required()
        ->check(CLI::IsMember(names))
        ->type_name("FORMAT");
    app.add_option("-o,--output", options->output, "The file to write; - is standard output")
        ->required()
        ->type_name("OUT");
    return [options] { return runExport(*options); };
}

} // namespace inversight
