// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "lock_test_support.h"

#include <cerrno>
#include <cstring>

#include <sched.h>

/// Who is served first when a fair thread, FIFO 5 and FIFO 20 arrive in this order.
namespace inversight {
namespace {

class LockOrder : public EveryPolicy {};
class FifoLockOrder : public EveryPolicy {};

INSTANTIATE_TEST_SUITE_P(Table, LockOrder, testing::ValuesIn(realPolicyNames()), testNameOf);
INSTANTIATE_TEST_SUITE_P(Table, FifoLockOrder,
                         testing::ValuesIn(realPolicyNames(&LockTraits::fifoOrder)), testNameOf);

/// Keeps the calling thread on the last CPU it may use, and those it makes.
class PinnedToOneCpu {
public:
    PinnedToOneCpu() {
        sched_getaffinity(0, sizeof(previous_), &previous_);
        int last = 0;
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            last = CPU_ISSET(cpu, &previous_) ? cpu : last;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<std::size_t>(last), &one);
        sched_setaffinity(0, sizeof(one), &one);
    }
    ~PinnedToOneCpu() { sched_setaffinity(0, sizeof(previous_), &previous_); }
    PinnedToOneCpu(const PinnedToOneCpu&) = delete;
    PinnedToOneCpu& operator=(const PinnedToOneCpu&) = delete;

private:
    cpu_set_t previous_;
};

int setFifo(int priority) {
    const sched_param parameters{.sched_priority = priority};
    return sched_setscheduler(0, SCHED_FIFO, &parameters) == 0 ? 0 : errno;
}

int realTimeError() {
    int error = 0;
    std::thread([&error] { error = setFifo(1); }).join();
    return error;
}

/// The lock's waiters, one after another; they note in which order they get it.
class Arrivals {
public:
    explicit Arrivals(LockPolicy& lock) : lock_(lock) {}

    /// Returns once the thread sleeps in its wait. `priority` 0 is a fair thread.
    [[nodiscard]] bool arrive(std::string name, int priority) {
        tid_ = 0;
        threads_.emplace_back([this, name = std::move(name), priority] {
            if (priority > 0)
                setFifo(priority);
            Waiter waiter = self(name);
            tid_ = waiter.tid;
            if (!acquired(lock_.acquire(waiter, stop_.get_token())))
                return;
            served_.push_back(name);
            lock_.release(waiter);
        });
        return becomesBlocked(tid_);
    }

    [[nodiscard]] std::vector<std::string> served() {
        threads_.clear();
        return served_;
    }
    void giveUp() { stop_.request_stop(); }

private:
    LockPolicy& lock_;
    std::stop_source stop_;
    std::atomic<int> tid_{0};
    std::vector<std::string> served_; ///< guarded by the lock under test
    std::vector<std::jthread> threads_;
};

TEST_P(LockOrder, ServesInTheOrderItPromises) {
    if (const int error = realTimeError(); error != 0)
        GTEST_SKIP() << "needs the right to set SCHED_FIFO: " << std::strerror(error);
    const PinnedToOneCpu pinned;
    Waiter owner = self("owner");
    ASSERT_TRUE(acquired(lock_->acquire(owner, {})));
    Arrivals arrivals(*lock_);
    const bool allWait = arrivals.arrive("fair", 0) && arrivals.arrive("FIFO 5", 5) &&
                         arrivals.arrive("FIFO 20", 20);
    if (!allWait)
        arrivals.giveUp();
    lock_->release(owner);
    const std::vector<std::string> served = arrivals.served();
    ASSERT_TRUE(allWait);
    const LockTraits& traits = row().traits;
    ASSERT_NE(traits.fifoOrder, traits.priorityInheritance) << "this test knows these two orders";
    const std::vector<std::string> arrivalOrder{"fair", "FIFO 5", "FIFO 20"};
    const std::vector<std::string> priorityOrder{"FIFO 20", "FIFO 5", "fair"};
    EXPECT_EQ(served, traits.fifoOrder ? arrivalOrder : priorityOrder);
}

/// The time slices of waits must not cost a waiter its place.
TEST_P(FifoLockOrder, KeepsThePlaceAcrossTimeSlices) {
    Waiter owner = self("owner");
    ASSERT_TRUE(acquired(lock_->acquire(owner, {})));
    Arrivals arrivals(*lock_);
    bool allWait = true;
    for (const char* name : {"first", "second", "third"}) {
        allWait = allWait && arrivals.arrive(name, 0);
        std::this_thread::sleep_for(std::chrono::nanoseconds(LockPolicy::kWaitSliceNs) / 3);
    }
    // The first one's slice ends now and then, the others' stay behind it.
    std::this_thread::sleep_for(std::chrono::nanoseconds(LockPolicy::kWaitSliceNs) * 3 / 2);
    if (!allWait)
        arrivals.giveUp();
    lock_->release(owner);
    const std::vector<std::string> served = arrivals.served();
    ASSERT_TRUE(allWait);
    EXPECT_EQ(served, (std::vector<std::string>{"first", "second", "third"}));
}

} // namespace
} // namespace inversight
