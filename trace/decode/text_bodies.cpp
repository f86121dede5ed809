// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_bodies.h"

#include "trace/decode/text_graph.h"
#include "trace/decode/text_lock_bodies.h"
#include "trace/decode/text_scan.h"
#include "trace/decode/text_sched_bodies.h"

#include <algorithm>
#include <array>

namespace inversight {

namespace {

constexpr auto kRows = std::to_array<TextEventRow>({
    {"sched", "sched_switch", EventKind::SchedSwitch, readSwitch},
    {"sched", "sched_waking", EventKind::SchedWake, readWaking},
    {"sched", "sched_wakeup", EventKind::SchedWake, readWakeup},
    {"sched", "sched_wakeup_new", EventKind::SchedWake, readWakeupNew},
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
    {"ftrace", "funcgraph_entry", EventKind::Other, readGraphEntry},
    {"ftrace", "funcgraph_exit", EventKind::Other, nullptr},
});

/// "0", "0xffffff8008f91c90": a marker on a kernel that could not name tracing_mark_write.
bool isMarkerAddress(std::string_view name) {
    std::uint64_t address = 0;
    return name == "0" || (name.starts_with("0x") && takeHex(name, address) && name.empty());
}

} // namespace

std::string_view bodyOf(std::string_view text) {
    const auto trim = [](std::string_view words) {
        const auto isSpace = [](char c) { return isBlank(c) || c == '\r' || c == '\n'; };
        while (!words.empty() && isSpace(words.front()))
            words.remove_prefix(1);
        while (!words.empty() && isSpace(words.back()))
            words.remove_suffix(1);
        return words;
    };
    text = trim(text);
    return takeText(text, "[FAILED TO PARSE]") ? trim(text) : text;
}

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
