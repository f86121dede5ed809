// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/export/analyzed_trace.h"
#include "trace/export/text_table.h"

#include <string>
#include <vector>

namespace inversight {

/// A table of findings for people, for whatever format can show one.
struct FindingTable {
    std::string title;
    std::string note; ///< what stands in the place of an empty table
    std::vector<TextTable::Column> columns;
    std::vector<std::vector<std::string>> rows;
};

/// The inversions one by one (the worst of many), the waits by thread and lock with their parts,
/// and wake-up latencies by thread, CPU and priority: as far as they are wanted and there.
[[nodiscard]] std::vector<FindingTable> findingTables(const AnalyzedTrace& analyzed);

/// The tables as text.
[[nodiscard]] std::string findingsText(const AnalyzedTrace& analyzed);

} // namespace inversight
