// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/ownership.h"

#include "analyzed_script.h"

namespace inversight::test {

namespace {

struct Held {
    std::int32_t tid;
    TimeRange range;
    OwnerEvidence evidence;
    Confidence confidence;
    bool endSeen;
    bool operator==(const Held&) const = default;
};
void PrintTo(const Held& held, std::ostream* out) {
    *out << held.tid << " [" << held.range.begin << "," << held.range.end << ") "
         << ownerEvidenceName(held.evidence) << " " << confidenceName(held.confidence)
         << (held.endSeen ? "" : " end unseen");
}

/// The holds of the lock with this name.
std::vector<Held> holdsOf(const AnalyzedStore& trace, const std::string& lock) {
    const auto& ownership = trace.get<Ownership>();
    std::vector<Held> list;
    for (const LockHold& hold : ownership.holds)
        if (trace.get<LockEvents>().locks[hold.lock.index()].name == lock)
            list.push_back({trace.store->threads()[hold.thread].tid, hold.range, hold.evidence,
                            hold.confidence, hold.endSeen});
    return list;
}

TEST(Ownership, MarkersAreCertain) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).marker(HoldBegin{"m", 1}).at(20).marker(HoldEnd{"m", 99});
    script.at(30).marker(HoldEnd{"m", 1}).at(40).marker(HoldBegin{"m", 2}).at(50).switchTo(0);
    const AnalyzedStore trace(script);
    EXPECT_THAT(
        holdsOf(trace, "m"),
        testing::ElementsAre(Held{5, {10, 30}, OwnerEvidence::Marker, Confidence::Certain, true},
                             Held{5, {40, 50}, OwnerEvidence::Marker, Confidence::Certain, false}));
    const auto& ownership = trace.get<Ownership>();
    EXPECT_EQ(ownership.at(LockId{0}, 9), nullptr);
    EXPECT_EQ(ownership.at(LockId{0}, 10)->range, (TimeRange{10, 30}));
    EXPECT_EQ(ownership.at(LockId{0}, 30), nullptr);
    EXPECT_EQ(ownership.at(LockId{7}, 30), nullptr);
}

TEST(Ownership, AMarkedHoldSurvivesALossAndAHoldWithoutEndIsEndedByTheNext) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).marker(HoldBegin{"m", 1}).lost().at(30).marker(HoldEnd{"m", 1});
    script.at(40).marker(HoldBegin{"m", 2}).at(50).switchTo(6).at(60).marker(HoldBegin{"m", 3});
    script.at(70).marker(HoldEnd{"m", 3});
    EXPECT_THAT(
        holdsOf(AnalyzedStore(script), "m"),
        testing::ElementsAre(Held{5, {10, 30}, OwnerEvidence::Marker, Confidence::Certain, true},
                             Held{5, {40, 60}, OwnerEvidence::Marker, Confidence::Certain, false},
                             Held{6, {60, 70}, OwnerEvidence::Marker, Confidence::Certain, true}));
}

TEST(Ownership, TheFirstThreadAWaiterBoostsOwnsTheLock) {
    TraceScript script;
    script.task(5, "low", 120).task(6, "high", 0);
    script.at(0).switchTo(6).at(10).contentionBegin(kA, kContentionRt).at(12).setprio(5, 0);
    script.at(15).switchTo(5, kTaskUninterruptible).at(30).setprio(5, 120).at(32).waking(6);
    script.at(35).switchTo(6).at(36).contentionEnd(kA).at(50).switchTo(0);
    const AnalyzedStore trace(script);
    // From the waiter's request until the owner lowers itself; then the new owner, by the end of
    // its contention only.
    EXPECT_THAT(holdsOf(trace, "lock 0xffff00a0"),
                testing::ElementsAre(
                    Held{5, {10, 30}, OwnerEvidence::PiSetprio, Confidence::High, true},
                    Held{6, {36, 50}, OwnerEvidence::ContentionEnd, Confidence::Low, false}));
}

