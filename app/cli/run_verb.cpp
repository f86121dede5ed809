// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/run_verb.h"

#include "app/cli/job_session.h"
#include "app/cli/policy_run.h"
#include "app/cli/run_document.h"
#include "app/cli/run_report.h"
#include "core/engine/preconditions.h"
#include "core/engine/runnable.h"
#include "core/lock/lock_policies.h"
#include "trace/record/recorder.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

namespace inversight {

namespace {

namespace fs = std::filesystem;

struct RunOptions {
    std::string scenario;
    std::vector<std::string> policies{"mutex-2009", "rt_mutex"};
    std::optional<std::uint64_t> loops;
    std::optional<double> seconds;
    std::optional<std::uint64_t> seed;
    std::vector<std::string> settings;
    std::string engine = "auto";
    std::string workers = "threads";
    std::string output = "out";
    bool noRecord = false;
    JobOptions job;
};

/// What is wrong with the name of a policy; empty = fine (CLI11's convention).
std::string checkPolicy(const std::string& name) {
    const auto row = findLockPolicy(name);
    return row ? std::string() : row.error().sentence();
}

void declareScenarioOptions(CLI::App& app, RunOptions& options) {
    app.add_option("--loops", options.loops, "Loops per worker instead of the scenario's")
        ->check(CLI::PositiveNumber)
        ->type_name("N");
    app.add_option("--duration", options.seconds, "Seconds to run instead of a number of loops")
        ->check(CLI::Range(1e-6, 86'400.0))
        ->type_name("S");
    app.add_option("--seed", options.seed, "Seed of all times that vary")->type_name("N");
    app.add_option(
           "--set", options.settings,
           "Another value of the scenario, e.g. thread.fifo-99.priority=50; may be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
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
    declareScenarioOptions(app, options);
    app.add_option("--engine", options.engine,
                   "Real threads, virtual time, or real threads where they are permitted")
        ->check(CLI::IsMember({"auto", "real", "virtual"}))
        ->type_name("auto|real|virtual")
        ->capture_default_str();
    app.add_option("--workers", options.workers,
                   "What a worker is on real threads; processes, as in the program of 2009")
        ->check(CLI::IsMember({"threads", "processes"}))
        ->type_name("threads|processes")
        ->capture_default_str();
    app.add_option("-o,--output", options.output, "Directory for the recordings")
        ->type_name("DIR")
        ->capture_default_str();
    app.add_flag("--no-record", options.noRecord, "Measure only; needs no tracefs");
    addJobOptions(app, options.job);
}

ScenarioOverrides overridesOf(const RunOptions& options) {
    ScenarioOverrides overrides{
        .loops = options.loops, .seed = options.seed, .settings = options.settings};
    if (options.seconds)
        overrides.duration =
            std::chrono::nanoseconds(static_cast<std::int64_t>(*options.seconds * 1e9));
    return overrides;
}

Result<RunPlan> makePlan(const RunOptions& options, const Invocation& invocation) {
    RunPlan plan;
    plan.scenario = TRY(loadScenario(options.scenario, overridesOf(options)));
    for (const std::string& name : options.policies)
        plan.policies.push_back(TRY(findLockPolicy(name)));
    plan.outputDirectory = options.noRecord ? "" : options.output;
    plan.environment = RtEnvironment::probe();
    plan.workers = options.workers == "processes" ? WorkerKind::Process : WorkerKind::Thread;
    plan.argv = invocation.argv;
    return plan;
}

/// What this scenario's threads need of the machine; from the spec, so that no right is asked in
/// vain.
std::vector<Need> threadNeedsOf(const RunPlan& plan) {
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
    return needs;
}

/// Why real threads of this machine cannot do it, if so.
Result<void> checkRealThreads(const RunPlan& plan) {
    for (const LockPolicyRow* policy : plan.policies)
        TRY(checkRealThreadsCanRun(plan.scenario.spec, *policy, plan.cpus));
    return require(threadNeedsOf(plan));
}

/// Decides between real threads and virtual time, and says so where nobody has asked for it.
Result<void> chooseEngine(RunPlan& plan, const std::string& wish, JobReporter& reporter) {
    plan.engine = wish == "virtual" ? EngineKind::Virtual : EngineKind::Real;
    if (wish == "virtual")
        return {};
    if (auto possible = checkRealThreads(plan); !possible) {
        if (wish == "real")
            return possible;
        plan.engine = EngineKind::Virtual;
        reporter.warning("in virtual time, because " + possible.error().sentence());
        return {};
    }
    constexpr std::array kRecorderNeeds{Need::Tracefs, Need::TraceEvents};
    return plan.recorded() ? require(kRecorderNeeds) : Result<void>();
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

Result<ExitCode> runAll(RunPlan& plan, const std::string& engine, JobSession& session) {
    plan.cpus = planCpus(plan.environment.allowedCpus, plan.scenario.spec.cpuCount);
    TRY(chooseEngine(plan, engine, session.reporter()));
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
    const bool records = !options.noRecord && options.engine != "virtual";
    const auto instance = records ? ownInstanceName() : std::nullopt;
    JobSession session = TRY(JobSession::begin(options.job, instance));
    return session.run([&]() -> Result<ExitCode> {
        RunPlan plan = TRY(makePlan(options, invocation));
        return runAll(plan, options.engine, session);
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
