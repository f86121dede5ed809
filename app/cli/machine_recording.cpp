// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/machine_recording.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>

namespace inversight {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTick{250};
constexpr milliseconds kPatience{5000}; ///< for a command that was asked to end

milliseconds untilNextLook(const RecordingPlan& plan, Clock::time_point start) {
    if (!plan.duration)
        return kTick;
    const auto left = *plan.duration - (Clock::now() - start);
    // Rounded up: waking a little early would make an empty extra round.
    return std::clamp(std::chrono::ceil<milliseconds>(left), milliseconds(0), kTick);
}

void reportProgress(const RecorderStatus& status, Clock::duration elapsed,
                    const RecordingPlan& plan, JobReporter& reporter) {
    JobProgress progress;
    progress.phase = "record";
    progress.done =
        static_cast<std::uint64_t>(std::chrono::duration_cast<milliseconds>(elapsed).count());
    if (plan.duration)
        progress.total = static_cast<std::uint64_t>(
            std::chrono::duration_cast<milliseconds>(*plan.duration).count());
    progress.events = status.eventCount;
    progress.lost = status.lostCount;
    reporter.progress(progress);
}

/// Returns when the command ended, the duration is over or a stop was requested.
void waitForEnd(const RecordingPlan& plan, const StopControl& stop, const ChildProcess* child,
                const Recorder& recorder, JobReporter& reporter) {
    const auto start = Clock::now();
    std::array<pollfd, 2> fds{{{stop.stopFd(), POLLIN, 0}, {child ? child->fd() : -1, POLLIN, 0}}};
    for (;;) {
        const auto timeout = static_cast<int>(untilNextLook(plan, start).count());
        poll(fds.data(), fds.size(), timeout);
        const auto elapsed = Clock::now() - start;
        const bool over = plan.duration && elapsed >= *plan.duration;
        if (fds[0].revents != 0 || fds[1].revents != 0 || over)
            return;
        reportProgress(recorder.status(), elapsed, plan, reporter);
    }
}

/// Asks a command that still runs to end, and says so if it does not.
std::optional<ChildStatus> endChild(ChildProcess& child, std::vector<std::string>& warnings) {
    if (auto status = child.wait(milliseconds(0)))
        return status;
    child.terminate();
    auto status = child.wait(kPatience);
    if (!status)
        warnings.push_back(
            fmt::format("the command (pid {}) did not end when asked and runs on", child.pid()));
    return status;
}

void discard(std::unique_ptr<Recorder> recorder, const std::string& output) {
    [[maybe_unused]] const auto stopped = recorder->stop();
    std::error_code ignored;
    std::filesystem::remove(output, ignored);
}

} // namespace

Result<MachineRecording> recordMachine(const RecordingPlan& plan, const StopControl& stop,
                                       JobReporter& reporter) {
    auto recorder = TRY(Recorder::start(plan.recorder));
    const auto start = Clock::now();
    std::optional<ChildProcess> child;
    if (!plan.command.empty()) {
        auto spawned = ChildProcess::spawn(plan.command, plan.childOutput, plan.childInput);
        if (!spawned) {
            discard(std::move(recorder), plan.recorder.output);
            return std::unexpected(std::move(spawned).error());
        }
        child.emplace(*std::move(spawned));
    }
    waitForEnd(plan, stop, child ? &*child : nullptr, *recorder, reporter);
    MachineRecording recording;
    recording.duration = Clock::now() - start;
    if (child)
        recording.child = endChild(*child, recording.warnings);
    recording.eventCount = recorder->status().eventCount;
    recording.summary = TRY(recorder->stop());
    const auto& more = recording.summary.warnings;
    recording.warnings.insert(recording.warnings.end(), more.begin(), more.end());
    return recording;
}

} // namespace inversight
