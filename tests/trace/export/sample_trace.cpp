// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "sample_trace.h"

#include <gtest/gtest.h>

namespace inversight::test {

namespace {

constexpr std::int64_t kStart = 1'000'000'000;

} // namespace

SampleTrace::SampleTrace(const TraceScript& script) {
    trace.store = script.toStore();
    trace.info.path = "out/sample.dat";
    trace.info.format = "trace.dat";
    trace.info.version = 6;
    trace.info.compression = "none";
    trace.info.cpuCount = 3;
    trace.info.streams.assign(trace.store->streams().begin(), trace.store->streams().end());
    EXPECT_TRUE(runAnalyses(*trace.store, results, JobContext()));
}

TraceScript boostedOperation() {
    TraceScript script;
    const auto at = [&](std::int64_t time) -> TraceScript& { return script.at(kStart + time); };
    script.task(10, "low, \"x\"", 120).task(30, "high\x1b[1m", 0);
    at(0).switchTo(10).marker(LockAnnouncement{"bus", 0x1000, LockAddressKind::Futex});
    at(20).marker(WaitBegin{"bus"}).marker(HoldBegin{"bus", 1}).marker(SliceEnd{});
    at(30).marker(TransferBegin{"i2c-0", "read"});
    at(90).switchTo(30, kTaskInterruptible);
    at(100).marker(WaitBegin{"bus"}).futexEnter(0x1000, 0x86);
    at(110).setprio(10, 0);
    at(120).switchTo(10, kTaskInterruptible);
    at(480).marker(SliceEnd{});
    at(490).marker(HoldEnd{"bus", 1}).at(kStart + 500).futexEnter(0x1000, 0x87);
    at(510).setprio(10, 120).waking(30).at(kStart + 530).futexExit(0);
    at(540).switchTo(30, kTaskPreempted).futexExit(0);
    at(550).marker(HoldBegin{"bus", 2}).marker(SliceEnd{});
    at(560).marker(TransferBegin{"i2c-0", "read"}).at(kStart + 600).marker(SliceEnd{});
    at(610).marker(HoldEnd{"bus", 2});
    script.cpu(1);
    at(620).switchTo(40).lost(7);
    at(700).switchTo(0);
    return script;
}

} // namespace inversight::test
