// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/export/analyzed_trace.h"

#include <iosfwd>

namespace inversight {

/// What was found, as Markdown: for a mail, an issue, a report. Io when the stream fails.
[[nodiscard]] Result<void> writeMarkdown(const AnalyzedTrace& analyzed, std::ostream& out);

} // namespace inversight
