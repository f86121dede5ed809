// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

/// Whose a tracefs instance is: `inversight-PID-STARTTIME`. The start time tells a living owner
/// from an unrelated process that was given the same number later.
namespace inversight {

struct InstanceOwner {
    pid_t pid = 0;
    std::uint64_t startTime = 0; ///< field 22 of /proc/PID/stat: clock ticks since boot
    bool operator==(const InstanceOwner&) const = default;
};

[[nodiscard]] std::string instanceName(const InstanceOwner& owner);
/// Nothing if the name is not exactly of our form: somebody else's instance.
[[nodiscard]] std::optional<InstanceOwner> parseInstanceName(std::string_view name);

/// NotFound when there is no such process.
[[nodiscard]] Result<std::uint64_t> processStartTime(pid_t pid);
[[nodiscard]] Result<InstanceOwner> thisProcess();

/// True only if the process is surely gone.
[[nodiscard]] bool ownerIsDead(const InstanceOwner& owner);

} // namespace inversight
