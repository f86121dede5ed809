// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/workload/workload_spec.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inversight {

/// A lock of a workload and the threads that use it. Points into the spec.
struct LockUse {
    std::string lock;                  ///< its name
    std::optional<std::string> policy; ///< its own, whatever the run's is
    std::vector<const ThreadSpec*> users;

    /// The highest RT priority 1..99 of its users; 1 if none is of class FIFO or RR.
    [[nodiscard]] std::int32_t ceiling() const;
};

/// The scenario's locks, then the buses', in the spec's order.
[[nodiscard]] std::vector<LockUse> lockUses(const WorkloadSpec& spec);

/// What a policy demands of the users of its locks.
struct LockDemands {
    std::string_view policy; ///< its name, for words
    bool realTimeOnly = false;
    bool busyWaits = false;
};

/// InvalidArgument, naming the threads: a user that is no FIFO or RR thread where only these may
/// be; or a real-time user that could busy-wait for ever on a CPU that the owner needs to let go.
[[nodiscard]] Result<void> checkLayout(const LockUse& use, const LockDemands& demands);

} // namespace inversight
