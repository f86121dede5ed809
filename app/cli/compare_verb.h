// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/verb.h"

namespace inversight {

/// `inversight compare A B...`: how runs differ, and how sure that is. A and the others are trace
/// files or folders of them.
VerbAction setupCompare(CLI::App& app, const Invocation& invocation);

} // namespace inversight
