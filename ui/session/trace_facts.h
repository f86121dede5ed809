// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/latency.h"
#include "trace/decode/trace_source.h"
#include "trace/view/lane_order.h"

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <vector>

namespace inversight {

/// What the header and the status bar say about a trace, in words.
struct TraceFacts {
    QString fileName;
    QString title;           ///< "rt_mutex.dat", with scenario and policy if it is one of our runs
    QString clock;           ///< "clock mono"
    QString events;          ///< "31,204 events"
    QString system;          ///< kernel and machine, "" if unknown
    QString losses;          ///< "no events lost", or the number
    bool incomplete = false; ///< events lost, or a part of the file could not be read
    QStringList warnings;
};

[[nodiscard]] TraceFacts traceFacts(const LoadedTrace& trace);

/// "245 boosts (12 nominal)", "no boosts"; "" while unknown.
[[nodiscard]] QString boostStatement(const Boosts* boosts);

/// Events lost in all, and whether some of the losses have no count.
struct LossTotal {
    std::uint64_t count = 0;
    std::size_t gaps = 0;
    bool countKnown = true;
};
[[nodiscard]] LossTotal lossTotal(const TraceStore& store);

/// The workers of the run's manifest as lanes that come first, the highest priority on top.
[[nodiscard]] std::vector<LeadThread> leadThreads(const LoadReport& report);

/// "31,204": digits in groups of three.
[[nodiscard]] QString groupDigits(std::uint64_t value);

} // namespace inversight
