// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "lock_test_support.h"

#include <latch>
#include <numeric>
#include <random>

/// What every lock owes, however long one looks: shared by the contract test and the soak.
namespace inversight {

/// What four threads did with one lock.
struct ExclusionReport {
    bool overlapped = false;
    std::uint64_t counted = 0; ///< by a plain variable, guarded by the lock and by nothing else
    std::vector<std::uint64_t> perThread = std::vector<std::uint64_t>(4, 0);

    [[nodiscard]] std::uint64_t done() const {
        return std::accumulate(perThread.begin(), perThread.end(), std::uint64_t{0});
    }
};

/// Four threads take and release the lock for `duration`.
inline ExclusionReport exclude(LockPolicy& lock, std::chrono::milliseconds duration) {
    using std::chrono::microseconds;
    using Clock = std::chrono::steady_clock;
    ExclusionReport report;
    std::atomic<int> inside{0};
    std::atomic<bool> overlapped{false};
    const auto end = Clock::now() + duration;
    {
        std::vector<std::jthread> threads;
        for (std::uint64_t& mine : report.perThread) {
            threads.emplace_back([&] {
                Waiter waiter = self();
                while (Clock::now() < end) {
                    ASSERT_TRUE(acquired(lock.acquire(waiter, {})));
                    overlapped = overlapped || inside.fetch_add(1) != 0;
                    ++report.counted;
                    ++mine;
                    if (mine % 16 == 0) // let the others pile up in the queue
                        std::this_thread::sleep_for(microseconds(20));
                    inside.fetch_sub(1);
                    lock.release(waiter);
                    if (mine % 16 == 8) // and let them pass: real-time threads do not share a CPU
                        std::this_thread::sleep_for(microseconds(20));
                }
            });
        }
    }
    report.overlapped = overlapped;
    return report;
}

/// One round: three waiters and one that is interrupted arrive just while the owner lets go. Each
/// wake-up must reach somebody, also if its addressee leaves.
inline bool everybodyComesThrough(LockPolicy& lock, std::mt19937& random) {
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
    const bool all = eventually([&] { return through == 4; }, std::chrono::seconds(5));
    givingUp.request_stop();
    return all;
}

/// The number of rounds until `duration` was over; stops at the first that lost a wake-up.
inline int roundsWithoutLoss(LockPolicy& lock, std::chrono::milliseconds duration) {
    std::mt19937 random(1);
    const auto end = std::chrono::steady_clock::now() + duration;
    int rounds = 0;
    while (std::chrono::steady_clock::now() < end) {
        if (!everybodyComesThrough(lock, random)) {
            ADD_FAILURE() << "a wake-up was lost in round " << rounds;
            return rounds;
        }
        ++rounds;
    }
    return rounds;
}

} // namespace inversight
