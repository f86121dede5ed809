// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/latency.h"
#include "trace/view/inversion_marks.h"
#include "trace/view/track_inputs.h"
#include "ui/models/result_table.h"

#include <memory>
#include <span>
#include <vector>

namespace inversight {

/// What tables are made of; parts that are not there yet are null.
struct TableInputs {
    TrackInputs tracks;
    std::shared_ptr<const Latency> latency;
};

/// A table of results: what it is called and how it is made. A new one is a file pair and a row of
/// result_tables.cpp; the window makes a dock of each.
struct ResultTableInfo {
    const char* id;    ///< of the dock, in saved layouts
    const char* title; ///< to translate
    const char* empty; ///< the sentence when it has no rows; to translate
    TableContents (*make)(const TableInputs&);
    int sortColumn = 0; ///< worst first, where there is a worst
    Qt::SortOrder order = Qt::AscendingOrder;
};
[[nodiscard]] std::span<const ResultTableInfo> resultTables();
[[nodiscard]] QString tableWords(const char* text);

enum class InversionColumn { Begin, Length, Victim, Responsible, Lock, Kind };
enum class BoostColumn { Begin, Length, Target, From, To, Donor, Lock, Evidence };
enum class WaitColumn { Begin, Length, Thread, Lock, Owner, Evidence, End };
enum class ThreadColumn { Name, Tid, Class, Running, Runnable, Blocked, Wire, Disk, Sleeping };
enum class OperationColumn { Begin, Length, Thread, Wait };

[[nodiscard]] TableContents inversionTable(const TableInputs& inputs);
[[nodiscard]] TableContents boostTable(const TableInputs& inputs);
[[nodiscard]] TableContents waitTable(const TableInputs& inputs);
[[nodiscard]] TableContents threadTable(const TableInputs& inputs);
/// Operations of all threads of the latency result, `from` <= length < `to` (ns).
[[nodiscard]] TableContents operationTable(const TableInputs& inputs, std::int64_t from,
                                           std::int64_t to);
[[nodiscard]] TableContents operationTable(const TableInputs& inputs);

} // namespace inversight
