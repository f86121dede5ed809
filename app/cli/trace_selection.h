// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/export/analyzed_trace.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace inversight {

/// What a command line asks to be told of a trace, in words.
struct TraceSelection {
    std::vector<std::string> analyses; ///< names; empty: all
    std::vector<std::string> threads;  ///< names or numbers; empty: all
    std::vector<std::string> locks;    ///< names; empty: all
    std::string range;                 ///< "A:B" in seconds from the first event; "": all
};

/// Declares --thread, --lock and --range. `selection` must outlive the parsing.
void addSelectionOptions(CLI::App& app, TraceSelection& selection);
/// Declares --only.
void addOnlyOption(CLI::App& app, TraceSelection& selection);

/// Sets the range and the filter of `analyzed`, whose results must be ready. NotFound names what is
/// not in the trace, InvalidArgument what is no range.
[[nodiscard]] Result<void> applySelection(const TraceSelection& selection, AnalyzedTrace& analyzed);

} // namespace inversight
