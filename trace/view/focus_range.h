// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/latency.h"
#include "trace/view/track_inputs.h"

#include <optional>
#include <string>

namespace inversight {

/// The part of a trace worth looking at first, and why.
struct FocusRange {
    TimeRange range;
    enum class Reason { Boosts, Wait, Whole } reason = Reason::Whole;
    std::size_t boostCount = 0; ///< real boosts that begin in the range, for Boosts
    ThreadId thread;            ///< who waited, for Wait
};

/// About `operationCount` bus operations (or holds of locks, where there are no markers of
/// operations): where most is boosted, else around the longest wait for a lock, which takes at most
/// the middle third, else everything. Nominal boosts count only where there are no others.
[[nodiscard]] FocusRange findFocus(const TrackInputs& inputs, const Latency* latency,
                                   std::size_t operationCount = 12);

} // namespace inversight
