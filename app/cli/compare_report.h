// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/export/json_document.h"
#include "trace/report/run_comparison.h"

#include <span>
#include <string>

namespace inversight {

[[nodiscard]] std::string compareText(std::span<const RunComparison> comparisons);
[[nodiscard]] std::string compareMarkdown(std::span<const RunComparison> comparisons);
/// "inversight.compare/1".
[[nodiscard]] JsonDocument compareDocument(std::span<const RunComparison> comparisons);

} // namespace inversight
