// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/workload/json_reader.h"
#include "core/workload/workload_spec.h"

#include <vector>

namespace inversight {

/// "class" and what belongs to it; a member of another class is an error.
[[nodiscard]] Result<Scheduling> readScheduling(ObjectReader& reader);

/// "affinity": CPUs of the scenario, each once; empty if the member is missing.
[[nodiscard]] Result<std::vector<int>> readCpus(ObjectReader& reader, const WorkloadSpec& spec);

} // namespace inversight