TEST(Ownership, FurtherThreadsOfTheChainOwnWhatTheOneBeforeWaitsFor) {
    TraceScript script;
    script.task(5, "low", 120).task(6, "mid", 89).task(7, "high", 49);
    script.at(0).switchTo(6).at(10).contentionBegin(kB, kContentionRt).at(11).setprio(5, 89);
    script.at(12).switchTo(7, kTaskUninterruptible).at(20).contentionBegin(kA, kContentionRt);
    script.at(21).setprio(6, 49).at(22).setprio(5, 49).at(23).switchTo(5, kTaskUninterruptible);
    script.at(40).switchTo(0);
    const AnalyzedStore trace(script);
    EXPECT_THAT(
        holdsOf(trace, "lock 0xffff00a0"),
        testing::ElementsAre(Held{6, {20, 40}, OwnerEvidence::PiSetprio, Confidence::High, false}));
    EXPECT_THAT(
        holdsOf(trace, "lock 0xffff00b0"),
        testing::ElementsAre(Held{5, {10, 40}, OwnerEvidence::PiSetprio, Confidence::High, false}));
}

TEST(Ownership, ALowerBoostOutsideOfAWaitNamesNobody) {
    TraceScript script;
    script.task(5, "low", 120).task(6, "other", 0);
    script.at(0).switchTo(6).at(10).setprio(5, 0).at(20).setprio(5, 120);
    // Inside a plain futex wait a boost is about a lock that the trace hides.
    script.at(30).futexEnter(0x1000, kFutexWait).at(31).setprio(5, 0).at(40).switchTo(0);
    EXPECT_TRUE(AnalyzedStore(script).get<Ownership>().holds.empty());
}

TEST(Ownership, ReleasingOneOfTwoLocksLeavesNeitherKnown) {
    TraceScript script;
    script.task(5, "low", 120).task(6, "mid", 89).task(7, "high", 49);
    script.at(0).switchTo(6).at(10).contentionBegin(kA, kContentionRt).at(11).setprio(5, 89);
    script.at(12).switchTo(7, kTaskUninterruptible).at(20).contentionBegin(kB, kContentionRt);
    script.at(21).setprio(5, 49).at(22).switchTo(5, kTaskUninterruptible);
    script.at(40).setprio(5, 89).at(50).switchTo(0);
    const AnalyzedStore trace(script);
    EXPECT_THAT(
        holdsOf(trace, "lock 0xffff00a0"),
        testing::ElementsAre(Held{5, {10, 40}, OwnerEvidence::PiSetprio, Confidence::High, false}));
    EXPECT_THAT(
        holdsOf(trace, "lock 0xffff00b0"),
        testing::ElementsAre(Held{5, {20, 40}, OwnerEvidence::PiSetprio, Confidence::High, false}));
}

TEST(Ownership, AGuessByContentionEndIsDroppedWithTheNextSignOfTheThread) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).contentionBegin(kA, kContentionMutex).at(20).contentionEnd(kA);
    script.at(30).marker(Note{"user mode"}).at(40).contentionBegin(kB, kContentionMutex);
    script.at(41).contentionEnd(kB).at(50).futexEnter(0x1000, kFutexWait).at(60).switchTo(0);
    const AnalyzedStore trace(script);
    EXPECT_THAT(holdsOf(trace, "lock 0xffff00a0"),
                testing::ElementsAre(
                    Held{5, {20, 30}, OwnerEvidence::ContentionEnd, Confidence::Low, false}));
    EXPECT_THAT(holdsOf(trace, "lock 0xffff00b0"),
                testing::ElementsAre(
                    Held{5, {41, 50}, OwnerEvidence::ContentionEnd, Confidence::Low, false}));
}

TEST(Ownership, ReadersAndSpinlocksAreNotGuessed) {
    TraceScript script;
    script.at(0).switchTo(5);
    for (const std::uint32_t flags :
         {kContentionRead | kContentionSpin, kContentionSpin | kContentionWrite,
          kContentionSpin | 0U, kContentionRt | kContentionRead, kContentionPercpu | 4U})
        script.at(10 + flags).contentionBegin(kA, flags).contentionEnd(kA);
    EXPECT_TRUE(AnalyzedStore(script).get<Ownership>().holds.empty());
}

