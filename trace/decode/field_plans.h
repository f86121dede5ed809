// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/decode/event_format.h"
#include "trace/decode/field_access.h"
#include "trace/decode/task_state_table.h"
#include "trace/model/event_fields.h"

#include <cstdint>
#include <string_view>
#include <variant>

/// Where the fields of the typed events are in one file. A plan is made once per file from the
/// event's format; reading a record is then a few loads at known places.
namespace inversight {

struct SwitchPlan {
    TextField prevComm, nextComm;
    IntegerField prevTid, prevPrio, prevState, nextTid, nextPrio;
    TaskStateTable states;
};

struct WakePlan {
    WakeEventKind kind = WakeEventKind::Waking;
    TextField comm;
    IntegerField tid, prio;
    IntegerField targetCpu; ///< absent in old kernels
    IntegerField success;   ///< present in old kernels: 0 = the task was awake already
};

struct PiSetprioPlan {
    TextField comm;
    IntegerField tid, oldPrio, newPrio;
};

struct ForkPlan {
    TextField parentComm, childComm;
    IntegerField parentTid, childTid;
};

struct ExitPlan {
    TextField comm;
    IntegerField tid, prio;
};

struct MigratePlan {
    TextField comm;
    IntegerField tid, prio, fromCpu, toCpu;
};

struct ContentionBeginPlan {
    IntegerField address, flags;
};

struct ContentionEndPlan {
    IntegerField address, ret;
};

struct FutexEnterPlan {
    IntegerField uaddr, op, val;
};

struct FutexExitPlan {
    IntegerField ret;
};

/// Most of them are absent: each kind of event has its own.
struct BusPlan {
    BusEventKind kind = BusEventKind::I2cWrite;
    IntegerField adapter, device, flags, length, number, command, protocol, readWrite, result,
        object;
};

struct MarkerPlan {
    TextField text;
};

using FieldPlan = std::variant<std::monostate, SwitchPlan, WakePlan, PiSetprioPlan, ForkPlan,
                               ExitPlan, MigratePlan, ContentionBeginPlan, ContentionEndPlan,
                               FutexEnterPlan, FutexExitPlan, MarkerPlan, BusPlan>;

/// A plan with the bytes a record needs for it.
struct CompiledPlan {
    EventKind kind = EventKind::Other;
    FieldPlan fields;
    std::uint32_t minimumSize = 0;
};

/// The plan of an event; kind Other if the event is none of the typed ones. Corrupt says which
/// field does not allow one.
[[nodiscard]] Result<CompiledPlan> compilePlan(std::string_view system, const EventFormat& format);

} // namespace inversight
