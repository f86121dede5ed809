// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/print_functions.h"

#include <algorithm>
#include <array>

namespace inversight {

namespace {

using Form = PrintFunction::Form;

constexpr std::array kFunctions = {
    PrintFunction{"__get_str", PrintOp::Field, Form::Field},
    PrintFunction{"__get_rel_str", PrintOp::Field, Form::Field},
    PrintFunction{"__get_dynamic_array", PrintOp::Field, Form::Field},
    PrintFunction{"__get_rel_dynamic_array", PrintOp::Field, Form::Field},
    PrintFunction{"__get_sockaddr", PrintOp::Field, Form::Field},
    PrintFunction{"__get_rel_sockaddr", PrintOp::Field, Form::Field},
    PrintFunction{"__get_dynamic_array_len", PrintOp::DynamicLength, Form::Field},
    PrintFunction{"__get_rel_dynamic_array_len", PrintOp::DynamicLength, Form::Field},
    PrintFunction{"__get_bitmask", PrintOp::Bitmask, Form::Field},
    PrintFunction{"__get_rel_bitmask", PrintOp::Bitmask, Form::Field},
    PrintFunction{"__get_cpumask", PrintOp::Bitmask, Form::Field},
    PrintFunction{"__get_rel_cpumask", PrintOp::Bitmask, Form::Field},
    PrintFunction{"__print_flags", PrintOp::Flags, Form::Rows},
    PrintFunction{"__print_flags_u64", PrintOp::Flags, Form::Rows},
    PrintFunction{"__print_symbolic", PrintOp::Symbolic, Form::Rows},
    PrintFunction{"__print_symbolic_u64", PrintOp::Symbolic, Form::Rows},
    PrintFunction{"__print_hex", PrintOp::Hex, Form::Expressions, 2},
    PrintFunction{"__print_hex_str", PrintOp::HexString, Form::Expressions, 2},
    PrintFunction{"__print_array", PrintOp::Array, Form::Expressions, 3},
    PrintFunction{"__print_dynamic_array", PrintOp::Array, Form::Expressions, 2},
    PrintFunction{"__builtin_expect", PrintOp::Constant, Form::First},
    PrintFunction{"__print_ns_to_secs", PrintOp::Divide, Form::Scaled},
    PrintFunction{"__print_ns_without_secs", PrintOp::Remainder, Form::Scaled},
};

struct Enumerator {
    std::string_view name;
    std::uint64_t value;
};
// include/linux/interrupt.h, include/linux/hrtimer.h
constexpr std::array kEnumerators = {
    Enumerator{"HI_SOFTIRQ", 0},           Enumerator{"TIMER_SOFTIRQ", 1},
    Enumerator{"NET_TX_SOFTIRQ", 2},       Enumerator{"NET_RX_SOFTIRQ", 3},
    Enumerator{"BLOCK_SOFTIRQ", 4},        Enumerator{"IRQ_POLL_SOFTIRQ", 5},
    Enumerator{"BLOCK_IOPOLL_SOFTIRQ", 5}, Enumerator{"TASKLET_SOFTIRQ", 6},
    Enumerator{"SCHED_SOFTIRQ", 7},        Enumerator{"HRTIMER_SOFTIRQ", 8},
    Enumerator{"RCU_SOFTIRQ", 9},          Enumerator{"HRTIMER_NORESTART", 0},
    Enumerator{"HRTIMER_RESTART", 1},
};

} // namespace

const PrintFunction* findPrintFunction(std::string_view name) {
    const auto found = std::ranges::find(kFunctions, name, &PrintFunction::name);
    return found == kFunctions.end() ? nullptr : &*found;
}

std::optional<std::uint64_t> knownEnumerator(std::string_view name) {
    const auto found = std::ranges::find(kEnumerators, name, &Enumerator::name);
    return found == kEnumerators.end() ? std::nullopt : std::optional(found->value);
}

} // namespace inversight
