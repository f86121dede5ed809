// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/report/run_comparison.h"

#include <optional>
#include <string>
#include <string_view>

namespace inversight {

/// A bound that a comparison must keep: "max>1300us" (the later side's value), "p99:+5%" (the
/// change), either of one worker with its name in front: "fifo-99:max>1300us".
struct ComparisonGate {
    std::string text;                  ///< as it was written
    std::optional<std::string> worker; ///< none = every worker
    LatencyMetric metric = LatencyMetric::Average;
    std::optional<double> most;        ///< ns
    std::optional<double> mostPercent; ///< of the value before

    /// InvalidArgument, naming what was expected.
    [[nodiscard]] static Result<ComparisonGate> parse(std::string_view text);

    /// Why the comparison breaks it; nothing if it does not. A change counts if it is larger than
    /// the bound and not within what chance does; where nothing is known of chance (a maximum, short
    /// runs) by itself. InvalidArgument if no worker has that name.
    [[nodiscard]] Result<std::optional<std::string>> broken(const RunComparison& comparison) const;
};

} // namespace inversight
