// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/engine/rt_environment.h"
#include "core/workload/workload_spec.h"

#include <string>
#include <vector>

namespace inversight {

/// What a person should know of a workload before its figures mislead: real-time priorities above
/// the kernel's interrupt threads, real-time load that would meet throttling, CPUs that the workers
/// do not leave to anybody else.
[[nodiscard]] std::vector<std::string>
layoutWarnings(const WorkloadSpec& spec, const RtEnvironment& environment, const CpuPlan& cpus);

/// The share of a CPU, 0..1, that a thread's body would use if nothing were in its way.
[[nodiscard]] double cpuShare(const ThreadSpec& thread, const WorkloadSpec& spec);

} // namespace inversight
