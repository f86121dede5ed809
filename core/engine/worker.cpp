// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/worker.h"

#include "core/bus/thread_clock.h"
#include "core/engine/preconditions.h"
#include "core/lock/wait_graph.h"
#include "core/workload/wire_time.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>

#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace inversight {

namespace {

constexpr std::size_t kStackBytes = std::size_t{512} * 1024;

// Long sleeps and computations look at the stop token this often.
constexpr std::int64_t kStopSliceNs = 50'000'000;

template <class... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};

int policyOf(SchedulingClass schedulingClass) {
    switch (schedulingClass) {
    case SchedulingClass::Other:
        return SCHED_OTHER;
    case SchedulingClass::Fifo:
        return SCHED_FIFO;
    case SchedulingClass::RoundRobin:
        return SCHED_RR;
    case SchedulingClass::Deadline:
        break; // refused before (runnable.h)
    }
    return SCHED_OTHER;
}

std::string classNameOf(int policy) {
    switch (policy) {
    case SCHED_FIFO:
        return "fifo";
    case SCHED_RR:
        return "rr";
    default:
        return "other";
    }
}

/// The words of the precondition that is not met, or, if all seem to be, of `row`'s remedy.
Error refused(int error, std::string what, std::initializer_list<Need> needs) {
    if (auto met = require(std::span(needs.begin(), needs.size())); !met) {
        met.error().where = std::move(what);
        return met.error();
    }
    Error result = Error::fromErrno(error, std::move(what));
    const auto rows = preconditions();
    const auto row = std::ranges::find(rows, *needs.begin(), &PreconditionRow::need);
    if (row != rows.end())
        result.remedy = row->remedy;
    return result;
}

} // namespace

void EndBoard::countOut() {
    const std::lock_guard lock(mutex_);
    ++out_;
    changed_.notify_all();
}

bool EndBoard::waitFor(std::size_t count, std::int64_t timeoutNs) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::nanoseconds(timeoutNs),
                             [&] { return out_ >= count; });
}

WorkerEnvironment::WorkerEnvironment(MarkerSink& sink, int cpu, std::ptrdiff_t workerCount)
    : markers(sink), workerCpu(cpu), tgid(getpid()), ready(workerCount) {}

Worker::Worker(const ThreadSpec& spec, std::vector<RunBus>& buses, WorkerEnvironment& environment)
    : spec_(spec), environment_(environment), stop_(environment.stop.get_token()) {
    for (const Step& step : spec.body) {
        const auto* transfer = std::get_if<TransferStep>(&step);
        if (!transfer) {
            body_.push_back(std::holds_alternative<RunStep>(step)
                                ? ResolvedStep(std::get<RunStep>(step))
                                : ResolvedStep(std::get<SleepStep>(step)));
            continue;
        }
        const auto bus = std::ranges::find(buses, transfer->bus, &RunBus::name);
        assert(bus != buses.end() && "a validated spec names only its own buses");
        body_.emplace_back(
            Transfer{&*bus, transfer->operation, i2cOperationName(transfer->operation)});
    }
}

Worker::~Worker() {
    join();
}

Result<void> Worker::start() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStackBytes);
    const int error = pthread_create(&thread_, &attributes, &Worker::entry, this);
    pthread_attr_destroy(&attributes);
    if (error != 0)
        return std::unexpected(
            Error::fromErrno(error, fmt::format("worker {} could not be made", spec_.name)));
    started_ = true;
    return {};
}

void Worker::join() {
    if (std::exchange(started_, false))
        pthread_join(thread_, nullptr);
}

void Worker::demote() const {
    const sched_param parameters{.sched_priority = 0};
    sched_setscheduler(waiter_.tid, SCHED_OTHER, &parameters);
}

void* Worker::entry(void* worker) {
    static_cast<Worker*>(worker)->main();
    return nullptr;
}

void Worker::main() {
    if (Result<void> ready = setUp(); !ready)
        failure_ = std::move(ready).error();
    environment_.ready.count_down();
    if (environment_.gate.wait())
        finishedAllLoops_ = runLoops();
    endNs_ = monotonicNs();
    environment_.ended.countOut();
}

Result<void> Worker::setUp() {
    waiter_ = {.tid = gettid(), .name = spec_.name};
    pthread_setname_np(pthread_self(), spec_.name.c_str());
    // Fair threads may be woken up to 50 us late by default (timer slack): that would be added to
    // every wire time of theirs and to none of a real-time thread's.
    prctl(PR_SET_TIMERSLACK, 1UL);
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(static_cast<std::size_t>(environment_.workerCpu), &cpus);
    if (sched_setaffinity(0, sizeof(cpus), &cpus) != 0)
        return std::unexpected(
            Error::fromErrno(errno, fmt::format("worker {} cannot be pinned to CPU {}", spec_.name,
                                                environment_.workerCpu)));
    TRY(applyScheduling());
    readBack();
    return {};
}

