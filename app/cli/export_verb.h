// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/verb.h"

namespace inversight {

/// `inversight export FILE --to FORMAT -o OUT`: the events of a trace in another format.
[[nodiscard]] VerbAction setupExport(CLI::App& app, const Invocation& invocation);

} // namespace inversight
