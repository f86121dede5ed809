// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/workload/workload_spec.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string_view>

/// What a transfer runs on. Each backend is one file pair and one row of bus_backends.cpp.
namespace inversight {

/// CLOCK_MONOTONIC times of one transfer, ns.
struct TransferTiming {
    std::int64_t wireBeginNs = 0;
    std::int64_t wireEndNs = 0;
    std::int64_t endNs = 0; ///< after the CPU cost behind the wire
};

/// One open bus. `transfer` is called with the bus lock held (where the lock is ours to choose), by
/// one thread at a time. Thread-bound.
class BusBackend {
public:
    virtual ~BusBackend() = default;
    [[nodiscard]] virtual Result<TransferTiming> transfer(I2cOperation operation) = 0;
};

/// A row of the backend table.
struct BusBackendRow {
    std::string_view name;
    std::string_view text; ///< one line for `list buses`
    bool ownLock = false;  ///< true: the backend brings its own lock, policy `kernel` only
    Result<std::unique_ptr<BusBackend>> (*open)(const BusSpec& spec) = nullptr;
};

} // namespace inversight
