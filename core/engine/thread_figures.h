// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/error.h"
#include "core/stats/latency_histogram.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inversight {

/// The stretches of a transfer, which sum to planned release -> return. Recorded of every transfer
/// that went well; the first one only of a job's first transfer.
struct LatencyParts {
    LatencyHistogram releaseToRequest;
    LatencyHistogram lockWait; ///< asking for the lock to having it
    LatencyHistogram toWire;   ///< request to wire begin, less the lock wait: the driver's set-up
    LatencyHistogram wire;     ///< wire begin to wire end, wake-up included
    LatencyHistogram fromWire; ///< wire end to return: clean-up and unlock
};

/// What a worker measured of itself. Recording neither locks nor allocates. Times are ns.
struct ThreadFigures {
    std::uint64_t operationCount = 0;
    std::uint64_t errorCount = 0;     ///< transfers that failed
    std::uint64_t tryFailedCount = 0; ///< trylocks that came to -EAGAIN
    std::uint64_t jobCount = 0;
    std::uint64_t deadlineMissCount = 0;
    std::int64_t waitNs = 0; ///< for locks, in all
    std::int64_t maxWaitNs = 0;
    std::int64_t endNs = 0;              ///< CLOCK_MONOTONIC
    std::int64_t lastOperationEndNs = 0; ///< of the last transfer; 0 if there was none
    bool finishedAllLoops = false;
    LatencyHistogram latency;  ///< of transfers, request to return
    LatencyHistogram response; ///< of jobs, planned release to end
    LatencyParts parts;
    /// Threads and locks in turn, first and last the thread whose wait closed the cycle.
    std::vector<std::string> deadlock;
    std::optional<Error> failure;
};

/// What the engine reads of a worker while it runs, a few times per second.
struct WorkerGauges {
    std::atomic<std::uint64_t> steps{0};
    std::atomic<std::uint64_t> operations{0};
    std::atomic<std::int64_t> maxLatencyNs{0};
};

} // namespace inversight
