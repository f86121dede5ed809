// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/model_lock.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace inversight {

namespace {

// Since 5.15 every non-real-time waiter of an rt_mutex counts as nice 0 (kernel/locking/rtmutex.c,
// __waiter_prio); a futex' list has no more than one fair level either (kernel/futex/core.c).
constexpr std::int32_t kFairLevel = 120;
constexpr std::int32_t kFirstFairPrio = 100;

} // namespace

Urgency ModelLock::keyOf(TaskId task, const ModelView& view) const {
    if (rules_.order == ModelRules::Order::Fifo)
        return {};
    Urgency key = view.urgency(task);
    if (rules_.order == ModelRules::Order::Priority && key.prio >= kFirstFairPrio)
        key.prio = kFairLevel;
    return key;
}

const ModelLock::Entry* ModelLock::firstListed() const {
    const auto first = std::ranges::find(waiters_, true, &Entry::listed);
    return first == waiters_.end() ? nullptr : &*first;
}

ModelLock::Entry* ModelLock::find(TaskId task) {
    const auto found = std::ranges::find(waiters_, task, &Entry::task);
    return found == waiters_.end() ? nullptr : &*found;
}

bool ModelLock::mayTake(TaskId task, const ModelView& view) const {
    if (owner_.valid())
        return owner_ == task; // handed over
    if (rules_.grant == ModelRules::Grant::LateHandoff)
        return !promised_.valid() || promised_ == task;
    if (rules_.grant == ModelRules::Grant::Barge)
        return true;
    const Entry* first = firstListed();
    return !first || first->task == task || keyOf(task, view) < first->key;
}

bool ModelLock::shouldSpin(TaskId task, const ModelView& view) const {
    using Spinning = ModelRules::Spinning;
    if (rules_.spinning == Spinning::Never)
        return false;
    if (rules_.spinning == Spinning::Always)
        return true;
    if (!owner_.valid() || !view.onCpu(owner_))
        return false;
    const Entry* first = firstListed();
    if (first && first->task == task)
        return true;
    const auto own = std::ranges::find(waiters_, task, &Entry::task);
    return rules_.spinning == Spinning::WhileOwnerRuns && (own == waiters_.end() || !own->listed);
}

void ModelLock::insert(Entry entry) {
    // Behind all of its own key: ties are served in order of arrival.
    const auto place = std::ranges::upper_bound(waiters_, entry.key, {}, &Entry::key);
    waiters_.insert(place, entry);
    spinning_ += entry.spinning ? 1 : 0;
}

void ModelLock::erase(TaskId task) {
    if (const Entry* entry = find(task)) {
        spinning_ -= entry->spinning ? 1 : 0;
        waiters_.erase(waiters_.begin() + (entry - waiters_.data()));
    }
}

void ModelLock::take(TaskId task) {
    erase(task);
    owner_ = task;
    if (promised_ == task)
        promised_ = {};
}

ModelOutcome ModelLock::attempt(TaskId task, const ModelView& view, bool again) {
    if (mayTake(task, view)) {
        take(task);
        return ModelOutcome::Taken;
    }
    const Entry* before = find(task);
    const bool waitedInList = before && before->listed;
    if (!before) // queued first, because only the first in line may spin under some rules
        insert({task, keyOf(task, view), false,
                rules_.spinning != ModelRules::Spinning::WhileOwnerRuns});
    if (!shouldSpin(task, view)) {
        stopSpinning(task, view);
        if (again && waitedInList && rules_.grant == ModelRules::Grant::LateHandoff &&
            firstListed()->task == task)
            promised_ = task;
        return ModelOutcome::Sleep;
    }
    Entry& entry = *find(task);
    spinning_ += entry.spinning ? 0 : 1;
    entry.spinning = true;
    return ModelOutcome::Spin;
}

void ModelLock::stopSpinning(TaskId task, const ModelView& view) {
    Entry& entry = *find(task);
    if (!entry.listed) { // to the end of the list
        erase(task);
        insert({task, keyOf(task, view), false, true});
        return;
    }
    spinning_ -= entry.spinning ? 1 : 0;
    entry.spinning = false;
}

bool ModelLock::tryTake(TaskId task, const ModelView& view) {
    if (!mayTake(task, view))
        return false;
    take(task);
    return true;
}

TaskId ModelLock::release([[maybe_unused]] const ModelView& view) {
    assert(owner_.valid() && "released without an owner");
    owner_ = {};
    const Entry* first = firstListed();
    if (!first)
        return {};
    const TaskId next = first->task;
    const bool sleeps = !first->spinning;
    if (rules_.grant == ModelRules::Grant::Handoff || promised_ == next)
        owner_ = next;
    if (!rules_.keepsPlace && sleeps)
        erase(next);
    return sleeps ? next : TaskId{};
}

void ModelLock::requeue(TaskId task, const ModelView& view) {
    const Entry* entry = find(task);
    if (!entry || entry->key == keyOf(task, view))
        return;
    Entry moved = *entry;
    moved.key = keyOf(task, view);
    erase(task);
    insert(moved);
}

TaskId ModelLock::donor() const {
    if (rules_.inheritance == ModelRules::Inheritance::None || waiters_.empty())
        return {};
    const Entry& first = waiters_.front();
    if (rules_.inheritance == ModelRules::Inheritance::WhenSleeping && first.spinning)
        return {};
    return first.task;
}

void ModelLock::appendSpinners(std::vector<TaskId>& to) const {
    for (const Entry& entry : waiters_) {
        if (entry.spinning)
            to.push_back(entry.task);
    }
}

} // namespace inversight
