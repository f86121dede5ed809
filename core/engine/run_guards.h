// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/unique_fd.h"

#include <string>
#include <vector>

#include <csignal>
#include <sched.h>

/// What a run changes in its process and on its machine, each undone by a destructor. All but
/// BlockedSignals and CallerPlacement are process-wide. A guard that could not do its work says so
/// in `warning()`, which is empty otherwise.
namespace inversight {

/// Locks the memory mapped at its making, so that no page fault falls into a measurement. Only what
/// is mapped now (MCL_CURRENT): with a limit of locked memory, MCL_FUTURE would let later
/// allocations of unrelated threads fail. Make it once the workers and their data exist.
class LockedMemory {
public:
    LockedMemory();
    ~LockedMemory();
    LockedMemory(const LockedMemory&) = delete;
    LockedMemory& operator=(const LockedMemory&) = delete;
    [[nodiscard]] const std::string& warning() const { return warning_; }

private:
    std::string warning_;
};

/// Keeps the CPUs out of deep idle states by holding /dev/cpu_dma_latency at 0: waking from one can
/// cost more than the bus operation.
class CpuLatencyRequest {
public:
    CpuLatencyRequest();
    [[nodiscard]] const std::string& warning() const { return warning_; }

private:
    UniqueFd fd_;
    std::string warning_;
};

/// Keeps the calling thread on `cpus`, and puts it back.
class CallerPlacement {
public:
    explicit CallerPlacement(const std::vector<int>& cpus);
    ~CallerPlacement();
    CallerPlacement(const CallerPlacement&) = delete;
    CallerPlacement& operator=(const CallerPlacement&) = delete;
    [[nodiscard]] const std::string& warning() const { return warning_; }

private:
    cpu_set_t previous_;
    bool moved_ = false;
    std::string warning_;
};

/// Blocks all signals in the calling thread; threads made meanwhile inherit that for good, so that
/// SIGINT and SIGTERM always go to the thread that handles them.
class BlockedSignals {
public:
    BlockedSignals();
    ~BlockedSignals();
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

private:
    sigset_t previous_;
};

} // namespace inversight
