// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/workload/json_reader.h"
#include "core/workload/workload_spec.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inversight {

/// A time of at most `high` ns: a number of ns, or one of
/// {"uniform": {"low_ns", "high_ns"}}, {"normal": {"mean_ns", "deviation_ns"}},
/// {"exponential": {"mean_ns"}}.
[[nodiscard]] Result<TimeDistribution> readTime(ObjectReader& reader, std::string_view key,
                                                std::int64_t high);
/// A plain number of ns; `fallback` if the member is missing.
[[nodiscard]] Result<std::chrono::nanoseconds> timeOr(ObjectReader& reader, std::string_view key,
                                                      std::int64_t low, std::int64_t high,
                                                      std::chrono::nanoseconds fallback);
/// `fallback` if the member is missing.
[[nodiscard]] Result<TimeDistribution> readTimeOr(ObjectReader& reader, std::string_view key,
                                                  std::int64_t high, TimeDistribution fallback);

/// A thread's body: every step valid by itself, locks nested and balanced. `spec` knows the buses
/// and locks.
[[nodiscard]] Result<std::vector<Step>> readBody(const Json& array, const std::string& path,
                                                 const WorkloadSpec& spec);

} // namespace inversight
