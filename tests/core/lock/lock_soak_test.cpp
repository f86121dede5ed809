// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "lock_contract.h"

/// The contract at the length that an issue asks for; also built with tsan (./dev soak).
namespace inversight {
namespace {

using namespace std::chrono_literals;

class LockSoak : public EveryPolicy {};

INSTANTIATE_TEST_SUITE_P(Table, LockSoak, testing::ValuesIn(realPolicyNames()), testNameOf);

TEST_P(LockSoak, FourThreadsForThreeSeconds) {
    const ExclusionReport report = exclude(*lock_, 3s);
    EXPECT_FALSE(report.overlapped);
    EXPECT_EQ(report.counted, report.done());
    for (const std::uint64_t mine : report.perThread)
        EXPECT_GT(mine, 0u);
    printf("%s: %llu acquisitions\n", GetParam().c_str(),
           static_cast<unsigned long long>(report.done()));
}

TEST_P(LockSoak, NoWakeUpIsLostInAMinute) {
    const int rounds = roundsWithoutLoss(*lock_, 60s);
    EXPECT_GT(rounds, 500);
    printf("%s: %d rounds\n", GetParam().c_str(), rounds);
}

} // namespace
} // namespace inversight
