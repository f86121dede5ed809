// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/record_verb.h"

#include "app/cli/job_session.h"
#include "app/cli/machine_recording.h"
#include "app/cli/output.h"
#include "core/base/time_format.h"
#include "core/engine/preconditions.h"
#include "trace/export/json_document.h"

#include <fmt/format.h>

namespace inversight {

namespace {

constexpr double kLongestSeconds = 7 * 24 * 3600;

struct RecordOptions {
    std::string output;
    std::vector<std::string> events;
    std::optional<double> seconds;
    std::uint32_t bufferKib = RecorderOptions{}.bufferKibPerCpu;
    JobOptions job;
};

void declareOptions(CLI::App& app, RecordOptions& options) {
    app.add_option("-o,--output", options.output, "The file to write")
        ->type_name("FILE")
        ->required();
    app.add_option("-e,--event", options.events,
                   "An event, system:name or a whole system; may be given again. Without any: "
                   "scheduling, lock contention and futex calls")
        ->type_name("EVENT")
        ->allow_extra_args(false);
    app.add_option("--duration", options.seconds, "Seconds to record")
        ->check(CLI::Range(0.001, kLongestSeconds))
        ->type_name("SECONDS");
    app.add_option("-b,--buffer", options.bufferKib, "Ring buffer per CPU in KiB")
        ->check(CLI::Range(64, 1 << 20))
        ->type_name("KIB")
        ->capture_default_str();
    addJobOptions(app, options.job);
    app.footer("-- COMMAND...   a command to run; the recording ends with it.\n"
               "Without a command and a duration it ends with Ctrl-C.");
}

RecordingPlan makePlan(const RecordOptions& options, const Invocation& invocation) {
    RecordingPlan plan;
    plan.recorder.output = options.output;
    plan.recorder.events = options.events;
    plan.recorder.bufferKibPerCpu = options.bufferKib;
    plan.command = invocation.command;
    if (options.seconds)
        plan.duration = std::chrono::duration_cast<std::chrono::nanoseconds>(
            std::chrono::duration<double>(*options.seconds));
    // Standard output and input are ours where a document or the protocol uses them.
    if (options.job.progress == ProgressStyle::Json || options.job.format != "text")
        plan.childOutput = ChildOutput::ToStderr;
    if (options.job.control == ControlInput::Stdin)
        plan.childInput = ChildInput::Null;
    return plan;
}

std::uint64_t totalBytes(const RecordingSummary& summary) {
    std::uint64_t bytes = 0;
    for (const CpuRecording& cpu : summary.cpus)
        bytes += cpu.bytes;
    return bytes;
}

std::string textOf(const RecordingPlan& plan, const MachineRecording& recording) {
    const RecordingSummary& summary = recording.summary;
    std::string text = fmt::format("{}: {} of the whole machine, {} events, {} KiB\n", summary.path,
                                   formatDuration(recording.duration.count()), recording.eventCount,
                                   totalBytes(summary) / 1024);
    if (recording.child && recording.child->exitStatus)
        text += fmt::format("{}: exit status {}\n", plan.command[0], *recording.child->exitStatus);
    if (recording.child && recording.child->signal)
        text += fmt::format("{}: ended by signal {}\n", plan.command[0], *recording.child->signal);
    return text + (summary.lostCount == 0 ? std::string("lost events: none\n")
                                          : fmt::format("LOST: {} events\n", summary.lostCount));
}

Json orNull(const std::optional<int>& value) {
    return value ? Json(*value) : Json();
}

JsonDocument documentOf(const RecordingPlan& plan, const MachineRecording& recording) {
    const RecordingSummary& summary = recording.summary;
    Json cpus = Json::array();
    for (const CpuRecording& cpu : summary.cpus)
        cpus.push_back(
            {{"cpu", cpu.cpu}, {"byte_count", cpu.bytes}, {"lost_count", cpu.lostCount}});
    const ChildStatus child = recording.child.value_or(ChildStatus{});
    JsonDocument document = makeDocument("inversight.record/1");
    document.clock = plan.recorder.clock;
    document.complete = summary.lostCount == 0;
    document.warnings = recording.warnings;
    document.data = {
        {"trace", summary.path},
        {"events", plan.recorder.events.empty() ? defaultEvents() : plan.recorder.events},
        {"command", plan.command},
        {"exit_status", orNull(child.exitStatus)},
        {"exit_signal", orNull(child.signal)},
        {"duration_ns", recording.duration.count()},
        {"event_count", recording.eventCount},
        {"byte_count", totalBytes(summary)},
        {"lost_count", summary.lostCount},
        {"cpus", cpus}};
    return document;
}

ExitCode exitCodeOf(const RecordingPlan& plan, const MachineRecording& recording, StopCause cause) {
    if (cause == StopCause::Signal && !plan.openEnded())
        return ExitCode::Interrupted;
    return recording.summary.lostCount == 0 ? ExitCode::Done : ExitCode::Incomplete;
}

Result<ExitCode> recordAll(const RecordingPlan& plan, JobSession& session) {
    static constexpr std::array kNeeds{Need::Tracefs, Need::TraceEvents};
    TRY(require(kNeeds));
    session.reporter().plan(
        {{"verb", "record"}, {"output", plan.recorder.output}, {"command", plan.command}});
    const MachineRecording recording = TRY(recordMachine(plan, session.stop(), session.reporter()));
    for (const std::string& warning : recording.warnings)
        session.reporter().warning(warning);
    session.deliver(documentOf(plan, recording), textOf(plan, recording));
    return exitCodeOf(plan, recording, session.stop().cause());
}

} // namespace

VerbAction setupRecord(CLI::App& app, const Invocation& invocation) {
    const auto options = std::make_shared<RecordOptions>();
    declareOptions(app, *options);
    return [options, &invocation]() -> Result<ExitCode> {
        JobSession session = TRY(JobSession::begin(options->job, ownInstanceName()));
        return session.run([&] { return recordAll(makePlan(*options, invocation), session); });
    };
}

} // namespace inversight
