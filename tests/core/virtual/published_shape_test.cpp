// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// What the tables of September 2009 show, in virtual time: not their figures, but their shape.
#include "tests/core/virtual/virtual_run.h"

#include <gmock/gmock.h>

#include <cstdlib>

namespace inversight {
namespace {

using test::runVirtual;
using test::VirtualRun;

using test::kMs;

TEST(PublishedShape, BoardAUnderTheMutexOf2009) {
    const VirtualRun run = runVirtual("i2c-bus-2009", "mutex-2009");
    const LatencyHistogram& fifo = run.thread("fifo-99").latency;
    const LatencyHistogram& fair = run.thread("prio-0").latency;
    // The wait list is FIFO: the real-time worker stands behind the fair one (published: 796509
    // and 796479 us), while the nice -5 worker takes the released lock again and again.
    EXPECT_LE(std::abs(fifo.max() - fair.max()), kMs);
    EXPECT_GE(fifo.max(), 100 * fifo.min());
    // A read takes the board's 0.58 ms as a whole (published minima: 549 to 580 us).
    EXPECT_NEAR(static_cast<double>(fifo.min()), 0.565e6, 0.016e6);
    EXPECT_LT(run.thread("prio-m5").runTimeNs, run.thread("prio-0").runTimeNs);
    EXPECT_LT(run.thread("prio-0").runTimeNs, run.thread("fifo-99").runTimeNs);
}

TEST(PublishedShape, BoardAUnderTheRtMutexOf2009) {
    const VirtualRun before = runVirtual("i2c-bus-2009", "mutex-2009");
    const VirtualRun after = runVirtual("i2c-bus-2009", "rt_mutex-nice");
    const LatencyHistogram& fifo = after.thread("fifo-99").latency;
    EXPECT_LT(fifo.max(), 3 * fifo.min()) << "published: 1282 us, one section and its own";
    const double ratio =
        static_cast<double>(after.result.totalNs) / static_cast<double>(before.result.totalNs);
    EXPECT_LE(ratio, 0.8) << "published: 27.4 % less";
    EXPECT_GE(ratio, 0.65);
    EXPECT_GT(after.result.boostCount, 1'000u);
}

TEST(PublishedShape, BoardBStarvesNiceZeroWhereNiceOrdersTheQueue) {
    const VirtualRun run = runVirtual("i2c-bus-2009-nforce2", "rt_mutex-nice");
    const VirtualThreadResult& fair = run.thread("prio-0");
    const std::int64_t othersEnd =
        std::max(run.thread("fifo-99").runTimeNs, run.thread("prio-m5").runTimeNs);
    EXPECT_GT(fair.latency.max(), othersEnd - 100 * kMs) << "published: 16004516 us";
    EXPECT_NEAR(static_cast<double>(run.result.totalNs), 24e9, 0.5e9);
}

TEST(PublishedShape, BoardBDoesNotUnderTodaysRtMutex) {
    const VirtualRun run = runVirtual("i2c-bus-2009-nforce2", "rt_mutex");
    EXPECT_LT(run.thread("prio-0").latency.max(), 60 * kMs);
    EXPECT_NEAR(static_cast<double>(run.result.totalNs), 24e9, 0.5e9);
}

/// 8 ms per read both ways: a saturated bus cannot be sped up.
TEST(PublishedShape, BoardBIsSaturated) {
    const VirtualRun run = runVirtual("i2c-bus-2009-nforce2", "mutex-2009");
    EXPECT_NEAR(static_cast<double>(run.result.totalNs), 24e9, 0.5e9);
}

} // namespace
} // namespace inversight
