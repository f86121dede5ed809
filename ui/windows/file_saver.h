// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QString>

class QWidget;

namespace inversight {

/// Writes a file whole or not at all (QSaveFile).
[[nodiscard]] Result<void> saveFile(const QString& path, const QByteArray& bytes);

/// Asks where to, writes, and shows a sentence if that fails. False when nothing was written.
bool saveByDialog(QWidget* parent, const QString& title, const QString& name, const QString& filter,
                  const QByteArray& bytes);

} // namespace inversight
