// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/model/event_fields.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace inversight {

/// What prev_state of sched_switch means in one file, taken from the print format of that file:
/// kernels differ in which bit is which state. Reentrant once made.
class TaskStateTable {
public:
    struct State {
        TaskState state = TaskState::Unknown;
        bool preempted = false;
    };

    /// From sched_switch's print format: the table of __print_flags, its mask, and the bit that
    /// prints "+" (kernels before 3.10 have none). Corrupt if the table is not there.
    [[nodiscard]] static Result<TaskStateTable> parse(std::string_view printFormat);

    /// A wait with the no-load bit is idle, any wait with D uninterruptible; what the table does
    /// not name is Unknown, never Runnable.
    [[nodiscard]] State decode(std::uint64_t prevState) const;

    /// Linux 4.14.0 to 4.14.154 wrote the number of the state in place of its bit, under a print
    /// format that says otherwise. Known by its "+" bit, 0x1000 beside a mask of 0xff.
    [[nodiscard]] bool statesAreIndices() const { return statesAreIndices_; }

private:
    static constexpr unsigned kStateBits = 32;

    [[nodiscard]] TaskState fromBits(std::uint64_t bits) const;

    std::array<char, kStateBits> letters_ = {}; ///< per bit, 0 = not named
    std::uint64_t mask_ = 0;
    std::uint64_t preemptedBit_ = 0;
    bool statesAreIndices_ = false;
};

} // namespace inversight
