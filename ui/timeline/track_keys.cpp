// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/timeline/track_keys.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <array>

namespace inversight {

std::span<const TrackKey> trackKeys() {
    using enum TrackCommand;
    constexpr Qt::KeyboardModifiers none = Qt::NoModifier;
    static constexpr std::array table{
        TrackKey{ZoomIn, Qt::Key_W, none, "W", "Zoom in at the mouse"},
        TrackKey{ZoomIn, Qt::Key_Plus, none, "+", "Zoom in at the mouse"},
        TrackKey{ZoomOut, Qt::Key_S, none, "S", "Zoom out at the mouse"},
        TrackKey{ZoomOut, Qt::Key_Minus, none, "-", "Zoom out at the mouse"},
        TrackKey{PanLeft, Qt::Key_A, none, "A", "Move earlier"},
        TrackKey{PanLeft, Qt::Key_Left, none, "Left", "Move earlier"},
        TrackKey{PanRight, Qt::Key_D, none, "D", "Move later"},
        TrackKey{PanRight, Qt::Key_Right, none, "Right", "Move later"},
        TrackKey{ToStart, Qt::Key_Home, none, "Home", "Go to the trace's first event"},
        TrackKey{ToEnd, Qt::Key_End, none, "End", "Go to the trace's last event"},
        TrackKey{FrameSelection, Qt::Key_F, none, "F", "Frame the selection"},
        TrackKey{ShowAll, Qt::Key_0, none, "0", "Show the whole trace"},
        TrackKey{PreviousInversion, Qt::Key_BracketLeft, none, "[", "Previous inversion"},
        TrackKey{NextInversion, Qt::Key_BracketRight, none, "]", "Next inversion"},
        TrackKey{PreviousItem, Qt::Key_Comma, none, ",", "Previous event of the lane"},
        TrackKey{NextItem, Qt::Key_Period, none, ".", "Next event of the lane"},
        TrackKey{RowUp, Qt::Key_Up, none, "Up", "Lane above"},
        TrackKey{RowDown, Qt::Key_Down, none, "Down", "Lane below"},
        TrackKey{SetMarkerA, Qt::Key_M, none, "M", "Marker A at the mouse"},
        TrackKey{SetMarkerB, Qt::Key_M, Qt::ShiftModifier, "Shift+M", "Marker B at the mouse"},
        TrackKey{AddBookmark, Qt::Key_B, none, "B", "Bookmark at the mouse"},
        TrackKey{PreviousBookmark, Qt::Key_BracketLeft, Qt::AltModifier, "Alt+[",
                 "Previous bookmark"},
        TrackKey{NextBookmark, Qt::Key_BracketRight, Qt::AltModifier, "Alt+]", "Next bookmark"},
        TrackKey{ClearSelection, Qt::Key_Escape, none, "Esc", "Select nothing"},
        TrackKey{PinLane, Qt::Key_P, none, "P", "Pin the lane on top, or unpin it"},
        TrackKey{HideLane, Qt::Key_H, none, "H", "Hide the lane"},
        TrackKey{MoveLaneUp, Qt::Key_Up, Qt::AltModifier, "Alt+Up", "Move the lane up"},
        TrackKey{MoveLaneDown, Qt::Key_Down, Qt::AltModifier, "Alt+Down", "Move the lane down"},
        TrackKey{ToggleGroup, Qt::Key_Space, none, "Space", "Collapse or open the group"},
        TrackKey{ShowHiddenLanes, Qt::Key_H, Qt::ShiftModifier, "Shift+H", "Show all lanes"},
    };
    return table;
}

std::span<const TrackGesture> trackGestures() {
    static constexpr std::array table{
        TrackGesture{"Wheel", "Scroll the lanes"},
        TrackGesture{"Ctrl+wheel", "Zoom at the cursor"},
        TrackGesture{"Shift+wheel", "Move in time"},
        TrackGesture{"Left click", "Select what is under the cursor"},
        TrackGesture{"Left drag", "Select a range of time"},
        TrackGesture{"Middle drag", "Move the trace"},
        TrackGesture{"Double click", "Zoom to what is under the cursor"},
        TrackGesture{"Drag a lane's name", "Move the lane"},
        TrackGesture{"Click a heading", "Collapse or open the group"},
    };
    return table;
}

std::optional<TrackCommand> commandFor(const QKeyEvent& event) {
    constexpr Qt::KeyboardModifiers asked =
        Qt::ShiftModifier | Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier;
    // Some layouts have + and brackets behind Shift, and all have + on the number pad.
    const bool letter = event.key() >= Qt::Key_A && event.key() <= Qt::Key_Z;
    const Qt::KeyboardModifiers ignored =
        letter || event.key() == Qt::Key_Up || event.key() == Qt::Key_Down ? Qt::NoModifier
                                                                           : Qt::ShiftModifier;
    const Qt::KeyboardModifiers modifiers = event.modifiers() & asked & ~ignored;
    for (const TrackKey& row : trackKeys()) {
        if (row.key == event.key() && row.modifiers == modifiers)
            return row.command;
    }
    return std::nullopt;
}

QString trackKeyWords(const char* text) {
    return QCoreApplication::translate("TrackKeys", text);
}

} // namespace inversight