Result<void> Worker::applyScheduling() const {
    const Scheduling& wanted = spec_.scheduling;
    const std::string what =
        fmt::format("worker {} cannot be set to {}", spec_.name, wanted.text());
    const sched_param parameters{.sched_priority = wanted.priority};
    if (sched_setscheduler(0, policyOf(wanted.schedulingClass), &parameters) != 0)
        return std::unexpected(refused(errno, what, {Need::RtRights, Need::RtRuntime}));
    // On Linux the nice value belongs to the thread, and 0 names the calling one.
    if (wanted.schedulingClass == SchedulingClass::Other &&
        setpriority(PRIO_PROCESS, 0, wanted.nice) != 0)
        return std::unexpected(refused(errno, what, {Need::NiceRights}));
    return {};
}

void Worker::readBack() {
    sched_param parameters{};
    sched_getparam(0, &parameters);
    asItIs_ = {
        .tid = waiter_.tid,
        .name = spec_.name,
        .schedulingClass = classNameOf(sched_getscheduler(0)),
        .priority = parameters.sched_priority,
        .nice = getpriority(PRIO_PROCESS, 0),
        .cpus = {environment_.workerCpu},
    };
}

bool Worker::runLoops() {
    for (std::uint64_t loop = 1; loop <= spec_.loops; ++loop) {
        if (!runBody(loop == spec_.loops))
            return false;
    }
    return true;
}

bool Worker::runBody(bool last) {
    for (const ResolvedStep& step : body_) {
        if (stop_.stop_requested())
            return false;
        const auto* sleep = std::get_if<SleepStep>(&step);
        if (last && sleep && sleep->skipLast)
            continue;
        if (!std::visit([this](const auto& what) { return perform(what); }, step))
            return false;
        steps_.fetch_add(1, std::memory_order_relaxed);
    }
    return true;
}

bool Worker::perform(const RunStep& step) {
    std::int64_t left = step.duration.mean().count();
    while (left > 0 && !stop_.stop_requested()) {
        const std::int64_t slice = std::min(left, kStopSliceNs);
        useCpu(std::chrono::nanoseconds(slice));
        left -= slice;
    }
    return left <= 0;
}

bool Worker::perform(const SleepStep& step) {
    const std::int64_t end = monotonicNs() + step.duration.mean().count();
    std::int64_t now = monotonicNs();
    while (now < end && !stop_.stop_requested()) {
        sleepUntil(std::min(end, now + kStopSliceNs));
        now = monotonicNs();
    }
    return now >= end;
}

bool Worker::perform(const Transfer& transfer) {
    const std::int64_t requestNs = monotonicNs();
    if (!acquire(transfer))
        return false;
    const bool transferred = transferUnderLock(transfer);
    transfer.bus->lock->release(waiter_);
    lastOperationEndNs_ = monotonicNs();
    operations_.fetch_add(1, std::memory_order_relaxed);
    if (transferred)
        recordLatency(lastOperationEndNs_ - requestNs);
    else
        ++errors_;
    return true;
}

bool Worker::acquire(const Transfer& transfer) {
    mark(WaitBegin{transfer.bus->lockName});
    AcquireOutcome outcome = transfer.bus->lock->acquire(waiter_, stop_);
    mark(SliceEnd{});
    if (std::holds_alternative<Acquired>(outcome))
        return true;
    if (auto* deadlock = std::get_if<Deadlock>(&outcome))
        fail({ErrorCode::InvalidArgument,
              fmt::format("worker {} would wait for itself: {}", spec_.name,
                          deadlockText(*deadlock)),
              transfer.bus->lockName});
    else if (auto* refusal = std::get_if<NotPermitted>(&outcome))
        fail(std::move(refusal->error));
    return false;
}

bool Worker::transferUnderLock(const Transfer& transfer) {
    const std::string_view lock = transfer.bus->lockName;
    const std::uint64_t cookie =
        (static_cast<std::uint64_t>(static_cast<std::uint32_t>(waiter_.tid)) << 32) | ++holds_;
    mark(HoldBegin{lock, cookie});
    mark(TransferBegin{transfer.bus->name, transfer.operationName});
    const bool transferred = transfer.bus->backend->transfer(transfer.operation).has_value();
    mark(SliceEnd{});
    mark(HoldEnd{lock, cookie});
    return transferred;
}

void Worker::recordLatency(std::int64_t latencyNs) {
    latency_.record(latencyNs);
    if (latencyNs > maxLatency_.load(std::memory_order_relaxed))
        maxLatency_.store(latencyNs, std::memory_order_relaxed);
}

void Worker::fail(Error error) {
    failure_ = std::move(error);
    environment_.stop.request_stop();
}

} // namespace inversight
