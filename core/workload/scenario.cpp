// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/scenario.h"

#include "core/base/unique_fd.h"
#include "core/workload/json_reader.h"
#include "core/workload/scenario_overrides.h"
#include "core/workload/scenario_reader.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace inversight {

namespace {

constexpr std::size_t kMaxDocumentBytes = std::size_t{1} << 20;

Error unknownScenario(const std::string& nameOrPath) {
    std::vector<std::string_view> names;
    for (const BuiltInScenario& scenario : builtInScenarios())
        names.push_back(scenario.name);
    return {ErrorCode::NotFound,
            fmt::format("no scenario and no file is called \"{}\"", nameOrPath), "",
            fmt::format("built-in scenarios: {}", fmt::join(names, ", "))};
}

Result<Scenario> loadFile(const std::string& path, const ScenarioOverrides& overrides) {
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error) &&
        std::filesystem::file_size(path, error) > kMaxDocumentBytes)
        return std::unexpected(expected("a scenario of at most 1 MiB", path));
    const std::string json = TRY(readFile(path));
    Result<Scenario> scenario = parseScenario(json, overrides);
    if (!scenario) {
        std::string& where = scenario.error().where;
        where = where.empty() ? path : path + ": " + where;
    }
    return scenario;
}

} // namespace

Result<Scenario> parseScenario(std::string_view json, const ScenarioOverrides& overrides) {
    Json document = TRY(parseJson(json));
    // Validated before and after: overrides are applied to a document of known shape only.
    TRY(readWorkload(document));
    TRY(applyOverrides(document, overrides));
    return Scenario{TRY(readWorkload(document)), document.dump()};
}

Result<Scenario> loadScenario(const std::string& nameOrPath, const ScenarioOverrides& overrides) {
    const auto scenarios = builtInScenarios();
    const auto found = std::ranges::find(scenarios, nameOrPath, &BuiltInScenario::name);
    if (found != scenarios.end())
        return parseScenario(found->json, overrides);
    std::error_code error;
    if (!std::filesystem::exists(nameOrPath, error))
        return std::unexpected(unknownScenario(nameOrPath));
    return loadFile(nameOrPath, overrides);
}

} // namespace inversight
