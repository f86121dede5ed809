// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/lock_events.h"

#include "analyzed_script.h"

namespace inversight::test {

namespace {

using enum LockEventKind;

struct Said {
    std::int64_t time;
    std::int32_t tid;
    std::string lock;
    LockEventKind kind;
    LockSource source;
    bool operator==(const Said&) const = default;
};
void PrintTo(const Said& said, std::ostream* out) {
    *out << said.time << " " << said.tid << " " << said.lock << " " << static_cast<int>(said.kind)
         << " " << lockSourceName(said.source);
}

std::vector<Said> eventsOf(const AnalyzedStore& trace) {
    const auto& events = trace.get<LockEvents>();
    std::vector<Said> list;
    for (const LockEvent& event : events.events)
        list.push_back({trace.store->time(event.event), trace.store->threads()[event.thread].tid,
                        events.locks[event.lock.index()].name, event.kind, event.source});
    return list;
}

Said marker(std::int64_t time, std::int32_t tid, const std::string& lock, LockEventKind kind) {
    return {time, tid, lock, kind, LockSource::Marker};
}
Said futex(std::int64_t time, std::int32_t tid, LockEventKind kind,
           const std::string& lock = "futex 0x1000") {
    return {time, tid, lock, kind, LockSource::Futex};
}
Said contention(std::int64_t time, std::int32_t tid, LockEventKind kind) {
    return {time, tid, "lock 0xffff0010", kind, LockSource::Contention};
}

TEST(LockEvents, MarkersOfAWaitAHoldAndARelease) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).marker(WaitBegin{"bus"}).at(20).marker(HoldBegin{"bus", 7});
    script.at(21).marker(SliceEnd{}).at(30).marker(TransferBegin{"i2c-0", "read"});
    script.at(40).marker(SliceEnd{}).at(50).marker(HoldEnd{"bus", 7});
    EXPECT_THAT(eventsOf(AnalyzedStore(script)),
                testing::ElementsAre(marker(10, 5, "bus", Request), marker(20, 5, "bus", Acquired),
                                     marker(50, 5, "bus", Release)));
}

TEST(LockEvents, TheSliceMayEndBeforeTheHoldBegins) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).marker(WaitBegin{"bus"}).at(20).marker(SliceEnd{});
    script.at(21).marker(HoldBegin{"bus", 7}).at(50).marker(HoldEnd{"bus", 7});
    EXPECT_THAT(eventsOf(AnalyzedStore(script)),
                testing::ElementsAre(marker(10, 5, "bus", Request), marker(21, 5, "bus", Acquired),
                                     marker(50, 5, "bus", Release)));
}

TEST(LockEvents, AWaitThatEndsWithoutItsHoldWasGivenUp) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).marker(WaitBegin{"bus"}).at(20).marker(SliceEnd{});
    script.at(30).marker(WaitBegin{"bus"}).at(40).marker(SliceEnd{});
    script.at(41).marker(HoldBegin{"bus", 7});
    EXPECT_THAT(eventsOf(AnalyzedStore(script)),
                testing::ElementsAre(marker(10, 5, "bus", Request), marker(20, 5, "bus", GiveUp),
                                     marker(30, 5, "bus", Request),
                                     marker(41, 5, "bus", Acquired)));
}

TEST(LockEvents, WithoutAnyHoldMarkersTheEndOfTheWaitIsTheAcquisition) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).marker(WaitBegin{"door"}).at(20).marker(SliceEnd{});
    EXPECT_THAT(
        eventsOf(AnalyzedStore(script)),
        testing::ElementsAre(marker(10, 5, "door", Request), marker(20, 5, "door", Acquired)));
}

TEST(LockEvents, ASliceEndClosesTheInnermostSliceOfItsOwnThread) {
    TraceScript script;
    script.at(0).switchTo(5).at(1).marker(SliceEnd{}); // without a begin: ignored
    script.at(10).marker(WaitBegin{"a"}).at(11).marker(OtherSliceBegin{"spin"});
    script.cpu(1).at(12).switchTo(6).at(13).marker(WaitBegin{"b"}).at(14).marker(SliceEnd{});
    script.cpu(0).at(15).marker(SliceEnd{}).at(20).marker(SliceEnd{});
    EXPECT_THAT(eventsOf(AnalyzedStore(script)),
                testing::ElementsAre(marker(10, 5, "a", Request), marker(13, 6, "b", Request),
                                     marker(14, 6, "b", Acquired), marker(20, 5, "a", Acquired)));
}

TEST(LockEvents, PiFutexCallsAreRequestAcquisitionAndRelease) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).futexEnter(0x1000, kLockPi).at(20).futexExit(0);
    script.at(30).futexEnter(0x1000, kUnlockPi).at(31).futexExit(0);
    script.at(40).futexEnter(0x1000, 13).at(50).futexExit(-110);      // LOCK_PI2 timed out
    script.at(60).futexEnter(0x1000, kUnlockPi).at(61).futexExit(-1); // refused: not the owner
    script.at(70).futexEnter(0x1000, 0x81).at(71).futexExit(1);       // WAKE: nothing of a lock
    EXPECT_THAT(eventsOf(AnalyzedStore(script)),
                testing::ElementsAre(futex(10, 5, Request), futex(20, 5, Acquired),
                                     futex(30, 5, Release), futex(40, 5, Request),
                                     futex(50, 5, GiveUp)));
}

