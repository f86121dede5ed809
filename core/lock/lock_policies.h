// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/lock_policy.h"

#include <span>
#include <string_view>

namespace inversight {

/// The table of policies; the command line, contract tests and documentation iterate it.
[[nodiscard]] std::span<const LockPolicyRow> lockPolicies();

/// NotFound lists the names.
[[nodiscard]] Result<const LockPolicyRow*> findLockPolicy(std::string_view name);

} // namespace inversight
