// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/base/unique_fd.h"

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace inversight {

/// How a child ended.
struct ChildStatus {
    std::optional<int> exitStatus; ///< 0..255
    std::optional<int> signal;     ///< or the signal that ended it
};

/// Where the child's standard output goes.
enum class ChildOutput { Inherit, ToStderr };
/// Where its standard input comes from.
enum class ChildInput { Inherit, Null };

/// A command that runs beside us. Signals and their mask are the defaults in the child, whatever
/// this process blocks. The destructor reaps a child that has ended and leaves a running one
/// alone. Thread-bound.
class ChildProcess {
public:
    /// NotFound or PermissionDenied when the command cannot be executed.
    [[nodiscard]] static Result<ChildProcess> spawn(const std::vector<std::string>& command,
                                                    ChildOutput output, ChildInput input);
    ChildProcess(ChildProcess&& other) noexcept = default;
    ChildProcess& operator=(ChildProcess&&) = delete;
    ~ChildProcess();

    /// Readable once the child has ended; for poll.
    [[nodiscard]] int fd() const { return pidFd_.get(); }
    [[nodiscard]] pid_t pid() const { return pid_; }
    /// Waits at most `timeout`; nothing while it runs on.
    [[nodiscard]] std::optional<ChildStatus> wait(std::chrono::milliseconds timeout);
    [[nodiscard]] ChildStatus waitForEnd();
    /// Asks it to end (SIGTERM).
    void terminate();

private:
    ChildProcess(pid_t pid, UniqueFd pidFd) : pid_(pid), pidFd_(std::move(pidFd)) {}

    pid_t pid_ = -1;
    UniqueFd pidFd_; ///< empty once reaped or moved from
    std::optional<ChildStatus> status_;
};

} // namespace inversight
