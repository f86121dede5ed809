// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/lock_waits.h"

#include "analyzed_script.h"
#include "trace/analysis/open_waits.h"

namespace inversight::test {

namespace {

const std::vector<LockWait>& waitsOf(const AnalyzedStore& trace) {
    return trace.get<LockWaits>().waits;
}
std::string lockOf(const AnalyzedStore& trace, const LockWait& wait) {
    return trace.get<LockEvents>().locks[wait.lock.index()].name;
}

TEST(LockWaits, AMarkedWaitSwallowsTheFutexCallsInside) {
    TraceScript script;
    script.at(0).switchTo(5).at(5).marker(HoldBegin{"m", 1}).at(8).switchTo(6);
    script.at(10).marker(WaitBegin{"m"}).at(11).futexEnter(0x1000, kLockPi);
    script.at(12).switchTo(5, kTaskInterruptible).at(20).marker(HoldEnd{"m", 1}).at(22).switchTo(6);
    script.at(23).futexExit(-110).at(24).futexEnter(0x2000, kFutexWait).at(25).futexExit(0);
    script.at(26).marker(HoldBegin{"m", 2}).at(27).marker(SliceEnd{}).at(30).switchTo(0);
    const AnalyzedStore trace(script);
    ASSERT_EQ(waitsOf(trace).size(), 1U);
    const LockWait& wait = waitsOf(trace)[0];
    EXPECT_EQ(lockOf(trace, wait), "m");
    EXPECT_EQ(wait.range, (TimeRange{10, 26}));
    EXPECT_EQ(wait.source, LockSource::Marker);
    EXPECT_TRUE(wait.acquired);
    EXPECT_TRUE(wait.contended);
    EXPECT_EQ(wait.owner, trace.thread(5));
    EXPECT_EQ(wait.evidence, OwnerEvidence::Marker);
    EXPECT_EQ(wait.confidence, Confidence::Certain);
}

TEST(LockWaits, AnUncontendedRequestIsAWaitThatSaysSo) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).marker(WaitBegin{"m"}).at(11).marker(HoldBegin{"m", 1});
    script.at(12).marker(SliceEnd{}).at(20).marker(HoldEnd{"m", 1});
    const AnalyzedStore trace(script);
    ASSERT_EQ(waitsOf(trace).size(), 1U);
    EXPECT_EQ(waitsOf(trace)[0].range, (TimeRange{10, 11}));
    EXPECT_FALSE(waitsOf(trace)[0].contended);
    EXPECT_FALSE(waitsOf(trace)[0].owner.valid());
    EXPECT_EQ(waitsOf(trace)[0].evidence, std::nullopt);
    EXPECT_EQ(waitsOf(trace)[0].confidence, Confidence::Unknown);
}

TEST(LockWaits, AnotherKernelLockInsideIsAWaitOfItsOwn) {
    TraceScript script;
    script.at(0).switchTo(5).marker(LockAnnouncement{"m", kA, LockAddressKind::Kernel});
    script.at(10).marker(WaitBegin{"m"}).at(11).contentionBegin(kB, kContentionRt);
    script.at(15).contentionEnd(kB).at(20).contentionBegin(kA, kContentionRt);
    script.at(30).contentionEnd(kA).at(31).marker(HoldBegin{"m", 1});
    const AnalyzedStore trace(script);
    ASSERT_EQ(waitsOf(trace).size(), 2U);
    EXPECT_EQ(waitsOf(trace)[0].range, (TimeRange{10, 31}));
    EXPECT_TRUE(waitsOf(trace)[0].contended);
    EXPECT_EQ(lockOf(trace, waitsOf(trace)[1]), "lock 0xffff00b0");
    EXPECT_EQ(waitsOf(trace)[1].range, (TimeRange{11, 15}));
}

TEST(LockWaits, GivenUpAndUnfinishedWaits) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).contentionBegin(kA, kContentionMutex);
    script.at(20).contentionEnd(kA, -4).at(30).contentionBegin(kA, kContentionMutex);
    script.at(35).switchTo(0, kTaskUninterruptible).at(50).waking(9);
    const AnalyzedStore trace(script);
    ASSERT_EQ(waitsOf(trace).size(), 2U);
    EXPECT_EQ(waitsOf(trace)[0].range, (TimeRange{10, 20}));
    EXPECT_FALSE(waitsOf(trace)[0].acquired);
    EXPECT_TRUE(waitsOf(trace)[0].endSeen);
    EXPECT_EQ(waitsOf(trace)[1].range, (TimeRange{30, 50}));
    EXPECT_FALSE(waitsOf(trace)[1].acquired);
    EXPECT_FALSE(waitsOf(trace)[1].endSeen);
}

TEST(LockWaits, AWaitDoesNotReachAcrossALossOfItsCpu) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).contentionBegin(kA, kContentionMutex).lost();
    script.at(40).contentionEnd(kA);
    const AnalyzedStore trace(script);
    ASSERT_EQ(waitsOf(trace).size(), 1U);
    EXPECT_EQ(waitsOf(trace)[0].range, (TimeRange{10, 10}));
    EXPECT_FALSE(waitsOf(trace)[0].endSeen);
    EXPECT_FALSE(waitsOf(trace)[0].acquired);
}

TEST(LockWaits, ARequestWithoutItsEndIsOverAtTheNextOne) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).futexEnter(0x1000, kLockPi);
    script.at(40).futexEnter(0x2000, kLockPi).at(50).futexExit(0);
    const AnalyzedStore trace(script);
    ASSERT_EQ(waitsOf(trace).size(), 2U);
    EXPECT_EQ(waitsOf(trace)[0].range, (TimeRange{10, 40}));
    EXPECT_FALSE(waitsOf(trace)[0].endSeen);
    EXPECT_TRUE(waitsOf(trace)[1].acquired);
}

TEST(OpenWaits, AnswersWithTheInnermostWait) {
    LockWaits waits;
    const auto add = [&](std::int64_t begin, std::int64_t end) {
        LockWait wait;
        wait.thread = ThreadId{0};
        wait.range = {begin, end};
        waits.waits.push_back(wait);
    };
    add(10, 100);
    add(20, 30);
    add(40, 50);
    waits.byThread = {{0, 1, 2}};
    OpenWaits open(waits);
    EXPECT_EQ(open.innermost(ThreadId{0}, 9), nullptr);
    EXPECT_EQ(open.innermost(ThreadId{0}, 10), &waits.waits[0]);
    EXPECT_EQ(open.innermost(ThreadId{0}, 29), &waits.waits[1]);
    EXPECT_EQ(open.innermost(ThreadId{0}, 30), &waits.waits[0]);
    EXPECT_EQ(open.innermost(ThreadId{0}, 45), &waits.waits[2]);
    EXPECT_EQ(open.innermost(ThreadId{0}, 100), nullptr);
    EXPECT_EQ(open.innermost(ThreadId::none(), 45), nullptr);
}

} // namespace

} // namespace inversight::test
