// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/run_verb.h"

#include "app/cli/job_session.h"
#include "app/cli/policy_run.h"
#include "app/cli/run_document.h"
#include "app/cli/run_report.h"
#include "core/engine/preconditions.h"
#include "core/lock/lock_policies.h"
#include "trace/record/recorder.h"

#include <algorithm>
#include <filesystem>

namespace inversight {

namespace {

namespace fs = std::filesystem;

struct RunOptions {
    std::string scenario;
    std::vector<std::string> policies{"mutex-2009", "rt_mutex"};
    std::optional<std::uint64_t> loops;
    std::string output = "out";
    bool noRecord = false;
    JobOptions job;
};

/// A name that real threads can run, or what is wrong with it; empty = fine (CLI11's convention).
std::string checkPolicy(const std::string& name) {
    const auto row = findLockPolicy(name);
    if (!row)
        return row.error().sentence();
    if (!(*row)->makeReal)
        return "policy " + name + " exists in virtual time only";
    return {};
}

void declareOptions(CLI::App& app, RunOptions& options) {
    app.add_option("SCENARIO", options.scenario, "A built-in scenario or a scenario file")
        ->type_name("")
        ->required();
    app.add_option("--policy", options.policies, "Lock policies, separated by commas, in order")
        ->delimiter(',')
        ->check(CLI::Validator(checkPolicy, ""))
        ->type_name("A,B")
        ->capture_default_str();
    app.add_option("--loops", options.loops, "Loops per worker instead of the scenario's")
        ->check(CLI::PositiveNumber)
        ->type_name("N");
    app.add_option("-o,--output", options.output, "Directory for the recordings")
        ->type_name("DIR")
        ->capture_default_str();
    app.add_flag("--no-record", options.noRecord, "Measure only; needs no tracefs");
    addJobOptions(app, options.job);
}

Result<RunPlan> makePlan(const RunOptions& options, const Invocation& invocation) {
    RunPlan plan;
    plan.scenario = TRY(loadScenario(options.scenario, {.loops = options.loops}));
    for (const std::string& name : options.policies)
        plan.policies.push_back(TRY(findLockPolicy(name)));
    plan.outputDirectory = options.noRecord ? "" : options.output;
    plan.environment = RtEnvironment::probe();
    plan.argv = invocation.argv;
    return plan;
}

/// What this scenario needs of the machine; from the spec, so that no right is asked in vain.
std::vector<Need> needsOf(const RunPlan& plan) {
    std::vector<Need> needs{Need::Cpus};
    const auto& threads = plan.scenario.spec.threads;
    if (std::ranges::any_of(threads, [](const ThreadSpec& thread) {
            return thread.scheduling.schedulingClass != SchedulingClass::Other;
        })) {
        needs.push_back(Need::RtRights);
        needs.push_back(Need::RtRuntime);
    }
    if (std::ranges::any_of(threads, [](const ThreadSpec& t) { return t.scheduling.nice < 0; }))
        needs.push_back(Need::NiceRights);
    if (plan.recorded()) {
        needs.push_back(Need::Tracefs);
        needs.push_back(Need::TraceEvents);
    }
    return needs;
}

/// The output directory, which is removed again if the job fails before anything is in it.
class OutputDirectory {
public:
    [[nodiscard]] static Result<OutputDirectory> make(const std::string& path) {
        std::error_code error;
        const bool created = !path.empty() && fs::create_directories(path, error);
        if (error)
            return std::unexpected(
                Error::fromErrno(error.value(), "cannot make the output directory", path));
        return OutputDirectory(created ? path : "");
    }
    OutputDirectory(OutputDirectory&& other) noexcept
        : created_(std::exchange(other.created_, {})) {}
    OutputDirectory& operator=(OutputDirectory&&) = delete;
    ~OutputDirectory() {
        std::error_code ignored;
        if (!created_.empty())
            fs::remove(created_, ignored); // refuses a directory that is not empty
    }

private:
    explicit OutputDirectory(std::string created) : created_(std::move(created)) {}
    std::string created_;
};

ExitCode exitCodeOf(std::span<const PolicyRun> runs, StopCause cause) {
    if (cause == StopCause::Signal)
        return ExitCode::Interrupted;
    const bool complete = std::ranges::all_of(runs, &PolicyRun::complete);
    return complete && cause == StopCause::None ? ExitCode::Done : ExitCode::Incomplete;
}

/// The engine warns in every run; a person needs it once.
void sayNewWarnings(std::span<const PolicyRun> runs, JobReporter& reporter) {
    for (const std::string& warning : runs.back().warnings) {
        const auto said = [&](const PolicyRun& run) {
            return std::ranges::count(run.warnings, warning) > 0;
        };
        if (std::ranges::none_of(runs.first(runs.size() - 1), said))
            reporter.warning(warning);
    }
}

Result<ExitCode> runAll(RunPlan& plan, JobSession& session) {
    TRY(require(needsOf(plan)));
    plan.cpus = planCpus(plan.environment.allowedCpus);
    const OutputDirectory directory = TRY(OutputDirectory::make(plan.outputDirectory));
    session.reporter().plan(runPlanFields(plan));
    std::vector<PolicyRun> runs;
    for (const LockPolicyRow* policy : plan.policies) {
        if (session.stop().stopToken().stop_requested())
            break;
        runs.push_back(TRY(runUnderPolicy(plan, *policy, session.stop(), session.reporter())));
        sayNewWarnings(runs, session.reporter());
        if (session.textWanted())
            session.show(runReport(plan, runs.back()) + "\n");
    }
    session.deliver(runDocument(plan, runs), comparisonReport(runs));
    return exitCodeOf(runs, session.stop().cause());
}

Result<ExitCode> runVerb(const RunOptions& options, const Invocation& invocation) {
    const auto instance = options.noRecord ? std::nullopt : ownInstanceName();
    JobSession session = TRY(JobSession::begin(options.job, instance));
    return session.run([&]() -> Result<ExitCode> {
        RunPlan plan = TRY(makePlan(options, invocation));
        return runAll(plan, session);
    });
}

} // namespace

VerbAction setupRun(CLI::App& app, const Invocation& invocation) {
    const auto options = std::make_shared<RunOptions>();
    declareOptions(app, *options);
    app.callback([options] {
        auto names = options->policies;
        std::ranges::sort(names);
        if (std::ranges::adjacent_find(names) != names.end())
            throw CLI::ValidationError("--policy", "names a policy twice");
    });
    return [options, &invocation] { return runVerb(*options, invocation); };
}

} // namespace inversight
