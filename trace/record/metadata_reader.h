// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/file/trace_metadata.h"
#include "trace/record/event_selection.h"
#include "trace/record/tracefs.h"

namespace inversight {

/// Reads what a trace.dat says besides pages from the running kernel: the formats of all ftrace
/// events and of the selected ones (a file names only what it can hold), the two symbols markers
/// need (markerSymbols), clock and uname. Command lines and statistics are those of the moment.
[[nodiscard]] Result<TraceMetadata> readMetadata(const Tracefs& tracefs,
                                                 const TraceInstance& instance,
                                                 const EventSelection& events, int cpuCount);

/// Brings the parts that change while recording up to date.
[[nodiscard]] Result<void> refreshMetadata(const Tracefs& tracefs, const TraceInstance& instance,
                                           TraceMetadata& metadata);

} // namespace inversight
