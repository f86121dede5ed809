// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <optional>
#include <sched.h>
#include <vector>

namespace inversight {

/// Keeps the calling thread (and threads it makes meanwhile) on `cpus` until destroyed: a run's
/// main thread must not disturb the workers' CPU. Thread-bound.
class AffinityScope {
public:
    /// `cpus` must not be empty.
    [[nodiscard]] static Result<AffinityScope> pinTo(const std::vector<int>& cpus);
    AffinityScope(AffinityScope&& other) noexcept;
    AffinityScope& operator=(AffinityScope&&) = delete;
    ~AffinityScope();

private:
    explicit AffinityScope(const cpu_set_t& previous) : previous_(previous) {}
    std::optional<cpu_set_t> previous_;
};

} // namespace inversight
