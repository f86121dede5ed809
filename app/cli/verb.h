// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace inversight {

/// The exit status of the program (docs/architecture.md, "Command line").
enum class ExitCode {
    Done = 0,
    Failed = 1,     ///< the job failed; one line on stderr says what, where, what to do
    Usage = 2,      ///< the command line makes no sense
    Incomplete = 3, ///< done, but the evidence has gaps: events lost, run cut short
    GateFailed = 4, ///< a comparison breaks a bound
    Interrupted = 130,
};

/// How the program was called.
struct Invocation {
    std::vector<std::string> argv;    ///< all of it, for a run's manifest
    std::vector<std::string> command; ///< what follows `--` after `record`
};

/// What a verb does once its options are parsed. An Error becomes the one line on stderr and
/// ExitCode::Failed.
using VerbAction = std::function<Result<ExitCode>()>;

/// A row of the verb table. `setup` declares the verb's options on its own subcommand and returns
/// the action, which owns the parsed values; `invocation` outlives the action.
struct VerbRow {
    std::string_view name;
    std::string_view text; ///< one line for --help
    VerbAction (*setup)(CLI::App& app, const Invocation& invocation) = nullptr;
};

/// The table (verbs.cpp).
[[nodiscard]] std::span<const VerbRow> verbs();

} // namespace inversight
