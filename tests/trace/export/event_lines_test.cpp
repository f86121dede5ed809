// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Events as lines of text, from a source whose texts are made here.
#include "sample_trace.h"
#include "trace/export/event_lines.h"
#include "trace/export/exporters.h"
#include "trace/model/trace_store_builder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

namespace inversight::test {

namespace {

using testing::HasSubstr;

/// Says of each event where it is.
class OffsetSource final : public TraceSource {
public:
    [[nodiscard]] const SourceInfo& info() const override { return info_; }
    [[nodiscard]] std::vector<StreamId> streams() const override { return {}; }
    [[nodiscard]] Result<LoadReport> load(StreamId, EventSink&, const JobContext&) override {
        return LoadReport{};
    }
    [[nodiscard]] Result<std::string> text(RecordRef record) const override {
        if (record.offset == 666)
            return std::unexpected(Error{ErrorCode::Corrupt, "no record", "offset 666"});
        return "at " + std::to_string(record.offset) + (record.offset == 5 ? "\n\t\x1b[2J" : "");
    }

private:
    SourceInfo info_;
};

EventHeader header(std::int64_t time, std::uint64_t offset, std::int32_t tid, EventTypeId type,
                   std::uint8_t flags = 0, std::uint8_t preemptCount = 0) {
    return {time, offset, tid, type, flags, preemptCount};
}

LoadedTrace loaded(TraceStoreBuilder&& builder) {
    LoadedTrace trace;
    trace.store = *std::move(builder).finish(JobContext());
    trace.source = std::make_shared<OffsetSource>();
    return trace;
}

std::string written(const LoadedTrace& trace) {
    std::ostringstream out;
    const auto done = writeEventLines(trace, JobContext(), out);
    return done ? out.str() : done.error().sentence();
}

TEST(EventLines, HaveTheFormOfTraceCmdReport) {
    TraceStoreBuilder builder;
    const StreamId stream = builder.declareStream({"", ClockDomain::fromName("mono"), 2});
    const EventTypeId type = builder.declareType({1, "x", "short", EventKind::Other});
    const EventTypeId longType =
        builder.declareType({2, "x", "a_name_of_twenty_letters_and_more", EventKind::Other});
    builder.nameThread(77, "worker");
    CpuEventSink& zero = builder.cpuSink(stream, 0);
    CpuEventSink& one = builder.cpuSink(stream, 1);
    zero.event(header(1'000'000'001, 4, 77, type, 0x01 | 0x04 | 0x20 | 0x08, 0x12));
    one.lost(3);
    one.event(header(1'000'000'002, 5, 0, longType, 0x01 | 0x80 | 0x10));
    zero.lost(std::nullopt);
    zero.event(header(12'345'000'000'003, 6, 78, type, 0x40));
    EXPECT_EQ(written(loaded(std::move(builder))),
              "          worker-77    [000] dNh21     1.000000001: short:                at 4\n"
              "CPU:1 [LOST 3 EVENTS]\n"
              "          <idle>-0     [001] D.s..     1.000000002: "
              "a_name_of_twenty_letters_and_more: at 5\\n\t?[2J\n"
              "CPU:0 [LOST EVENTS]\n"
              "           <...>-78    [000] ..z.. 12345.000000003: short:                at 6\n");
}

/// A task's name and a marker's text are anybody's.
TEST(EventLines, NobodyForgesALine) {
    const std::string forged = "root-1     [000] .....     1.000000000: sched_switch:         x";
    TraceStoreBuilder builder;
    const StreamId stream =
        builder.declareStream({"b\n" + forged, ClockDomain::fromName("mono"), 1});
    (void)builder.declareStream({"other", ClockDomain::fromName("mono"), 1});
    const EventTypeId type = builder.declareType({1, "x", "e\n" + forged, EventKind::Other});
    builder.nameThread(77, "a\n" + forged);
    builder.cpuSink(stream, 0).event(header(1, 5, 77, type)); // its text has a newline too
    const std::string text = written(loaded(std::move(builder)));
    EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
    EXPECT_TRUE(text.ends_with("at 5\\n\t?[2J\n")) << text;
    EXPECT_THAT(text, testing::AllOf(HasSubstr("b\\nroot-1"), HasSubstr("a\\nroot-1"),
                                     HasSubstr("e\\nroot-1")));
}

TEST(EventLines, NameTheBufferWhenThereAreSeveral) {
    TraceStoreBuilder builder;
    const ClockDomain clock = ClockDomain::fromName("x86-tsc");
    const StreamId top = builder.declareStream({"", clock, 1});
    const StreamId second = builder.declareStream({"second", clock, 1});
    const EventTypeId type = builder.declareType({1, "x", "e", EventKind::Other});
    CpuEventSink& topSink = builder.cpuSink(top, 0);
    CpuEventSink& secondSink = builder.cpuSink(second, 0);
    topSink.event(header(10, 1, 0, type));
    secondSink.lost(1);
    secondSink.event(header(11, 2, 0, type));
    EXPECT_EQ(
        written(loaded(std::move(builder))),
        "                  <idle>-0     [000] .....              10: e:                    at 1\n"
        "second: CPU:0 [LOST 1 EVENTS]\n"
        "second:           <idle>-0     [000] .....              11: e:                    at 2\n");
}

TEST(EventLines, AnEmptyTraceIsEmpty) {
    EXPECT_EQ(written(loaded(TraceStoreBuilder())), "");
}

TEST(EventLines, FailuresAreErrors) {
    const SampleTrace sample(boostedOperation());
    EXPECT_THAT(written(sample.trace), HasSubstr("only in the file"));

    LoadedTrace trace = sample.trace;
    trace.source = std::make_shared<OffsetSource>();
    std::stop_source stop;
    stop.request_stop();
    std::ostringstream out;
    const auto cancelled = writeEventLines(trace, JobContext(stop.get_token()), out);
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, ErrorCode::Cancelled);

    out.setstate(std::ios::badbit);
    const auto failed = writeEventLines(trace, JobContext(), out);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::Io);

    TraceStoreBuilder builder;
    const StreamId stream = builder.declareStream({"", ClockDomain::fromName("mono"), 1});
    const EventTypeId type = builder.declareType({1, "x", "e", EventKind::Other});
    builder.cpuSink(stream, 0).event(header(1, 666, 0, type));
    EXPECT_THAT(written(loaded(std::move(builder))), HasSubstr("no record"));
}

TEST(EventFormats, AreFoundByName) {
    for (const EventFormatRow& format : eventFormats()) {
        const auto found = findEventFormat(format.name);
        ASSERT_TRUE(found);
        EXPECT_EQ(*found, &format);
        EXPECT_FALSE(format.text.empty());
        EXPECT_FALSE(format.extension.empty());
    }
    const auto missing = findEventFormat("xml");
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().remedy, HasSubstr("text"));
}

} // namespace

} // namespace inversight::test
