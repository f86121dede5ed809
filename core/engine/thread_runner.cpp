// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/thread_runner.h"

#include "core/bus/thread_clock.h"

#include <algorithm>
#include <utility>

namespace inversight {

namespace {

// Long sleeps and computations look at the stop token this often.
constexpr std::int64_t kStopSliceNs = 50'000'000;

} // namespace

ThreadRunner::ThreadRunner(const ThreadSpec& spec, std::vector<BodyStep> body,
                           WaitingThread& thread, RandomSource random, RunnerContext context)
    : spec_(spec), body_(std::move(body)), thread_(thread), random_(random),
      context_(std::move(context)) {
    held_.reserve(body_.size() + 1);
}

void ThreadRunner::run(std::int64_t startNs) {
    startNs_ = startNs;
    firstReleaseNs_ = startNs + spec_.startOffset.draw(random_).count();
    if (sleepOrStop(firstReleaseNs_)) {
        beginJob(firstReleaseNs_);
        figures_.finishedAllLoops = runLoops();
    }
    while (!held_.empty())
        releaseLast();
    figures_.endNs = monotonicNs();
}

bool ThreadRunner::runLoops() {
    for (;;) {
        place_ = 0;
        const Next next = runBody();
        if (next != Next::Loop)
            return next == Next::End;
    }
}

ThreadRunner::Next ThreadRunner::runBody() {
    while (place_ < body_.size()) {
        if (stopRequested())
            return Next::Stopped;
        const BodyStep& step = body_[place_++];
        const Next next = std::visit([this](const auto& what) { return perform(what); }, step);
        context_.gauges.steps.fetch_add(1, std::memory_order_relaxed);
        if (next != Next::Step)
            return next;
    }
    return endLoop();
}

ThreadRunner::Next ThreadRunner::endLoop() {
    const std::int64_t now = monotonicNs();
    const bool periodic = spec_.period.count() > 0;
    const bool ends = over(now);
    if (!periodic || ends)
        endJob();
    if (ends)
        return Next::End;
    ++loop_;
    if (!periodic)
        beginJob(now);
    return Next::Loop;
}

void ThreadRunner::beginJob(std::int64_t plannedNs) {
    plannedNs_ = plannedNs;
    jobOpen_ = true;
    firstOfJob_ = true;
    // Loops without a period would only repeat what their markers say.
    if (job_ == 0 || spec_.period.count() > 0)
        mark(Release{job_, plannedNs});
    ++job_;
}

void ThreadRunner::endJob() {
    if (!std::exchange(jobOpen_, false))
        return;
    const std::int64_t response = monotonicNs() - plannedNs_;
    figures_.response.record(response);
    ++figures_.jobCount;
    if (spec_.deadline.count() > 0 && response > spec_.deadline.count())
        ++figures_.deadlineMissCount;
}

/// Whether no loop may begin at `nextBeginNs`.
bool ThreadRunner::over(std::int64_t nextBeginNs) const {
    return lastLoop() || (spec_.duration && nextBeginNs - startNs_ >= spec_.duration->count());
}

ThreadRunner::Next ThreadRunner::perform(const RunStep& step) {
    std::int64_t left = step.duration.draw(random_).count();
    while (left > 0 && !stopRequested()) {
        const std::int64_t slice = std::min(left, kStopSliceNs);
        useCpu(std::chrono::nanoseconds(slice));
        left -= slice;
    }
    return left <= 0 ? Next::Step : Next::Stopped;
}

ThreadRunner::Next ThreadRunner::perform(const SleepStep& step) {
    if (step.skipLast && lastLoop())
        return Next::Step;
    const std::int64_t duration = step.duration.draw(random_).count();
    return duration <= 0 || sleepOrStop(monotonicNs() + duration) ? Next::Step : Next::Stopped;
}

ThreadRunner::Next ThreadRunner::perform(const TakeStep& step) {
    const std::int64_t requestNs = monotonicNs();
    if (!acquire(*step.lock))
        return Next::Stopped;
    recordWait(monotonicNs() - requestNs);
    return Next::Step;
}

ThreadRunner::Next ThreadRunner::perform(const TryStep& step) {
    AcquireOutcome outcome = step.lock->tryAcquire(thread_);
    if (std::holds_alternative<Acquired>(outcome)) {
        hold(*step.lock);
        return Next::Step;
    }
    if (!std::holds_alternative<WouldBlock>(outcome)) {
        refuse(outcome);
        return Next::Stopped;
    }
    ++figures_.tryFailedCount;
    place_ = step.behindUnlock;
    return Next::Step;
}

ThreadRunner::Next ThreadRunner::perform(const ReleaseStep&) {
    releaseLast();
    return Next::Step;
}

ThreadRunner::Next ThreadRunner::perform(const BusStep& step) {
    TransferTimes times;
    times.requestNs = monotonicNs();
    step.bus->backend->prepare(*this);
    times.lockRequestNs = monotonicNs();
    if (!acquire(*step.bus->lock))
        return Next::Stopped;
    times.acquiredNs = monotonicNs();
    TransferTiming timing;
    const bool answered = transferUnderLock(step, timing);
    releaseLast();
    times.returnNs = monotonicNs();
    if (timing.fault == TransferFault::Stopped)
        return Next::Stopped;
    recordWait(times.acquiredNs - times.lockRequestNs);
    figures_.lastOperationEndNs = times.returnNs;
    ++figures_.operationCount;
    context_.gauges.operations.fetch_add(1, std::memory_order_relaxed);
    if (answered)
        recordTransfer(times, timing);
    else
        ++figures_.errorCount;
    firstOfJob_ = false;
    return Next::Step;
}

ThreadRunner::Next ThreadRunner::perform(const NextPeriodStep&) {
    endJob();
    const std::int64_t planned =
        firstReleaseNs_ + static_cast<std::int64_t>(job_) * spec_.period.count();
    if (place_ == body_.size() && over(planned))
        return Next::End;
    if (!sleepOrStop(planned))
        return Next::Stopped;
    beginJob(planned);
    return Next::Step;
}

ThreadRunner::Next ThreadRunner::perform(const MarkStep& step) {
    mark(Note{step.text});
    return Next::Step;
}

ThreadRunner::Next ThreadRunner::perform(const HelpStep& step) {
    if (Result<void> served = step.bus->backend->serve(step.service, *this); !served) {
        figures_.failure = std::move(served).error();
        return Next::Stopped;
    }
    return Next::End;
}

bool ThreadRunner::acquire(WatchedLock& lock) {
    mark(WaitBegin{lock.name()});
    announceHolds(OwnerState::Sleeping); // perhaps; a waiter of ours should not count on us
    AcquireOutcome outcome = lock.acquire(thread_, context_.stop);
    announceHolds(OwnerState::Running);
    mark(SliceEnd{});
    if (std::holds_alternative<Acquired>(outcome)) {
        hold(lock);
        return true;
    }
    refuse(outcome);
    return false;
}

void ThreadRunner::hold(WatchedLock& lock) {
    const auto tid = static_cast<std::uint32_t>(thread_.waiter.tid);
    held_.push_back({&lock, (std::uint64_t{tid} << 32) | ++holds_});
    mark(HoldBegin{lock.name(), held_.back().cookie});
}

void ThreadRunner::releaseLast() {
    const Held last = held_.back();
    held_.pop_back();
    mark(HoldEnd{last.lock->name(), last.cookie});
    last.lock->release(thread_);
}

bool ThreadRunner::transferUnderLock(const BusStep& step, TransferTiming& timing) {
    mark(TransferBegin{step.bus->name, step.operationName});
    const Result<TransferTiming> result = step.bus->backend->transfer(step.operation, *this);
    mark(SliceEnd{});
    if (!result)
        return false;
    timing = *result;
    return timing.fault == TransferFault::None;
}

void ThreadRunner::recordTransfer(const TransferTimes& times, const TransferTiming& timing) {
    const std::int64_t latency = times.returnNs - times.requestNs;
    figures_.latency.record(latency);
    if (latency > context_.gauges.maxLatencyNs.load(std::memory_order_relaxed))
        context_.gauges.maxLatencyNs.store(latency, std::memory_order_relaxed);
    LatencyParts& parts = figures_.parts;
    if (firstOfJob_)
        parts.releaseToRequest.record(times.requestNs - plannedNs_);
    const std::int64_t waitNs = times.acquiredNs - times.lockRequestNs;
    parts.lockWait.record(waitNs);
    parts.toWire.record(timing.wireBeginNs - times.requestNs - waitNs);
    parts.wire.record(timing.wireEndNs - timing.wireBeginNs);
    parts.fromWire.record(times.returnNs - timing.wireEndNs);
}

void ThreadRunner::recordWait(std::int64_t waitNs) {
    figures_.waitNs += waitNs;
    figures_.maxWaitNs = std::max(figures_.maxWaitNs, waitNs);
}

/// Why a wait has not ended with the lock.
void ThreadRunner::refuse(AcquireOutcome& outcome) {
    if (auto* refusal = std::get_if<NotPermitted>(&outcome)) {
        figures_.failure = std::move(refusal->error);
    } else if (const auto* deadlock = std::get_if<Deadlock>(&outcome)) {
        for (const Deadlock::Link& link : deadlock->cycle) {
            figures_.deadlock.push_back(link.thread);
            figures_.deadlock.push_back(link.lock);
        }
        figures_.deadlock.push_back(deadlock->cycle.front().thread);
    }
}

bool ThreadRunner::sleepOrStop(std::int64_t endNs) {
    announceHolds(OwnerState::Sleeping);
    std::int64_t now = monotonicNs();
    while (now < endNs && !stopRequested()) {
        sleepUntil(std::min(endNs, now + kStopSliceNs));
        now = monotonicNs();
    }
    announceHolds(OwnerState::Running);
    return now >= endNs;
}

void ThreadRunner::announceHolds(OwnerState state) {
    for (const Held& held : held_)
        held.lock->policy().announceOwner(state);
}

} // namespace inversight
