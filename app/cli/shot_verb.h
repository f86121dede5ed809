// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/verb.h"

namespace inversight {

/// `inversight shot FILE -o PNG`: the window program draws; this verb finds and starts it.
[[nodiscard]] VerbAction setupShot(CLI::App& app, const Invocation& invocation);

} // namespace inversight
