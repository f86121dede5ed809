// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/cpu_columns.h"

#include <tuple>

namespace inversight {

RowCounts CpuColumns::currentCounts() const {
    return std::apply(
        [](const auto&... columns) {
            return RowCounts{static_cast<std::uint32_t>(columns.size())...};
        },
        rows_);
}

void CpuColumns::rewind() {
    headers_.rewind();
    tables_.rewind();
    std::apply([](auto&... columns) { (columns.rewind(), ...); }, rows_);
    counts_.clear();
    losses_.clear();
    ascending_ = true;
    leastTime_ = mostTime_ = 0;
    mostOffset_ = offsetBits_ = 0;
}

RowCounts CpuColumns::rowsBefore(std::size_t index) const {
    if (index == size())
        return currentCounts();
    RowCounts counts = counts_[index / kCountEvery];
    for (std::size_t event = index / kCountEvery * kCountEvery; event < index; ++event) {
        if (tables_[event] != kNoTable)
            ++counts[tables_[event]];
    }
    return counts;
}

} // namespace inversight
