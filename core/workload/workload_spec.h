// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

/// What a run does, validated and immutable: the one description that the real and the virtual
/// engine both execute. Made from a scenario document by parseScenario (scenario.h).
namespace inversight {

enum class SchedulingClass { Other, Fifo, RoundRobin };

/// A thread's base scheduling parameters, in user space's terms.
struct Scheduling {
    SchedulingClass schedulingClass = SchedulingClass::Other;
    std::int32_t nice = 0;     ///< -20..19, class Other only
    std::int32_t priority = 0; ///< 1..99, RT classes only
    bool operator==(const Scheduling&) const = default;

    /// "FIFO 99", "RR 10", "nice -5".
    [[nodiscard]] std::string text() const;
    /// 0..139 as the kernel prints it.
    [[nodiscard]] std::int32_t kernelPriority() const;
};

enum class I2cOperation {
    Quick,
    SendByte,
    ReceiveByte,
    ReadByteData,
    WriteByteData,
    ReadWordData,
    WriteWordData,
};

/// Use the CPU for this long.
struct RunStep {
    std::chrono::nanoseconds duration{0};
};
/// Sleep; `skipLast` leaves it out after the last loop (the 2009 program's FIFO worker).
struct SleepStep {
    std::chrono::nanoseconds duration{0};
    bool skipLast = false;
};
/// One bus operation: take the bus lock, transfer, let go. This is what latency is measured of.
struct TransferStep {
    std::string bus;
    I2cOperation operation = I2cOperation::ReadByteData;
};

using Step = std::variant<RunStep, SleepStep, TransferStep>;

struct ThreadSpec {
    std::string name; ///< at most 15 bytes: the kernel's comm
    Scheduling scheduling;
    std::uint64_t loops = 1;
    std::vector<Step> body;
};

/// A bus of the scenario, by the name of its backend (core/bus/bus_backends.h).
struct BusSpec {
    std::string name; ///< "i2c-2"
    std::string backend;
    std::uint32_t clockHz = 100'000;
    std::chrono::nanoseconds cpuBefore{0}; ///< CPU cost inside the lock, before the wire
    std::chrono::nanoseconds cpuAfter{0};  ///< ... and after it
    std::uint8_t slaveAddress = 0x4b;

    /// "i2c-2 bus lock": the name of its lock in markers, tables and pictures.
    [[nodiscard]] std::string lockName() const { return name + " bus lock"; }
};

struct WorkloadSpec {
    std::string name;
    std::string description;
    std::string source;
    std::vector<BusSpec> buses;
    std::vector<ThreadSpec> threads; ///< all pinned to one CPU that the engine chooses

    [[nodiscard]] const BusSpec* findBus(const std::string& busName) const;
    /// Transfers of all threads over the whole run.
    [[nodiscard]] std::uint64_t totalOperations() const;
};

} // namespace inversight
