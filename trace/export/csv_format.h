// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/export/analyzed_trace.h"

#include <iosfwd>

namespace inversight {

/// One line per boost, or per wait or inversion if the filter asks for those: RFC 4180, with a title line. Times are ns since the trace's first event;
/// cells that are not known are empty.
[[nodiscard]] Result<void> writeCsv(const AnalyzedTrace& analyzed, std::ostream& out);

} // namespace inversight
