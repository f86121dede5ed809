// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/explain_verb.h"

#include "app/cli/analyzed_file.h"
#include "app/cli/option_words.h"
#include "trace/export/explain_text.h"
#include "trace/export/stream_output.h"

#include <iostream>

namespace inversight {

namespace {

constexpr std::size_t kDefaultTop = 10;

struct ExplainOptions {
    std::string file;
    std::string format;
    std::size_t top = kDefaultTop;
    TraceSelection selection;
};

Result<void> tell(const AnalyzedTrace& analyzed, const ExplainOptions& options) {
    if (options.format == "markdown")
        return writeExplanationMarkdown(analyzed, options.top, std::cout);
    if (options.format == "text")
        return writeExplanation(analyzed, options.top, std::cout);
    std::cout << explainDocument(analyzed, options.top).toText();
    return finishOutput(std::cout);
}

} // namespace

VerbAction setupExplain(CLI::App& app, const Invocation&) {
    const auto options = std::make_shared<ExplainOptions>();
    app.add_option("FILE", options->file, "A trace file")->required()->type_name("");
    app.add_option("--top", options->top, "How many inversions to explain, the worst first")
        ->check(CLI::PositiveNumber)
        ->type_name("N")
        ->capture_default_str();
    addSelectionOptions(app, options->selection);
    addFormatOption(app, options->format, {"text", "json", "markdown"});
    return [options] {
        return tellOfFile(options->file, options->selection,
                          [&](const AnalyzedTrace& analyzed) { return tell(analyzed, *options); });
    };
}

} // namespace inversight
