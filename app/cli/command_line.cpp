// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/command_line.h"

#include "app/cli/output.h"
#include "app/cli/program_finder.h"
#include "app/cli/verb.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace inversight {

namespace {

constexpr const char* kDescription =
    "Shows why a high-priority thread waited: runs a bus workload under a lock policy, records\n"
    "the kernel's scheduling and lock events, and explains who held the lock and who was boosted.\n"
    "Without a verb it opens the window, with the trace files given.";
constexpr const char* kExitFooter =
    "Exit status: 0 done, 1 failed, 2 usage, 3 done but evidence is incomplete (events lost,\n"
    "run cut short), 130 interrupted (what was recorded is kept).";

int status(ExitCode code) {
    return static_cast<int>(code);
}

int fail(const Error& error) {
    fmt::print(stderr, "inversight: {}\n", error.sentence());
    return status(ExitCode::Failed);
}

/// One line whatever the text: some of CLI11's messages have several.
int failUsage(std::string message, const std::string& help) {
    std::ranges::replace(message, '\n', ' ');
    fmt::print(stderr, "inversight: {}; '{} --help' shows the usage\n", message, help);
    return status(ExitCode::Usage);
}

/// The invocation as CLI11 shall see it: all after `--` of `record` is the command's own.
Invocation splitCommand(const std::vector<std::string>& argv, std::vector<std::string>& options) {
    Invocation invocation{argv, {}};
    options.assign(argv.begin() + 1, argv.end());
    if (options.empty() || options.front() != "record")
        return invocation;
    const auto dashes = std::ranges::find(options, "--");
    if (dashes != options.end())
        invocation.command.assign(dashes + 1, options.end());
    options.erase(dashes, options.end());
    return invocation;
}

/// A parsed command line: CLI11's objects and what each verb will do.
class Parser {
public:
    explicit Parser(const Invocation& invocation) : app_(kDescription, "inversight") {
        app_.set_version_flag("--version", toolName());
        app_.footer(kExitFooter);
        app_.require_subcommand(0, 1);
        app_.add_option("FILE", files_, "Trace files to open in the window")->type_name("");
        app_.get_formatter()->label("SUBCOMMAND", "VERB ...");
        app_.get_formatter()->label("Subcommands", "Verbs");
        for (const VerbRow& row : verbs()) {
            CLI::App* verb = app_.add_subcommand(std::string(row.name), std::string(row.text));
            actions_[verb] = row.setup(*verb, invocation);
        }
    }

    /// The exit status if parsing already decides it (help, version, mistakes).
    [[nodiscard]] std::optional<int> parse(std::vector<std::string> options) {
        std::ranges::reverse(options); // CLI11 takes them from the back
        try {
            app_.parse(std::move(options));
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() == 0)
                return app_.exit(error);
            return failUsage(error.what(),
                             verb() ? "inversight " + verb()->get_name() : "inversight");
        }
        return std::nullopt;
    }

    [[nodiscard]] const VerbAction* action() const {
        return verb() ? &actions_.at(verb()) : nullptr;
    }
    [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

private:
    [[nodiscard]] CLI::App* verb() const {
        const auto parsed = app_.get_subcommands();
        return parsed.empty() ? nullptr : parsed.front();
    }

    CLI::App app_;
    std::vector<std::string> files_;
    std::map<CLI::App*, VerbAction> actions_;
};

/// A bare word that is no file is a mistyped verb rather than a missing trace.
bool looksLikeVerb(const std::string& word) {
    return word.find_first_of("./") == std::string::npos;
}

int openWindow(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
        std::error_code ignored;
        if (std::filesystem::exists(file, ignored))
            continue;
        if (looksLikeVerb(file))
            return failUsage("'" + file + "' is neither a verb nor a file", "inversight");
        return fail({ErrorCode::NotFound, "there is no such file", file});
    }
    return fail(execWindowProgram(files));
}

int runAction(const VerbAction& action) {
    const Result<ExitCode> result = action();
    if (!result)
        return fail(result.error());
    if (std::fflush(stdout) != 0 && errno != EPIPE) // a reader that has enough is no failure
        return fail(Error::fromErrno(errno, "cannot write the result", "standard output"));
    return status(*result);
}

} // namespace

int runCommandLine(const std::vector<std::string>& argv) {
    // A reader that goes away must not kill a recording half way.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        std::vector<std::string> options;
        const Invocation invocation = splitCommand(argv, options);
        Parser parser(invocation);
        if (const auto decided = parser.parse(std::move(options)))
            return *decided;
        const VerbAction* action = parser.action();
        return action ? runAction(*action) : openWindow(parser.files());
    } catch (const std::exception& exception) {
        return fail({ErrorCode::Io, "gave up", exception.what()});
    }
}

} // namespace inversight
