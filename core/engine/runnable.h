// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/workload/workload_spec.h"

namespace inversight {

/// Unsupported, naming the part, if the workload asks for something that exists in virtual time
/// only.
[[nodiscard]] Result<void> checkRealThreadsCanRun(const WorkloadSpec& spec);

} // namespace inversight
