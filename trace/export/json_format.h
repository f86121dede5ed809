// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/export/analyzed_trace.h"

#include <iosfwd>

namespace inversight {

/// analyzeDocument as text.
[[nodiscard]] Result<void> writeJson(const AnalyzedTrace& analyzed, std::ostream& out);

} // namespace inversight
