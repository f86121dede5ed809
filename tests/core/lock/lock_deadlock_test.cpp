// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/wait_graph.h"
#include "lock_test_support.h"

#include <deque>
#include <latch>

namespace inversight {
namespace {

using Links = std::vector<Deadlock::Link>;

class LockTakenTwice : public EveryPolicy {};
class LockCycle : public EveryPolicy {};
class WatchedLocks : public EveryPolicy {
protected:
    [[nodiscard]] WatchedLock watched(std::string name) const {
        return {std::move(name), makeLock(), row().traits};
    }
};

INSTANTIATE_TEST_SUITE_P(Table, LockTakenTwice, testing::ValuesIn(realPolicyNames()), testNameOf);
INSTANTIATE_TEST_SUITE_P(Table, LockCycle,
                         testing::ValuesIn(realPolicyNames(&LockTraits::kernelSeesCycles)),
                         testNameOf);
INSTANTIATE_TEST_SUITE_P(Table, WatchedLocks, testing::ValuesIn(realPolicyNames()), testNameOf);

TEST_P(LockTakenTwice, IsADeadlockOfOne) {
    Waiter waiter = self("careless");
    ASSERT_TRUE(acquired(lock_->acquire(waiter, {})));
    const AcquireOutcome again = lock_->acquire(waiter, {});
    ASSERT_TRUE(std::holds_alternative<Deadlock>(again));
    EXPECT_EQ(std::get<Deadlock>(again).cycle, (Links{{"careless", ""}}));
    EXPECT_TRUE(std::holds_alternative<WouldBlock>(lock_->tryAcquire(waiter)));
    lock_->release(waiter);
    ASSERT_TRUE(acquired(lock_->tryAcquire(waiter))) << "one release was enough";
    lock_->release(waiter);
}

TEST_P(LockCycle, OfTwoIsRefusedByTheKernel) {
    const std::unique_ptr<LockPolicy> second = makeLock();
    std::latch bothHold(2);
    std::atomic<int> tid{0};
    std::jthread other([&, this] {
        Waiter waiter = self("other");
        ASSERT_TRUE(acquired(second->acquire(waiter, {})));
        bothHold.arrive_and_wait();
        tid = waiter.tid;
        ASSERT_TRUE(acquired(lock_->acquire(waiter, {}))); // once the cycle was refused
        lock_->release(waiter);
        second->release(waiter);
    });
    Waiter waiter = self("main");
    ASSERT_TRUE(acquired(lock_->acquire(waiter, {})));
    bothHold.arrive_and_wait();
    ASSERT_TRUE(becomesBlocked(tid));
    const AcquireOutcome outcome = second->acquire(waiter, {});
    lock_->release(waiter);
    ASSERT_TRUE(std::holds_alternative<Deadlock>(outcome));
    EXPECT_EQ(std::get<Deadlock>(outcome).cycle, (Links{{"main", ""}}));
}

TEST_P(WatchedLocks, ACycleOfThreeIsNamedInOrder) {
    std::deque<WatchedLock> locks;
    for (const char* name : {"A", "B", "C"})
        locks.emplace_back(name, makeLock(), row().traits);
    std::vector<WaitingThread> threads(3);
    std::latch allHold(3);
    std::atomic<int> waiting{0};
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < 3; ++i) {
        others.emplace_back([&, i] {
            threads[i].waiter = self("t" + std::to_string(i));
            ASSERT_TRUE(acquired(locks[i].acquire(threads[i], {})));
            allHold.arrive_and_wait();
            waiting.fetch_add(1);
            ASSERT_TRUE(acquired(locks[(i + 1) % 3].acquire(threads[i], {})));
            locks[(i + 1) % 3].release(threads[i]);
            locks[i].release(threads[i]);
        });
    }
    threads[0].waiter = self("t0");
    ASSERT_TRUE(acquired(locks[0].acquire(threads[0], {})));
    allHold.arrive_and_wait();
    ASSERT_TRUE(eventually([&] { return waiting == 2; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto begin = std::chrono::steady_clock::now();
    const AcquireOutcome outcome = locks[1].acquire(threads[0], {});
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
    locks[0].release(threads[0]);
    ASSERT_TRUE(std::holds_alternative<Deadlock>(outcome));
    const auto& deadlock = std::get<Deadlock>(outcome);
    EXPECT_EQ(deadlock.cycle, (Links{{"t0", "B"}, {"t1", "C"}, {"t2", "A"}}));
    EXPECT_EQ(
        deadlockText(deadlock),
        "t0 waits for B, held by t1, which waits for C, held by t2, which waits for A, held by t0");
}

TEST_P(WatchedLocks, TakenTwiceIsNamed) {
    WatchedLock lock = watched("A");
    WaitingThread thread(self("careless"));
    ASSERT_TRUE(acquired(lock.tryAcquire(thread)));
    const AcquireOutcome again = lock.acquire(thread, {});
    ASSERT_TRUE(std::holds_alternative<Deadlock>(again));
    EXPECT_EQ(std::get<Deadlock>(again).cycle, (Links{{"careless", "A"}}));
    lock.release(thread);
    EXPECT_TRUE(acquired(lock.tryAcquire(thread)));
    lock.release(thread);
}

/// Locks always taken in one order never make a cycle, however the graph's parts are read.
TEST_P(WatchedLocks, NestingInOneOrderIsNoCycle) {
    std::deque<WatchedLock> locks;
    for (const char* name : {"A", "B", "C"})
        locks.emplace_back(name, makeLock(), row().traits);
    std::vector<WaitingThread> threads(3);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(150);
    std::atomic<std::uint64_t> done{0};
    {
        std::vector<std::jthread> workers;
        for (WaitingThread& thread : threads) {
            workers.emplace_back([&] {
                thread.waiter = self();
                while (std::chrono::steady_clock::now() < end) {
                    for (WatchedLock& lock : locks)
                        ASSERT_TRUE(acquired(lock.acquire(thread, {})));
                    for (auto lock = locks.rbegin(); lock != locks.rend(); ++lock)
                        lock->release(thread);
                    if (done.fetch_add(1) % 8 == 0)
                        std::this_thread::sleep_for(std::chrono::microseconds(20));
                }
            });
        }
    }
    EXPECT_GT(done, 10u);
}

/// The kernel cannot follow a chain through a lock that it does not know.
TEST(WatchedLock, ACycleThroughTwoPoliciesIsFound) {
    const LockPolicyRow& inheriting = **findLockPolicy("rt_mutex");
    const LockPolicyRow& plain = **findLockPolicy("pthread");
    for (const bool inheritingLast : {false, true}) {
        SCOPED_TRACE(inheritingLast);
        WatchedLock a("A", inheriting.makeReal({}), inheriting.traits);
        WatchedLock b("B", plain.makeReal({}), plain.traits);
        WatchedLock& first = inheritingLast ? b : a;
        WatchedLock& second = inheritingLast ? a : b;
        WaitingThread low;
        std::latch bothHold(2);
        std::atomic<int> tid{0};
        std::jthread other([&] {
            low.waiter = self("low");
            ASSERT_TRUE(acquired(second.acquire(low, {})));
            bothHold.arrive_and_wait();
            tid = gettid();
            ASSERT_TRUE(acquired(first.acquire(low, {})));
            first.release(low);
            second.release(low);
        });
        WaitingThread high(self("high"));
        ASSERT_TRUE(acquired(first.acquire(high, {})));
        bothHold.arrive_and_wait();
        ASSERT_TRUE(becomesBlocked(tid));
        const AcquireOutcome outcome = second.acquire(high, {});
        first.release(high);
        ASSERT_TRUE(std::holds_alternative<Deadlock>(outcome));
        EXPECT_EQ(std::get<Deadlock>(outcome).cycle,
                  (Links{{"high", second.name()}, {"low", first.name()}}));
    }
}

} // namespace
} // namespace inversight
