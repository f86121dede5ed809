// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/verb.h"

namespace inversight {

/// `inversight analyze FILE`: threads, states, boosts, waits, latencies.
[[nodiscard]] VerbAction setupAnalyze(CLI::App& app, const Invocation& invocation);

} // namespace inversight
