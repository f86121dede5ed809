// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/job_reporter.h"
#include "app/cli/stop_control.h"
#include "app/cli/trace_findings.h"
#include "core/engine/workload_engine.h"
#include "core/event/run_manifest.h"
#include "trace/record/recorder.h"

#include <optional>
#include <string>
#include <vector>

namespace inversight {

enum class EngineKind { Real, Virtual };

/// What all runs of one `inversight run` share.
struct RunPlan {
    Scenario scenario;
    EngineKind engine = EngineKind::Real;
    WorkerKind workers = WorkerKind::Thread; ///< of the real engine
    std::vector<const LockPolicyRow*> policies;
    std::string outputDirectory; ///< empty: not recorded
    RtEnvironment environment;
    CpuPlan cpus;
    std::vector<std::string> argv;

    [[nodiscard]] bool recorded() const { return !outputDirectory.empty(); }
    [[nodiscard]] std::string tracePath(const LockPolicyRow& policy) const;
    /// "real" or "virtual", as documents and manifests say it.
    [[nodiscard]] const char* engineName() const;
    /// The manifest of a run on this machine; a run in virtual time has nothing of a machine.
    [[nodiscard]] RunManifest manifestOf(const LockPolicyRow& policy,
                                         const std::vector<ManifestThread>& threads) const;
};

/// Writes the manifest as markers.
void writeManifest(const RunManifest& manifest, MarkerSink& markers);

/// One policy's run: the engine's figures, the recording, and what the recording shows.
struct PolicyRun {
    RunResult result;
    std::optional<RecordingSummary> recording;
    std::optional<TraceFindings> findings; ///< none: not recorded, or it could not be analyzed
    bool priorityInheritance = false;      ///< what the policy promises
    std::vector<std::string> warnings;     ///< of engine, recorder, analyses and the cross-check

    [[nodiscard]] std::uint64_t lostCount() const;
    /// False when the run was cut short or events are missing.
    [[nodiscard]] bool complete() const { return !result.interrupted && lostCount() == 0; }
};

/// Runs the scenario under one policy on the plan's engine. A stop request ends the run and keeps
/// what was recorded; an error before the workers started leaves no file.
[[nodiscard]] Result<PolicyRun> runUnderPolicy(const RunPlan& plan, const LockPolicyRow& policy,
                                               const StopControl& stop, JobReporter& reporter);

} // namespace inversight
