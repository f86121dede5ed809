// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/verb.h"

namespace inversight {

/// `inversight run SCENARIO`: the scenario under each policy, recorded, analyzed and compared.
[[nodiscard]] VerbAction setupRun(CLI::App& app, const Invocation& invocation);

} // namespace inversight
