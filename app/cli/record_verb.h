// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/verb.h"

namespace inversight {

/// `inversight record -o FILE [-- COMMAND]`: the whole machine, until told to stop.
[[nodiscard]] VerbAction setupRecord(CLI::App& app, const Invocation& invocation);

} // namespace inversight
