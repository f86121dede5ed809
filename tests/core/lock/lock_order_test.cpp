// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "lock_test_support.h"

/// Who is served first when a fair thread, FIFO 5 and FIFO 20 arrive in this order.
namespace inversight {
namespace {

class LockOrder : public EveryPolicy {
protected:
    void SetUp() override {
        EveryPolicy::SetUp();
        if (const int error = realTimeError(); error != 0)
            GTEST_SKIP() << "needs the right to set SCHED_FIFO: " << std::strerror(error);
    }
};
class FifoLockOrder : public EveryPolicy {};

std::vector<std::string> orderedPolicies() {
    std::vector<std::string> names = realPolicyNames(&LockTraits::fifoOrder);
    for (std::string& name : realPolicyNames(&LockTraits::priorityOrder))
        names.push_back(std::move(name));
    return names;
}

INSTANTIATE_TEST_SUITE_P(Table, LockOrder, testing::ValuesIn(orderedPolicies()), testNameOf);
INSTANTIATE_TEST_SUITE_P(Table, FifoLockOrder,
                         testing::ValuesIn(realPolicyNames(&LockTraits::fifoOrder)), testNameOf);

/// The lock's waiters, one after another, all on one CPU; they note in which order they get it.
class Arrivals {
public:
    explicit Arrivals(LockPolicy& lock) : lock_(lock) {}

    /// `priority` 0 is a fair thread.
    void arrive(std::string name, int priority) {
        tid_ = 0;
        threads_.emplace_back([this, name = std::move(name), priority] {
            const PinnedTo oneCpu(kTestCpus.back());
            if (priority > 0)
                setPriority(priority);
            Waiter waiter = self(name);
            tid_ = waiter.tid;
            if (!acquired(lock_.acquire(waiter, stop_.get_token())))
                return;
            served_.push_back(name);
            lock_.release(waiter);
        });
    }
    /// Of the one that arrived last; 0 until it is about to ask for the lock.
    [[nodiscard]] const std::atomic<int>& tid() const { return tid_; }

    [[nodiscard]] std::vector<std::string> served() {
        threads_.clear();
        return served_;
    }
    void giveUp() { stop_.request_stop(); }
    /// From here on they share their CPU.
    void makeAllFair() {
        const sched_param parameters{.sched_priority = 0};
        for (std::jthread& thread : threads_)
            pthread_setschedparam(thread.native_handle(), SCHED_OTHER, &parameters);
    }

private:
    LockPolicy& lock_;
    std::stop_source stop_;
    std::atomic<int> tid_{0};
    std::vector<std::string> served_; ///< guarded by the lock under test
    std::vector<std::jthread> threads_;
};

TEST_P(LockOrder, ServesInTheOrderItPromises) {
    if (row().traits.busyWaits && kTestCpus.size() < 2)
        GTEST_SKIP() << "needs two CPUs: the waiters keep one busy";
    const PinnedTo cpu(row().traits.busyWaits ? kTestCpus.front() : kTestCpus.back());
    Waiter owner = self("owner");
    ASSERT_TRUE(acquired(lock_->acquire(owner, {})));
    Arrivals arrivals(*lock_);
    bool allWait = true;
    for (const auto& [name, priority] :
         {std::pair("fair", 0), std::pair("FIFO 5", 5), std::pair("FIFO 20", 20)}) {
        arrivals.arrive(name, priority);
        allWait = allWait && becomesWaiting(arrivals.tid());
    }
    if (!allWait)
        arrivals.giveUp();
    // Who waits busily at FIFO 20 would never let the fair one, who is first, have the CPU.
    if (row().traits.busyWaits)
        arrivals.makeAllFair();
    lock_->release(owner);
    const std::vector<std::string> served = arrivals.served();
    ASSERT_TRUE(allWait);
    const std::vector<std::string> arrivalOrder{"fair", "FIFO 5", "FIFO 20"};
    const std::vector<std::string> priorityOrder{"FIFO 20", "FIFO 5", "fair"};
    EXPECT_EQ(served, row().traits.fifoOrder ? arrivalOrder : priorityOrder);
}

/// The time slices of waits must not cost a waiter its place.
TEST_P(FifoLockOrder, KeepsThePlaceAcrossTimeSlices) {
    Waiter owner = self("owner");
    ASSERT_TRUE(acquired(lock_->acquire(owner, {})));
    Arrivals arrivals(*lock_);
    bool allWait = true;
    for (const char* name : {"first", "second", "third"}) {
        arrivals.arrive(name, 0);
        allWait = allWait && becomesWaiting(arrivals.tid());
        std::this_thread::sleep_for(std::chrono::nanoseconds(LockPolicy::kWaitSliceNs) / 3);
    }
    // The first one's slice ends now and then, the others' stay behind it.
    std::this_thread::sleep_for(std::chrono::nanoseconds(LockPolicy::kWaitSliceNs));
    if (!allWait)
        arrivals.giveUp();
    lock_->release(owner);
    const std::vector<std::string> served = arrivals.served();
    ASSERT_TRUE(allWait);
    EXPECT_EQ(served, (std::vector<std::string>{"first", "second", "third"}));
}

} // namespace
} // namespace inversight
