// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "lock_test_support.h"

#include <latch>

namespace inversight {
namespace {

class LockTakenTwice : public EveryPolicy {};
class LockCycle : public EveryPolicy {};

INSTANTIATE_TEST_SUITE_P(Table, LockTakenTwice, testing::ValuesIn(realPolicyNames()), testNameOf);
INSTANTIATE_TEST_SUITE_P(Table, LockCycle,
                         testing::ValuesIn(realPolicyNames(&LockTraits::priorityInheritance)),
                         testNameOf);

TEST_P(LockTakenTwice, IsADeadlockOfOne) {
    Waiter waiter = self("careless");
    ASSERT_TRUE(acquired(lock_->acquire(waiter, {})));
    const AcquireOutcome again = lock_->acquire(waiter, {});
    ASSERT_TRUE(std::holds_alternative<Deadlock>(again));
    EXPECT_EQ(std::get<Deadlock>(again).cycle, std::vector<std::string>{"careless"});
    EXPECT_TRUE(std::holds_alternative<WouldBlock>(lock_->tryAcquire(waiter)));
    lock_->release(waiter);
    ASSERT_TRUE(acquired(lock_->tryAcquire(waiter))) << "one release was enough";
    lock_->release(waiter);
}

TEST_P(LockCycle, OfTwoIsRefused) {
    const std::unique_ptr<LockPolicy> second = row().makeReal();
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
    EXPECT_EQ(std::get<Deadlock>(outcome).cycle, std::vector<std::string>{"main"});
}

} // namespace
} // namespace inversight
