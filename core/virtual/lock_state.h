// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/model_lock.h"
#include "core/workload/workload_spec.h"

#include <cstdint>
#include <memory>
#include <string>

namespace inversight {

/// A lock of the run: the policy's model, how it shows itself in the trace, and what came of it.
struct LockState {
    std::unique_ptr<ModelLock> model;
    std::string name;
    std::string policy;
    LockEventKinds events = LockEventKinds::Futex;
    std::uint64_t futexAddress = 0;  ///< of the word in user space
    std::uint64_t kernelAddress = 0; ///< in contention events
    Urgency ceiling;                 ///< of its users; only where the rules ask for one

    std::uint64_t cookie = 0; ///< of the hold under way
    std::uint64_t acquiredCount = 0;
    std::uint64_t contendedCount = 0;     ///< acquisitions that had to wait
    std::uint64_t boostsAvoidedCount = 0; ///< waits that were spun through without a boost
    std::int64_t spinNs = 0;
    std::int64_t maxWaitNs = 0;

    [[nodiscard]] bool inherits() const {
        return model->rules().inheritance != ModelRules::Inheritance::None;
    }
    [[nodiscard]] bool hasCeiling() const { return model->rules().ceiling; }
    [[nodiscard]] bool spinsAlways() const {
        return model->rules().spinning == ModelRules::Spinning::Always;
    }
    [[nodiscard]] bool emitsFutex() const {
        return !spinsAlways() &&
               (events == LockEventKinds::Futex || events == LockEventKinds::Both);
    }
    [[nodiscard]] bool emitsContention() const {
        return events == LockEventKinds::Contention || events == LockEventKinds::Both;
    }
};

} // namespace inversight
