// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/engine/run_resources.h"
#include "core/workload/workload_spec.h"

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace inversight {

/// A step with its names looked up. Points into the spec and the resources.
struct TakeStep {
    WatchedLock* lock = nullptr;
};
struct TryStep {
    WatchedLock* lock = nullptr;
    std::size_t behindUnlock = 0; ///< where a failure goes on
};
struct ReleaseStep {};
struct BusStep {
    RunBus* bus = nullptr;
    BusOperation operation;
    std::string operationName;
};
struct HelpStep {
    RunBus* bus = nullptr;
    BusService service = BusService::Pump;
};
using BodyStep = std::variant<RunStep, SleepStep, TakeStep, TryStep, ReleaseStep, BusStep,
                              NextPeriodStep, MarkStep, HelpStep>;

/// The steps of `thread`, in its spec's order.
[[nodiscard]] std::vector<BodyStep> resolveBody(const ThreadSpec& thread, RunResources& resources);

} // namespace inversight
