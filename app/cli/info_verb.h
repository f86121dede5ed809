// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/verb.h"

namespace inversight {

/// `inversight info FILE`: format, clock, CPUs, event counts, losses.
[[nodiscard]] VerbAction setupInfo(CLI::App& app, const Invocation& invocation);

} // namespace inversight
