// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The JSON documents: exact values, and the schemas they are published with.
#include "sample_trace.h"
#include "tests/support/temporary_folder.h"
#include "trace/export/analyze_document.h"
#include "trace/export/explain_text.h"
#include "trace/export/info_document.h"
#include "trace/export/trace_summary.h"
#include "trace/model/trace_store_builder.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

namespace inversight::test {

namespace {

/// What python3's jsonschema says about `json` under resources/schema/NAME.schema.json: "" if it
/// is valid. Also refuses an object that has keys the schema does not know.
std::string validate(const std::string& schema, const std::string& json) {
    const TemporaryFolder folder;
    const std::string document = folder.file("document.json");
    const std::string said = folder.file("said.txt");
    std::ofstream(document) << json;
    const std::string command = "python3 '" INVERSIGHT_SOURCE_DIR
                                "/tests/trace/export/validate.py' '" INVERSIGHT_SOURCE_DIR
                                "/resources/schema/" +
                                schema + ".schema.json' '" + document + "' >'" + said + "' 2>&1";
    const int status = std::system(command.c_str());
    std::ifstream file(said);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    return status == 0 ? "" : "invalid: " + text;
}

TEST(JsonDocument, HasTheEnvelopeInItsOrder) {
    JsonDocument document;
    document.schema = "inversight.list/1";
    document.tool = "inversight 1.2.3";
    document.originNs = 1796060801574118070;
    document.warnings = {"w"};
    document.data["b"] = 1;
    document.data["a"] = 2;
    EXPECT_EQ(document.toJson().dump(),
              R"({"schema":"inversight.list/1","tool":"inversight 1.2.3",)"
              R"("origin_ns":"1796060801574118070","clock":null,"complete":true,)"
              R"("warnings":["w"],"data":{"b":1,"a":2}})");
    EXPECT_EQ(document.toText().back(), '\n');
}

TEST(JsonDocument, BytesThatAreNotUtf8BecomeReplacements) {
    JsonDocument document;
    document.data["name"] = "a\xff"
                            "b";
    EXPECT_NE(document.toText().find("a\xef\xbf\xbd"
                                     "b"),
              std::string::npos);
}

TEST(JsonDocument, AddressesAreHexStringsAndTimesWrapInsteadOfOverflowing) {
    EXPECT_EQ(jsonAddress(0xffffffffc0263028), "0xffffffffc0263028");
    EXPECT_EQ(jsonAddress(0), "0x0");
    EXPECT_EQ(relativeTime(5, 7), -2);
    EXPECT_EQ(relativeTime(std::numeric_limits<std::int64_t>::max(), -1),
              std::numeric_limits<std::int64_t>::min());
}

TEST(InfoDocument, TellsWhatTheFileHolds) {
    const SampleTrace sample(boostedOperation());
    const JsonDocument document = infoDocument(sample.trace, "inversight 1.2.3");
    const Json json = document.toJson();
    EXPECT_EQ(json["schema"], "inversight.info/1");
    EXPECT_EQ(json["origin_ns"], "1000000000");
    EXPECT_EQ(json["clock"], "mono");
    EXPECT_EQ(json["complete"], false);
    EXPECT_EQ(json["warnings"], (Json{"7 events were lost while recording"}));
    const Json& data = json["data"];
    EXPECT_EQ(data["endian"], "little");
    EXPECT_EQ(data["page_size"], 4096);
    EXPECT_EQ(data["buffers"],
              (Json::array({{{"name", ""},
                             {"clock", "mono"},
                             {"unit", "ns"},
                             {"cpu_count", data["buffers"][0]["cpu_count"]},
                             {"event_count", sample.trace.store->eventCount()}}})));
    EXPECT_EQ(data["first_ns"], 0);
    EXPECT_EQ(data["last_ns"], 700);
    EXPECT_EQ(data["event_counts"]["sched_switch"], 6);
    EXPECT_EQ(data["event_counts"]["sched_pi_setprio"], 2);
    EXPECT_EQ(data["event_counts"]["print"], 13);
    EXPECT_EQ(data["lost_count"], 7);
    EXPECT_EQ(data["lost_unknown_count"], 0);
    ASSERT_EQ(data["cpus"].size(), 3U);
    EXPECT_EQ(data["cpus"][1], (Json{{"cpu", 1}, {"event_count", 2}, {"lost_count", 7}}));
    EXPECT_EQ(data["cpus"][2]["event_count"], 0);
    EXPECT_EQ(data["losses"], (Json::array({{{"buffer", ""},
                                             {"cpu", 1},
                                             {"begin_ns", 620},
                                             {"end_ns", 700},
                                             {"lost_count", 7}}})));
    EXPECT_EQ(validate("info", document.toText()), "");
}

TEST(InfoDocument, AnEmptyTraceHasNoTimes) {
    const SampleTrace sample{TraceScript()};
    const JsonDocument document = infoDocument(sample.trace, "t");
    EXPECT_EQ(document.data["first_ns"], nullptr);
    EXPECT_EQ(document.data["event_counts"], Json::object());
    EXPECT_TRUE(document.complete);
    EXPECT_EQ(validate("info", document.toText()), "");
    EXPECT_THAT(infoText(sample.trace), testing::HasSubstr("no events"));
}

TEST(InfoDocument, OneNameInTwoSystemsIsToldApart) {
    TraceStoreBuilder builder;
    const StreamId stream = builder.declareStream({"", ClockDomain::fromName("mono"), 1});
    const EventTypeId a = builder.declareType({1, "lock", "begin", EventKind::Other});
    const EventTypeId b = builder.declareType({2, "dma", "begin", EventKind::Other});
    const EventTypeId c = builder.declareType({3, "x", "end", EventKind::Other});
    for (const EventTypeId type : {a, b, b, c})
        builder.cpuSink(stream, 0).event({1, 0, 0, type});
    const auto store = *std::move(builder).finish(JobContext());
    EXPECT_THAT(eventCountsByName(*store),
                testing::ElementsAre(testing::Pair("dma:begin", 2), testing::Pair("end", 1),
                                     testing::Pair("lock:begin", 1)));
}

TEST(AnalyzeDocument, TellsBoostsWaitsAndThreads) {
    const SampleTrace sample(boostedOperation());
    const JsonDocument document = analyzeDocument(sample.analyzed());
    EXPECT_EQ(document.tool, "inversight 1.2.3");
    const Json& data = document.data;
    const Json low = {{"pid", 10}, {"name", "low, \"x\""}};
    const Json high = {{"pid", 30}, {"name", "high\x1b[1m"}};
    ASSERT_EQ(data["boosts"].size(), 1U);
    EXPECT_EQ(
        data["boosts"][0],
        (Json{{"target", low},
              {"from_prio", 120},
              {"to_prio", 0},
              {"begin_ns", 110},
              {"end_ns", 510},
              {"begin_seen", true},
              {"end_seen", true},
              {"levels",
               Json::array({{{"begin_ns", 110}, {"prio", 0}, {"donor", high}, {"lock", "bus"}}})},
              {"donor", high},
              {"lock", "bus"},
              {"nominal", false},
              {"confidence", "certain"}}));
    ASSERT_EQ(data["waits"].size(), 2U);
    EXPECT_EQ(data["waits"][0]["contended"], false);
    EXPECT_EQ(data["waits"][0]["owner_chain"], nullptr);
    const Json& wait = data["waits"][1];
    EXPECT_EQ(wait["thread"], high);
    EXPECT_EQ(wait["request_ns"], 100);
    EXPECT_EQ(wait["acquire_ns"], 550);
    EXPECT_EQ(wait["owner_chain"], Json::array({low}));
    EXPECT_EQ(wait["evidence"], "marker");
    EXPECT_EQ(wait["parts_ns"]["critical_section"], 390);
    EXPECT_EQ(wait["parts_ns"]["wire"], 20);
    EXPECT_EQ(wait["parts_ns"]["handoff"], 40);
    EXPECT_EQ(wait["holds"], Json::array({{{"owner", low}, {"kind", "at_request"}, {"ns", 410}},
                                          {{"owner", nullptr}, {"kind", "none"}, {"ns", 40}}}));
    ASSERT_EQ(data["inversions"].size(), 1U);
    EXPECT_EQ(data["inversions"][0]["kinds"], Json::array({"bounded"}));
    EXPECT_EQ(data["inversions"][0]["boost_after_ns"], 10);
    for (const Json& thread : data["threads"]) {
        std::int64_t sum = 0;
        for (const auto& [state, ns] : thread["states_ns"].items())
            sum += ns.get<std::int64_t>();
        EXPECT_EQ(sum, 700) << thread["name"];
        if (thread["pid"] != 30)
            continue;
        EXPECT_EQ(thread["priority"], "RT 99");
        EXPECT_EQ(thread["operation_count"], 1);
        EXPECT_EQ(thread["latency_ns"]["max"], 510);
        EXPECT_EQ(thread["transfer_count"], 1);
        EXPECT_EQ(thread["contended_wait_count"], 1);
        EXPECT_EQ(thread["states_ns"]["blocked_lock"], 390); // 120 to the waking at 510
    }
    EXPECT_EQ(validate("analyze", document.toText()), "");
}

TEST(AnalyzeDocument, ARangeFiltersWhatIsTold) {
    const SampleTrace sample(boostedOperation());
    AnalyzedTrace analyzed = sample.analyzed();
    analyzed.range = TimeRange{1'000'000'000, 1'000'000'100};
    const Json data = analyzeDocument(analyzed).data;
    EXPECT_EQ(data["range"], (Json{{"begin_ns", 0}, {"end_ns", 100}}));
    EXPECT_TRUE(data["boosts"].empty());
    EXPECT_EQ(data["waits"].size(), 1U);
    for (const Json& thread : data["threads"]) {
        if (thread["pid"] == 10) {
            EXPECT_EQ(thread["states_ns"]["running"], 90);
        }
    }
}

TEST(AnalyzeDocument, WhatNobodyAskedForIsLeftOut) {
    const SampleTrace sample(boostedOperation());
    AnalyzedTrace analyzed = sample.analyzed();
    analyzed.filter.only = {AnalysisId::Boosts};
    const JsonDocument document = analyzeDocument(analyzed);
    EXPECT_TRUE(document.data.contains("boosts"));
    EXPECT_FALSE(document.data.contains("waits"));
    EXPECT_EQ(validate("analyze", document.toText()), "");
}

TEST(ExplainDocument, HasTheSentences) {
    const SampleTrace sample(boostedOperation());
    const JsonDocument document = explainDocument(sample.analyzed(), 3);
    ASSERT_EQ(document.data["explanations"].size(), 1U);
    EXPECT_EQ(document.data["explanations"][0]["begin_ns"], 100);
    EXPECT_EQ(validate("explain", document.toText()), "");
}

TEST(AnalyzeDocument, WhatFailedIsNullAndAWarning) {
    const SampleTrace sample(boostedOperation());
    AnalysisResults results;
    for (const AnalysisRow& row : analyses())
        results.publishError(row.id, AnalysisState::Failed,
                             {ErrorCode::Unavailable, std::string(row.name) + " broke"});
    const JsonDocument document = analyzeDocument({sample.trace, results, "t"});
    EXPECT_FALSE(document.complete);
    EXPECT_THAT(document.warnings, testing::Contains("boosts broke"));
    EXPECT_EQ(document.data["boosts"], nullptr);
    EXPECT_EQ(document.data["waits"], nullptr);
    EXPECT_EQ(document.data["threads"][0]["states_ns"], nullptr);
    EXPECT_EQ(validate("analyze", document.toText()), "");
}

TEST(AnalyzeDocument, TheManifestNamesTheClass) {
    SampleTrace sample(boostedOperation());
    sample.trace.report.manifest.emplace();
    sample.trace.report.manifest->threads = {{30, "high", "fifo", 99, 0, {0}}};
    for (const ThreadSummary& thread : summarizeThreads(sample.analyzed())) {
        if (sample.trace.store->threads()[thread.thread].tid == 30) {
            EXPECT_EQ(thread.priority, "FIFO 99");
        }
    }
}

TEST(Schemas, RefuseWhatTheyDoNotKnow) {
    const SampleTrace sample(boostedOperation());
    JsonDocument document = infoDocument(sample.trace, "t");
    document.data["more"] = 1;
    EXPECT_THAT(validate("info", document.toText()), testing::HasSubstr("more"));
    document = analyzeDocument(sample.analyzed());
    document.data["boosts"][0]["confidence"] = "maybe";
    EXPECT_THAT(validate("analyze", document.toText()), testing::HasSubstr("maybe"));
}

TEST(OwnerChain, EndsWhereItWouldRunInACircle) {
    LockWaits waits;
    const auto add = [&](std::uint32_t thread, std::uint32_t owner) {
        LockWait wait;
        wait.thread = ThreadId{thread};
        wait.owner = ThreadId{owner};
        wait.range = {10, 20};
        waits.waits.push_back(wait);
    };
    add(0, 1);
    add(1, 2);
    add(2, 0);
    waits.byThread = {{0}, {1}, {2}};
    EXPECT_THAT(ownerChain(waits, waits.waits[0]), testing::ElementsAre(ThreadId{1}, ThreadId{2}));
    waits.waits[2].owner = ThreadId::none();
    EXPECT_THAT(ownerChain(waits, waits.waits[1]), testing::ElementsAre(ThreadId{2}));
    EXPECT_THAT(ownerChain(waits, waits.waits[2]), testing::IsEmpty());
}

} // namespace

} // namespace inversight::test
