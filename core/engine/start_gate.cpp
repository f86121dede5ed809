// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/start_gate.h"

#include "core/bus/thread_clock.h"

namespace inversight {

std::optional<std::int64_t> StartGate::wait() {
    state_.wait(State::Closed);
    if (state_.load() != State::Open)
        return std::nullopt;
    sleepUntil(startNs_);
    return startNs_;
}

std::int64_t StartGate::open() {
    startNs_ = monotonicNs() + kLeadNs;
    state_.store(State::Open);
    state_.notify_all();
    return startNs_;
}

void StartGate::callOff() {
    State closed = State::Closed;
    if (state_.compare_exchange_strong(closed, State::CalledOff))
        state_.notify_all();
}

} // namespace inversight
