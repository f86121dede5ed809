// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/workload/workload_spec.h"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inversight {

inline constexpr int kScenarioVersion = 1;

/// What the command line may change of a scenario.
struct ScenarioOverrides {
    std::optional<std::uint64_t> loops = {}; ///< of every thread
    std::optional<std::chrono::nanoseconds> duration =
        {}; ///< of every thread, instead of its loops
    std::optional<std::uint64_t> seed = {};
    /// "thread.NAME.KEY=VALUE", "bus.NAME.KEY=VALUE", "lock.NAME.KEY=VALUE",
    /// "virtual.KEY=VALUE", "virtual.fair.KEY=VALUE" or "cpus=VALUE", applied last and in order.
    /// VALUE is JSON, or a text.
    std::vector<std::string> settings = {};
};

/// A scenario and the exact document it came from, overrides applied: what goes into the manifest.
struct Scenario {
    WorkloadSpec spec;
    std::string document;
};

/// Parses and validates a scenario document (JSON, "scenario": 1). Errors name the place as a path
/// ("threads[2].priority") in `where`, and what was expected in `what`.
[[nodiscard]] Result<Scenario> parseScenario(std::string_view json,
                                             const ScenarioOverrides& overrides = {});

/// A scenario compiled into the program from resources/scenarios.
struct BuiltInScenario {
    std::string_view name;
    std::string_view json;
};
[[nodiscard]] std::span<const BuiltInScenario> builtInScenarios();

/// A built-in name, or a path to a scenario file. NotFound lists the built-in names.
[[nodiscard]] Result<Scenario> loadScenario(const std::string& nameOrPath,
                                            const ScenarioOverrides& overrides = {});

} // namespace inversight
