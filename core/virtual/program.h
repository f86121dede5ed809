// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/workload/workload_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inversight {

enum class OpKind : std::uint8_t {
    Run,
    Sleep,
    Lock,
    Unlock,
    TryLock,
    NextPeriod,
    Mark,
    // A transfer, part by part:
    EnterSpi,   ///< where the latency of a message begins: what spidev does in front of the lock
    RequestBus, ///< as Lock, and else where its latency begins
    BeginTransfer,
    AcquireDma,
    BusBefore,
    BusWire,
    BusAfter,
    SubmitMessage, ///< to the pump, and wait until it is carried out
    ReleaseBus,    ///< as Unlock, and where its latency ends
    // Of helper threads:
    AwaitMessage,
    MessageDone,
    AwaitInterrupt,
    InterruptDone,
};

/// One step of a thread's body with its names resolved. Views and pointers go into the spec.
struct Op {
    OpKind kind = OpKind::Run;
    bool skipLast = false;
    std::uint32_t lock = 0;     ///< an index: the spec's locks, then one per bus
    std::uint32_t jump = 0;     ///< TryLock: behind the matching unlock
    std::uint32_t busIndex = 0;
    TimeDistribution time = {}; ///< Run, Sleep, EnterSpi and parts of transfers
    const BusSpec* bus = nullptr;
    std::string text = {}; ///< Mark; BeginTransfer: the operation
};

/// The body of a thread of `spec`, which must outlive the result.
[[nodiscard]] std::vector<Op> compileBody(const ThreadSpec& thread, const WorkloadSpec& spec);

} // namespace inversight
