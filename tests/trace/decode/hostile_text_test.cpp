// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Bytes nobody wrote as a trace: no crash, no hang, memory in proportion.
#include "text_samples.h"
#include "trace/decode/text_line.h"
#include "trace/model/trace_store_builder.h"
#include "trace_files.h"

#include <gmock/gmock.h>

#include <chrono>
#include <random>

namespace inversight::test {

namespace {

/// Loads whatever it is.
std::size_t loadAnything(const std::string& bytes) {
    auto source = openTraceSource(RecordStore::fromBytes(bytes, "bytes"));
    if (!source)
        return 0;
    TraceStoreBuilder builder;
    for (const StreamId stream : (*source)->streams())
        (void)(*source)->load(stream, builder, {});
    const auto store = std::move(builder).finish({});
    return store ? (*store)->eventCount() : 0;
}

std::string sample(const std::string& name) {
    return readBytes(std::string(INVERSIGHT_TEST_DATA) + "/text/" + name);
}

TEST(HostileText, EveryCutOfEverySample) {
    for (const char* name : {"ftrace.txt", "latency.txt", "report.txt", "perf.txt"}) {
        const std::string text = sample(name);
        for (std::size_t size = 0; size < text.size(); ++size)
            loadAnything(text.substr(0, size));
    }
}

TEST(HostileText, RandomChanges) {
    std::mt19937 random(7);
    const std::string kAlphabet = "0123456789:.[]()-= \n\r\t#<>/|xRSD+us\xff\0"
                                  "CPUEVENTS";
    for (const char* name : {"ftrace.txt", "latency.txt", "report.txt", "perf.txt"}) {
        const std::string original = sample(name);
        for (int round = 0; round < 400; ++round) {
            std::string text = original;
            for (int change = 0; change < 20; ++change)
                text[random() % text.size()] = kAlphabet[random() % kAlphabet.size()];
            loadAnything(text);
        }
    }
}

TEST(HostileText, LongLinesTakeLinearTime) {
    const std::string prefix = "  a-1 [000] 1.0: x: y\n";
    const std::string candidate = "a-1 [0] 1.0: ";
    std::string repeated;
    while (repeated.size() < std::size_t{2} << 20)
        repeated += candidate;
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string& line :
         {std::string(std::size_t{2} << 20, ':'), std::string(std::size_t{2} << 20, ' ') + repeated,
          std::string(std::size_t{2} << 20, '1') + ":", repeated,
          "  a-1 [000] 1.0: sched_switch: prev_comm=" + repeated,
          "  a-1 [000] 1.0: sched_switch: " + std::string(std::size_t{1} << 20, '['),
          "  a-1 [000] 1.0: sched_wakeup: " + repeated, "  a-1 [000] 1.0: other: comm=" + repeated})
        EXPECT_GE(loadAnything(prefix + line + "\n"), 1U);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST(HostileText, RepeatedPiecesOfBodies) {
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string piece :
         {" prev_pid=1", " pid=1", " ==> ", ":1 [2] S ==> ", "comm=", "comm=x pid=", " [", "FUTEX_",
          "flags=", "op: ", "|", "uaddr: 1 "}) {
        std::string body;
        while (body.size() < std::size_t{1} << 18)
            body += piece;
        std::string text = "# tracer: nop\n";
        for (const char* name : {"sched_switch", "sched_wakeup", "sched_process_fork", "other",
                                 "contention_begin", "sys_enter_futex", "print"}) {
            text += "  a-1 [000] 1.0: ";
            text += name;
            text += ": prev_comm=" + body + "\n  a-1 [000] 1.0: " + name + ": comm=" + body + "\n" +
                    "  a-1 [000] 1.0: " + name + ": " + body + "\n";
        }
        EXPECT_EQ(loadAnything(text), 21U) << piece;
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(120));
}

TEST(HostileText, ManyBrokenLinesAfterEachOther) {
    std::string text;
    for (int index = 0; index < 20000; ++index)
        text += "  a-1 [000] 1.0: sched_switch: prev_comm=x\ny\n";
    EXPECT_EQ(loadAnything(text), 20000U);
}

} // namespace

} // namespace inversight::test
