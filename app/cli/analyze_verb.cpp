// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/analyze_verb.h"

#include "app/cli/analyzed_file.h"
#include "app/cli/option_words.h"
#include "trace/export/exporters.h"

#include <iostream>

namespace inversight {

namespace {

struct AnalyzeOptions {
    std::string file;
    std::string format;
    TraceSelection selection;
};

Result<ExitCode> analyze(const AnalyzeOptions& options) {
    const ExportFormat& format = *TRY(findExportFormat(options.format));
    return tellOfFile(options.file, options.selection, [&](const AnalyzedTrace& analyzed) {
        return format.write(analyzed, std::cout);
    });
}

} // namespace

VerbAction setupAnalyze(CLI::App& app, const Invocation&) {
    const auto options = std::make_shared<AnalyzeOptions>();
    app.add_option("FILE", options->file, "A trace file")->required()->type_name("");
    addOnlyOption(app, options->selection);
    addSelectionOptions(app, options->selection);
    std::vector<std::string> names;
    for (const ExportFormat& format : exportFormats())
        names.emplace_back(format.name);
    addFormatOption(app, options->format, names);
    return [options] { return analyze(*options); };
}

} // namespace inversight
