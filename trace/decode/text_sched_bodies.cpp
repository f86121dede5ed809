// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_sched_bodies.h"

#include "trace/decode/text_scan.h"

namespace inversight {

namespace {

/// trace-cmd report -R writes a name that is not all ASCII as "ARRAY[c3, bc, 6e, 00]".
std::string_view plainName(std::string_view name, std::string& room) {
    if (!takeText(name, "ARRAY[")) [[likely]]
        return name;
    room.clear();
    std::uint64_t byte = 0;
    while (takeHex(name, byte) && byte != 0) {
        room += static_cast<char>(byte);
        (void)takeText(name, ", ");
    }
    return room;
}

/// `NAME<separator>NUMBER<following>`: the name ends at the first separator that a number and what
/// must follow it come after, for a name may hold "pid=7" itself.
bool takeNamed(std::string_view& rest, std::string_view separator, std::string_view following,
               std::string_view& name, std::int32_t& number) {
    for (std::size_t at = rest.find(separator); at != std::string_view::npos;
         at = rest.find(separator, at + 1)) {
        std::string_view after = rest.substr(at + separator.size());
        if (takeNumber(after, number) && takeText(after, following)) {
            name = rest.substr(0, at);
            rest = after;
            return true;
        }
    }
    return false;
}

/// `NAME:PID [PRIO]` of the old style.
struct OldTask {
    std::string_view name;
    std::int32_t tid = 0;
    std::int32_t prio = 0;
    std::string_view after; ///< what follows the closing bracket
};

/// Tries `text` up to a bracket: "...NAME:PID [".
bool oldTaskAt(std::string_view text, std::size_t bracket, OldTask& task) {
    std::string_view prio = text.substr(bracket + 1);
    if (bracket < 2 || !takeNumber(prio, task.prio) || !takeText(prio, "]") ||
        text[bracket - 1] != ' ')
        return false;
    std::size_t digits = bracket - 1;
    while (digits > 0 && isDigit(text[digits - 1]))
        --digits;
    if (digits > 1 && text[digits - 1] == '-') // ":-1 [120]"
        --digits;
    std::string_view tid = text.substr(digits, bracket - 1 - digits);
    if (digits == 0 || text[digits - 1] != ':' || !takeNumber(tid, task.tid) || !tid.empty())
        return false;
    task.name = text.substr(0, digits - 1);
    task.after = prio;
    return true;
}

/// The last `NAME:PID [PRIO]` of the text: the name itself may look like one.
bool findOldTask(std::string_view text, OldTask& task) {
    for (std::size_t at = text.rfind('['); at != std::string_view::npos && at > 0;
         at = text.rfind('[', at - 1)) {
        if (oldTaskAt(text, at, task))
            return true;
    }
    return false;
}

bool emitSwitch(SchedSwitchFields& fields, std::string_view stateText, StateLetters letters,
                TextBodyContext& context) {
    const TextState state = decodeTextState(stateText, letters);
    fields.rawState = state.raw;
    fields.prevState = state.state;
    fields.preempted = state.preempted;
    context.header.tid = fields.prevTid; // the columns in front may say -1, or somebody else
    context.nextTid = fields.nextTid;
    context.sink->event(context.header, fields);
    return true;
}

/// "PREV:PID [PRIO] STATE ==> NEXT:PID [PRIO]".
bool readOldSwitch(std::string_view body, TextBodyContext& context) {
    constexpr std::string_view kArrow = " ==> ";
    for (std::size_t at = body.find(kArrow); at != std::string_view::npos;
         at = body.find(kArrow, at + 1)) {
        const std::size_t state = body.rfind(' ', at - (at > 0 ? 1 : 0));
        if (state == std::string_view::npos || state < 3 || at - state > 16 ||
            body[state - 1] != ']')
            continue;
        OldTask prev;
        OldTask next;
        const std::string_view prevText = body.substr(0, state);
        if (!oldTaskAt(prevText, prevText.rfind('['), prev) || !prev.after.empty() ||
            !findOldTask(body.substr(at + kArrow.size()), next))
            continue;
        context.pluginStates += context.letters == StateLetters::Plugin ? 1 : 0;
        SchedSwitchFields fields{prev.tid,  prev.prio, next.tid, next.prio, prev.name,
                                 next.name, 0,         {},       false};
        return emitSwitch(fields, body.substr(state + 1, at - state - 1), context.letters, context);
    }
    return false;
}

/// "prev_comm=.. prev_pid=.. prev_prio=.. prev_state=.. ==> next_comm=.. next_pid=.. next_prio=..",
/// with or without the arrow.
bool readNamedSwitch(std::string_view rest, TextBodyContext& context) {
    SchedSwitchFields fields;
    if (!takeText(rest, "prev_comm="))
        return false;
    if (!takeNamed(rest, " prev_pid=", " prev_prio=", fields.prevComm, fields.prevTid) ||
        !takeNumber(rest, fields.prevPrio) || !takeText(rest, " prev_state="))
        return false;
    std::string_view state = rest.substr(0, rest.find(' '));
    rest.remove_prefix(state.size());
    std::string_view decimal = rest;
    std::int64_t number = 0;
    if (takeText(decimal, " (") && takeNumber(decimal, number) && takeText(decimal, ")"))
        rest = decimal; // "0x1 (1)"
    (void)takeText(rest, " ==>");
    if (!takeText(rest, " next_comm=") ||
        !takeNamed(rest, " next_pid=", " next_prio=", fields.nextComm, fields.nextTid) ||
        !takeNumber(rest, fields.nextPrio))
        return false;
    context.numericStates += !state.empty() && isDigit(state.front()) ? 1 : 0;
    fields.prevComm = plainName(fields.prevComm, context.names[0]);
    fields.nextComm = plainName(fields.nextComm, context.names[1]);
    return emitSwitch(fields, state, StateLetters::Kernel, context);
}

/// Says the event of an attempt that woke nobody without its fields: it is no wake-up.
bool emitWake(const SchedWakeFields& fields, std::int32_t success, TextBodyContext& context) {
    if (success == 0)
        context.sink->event(context.header);
    else
        context.sink->event(context.header, fields);
    return true;
}

/// "NAME:PID [PRIO] success=1 CPU:003", "task NAME:PID [PRIO] success=1 [031]".
bool readOldWake(std::string_view body, SchedWakeFields& fields, TextBodyContext& context) {
    OldTask task;
    if (!findOldTask(body, task))
        return false;
    (void)takeText(task.name, "task ");
    fields.tid = task.tid;
    fields.prio = task.prio;
    fields.comm = task.name;
    std::int32_t success = 1;
    std::string_view rest = withoutLeadingBlanks(task.after);
    if (takeText(rest, "success=") && !takeNumber(rest, success))
        return false;
    rest = withoutLeadingBlanks(rest);
    if (takeText(rest, "CPU:") || takeText(rest, "<CPU:") || takeText(rest, "["))
        (void)takeNumber(rest, fields.targetCpu);
    return emitWake(fields, success, context);
}

/// "comm=NAME pid=N prio=N success=1 target_cpu=003"; old kernels have success, very old ones no
/// target_cpu.
bool readNamedWake(std::string_view rest, SchedWakeFields& fields, TextBodyContext& context) {
    std::int32_t success = 1;
    if (!takeText(rest, "comm=") || !takeNamed(rest, " pid=", " prio=", fields.comm, fields.tid) ||
        !takeNumber(rest, fields.prio) ||
        (takeText(rest, " success=") && !takeNumber(rest, success)) ||
        (takeText(rest, " target_cpu=") && !takeNumber(rest, fields.targetCpu)))
        return false;
    fields.comm = plainName(fields.comm, context.names[0]);
    return emitWake(fields, success, context);
}

bool readWake(WakeEventKind kind, std::string_view text, TextBodyContext& context) {
    const std::string_view body = bodyOf(text);
    SchedWakeFields fields;
    fields.kind = kind;
    return readNamedWake(body, fields, context) || readOldWake(body, fields, context);
}

} // namespace

/// A task of the old style may be called "prev_comm=x".
bool readSwitch(std::string_view text, TextBodyContext& context) {
    const std::string_view body = bodyOf(text);
    return readNamedSwitch(body, context) || readOldSwitch(body, context);
}

bool readPiSetprio(std::string_view text, TextBodyContext& context) {
    std::string_view rest = bodyOf(text);
    PiSetprioFields fields;
    if (!takeText(rest, "comm=") ||
        !takeNamed(rest, " pid=", " oldprio=", fields.comm, fields.tid) ||
        !takeNumber(rest, fields.oldPrio) || !takeText(rest, " newprio=") ||
        !takeNumber(rest, fields.newPrio))
        return false;
    fields.comm = plainName(fields.comm, context.names[0]);
    context.sink->event(context.header, fields);
    return true;
}

bool readFork(std::string_view text, TextBodyContext& context) {
    constexpr std::string_view kChild = " child_pid=";
    std::string_view rest = bodyOf(text);
    SchedForkFields fields;
    const bool raw = takeText(rest, "parent_comm=");
    if (!raw && !takeText(rest, "comm="))
        return false;
    if (!takeNamed(rest, raw ? " parent_pid=" : " pid=", " child_comm=", fields.parentComm,
                   fields.parentTid))
        return false;
    const std::size_t child = rest.rfind(kChild);
    if (child == std::string_view::npos)
        return false;
    fields.childComm = rest.substr(0, child);
    rest.remove_prefix(child + kChild.size());
    if (!takeNumber(rest, fields.childTid))
        return false;
    fields.parentComm = plainName(fields.parentComm, context.names[0]);
    fields.childComm = plainName(fields.childComm, context.names[1]);
    context.sink->event(context.header, fields);
    return true;
}

bool readExit(std::string_view text, TextBodyContext& context) {
    std::string_view rest = bodyOf(text);
    SchedExitFields fields;
    if (!takeText(rest, "comm=") || !takeNamed(rest, " pid=", " prio=", fields.comm, fields.tid) ||
        !takeNumber(rest, fields.prio))
        return false;
    fields.comm = plainName(fields.comm, context.names[0]);
    context.sink->event(context.header, fields);
    return true;
}

bool readMigrate(std::string_view text, TextBodyContext& context) {
    std::string_view rest = bodyOf(text);
    SchedMigrateFields fields;
    if (!takeText(rest, "comm=") || !takeNamed(rest, " pid=", " prio=", fields.comm, fields.tid) ||
        !takeNumber(rest, fields.prio) || !takeText(rest, " orig_cpu=") ||
        !takeNumber(rest, fields.fromCpu) || !takeText(rest, " dest_cpu=") ||
        !takeNumber(rest, fields.toCpu))
        return false;
    fields.comm = plainName(fields.comm, context.names[0]);
    context.sink->event(context.header, fields);
    return true;
}

bool readWaking(std::string_view text, TextBodyContext& context) {
    return readWake(WakeEventKind::Waking, text, context);
}

bool readWakeup(std::string_view text, TextBodyContext& context) {
    return readWake(WakeEventKind::Wakeup, text, context);
}

bool readWakeupNew(std::string_view text, TextBodyContext& context) {
    return readWake(WakeEventKind::WakeupNew, text, context);
}

} // namespace inversight
