// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/start_gate.h"

#include "core/bus/thread_clock.h"

namespace inversight {

std::optional<std::int64_t> StartGate::wait() {
    while (state_.load() == kClosed)
        static_cast<void>(
            futexWait(state_, kClosed, LockPolicy::kWaitSliceNs, LockScope::SharedMemory));
    if (state_.load() != kOpen)
        return std::nullopt;
    sleepUntil(startNs_);
    return startNs_;
}

std::int64_t StartGate::open() {
    startNs_ = monotonicNs() + kLeadNs;
    state_.store(kOpen);
    futexWakeAll(state_, LockScope::SharedMemory);
    return startNs_;
}

void StartGate::callOff() {
    std::uint32_t closed = kClosed;
    if (state_.compare_exchange_strong(closed, kCalledOff))
        futexWakeAll(state_, LockScope::SharedMemory);
}

} // namespace inversight
