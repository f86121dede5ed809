// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/analysis.h"

#include <algorithm>
#include <new>
#include <string>

namespace inversight {

const char* confidenceName(Confidence confidence) {
    switch (confidence) {
    case Confidence::Certain:
        return "certain";
    case Confidence::High:
        return "high";
    case Confidence::Low:
        return "low";
    case Confidence::Unknown:
        break;
    }
    return "unknown";
}

AnalysisState AnalysisResults::state(AnalysisId id) const {
    const std::scoped_lock lock(mutex_);
    return slots_[static_cast<std::size_t>(id)].state;
}

std::optional<Error> AnalysisResults::error(AnalysisId id) const {
    const std::scoped_lock lock(mutex_);
    return slots_[static_cast<std::size_t>(id)].error;
}

void AnalysisResults::publish(AnalysisId id, std::shared_ptr<const void> result) {
    const std::scoped_lock lock(mutex_);
    slots_[static_cast<std::size_t>(id)] = {AnalysisState::Ready, std::move(result), std::nullopt};
}

void AnalysisResults::publishError(AnalysisId id, AnalysisState state, Error error) {
    const std::scoped_lock lock(mutex_);
    slots_[static_cast<std::size_t>(id)] = {state, nullptr, std::move(error)};
}

std::shared_ptr<const void> AnalysisResults::value(AnalysisId id) const {
    const std::scoped_lock lock(mutex_);
    return slots_[static_cast<std::size_t>(id)].value;
}

namespace {

constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

using RowOfId = std::array<std::size_t, kAnalysisCount>;

Result<RowOfId> rowsById(std::span<const AnalysisRow> table) {
    RowOfId rows;
    rows.fill(kNoRow);
    for (std::size_t row = 0; row < table.size(); ++row) {
        std::size_t& slot = rows[static_cast<std::size_t>(table[row].id)];
        if (slot != kNoRow)
            return std::unexpected(
                Error{ErrorCode::InvalidArgument,
                      "two analyses have one id: " + std::string(table[slot].name) + " and " +
                          std::string(table[row].name),
                      "analysis table"});
        slot = row;
    }
    for (const AnalysisRow& row : table)
        for (const AnalysisId input : row.inputs)
            if (rows[static_cast<std::size_t>(input)] == kNoRow)
                return std::unexpected(
                    Error{ErrorCode::NotFound,
                          "analysis " + std::string(row.name) + " needs one that is not there",
                          "analysis table"});
    return rows;
}

/// Names a cycle among the rows that could not be ordered: following the first unordered input of
/// each must come back to a row already seen.
Error cycleError(std::span<const AnalysisRow> table, const RowOfId& rows,
                 const std::vector<bool>& placed) {
    std::vector<std::size_t> path;
    std::size_t row =
        static_cast<std::size_t>(std::find(placed.begin(), placed.end(), false) - placed.begin());
    while (std::find(path.begin(), path.end(), row) == path.end()) {
        path.push_back(row);
        for (const AnalysisId input : table[row].inputs) {
            const std::size_t next = rows[static_cast<std::size_t>(input)];
            if (!placed[next]) {
                row = next;
                break;
            }
        }
    }
    std::string words;
    for (auto step = std::find(path.begin(), path.end(), row); step != path.end(); ++step)
        words += std::string(table[*step].name) + " <- ";
    return {ErrorCode::InvalidArgument,
            "analyses need each other in a circle: " + words + std::string(table[row].name),
            "analysis table"};
}

} // namespace

Result<std::vector<std::size_t>> analysisOrder(std::span<const AnalysisRow> table) {
    const RowOfId rows = TRY(rowsById(table));
    std::vector<std::size_t> order;
    std::vector<bool> placed(table.size(), false);
    const auto isPlaced = [&](AnalysisId id) { return placed[rows[static_cast<std::size_t>(id)]]; };
    // The table has tens of rows: rounds over it are simpler than a work list, and give an order
    // that does not change with anything but the table.
    while (order.size() < table.size()) {
        const std::size_t before = order.size();
        for (std::size_t row = 0; row < table.size(); ++row) {
            if (placed[row] || !std::ranges::all_of(table[row].inputs, isPlaced))
                continue;
            placed[row] = true;
            order.push_back(row);
        }
        if (order.size() == before)
            return std::unexpected(cycleError(table, rows, placed));
    }
    return order;
}

} // namespace inversight
