// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/trace/file_write/kernel_events.h"

namespace inversight {

std::vector<KernelEvent> oneOfEach() {
    return {
        {1000000001, 0, 10, SchedWakeEvent{WakeKind::Waking, "low", 20, 120, 1}},
        {1000000500, 0, 10, SchedWakeEvent{WakeKind::Wakeup, "low", 20, 120, 1}},
        {1000000600, 0, 10, SchedWakeEvent{WakeKind::WakeupNew, "low", 20, 120, 1}},
        {2000000600, 0, 10, SchedSwitchEvent{"high", 10, 0, kTaskInterruptible, "low", 20, 120}},
        {2000000700, 0, 20, SchedPiSetprioEvent{"low", 20, 120, -1}},
        {2000000800, 0, 20, SchedForkEvent{"low", 20, "kid", 21}},
        {2000000900, 0, 20, SchedExitEvent{"low", 20, 139}},
        {2000001000, 0, 20, SchedMigrateEvent{"low", 20, 5, 0, 1}},
        {2000001000, 0, 20,
         ContentionBeginEvent{0xffff888012345678, kContentionSpin | kContentionMutex}},
        {2000001000, 0, 20, ContentionEndEvent{0xffff888012345678, -4}},
        {2000001100, 0, 20, FutexEnterEvent{0x7fff00001234, 0x86, 99}},
        {2000001200, 0, 20, FutexExitEvent{-11}},
        {2000001300, 0, 20, PrintEvent{"B|20|wait bus"}},
    };
}

} // namespace inversight
