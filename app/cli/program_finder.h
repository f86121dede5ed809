// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace inversight {

/// The window program: beside this executable, else on PATH.
[[nodiscard]] Result<std::string> findWindowProgram();

/// Becomes the window program; returns only if that fails. `arguments` without the program name.
[[nodiscard]] Error execWindowProgram(const std::vector<std::string>& arguments);

} // namespace inversight