/// 6 and 7 queue for a PI futex that 5 took without the kernel; both processes are known.
TraceScript queueOnPiFutex() {
    TraceScript script;
    script.at(0).switchTo(5).marker(Note{""}).at(10).switchTo(6).marker(Note{""});
    script.at(12).futexEnter(0x1000, kLockPi).at(13).switchTo(7, kTaskInterruptible);
    script.marker(Note{""}).at(20).futexEnter(0x1000, kLockPi).at(21);
    script.switchTo(5, kTaskInterruptible).at(30).futexEnter(0x1000, kUnlockPi);
    script.at(31).futexExit(0).at(32).switchTo(6).at(33).futexExit(0);
    return script;
}

TEST(Ownership, WhoeverReleasesAPiFutexOwnedItSinceTheQueueBegan) {
    TraceScript script = queueOnPiFutex();
    script.at(50).futexEnter(0x1000, kUnlockPi).at(51).futexExit(0).at(60).switchTo(7);
    script.at(61).futexExit(0).at(90).switchTo(0);
    // 7 got it with nobody behind: its release may be invisible, so it is not claimed to hold it.
    EXPECT_THAT(holdsOf(AnalyzedStore(script), "futex 0x1000 (process 100)"),
                testing::ElementsAre(
                    Held{5, {12, 30}, OwnerEvidence::FutexHistory, Confidence::High, true},
                    Held{6, {33, 50}, OwnerEvidence::FutexHistory, Confidence::High, true}));
}

TEST(Ownership, TheQueueIsBrokenWhenTheLastWaiterGivesUp) {
    TraceScript script = queueOnPiFutex();
    script.at(50).switchTo(7).at(51).futexExit(-110).at(60).switchTo(8).at(90).switchTo(0);
    EXPECT_THAT(holdsOf(AnalyzedStore(script), "futex 0x1000 (process 100)"),
                testing::ElementsAre(
                    Held{5, {12, 30}, OwnerEvidence::FutexHistory, Confidence::High, true},
                    Held{6, {33, 51}, OwnerEvidence::FutexHistory, Confidence::High, false}));
}

TEST(Ownership, WithoutTheProcessFutexHistoryIsAGuess) {
    TraceScript script;
    script.at(0).switchTo(6).at(12).futexEnter(0x1000, kLockPi);
    script.at(13).switchTo(5, kTaskInterruptible).at(30).futexEnter(0x1000, kUnlockPi);
    script.at(31).futexExit(0);
    EXPECT_THAT(holdsOf(AnalyzedStore(script), "futex 0x1000"),
                testing::ElementsAre(
                    Held{5, {12, 30}, OwnerEvidence::FutexHistory, Confidence::Low, true}));
}

TEST(Ownership, ALossEndsEverythingInferred) {
    TraceScript script;
    script.task(5, "low", 120).task(6, "high", 0);
    script.at(0).switchTo(6).at(10).contentionBegin(kA, kContentionRt).at(12).setprio(5, 0);
    script.at(15).switchTo(5, kTaskUninterruptible).lost().at(40).switchTo(0).at(50).switchTo(5);
    EXPECT_THAT(
        holdsOf(AnalyzedStore(script), "lock 0xffff00a0"),
        testing::ElementsAre(Held{5, {10, 15}, OwnerEvidence::PiSetprio, Confidence::High, false}));
}

TEST(Ownership, MarkersWinOverEverythingElse) {
    TraceScript script;
    script.task(5, "low", 120).task(6, "high", 0).task(8, "wrong", 120);
    script.at(0).switchTo(5).marker(LockAnnouncement{"m", kA, LockAddressKind::Kernel});
    script.at(5).marker(HoldBegin{"m", 1}).at(8).switchTo(6);
    script.at(10).contentionBegin(kA, kContentionRt).at(12).setprio(8, 0);
    script.at(15).switchTo(5, kTaskUninterruptible).at(30).marker(HoldEnd{"m", 1});
    script.at(40).switchTo(0);
    EXPECT_THAT(
        holdsOf(AnalyzedStore(script), "m"),
        testing::ElementsAre(Held{5, {5, 30}, OwnerEvidence::Marker, Confidence::Certain, true}));
}

} // namespace

} // namespace inversight::test
