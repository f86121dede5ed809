// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/thread_scheduling.h"

#include "core/engine/preconditions.h"

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

namespace inversight {

namespace {

/// sched_setattr(2)'s argument; glibc has none, and the kernel's header has a sched_param, too.
struct SchedAttributes {
    std::uint32_t size = sizeof(SchedAttributes);
    std::uint32_t policy = SCHED_DEADLINE;
    std::uint64_t flags = 0;
    std::int32_t nice = 0;
    std::uint32_t priority = 0;
    std::uint64_t runtime = 0;
    std::uint64_t deadline = 0;
    std::uint64_t period = 0;
};
static_assert(sizeof(SchedAttributes) == 48);

const char* classNameOf(int policy) {
    switch (policy) {
    case SCHED_FIFO:
        return schedulingClassName(SchedulingClass::Fifo);
    case SCHED_RR:
        return schedulingClassName(SchedulingClass::RoundRobin);
    case SCHED_DEADLINE:
        return schedulingClassName(SchedulingClass::Deadline);
    default:
        return schedulingClassName(SchedulingClass::Other);
    }
}

/// The words of the precondition that is not met, or, if all seem to be, of the first's remedy.
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

Result<void> pin(const ThreadSpec& spec, const std::vector<int>& cpus) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : cpus)
        CPU_SET(static_cast<std::size_t>(cpu), &set);
    if (sched_setaffinity(0, sizeof(set), &set) != 0)
        return std::unexpected(
            Error::fromErrno(errno, fmt::format("worker {} cannot be pinned to CPU {}", spec.name,
                                                fmt::join(cpus, ", "))));
    return {};
}

Result<void> setDeadline(const Scheduling& wanted, const std::string& what) {
    SchedAttributes attributes;
    attributes.runtime = static_cast<std::uint64_t>(wanted.runtime.count());
    attributes.deadline = static_cast<std::uint64_t>(wanted.deadline.count());
    attributes.period = static_cast<std::uint64_t>(wanted.period.count());
    if (syscall(SYS_sched_setattr, 0, &attributes, 0) == 0)
        return {};
    if (errno == EBUSY)
        return std::unexpected(
            Error{ErrorCode::Busy, what + ": the kernel's admission test refuses it", "",
                  "ask for less run time per period, or raise sched_rt_runtime_us"});
    return std::unexpected(refused(errno, what, {Need::RtRights}));
}

Result<void> setClass(const ThreadSpec& spec) {
    const Scheduling& wanted = spec.scheduling;
    const std::string what = fmt::format("worker {} cannot be set to {}", spec.name, wanted.text());
    if (wanted.schedulingClass == SchedulingClass::Deadline)
        return setDeadline(wanted, what);
    const bool fair = wanted.schedulingClass == SchedulingClass::Other;
    const int policy = wanted.schedulingClass == SchedulingClass::RoundRobin ? SCHED_RR
                       : fair                                                ? SCHED_OTHER
                                                                             : SCHED_FIFO;
    // Through glibc, which keeps a note of the priority that a ceiling goes back to.
    const sched_param parameters{.sched_priority = wanted.priority};
    if (const int error = pthread_setschedparam(pthread_self(), policy, &parameters); error != 0)
        return std::unexpected(refused(error, what, {Need::RtRights, Need::RtRuntime}));
    // On Linux the nice value belongs to the thread, and 0 names the calling one.
    if (fair && setpriority(PRIO_PROCESS, 0, wanted.nice) != 0)
        return std::unexpected(refused(errno, what, {Need::NiceRights}));
    return {};
}

std::vector<int> allCpus() {
    std::vector<int> cpus(static_cast<std::size_t>(sysconf(_SC_NPROCESSORS_CONF)));
    std::iota(cpus.begin(), cpus.end(), 0);
    return cpus;
}

std::vector<std::int32_t> affinityOf(std::int32_t tid) {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(tid, sizeof(set), &set);
    std::vector<std::int32_t> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &set))
            cpus.push_back(cpu);
    }
    return cpus;
}

} // namespace

Result<void> becomeThread(const ThreadSpec& spec, const std::vector<int>& cpus) {
    pthread_setname_np(pthread_self(), spec.name.c_str());
    // Fair threads may be woken up to 50 us late by default (timer slack): that would be added to
    // every wire time of theirs and to none of a real-time thread's.
    prctl(PR_SET_TIMERSLACK, 1UL);
    const bool anywhere = spec.scheduling.schedulingClass == SchedulingClass::Deadline;
    TRY(pin(spec, anywhere ? allCpus() : cpus));
    return setClass(spec);
}

ManifestThread threadAsItIs(std::int32_t tid, const std::string& name) {
    sched_param parameters{};
    sched_getparam(tid, &parameters);
    return {
        .tid = tid,
        .name = name,
        .schedulingClass = classNameOf(sched_getscheduler(tid)),
        .priority = parameters.sched_priority,
        .nice = getpriority(PRIO_PROCESS, static_cast<id_t>(tid)),
        .cpus = affinityOf(tid),
    };
}

void demoteThread(std::int32_t tid) {
    const sched_param parameters{.sched_priority = 0};
    sched_setscheduler(tid, SCHED_OTHER, &parameters);
}

} // namespace inversight
