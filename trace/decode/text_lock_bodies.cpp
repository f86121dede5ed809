// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_lock_bodies.h"

#include "trace/decode/text_scan.h"

#include <algorithm>
#include <array>
#include <utility>

namespace inversight {

namespace {

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

bool endsValue(char c) {
    return c == ',' || c == ' ' || c == ')';
}

/// The value of "NAME: value" or "NAME=value"; it ends at a comma, a blank or a bracket.
std::string_view fieldValue(std::string_view body, std::string_view name) {
    for (std::size_t at = body.find(name); at != std::string_view::npos;
         at = body.find(name, at + 1)) {
        std::string_view rest = body.substr(at + name.size());
        const bool begins = at == 0 || !isWordCharacter(body[at - 1]);
        if (begins && (takeText(rest, ": ") || takeText(rest, "=")))
            return rest.substr(
                0, static_cast<std::size_t>(std::ranges::find_if(rest, endsValue) - rest.begin()));
    }
    return {};
}

bool emitMarker(std::string_view text, TextBodyContext& context) {
    ManifestPlace place;
    const MarkerFields fields = decodeMarker(text, context.unescaped, place);
    if (fields.kind == MarkerKind::ManifestPart &&
        context.manifestTexts.size() < TextBodyContext::kMostManifestTexts)
        context.manifestTexts.push_back({place, std::string(fields.subject)});
    context.sink->event(context.header, fields);
    return true;
}

} // namespace

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

} // namespace inversight
