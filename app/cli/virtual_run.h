// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/policy_run.h"

namespace inversight {

/// What a recording in virtual time has in place of uname.
inline constexpr const char* kVirtualSystemName = "Inversight virtual time";

/// Runs the plan's scenario under one policy in virtual time and, if the plan wants it recorded,
/// writes what happened as a trace.dat. The same plan gives the same bytes. A deadlock is a warning
/// that names the cycle, and the run counts as stopped early.
[[nodiscard]] Result<PolicyRun> runInVirtualTime(const RunPlan& plan, const LockPolicyRow& policy,
                                                 const StopControl& stop, JobReporter& reporter);

} // namespace inversight
