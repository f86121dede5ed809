// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace inversight {

/// Boosts of one thread that are alike: same priorities, donor and lock.
struct BoostGroup {
    std::string target;
    std::int32_t fromPrio = 120; ///< kernel priorities
    std::int32_t toPrio = 120;
    std::optional<std::string> donor; ///< none = not known
    std::optional<std::string> lock;
    bool nominal = false; ///< among fair priorities: no scheduling effect
    std::uint64_t count = 0;
    std::int64_t longestNs = 0;
    std::int64_t totalNs = 0;

    /// "prio-m5 nice -5 -> RT 99 by fifo-99 on i2c-2 bus lock: 163 times, longest 612 us".
    [[nodiscard]] std::string sentence() const;
};

/// Inversions whose victim is a worker, nominal ones left out.
struct InversionTotals {
    std::uint64_t count = 0;
    std::uint64_t unboundedCount = 0;
    std::int64_t midNs = 0; ///< in which neither the owner nor the wire needed the time

    /// "inversions: 12, of which 3 unbounded: others ran 4.2 ms in the holder's place".
    [[nodiscard]] std::string sentence() const;
};

/// What the recording of a run shows, next to what the engine measured.
struct TraceFindings {
    std::vector<BoostGroup> boosts; ///< of workers, most frequent first
    std::uint64_t workerBoostCount = 0;
    std::uint64_t otherBoostCount = 0; ///< of threads that are no workers
    InversionTotals inversions;
    std::map<std::int32_t, std::uint64_t> operationCounts; ///< in the trace, by worker's tid
    std::vector<std::string> warnings;
};

/// Loads the recording at `path`, runs the analyses and sums up what concerns `workerTids`.
[[nodiscard]] Result<TraceFindings> findInTrace(const std::string& path,
                                                std::span<const std::int32_t> workerTids,
                                                const JobContext& job);

} // namespace inversight