TEST(LockEvents, AFutexWaitNeverAcquires) {
    TraceScript script;
    script.at(0).switchTo(5).at(5).futexExit(0); // of a call before the trace
    script.at(10).futexEnter(0x1000, kFutexWait).at(20).futexExit(0);
    EXPECT_THAT(eventsOf(AnalyzedStore(script)),
                testing::ElementsAre(futex(10, 5, Request), futex(20, 5, GiveUp)));
}

TEST(LockEvents, SeveralBeginsOfOneWaitAreOneRequest) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).contentionBegin(0xffff0010, kContentionSpin | kContentionMutex);
    script.at(12).contentionBegin(0xffff0010, kContentionMutex).at(30).contentionEnd(0xffff0010);
    script.at(40).contentionBegin(0xffff0010, kContentionMutex);
    script.at(50).contentionEnd(0xffff0010, -4);
    const AnalyzedStore trace(script);
    EXPECT_THAT(eventsOf(trace),
                testing::ElementsAre(contention(10, 5, Request), contention(30, 5, Acquired),
                                     contention(40, 5, Request), contention(50, 5, GiveUp)));
    EXPECT_EQ(trace.get<LockEvents>().events[0].flags, kContentionSpin | kContentionMutex);
}

TEST(LockEvents, AnAnnouncementJoinsNameAndAddress) {
    TraceScript script;
    script.at(0).switchTo(5).at(5).futexEnter(0x1000, kLockPi).at(6).futexExit(0);
    script.at(8).marker(LockAnnouncement{"bus", 0x1000, LockAddressKind::Futex});
    script.at(9).marker(LockAnnouncement{"adapter", 0xffff0010, LockAddressKind::Kernel});
    script.at(10).marker(WaitBegin{"bus"}).at(12).contentionBegin(0xffff0010, kContentionRt);
    const AnalyzedStore trace(script);
    EXPECT_THAT(eventsOf(trace),
                testing::ElementsAre(futex(5, 5, Request, "bus"), futex(6, 5, Acquired, "bus"),
                                     marker(10, 5, "bus", Request),
                                     Said{12, 5, "adapter", Request, LockSource::Contention}));
    const auto& locks = trace.get<LockEvents>().locks;
    ASSERT_EQ(locks.size(), 2U);
    EXPECT_EQ(locks[0].address, 0x1000U);
    EXPECT_EQ(locks[0].tgid, TraceScript::kProcess);
    EXPECT_EQ(locks[0].source, LockSource::Marker);
}

TEST(LockEvents, AnAddressAnnouncedAgainBelongsToTheLatestName) {
    TraceScript script;
    script.at(0).switchTo(5).at(1).marker(LockAnnouncement{"a", 0x1000, LockAddressKind::Futex});
    script.at(10).futexEnter(0x1000, kLockPi).at(11).futexExit(0);
    script.at(20).marker(LockAnnouncement{"b", 0x1000, LockAddressKind::Futex});
    script.at(30).futexEnter(0x1000, kLockPi).at(31).futexExit(0);
    EXPECT_THAT(eventsOf(AnalyzedStore(script)),
                testing::ElementsAre(futex(10, 5, Request, "a"), futex(11, 5, Acquired, "a"),
                                     futex(30, 5, Request, "b"), futex(31, 5, Acquired, "b")));
}

TEST(LockEvents, AFutexOfAnotherProcessIsAnotherLock) {
    TraceScript script;
    script.at(0).switchTo(5).print("I|500|hello").at(5).futexEnter(0x1000, kLockPi);
    script.cpu(1).at(6).switchTo(6).print("I|600|hello").at(7).futexEnter(0x1000, kLockPi);
    const AnalyzedStore trace(script);
    EXPECT_THAT(eventsOf(trace),
                testing::ElementsAre(futex(5, 5, Request, "futex 0x1000 (process 500)"),
                                     futex(7, 6, Request, "futex 0x1000 (process 600)")));
}

TEST(LockEvents, ALossForgetsWhatAThreadWasInTheMiddleOf) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).contentionBegin(0xffff0010, kContentionMutex);
    script.at(12).marker(WaitBegin{"a"}).at(13).futexEnter(0x1000, kLockPi).lost();
    // The begin after the loss is a new wait; the ends belong to nothing that is known.
    script.at(40).contentionBegin(0xffff0010, kContentionMutex).at(41).futexExit(0);
    script.at(42).marker(SliceEnd{});
    EXPECT_THAT(eventsOf(AnalyzedStore(script)),
                testing::ElementsAre(contention(10, 5, Request), marker(12, 5, "a", Request),
                                     futex(13, 5, Request, "futex 0x1000 (process 100)"),
                                     contention(40, 5, Request)));
}

TEST(LockEvents, ALossOnAnotherCpuChangesNothing) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).contentionBegin(0xffff0010, kContentionMutex);
    script.cpu(1).at(11).switchTo(7).lost().at(14).switchTo(0).cpu(0);
    script.at(20).contentionBegin(0xffff0010, kContentionMutex).at(30).contentionEnd(0xffff0010);
    EXPECT_THAT(eventsOf(AnalyzedStore(script)),
                testing::ElementsAre(contention(10, 5, Request), contention(30, 5, Acquired)));
}

} // namespace

} // namespace inversight::test
