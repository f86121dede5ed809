// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_event_types.h"

namespace inversight {

namespace {

/// How a name is written decides what it means.
enum Form : std::uint8_t { Plain, Function, SyscallEnter, SyscallExit, Described };

/// What ftrace's own entries, which have no name in the text, are called in trace.dat.
std::string_view describe(std::string_view body) {
    if (body.starts_with("<stack trace"))
        return "kernel_stack";
    if (body.starts_with("<user stack trace"))
        return "user_stack";
    if (body.contains(" ==> ["))
        return "context_switch";
    if (body.contains(" + ["))
        return "wakeup";
    return "text";
}

TextEventType typeOf(std::string_view name, std::uint8_t form) {
    constexpr std::string_view kPrefix = "sys_";
    switch (form) {
    case Function:
        return {"ftrace", "function", EventKind::Other, nullptr};
    case Described:
        return {"ftrace", std::string(name), EventKind::Other, nullptr};
    case SyscallEnter:
    case SyscallExit: {
        if (!name.starts_with(kPrefix))
            return {"", std::string(name), EventKind::Other, nullptr};
        const std::string full = std::string(form == SyscallEnter ? "sys_enter_" : "sys_exit_") +
                                 std::string(name.substr(kPrefix.size()));
        const TextEventRow row = findTextEvent(full);
        return {"syscalls", full, row.kind, row.read};
    }
    default: {
        const TextEventRow row = findTextEvent(name);
        return {std::string(row.system), std::string(row.name), row.kind, row.read};
    }
    }
}

} // namespace

TextEventKey textEventKey(const TextLine& line) {
    switch (line.shape) {
    case NameShape::Function:
        return {{}, Function};
    case NameShape::Syscall:
        return {line.name, line.body.starts_with('(') ? SyscallEnter : SyscallExit};
    case NameShape::Text:
        return {describe(line.body), Described};
    default:
        return {line.name, Plain};
    }
}

std::uint16_t TextEventTypes::add(const TextEventKey& key) {
    if (const auto known = byKey_.find(key); known != byKey_.end())
        return known->second;
    if (byKey_.size() >= kMostTypes) {
        if (!other_)
            other_ = addType({"", "other events", EventKind::Other, nullptr});
        return *other_;
    }
    const std::uint16_t index = addType(typeOf(key.name, key.form));
    keys_.push_back({names_.emplace_back(key.name), key.form});
    byKey_.emplace(keys_.back(), index);
    return index;
}

void TextEventTypes::add(const TextEventTypes& later) {
    for (const TextEventKey& key : later.keys_)
        (void)add(key);
    // It has more keys than both may have.
    if (later.other_ && !other_)
        other_ = addType({"", "other events", EventKind::Other, nullptr});
}

std::uint16_t TextEventTypes::find(const TextEventKey& key) const {
    const auto known = byKey_.find(key);
    return known != byKey_.end() ? known->second : other_.value_or(0);
}

std::uint16_t TextEventTypes::addType(TextEventType type) {
    const auto [place, isNew] = byFullName_.try_emplace(type.system + ":" + type.name,
                                                        static_cast<std::uint16_t>(types_.size()));
    if (isNew)
        types_.push_back(std::move(type));
    return place->second;
}

} // namespace inversight
