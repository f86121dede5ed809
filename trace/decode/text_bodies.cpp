// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_bodies.h"

#include "trace/decode/text_scan.h"

#include <algorithm>
#include <array>

namespace inversight {

namespace {

/// What separates words in a body that goes on on a line of its own, too.
std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (isBlank(text.front()) || text.front() == '\n' || text.front() == '\r'))
        text.remove_prefix(1);
    while (!text.empty() && (isBlank(text.back()) || text.back() == '\n' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

std::string_view bodyOf(std::string_view text) {
    text = trimmed(text);
    if (takeText(text, "[FAILED TO PARSE]"))
        text = trimmed(text);
    return text;
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
    return emitSwitch(fields, state, StateLetters::Kernel, context);
}

/// A task of the old style may be called "prev_comm=x".
bool readSwitch(std::string_view text, TextBodyContext& context) {
    const std::string_view body = bodyOf(text);
    return readNamedSwitch(body, context) || readOldSwitch(body, context);
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
    return emitWake(fields, success, context);
}

template <WakeEventKind kind>
bool readWake(std::string_view text, TextBodyContext& context) {
    const std::string_view body = bodyOf(text);
    SchedWakeFields fields;
    fields.kind = kind;
    return readNamedWake(body, fields, context) || readOldWake(body, fields, context);
}

bool readPiSetprio(std::string_view text, TextBodyContext& context) {
    std::string_view rest = bodyOf(text);
    PiSetprioFields fields;
    if (!takeText(rest, "comm=") ||
        !takeNamed(rest, " pid=", " oldprio=", fields.comm, fields.tid) ||
        !takeNumber(rest, fields.oldPrio) || !takeText(rest, " newprio=") ||
        !takeNumber(rest, fields.newPrio))
        return false;
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
    context.sink->event(context.header, fields);
    return true;
}

bool readExit(std::string_view text, TextBodyContext& context) {
    std::string_view rest = bodyOf(text);
    SchedExitFields fields;
    if (!takeText(rest, "comm=") || !takeNamed(rest, " pid=", " prio=", fields.comm, fields.tid) ||
        !takeNumber(rest, fields.prio))
        return false;
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
    context.sink->event(context.header, fields);
    return true;
}

/// A value written by names joined with "|"; numbers among them are allowed.
template <std::size_t count>
bool takeNames(std::string_view text,
               const std::array<std::pair<std::string_view, std::uint32_t>, count>& names,
               std::uint32_t& value) {
    value = 0;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find('|'));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        const auto known = std::ranges::find(names, word, [](const auto& n) { return n.first; });
        std::int64_t number = 0;
        std::string_view digits = word;
        if (known != names.end())
            value |= known->second;
        else if (takeNumber(digits, number) && digits.empty())
            value |= static_cast<std::uint32_t>(number);
        else
            return false;
    }
    return true;
}

constexpr auto kContentionFlags = std::to_array<std::pair<std::string_view, std::uint32_t>>(
    {{"SPIN", 1}, {"READ", 2}, {"WRITE", 4}, {"RT", 8}, {"PERCPU", 16}, {"MUTEX", 32}});

/// Steps over what is between a lock's address and its flags or result: " (flags=", " flags=".
bool takeLock(std::string_view& rest, std::string_view field, std::uint64_t& address) {
    (void)takeText(rest, "lock_addr=");
    if (!takeHex(rest, address))
        return false;
    const std::size_t at = rest.find(field);
    if (at == std::string_view::npos)
        return false;
    rest.remove_prefix(at + field.size());
    return true;
}

/// "ff12c9de1de201e0 (flags=SPIN|MUTEX)", "lock_addr=0xff12c9de1de201e0 flags=33".
bool readContentionBegin(std::string_view text, TextBodyContext& context) {
    std::string_view rest = bodyOf(text);
    ContentionBegin fields;
    if (!takeLock(rest, "flags=", fields.address) ||
        !takeNames(rest.substr(0, rest.find_first_of(") ")), kContentionFlags, fields.flags))
        return false;
    context.sink->event(context.header, fields);
    return true;
}

bool readContentionEnd(std::string_view text, TextBodyContext& context) {
    std::string_view rest = bodyOf(text);
    ContentionEnd fields;
    if (!takeLock(rest, "ret=", fields.address) || !takeNumber(rest, fields.ret))
        return false;
    context.sink->event(context.header, fields);
    return true;
}

constexpr auto kFutexOperations =
    std::to_array<std::pair<std::string_view, std::uint32_t>>({{"FUTEX_WAIT", 0},
                                                               {"FUTEX_WAKE", 1},
                                                               {"FUTEX_FD", 2},
                                                               {"FUTEX_REQUEUE", 3},
                                                               {"FUTEX_CMP_REQUEUE", 4},
                                                               {"FUTEX_WAKE_OP", 5},
                                                               {"FUTEX_LOCK_PI", 6},
                                                               {"FUTEX_UNLOCK_PI", 7},
                                                               {"FUTEX_TRYLOCK_PI", 8},
                                                               {"FUTEX_WAIT_BITSET", 9},
                                                               {"FUTEX_WAKE_BITSET", 10},
                                                               {"FUTEX_WAIT_REQUEUE_PI", 11},
                                                               {"FUTEX_CMP_REQUEUE_PI", 12},
                                                               {"FUTEX_LOCK_PI2", 13},
                                                               {"FUTEX_PRIVATE_FLAG", 0x80},
                                                               {"FUTEX_CLOCK_REALTIME", 0x100}});

/// The value of "NAME: value" or "NAME=value"; it ends at a comma, a blank or a bracket.
std::string_view fieldValue(std::string_view body, std::string_view name) {
    for (std::size_t at = body.find(name); at != std::string_view::npos;
         at = body.find(name, at + 1)) {
        std::string_view rest = body.substr(at + name.size());
        const bool begins = at == 0 || !isWordCharacter(body[at - 1]);
        if (begins && (takeText(rest, ": ") || takeText(rest, "=")))
            return rest.substr(0, rest.find_first_of(", )"));
    }
    return {};
}

/// "uaddr: 0x7ffd.., op: 0x0086, val: 0x0000, ..." of the kernel (hexadecimal, there also without
/// 0x), "op=FUTEX_LOCK_PI|FUTEX_PRIVATE_FLAG uaddr=0x7ffd.. val=0x..." of libtraceevent.
bool readFutexEnter(std::string_view text, TextBodyContext& context) {
    const std::string_view body = bodyOf(text);
    std::string_view address = fieldValue(body, "uaddr");
    std::string_view value = fieldValue(body, "val");
    std::string_view op = fieldValue(body, "op");
    FutexEnter fields;
    std::uint64_t number = 0;
    if (!takeHex(address, fields.uaddr))
        return false;
    if (takeHex(value, number))
        fields.val = static_cast<std::uint32_t>(number);
    if (op.starts_with("FUTEX_") ? !takeNames(op, kFutexOperations, fields.op)
                                 : !takeHex(op, number))
        return false;
    if (!op.starts_with("FUTEX_"))
        fields.op = static_cast<std::uint32_t>(number);
    context.sink->event(context.header, fields);
    return true;
}

/// "0xffffffffffffffff", "-> 0x0", "ret=0".
bool readFutexExit(std::string_view text, TextBodyContext& context) {
    std::string_view rest = bodyOf(text);
    (void)takeText(rest, "-> ");
    const std::string_view named = fieldValue(rest, "ret");
    if (!named.empty())
        rest = named;
    FutexExit fields;
    if (!takeNumber(rest, fields.ret))
        return false;
    context.sink->event(context.header, fields);
    return true;
}

bool emitMarker(std::string_view text, TextBodyContext& context) {
    ManifestPlace place;
    const MarkerFields fields = decodeMarker(text, context.unescaped, place);
    constexpr std::size_t kMostParts = 4096; // a manifest is some KiB, written twice
    if (fields.kind == MarkerKind::ManifestPart && context.manifestTexts.size() < kMostParts)
        context.manifestTexts.push_back({place, std::string(fields.subject)});
    context.sink->event(context.header, fields);
    return true;
}

/// ftrace's line of a marker: the text stands behind one blank.
bool readMarkWrite(std::string_view text, TextBodyContext& context) {
    (void)takeText(text, " ");
    return emitMarker(text, context);
}

/// "print: tracing_mark_write: TEXT", "print: 0xffffffff81: TEXT", "print: ip=... buf=TEXT".
bool readPrint(std::string_view text, TextBodyContext& context) {
    text = withoutLeadingBlanks(text);
    std::size_t word = 0;
    while (word < text.size() && isWordCharacter(text[word]))
        ++word;
    const std::string_view after = text.substr(word);
    if (word > 0 && after.starts_with(": "))
        return emitMarker(after.substr(2), context);
    if (word > 0 && after == ":")
        return emitMarker({}, context);
    const std::size_t raw = text.starts_with("ip=") ? text.find(" buf=") : std::string_view::npos;
    return emitMarker(raw != std::string_view::npos ? text.substr(raw + 5) : text, context);
}

constexpr auto kRows = std::to_array<TextEventRow>({
    {"sched", "sched_switch", EventKind::SchedSwitch, readSwitch},
    {"sched", "sched_waking", EventKind::SchedWake, readWake<WakeEventKind::Waking>},
    {"sched", "sched_wakeup", EventKind::SchedWake, readWake<WakeEventKind::Wakeup>},
    {"sched", "sched_wakeup_new", EventKind::SchedWake, readWake<WakeEventKind::WakeupNew>},
    {"sched", "sched_pi_setprio", EventKind::PiSetprio, readPiSetprio},
    {"sched", "sched_process_fork", EventKind::SchedFork, readFork},
    {"sched", "sched_process_exit", EventKind::SchedExit, readExit},
    {"sched", "sched_migrate_task", EventKind::SchedMigrate, readMigrate},
    {"lock", "contention_begin", EventKind::ContentionBegin, readContentionBegin},
    {"lock", "contention_end", EventKind::ContentionEnd, readContentionEnd},
    {"syscalls", "sys_enter_futex", EventKind::FutexEnter, readFutexEnter},
    {"syscalls", "sys_exit_futex", EventKind::FutexExit, readFutexExit},
    {"syscalls", "sys_enter_futex_time32", EventKind::FutexEnter, readFutexEnter},
    {"syscalls", "sys_exit_futex_time32", EventKind::FutexExit, readFutexExit},
    {"ftrace", "print", EventKind::Marker, readPrint},
    {"ftrace", "tracing_mark_write", EventKind::Marker, readMarkWrite},
});

/// "0", "0xffffff8008f91c90": a marker on a kernel that could not name tracing_mark_write.
bool isMarkerAddress(std::string_view name) {
    std::uint64_t address = 0;
    return name == "0" || (name.starts_with("0x") && takeHex(name, address) && name.empty());
}

} // namespace

