// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/task_state_table.h"

#include "trace/decode/constant_expression.h"

#include <bit>
#include <optional>
#include <string>

namespace inversight {

namespace {

constexpr std::string_view kField = "prev_state";

std::unexpected<Error> corrupt(const char* what) {
    return std::unexpected(Error{ErrorCode::Corrupt, what, "print format of sched_switch"});
}

void skipBlanks(std::string_view& text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\n'))
        text.remove_prefix(1);
}

bool take(std::string_view& text, char c) {
    skipBlanks(text);
    if (!text.starts_with(c))
        return false;
    text.remove_prefix(1);
    return true;
}

/// The constant in "prev_state & CONSTANT", where text begins with "prev_state"; nothing without
/// the "&".
std::optional<std::uint64_t> takeMask(std::string_view& text) {
    text.remove_prefix(kField.size());
    if (!take(text, '&'))
        return std::nullopt;
    const Result<std::uint64_t> mask = takeConstantExpression(text);
    return mask ? std::optional<std::uint64_t>(*mask) : std::nullopt;
}

/// One entry `{ BIT, "X" }` of the table.
struct Entry {
    std::uint64_t bits = 0;
    char letter = 0;
};

std::optional<Entry> takeEntry(std::string_view& text) {
    if (!take(text, ',') || !take(text, '{'))
        return std::nullopt;
    const Result<std::uint64_t> bits = takeConstantExpression(text);
    if (!bits || !take(text, ',') || !take(text, '"') || text.empty())
        return std::nullopt;
    const char letter = text.front();
    const std::size_t end = text.find('"');
    if (end == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(end + 1);
    if (!take(text, '}'))
        return std::nullopt;
    return Entry{*bits, letter};
}

/// The bit in `prev_state & BIT ? "+" : ""`, 0 if the format has no such part.
std::uint64_t findPreemptedBit(std::string_view printFormat) {
    for (std::size_t at = printFormat.find(kField); at != std::string_view::npos;
         at = printFormat.find(kField, at + 1)) {
        std::string_view text = printFormat.substr(at);
        const std::optional<std::uint64_t> mask = takeMask(text);
        take(text, ')');
        if (mask && take(text, '?') && take(text, '"') && text.starts_with("+\""))
            return *mask;
    }
    return 0;
}

std::optional<TaskState> stateOfLetter(char letter) {
    switch (letter) {
    case 'X':
    case 'x':
        return TaskState::Dead;
    case 'Z':
        return TaskState::Zombie;
    case 'D':
        return TaskState::Uninterruptible;
    case 'S':
        return TaskState::Interruptible;
    case 'T':
        return TaskState::Stopped;
    case 't':
        return TaskState::Traced;
    case 'P':
        return TaskState::Parked;
    case 'I':
        return TaskState::Idle;
    default:
        return std::nullopt; // K, W, N say how, not what
    }
}

TaskState stateOfIndex(std::uint64_t index) {
    constexpr std::array<TaskState, 9> states = {
        TaskState::Runnable, TaskState::Interruptible, TaskState::Uninterruptible,
        TaskState::Stopped,  TaskState::Traced,        TaskState::Dead,
        TaskState::Zombie,   TaskState::Parked,        TaskState::Idle};
    return index < states.size() ? states[index] : TaskState::Unknown;
}

} // namespace

Result<TaskStateTable> TaskStateTable::parse(std::string_view printFormat) {
    const std::size_t flags = printFormat.find("__print_flags(");
    const std::size_t field =
        flags == std::string_view::npos ? flags : printFormat.find(kField, flags);
    if (field == std::string_view::npos)
        return corrupt("expected __print_flags with prev_state");
    std::string_view text = printFormat.substr(field);
    TaskStateTable table;
    const std::optional<std::uint64_t> mask = takeMask(text);
    const std::size_t separator = text.find("\"|\"");
    if (separator == std::string_view::npos)
        return corrupt("expected the separator \"|\" before the table of states");
    text.remove_prefix(separator + 3);
    while (const std::optional<Entry> entry = takeEntry(text)) {
        if (std::has_single_bit(entry->bits) && std::bit_width(entry->bits) <= kStateBits)
            table.letters_[std::bit_width(entry->bits) - 1] = entry->letter;
    }
    if (table.letters_ == std::array<char, kStateBits>{})
        return corrupt("expected a table of states { BIT, \"LETTER\" }");
    table.preemptedBit_ = findPreemptedBit(printFormat);
    table.mask_ = mask.value_or(~table.preemptedBit_);
    table.statesAreIndices_ = table.preemptedBit_ == 0x1000 && table.mask_ == 0xff;
    return table;
}

TaskStateTable::State TaskStateTable::decode(std::uint64_t prevState) const {
    const bool preempted = (prevState & preemptedBit_) != 0;
    if (statesAreIndices_)
        return {preempted ? TaskState::Runnable : stateOfIndex(prevState), preempted};
    const std::uint64_t bits = prevState & mask_;
    return {bits == 0 ? TaskState::Runnable : fromBits(bits), preempted};
}

TaskState TaskStateTable::fromBits(std::uint64_t bits) const {
    std::optional<TaskState> found;
    bool noLoad = false;
    for (std::uint64_t rest = bits & 0xffffffff; rest != 0; rest &= rest - 1) {
        const char letter = letters_[std::countr_zero(rest)];
        noLoad |= letter == 'N';
        const std::optional<TaskState> state = stateOfLetter(letter);
        // Of several, a D wait decides; otherwise the lowest bit.
        if (state && (!found || *state == TaskState::Uninterruptible))
            found = state;
    }
    if (found == TaskState::Uninterruptible && noLoad)
        return TaskState::Idle;
    return found.value_or(TaskState::Unknown);
}

} // namespace inversight
