// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/workload/time_distribution.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What a run does, validated and immutable: the one description that the real and the virtual
/// engine both execute. Made from a scenario document by parseScenario (scenario.h).
namespace inversight {

enum class SchedulingClass { Other, Fifo, RoundRobin, Deadline };

/// "other", "fifo", "rr", "deadline": in scenarios, manifests and documents.
[[nodiscard]] const char* schedulingClassName(SchedulingClass schedulingClass);

/// A thread's base scheduling parameters, in user space's terms.
struct Scheduling {
    SchedulingClass schedulingClass = SchedulingClass::Other;
    std::int32_t nice = 0;     ///< -20..19, class Other only
    std::int32_t priority = 0; ///< 1..99, FIFO and RR only
    // Class Deadline only; 0 < runtime <= deadline <= period (sched_setattr(2)).
    std::chrono::nanoseconds runtime{0};
    std::chrono::nanoseconds deadline{0};
    std::chrono::nanoseconds period{0};
    bool operator==(const Scheduling&) const = default;

    /// "FIFO 99", "RR 10", "nice -5", "DEADLINE 2/10/10 ms".
    [[nodiscard]] std::string text() const;
    /// -1..139 as the kernel prints it.
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

/// A message on an SPI bus, one transfer of so many bytes.
struct SpiMessage {
    std::uint32_t bytes = 1;
    bool operator==(const SpiMessage&) const = default;
};

/// What a transfer moves.
using BusOperation = std::variant<I2cOperation, SpiMessage>;

/// Use the CPU for this long.
struct RunStep {
    TimeDistribution duration = {};
};
/// Sleep; `skipLast` leaves it out after the last loop (the 2009 program's FIFO worker).
struct SleepStep {
    TimeDistribution duration = {};
    bool skipLast = false;
};
/// Wait for a lock of the scenario.
struct LockStep {
    std::string lock;
};
/// Let go of the lock taken last: locks nest.
struct UnlockStep {
    std::string lock;
};
/// Take a lock if it is free; if not, count -EAGAIN and go on behind the matching unlock.
struct TryLockStep {
    std::string lock;
};
/// One bus operation: take the bus lock, transfer, let go. This is what latency is measured of.
struct TransferStep {
    std::string bus;
    BusOperation operation = I2cOperation::ReadByteData;
};
/// The job ends here and the next one begins at its planned release, at once if that has passed.
/// As the very last step of a thread it ends the last job and waits for nothing.
struct NextPeriodStep {};
/// A note in the trace.
struct MarkStep {
    std::string text;
};

/// What a helper of a bus does for it (HelperSpec).
enum class BusService {
    Pump,      ///< carries out queued messages
    Interrupt, ///< ends the wait for the wire
};
/// Of a helper thread only: serve the bus until every other thread has ended.
struct ServeStep {
    std::string bus;
    BusService service = BusService::Pump;
};

using Step = std::variant<RunStep, SleepStep, LockStep, UnlockStep, TryLockStep, TransferStep,
                          NextPeriodStep, MarkStep, ServeStep>;

/// One thread. Its jobs are what response times are measured of: with a period, from each planned
/// release (start + k periods) to the next_period step or the end; without, one per loop.
struct ThreadSpec {
    std::string name; ///< at most 15 bytes: the kernel's comm
    Scheduling scheduling;
    std::vector<int> cpus; ///< the scenario's CPUs it may use; empty = all
    TimeDistribution startOffset = {};
    std::uint64_t loops = 1; ///< 0 = as many as begin within `duration`
    /// No loop begins later than this after the common start.
    std::optional<std::chrono::nanoseconds> duration = {};
    std::chrono::nanoseconds period{0};   ///< 0 = no planned releases
    std::chrono::nanoseconds deadline{0}; ///< of a job, from its planned release; 0 = none
    std::vector<Step> body;               ///< locks are nested and balanced
    /// A load, or a helper of a bus: the run does not wait for it and tells nothing of it.
    bool background = false;

    /// Whether its body is one ServeStep.
    [[nodiscard]] bool isHelper() const;
};

/// Which kernel events a lock of the virtual engine emits around a wait.
enum class LockEventKinds { None, Futex, Contention, Both };

/// A lock of the scenario.
struct LockSpec {
    std::string name;
    LockEventKinds events = LockEventKinds::Futex;
    std::optional<std::string> policy = {}; ///< always this one, whatever the run's policy is
};

/// A kernel thread of a driver.
struct HelperSpec {
    std::string name;
    Scheduling scheduling;
    std::vector<int> cpus; ///< the scenario's CPUs it may use; empty = all
};

/// The way of a message through spidev, the SPI core and the controller's driver. Each part stands
/// for a change of 2014 and can be had as before and as after it.
struct SpiStack {
    // The wire: 8 bits a byte over the lanes, and what is between (struct spi_transfer).
    std::uint32_t lanes = 1;
    std::uint32_t bitsPerWord = 8;
    std::chrono::nanoseconds csSetup{0};
    std::chrono::nanoseconds csHold{0};
    std::chrono::nanoseconds wordDelay{0}; ///< between two words
    std::chrono::nanoseconds postDelay{0}; ///< behind the last one

