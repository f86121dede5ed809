// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/base/unique_fd.h"

#include <atomic>
#include <memory>
#include <signal.h>
#include <stop_token>
#include <thread>

namespace inversight {

/// Whether standard input steers the job (`--control=stdin`).
enum class ControlInput { None, Stdin };

/// Why a job was asked to stop.
enum class StopCause { None, Signal, Control };

/// Turns SIGINT, SIGTERM, SIGHUP and, on request, standard input (a line `stop`, or its end) into
/// stop tokens. A first request ends the job with what it has; a second signal says that the user
/// will not wait for what comes after the job either (analysis, a slow reader). No request ever
/// interrupts a write of the recording.
///
/// Make it before any other thread: the signals are blocked in the calling thread, so that every
/// thread made later leaves them to this one. The destructor restores the mask. SIGINT is taken
/// even where a script's background job inherited it as ignored; SIGHUP is not (nohup).
/// Thread-safe but for construction and destruction.
class StopControl {
public:
    [[nodiscard]] static Result<std::unique_ptr<StopControl>> create(ControlInput input);
    ~StopControl();
    StopControl(const StopControl&) = delete;
    StopControl& operator=(const StopControl&) = delete;

    [[nodiscard]] std::stop_token stopToken() const { return stop_.get_token(); }
    /// Requested by a second signal.
    [[nodiscard]] std::stop_token abandonToken() const { return abandon_.get_token(); }
    [[nodiscard]] StopCause cause() const { return cause_.load(); }
    /// Readable once stop was requested; for poll.
    [[nodiscard]] int stopFd() const { return stopEvent_.get(); }

private:
    StopControl() = default;
    void watch(ControlInput input);
    void onSignal();
    /// False once standard input has nothing more to say.
    [[nodiscard]] bool readControl();
    void request(StopCause cause);

    sigset_t previousMask_{};
    UniqueFd signals_;
    UniqueFd stopEvent_;
    UniqueFd endEvent_;
    std::stop_source stop_;
    std::stop_source abandon_;
    std::atomic<StopCause> cause_{StopCause::None};
    std::string pendingLine_;
    std::thread thread_;
};

} // namespace inversight
