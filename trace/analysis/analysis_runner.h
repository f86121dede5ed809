// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"

namespace inversight {

/// runAnalyses with a table of the caller's: the one the public function uses is analyses().
[[nodiscard]] Result<void> runAnalysisTable(std::span<const AnalysisRow> table,
                                            const TraceStore& store, AnalysisResults& results,
                                            const JobContext& job, const ResultReady& ready,
                                            unsigned workers);

} // namespace inversight
