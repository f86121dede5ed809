// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "ui/session/timeline_state.h"

#include <QByteArray>
#include <QString>

namespace inversight {

/// What a person made of a trace as a JSON document "inversight.session/1": view, selected range,
/// markers, bookmarks, lanes and the filter of events. Times are relative to `origin`, the trace's
/// first event.
[[nodiscard]] QByteArray sessionToJson(const TimelineState& state, const QString& eventFilter,
                                       std::int64_t origin);

/// Puts a document into `state` and `eventFilter`. A newer version is refused by name; what is
/// missing or makes no sense keeps its default. Nothing changes when the document cannot be read.
[[nodiscard]] Result<void> sessionFromJson(const QByteArray& json, std::int64_t origin,
                                           TimelineState& state, QString& eventFilter);

} // namespace inversight
