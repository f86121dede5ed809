// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/workload/json_reader.h"
#include "core/workload/workload_spec.h"

#include <optional>
#include <string>

namespace inversight {

/// "lock_events" of a lock or a bus.
[[nodiscard]] Result<LockEventKinds> readLockEvents(ObjectReader& reader);

/// "policy" of a lock or a bus.
[[nodiscard]] Result<std::optional<std::string>> readPolicy(ObjectReader& reader);

/// One of "buses". `spec` knows the CPUs.
[[nodiscard]] Result<BusSpec> readBus(const Json& value, std::string path,
                                      const WorkloadSpec& spec);

} // namespace inversight
