// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/export/analyzed_trace.h"

namespace inversight {

/// The boosts for people: how many of whom, by whom and on which lock, then every one on a line.
[[nodiscard]] std::string boostsText(const AnalyzedTrace& analyzed);

} // namespace inversight
