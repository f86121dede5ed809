// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/export/analyzed_trace.h"
#include "trace/export/json_document.h"

namespace inversight {

/// The arrays "waits" and "inversions" of an analysis document; null where the analysis is missing.
[[nodiscard]] Json waitsJson(const AnalyzedTrace& analyzed);
[[nodiscard]] Json inversionsJson(const AnalyzedTrace& analyzed);

} // namespace inversight
