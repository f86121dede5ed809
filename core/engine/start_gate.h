// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/futex.h"

#include <cstdint>
#include <optional>

namespace inversight {

/// Where workers meet before a run. Opening it does not wake them one by one into the run, which
/// would favour the first: it names an instant a little ahead, and every worker arms a timer for
/// that same instant. All timers of a CPU then fire in one interrupt, and the scheduler alone
/// decides who runs first. Workers may be processes that share its memory. Thread-safe; used once.
class StartGate {
public:
    /// Time for every worker to arm its timer.
    static constexpr std::int64_t kLeadNs = 5'000'000;

    /// Blocks until the gate is opened and the instant has come; its CLOCK_MONOTONIC time, or
    /// nothing if the run was called off.
    [[nodiscard]] std::optional<std::int64_t> wait();

    /// Returns the instant.
    std::int64_t open();
    /// Lets everybody go home. Does nothing to an open gate.
    void callOff();

private:
    enum State : std::uint32_t { kClosed, kOpen, kCalledOff };
    FutexWord state_{kClosed};
    std::int64_t startNs_ = 0; ///< written before the state becomes Open
};

} // namespace inversight
