// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/export/analyzed_trace.h"
#include "trace/export/json_document.h"

namespace inversight {

/// `inversight analyze FILE`: everything that was concluded. Arrays of an analysis that failed are
/// null, and a warning says why; those nobody asked for are left out. Schema:
/// resources/schema/analyze.schema.json (inversight.analyze/1).
[[nodiscard]] JsonDocument analyzeDocument(const AnalyzedTrace& analyzed);

} // namespace inversight
