// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_inputs.h"

#include <vector>

namespace inversight {

/// A priority inversion as the timeline shows it: a shade over the victim's lane, hatched where
/// nothing bounds it, with the thread responsible.
struct InversionMark {
    TimeRange range;
    ThreadId victim;
    ThreadId responsible; ///< who ran or held instead; none() = several or unknown
    LockId lock;
    bool unbounded = false;
};

/// The inversions of a trace, by begin. The one place that turns what analyses found into marks:
/// lanes, overview, `[` and `]`, and the filter "involved in an inversion" all read these.
[[nodiscard]] std::vector<InversionMark> inversionMarks(const TrackInputs& inputs);

} // namespace inversight
