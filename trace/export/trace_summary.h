// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/trace_source.h"
#include "trace/export/json_document.h"

#include <map>
#include <string>
#include <vector>

/// What the documents about one trace have in common.
namespace inversight {

/// Events per name, without types that never occurred. A name that two systems use is written
/// "system:name".
[[nodiscard]] std::map<std::string, std::uint64_t> eventCountsByName(const TraceStore& store);

struct LossSummary {
    std::uint64_t lostCount = 0;    ///< events, of those losses whose size is known
    std::uint64_t unknownCount = 0; ///< losses of unknown size
    [[nodiscard]] bool any() const { return lostCount > 0 || unknownCount > 0; }
};
[[nodiscard]] LossSummary summarizeLosses(const TraceStore& store);

/// "1234 events and 2 unknown numbers of events are missing": for people; "" without losses.
[[nodiscard]] std::string lossSentence(const TraceStore& store);

/// The envelope of a document about `trace`: times relative to its first event, the report's
/// warnings, `complete` only if everything was read and nothing was lost.
[[nodiscard]] JsonDocument traceDocument(const LoadedTrace& trace, std::string schema,
                                         std::string tool);

/// event_counts, lost_count, lost_unknown_count: the same in every document that has them.
void addCounts(Json& data, const TraceStore& store);

/// {"pid": tid, "name": ..}, null for none().
[[nodiscard]] Json jsonThread(const TraceStore& store, ThreadId thread);

/// The lines that stand above everything else when evidence is missing; "" otherwise.
[[nodiscard]] std::string lossText(const TraceStore& store);
/// Event names and counts, most frequent first.
[[nodiscard]] std::string eventCountsText(const TraceStore& store);

/// "name (tid)", fit for a terminal.
[[nodiscard]] std::string threadLabel(const TraceStore& store, ThreadId thread);

} // namespace inversight
