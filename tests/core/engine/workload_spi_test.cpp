// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/preconditions.h"
#include "core/engine/workload_engine.h"
#include "core/lock/lock_policies.h"
#include "engine_test_support.h"
#include "recording_sink.h"

#include <gmock/gmock.h>

/// SPI buses on real threads, with the threads of their drivers as workers beside the others.
namespace inversight {
namespace {

constexpr const char* kSpiScenario = R"({"scenario":1,"name":"spi",
    "buses":[{"name":"spi1.0","backend":"sim-spi","clock_hz":320000,
              "spi":{"path":"pump","pump":{"name":"spi1","class":"fifo","priority":40},
                     "interrupt":{"name":"irq/99-spi","class":"fifo","priority":50},
                     "interrupt_ns":20000}}],
    "threads":[{"name":"servo","class":"fifo","priority":60,"loops":20,
                "body":[{"transfer":{"bus":"spi1.0","bytes":40}}]},
               {"name":"load","class":"other","background":true,
                "body":[{"run":{"duration_ns":100000}},{"sleep":{"duration_ns":1000000}}]}]})";

class SpiWorkload : public testing::TestWithParam<WorkerKind> {
protected:
    void SetUp() override {
        const std::array needs{Need::Cpus, Need::RtRights, Need::RtRuntime};
        if (const auto met = require(needs); !met)
            GTEST_SKIP() << "needs real-time rights and two CPUs: " << met.error().sentence();
#if defined(__SANITIZE_THREAD__)
        if (GetParam() == WorkerKind::Process)
            GTEST_SKIP() << "needs a build without ThreadSanitizer";
#endif
    }
    Result<RunResult> run(const std::string& json) {
        const Scenario scenario = TRY(parseScenario(json));
        WorkloadEngine engine(scenario.spec, **findLockPolicy("rt_mutex"), cpusOfThisMachine(),
                              sink_, {.workers = GetParam()});
        RunObserver observer;
        observer.started = [this](const std::vector<ManifestThread>& threads) {
            announced_ = threads;
        };
        return engine.run({}, observer);
    }
    RecordingSink sink_;
    std::vector<ManifestThread> announced_;
};

TEST_P(SpiWorkload, HelpersServeUntilTheWorkersHaveEnded) {
    const auto result = run(kSpiScenario);
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_FALSE(result->interrupted);
    ASSERT_EQ(result->threads.size(), 1u);
    const ThreadRunResult& servo = result->threads.front();
    EXPECT_EQ(servo.name, "servo");
    EXPECT_EQ(servo.operationCount, 20u);
    EXPECT_EQ(servo.errorCount, 0u);
    // 40 bytes at 320 kHz are 1 ms, and the interrupt's thread needs its CPU.
    EXPECT_GE(servo.latency.min(), 1'020'000);
    ASSERT_TRUE(servo.parts);
    EXPECT_GE(servo.parts->wire.min(), 1'020'000);
    EXPECT_GE(servo.parts->toWire.min(), 0);
    ASSERT_EQ(announced_.size(), 4u);
    EXPECT_EQ(announced_[2].name, "spi1");
    EXPECT_EQ(announced_[2].priority, 40);
    EXPECT_EQ(announced_[3].name, "irq/99-spi");
}

INSTANTIATE_TEST_SUITE_P(Kinds, SpiWorkload,
                         testing::Values(WorkerKind::Thread, WorkerKind::Process),
                         [](const auto& info) {
                             return info.param == WorkerKind::Thread ? "threads" : "processes";
                         });

} // namespace
} // namespace inversight
