// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/verb.h"

namespace inversight {

/// `inversight list [KIND]`: the tables of the program.
[[nodiscard]] VerbAction setupList(CLI::App& app, const Invocation& invocation);

} // namespace inversight
