// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/workload/workload_spec.h"

#include <cstdint>
#include <string_view>
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
    RequestBus, ///< as Lock, and where its latency begins
    BusBefore,
    BusWire,
    BusAfter,
    ReleaseBus, ///< as Unlock, and where its latency ends
};

/// One step of a thread's body with its names resolved. Views and pointers go into the spec.
struct Op {
    OpKind kind = OpKind::Run;
    bool skipLast = false;
    std::uint32_t lock = 0;     ///< an index: the spec's locks, then one per bus
    std::uint32_t jump = 0;     ///< TryLock: behind the matching unlock
    TimeDistribution time = {}; ///< Run, Sleep, BusBefore, BusWire, BusAfter
    const BusSpec* bus = nullptr;
    I2cOperation operation = I2cOperation::Quick;
    std::string_view text = {}; ///< Mark
};

/// The body of a thread of `spec`, which must outlive the result.
[[nodiscard]] std::vector<Op> compileBody(const ThreadSpec& thread, const WorkloadSpec& spec);

} // namespace inversight
