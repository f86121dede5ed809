// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/text_bodies.h"
#include "trace/decode/text_line.h"

#include <cstdint>
#include <string>
#include <string_view>

/// Text of the function_graph tracer, which draws calls and writes events between them as comments:
///
///      20.748312 |   0)    <idle>-0    |               |  /* sched_waking: comm=... */
///      20.768749 |   0)   rcu_pre-17   | ! 412.727 us  |  scheduler_tick();
///
/// Times and tasks are there with options/funcgraph-abstime and funcgraph-proc (kernel:
/// kernel/trace/trace_functions_graph.c). Without them no event can be placed.
namespace inversight {

/// The line as an event: the comment's, or the call as "funcgraph_entry" and its end as
/// "funcgraph_exit", as trace-cmd names them; a comment without a name is a marker. False if it is
/// none.
[[nodiscard]] bool parseGraphLine(std::string_view line, TextLine& out);

/// A text of the tracer whose lines have time and task.
[[nodiscard]] bool looksLikeGraph(std::string_view text);
/// A text of the tracer.
[[nodiscard]] bool isFunctionGraph(std::string_view text);
/// What is between its columns without being an event: " 0)  init-1  =>  rcuc/1-27", the marks
/// around an interrupt. `words` has no blanks in front.
[[nodiscard]] bool isGraphHeading(std::string_view words);

/// How many events and calls a text of the tracer holds: "158 events and 1594 calls".
[[nodiscard]] std::string graphContent(std::string_view text);

/// The body of a funcgraph_entry; counts those that stand for the call's end as well.
[[nodiscard]] bool readGraphEntry(std::string_view body, TextBodyContext& context);

} // namespace inversight
