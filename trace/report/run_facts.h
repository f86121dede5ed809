// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/stats/sample_comparison.h"
#include "trace/analysis/analysis.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inversight {

/// The inversions of one victim on one lock.
struct InversionGroup {
    std::string victim;
    std::string lock; ///< "" where it is not known, or a helper was waited for
    std::uint64_t count = 0;
    std::uint64_t unboundedCount = 0;
    std::int64_t midNs = 0;
    std::int64_t longestNs = 0;
};

struct WorkerFacts {
    std::string name;
    LatencySeries series;
};

/// What one trace contributes to a comparison: little beside the trace itself, so that many files
/// are read one after the other.
struct RunFacts {
    std::string file;
    std::vector<WorkerFacts> workers;       ///< threads with operations, by their first name
    std::vector<InversionGroup> inversions; ///< nominal ones left out; by victim, then lock
    std::uint64_t lossCount = 0;            ///< places where events are missing
};

/// `results` must be settled. An analysis that failed contributes nothing; threads of one name are
/// told apart by a number behind it ("worker", "worker#2").
[[nodiscard]] RunFacts runFactsOf(const TraceStore& store, const AnalysisResults& results,
                                  std::string file);

} // namespace inversight
