// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <string>
#include <vector>

namespace inversight {

/// The whole program: parses `argv`, runs a verb or becomes the window program, and prints errors
/// as one line on standard error, "inversight: what (where); remedy". Returns the exit status
/// (ExitCode in verb.h).
[[nodiscard]] int runCommandLine(const std::vector<std::string>& argv);

} // namespace inversight
