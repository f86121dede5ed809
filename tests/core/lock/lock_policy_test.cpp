// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "lock_test_support.h"

#include <gmock/gmock.h>
#include <latch>

/// What only one policy does.
namespace inversight {
namespace {

using namespace std::chrono_literals;

std::unique_ptr<LockPolicy> lockOf(std::string_view policy, const LockSetup& setup = {}) {
    return (*findLockPolicy(policy))->makeReal(setup);
}

/// Lets go of a lock that a fair thread waits for, and takes it again before that one can run; then
/// lets that one try, lets go again, and says whether the lock can be taken once more.
class Barging : public testing::TestWithParam<std::string> {
protected:
    [[nodiscard]] bool secondBargeSucceeds() {
        const PinnedTo oneCpu(kTestCpus.back());
        bool succeeds = false;
        std::jthread([&] {
            EXPECT_EQ(setPriority(2), 0); // the waiter cannot run while this thread does
            Waiter owner = self("owner");
            EXPECT_TRUE(acquired(lock_->acquire(owner, {})));
            std::atomic<int> tid{0};
            const std::jthread waiter = waitingThread(tid);
            EXPECT_TRUE(becomesBlocked(tid));
            lock_->release(owner);
            EXPECT_TRUE(acquired(lock_->tryAcquire(owner))) << "a free lock is anybody's";
            std::this_thread::sleep_for(5ms); // the waiter wakes, fails and sleeps on
            lock_->release(owner);
            succeeds = acquired(lock_->tryAcquire(owner));
            if (succeeds)
                lock_->release(owner);
        }).join();
        return succeeds;
    }

private:
    [[nodiscard]] std::jthread waitingThread(std::atomic<int>& tid) {
        return std::jthread([this, &tid] {
            setPriority(0);
            Waiter waiter = self("waiter");
            waiter.cpu = kTestCpus.back();
            tid = waiter.tid;
            EXPECT_TRUE(acquired(lock_->acquire(waiter, {})));
            lock_->release(waiter);
        });
    }
    void SetUp() override {
        if (const int error = realTimeError(); error != 0)
            GTEST_SKIP() << "needs the right to set SCHED_FIFO: " << std::strerror(error);
    }
    std::unique_ptr<LockPolicy> lock_ = lockOf(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Table, Barging, testing::Values("mutex-2009", "mutex"), testNameOf);

TEST_P(Barging, IsEndedByAHandoffToday) {
    EXPECT_EQ(secondBargeSucceeds(), GetParam() == "mutex-2009");
}

TEST(PriorityQueueLock, IsHandedToTheFirstWaiter) {
    const auto lock = lockOf("priority-queue");
    Waiter owner = self("owner");
    ASSERT_TRUE(acquired(lock->acquire(owner, {})));
    std::atomic<int> tid{0};
    const std::jthread waiter([&] {
        Waiter self = inversight::self("waiter");
        tid = self.tid;
        EXPECT_TRUE(acquired(lock->acquire(self, {})));
        std::this_thread::sleep_for(20ms);
        lock->release(self);
    });
    ASSERT_TRUE(becomesBlocked(tid));
    lock->release(owner);
    EXPECT_TRUE(std::holds_alternative<WouldBlock>(lock->tryAcquire(owner)));
}

class SpinsForTheOwner : public testing::TestWithParam<std::string> {
protected:
    /// A waiter of priority 50, pinned to `cpu`, waits while the test holds the lock for as long
    /// as `hold` takes.
    template <class Hold>
    void waitWhile(int cpu, Hold hold) {
        Waiter owner = self("owner");
        owner.cpu = kTestCpus.front();
        ASSERT_TRUE(acquired(lock_->acquire(owner, {})));
        std::atomic<int> tid{0};
        const std::jthread waiter([this, cpu, &tid] {
            Waiter waiter = self("waiter");
            waiter.kernelPriority = 99 - 50;
            waiter.cpu = cpu;
            tid = waiter.tid;
            EXPECT_TRUE(acquired(lock_->acquire(waiter, {})));
            lock_->release(waiter);
        });
        hold(tid);
        lock_->release(owner);
    }
    std::unique_ptr<LockPolicy> lock_ = lockOf(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Table, SpinsForTheOwner, testing::Values("mutex", "late-boost"),
                         testNameOf);

TEST_P(SpinsForTheOwner, AndSaysHowOftenItPaid) {
    const auto spinsAndWins = [&] {
        waitWhile(kTestCpus.back(), [](const std::atomic<int>& tid) {
            while (tid.load() == 0) {
            }
            const auto end = std::chrono::steady_clock::now() + 10us; // it is there by then
            while (std::chrono::steady_clock::now() < end) {
            }
        });
        return lock_->statistics().acquiredSpinningCount > 0;
    };
    if (kTestCpus.size() < 2)
        GTEST_SKIP() << "needs two CPUs";
    ASSERT_TRUE(eventually(spinsAndWins));
    const LockStatistics statistics = lock_->statistics();
    EXPECT_GE(statistics.spinCount, statistics.acquiredSpinningCount);
    EXPECT_GT(statistics.spunNs, 0u);
    EXPECT_EQ(statistics.boostsAvoidedCount,
              GetParam() == "late-boost" ? statistics.acquiredSpinningCount : 0);
}

TEST_P(SpinsForTheOwner, NotIfItSleeps) {
    lock_->announceOwner(OwnerState::Running);
    waitWhile(kTestCpus.back(), [this](const std::atomic<int>& tid) {
        EXPECT_TRUE(becomesBlocked(tid));
        EXPECT_LE(lock_->statistics().spinCount, 1u); // bounded: it sleeps in the end
    });
    const std::uint64_t spins = lock_->statistics().spinCount;
    Waiter owner = self("owner");
    ASSERT_TRUE(acquired(lock_->acquire(owner, {})));
    lock_->announceOwner(OwnerState::Sleeping);
    std::atomic<int> tid{0};
    const std::jthread waiter([&] {
        Waiter waiter = self("waiter");
        tid = waiter.tid;
        EXPECT_TRUE(acquired(lock_->acquire(waiter, {})));
        lock_->release(waiter);
    });
    EXPECT_TRUE(becomesBlocked(tid));
    EXPECT_EQ(lock_->statistics().spinCount, spins);
    lock_->release(owner);
}

TEST_P(SpinsForTheOwner, NotOnItsOwnCpu) {
    waitWhile(kTestCpus.front(),
              [](const std::atomic<int>& tid) { EXPECT_TRUE(becomesBlocked(tid)); });
    EXPECT_EQ(lock_->statistics().spinCount, 0u);
}

/// Fair threads never reach glibc, which would leak its count of the ceiling and leave them raised.
TEST(CeilingLock, RefusesFairThreadsAndLeavesThemAsTheyAre) {
    const auto lock = lockOf("ceiling", {.ceiling = 40});
    Waiter fair = self("fair");
    for (const AcquireOutcome& outcome : {lock->acquire(fair, {}), lock->tryAcquire(fair)}) {
        ASSERT_TRUE(std::holds_alternative<NotPermitted>(outcome));
        const Error& error = std::get<NotPermitted>(outcome).error;
        EXPECT_EQ(error.code, ErrorCode::Unsupported);
        EXPECT_EQ(error.what, "fair is no FIFO or RR thread: a ceiling cannot be kept for it");
    }
    EXPECT_EQ(self().kernelPriority, fair.kernelPriority);
}

TEST(CeilingLock, RefusesPrioritiesAboveItAndDeadlineThreads) {
    const auto lock = lockOf("ceiling", {.ceiling = 40});
    Waiter high{.tid = gettid(), .name = "high", .kernelPriority = 99 - 41};
    const AcquireOutcome outcome = lock->acquire(high, {});
    ASSERT_TRUE(std::holds_alternative<NotPermitted>(outcome));
    EXPECT_EQ(std::get<NotPermitted>(outcome).error.what,
              "high has priority 41, above the lock's ceiling 40");
    Waiter deadline{.tid = gettid(), .name = "deadline", .kernelPriority = -1};
    EXPECT_TRUE(std::holds_alternative<NotPermitted>(lock->acquire(deadline, {})));
}

TEST(CeilingLock, RaisesItsOwnerAndPutsItBack) {
    if (const int error = realTimeError(); error != 0)
        GTEST_SKIP() << "needs the right to set SCHED_FIFO: " << std::strerror(error);
    const auto lock = lockOf("ceiling", {.ceiling = 40});
    std::jthread([&] {
        ASSERT_EQ(setPriority(7), 0);
        Waiter waiter = self("low");
        ASSERT_TRUE(acquired(lock->acquire(waiter, {})));
        EXPECT_EQ(self().kernelPriority, 99 - 40);
        lock->release(waiter);
        EXPECT_EQ(self().kernelPriority, 99 - 7);
    }).join();
}

} // namespace
} // namespace inversight