    std::uint32_t bufferBytes = 4096; ///< spidev's bufsiz: no message may be longer
    bool allocatesPerIoctl = false;   ///< else when the device is opened
    TimeDistribution allocation = {}; ///< CPU time, in front of the lock

    /// The core's message pump, where messages do not go inline in their caller's context.
    std::optional<HelperSpec> pump = {};
    /// The controller's threaded interrupt handler; without it the interrupt wakes the waiter itself.
    std::optional<HelperSpec> interrupt = {};
    TimeDistribution interruptCost = {}; ///< CPU time of the threaded handler

    bool acquiresDmaPerMessage = false;       ///< else when the driver is probed
    TimeDistribution dmaAcquire = {};         ///< CPU time of one attempt
    std::uint32_t dmaBusyPpm = 0;             ///< attempts that find no channel, per million
    std::chrono::nanoseconds dmaRetry{10'000'000}; ///< sleep in front of the next attempt
};

/// A bus of the scenario, by the name of its backend (core/bus/bus_backends.h).
struct BusSpec {
    std::string name; ///< "i2c-2"
    std::string backend;
    std::uint32_t clockHz = 100'000;
    TimeDistribution cpuBefore = {}; ///< CPU cost inside the lock, before the wire
    TimeDistribution cpuAfter = {};  ///< ... and after it
    std::uint8_t slaveAddress = 0x4b;
    LockEventKinds lockEvents = LockEventKinds::Futex;
    std::optional<std::string> policy = {};        ///< of the bus lock, as LockSpec::policy
    std::optional<TimeDistribution> wireTime = {}; ///< in place of the formula's
    TimeDistribution stretch = {};                 ///< clock stretching: added to the wire time
    /// 0: an interrupt ends the wait for the wire. Else the driver looks every so often
    /// (i2c-nforce2: msleep).
    std::chrono::nanoseconds pollInterval{0};
    std::uint32_t nackPpm = 0;            ///< transfers the slave does not acknowledge, per million
    std::uint32_t arbitrationLossPpm = 0; ///< attempts lost to another master, per million
    /// Repetitions after a lost arbitration, all under one hold, begun within `timeout`.
    std::uint32_t retries = 0;
    std::chrono::nanoseconds timeout{1'000'000'000};
    std::optional<SpiStack> spi = {}; ///< set: an SPI bus, its messages are SpiMessages

    /// "i2c-2 bus lock": the name of its lock in markers, tables and pictures.
    [[nodiscard]] std::string lockName() const { return name + " bus lock"; }
};

/// The fair scheduler of the virtual engine: weights by nice (kernel/sched/core.c), the thread with
/// the least weighted run time next. The defaults are those of Linux 6.1 on one CPU; Linux 2.6.28
/// had latency 20 ms, granularity 4 ms, wake-up granularity 5 ms and a credit of 20 ms.
struct FairParameters {
    std::chrono::nanoseconds latency{6'000'000};      ///< all runnable threads run within it ...
    std::chrono::nanoseconds minGranularity{750'000}; ///< ... unless that gave each less than this
    std::chrono::nanoseconds wakeUpGranularity{1'000'000}; ///< lag at which a wake-up preempts
    std::chrono::nanoseconds sleeperCredit{
        3'000'000}; ///< a sleeper comes back at most so far ahead
};

/// What things cost in virtual time, of CPU. All 0 gives the theory's exact figures.
struct VirtualCosts {
    std::chrono::nanoseconds contextSwitch{0}; ///< before the next thread's first instruction
    std::chrono::nanoseconds wakeUp{0};        ///< of the woken thread, once it runs again
    std::chrono::nanoseconds lock{0};          ///< of each attempt to take and each release
    std::chrono::nanoseconds syscall{0};       ///< of each sleep, wait for a lock and transfer
    /// Not CPU time: a sleep step ends so much later than it should (a coarse timer).
    std::chrono::nanoseconds timerLate{0};
};

struct VirtualParameters {
    VirtualCosts costs;
    FairParameters fair;
    std::chrono::nanoseconds rrSlice{100'000'000}; ///< SCHED_RR's time slice
};

struct WorkloadSpec {
    std::string name;
    std::string description;
    std::string source;
    int cpuCount = 1; ///< real threads: that many CPUs of the engine's choice
    std::uint64_t seed = 0;
    VirtualParameters virtualTime;
    std::vector<LockSpec> locks;
    std::vector<BusSpec> buses;
    std::vector<ThreadSpec> threads;

    [[nodiscard]] const BusSpec* findBus(const std::string& busName) const;
    [[nodiscard]] const LockSpec* findLock(const std::string& lockName) const;
    /// Transfers of all threads over the whole run; threads that run for a duration are left out.
    [[nodiscard]] std::uint64_t totalOperations() const;
};

} // namespace inversight
