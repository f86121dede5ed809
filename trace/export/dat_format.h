// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "trace/decode/trace_source.h"

#include <iosfwd>

namespace inversight {

/// The recording itself, page for page, as a trace.dat of version 6: what was packed is unpacked,
/// so that tools that know no version 7 read it.
///
/// Unavailable for a trace that holds no pages (a text); otherwise the errors of rewriteDat().
[[nodiscard]] Result<void> writeTraceDat6(const LoadedTrace& trace, const JobContext& job,
                                          std::ostream& out);

/// The same as version 7, packed with zstd: a fraction of the size. `out` must be a file.
[[nodiscard]] Result<void> writeTraceDat7(const LoadedTrace& trace, const JobContext& job,
                                          std::ostream& out);

} // namespace inversight
