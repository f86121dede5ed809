// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/bus/bus_backend.h"
#include "core/event/marker.h"
#include "core/lock/wait_graph.h"
#include "core/workload/workload_spec.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace inversight {

/// A lock of the run.
struct RunLock {
    std::string policy; ///< its own, or the run's
    std::unique_ptr<WatchedLock> lock;
};

/// A bus of the run; its lock is one of the run's locks.
struct RunBus {
    std::string name;
    WatchedLock* lock = nullptr;
    std::unique_ptr<BusBackend> backend;
};

/// What the workers of a run share to work with. Locks live in memory that processes forked later
/// share; a bus is used under its lock.
class RunResources {
public:
    /// The locks and buses of `spec`, each lock under its own policy or else `policy`. An error
    /// for what does not exist, and for a layout that the policy refuses (lock_users.h).
    [[nodiscard]] static Result<RunResources> open(const WorkloadSpec& spec,
                                                   const LockPolicyRow& policy, LockScope scope);

    /// Names a validated spec's own.
    [[nodiscard]] WatchedLock& lock(std::string_view name) const;
    [[nodiscard]] RunBus& bus(std::string_view name);
    /// The scenario's, then the buses'.
    [[nodiscard]] const std::vector<RunLock>& locks() const { return locks_; }

    /// Ties the names of the locks to the addresses that kernel events of process `tgid` show.
    void announce(std::int32_t tgid, MarkerSink& markers) const;

private:
    std::vector<RunLock> locks_;
    std::vector<RunBus> buses_;
};

} // namespace inversight
