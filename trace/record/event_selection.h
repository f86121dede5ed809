// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/record/tracefs.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace inversight {

/// Which events a recording enables.
struct EventSelection {
    std::map<std::string, std::set<std::string>> systems; ///< names of events, by system
    std::vector<std::string> warnings;                    ///< what this kernel does not have
};

/// Resolves "system:name" and "system" (all its events) against the running kernel. What the
/// kernel lacks is a warning; an error if nothing is left or if sched:sched_switch, without which
/// nothing can be explained, was wanted and is missing (Unsupported).
[[nodiscard]] Result<EventSelection> selectEvents(const Tracefs& tracefs,
                                                  std::span<const std::string> requests);

} // namespace inversight
