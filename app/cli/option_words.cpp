// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/option_words.h"

namespace inversight {

CLI::Option* addFormatOption(CLI::App& app, std::string& format,
                             const std::vector<std::string>& words) {
    format = words.front();
    return app.add_option("--format", format, "How to print the result")
        ->check(CLI::IsMember(words))
        ->type_name("WORD")
        ->capture_default_str();
}

void addJobOptions(CLI::App& app, JobOptions& options) {
    addFormatOption(app, options.format, {"text", "json"});
    app.add_option_function<std::string>(
           "--progress", [&](const std::string&) { options.progress = ProgressStyle::Json; },
           "json: report on standard output as JSON lines, result included")
        ->type_name("WORD")
        ->check(CLI::IsMember({"json"}));
    app.add_option_function<std::string>(
           "--control", [&](const std::string&) { options.control = ControlInput::Stdin; },
           "stdin: a line 'stop' or the end of standard input ends the job cleanly")
        ->type_name("WORD")
        ->check(CLI::IsMember({"stdin"}));
}

} // namespace inversight
