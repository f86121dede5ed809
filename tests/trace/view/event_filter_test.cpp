// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/support/trace_script.h"
#include "trace/view/event_filter.h"

#include <gmock/gmock.h>

namespace inversight {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Events 0..5: a switch to low, its note, a wake-up of high, a switch to high, a note, a switch.
class Filtered : public testing::Test {
protected:
    Filtered() {
        TraceScript script;
        script.task(10, "low", 120).task(30, "high", 0);
        script.at(0).switchTo(10).at(1'000'000).print("hello World");
        script.at(2'000'000).waking(30).at(3'000'000).switchTo(30);
        script.at(4'000'000).print("bye");
        script.cpu(1).at(5'000'000).switchTo(10);
        store = script.toStore();
    }
    std::vector<std::size_t> matching(const std::string& expression) {
        const auto filter = EventFilter::parse(expression, *store);
        EXPECT_TRUE(filter.has_value()) << filter.error().sentence();
        std::vector<std::size_t> found;
        for (std::uint32_t i = 0; filter && i < store->eventCount(); ++i) {
            const auto text = [&](EventIndex event, std::string& out) {
                ++textsPrinted;
                out = event.index() == 1 ? "hello World" : event.index() == 4 ? "bye" : "";
            };
            if (filter->matches(EventIndex{i}, text))
                found.push_back(i);
        }
        return found;
    }
    Error errorOf(const std::string& expression) {
        const auto filter = EventFilter::parse(expression, *store);
        EXPECT_FALSE(filter.has_value()) << expression;
        return filter ? Error{} : filter.error();
    }

    std::shared_ptr<const TraceStore> store;
    int textsPrinted = 0;
};

TEST_F(Filtered, NothingSaidLetsEverythingThrough) {
    EXPECT_EQ(matching("").size(), 6u);
    EXPECT_EQ(matching("   ").size(), 6u);
}

TEST_F(Filtered, FieldsCompare) {
    EXPECT_THAT(matching("name=sched_switch"), ElementsAre(0, 3, 5));
    EXPECT_THAT(matching("name~WAKING"), ElementsAre(2));
    EXPECT_THAT(matching("name!=sched_switch"), ElementsAre(1, 2, 4));
    EXPECT_THAT(matching("cpu=1"), ElementsAre(5));
    EXPECT_THAT(matching("tid=30"), ElementsAre(4));
    EXPECT_THAT(matching("thread=high"), ElementsAre(4));
    EXPECT_THAT(matching("time>=3ms"), ElementsAre(3, 4, 5));
    EXPECT_THAT(matching("time>0.003"), ElementsAre(4, 5));
    EXPECT_THAT(matching("time<=1000us"), ElementsAre(0, 1));
    EXPECT_THAT(matching("text~WORLD"), ElementsAre(1));
    EXPECT_THAT(matching("text~\"hello w\""), ElementsAre(1));
}

TEST_F(Filtered, ConditionsCombine) {
    EXPECT_THAT(matching("name=sched_switch cpu=0"), ElementsAre(0, 3));
    EXPECT_THAT(matching("name=sched_switch and cpu=0"), ElementsAre(0, 3));
    EXPECT_THAT(matching("tid=30 or cpu=1"), ElementsAre(4, 5));
    EXPECT_THAT(matching("tid=30 | cpu=1"), ElementsAre(4, 5));
    EXPECT_THAT(matching("name=sched_switch (cpu=1 or time<1ms)"), ElementsAre(0, 5));
    EXPECT_THAT(matching("not (name=sched_switch or text~o)"), ElementsAre(2, 4));
    EXPECT_THAT(matching("!cpu=0"), ElementsAre(5));
}

TEST_F(Filtered, ABareWordIsLookedForEverywhere) {
    EXPECT_THAT(matching("switch"), ElementsAre(0, 3, 5));
    EXPECT_THAT(matching("high"), ElementsAre(4));
    EXPECT_THAT(matching("world"), ElementsAre(1));
    EXPECT_THAT(matching("nothing"), IsEmpty());
}

TEST_F(Filtered, TextsArePrintedOnlyWhereTheRestHolds) {
    EXPECT_THAT(matching("text~hello time<2ms name~print"), ElementsAre(1));
    EXPECT_EQ(textsPrinted, 1);
}

TEST_F(Filtered, AnErrorSaysWhatAndWhere) {
    EXPECT_THAT(errorOf("cpu=").sentence(), HasSubstr("a value"));
    EXPECT_THAT(errorOf("cpu=x").sentence(), HasSubstr("a number here (character 5)"));
    EXPECT_THAT(errorOf("(cpu=1").sentence(), HasSubstr("closing parenthesis"));
    EXPECT_THAT(errorOf("cpu=1)").sentence(), HasSubstr("a condition here (character 6)"));
    EXPECT_THAT(errorOf("time>soon").sentence(), HasSubstr("a time such as"));
    EXPECT_THAT(errorOf("text<a").sentence(), HasSubstr("before a text"));
    EXPECT_THAT(errorOf("text~\"a").sentence(), HasSubstr("quotation mark"));
    EXPECT_THAT(errorOf(std::string(200, '(')).sentence(), HasSubstr("fewer parentheses"));
}

} // namespace
} // namespace inversight
