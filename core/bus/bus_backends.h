// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/bus/bus_backend.h"

#include <span>
#include <string_view>

namespace inversight {

[[nodiscard]] std::span<const BusBackendRow> busBackends();

/// NotFound lists the names.
[[nodiscard]] Result<const BusBackendRow*> findBusBackend(std::string_view name);

} // namespace inversight
