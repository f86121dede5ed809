// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "lock_contract.h"

#include <gmock/gmock.h>

namespace inversight {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class LockContract : public EveryPolicy {};
class LockOwnerExit : public EveryPolicy {};

INSTANTIATE_TEST_SUITE_P(Table, LockContract, testing::ValuesIn(realPolicyNames()), testNameOf);
INSTANTIATE_TEST_SUITE_P(Table, LockOwnerExit,
                         testing::ValuesIn(realPolicyNames(&LockTraits::survivesOwner)),
                         testNameOf);

TEST(LockPolicies, TableHasUniqueNamesAndWords) {
    ASSERT_FALSE(lockPolicies().empty());
    for (const LockPolicyRow& row : lockPolicies()) {
        EXPECT_EQ(*findLockPolicy(row.name), &row);
        EXPECT_FALSE(row.text.empty()) << row.name;
        EXPECT_TRUE(row.makeReal || row.makeModel) << row.name;
        EXPECT_FALSE(row.traits.fifoOrder && row.traits.priorityOrder) << row.name;
    }
}

TEST(LockPolicies, AllOfTheArchitectureHaveARealHalf) {
    EXPECT_THAT(realPolicyNames(),
                testing::ElementsAre("mutex-2009", "mutex", "rt_mutex", "ceiling", "late-boost",
                                     "priority-queue", "ticket", "spin", "pthread"));
}

TEST(LockPolicies, UnknownNameListsTheKnownOnes) {
    const auto found = findLockPolicy("mutex-1999");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::NotFound);
    EXPECT_EQ(found.error().what, "no lock policy is called \"mutex-1999\"");
    for (const LockPolicyRow& row : lockPolicies())
        EXPECT_THAT(found.error().remedy, testing::HasSubstr(std::string(row.name)));
}

TEST_P(LockContract, FourThreadsExcludeEachOtherAndAllGetOn) {
    const ExclusionReport report = exclude(*lock_, 400ms);
    EXPECT_FALSE(report.overlapped);
    EXPECT_EQ(report.counted, report.done());
    for (const std::uint64_t mine : report.perThread)
        EXPECT_GT(mine, 0u);
}

TEST_P(LockContract, TryAcquireNeverWaits) {
    Waiter mine = self();
    ASSERT_TRUE(acquired(lock_->tryAcquire(mine)));
    std::jthread([this] {
        Waiter other = self();
        const auto begin = Clock::now();
        EXPECT_TRUE(std::holds_alternative<WouldBlock>(lock_->tryAcquire(other)));
        EXPECT_LT(Clock::now() - begin, 1s);
    }).join();
    lock_->release(mine);
    std::jthread([this] {
        Waiter other = self();
        ASSERT_TRUE(acquired(lock_->tryAcquire(other)));
        lock_->release(other);
    }).join();
}

TEST_P(LockContract, StopRequestEndsAWait) {
    Waiter mine = self();
    ASSERT_TRUE(acquired(lock_->acquire(mine, {})));
    std::atomic<int> tid{0};
    std::stop_source stop;
    Clock::time_point returned;
    std::jthread blocked([&, this] {
        Waiter waiter = self();
        tid = waiter.tid;
        EXPECT_TRUE(std::holds_alternative<Interrupted>(lock_->acquire(waiter, stop.get_token())));
        returned = Clock::now();
    });
    ASSERT_TRUE(becomesWaiting(tid));
    const auto requested = Clock::now();
    stop.request_stop();
    blocked.join();
    EXPECT_LT(returned - requested, 1s); // a slice of 100 ms, on a loaded machine
    lock_->release(mine);
    EXPECT_TRUE(acquired(lock_->tryAcquire(mine))) << "the interrupted waiter left a trace";
    lock_->release(mine);
}

TEST_P(LockContract, AWaitOutlastsItsTimeSlices) {
    Waiter mine = self();
    ASSERT_TRUE(acquired(lock_->acquire(mine, {})));
    std::atomic<int> tid{0};
    std::atomic<bool> got{false};
    std::jthread blocked([&, this] {
        Waiter waiter = self();
        tid = waiter.tid;
        got = acquired(lock_->acquire(waiter, {}));
        lock_->release(waiter);
    });
    ASSERT_TRUE(becomesWaiting(tid));
    std::this_thread::sleep_for(2 * std::chrono::nanoseconds(LockPolicy::kWaitSliceNs) + 20ms);
    EXPECT_FALSE(got);
    lock_->release(mine);
    EXPECT_TRUE(eventually([&] { return got.load(); }));
}

TEST_P(LockContract, NoWakeUpIsLost) {
    EXPECT_GT(roundsWithoutLoss(*lock_, 400ms), 5);
}

TEST_P(LockContract, AddressIsThatOfOneWordOrNone) {
    const std::uint64_t address = lock_->futexAddress();
    EXPECT_EQ(address % 4, 0u);
    // Boosts are tied to their lock by this address.
    EXPECT_TRUE(address != 0 || !row().traits.priorityInheritance);
}

TEST_P(LockOwnerExit, TheWaiterIsHandedTheLockAndTold) {
    std::atomic<int> tid{0};
    std::latch held(1);
    std::jthread owner([&, this] {
        Waiter waiter = self();
        ASSERT_TRUE(acquired(lock_->acquire(waiter, {})));
        held.count_down();
        ASSERT_TRUE(becomesWaiting(tid));
    });
    held.wait();
    Waiter mine = self();
    tid = mine.tid;
    const AcquireOutcome outcome = lock_->acquire(mine, {});
    ASSERT_TRUE(acquired(outcome));
    EXPECT_TRUE(std::get<Acquired>(outcome).ownerDied);
    lock_->release(mine);
    EXPECT_FALSE(std::get<Acquired>(lock_->acquire(mine, {})).ownerDied) << "told once";
    lock_->release(mine);
}

TEST_P(LockOwnerExit, WhoComesLaterGetsItAndIsTold) {
    std::jthread([this] {
        Waiter waiter = self();
        ASSERT_TRUE(acquired(lock_->acquire(waiter, {})));
    }).join();
    Waiter mine = self();
    std::stop_source givingUp;
    const std::jthread limit([&givingUp](const std::stop_token& done) {
        if (!eventually([&] { return done.stop_requested(); }, 5s))
            givingUp.request_stop();
    });
    const AcquireOutcome outcome = lock_->acquire(mine, givingUp.get_token());
    ASSERT_TRUE(acquired(outcome));
    EXPECT_TRUE(std::get<Acquired>(outcome).ownerDied);
    lock_->release(mine);
}

} // namespace
} // namespace inversight
