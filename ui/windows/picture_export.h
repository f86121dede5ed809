// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <QString>

class QWidget;

namespace inversight {

/// Draws a widget as it stands into a file: PNG, SVG or PDF, by the name's ending. SVG and PDF keep
/// text and lines as such.
[[nodiscard]] Result<void> exportPicture(QWidget& widget, const QString& path);

} // namespace inversight
