// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "tests/support/trace_script.h"
#include "trace/export/analyzed_trace.h"

namespace inversight::test {

/// A hand-made trace as if it had been read from a file, with its analyses.
struct SampleTrace {
    explicit SampleTrace(const TraceScript& script);

    [[nodiscard]] AnalyzedTrace analyzed() const { return {trace, results, "inversight 1.2.3"}; }

    LoadedTrace trace;
    AnalysisResults results;
};

/// high waits 100..550 for the bus that low holds, and boosts it 110..510; 7 events are lost late.
/// Times begin at 1'000'000'000.
[[nodiscard]] TraceScript boostedOperation();

} // namespace inversight::test
