// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The SPI stack in virtual time without costs: every latency is a sum of what the scenario says.
#include "tests/core/virtual/virtual_run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inversight::test {
namespace {

// 8 bytes at 1 MHz are 64 us on the wire; 10 us in front of it and 5 us behind.
constexpr std::int64_t kPlainNs = 79 * kUs;

/// One CPU, `servo` (FIFO 80) with `loops` messages and a sleep of 1 ms behind each.
WorkloadSpec spiSpec(const std::string& spi, const std::string& others = "", int loops = 1) {
    return specWith(fmt::format(
        R"("buses": [ {{ "name": "spi1.0", "backend": "sim-spi", "clock_hz": 1000000,
                         "cpu_before_ns": 10000, "cpu_after_ns": 5000, "spi": {{ {} }} }} ],
           "threads": [ {{ "name": "servo", "class": "fifo", "priority": 80, "loops": {},
                           "body": [ {{ "transfer": {{ "bus": "spi1.0", "bytes": 8 }} }},
                                     {{ "sleep": {{ "duration_ns": 1000000 }} }} ] }} {} ])",
        spi, loops, others));
}

constexpr const char* kPump =
    R"("path": "pump", "pump": { "name": "spi1", "class": "fifo", "priority": 50 })";
constexpr const char* kInterrupt =
    R"("interrupt": { "name": "irq/99-spi", "class": "fifo", "priority": 50 }, "interrupt_ns": 4000)";
/// Runs 20 ms at FIFO 60 from 20 us on: below servo, above the driver's threads.
constexpr const char* kMiddle =
    R"(, { "name": "middle", "class": "fifo", "priority": 60, "start_ns": 20000,
           "body": [ { "run": { "duration_ns": 20000000 } } ] })";

std::int64_t latencyOf(const VirtualRun& run) {
    EXPECT_EQ(run.thread("servo").latency.min(), run.thread("servo").latency.max());
    return run.thread("servo").latency.max();
}

TEST(VirtualSpi, InlineIsCostWireCost) {
    const VirtualRun run = runVirtual(spiSpec(""), "mutex");
    EXPECT_EQ(latencyOf(run), kPlainNs);
    EXPECT_EQ(run.timeline(), "servo[0,0.01) servo[0.074,0.079)");
}

TEST(VirtualSpi, InterruptThreadRunsBehindTheWire) {
    const VirtualRun run = runVirtual(spiSpec(kInterrupt, "", 3), "mutex");
    EXPECT_EQ(latencyOf(run), kPlainNs + 4 * kUs);
    EXPECT_EQ(run.thread("servo").operationCount, 3u);
}

TEST(VirtualSpi, PumpCarriesOutTheMessage) {
    const VirtualRun run =
        runVirtual(spiSpec(fmt::format("{}, {}", kPump, kInterrupt)), "mutex");
    EXPECT_EQ(latencyOf(run), kPlainNs + 4 * kUs);
    EXPECT_EQ(run.timeline(), "spi1[0,0.01) irq/99-spi[0.074,0.078) spi1[0.078,0.083)");
}

// The lock's policy helps nobody here: servo waits for a helper, not for a lock.
TEST(VirtualSpi, MiddleThreadDelaysServoThroughThePump) {
    for (const char* policy : {"mutex", "rt_mutex"}) {
        const VirtualRun run = runVirtual(spiSpec(kPump, kMiddle), policy);
        // The wire has ended long since; then come the 5 us behind it.
        EXPECT_EQ(latencyOf(run), 20 * kMs + 20 * kUs + 5 * kUs) << policy;
    }
    EXPECT_EQ(latencyOf(runVirtual(spiSpec("", kMiddle), "mutex")), kPlainNs);
}

TEST(VirtualSpi, MiddleThreadDelaysServoThroughTheInterruptThread) {
    EXPECT_EQ(latencyOf(runVirtual(spiSpec(kInterrupt, kMiddle), "mutex")),
              20 * kMs + 20 * kUs + 4 * kUs + 5 * kUs);
}

TEST(VirtualSpi, PumpAboveTheMiddleThreadIsNotDelayed) {
    constexpr const char* high =
        R"("path": "pump", "pump": { "name": "spi1", "class": "fifo", "priority": 70 })";
    EXPECT_EQ(latencyOf(runVirtual(spiSpec(high, kMiddle), "mutex")), kPlainNs);
}

