// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "lock_test_support.h"

#include <atomic>
#include <latch>
#include <random>

#include <gmock/gmock.h>

namespace inversight {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class LockContract : public EveryPolicy {};

INSTANTIATE_TEST_SUITE_P(Table, LockContract, testing::ValuesIn(realPolicyNames()), testNameOf);

TEST(LockPolicies, TableHasUniqueNamesAndWords) {
    ASSERT_FALSE(lockPolicies().empty());
    for (const LockPolicyRow& row : lockPolicies()) {
        EXPECT_EQ(*findLockPolicy(row.name), &row);
        EXPECT_FALSE(row.text.empty()) << row.name;
        EXPECT_TRUE(row.makeReal || row.makeModel) << row.name;
    }
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
    std::uint64_t total = 0; // guarded by the lock under test, and by nothing else
    std::atomic<int> inside{0};
    std::atomic<bool> overlapped{false};
    std::vector<std::uint64_t> own(4, 0);
    const auto end = Clock::now() + 1s;
    {
        std::vector<std::jthread> threads;
        for (std::uint64_t& mine : own) {
            threads.emplace_back([&, this] {
                Waiter waiter = self();
                while (Clock::now() < end) {
                    ASSERT_TRUE(acquired(lock_->acquire(waiter, {})));
                    overlapped = overlapped || inside.fetch_add(1) != 0;
                    ++total;
                    ++mine;
                    if (mine % 16 == 0) // let the others pile up in the queue
                        std::this_thread::sleep_for(20us);
                    inside.fetch_sub(1);
                    lock_->release(waiter);
                }
            });
        }
    }
    EXPECT_FALSE(overlapped);
    EXPECT_EQ(total, own[0] + own[1] + own[2] + own[3]);
    for (const std::uint64_t mine : own)
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
    ASSERT_TRUE(becomesBlocked(tid));
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
    ASSERT_TRUE(becomesBlocked(tid));
    std::this_thread::sleep_for(3 * std::chrono::nanoseconds(LockPolicy::kWaitSliceNs));
    EXPECT_FALSE(got);
    lock_->release(mine);
    EXPECT_TRUE(eventually([&] { return got.load(); }));
}

/// One round: three waiters and one that is interrupted arrive just while the owner lets go. Each
/// wake-up must reach somebody, also if its addressee leaves.
bool everybodyComesThrough(LockPolicy& lock, std::mt19937& random) {
    std::uniform_int_distribution<int> upTo(0, 60);
    Waiter mine = self();
    if (!acquired(lock.acquire(mine, {})))
        return false;
    std::atomic<int> through{0};
    std::stop_source interruption;
    std::stop_source givingUp; // ends the round if a wake-up was lost
    std::latch ready(5);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
        const std::stop_token token = i == 0 ? interruption.get_token() : givingUp.get_token();
        threads.emplace_back([&lock, &through, &ready, token, delay = upTo(random)] {
            Waiter waiter = self();
            ready.arrive_and_wait();
            std::this_thread::sleep_for(std::chrono::microseconds(delay));
            const AcquireOutcome outcome = lock.acquire(waiter, token);
            if (acquired(outcome))
                lock.release(waiter);
            ++through;
        });
    }
    ready.arrive_and_wait();
    std::this_thread::sleep_for(std::chrono::microseconds(upTo(random)));
    interruption.request_stop();
    lock.release(mine);
    const bool all = eventually([&] { return through == 4; }, 5s);
    givingUp.request_stop();
    return all;
}

TEST_P(LockContract, NoWakeUpIsLost) {
    std::mt19937 random(1);
    const auto end = Clock::now() + 1s;
    int rounds = 0;
    for (; Clock::now() < end; ++rounds)
        ASSERT_TRUE(everybodyComesThrough(*lock_, random)) << "round " << rounds;
    EXPECT_GT(rounds, 5);
}

TEST_P(LockContract, AddressIsThatOfOneWordOrNone) {
    const std::uint64_t address = lock_->futexAddress();
    EXPECT_EQ(address % 4, 0u);
    // Boosts are tied to their lock by this address.
    EXPECT_TRUE(address != 0 || !row().traits.priorityInheritance);
}

} // namespace
} // namespace inversight
