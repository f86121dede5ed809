// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/lock/lock_policy.h"
#include "core/virtual/lock_state.h"

#include <vector>

namespace inversight {

/// The locks of a run, those of the spec and then one per bus, each under its own policy or else
/// under `policy`. An error names the lock and the thread that cannot be run under it.
[[nodiscard]] Result<std::vector<LockState>> makeLocks(const WorkloadSpec& spec,
                                                       const LockPolicyRow& policy);

} // namespace inversight
