// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/child_process.h"
#include "app/cli/job_reporter.h"
#include "app/cli/stop_control.h"
#include "trace/record/recorder.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace inversight {

/// What ends a recording that nobody stops: the command's end, the duration, or nothing.
struct RecordingPlan {
    RecorderOptions recorder;
    std::optional<std::chrono::nanoseconds> duration;
    std::vector<std::string> command;
    ChildOutput childOutput = ChildOutput::Inherit;
    ChildInput childInput = ChildInput::Inherit;

    /// Only a request can end it, so being stopped is its normal end.
    [[nodiscard]] bool openEnded() const { return !duration && command.empty(); }
};

struct MachineRecording {
    RecordingSummary summary;
    std::chrono::nanoseconds duration{0};
    std::uint64_t eventCount = 0;
    std::optional<ChildStatus> child; ///< none: no command, or it runs on
    std::vector<std::string> warnings;
};

/// Records the whole machine until the plan or the user ends it. A command that cannot be started
/// leaves no file.
[[nodiscard]] Result<MachineRecording>
recordMachine(const RecordingPlan& plan, const StopControl& stop, JobReporter& reporter);

} // namespace inversight
