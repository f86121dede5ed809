// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/run_board.h"

#include "core/bus/thread_clock.h"

namespace inversight {

void CountBoard::countIn() {
    count_.fetch_add(1);
    futexWakeOne(count_, LockScope::SharedMemory); // one waits: the engine
}

bool CountBoard::waitFor(std::size_t count, std::int64_t timeoutNs) {
    const std::int64_t end = monotonicNs() + timeoutNs;
    for (;;) {
        const std::uint32_t seen = count_.load();
        if (seen >= count)
            return true;
        const std::int64_t left = end - monotonicNs();
        if (left <= 0)
            return false;
        // Woken, timed out or interrupted: the count and the clock say what it was.
        static_cast<void>(futexWait(count_, seen, left, LockScope::SharedMemory));
    }
}

} // namespace inversight
