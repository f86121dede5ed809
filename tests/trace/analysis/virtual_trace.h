// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "analyzed_script.h"
#include "core/virtual/virtual_engine.h"
#include "core/workload/scenario.h"
#include "trace/analysis/decomposition.h"
#include "trace/analysis/inversions.h"

#include <string>

namespace inversight::test {

inline constexpr std::int64_t kMs = 1'000'000;
inline constexpr std::int64_t kUs = 1'000;

enum class Markers { Kept, TakenOut };

/// A virtual run that went through a file: what the engine measured and what the file says.
struct VirtualTrace {
    VirtualRunResult result;
    std::unique_ptr<AnalyzedStore> trace;

    [[nodiscard]] const TraceStore& store() const { return *trace->store; }
    [[nodiscard]] ThreadId thread(const std::string& name) const;
    [[nodiscard]] const VirtualThreadResult& measured(const std::string& name) const;
    /// "critical_section 3 mid 10" in ms of all lock waits of a thread, in the order of WaitPart.
    [[nodiscard]] std::string parts(const std::string& name) const;
    /// "L at_request 13; W fifo_order 1" in ms, likewise.
    [[nodiscard]] std::string holds(const std::string& name) const;
    /// "H on R by L: unbounded, mid 10 by M 10" of a victim, worst first.
    [[nodiscard]] std::vector<std::string> inversions(const std::string& name) const;
};

[[nodiscard]] VirtualTrace traceOf(const WorkloadSpec& spec, const std::string& policy,
                                   Markers markers = Markers::Kept);
[[nodiscard]] VirtualTrace traceOf(const char* scenario, const std::string& policy,
                                   Markers markers = Markers::Kept,
                                   const ScenarioOverrides& overrides = {});

/// In every wait: both views sum to it, and segments follow each other without gap or overlap.
void expectSums(const AnalyzedStore& trace);

} // namespace inversight::test
