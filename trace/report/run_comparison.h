// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/report/run_facts.h"

#include <span>
#include <string>
#include <vector>

namespace inversight {

/// One side of a comparison.
struct RunSet {
    std::string name; ///< the file or folder as it was given
    std::vector<RunFacts> runs;
};

/// The inversions of one victim on one lock, per run.
struct InversionChange {
    std::string victim;
    std::string lock;
    double beforePerRun = 0;
    double afterPerRun = 0;
    double beforeMidNsPerRun = 0;
    double afterMidNsPerRun = 0;
};

struct RunComparison {
    std::string before;
    std::string after;
    std::vector<std::string> workers; ///< ComparisonRow::thread
    SampleComparison samples;
    std::vector<InversionChange> inversions; ///< by victim, then lock
    std::uint64_t lossCount = 0;             ///< places where events are missing, in all runs
};

/// Workers are matched by name, in the order in which they appear; one that a side has not is
/// compared with nothing.
[[nodiscard]] RunComparison compareRuns(const RunSet& before, const RunSet& after,
                                        const ComparisonOptions& options = {});

} // namespace inversight
