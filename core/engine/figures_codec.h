// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/engine/thread_figures.h"

#include <string>
#include <string_view>

namespace inversight {

/// A worker's figures as text, from its process to the engine's; both are the same program.
[[nodiscard]] std::string encodeFigures(const ThreadFigures& figures);

/// Corrupt if the text is cut short or something else.
[[nodiscard]] Result<ThreadFigures> decodeFigures(std::string_view text);

} // namespace inversight
