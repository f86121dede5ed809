// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_hit.h"
#include "trace/view/track_inputs.h"

#include <cstdint>
#include <span>
#include <vector>

namespace inversight {

/// Who waited for a lock over time, without the times when nobody did; ascending, no overlaps.
/// `waits` are the lock's (indices). O(n log n + changes x depth).
[[nodiscard]] std::vector<LockQueue> lockQueues(const TrackInputs& inputs, LockId lock,
                                                std::span<const std::uint32_t> waits);

} // namespace inversight
