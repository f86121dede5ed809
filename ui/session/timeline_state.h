// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "ui/session/lane_state.h"
#include "ui/session/selection_state.h"
#include "ui/session/timeline_marks.h"
#include "ui/session/view_state.h"

namespace inversight {

/// What a person made of a trace: where they look, what is selected, marks, lanes. What a session
/// file keeps. Thread-bound (GUI).
struct TimelineState {
    ViewState view;
    SelectionState selection;
    TimelineMarks marks;
    LaneState lanes;
};

} // namespace inversight
