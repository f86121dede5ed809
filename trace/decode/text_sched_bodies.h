// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/text_bodies.h"

#include <string_view>

/// The readers of the scheduler's events, in both styles; see TextBodyReader.
namespace inversight {

[[nodiscard]] bool readSwitch(std::string_view text, TextBodyContext& context);
[[nodiscard]] bool readWaking(std::string_view text, TextBodyContext& context);
[[nodiscard]] bool readWakeup(std::string_view text, TextBodyContext& context);
[[nodiscard]] bool readWakeupNew(std::string_view text, TextBodyContext& context);
[[nodiscard]] bool readPiSetprio(std::string_view text, TextBodyContext& context);
[[nodiscard]] bool readFork(std::string_view text, TextBodyContext& context);
[[nodiscard]] bool readExit(std::string_view text, TextBodyContext& context);
[[nodiscard]] bool readMigrate(std::string_view text, TextBodyContext& context);

} // namespace inversight
