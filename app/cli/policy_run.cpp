// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/policy_run.h"

#include "app/cli/affinity_scope.h"
#include "app/cli/load_progress.h"
#include "app/cli/output.h"
#include "app/cli/virtual_run.h"
#include "core/virtual/virtual_engine.h"

#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace inversight {

namespace {

namespace fs = std::filesystem;

JobProgress describe(const RunProgress& progress, std::string_view policy,
                     const Recorder* recorder) {
    JobProgress state;
    state.phase = "run";
    state.policy = policy;
    state.done = progress.operationsDone;
    state.total = progress.operationsTotal;
    state.operations = progress.operationsDone;
    state.maxLatencyNs = progress.maxLatencyNs;
    if (recorder) {
        const RecorderStatus status = recorder->status();
        state.events = status.eventCount;
        state.lost = status.lostCount;
    }
    return state;
}

/// One run under way: recorder, engine and manifest in the order that keeps the file complete.
class PolicyRunner {
public:
    PolicyRunner(const RunPlan& plan, const LockPolicyRow& policy, const StopControl& stop,
                 JobReporter& reporter)
        : plan_(plan), policy_(policy), stop_(stop), reporter_(reporter) {}

    Result<PolicyRun> run() {
        // Before the recorder makes its threads, so that they inherit it.
        const AffinityScope affinity = TRY(AffinityScope::pinTo(plan_.cpus.otherCpus));
        if (plan_.recorded())
            recorder_ = TRY(Recorder::start(recorderOptions()));
        auto result = runEngine();
        if (!result) {
            endFailedRun();
            return std::unexpected(std::move(result).error());
        }
        PolicyRun run;
        run.result = *std::move(result);
        if (recorder_)
            run.recording = TRY(stopRecorder());
        run.priorityInheritance = policy_.traits.priorityInheritance;
        return run;
    }

private:
    [[nodiscard]] RecorderOptions recorderOptions() const {
        RecorderOptions options;
        options.output = plan_.tracePath(policy_);
        options.recorderCpus = plan_.cpus.otherCpus;
        return options;
    }

    Result<RunResult> runEngine() {
        NullMarkerSink nowhere;
        MarkerSink& markers = recorder_ ? recorder_->markers() : nowhere;
        RunObserver observer;
        observer.started = [&](const std::vector<ManifestThread>& threads) {
            manifest_ = plan_.manifestOf(policy_, threads);
            writeManifest(*manifest_, markers);
        };
        observer.progress = [&](const RunProgress& progress) {
            reporter_.progress(describe(progress, policy_.name, recorder_.get()));
        };
        WorkloadEngine engine(plan_.scenario.spec, policy_, plan_.cpus, markers,
                              {.workers = plan_.workers});
        return engine.run(JobContext(stop_.stopToken()), observer);
    }

    Result<RecordingSummary> stopRecorder() {
        // Again at the end: a ring that wrapped has lost the first one.
        if (manifest_)
            writeManifest(*manifest_, recorder_->markers());
        auto summary = recorder_->stop();
        recorder_.reset();
        return summary;
    }

    /// What was recorded of a failed run is evidence and stays; a run whose workers never existed
    /// leaves nothing. The engine's error is what the user must read, not the recorder's.
    void endFailedRun() {
        if (!recorder_)
            return;
        [[maybe_unused]] const auto stopped = stopRecorder();
        std::error_code ignored;
        if (!manifest_)
            fs::remove(plan_.tracePath(policy_), ignored);
    }

    const RunPlan& plan_;
    const LockPolicyRow& policy_;
    const StopControl& stop_;
    JobReporter& reporter_;
    std::unique_ptr<Recorder> recorder_;
    std::optional<RunManifest> manifest_;
};

/// The trace and the engine must tell the same story; where nothing is lost, a difference is said.
std::vector<std::string> crossCheck(const PolicyRun& run) {
    std::vector<std::string> warnings;
    if (!run.findings || run.lostCount() > 0)
        return warnings;
    for (const ThreadRunResult& thread : run.result.threads) {
        const auto found = run.findings->operationCounts.find(thread.tid);
        const std::uint64_t count =
            found == run.findings->operationCounts.end() ? 0 : found->second;
        if (count != thread.operationCount)
            warnings.push_back(fmt::format("{}: {} did {} operations, the trace shows {}",
                                           run.result.policy, thread.name, thread.operationCount,
                                           count));
    }
    if (!run.priorityInheritance && run.findings->workerBoostCount > 0)
        warnings.push_back(fmt::format("{}: the policy boosts nobody, the trace shows {} boosts",
                                       run.result.policy, run.findings->workerBoostCount));
    return warnings;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

/// What the recording shows; that it cannot be read is a warning, the measured figures stand.
void addFindings(PolicyRun& run, const JobContext& job) {
    std::vector<std::int32_t> tids;
    for (const ThreadRunResult& thread : run.result.threads)
        tids.push_back(thread.tid);
    auto findings = findInTrace(run.recording->path, tids, job);
    if (!findings) {
        run.warnings.push_back("the recording was not analyzed: " + findings.error().sentence());
        return;
    }
    append(run.warnings, findings->warnings);
    run.findings = *std::move(findings);
}

} // namespace

std::string RunPlan::tracePath(const LockPolicyRow& policy) const {
    return (fs::path(outputDirectory) / policy.name).string() + ".dat";
}

const char* RunPlan::engineName() const {
    return engine == EngineKind::Virtual ? "virtual" : "real";
}

RunManifest RunPlan::manifestOf(const LockPolicyRow& policy,
                                const std::vector<ManifestThread>& threads) const {
    RunManifest manifest;
    manifest.tool = toolName();
    manifest.scenario = scenario.document;
    manifest.seed = scenario.spec.seed;
    manifest.policy = policy.name;
    manifest.engine = engineName();
    manifest.clock = "mono";
    manifest.threads = threads;
    if (engine == EngineKind::Virtual) { // the same bytes wherever and into whatever file it runs
        manifest.systemName = kVirtualSystemName;
        manifest.tgid = kVirtualTgid;
        manifest.cpuCount = scenario.spec.cpuCount;
        return manifest;
    }
    manifest.argv = argv;
    manifest.systemName = environment.systemName;
    manifest.rtLimits = environment.rtLimitsText();
    manifest.tgid = getpid();
    manifest.cpuCount = static_cast<std::int32_t>(sysconf(_SC_NPROCESSORS_ONLN));
    return manifest;
}

void writeManifest(const RunManifest& manifest, MarkerSink& markers) {
    const std::vector<std::string> parts = manifest.toMarkerParts();
    const auto count = static_cast<std::uint32_t>(parts.size());
    for (std::uint32_t i = 0; i < count; ++i)
        markers.write({manifest.tgid, ManifestPart{i + 1, count, parts[i]}});
}

std::uint64_t PolicyRun::lostCount() const {
    return recording ? recording->lostCount + recording->lostMarkerCount : 0;
}

Result<PolicyRun> runUnderPolicy(const RunPlan& plan, const LockPolicyRow& policy,
                                 const StopControl& stop, JobReporter& reporter) {
    PolicyRun run =
        TRY(plan.engine == EngineKind::Virtual ? runInVirtualTime(plan, policy, stop, reporter)
                                               : PolicyRunner(plan, policy, stop, reporter).run());
    append(run.warnings, run.result.warnings);
    if (run.recording) {
        append(run.warnings, run.recording->warnings);
        const std::string name(policy.name);
        const JobContext job = reportingContext(reporter, stop.abandonToken(), name);
        addFindings(run, job);
        append(run.warnings, crossCheck(run));
    }
    return run;
}

} // namespace inversight
