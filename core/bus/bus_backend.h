// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/workload/time_distribution.h"
#include "core/workload/workload_spec.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string_view>

/// What a transfer runs on. Each backend is one file pair and one row of bus_backends.cpp.
namespace inversight {

/// How a transfer ended.
enum class TransferFault {
    None,
    Nack,            ///< the slave did not acknowledge
    ArbitrationLost, ///< to another master, in every attempt
    Stopped,         ///< the caller's stop request came during the wire time
};

/// CLOCK_MONOTONIC times of one transfer, ns; with several attempts, the first one's begin and the
/// last one's end.
struct TransferTiming {
    std::int64_t wireBeginNs = 0;
    std::int64_t wireEndNs = 0;
    std::int64_t endNs = 0; ///< after the CPU cost behind the wire
    TransferFault fault = TransferFault::None;
};

/// The thread that transfers, as a backend sees it.
class TransferCaller {
public:
    virtual ~TransferCaller() = default;
    /// Of this thread alone; times and faults are drawn from it.
    [[nodiscard]] virtual RandomSource& random() = 0;
    /// Around the time in which the thread sleeps until the wire is done.
    virtual void wireBegins() {}
    virtual void wireEnds() {}
    [[nodiscard]] virtual bool stopRequested() const { return false; }
};

/// One open bus. `transfer` is called with the bus lock held (where the lock is ours to choose), by
/// one thread at a time. Thread-bound.
class BusBackend {
public:
    virtual ~BusBackend() = default;
    /// What a transfer does before it asks for the lock.
    virtual void prepare(TransferCaller& /*caller*/) {}
    /// A fault of the bus is a result; an error is one of the machine.
    [[nodiscard]] virtual Result<TransferTiming> transfer(const BusOperation& operation,
                                                          TransferCaller& caller) = 0;
    /// In a helper's thread, beside transfers of others: until `caller` is asked to stop.
    [[nodiscard]] virtual Result<void> serve(BusService service, TransferCaller& caller);
};

/// Sleeps until `endNs`, in slices that look at the stop request. False if it was made.
[[nodiscard]] bool sleepUntilOrStopped(std::int64_t endNs, const TransferCaller& caller);

/// A row of the backend table.
struct BusBackendRow {
    std::string_view name;
    std::string_view text; ///< one line for `list buses`
    bool ownLock = false;  ///< true: the backend brings its own lock, policy `kernel` only
    Result<std::unique_ptr<BusBackend>> (*open)(const BusSpec& spec) = nullptr;
};

} // namespace inversight
