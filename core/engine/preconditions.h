// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>

namespace inversight {

/// What a job may need of the machine. `doctor` and every refusal take their words from here.
enum class Need {
    Cpus,         ///< two CPUs: workers on one, recorder and main thread on another
    RtRights,     ///< SCHED_FIFO may be set (CAP_SYS_NICE or RLIMIT_RTPRIO)
    RtRuntime,    ///< the cpu cgroup has RT run time
    NiceRights,   ///< negative nice may be set
    LockedMemory, ///< mlockall may be called
    Tracefs,      ///< tracefs is mounted and writable
    TraceEvents,  ///< sched and lock events, instances and the mono clock exist
};

enum class NeedState { Met, Missing, Limited };

struct NeedReport {
    Need need;
    NeedState state = NeedState::Met;
    std::string finding; ///< what was seen: "2 CPUs online, 2 allowed"
};

/// A row of the table: the words are fixed, `probe` looks at this machine. Probing changes nothing.
struct PreconditionRow {
    Need need;
    std::string_view name;   ///< "rt-rights"
    std::string_view reason; ///< why it is needed, as a clause: "worker fifo-99 runs at ..."
    std::string_view remedy; ///< the command that gives it
    NeedReport (*probe)();
};

[[nodiscard]] std::span<const PreconditionRow> preconditions();

/// The first of `needs` that is Missing, as one line: what is missing, why, and the remedy.
[[nodiscard]] Result<void> require(std::span<const Need> needs);

} // namespace inversight
