// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/verb.h"

namespace inversight {

/// `inversight doctor`: the table of preconditions, probed on this machine.
[[nodiscard]] VerbAction setupDoctor(CLI::App& app, const Invocation& invocation);

} // namespace inversight
