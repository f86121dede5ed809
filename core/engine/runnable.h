// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/engine/rt_environment.h"
#include "core/lock/lock_policy.h"
#include "core/workload/lock_users.h"

namespace inversight {

/// The policy of this lock on real threads: its own, or the run's. Unsupported if that one exists
/// in virtual time only; InvalidArgument if it cannot serve the lock's users (lock_users.h).
[[nodiscard]] Result<const LockPolicyRow*> realPolicyOf(const LockUse& use,
                                                        const LockPolicyRow& runPolicy);

/// Whether the workload can run on real threads of `cpus` under `policy`, rights apart: the first
/// thing in the way, with its remedy.
[[nodiscard]] Result<void> checkRealThreadsCanRun(const WorkloadSpec& spec,
                                                  const LockPolicyRow& policy, const CpuPlan& cpus);

} // namespace inversight