TextEventRow findTextEvent(std::string_view name) {
    const std::size_t colon = name.find(':');
    const std::string_view system = colon == std::string_view::npos ? "" : name.substr(0, colon);
    // "cycles:uppp" is an event with a modifier, "sched:sched_switch" one with its system.
    constexpr std::string_view kModifiers = "ukhHGpPSDIWeb";
    const bool modified =
        !system.empty() && name.find_first_not_of(kModifiers, colon + 1) == std::string_view::npos;
    const bool qualified = !system.empty() && !modified &&
                           name.find(':', colon + 1) == std::string_view::npos &&
                           name.find('/') == std::string_view::npos;
    const std::string_view own = qualified ? name.substr(colon + 1) : name;
    const auto row = std::ranges::find_if(kRows, [&](const TextEventRow& candidate) {
        return candidate.name == own && (!qualified || candidate.system == system);
    });
    if (row != kRows.end())
        return *row;
    if (isMarkerAddress(name))
        return {"ftrace", "tracing_mark_write", EventKind::Marker, readMarkWrite};
    return {qualified ? system : "", own, EventKind::Other, nullptr};
}

bool takeNaming(std::string_view& body, TextNaming& naming) {
    constexpr std::string_view kName = "comm=";
    const std::size_t at = body.find(kName);
    if (at == std::string_view::npos)
        return false;
    std::size_t prefix = at; // "child_" of "child_comm="
    while (prefix > 0 && isWordCharacter(body[prefix - 1]))
        --prefix;
    const std::string_view owner = body.substr(prefix, at - prefix);
    body.remove_prefix(at + kName.size());
    for (std::size_t pid = body.find("pid="); pid != std::string_view::npos;
         pid = body.find("pid=", pid + 1)) {
        if (pid < owner.size() + 1 || body[pid - owner.size() - 1] != ' ' ||
            body.substr(pid - owner.size(), owner.size()) != owner)
            continue;
        std::string_view number = body.substr(pid + 4);
        naming.name = body.substr(0, pid - owner.size() - 1);
        if (naming.name.size() > 15 || !takeNumber(number, naming.tid))
            return false;
        body = number;
        return true;
    }
    return false;
}

} // namespace inversight
