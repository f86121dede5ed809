// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/job_reporter.h"
#include "app/cli/stop_control.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace inversight {

/// `--format WORD`, one of `words`, the first being the default. `format` must outlive the parsing.
CLI::Option* addFormatOption(CLI::App& app, std::string& format,
                             const std::vector<std::string>& words);

/// The options of a verb that runs long enough to be watched and stopped.
struct JobOptions {
    std::string format = "text";
    ProgressStyle progress = ProgressStyle::Terminal;
    ControlInput control = ControlInput::None;
};
/// Declares --format text|json, --progress=json and --control=stdin.
void addJobOptions(CLI::App& app, JobOptions& options);

} // namespace inversight
