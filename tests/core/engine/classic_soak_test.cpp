// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/preconditions.h"
#include "core/engine/workload_engine.h"
#include "core/lock/lock_policies.h"
#include "engine_test_support.h"

#include <cstdio>
#include <cstdlib>

/// The textbook's inversion on this machine: what H waits for R while L holds it and M keeps L from
/// getting on. Theory: 13 ms without inheritance, 3 ms with it, none under the ceiling.
namespace inversight {
namespace {

constexpr int kRuns = 20;
constexpr std::int64_t kToleranceNs = 1'000'000;

struct Expectation {
    const char* policy;
    std::int64_t waitNs;
};

class ClassicOnRealThreads : public testing::TestWithParam<Expectation> {
protected:
    void SetUp() override {
        const std::array needs{Need::Cpus, Need::RtRights, Need::RtRuntime};
        if (const auto met = require(needs); !met)
            GTEST_SKIP() << "needs real-time rights and two CPUs: " << met.error().sentence();
    }
    /// H's wait of each run, sorted.
    static std::vector<std::int64_t> waits(const std::string& policy) {
        const auto scenario = loadScenario("classic", {});
        std::vector<std::int64_t> waits;
        for (int i = 0; i < kRuns; ++i) {
            NullMarkerSink nowhere;
            WorkloadEngine engine(scenario->spec, **findLockPolicy(policy), cpusOfThisMachine(),
                                  nowhere);
            const auto result = engine.run({}, {});
            EXPECT_TRUE(result) << result.error().sentence();
            if (!result)
                break;
            EXPECT_EQ(result->threads[2].name, "H");
            waits.push_back(result->threads[2].jobs->maxWaitNs);
        }
        std::ranges::sort(waits);
        return waits;
    }
};

INSTANTIATE_TEST_SUITE_P(Table, ClassicOnRealThreads,
                         testing::Values(Expectation{"pthread", 13'000'000},
                                         Expectation{"rt_mutex", 3'000'000},
                                         Expectation{"ceiling", 0}),
                         [](const auto& tested) { return std::string(tested.param.policy); });

TEST_P(ClassicOnRealThreads, MedianWaitIsWithinAMillisecondOfTheory) {
    const std::vector<std::int64_t> sorted = waits(GetParam().policy);
    ASSERT_EQ(sorted.size(), std::size_t{kRuns});
    const std::int64_t median = sorted[kRuns / 2];
    std::printf("%s: H waits %lld us in the median of %d (%lld to %lld)\n", GetParam().policy,
                static_cast<long long>(median / 1000), kRuns,
                static_cast<long long>(sorted.front() / 1000),
                static_cast<long long>(sorted.back() / 1000));
    EXPECT_LE(std::abs(median - GetParam().waitNs), kToleranceNs);
}

} // namespace
} // namespace inversight