TEST(VirtualSpi, AllocationCountsPerIoctlOnly) {
    EXPECT_EQ(latencyOf(runVirtual(
                  spiSpec(R"("allocation": "per_ioctl", "allocation_ns": 7000)"), "mutex")),
              kPlainNs + 7 * kUs);
    EXPECT_EQ(latencyOf(runVirtual(
                  spiSpec(R"("allocation": "at_open", "allocation_ns": 7000)"), "mutex")),
              kPlainNs);
}

TEST(VirtualSpi, DmaIsTriedAgainAfterTenMilliseconds) {
    constexpr const char* dma =
        R"("dma": "per_message", "dma_acquire_ns": 3000, "dma_busy_ppm": 500000)";
    const VirtualRun run = runVirtual(spiSpec(dma, "", 200), "mutex");
    const LatencyHistogram& latency = run.thread("servo").latency;
    EXPECT_EQ(latency.min(), kPlainNs + 3 * kUs);
    const std::int64_t retries = (latency.max() - kPlainNs) / (10 * kMs);
    EXPECT_GE(retries, 3);
    EXPECT_EQ(latency.max(), kPlainNs + 3 * kUs + retries * (10 * kMs + 3 * kUs));
    EXPECT_EQ(latencyOf(runVirtual(
                  spiSpec(R"("dma": "at_probe", "dma_acquire_ns": 3000, "dma_busy_ppm": 500000)"),
                  "mutex")),
              kPlainNs);
}

TEST(VirtualSpi, BackgroundLoadEndsWithTheOthers) {
    constexpr const char* load = R"(, { "name": "load", "class": "other", "background": true,
        "body": [ { "run": { "duration_ns": 100000 } }, { "sleep": { "duration_ns": 100000 } } ] })";
    const VirtualRun run = runVirtual(spiSpec(kPump, load, 5), "mutex");
    EXPECT_FALSE(run.result.interrupted);
    ASSERT_EQ(run.result.threads.size(), 1u);
    EXPECT_EQ(run.result.totalNs, 5 * (kPlainNs + kMs));
    EXPECT_THAT(run.timeline(), testing::HasSubstr("load["));
}

TEST(VirtualSpi, ThreadsOfOneDeviceQueueUpForItsLock) {
    constexpr const char* second = R"(, { "name": "second", "class": "fifo", "priority": 70,
        "body": [ { "transfer": { "bus": "spi1.0", "bytes": 16 } } ] })";
    const VirtualRun run = runVirtual(spiSpec(kPump, second), "rt_mutex");
    EXPECT_EQ(latencyOf(run), kPlainNs);
    EXPECT_EQ(run.thread("second").latency.max(), 2 * kPlainNs + 64 * kUs);
    EXPECT_EQ(run.thread("second").maxWaitNs, kPlainNs);
}

TEST(VirtualSpi, Published2014ShapeHolds) {
    // Channels a hundred times as scarce, so that 20 s show what took hours.
    const VirtualRun before = runVirtual("spi-periodic-2014-before", "mutex",
                                         {.settings = {"bus.spi1.0.spi.dma_busy_ppm=200"}});
    const VirtualRun after = runVirtual("spi-periodic-2014-after", "mutex");
    const auto& beforeServo = before.thread("servo");
    const auto& afterServo = after.thread("servo");
    EXPECT_EQ(afterServo.jobCount, 10'000u);
    EXPECT_EQ(afterServo.deadlineMissCount, 0u);
    EXPECT_GT(beforeServo.deadlineMissCount, 0u);
    EXPECT_GT(beforeServo.latency.max(), 10 * kMs);
    // Three transactions: about 200 us typical, 465 us at the worst.
    EXPECT_GE(afterServo.response.percentile(0.5), 180 * kUs);
    EXPECT_LE(afterServo.response.percentile(0.5), 220 * kUs);
    EXPECT_LE(afterServo.response.max(), 465 * kUs);
    EXPECT_LE(afterServo.latency.max(), 250 * kUs);
    EXPECT_GT(beforeServo.response.percentile(0.5), afterServo.response.percentile(0.5));
}

} // namespace
} // namespace inversight::test
