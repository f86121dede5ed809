// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/export/analyzed_trace.h"
#include "trace/export/json_document.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace inversight {

/// One inversion as a plain sentence: who waited for what, how long, and what each part of that
/// was, with priorities and the cause. The parts it names add up to the wait. Example:
///
///     fifo-99 (FIFO 99) waited 13.000 ms for bus lock i2c-2: 3.000 ms its holder prio-0 (nice 0)
///     needed, 10.000 ms hog (FIFO 20) ran on CPU 0 instead; no boost was recorded.
[[nodiscard]] std::string inversionSentence(const AnalyzedTrace& analyzed,
                                            const Inversion& inversion);

/// `inversight explain`: the `top` worst inversions that the filter lets through, nominal ones left
/// out, as text, as Markdown or as a document (inversight.explain/1).
[[nodiscard]] Result<void> writeExplanation(const AnalyzedTrace& analyzed, std::size_t top,
                                            std::ostream& out);
[[nodiscard]] Result<void> writeExplanationMarkdown(const AnalyzedTrace& analyzed, std::size_t top,
                                                    std::ostream& out);
[[nodiscard]] JsonDocument explainDocument(const AnalyzedTrace& analyzed, std::size_t top);

} // namespace inversight
