// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/virtual_run.h"

#include "core/base/time_format.h"
#include "core/virtual/virtual_engine.h"
#include "trace/file/kernel_event_writer.h"

#include <filesystem>

#include <fmt/format.h>

namespace inversight {

namespace {

ThreadRunResult threadResultOf(VirtualThreadResult& from, const ThreadSpec& spec) {
    ThreadRunResult result;
    result.name = from.name;
    result.scheduling = from.scheduling;
    result.tid = from.tid;
    result.runTimeNs = from.runTimeNs;
    result.operationCount = from.operationCount;
    result.errorCount = from.errorCount;
    result.latency = std::move(from.latency);
    result.jobs = JobFigures{.count = from.jobCount,
                             .deadlineMissCount = from.deadlineMissCount,
                             .hasDeadline = spec.deadline.count() > 0,
                             .maxWaitNs = from.maxWaitNs,
                             .response = std::move(from.response)};
    return result;
}

/// "L waits for B, held by H, which waits for A, held by L".
std::string cycleSentence(const std::vector<std::string>& cycle) {
    std::string text = cycle.front();
    for (std::size_t i = 1; i + 1 < cycle.size(); i += 2)
        text += fmt::format("{} waits for {}, held by {}", i == 1 ? "" : ", which", cycle[i],
                            cycle[i + 1]);
    return text;
}

RunResult resultOfVirtual(VirtualRunResult from, const WorkloadSpec& spec) {
    RunResult result;
    result.policy = from.policy;
    result.totalNs = from.totalNs;
    result.interrupted = from.interrupted;
    for (std::size_t i = 0; i < from.threads.size(); ++i)
        result.threads.push_back(threadResultOf(from.threads[i], spec.threads[i]));
    if (!from.deadlock.empty())
        result.warnings.push_back(fmt::format("{}: deadlock after {}: {}", from.policy,
                                              formatDuration(from.totalNs),
                                              cycleSentence(from.deadlock)));
    return result;
}

/// One run and its file.
class VirtualPolicyRun {
public:
    VirtualPolicyRun(const RunPlan& plan, const LockPolicyRow& policy, const StopControl& stop,
                     JobReporter& reporter)
        : plan_(plan), policy_(policy), stop_(stop), reporter_(reporter) {}

    Result<PolicyRun> run() {
        if (plan_.recorded())
            writer_ = TRY(KernelEventWriter::create(
                plan_.tracePath(policy_),
                {.cpuCount = plan_.scenario.spec.cpuCount, .systemName = kVirtualSystemName}));
        VirtualEngine engine(plan_.scenario.spec, policy_, {.events = writer_.get()});
        auto result = engine.run(JobContext(stop_.stopToken()), observer());
        if (!result) {
            discardFile();
            return std::unexpected(std::move(result).error());
        }
        PolicyRun run;
        run.result = resultOfVirtual(*std::move(result), plan_.scenario.spec);
        run.priorityInheritance = policy_.traits.priorityInheritance;
        if (writer_) {
            TRY(writer_->finish());
            run.recording.emplace();
            run.recording->path = plan_.tracePath(policy_);
        }
        return run;
    }

private:
    VirtualObserver observer() {
        VirtualObserver observer;
        observer.started = [this](const std::vector<ManifestThread>& threads, MarkerSink& markers) {
            manifest_ = plan_.manifestOf(policy_, threads);
            writeManifest(manifest_, markers);
        };
        observer.ended = [this](MarkerSink& markers) { writeManifest(manifest_, markers); };
        observer.progress = [this](std::uint64_t done) {
            JobProgress state;
            state.phase = "run";
            state.policy = policy_.name;
            state.done = done;
            state.total = plan_.scenario.spec.totalOperations();
            state.operations = done;
            reporter_.progress(state);
        };
        return observer;
    }

    /// A run that was refused leaves nothing.
    void discardFile() {
        if (!writer_)
            return;
        [[maybe_unused]] const auto finished = writer_->finish();
        std::error_code ignored;
        std::filesystem::remove(plan_.tracePath(policy_), ignored);
    }

    const RunPlan& plan_;
    const LockPolicyRow& policy_;
    const StopControl& stop_;
    JobReporter& reporter_;
    std::unique_ptr<KernelEventWriter> writer_;
    RunManifest manifest_;
};

} // namespace

Result<PolicyRun> runInVirtualTime(const RunPlan& plan, const LockPolicyRow& policy,
                                   const StopControl& stop, JobReporter& reporter) {
    return VirtualPolicyRun(plan, policy, stop, reporter).run();
}

} // namespace inversight
