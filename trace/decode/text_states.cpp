// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_states.h"

#include "trace/decode/text_scan.h"

#include <array>

namespace inversight {

namespace {

constexpr std::uint32_t kUninterruptible = 0x02;
constexpr std::uint32_t kNoLoad = 0x400;    ///< N: with D the way to write "idle" before 4.14
constexpr std::uint32_t kPreempted = 0x100; ///< R+
constexpr std::uint32_t kSaysHow = 0x200;   ///< K, W: how the task may be woken, not what it is

TaskState stateOfBits(std::uint32_t bits) {
    constexpr std::array<TaskState, 8> states = {
        TaskState::Interruptible, TaskState::Uninterruptible, TaskState::Stopped, TaskState::Traced,
        TaskState::Dead,          TaskState::Zombie,          TaskState::Parked,  TaskState::Idle};
    if ((bits & kUninterruptible) != 0) // of several, a D wait decides
        return (bits & kNoLoad) != 0 ? TaskState::Idle : TaskState::Uninterruptible;
    for (std::size_t bit = 0; bit < states.size(); ++bit) {
        if ((bits & (1U << bit)) != 0)
            return states[bit];
    }
    return TaskState::Unknown;
}

/// 0 for a letter nobody knows.
std::uint32_t bitOfLetter(char letter, StateLetters letters) {
    constexpr std::string_view kKernel = "SDTtXZPI";
    constexpr std::string_view kPlugin = "SDTtZXxW";
    const std::size_t bit = (letters == StateLetters::Plugin ? kPlugin : kKernel).find(letter);
    if (bit != std::string_view::npos)
        return 1U << bit;
    switch (letter) {
    case 'x':
        return 0x10;
    case 'N':
        return kNoLoad;
    case 'K':
    case 'W':
        return kSaysHow;
    default:
        return 0;
    }
}

TextState fromNumber(std::uint64_t number) {
    constexpr std::uint64_t kKnown = 0x1ff;
    TextState state{static_cast<std::uint32_t>(number), TaskState::Unknown, false};
    if ((number & ~kKnown) != 0)
        return state;
    state.preempted = (number & kPreempted) != 0;
    const std::uint32_t bits = state.raw & 0xff;
    state.state = bits == 0 ? TaskState::Runnable : stateOfBits(bits);
    return state;
}

TextState fromLetters(std::string_view text, StateLetters letters) {
    std::uint32_t bits = 0;
    bool known = true;
    for (const char c : text) {
        if (c == '|' || c == 'R')
            continue;
        const std::uint32_t bit = bitOfLetter(c, letters);
        known &= bit != 0;
        bits |= bit;
    }
    return {bits & 0xff, known || bits != 0 ? stateOfBits(bits) : TaskState::Unknown, false};
}

} // namespace

TextState decodeTextState(std::string_view text, StateLetters letters) {
    if (text == "R")
        return {0, TaskState::Runnable, false};
    if (text == "R+")
        return {kPreempted, TaskState::Runnable, true};
    std::int64_t number = 0;
    std::string_view rest = text;
    if (!text.empty() && isDigit(text.front()) && takeNumber(rest, number) && rest.empty())
        return fromNumber(static_cast<std::uint64_t>(number));
    if (!text.ends_with('+'))
        return fromLetters(text, letters);
    TextState state = fromLetters(text.substr(0, text.size() - 1), letters);
    state.preempted = true;
    state.raw |= kPreempted;
    return state;
}

} // namespace inversight
