// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/task_state_table.h"

#include "trace/decode/constant_expression.h"

#include <gmock/gmock.h>

namespace inversight::test {

namespace {

std::string evaluate(std::string_view text) {
    const auto value = takeConstantExpression(text);
    return value ? std::to_string(*value) + "<" + std::string(text) + ">" : value.error().what;
}

TEST(ConstantExpression, FollowsC) {
    EXPECT_EQ(evaluate("0x10"), "16<>");
    EXPECT_EQ(evaluate("010, 3"), "8<, 3>");
    EXPECT_EQ(evaluate("(1U << 3), rest"), "8<, rest>");
    EXPECT_EQ(evaluate("1 | 2 & 3 << 1"), "3<>");
    EXPECT_EQ(evaluate("2 + 3 * 4 - 1"), "13<>");
    EXPECT_EQ(evaluate("~0UL & 0xff"), "255<>");
    EXPECT_EQ(evaluate("-1 & 7 ^ 2"), "5<>");
    EXPECT_EQ(evaluate("1 << 64"), "0<>");
    EXPECT_EQ(evaluate("((((0x0000 | 0x0001 | 0x0040) + 1) << 1) - 1)) ? x"), "131<) ? x>");
    EXPECT_EQ(evaluate("1 || 2"), "1<|| 2>");
}

TEST(ConstantExpression, SaysWhatItExpected) {
    EXPECT_EQ(evaluate(""), "expected a number");
    EXPECT_EQ(evaluate("REC->x"), "expected a number");
    EXPECT_EQ(evaluate("(1"), "expected \")\"");
    EXPECT_EQ(evaluate("1 +"), "expected a number");
    EXPECT_EQ(evaluate("99999999999999999999"), "expected a number");
    EXPECT_EQ(evaluate(std::string(100000, '(')), "expected an expression with fewer parentheses");
    EXPECT_EQ(evaluate(std::string(100000, '~')), "expected an expression with fewer parentheses");
}

/// Linux 4.14.155 and later, 4.15 to 6.x.
constexpr std::string_view kModern =
    R"("prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d )"
    R"(next_prio=%d", REC->prev_comm, REC->prev_pid, REC->prev_prio, (REC->prev_state & )"
    R"(((((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1) )"
    R"(- 1)) ? __print_flags(REC->prev_state & ((((0x0000 | 0x0001 | 0x0002 | 0x0004 | )"
    R"(0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1) - 1), "|", { 0x0001, "S" }, { 0x0002, )"
    R"("D" }, { 0x0004, "T" }, { 0x0008, "t" }, { 0x0010, "X" }, { 0x0020, "Z" }, { 0x0040, )"
    R"("P" }, { 0x0080, "I" }) : "R", REC->prev_state & (((0x0000 | 0x0001 | 0x0002 | 0x0004 )"
    R"(| 0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1) ? "+" : "", REC->next_comm, )"
    R"(REC->next_pid, REC->next_prio)";

/// Linux 3.x with the old order of X and Z.
constexpr std::string_view kOld =
    R"("prev_state=%s%s", REC->prev_state & (2048-1) ? __print_flags(REC->prev_state & )"
    R"((2048-1), "|", { 1, "S"} , { 2, "D" }, { 4, "T" }, { 8, "t" }, { 16, "Z" }, { 32, "X" )"
    R"(}, { 64, "x" }, { 128, "K" }, { 256, "W" }, { 512, "P" }, { 1024, "N" }) : "R", )"
    R"(REC->prev_state & 2048 ? "+" : "", REC->next_comm)";

struct Case {
    std::uint64_t raw;
    TaskState state;
    bool preempted = false;
};

void expectStates(std::string_view printFormat, std::initializer_list<Case> cases) {
    const auto table = TaskStateTable::parse(printFormat);
    ASSERT_TRUE(table) << table.error().sentence();
    for (const Case& expected : cases) {
        const TaskStateTable::State state = table->decode(expected.raw);
        EXPECT_EQ(state.state, expected.state) << expected.raw;
        EXPECT_EQ(state.preempted, expected.preempted) << expected.raw;
    }
}

TEST(TaskStateTable, ModernKernels) {
    expectStates(kModern, {{0, TaskState::Runnable},
                           {1, TaskState::Interruptible},
                           {2, TaskState::Uninterruptible},
                           {4, TaskState::Stopped},
                           {8, TaskState::Traced},
                           {0x10, TaskState::Dead},
                           {0x20, TaskState::Zombie},
                           {0x40, TaskState::Parked},
                           {0x80, TaskState::Idle},
                           {0x100, TaskState::Runnable, true},
                           {0x1000, TaskState::Runnable}}); // outside the mask: prints "R"
}

TEST(TaskStateTable, OldKernelsMeanOtherBits) {
    expectStates(kOld, {{0, TaskState::Runnable},
                        {16, TaskState::Zombie},
                        {32, TaskState::Dead},
                        {64, TaskState::Dead},
                        {0x82, TaskState::Uninterruptible}, // D|K
                        {0x81, TaskState::Interruptible},   // S|K
                        {0x402, TaskState::Idle},           // D|N
                        {0x80, TaskState::Unknown},         // K alone
                        {512, TaskState::Parked},
                        {2048, TaskState::Runnable, true}});
}

TEST(TaskStateTable, TheOldestHaveNoMaskAndNoPlus) {
    expectStates(
        R"("%s", REC->prev_state ? __print_flags(REC->prev_state, "|", { 1, "S"} , { 2, "D" )"
        R"(}, { 16, "Z" }) : "R")",
        {{0, TaskState::Runnable},
         {1, TaskState::Interruptible},
         {16, TaskState::Zombie},
         {0x100, TaskState::Unknown},
         {std::uint64_t{1} << 40, TaskState::Unknown}});
}

TEST(TaskStateTable, Linux414WroteIndices) {
    std::string text(kModern);
    const std::string plus = "REC->prev_state & (((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | "
                             "0x0010 | 0x0020 | 0x0040) + 1) << 1) ? \"+\"";
    text.replace(text.find(plus), plus.size(), "REC->prev_state & 0x1000 ? \"+\"");
    const auto table = TaskStateTable::parse(text);
    ASSERT_TRUE(table);
    EXPECT_TRUE(table->statesAreIndices());
    EXPECT_FALSE(TaskStateTable::parse(kModern)->statesAreIndices());
    expectStates(text, {{0, TaskState::Runnable},
                        {1, TaskState::Interruptible},
                        {2, TaskState::Uninterruptible},
                        {3, TaskState::Stopped},
                        {4, TaskState::Traced},
                        {5, TaskState::Dead},
                        {6, TaskState::Zombie},
                        {7, TaskState::Parked},
                        {8, TaskState::Idle},
                        {9, TaskState::Unknown},
                        {0x1000, TaskState::Runnable, true}});
}

TEST(TaskStateTable, SaysWhatIsMissing) {
    const auto failure = [](std::string_view text) {
        const auto table = TaskStateTable::parse(text);
        return table ? "" : table.error().sentence();
    };
    EXPECT_EQ(failure(""), "expected __print_flags with prev_state (print format of sched_switch)");
    EXPECT_EQ(failure("__print_flags(REC->other, \"|\", { 1, \"S\" })"),
              "expected __print_flags with prev_state (print format of sched_switch)");
    EXPECT_EQ(failure("__print_flags(REC->prev_state, { 1, \"S\" })"),
              "expected the separator \"|\" before the table of states (print format of "
              "sched_switch)");
    EXPECT_EQ(failure("__print_flags(REC->prev_state, \"|\", { x, \"S\" })"),
              "expected a table of states { BIT, \"LETTER\" } (print format of sched_switch)");
    EXPECT_EQ(failure("__print_flags(REC->prev_state, \"|\", { 1, \"S"),
              "expected a table of states { BIT, \"LETTER\" } (print format of sched_switch)");
}

} // namespace

} // namespace inversight::test
