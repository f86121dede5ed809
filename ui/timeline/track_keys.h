// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <QString>
#include <Qt>
#include <optional>
#include <span>

class QKeyEvent;

namespace inversight {

/// What a timeline can be told to do by a key or by the list of commands.
enum class TrackCommand {
    ZoomIn,
    ZoomOut,
    PanLeft,
    PanRight,
    ToStart,
    ToEnd,
    FrameSelection,
    ShowAll,
    PreviousInversion,
    NextInversion,
    PreviousItem,
    NextItem,
    RowUp,
    RowDown,
    SetMarkerA,
    SetMarkerB,
    AddBookmark,
    PreviousBookmark,
    NextBookmark,
    ClearSelection,
    PinLane,
    HideLane,
    MoveLaneUp,
    MoveLaneDown,
    ToggleGroup,
    ShowHiddenLanes,
};

/// A row of the one table of the timeline's keys: the view reads it, the help and the list of
/// commands show it.
struct TrackKey {
    TrackCommand command;
    int key = 0;
    Qt::KeyboardModifiers modifiers;
    const char* keyText;     ///< "W", "Shift+M"
    const char* commandText; ///< to translate
};
[[nodiscard]] std::span<const TrackKey> trackKeys();

/// What the mouse does, for the help.
struct TrackGesture {
    const char* gesture;
    const char* text;
};
[[nodiscard]] std::span<const TrackGesture> trackGestures();

[[nodiscard]] std::optional<TrackCommand> commandFor(const QKeyEvent& event);
[[nodiscard]] QString trackKeyWords(const char* text);

} // namespace inversight
