// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <string>

namespace inversight::test {

/// Writes the trace.dat `from` again as `to`, without the records of ftrace/print: what a kernel
/// alone would have seen of the run. Times, losses and everything else stay. Only for little-endian
/// 64-bit files, as this machine records them.
[[nodiscard]] Result<void> copyWithoutMarkers(const std::string& from, const std::string& to);

} // namespace inversight::test
