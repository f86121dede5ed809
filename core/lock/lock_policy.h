// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The locks under study. Each policy is one file pair and one row of lock_policies.cpp.
namespace inversight {

/// One thread as a lock sees it. The caller owns it and keeps it for the thread's life; a policy
/// may use it only between acquire and release. Queues keep their own futex words, because a
/// releasing thread may still be about to wake a waiter that has left and ended in the meantime.
struct Waiter {
    std::int32_t tid = 0;  ///< gettid() of the thread
    std::string name = {}; ///< for a Deadlock's cycle
};

struct Acquired {};
struct WouldBlock {};
struct Interrupted {};
/// The wait would close a cycle; names in order, the caller first, where known.
struct Deadlock {
    std::vector<std::string> cycle;
};
struct NotPermitted {
    Error error;
};
using AcquireOutcome = std::variant<Acquired, WouldBlock, Interrupted, Deadlock, NotPermitted>;

/// One lock. Thread-safe by nature.
///
/// Blocking waits are timed (at most kWaitSlice each), so that a stop request always wins. Every
/// wait that ends with Acquired must be followed by exactly one release by the same thread.
class LockPolicy {
public:
    static constexpr std::int64_t kWaitSliceNs = 100'000'000;

    LockPolicy() = default;
    LockPolicy(const LockPolicy&) = delete;
    LockPolicy& operator=(const LockPolicy&) = delete;
    virtual ~LockPolicy() = default;

    /// Waits until the lock is owned, `stop` is requested (Interrupted) or it cannot ever be owned.
    [[nodiscard]] virtual AcquireOutcome acquire(Waiter& waiter, std::stop_token stop) = 0;
    /// Acquired or WouldBlock, without waiting.
    [[nodiscard]] virtual AcquireOutcome tryAcquire(Waiter& waiter) = 0;
    virtual void release(Waiter& waiter) = 0;

    /// The address that futex events of this lock show: the word for a shared-word lock; 0 where
    /// the policy has no single word.
    [[nodiscard]] virtual std::uint64_t futexAddress() const = 0;
};

class ModelLock; // the policy in virtual time (model_lock.h)

/// What a policy promises; tests and refusals read it.
struct LockTraits {
    bool priorityInheritance = false;
    bool fifoOrder = false;
    bool realTimeOnly = false; ///< fair threads may not use it
    bool busyWaits = false;    ///< a real-time waiter on its owner's CPU would wait for ever
};

/// A row of the policy table.
struct LockPolicyRow {
    std::string_view name;
    std::string_view text;                               ///< one line for `list policies`
    std::unique_ptr<LockPolicy> (*makeReal)() = nullptr; ///< null: virtual time only
    std::unique_ptr<ModelLock> (*makeModel)() = nullptr; ///< null: real threads only
    LockTraits traits;
};

} // namespace inversight
