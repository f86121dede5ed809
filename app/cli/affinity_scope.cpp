// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/affinity_scope.h"

#include <cassert>
#include <cerrno>
#include <utility>

namespace inversight {

Result<AffinityScope> AffinityScope::pinTo(const std::vector<int>& cpus) {
    assert(!cpus.empty());
    cpu_set_t previous;
    if (sched_getaffinity(0, sizeof previous, &previous) != 0)
        return std::unexpected(Error::fromErrno(errno, "cannot read this thread's CPU affinity"));
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    for (const int cpu : cpus)
        CPU_SET(cpu, &wanted);
    if (sched_setaffinity(0, sizeof wanted, &wanted) != 0)
        return std::unexpected(
            Error::fromErrno(errno, "cannot keep the main thread off the workers' CPU"));
    return AffinityScope(previous);
}

AffinityScope::AffinityScope(AffinityScope&& other) noexcept
    : previous_(std::exchange(other.previous_, std::nullopt)) {}

AffinityScope::~AffinityScope() {
    if (previous_)
        sched_setaffinity(0, sizeof *previous_, &*previous_);
}

} // namespace inversight
