// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/event/kernel_event.h"

#include <vector>

namespace inversight {

/// One event of every type, as an engine would emit them.
[[nodiscard]] std::vector<KernelEvent> oneOfEach();

} // namespace inversight
