// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "sample_trace.h"
#include "trace/export/explain_text.h"
#include "trace/export/exporters.h"
#include "trace/export/info_document.h"
#include "trace/export/text_table.h"

#include <gmock/gmock.h>

#include <set>
#include <sstream>

namespace inversight::test {

namespace {

using testing::HasSubstr;
using testing::Not;

std::string written(const AnalyzedTrace& analyzed, std::string_view format) {
    const auto row = findExportFormat(format);
    EXPECT_TRUE(row);
    std::ostringstream out;
    EXPECT_TRUE((*row)->write(analyzed, out));
    return out.str();
}

TEST(ExportFormats, HaveNamesOfTheirOwnAndAllWrite) {
    const SampleTrace sample(boostedOperation());
    std::set<std::string_view> names;
    for (const ExportFormat& format : exportFormats()) {
        names.insert(format.name);
        EXPECT_FALSE(format.text.empty());
        EXPECT_FALSE(format.extension.empty());
        EXPECT_GT(written(sample.analyzed(), format.name).size(), 50U) << format.name;
    }
    EXPECT_EQ(names, (std::set<std::string_view>{"text", "json", "csv", "markdown"}));
}

TEST(ExportFormats, AnUnknownNameListsTheKnownOnes) {
    const auto row = findExportFormat("xml");
    ASSERT_FALSE(row);
    EXPECT_EQ(row.error().code, ErrorCode::NotFound);
    EXPECT_EQ(row.error().remedy, "use one of text, json, csv, markdown");
}

TEST(ExportFormats, AStreamThatFailsIsAnError) {
    const SampleTrace sample(boostedOperation());
    for (const ExportFormat& format : exportFormats()) {
        std::ostringstream out;
        out.setstate(std::ios::badbit);
        const auto done = format.write(sample.analyzed(), out);
        ASSERT_FALSE(done) << format.name;
        EXPECT_EQ(done.error().code, ErrorCode::Io);
    }
}

TEST(CsvFormat, QuotesWhatNeedsIt) {
    const SampleTrace sample(boostedOperation());
    EXPECT_EQ(written(sample.analyzed(), "csv"),
              "target_pid,target_name,from_prio,to_prio,begin_ns,end_ns,duration_ns,donor_pid,"
              "donor_name,lock,nominal,confidence,begin_seen,end_seen\r\n"
              "10,\"low, \"\"x\"\"\",120,0,110,510,400,30,high\x1b[1m,bus,false,certain,true,"
              "true\r\n");
}

TEST(CsvFormat, TellsWaitsAndInversionsWhenAskedFor) {
    const SampleTrace sample(boostedOperation());
    AnalyzedTrace analyzed = sample.analyzed();
    analyzed.filter.only = {AnalysisId::Decomposition};
    EXPECT_THAT(
        written(analyzed, "csv"),
        HasSubstr("30,high\x1b[1m,lock,bus,10,\"low, \"\"x\"\"\",100,550,450,390,20,0,0,0,0,"
                  "0,0,0,40,0\r\n"));
    analyzed.filter.only = {AnalysisId::Inversions};
    EXPECT_THAT(written(analyzed, "csv"),
                HasSubstr("30,high\x1b[1m,10,\"low, \"\"x\"\"\",bus,bounded,100,550,410,0,0,"
                          "certain\r\n"));
}

TEST(MarkdownFormat, HasSentencesAndTablesWithoutStrayMarks) {
    const SampleTrace sample(boostedOperation());
    const std::string text = written(sample.analyzed(), "markdown");
    EXPECT_THAT(text, HasSubstr("1. *0.000000100 s, bounded:* high?[1m (RT 99) waited 450 ns for "
                                "lock bus"));
    EXPECT_THAT(text, HasSubstr("| high?\\[1m | lock bus | 1 | 450 ns |"));
}

TEST(Explanation, NamesEveryPartAndTheBoost) {
    const SampleTrace sample(boostedOperation());
    const auto inversions = sample.results.get<Inversions>();
    ASSERT_EQ(inversions->inversions.size(), 1U);
    EXPECT_EQ(inversionSentence(sample.analyzed(), inversions->inversions[0]),
              "high?[1m (RT 99) waited 450 ns for lock bus: 410 ns its holder low, \"x\" (nice 0) "
              "needed (20 ns of it on the wire), 40 ns it took to run once the lock was free; low, "
              "\"x\" was boosted to RT 99.");
}

TEST(TextFormat, TellsOnlyWhatWasAskedFor) {
    const SampleTrace sample(boostedOperation());
    AnalyzedTrace analyzed = sample.analyzed();
    analyzed.filter.only = {AnalysisId::Inversions};
    const std::string text = written(analyzed, "text");
    EXPECT_THAT(text, HasSubstr("Inversions: 1"));
    EXPECT_THAT(text, Not(HasSubstr("Boosts")));
    EXPECT_THAT(text, Not(HasSubstr("Threads")));
    analyzed.filter = {};
    analyzed.filter.locks = {false};
    EXPECT_THAT(written(analyzed, "text"), HasSubstr("Boosts: none"));
}

TEST(CsvFormat, IsAnErrorWithoutBoosts) {
    const SampleTrace sample(boostedOperation());
    AnalysisResults results;
    results.publishError(AnalysisId::Boosts, AnalysisState::Failed, {ErrorCode::Corrupt, "broke"});
    std::ostringstream out;
    const auto done = (*findExportFormat("csv"))->write({sample.trace, results, "t"}, out);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().what, "broke");
}

TEST(TextFormat, SaysWhatWasLostFirst) {
    const SampleTrace sample(boostedOperation());
    const std::string text = written(sample.analyzed(), "text");
    EXPECT_EQ(text.find("LOST EVENTS: 7 events were lost while recording."), 0U) << text;
    EXPECT_EQ(infoText(sample.trace).find("LOST EVENTS"), 0U);
}

TEST(TextFormat, HasEveryBoostOnALineAndNoControlCharacters) {
    const SampleTrace sample(boostedOperation());
    const std::string text = written(sample.analyzed(), "text");
    EXPECT_THAT(text, HasSubstr("Boosts: 1\n"));
    EXPECT_THAT(text, HasSubstr("0.000000110  0.000000510    400 ns  low, \"x\" (10)  nice 0 -> RT "
                                "99  high?[1m (30)  bus  certain\n"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, HasSubstr("sched_pi_setprio"));
    EXPECT_THAT(text, HasSubstr("Latency of bus operations"));
}

TEST(TextFormat, TellsEveryStepOfABoostAndWhoCausedIt) {
    TraceScript script;
    script.task(5, "low", 120).task(6, "fair", 115).task(7, "rt", 0).at(0).switchTo(6).at(5);
    script.contentionBegin(0xa0, kContentionRt).at(10).setprio(5, 115);
    script.at(20).switchTo(7, kTaskUninterruptible).contentionBegin(0xa0, kContentionRt);
    script.setprio(5, 0).at(25).switchTo(5, kTaskUninterruptible).at(30).setprio(5, 120);
    script.at(40).setprio(5, 115).at(50).setprio(5, 120).at(60).switchTo(0);
    const std::string text = written(SampleTrace(script).analyzed(), "text");
    EXPECT_THAT(text, HasSubstr("low (5)  nice 0 -> nice -5 -> RT 99 "));
    EXPECT_THAT(text, HasSubstr("fair (6), then rt (7)  lock 0xa0 "));
    EXPECT_THAT(text, HasSubstr("low (5)  nice 0 -> nice -5 (nominal)  an unknown thread"));
}

TEST(TextFormat, SaysWhatIsMissing) {
    const SampleTrace sample{TraceScript().at(5).switchTo(1)};
    AnalysisResults results;
    for (const AnalysisRow& row : analyses())
        results.publishError(row.id, AnalysisState::Failed, {ErrorCode::Corrupt, "broke"});
    const std::string text = written({sample.trace, results, "t"}, "text");
    EXPECT_THAT(text, HasSubstr("warning: broke"));
    EXPECT_THAT(text, HasSubstr("Boosts: not available"));
    EXPECT_THAT(written(sample.analyzed(), "text"), HasSubstr("Boosts: none"));
}

TEST(InfoText, NamesFormatClockAndEmptyCpus) {
    const SampleTrace sample(boostedOperation());
    const std::string text = infoText(sample.trace);
    EXPECT_THAT(text, HasSubstr("trace.dat version 6, not compressed, little-endian, 64-bit"));
    EXPECT_THAT(text, HasSubstr("3 (1 without events)"));
    EXPECT_THAT(text, HasSubstr("1.000000000 to 1.000000700 s (700 ns)"));
}

TEST(Printable, ReplacesControlCharactersAndBrokenUtf8Only) {
    EXPECT_EQ(printable("irq/51-DLL075B: é漢😀"), "irq/51-DLL075B: é漢😀");
    EXPECT_EQ(printable("a\nb\x1b[2J\x7f"), "a?b?[2J?");
    EXPECT_EQ(printable("\xff\xc3"), "??");
    EXPECT_EQ(printable("\xc2\x9b"), "?");       // CSI as C1
    EXPECT_EQ(printable("\xed\xa0\x80"), "???"); // a surrogate
    EXPECT_EQ(printable("\xe0\x80\x80"), "???"); // overlong
}

TEST(TextTable, AlignsByCharactersNotBytes) {
    TextTable table({{"name", Align::Left}, {"n", Align::Right}});
    table.addRow({"é", "1"});
    table.addRow({"abcde", "22"});
    EXPECT_EQ(table.toText(), "  name    n\n  é       1\n  abcde  22\n");
}

} // namespace

} // namespace inversight::test
