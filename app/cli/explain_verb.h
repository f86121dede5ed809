// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/verb.h"

namespace inversight {

/// `inversight explain FILE`: the worst inversions as sentences.
VerbAction setupExplain(CLI::App& app, const Invocation& invocation);

} // namespace inversight
