// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/workload/json_reader.h"
#include "core/workload/workload_spec.h"

namespace inversight {

// The limits of a scenario; all inclusive. They keep every sum of a run inside int64 and every
// single wait short enough for a stop request.
inline constexpr int kMaxCpus = 64;
inline constexpr std::size_t kMaxLocks = 64;
inline constexpr std::size_t kMaxBuses = 16;
inline constexpr std::size_t kMaxThreads = 64;
inline constexpr std::size_t kMaxBodySteps = 64;
inline constexpr std::size_t kMaxThreadNameBytes = 15; // the kernel's comm, without its final NUL
inline constexpr std::size_t kMaxNameBytes = 64;
inline constexpr std::size_t kMaxMarkBytes = 128;
inline constexpr std::int64_t kMaxLoops = 1'000'000'000;
inline constexpr std::int64_t kMinClockHz = 100;
inline constexpr std::int64_t kMaxClockHz = 10'000'000;
inline constexpr std::int64_t kMaxSpiClockHz = 1'000'000'000;
inline constexpr std::int64_t kMaxSpiBytes = 1'048'576;
inline constexpr std::int64_t kMaxSpiDelayNs = 1'000'000;
inline constexpr std::int64_t kMaxDmaBusyPpm = 999'999;
inline constexpr std::int64_t kMaxBusCostNs = 1'000'000'000;
inline constexpr std::int64_t kMaxStepNs = 3'600'000'000'000;
inline constexpr std::int64_t kMaxRunNs = 24 * kMaxStepNs;
inline constexpr std::int64_t kMaxPpm = 1'000'000;
inline constexpr std::int64_t kMaxRetries = 1000;

/// The validated workload of a parsed scenario document.
[[nodiscard]] Result<WorkloadSpec> readWorkload(const Json& document);

} // namespace inversight
