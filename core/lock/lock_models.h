// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/model_lock.h"

/// The virtual halves of the policies in lock_policies.cpp.
namespace inversight {

/// The real half (mutex_2009.h) in virtual time: a FIFO list, the head woken in its place, no
/// handoff. Without the adaptive spin of 2.6.29 on several CPUs.
[[nodiscard]] std::unique_ptr<ModelLock> makeMutex2009Model();

/// The mutex of Linux 6.1 (kernel/locking/mutex.c): newcomers and the first waiter spin while the
/// owner is on a CPU; the first waiter that was woken and failed is handed the lock at the next
/// release. Spinners stand in arrival order (the MCS queue) and join the list when they give up.
[[nodiscard]] std::unique_ptr<ModelLock> makeMutexModel();

/// The rt_mutex of Linux 6.1 (kernel/locking/rtmutex.c): waiters by priority with all fair threads
/// equal, the first lends its priority to the owner and spins while the owner is on a CPU; a
/// released lock waits for the first waiter and may be stolen by a strictly higher thread only.
[[nodiscard]] std::unique_ptr<ModelLock> makeRtMutexModel();

/// The rt_mutex before Linux 5.15: nice levels order the fair waiters, too, and nobody spins.
[[nodiscard]] std::unique_ptr<ModelLock> makeRtMutexNiceModel();

/// The immediate priority ceiling: the owner runs at the highest priority of all threads that use
/// the lock, from the moment it has it (glibc raises a thread before it waits; the theory, and this
/// model, when it owns). Waiters, which exist where an owner may sleep, as those of a plain futex.
[[nodiscard]] std::unique_ptr<ModelLock> makeCeilingModel();

/// Gregory Haskins, libpi, August 2008: the first waiter spins while the owner is on a CPU and
/// lends its priority only when it goes to sleep; else as rt_mutex.
[[nodiscard]] std::unique_ptr<ModelLock> makeLateBoostModel();

/// Waiters by priority as in an rt_mutex, but nobody lends anything.
[[nodiscard]] std::unique_ptr<ModelLock> makePriorityQueueModel();

/// A ticket spin lock: every waiter spins and is served in order of arrival, even while it has no
/// CPU.
[[nodiscard]] std::unique_ptr<ModelLock> makeTicketModel();

/// A test-and-set spin lock: every waiter spins, and of those on a CPU the first to see it free has
/// it (in the model the one that has spun longest).
[[nodiscard]] std::unique_ptr<ModelLock> makeSpinModel();

/// glibc's default mutex on a plain futex: sleepers by real-time priority, fair ones in order of
/// arrival (kernel/futex/core.c); the first is woken and leaves the list, and one that comes too
/// late queues anew.
[[nodiscard]] std::unique_ptr<ModelLock> makePthreadModel();

} // namespace inversight
