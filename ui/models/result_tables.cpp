// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/models/result_tables.h"

#include <QCoreApplication>
#include <array>

namespace inversight {

std::span<const ResultTableInfo> resultTables() {
    static constexpr std::array table{
        ResultTableInfo{"inversions", "Inversions", "No priority inversion was found.",
                        inversionTable, static_cast<int>(InversionColumn::Length),
                        Qt::DescendingOrder},
        ResultTableInfo{"boosts", "Boosts", "No thread's priority was raised by another's.",
                        boostTable, static_cast<int>(BoostColumn::Begin), Qt::AscendingOrder},
        ResultTableInfo{"waits", "Lock waits", "No waits for locks were found.", waitTable,
                        static_cast<int>(WaitColumn::Length), Qt::DescendingOrder},
        ResultTableInfo{"threads", "Threads", "The trace names no threads.", threadTable,
                        static_cast<int>(ThreadColumn::Running), Qt::DescendingOrder},
    };
    return table;
}

QString tableWords(const char* text) {
    return QCoreApplication::translate("ResultTables", text);
}

} // namespace inversight
