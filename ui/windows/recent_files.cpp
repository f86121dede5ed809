// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace inversight {

namespace {
QString settingsKey() {
    return QStringLiteral("recentFiles");
}
} // namespace

QStringList RecentFiles::all() {
    return QSettings().value(settingsKey()).toStringList();
}

void RecentFiles::add(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = all();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue(settingsKey(), QStringList(files.mid(0, kMaxCount)));
}

} // namespace inversight
