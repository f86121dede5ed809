// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/ui/boosted_rounds.h"

#include "trace/file/kernel_event_writer.h"

#include <gtest/gtest.h>

namespace inversight::test {

namespace {

constexpr std::uint32_t kLockPi = 0x86;
constexpr std::uint32_t kUnlockPi = 0x87;
const char* const kLock = "i2c-2 bus lock";

void addRound(TraceScript& script, std::int64_t start, std::uint64_t cookie) {
    const auto at = [&](std::int64_t time) -> TraceScript& { return script.at(start + time); };
    at(100'000).switchTo(10, kTaskInterruptible);
    at(110'000).marker(WaitBegin{kLock}).marker(HoldBegin{kLock, cookie}).marker(SliceEnd{});
    at(200'000).marker(TransferBegin{"i2c-2", "read_byte_data"});
    at(290'000).waking(30).at(start + 295'000).switchTo(30, kTaskInterruptible);
    at(300'000).marker(WaitBegin{kLock}).futexEnter(0x1000, kLockPi);
    at(kBoostBegin).setprio(10, 0);
    at(320'000).switchTo(0, kTaskInterruptible);
    at(590'000).waking(10).at(start + 595'000).switchTo(10);
    at(600'000).marker(SliceEnd{});
    at(890'000).marker(HoldEnd{kLock, cookie}).at(start + 900'000).futexEnter(0x1000, kUnlockPi);
    at(kBoostEnd).setprio(10, 120).waking(30).at(start + 915'000).futexExit(0);
    at(920'000).switchTo(30, kTaskPreempted).futexExit(0);
    at(930'000).marker(HoldBegin{kLock, cookie + 1}).marker(SliceEnd{});
    at(940'000).marker(TransferBegin{"i2c-2", "read_byte_data"});
    at(950'000).switchTo(10, kTaskInterruptible);
    at(1'000'000).switchTo(0, kTaskInterruptible);
    at(1'340'000).waking(30).at(start + 1'345'000).switchTo(30);
    at(1'350'000).marker(SliceEnd{}).at(start + 1'400'000).marker(HoldEnd{kLock, cookie + 1});
    at(1'500'000).switchTo(0, kTaskInterruptible);
    at(1'900'000).waking(10);
}

} // namespace

TraceScript boostedRounds(int rounds) {
    TraceScript script;
    script.task(10, "low", 120).task(30, "high", 0);
    script.at(kOrigin).switchTo(10).marker(LockAnnouncement{kLock, 0x1000, LockAddressKind::Futex});
    script.at(kOrigin + 50'000).switchTo(0, kTaskInterruptible);
    for (int round = 0; round < rounds; ++round)
        addRound(script, kOrigin + round * kRound, static_cast<std::uint64_t>(round) * 2 + 1);
    return script;
}

void writeTrace(const TraceScript& script, const std::string& path, std::uint64_t lost) {
    auto writer = KernelEventWriter::create(path, {.cpuCount = 1});
    ASSERT_TRUE(writer.has_value()) << writer.error().sentence();
    const std::vector<KernelEvent>& events = script.events();
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (lost > 0 && i == events.size() / 2)
            (*writer)->lose(0, lost);
        (*writer)->emit(events[i]);
    }
    const Result<void> done = (*writer)->finish();
    ASSERT_TRUE(done.has_value()) << done.error().sentence();
}

} // namespace inversight::test
