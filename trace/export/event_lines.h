// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "trace/decode/trace_source.h"

#include <iosfwd>

namespace inversight {

/// Every event as a line of text, in the merged order, in the form other tools of ftrace read and
/// `trace-cmd report` writes:
///
///                sh-151   [001] d..2.    23.742483620: sched_waking:         comm=...
///
/// The flags are those of the kernel's own text: interrupts off, reschedule, in interrupt, depth of
/// preempt_disable and of migrate_disable. Times are exact: ns, or the clock's own unit. With
/// several buffers each line begins with its buffer's name. Where events were lost stands
/// `CPU:0 [LOST 123 EVENTS]` before that CPU's next event. One event is one line: a newline inside
/// a name or a text is written as `\n`, so that nothing a task calls itself or writes into
/// trace_marker reads as another event.
///
/// Unavailable without a source of text; Cancelled; Io when the stream fails. Memory does not grow
/// with the number of events.
[[nodiscard]] Result<void> writeEventLines(const LoadedTrace& trace, const JobContext& job,
                                           std::ostream& out);

} // namespace inversight
