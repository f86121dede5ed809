// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/info_verb.h"

#include "app/cli/load_progress.h"
#include "app/cli/option_words.h"
#include "app/cli/output.h"
#include "trace/export/info_document.h"
#include "trace/export/trace_summary.h"

#include <fmt/format.h>

namespace inversight {

namespace {

struct InfoOptions {
    std::string file;
    std::string format;
};

/// RFC 4180; a hostile file's event may have any name.
std::string csvText(const LoadedTrace& trace) {
    std::string text = "event,count\r\n";
    for (const auto& [name, count] : eventCountsByName(*trace.store)) {
        std::string quoted;
        for (const char c : name)
            quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
        text += fmt::format("\"{}\",{}\r\n", quoted, count);
    }
    return text;
}

Result<ExitCode> info(const InfoOptions& options) {
    const auto reporter = makeJobReporter(ProgressStyle::Terminal);
    const LoadedTrace trace = TRY(loadTrace(options.file, reportingContext(*reporter, {})));
    reporter->finish({});
    const JsonDocument document = infoDocument(trace, toolName());
    if (options.format == "json")
        print(document.toText());
    else
        print(options.format == "csv" ? csvText(trace) : infoText(trace));
    return document.complete ? ExitCode::Done : ExitCode::Incomplete;
}

} // namespace

VerbAction setupInfo(CLI::App& app, const Invocation&) {
    const auto options = std::make_shared<InfoOptions>();
    app.add_option("FILE", options->file, "A trace file")->required()->type_name("");
    addFormatOption(app, options->format, {"text", "json", "csv"});
    return [options] { return info(*options); };
}

} // namespace inversight
