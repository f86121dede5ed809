// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/strong_id.h"

#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

/// A lock policy in virtual time: who gets the lock, who sleeps, who spins, who lends its priority.
/// When a thread sleeps, runs or is boosted is the virtual engine's business (core/virtual).
namespace inversight {

/// A thread of the model by its number in the scenario.
using TaskId = StrongId<struct TaskIdTag>;

/// How urgent a thread is: the kernel's priority, lower first (-1 DEADLINE, 0..98 RT, 100..139
/// fair), and among DEADLINE threads the earlier deadline.
struct Urgency {
    std::int32_t prio = 139;
    std::int64_t deadlineNs = 0; ///< 0 unless prio is -1
    auto operator<=>(const Urgency&) const = default;
};

/// What a model lock may ask about the threads.
class ModelView {
public:
    virtual ~ModelView() = default;
    /// Effective: inheritance and ceilings included.
    [[nodiscard]] virtual Urgency urgency(TaskId task) const = 0;
    [[nodiscard]] virtual bool onCpu(TaskId task) const = 0;
};

/// What an attempt to take a lock comes to.
enum class ModelOutcome {
    Taken,
    Sleep, ///< the thread is queued: it sleeps until it is woken, then tries again
    Spin,  ///< the thread stays on its CPU and tries again when the lock or its owner changes
};

/// What a policy does; the whole difference between the policies of the table.
struct ModelRules {
    enum class Order {
        Fifo,
        Priority,     ///< RT and DEADLINE by priority, all fair threads equal; ties FIFO
        NicePriority, ///< fair threads by nice, too
    };
    enum class Grant {
        Barge,          ///< freed, the first waiter is woken; whoever comes first has it
        StrictlyHigher, ///< freed for the first waiter; only a higher thread may take it before
        Handoff,        ///< owned by the first waiter from the release on
        LateHandoff,    ///< Barge, until a woken first waiter has failed once: then Handoff
    };
    enum class Spinning {
        Never,
        WhileOwnerRuns,      ///< newcomers and the first waiter, while the owner is on a CPU
        FirstWhileOwnerRuns, ///< the first waiter only
        Always,
    };
    enum class Inheritance {
        None,
        AtOnce,      ///< the first waiter lends its priority from its request on
        WhenSleeping ///< ... from when it goes to sleep on
    };
    Order order = Order::Fifo;
    Grant grant = Grant::Barge;
    Spinning spinning = Spinning::Never;
    Inheritance inheritance = Inheritance::None;
    bool keepsPlace = true;   ///< a woken waiter that fails sleeps on in its place
    bool ceiling = false;     ///< the owner runs at the highest priority of all its users
    bool kernelMutex = false; ///< its contention events carry the flag MUTEX
};

/// One lock of the model. Thread-bound; allocates nothing once as many threads have waited as ever
/// will.
class ModelLock {
public:
    explicit ModelLock(const ModelRules& rules) : rules_(rules) {}

    [[nodiscard]] const ModelRules& rules() const { return rules_; }
    [[nodiscard]] TaskId owner() const { return owner_; }
    /// Nobody owns it, and nobody has a claim on it.
    [[nodiscard]] bool free() const { return !owner_.valid() && waiters_.empty(); }
    [[nodiscard]] bool hasWaiters() const { return !waiters_.empty(); }

    /// The first attempt of a thread, or another one after it was woken or spun (`again`).
    [[nodiscard]] ModelOutcome attempt(TaskId task, const ModelView& view, bool again);
    /// A spinner loses its CPU: it becomes a sleeper in its place.
    void stopSpinning(TaskId task, const ModelView& view);
    /// Takes it if attempt() would; leaves no trace otherwise.
    [[nodiscard]] bool tryTake(TaskId task, const ModelView& view);
    /// The owner lets go. The sleeper to be woken, or none.
    [[nodiscard]] TaskId release(const ModelView& view);
    /// The waiter's urgency has changed: it takes its new place at once.
    void requeue(TaskId task, const ModelView& view);

    /// The waiter that lends its urgency to the owner, or none.
    [[nodiscard]] TaskId donor() const;
    /// The spinning threads, first in line first.
    void appendSpinners(std::vector<TaskId>& to) const;
    [[nodiscard]] bool hasSpinners() const { return spinning_ > 0; }

private:
    struct Entry {
        TaskId task;
        Urgency key;
        bool spinning = false;
        bool listed = true; ///< false: a spinner in front of the list, which wakes nobody
    };

    [[nodiscard]] Urgency keyOf(TaskId task, const ModelView& view) const;
    [[nodiscard]] bool mayTake(TaskId task, const ModelView& view) const;
    [[nodiscard]] bool shouldSpin(TaskId task, const ModelView& view) const;
    [[nodiscard]] const Entry* firstListed() const;
    [[nodiscard]] Entry* find(TaskId task);
    void insert(Entry entry);
    void erase(TaskId task);
    void take(TaskId task);

    ModelRules rules_;
    TaskId owner_;
    TaskId promised_;            ///< LateHandoff: the first waiter, once it has failed
    std::vector<Entry> waiters_; ///< in order
    std::uint32_t spinning_ = 0;
};

} // namespace inversight
