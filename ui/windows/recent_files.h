// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <QStringList>

namespace inversight {

/// The files opened last, newest first, kept in the user's settings. Thread-bound.
class RecentFiles {
public:
    static constexpr int kMaxCount = 8;

    [[nodiscard]] static QStringList all();
    /// Moves `path` (made absolute) to the front.
    static void add(const QString& path);
};

} // namespace inversight
