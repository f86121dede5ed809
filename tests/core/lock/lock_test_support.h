// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/lock_policies.h"

#include <atomic>
#include <cctype>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace inversight {

/// Keeps the calling thread on one CPU, and the threads it makes.
class PinnedTo {
public:
    explicit PinnedTo(int cpu) {
        sched_getaffinity(0, sizeof(previous_), &previous_);
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<std::size_t>(cpu), &one);
        sched_setaffinity(0, sizeof(one), &one);
    }
    ~PinnedTo() { sched_setaffinity(0, sizeof(previous_), &previous_); }
    PinnedTo(const PinnedTo&) = delete;
    PinnedTo& operator=(const PinnedTo&) = delete;

private:
    cpu_set_t previous_;
};

/// The CPUs the program was started on.
inline const std::vector<int> kTestCpus = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof(set), &set);
    std::vector<int> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &set))
            cpus.push_back(cpu);
    }
    return cpus;
}();

/// Through glibc, whose own note of the priority a ceiling works with. 0 is SCHED_OTHER.
inline int setPriority(int priority) {
    const sched_param parameters{.sched_priority = priority};
    return pthread_setschedparam(pthread_self(), priority > 0 ? SCHED_FIFO : SCHED_OTHER,
                                 &parameters);
}

/// 0, or the errno with which a thread may not become SCHED_FIFO.
inline int realTimeError() {
    int error = 0;
    std::thread([&error] { error = setPriority(1); }).join();
    return error;
}

/// A test that runs for every row of the policy table with a real lock. For a policy that takes
/// real-time threads only, the test's thread and those it makes are FIFO 1 on one CPU.
class EveryPolicy : public testing::TestWithParam<std::string> {
protected:
    // A sanitizer's runtime spins on locks of its own and yields to equals only: a thread raised
    // above the one that holds such a lock would spin for ever.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    static constexpr int kCeiling = 1;
#else
    static constexpr int kCeiling = 40;
#endif

    void SetUp() override {
        if (!row().traits.realTimeOnly)
            return;
        if (const int error = realTimeError(); error != 0)
            GTEST_SKIP() << "needs the right to set SCHED_FIFO: " << std::strerror(error);
        pinned_.emplace(kTestCpus.back());
        ASSERT_EQ(setPriority(1), 0);
    }
    void TearDown() override {
        if (pinned_)
            setPriority(0);
    }

    [[nodiscard]] const LockPolicyRow& row() const { return **findLockPolicy(GetParam()); }
    [[nodiscard]] std::unique_ptr<LockPolicy> makeLock() const {
        return row().makeReal({.ceiling = kCeiling});
    }
    /// Waits until the thread whose tid appears in `tid` waits for the lock.
    [[nodiscard]] bool becomesWaiting(const std::atomic<int>& tid) const;

    std::unique_ptr<LockPolicy> lock_ = makeLock();

private:
    std::optional<PinnedTo> pinned_;
};

/// The policies with a real lock; only those that make the promise `trait`, if one is given.
inline std::vector<std::string> realPolicyNames(bool LockTraits::* trait = nullptr) {
    std::vector<std::string> names;
    for (const LockPolicyRow& row : lockPolicies()) {
        if (row.makeReal && (!trait || row.traits.*trait))
            names.emplace_back(row.name);
    }
    return names;
}

inline std::string testNameOf(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    for (char& c : name) {
        if (!std::isalnum(static_cast<unsigned char>(c)))
            c = '_';
    }
    return name;
}

/// The calling thread as it is.
inline Waiter self(std::string name = "test") {
    sched_param parameters{};
    sched_getparam(0, &parameters);
    const bool fair = sched_getscheduler(0) == SCHED_OTHER;
    return {.tid = gettid(),
            .name = std::move(name),
            .kernelPriority =
                fair ? 120 + getpriority(PRIO_PROCESS, 0) : 99 - parameters.sched_priority};
}

inline bool acquired(const AcquireOutcome& outcome) {
    return std::holds_alternative<Acquired>(outcome);
}

/// The state letter of a thread of this process, from /proc.
inline char threadState(int tid) {
    std::ifstream file("/proc/self/task/" + std::to_string(tid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const std::size_t end = text.rfind(") ");
    return end == std::string::npos || end + 2 >= text.size() ? '?' : text[end + 2];
}

/// Whether `condition` comes true within `limit`.
template <class Condition>
[[nodiscard]] bool eventually(Condition condition,
                              std::chrono::milliseconds limit = std::chrono::seconds(10)) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return true;
}

/// Waits until the thread whose tid appears in `tid` sleeps, in its wait for the lock.
[[nodiscard]] inline bool becomesBlocked(const std::atomic<int>& tid) {
    return eventually([&] { return tid.load() != 0 && threadState(tid.load()) == 'S'; });
}

inline bool EveryPolicy::becomesWaiting(const std::atomic<int>& tid) const {
    if (!row().traits.busyWaits)
        return becomesBlocked(tid);
    // Nothing shows from outside where a running thread is: it gets ample time to arrive.
    if (!eventually([&] { return tid.load() != 0; }))
        return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return threadState(tid.load()) == 'R';
}

} // namespace inversight
