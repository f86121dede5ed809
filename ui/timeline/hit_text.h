// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_model.h"

#include <QString>

namespace inversight {

/// What a tooltip says about a hit, as rich text: what it is, from when to when (relative to the
/// trace's first event, exact to the ns), how long, and who else is concerned. "" for nothing.
[[nodiscard]] QString hitText(const TrackModel& model, const TrackHit& hit);

/// What a tooltip says about an inversion, as rich text.
[[nodiscard]] QString inversionText(const TrackModel& model, const InversionMark& mark);

/// "blocked on a lock", "waits for a CPU (preempted)": a state in words.
[[nodiscard]] QString stateWords(ThreadState state);

/// What the lane's header says in full: name, tid, class, running time.
[[nodiscard]] QString laneText(const TrackModel& model, const LaneInfo& lane);

} // namespace inversight
