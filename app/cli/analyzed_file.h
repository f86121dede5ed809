// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/trace_selection.h"
#include "app/cli/verb.h"

#include <functional>

namespace inversight {

/// Loads `file`, runs all analyses and hands what the selection leaves to `tell`, while a person
/// sees how far it is. Incomplete if events are missing or an analysis failed.
[[nodiscard]] Result<ExitCode>
tellOfFile(const std::string& file, const TraceSelection& selection,
           const std::function<Result<void>(const AnalyzedTrace&)>& tell);

} // namespace inversight
