// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/bus/bus_backends.h"

#include "core/bus/sim_i2c.h"
#include "core/bus/sim_spi.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace inversight {

std::span<const BusBackendRow> busBackends() {
    static constexpr auto backends = std::to_array<BusBackendRow>({
        {.name = "sim-i2c",
         .text = "simulated i2c: CPU cost, a sleep of the exact wire time, CPU cost",
         .ownLock = false,
         .open = openSimI2c},
        {.name = "sim-spi",
         .text = "simulated spi: spidev, core and driver; pump, interrupt thread, DMA, allocation",
         .ownLock = false,
         .open = openSimSpi},
    });
    return backends;
}

Result<const BusBackendRow*> findBusBackend(std::string_view name) {
    const auto backends = busBackends();
    const auto found = std::ranges::find(backends, name, &BusBackendRow::name);
    if (found != backends.end())
        return &*found;
    std::vector<std::string_view> names;
    for (const BusBackendRow& row : backends)
        names.push_back(row.name);
    return std::unexpected(Error{ErrorCode::NotFound,
                                 fmt::format("no bus backend is called \"{}\"", name), "",
                                 fmt::format("backends: {}", fmt::join(names, ", "))});
}

} // namespace inversight
