// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "tests/support/trace_script.h"

#include <string>

namespace inversight::test {

/// Rounds of: low (tid 10, nice 0) holds "i2c-2 bus lock" and transfers, high (tid 30, RT 99) waits
/// and boosts it. One round is `kRound` long, the trace begins at kOrigin.
inline constexpr std::int64_t kOrigin = 5'000'000'000;
inline constexpr std::int64_t kRound = 2'000'000;
[[nodiscard]] TraceScript boostedRounds(int rounds);

/// Where low's boost of a round is.
inline constexpr std::int64_t kBoostBegin = 310'000;
inline constexpr std::int64_t kBoostEnd = 910'000;

/// Writes the script's events as a trace.dat; `lost` events are said to be missing on CPU 0.
void writeTrace(const TraceScript& script, const std::string& path, std::uint64_t lost = 0);

} // namespace inversight::test
