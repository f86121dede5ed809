// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The shared texts against what independent readers and plain counts say of them.
#include "text_samples.h"
#include "trace_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

namespace inversight::test {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<std::string> filesIn(const std::string& folder, const std::string& extension) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(tracesFolder() + "/" + folder, error)) {
        if (entry.path().extension() == extension)
            names.push_back(entry.path().filename());
    }
    std::ranges::sort(names);
    return orAbsent(names);
}

std::string testName(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::ranges::replace_if(name, [](char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

/// Lines with the event right behind a time's colon, or as a comment of the graph tracer, counted
/// without any of the reader's code.
std::size_t linesWith(const std::vector<std::string>& lines, const std::string& event) {
    const auto has = [&](const std::string& line) {
        if (line.contains("|  /* " + event + ": ") || line.contains("   /* " + event + ": "))
            return true;
        const std::size_t at = line.find(" " + event + ":");
        const std::size_t before = at == std::string::npos ? at : line.find_last_not_of(' ', at);
        return before != std::string::npos && before > 0 && line[before] == ':' &&
               std::string("0123456789 +!#*@$)").contains(line[before - 1]);
    };
    return static_cast<std::size_t>(std::ranges::count_if(lines, has));
}

// trace-cmd report of the recordings in dat/ -----------------------------------------------------

/// What a form of a report can say.
struct ReportForm {
    bool exactTimes = false;
    bool noTimes = false; ///< uptime counts jiffies
    bool rawStates = false;
    bool begin = false; ///< only the first lines of it
};

ReportForm formOf(const std::string& file) {
    const auto has = [&](const char* part) { return file.find(part) != std::string::npos; };
    return {.exactTimes = has(".t.") || has(".lt.") || has("-boot.") || has("-counter.") ||
                          has("-x86tsc.") || has("-date-tsc."),
            .noTimes = has("-uptime."),
            .rawStates = has(".R."),
            .begin = has(".head")};
}

/// The old style pads its bodies with blanks: those a name begins with cannot be told from them.
std::string named(const std::string& name, const ReportForm& form) {
    const std::size_t begin = form.rawStates ? 0 : name.find_first_not_of(' ');
    return begin == std::string::npos ? "" : name.substr(begin);
}

void expectFields(const CollectedEvent& actual, const json& expected, const ReportForm& form) {
    for (const auto& [name, value] : actual.fields.items()) {
        if (name == "val" || name == "prev_state") // not in every form; compared below
            continue;
        ASSERT_TRUE(expected.contains(name)) << name;
        if (value.is_string())
            EXPECT_EQ(named(value, form), named(expected[name], form)) << name;
        else if (name == "uaddr" || name == "lock_addr")
            EXPECT_EQ(integer(value), integer(expected[name])) << name;
        else
            EXPECT_EQ(static_cast<std::uint32_t>(integer(value)),
                      static_cast<std::uint32_t>(integer(expected[name])))
                << name;
    }
    if (actual.prevState) {
        const auto raw = static_cast<std::uint64_t>(integer(expected["prev_state"]));
        EXPECT_EQ(*actual.prevState, modernState(raw)) << raw;
        if (form.rawStates) {
            EXPECT_EQ(actual.preempted, (raw & 0x100) != 0) << raw;
        }
    }
}

void expectRecord(const CollectingSink& sink, const CollectedEvent& actual, const json& expected,
                  const ReportForm& form) {
    const std::string type = expected["ev"];
    EXPECT_EQ(sink.type(actual).name, type.substr(type.find('/') + 1));
    const auto time = expected["ts"].get<std::int64_t>();
    if (!form.noTimes) {
        EXPECT_LE(std::abs(actual.header.time - time), form.exactTimes ? 0 : 500);
    }
    EXPECT_EQ(actual.header.tid, expected["pid"].get<int>());
    EXPECT_EQ(actual.lostBefore.value_or(0), expected.value("missed", std::int64_t{0}));
    if (!actual.fields.is_null() && !actual.markerKind)
        expectFields(actual, expected["f"], form);
}

bool isEndOf(const json& end, const json& entry) {
    return entry["ev"] == "ftrace/funcgraph_entry" && end["ev"] == "ftrace/funcgraph_exit" &&
           entry["pid"] == end["pid"] && entry["f"]["func"] == end["f"]["func"];
}

/// trace-cmd writes one line for a call whose end is the next record of all CPUs: those ends are
/// left out here. (Idle's end on another CPU passes for the end as well.)
ExpectedRecords asReported(const ExpectedRecords& recorded) {
    std::vector<const json*> all;
    for (const auto& [key, records] : recorded)
        for (const json& record : records)
            all.push_back(&record);
    std::ranges::stable_sort(
        all, {}, [](const json* record) { return record->at("ts").get<std::int64_t>(); });
    ExpectedRecords reported;
    for (std::size_t index = 0; index < all.size(); ++index) {
        const json& record = *all[index];
        reported[{record["b"], record["cpu"]}].push_back(record);
        if (index + 1 < all.size() && isEndOf(*all[index + 1], record))
            ++index;
    }
    return reported;
}

std::size_t countOf(const ExpectedRecords& expected) {
    std::size_t count = 0;
    for (const auto& [key, records] : expected)
        count += records.size();
    return count;
}

class ReportFixture : public testing::TestWithParam<std::string> {};

TEST_P(ReportFixture, SaysWhatTheRecordingSays) {
    SKIP_WITHOUT_TRACES(GetParam());
    const std::string base = GetParam().substr(0, GetParam().find('.'));
    const ReportForm form = formOf(GetParam());
    const auto loaded = loadTextFile(tracesFolder() + "/fixtures/report/" + GetParam());
    EXPECT_EQ(loaded->info.format, "trace-cmd report");
    std::size_t total = 0;
    const ExpectedRecords recorded = readExpected(base);
    const ExpectedRecords reported = asReported(recorded);
    const std::size_t wholeCalls = countOf(recorded) - countOf(reported);
    for (const auto& [key, records] : reported) {
        const auto stream = std::ranges::find(loaded->sink.streams, key.first, &StreamInfo::name);
        ASSERT_NE(stream, loaded->sink.streams.end()) << "buffer " << key.first;
        const StreamId id{static_cast<std::uint16_t>(stream - loaded->sink.streams.begin())};
        const auto& actual = loaded->sink.events(id, key.second);
        total += actual.size();
        ASSERT_LE(actual.size(), records.size());
        if (!form.begin) {
            ASSERT_EQ(actual.size(), records.size()) << "CPU " << key.second;
        }
        for (std::size_t index = 0; index < actual.size(); ++index) {
            expectRecord(loaded->sink, actual[index], records[index], form);
            ASSERT_FALSE(HasFailure())
                << "CPU " << key.second << ", record " << index << ": " << records[index];
        }
    }
    EXPECT_EQ(loaded->sink.eventCount(), total);
    EXPECT_TRUE(loaded->report.complete);
    const auto said = testing::Contains(testing::StartsWith(
        fmt::format("{} calls of the graph tracer stand in one line each", wholeCalls)));
    if (wholeCalls > 0) {
        EXPECT_THAT(loaded->report.warnings, said);
    }
    EXPECT_EQ(wholeCalls > 0, base == "rt-v7-fgraph");
}

INSTANTIATE_TEST_SUITE_P(Shared, ReportFixture,
                         testing::ValuesIn(filesIn("fixtures/report", ".txt")), testName);

TEST(ReportFixtures, LatencyColumnsSayInterruptsAndDepth) {
    SKIP_WITHOUT_TRACES(filesIn("fixtures/report", ".txt").front());
    const auto loaded = loadTextFile(tracesFolder() + "/fixtures/report/rt-v7-pichain.l.txt");
    for (const auto& [key, records] : readExpected("rt-v7-pichain")) {
        const auto& actual = loaded->sink.events(StreamId{0}, key.second);
        for (std::size_t index = 0; index < actual.size(); ++index) {
            EXPECT_EQ(actual[index].header.flags & 0x19, records[index]["flags"].get<int>() & 0x19);
            EXPECT_EQ(actual[index].header.preemptCount, records[index]["pc"].get<int>());
        }
    }
}

// ftrace and perf texts ---------------------------------------------------------------------------

/// A row of the table of texts in INDEX.md.
struct IndexRow {
    std::string file; ///< "text/arm-trace.txt"
    std::size_t switches = 0, boosts = 0, losses = 0;
};

std::vector<IndexRow> indexRows() {
    std::vector<IndexRow> rows;
    std::error_code error;
    const std::string path = tracesFolder() + "/fixtures/INDEX.md";
    if (!fs::exists(path, error))
        return rows;
    for (const std::string& line : linesOf(readBytes(path))) {
        if (!line.starts_with("| text/") && !line.starts_with("| perf/"))
            continue;
        std::vector<std::string> cells;
        std::istringstream stream(line);
        for (std::string cell; std::getline(stream, cell, '|');)
            cells.push_back(cell);
        IndexRow row{.file = line.substr(2, line.find(' ', 2) - 2)};
        row.losses = std::stoul(cells[cells.size() - 1]);
        row.boosts = std::stoul(cells[cells.size() - 2]);
        row.switches = std::stoul(cells[cells.size() - 3]);
        if (fs::exists(tracesFolder() + "/fixtures/" + row.file, error)) // some are held back
            rows.push_back(row);
    }
    return rows;
}

/// Texts that hold no events, with what must be said.
const std::map<std::string, std::string>& refusedFixtures() {
    static const std::map<std::string, std::string> refused = {
        {"text/text-trace-fgraph.txt", "function_graph tracer whose lines lack the time or the "
                                       "task (419 events and 467 calls"},
        {"text/text-trace-nocontext.txt", "context-info"},
        {"text/text-trace-raw.txt", "options/raw"},
        {"perf/perf-sched-latency.txt", "perf sched latency"},
        {"perf/perf-sched-timehist.txt", "perf sched timehist"}};
    return refused;
}

std::vector<std::string> indexedFiles() {
    std::vector<std::string> files;
    for (const IndexRow& row : indexRows())
        files.push_back(row.file);
    return orAbsent(files);
}

/// "# entries-in-buffer/entries-written: 1985/1985".
std::size_t entriesOf(const std::vector<std::string>& lines) {
    const std::string heading = "# entries-in-buffer/entries-written: ";
    for (const std::string& line : lines) {
        if (line.starts_with(heading))
            return std::stoul(line.substr(heading.size()));
    }
    return 0;
}

class TextFixture : public testing::TestWithParam<std::string> {};

TEST_P(TextFixture, HasTheEventsThatPlainCountsFind) {
    SKIP_WITHOUT_TRACES(GetParam());
    const std::string path = tracesFolder() + "/fixtures/" + GetParam();
    if (refusedFixtures().contains(GetParam())) {
        EXPECT_THAT(refusedText(readBytes(path)).what,
                    testing::HasSubstr(refusedFixtures().at(GetParam())));
        return;
    }
    const std::vector<IndexRow> rows = indexRows();
    const auto row = std::ranges::find(rows, GetParam(), &IndexRow::file);
    const std::string text = readBytes(path);
    const std::vector<std::string> lines = linesOf(text);
    const auto loaded = loadTextFile(path);
    const CollectingSink& sink = loaded->sink;
    EXPECT_EQ(sink.count("sched_switch"), row->switches);
    EXPECT_EQ(sink.count("sched_pi_setprio"), row->boosts);
    for (const EventTypeInfo& type : sink.types) {
        if (type.system == "ftrace" && type.name != "tracing_mark_write")
            continue;                  // these have no name in the text
        if (type.name == "__schedule") // nor has what a tracer prints
            continue;
        const bool qualified = GetParam().starts_with("perf/") && !type.system.empty();
        EXPECT_EQ(sink.count(type.name),
                  linesWith(lines, qualified ? type.system + ":" + type.name : type.name))
            << type.name;
    }
    const std::size_t entries = entriesOf(lines);
    if (entries > 0 && text.ends_with('\n')) {
        EXPECT_EQ(sink.eventCount(), entries);
    }
    EXPECT_TRUE(loaded->report.complete || !text.ends_with('\n'));
}

INSTANTIATE_TEST_SUITE_P(Shared, TextFixture, testing::ValuesIn(indexedFiles()), testName);

/// All events of a text in the order of their lines.
std::vector<CollectedEvent> inOrder(const LoadedText& loaded) {
    std::vector<CollectedEvent> all;
    for (int cpu = -1; cpu < loaded.info.cpuCount; ++cpu)
        std::ranges::copy(loaded.sink.events(StreamId{0}, cpu), std::back_inserter(all));
    std::ranges::sort(all, {}, [](const CollectedEvent& event) { return event.header.offset; });
    return all;
}

struct SameBuffer {
    friend void PrintTo(const SameBuffer& pair, std::ostream* out) { *out << pair.other; }

    const char* one;
    const char* other;
    bool relativeTimes = false; ///< of `other`, in microseconds
    bool sameFlags = true;
};

class SameBufferFixture : public testing::TestWithParam<SameBuffer> {};

/// One ring buffer, printed under several options.
TEST_P(SameBufferFixture, SaysTheSame) {
    SKIP_WITHOUT_TRACES(indexedFiles().front());
    const auto one = loadTextFile(tracesFolder() + "/fixtures/" + GetParam().one);
    const auto other = loadTextFile(tracesFolder() + "/fixtures/" + GetParam().other);
    const auto first = inOrder(*one);
    const auto second = inOrder(*other);
    ASSERT_FALSE(second.empty());
    for (std::size_t index = 0; index < std::min(first.size(), second.size()); ++index) {
        const CollectedEvent& a = first[index];
        const CollectedEvent& b = second[index];
        EXPECT_EQ(one->sink.type(a).name, other->sink.type(b).name);
        if (!b.fields.is_null()) { // the last one of a text that was cut
            EXPECT_EQ(a.fields, b.fields);
        }
        EXPECT_EQ(a.header.tid, b.header.tid);
        const std::int64_t skew = a.header.time - b.header.time;
        const std::int64_t start = first[0].header.time - second[0].header.time;
        EXPECT_LE(std::abs(skew - (GetParam().relativeTimes ? start : 0)), 1000);
        if (GetParam().sameFlags) {
            EXPECT_EQ(a.header.flags, b.header.flags);
            EXPECT_EQ(a.header.preemptCount, b.header.preemptCount);
        }
        ASSERT_FALSE(HasFailure()) << "event " << index;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shared, SameBufferFixture,
    testing::Values(
        SameBuffer{"text/text-trace-default.txt", "text/text-trace-latency-format.txt", true, true},
        SameBuffer{"text/text-trace-default.txt", "text/text-trace-noirqinfo.txt", false, false},
        SameBuffer{"text/text-trace-default.txt", "text/text-trace-latency-verbose.txt", false,
                   false},
        SameBuffer{"text/text-trace-tgid.txt", "text/text-trace-tgid-noirqinfo.txt", false, false},
        SameBuffer{"text/k510rt-trace.txt", "text/k510rt-trace-latency.txt", true, true},
        SameBuffer{"text/k612rt-trace.txt", "text/k612rt-trace-latency.txt", true, true},
        SameBuffer{"text/k612rt-trace.txt", "text/k612rt-trace-fields.txt", false, true},
        SameBuffer{"perf/perf-script.txt", "perf/perf-script-ns-tid.txt", false, true},
        SameBuffer{"perf/perf-script.txt", "perf/perf-script-nocpu.txt", false, true}));

TEST(TextFixtures, HostileNamesArriveWhole) {
    const std::string out = tracesFolder() + "/fixtures/text/text-run-comms.out";
    if (!fs::exists(out))
        GTEST_SKIP() << "needs the shared traces in " << tracesFolder();
    const auto store = storeOf(readBytes(tracesFolder() + "/fixtures/text/text-trace-comms.txt"));
    std::size_t checked = 0;
    for (const std::string& line : linesOf(readBytes(out))) { // "comm tid 183 hex 613d3d3e62"
        std::istringstream words(line);
        std::string word, hex;
        int tid = 0;
        words >> word >> word >> tid >> word >> hex;
        std::string name;
        for (std::size_t at = 0; at + 1 < hex.size(); at += 2)
            name += static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16));
        if (name.starts_with('<') || name.empty())
            continue; // "<...>" and "<idle>" are placeholders, whoever calls himself so
        EXPECT_EQ(nameOf(*store, tid), name.substr(0, 15)) << hex;
        ++checked;
    }
    EXPECT_GE(checked, 24U);
}

TEST(TextFixtures, ThreadGroupsAreThoseOfTheKernelsTable) {
    const std::string table = tracesFolder() + "/fixtures/text/text-saved_tgids.txt";
    if (!fs::exists(table))
        GTEST_SKIP() << "needs the shared traces in " << tracesFolder();
    const auto store = storeOf(readBytes(tracesFolder() + "/fixtures/text/text-trace-tgid.txt"));
    std::map<int, int> groups;
    for (const std::string& line : linesOf(readBytes(table))) {
        std::istringstream words(line);
        int tid = 0;
        words >> tid >> groups[tid];
    }
    std::size_t checked = 0;
    for (const ThreadInfo& thread : store->threads().all()) {
        if (thread.tid == 0 || thread.tgid < 0 || !groups.contains(thread.tid))
            continue;
        EXPECT_EQ(thread.tgid, groups[thread.tid]) << thread.tid;
        ++checked;
    }
    EXPECT_GE(checked, 3U);
}

// Files people published --------------------------------------------------------------------------

struct PublicRow {
    std::string file, kind, counts;
};

std::vector<PublicRow> publicRows() {
    std::vector<PublicRow> rows;
    const std::string path = tracesFolder() + "/public/INDEX.tsv";
    std::error_code error;
    if (!fs::exists(path, error))
        return rows;
    const std::set<std::string> kinds = {
        "perf-script-samples",     "perf-script-tp", "ftrace-text",
        "trace-cmd-report",        "ftrace-like",    "latency-format",
        "perf-script-text(small)", "ftrace-func",    "html",
        "atrace, zlib-compressed"};
    for (const std::string& line : linesOf(readBytes(path))) {
        std::vector<std::string> cells;
        std::istringstream stream(line);
        for (std::string cell; std::getline(stream, cell, '\t');)
            cells.push_back(cell);
        if (cells.size() > 1 && kinds.contains(cells[1]))
            rows.push_back({cells[0], cells[1], cells.size() > 6 ? cells[6] : ""});
    }
    return rows;
}

std::vector<std::string> publicFiles() {
    std::vector<std::string> files;
    for (const PublicRow& row : publicRows()) {
        std::error_code error;
        if (fs::exists(tracesFolder() + "/public/" + row.file, error))
            files.push_back(row.file);
    }
    return orAbsent(files);
}

/// Where the index counts words that are no events by that name.
bool isCountedOtherwise(const std::string& file, const std::string& name) {
    const bool functions = file.find("linux-mmc-20210323") != std::string::npos; // of a tracer
    return functions || (name == "cycles" && file.find("single-line-stacks") != std::string::npos);
}

class PublicText : public testing::TestWithParam<std::string> {};

TEST_P(PublicText, HasTheEventsOfTheIndex) {
    SKIP_WITHOUT_TRACES(GetParam());
    const std::string path = tracesFolder() + "/public/" + GetParam();
    const std::string text = readBytes(path);
    if (text.empty()) {
        EXPECT_EQ(refusedText(text).code, ErrorCode::Truncated);
        return;
    }
    if (GetParam().find("no-task-cpu") != std::string::npos) {
        EXPECT_THAT(refusedText(text).what, testing::HasSubstr("no task and no CPU"));
        return;
    }
    const auto loaded = loadTextFile(path);
    const std::vector<PublicRow> rows = publicRows();
    const auto row = std::ranges::find(rows, GetParam(), &PublicRow::file);
    EXPECT_GT(loaded->sink.eventCount(), 0U);
    std::istringstream words(row->counts);
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos || isCountedOtherwise(GetParam(), word.substr(0, equals)))
            continue;
        const std::string name = word.substr(0, equals);
        const bool isType = std::ranges::find(loaded->sink.types, name, &EventTypeInfo::name) !=
                            loaded->sink.types.end();
        if (isType || name.starts_with("sched_")) {
            EXPECT_EQ(loaded->sink.count(name), std::stoul(word.substr(equals + 1))) << name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shared, PublicText, testing::ValuesIn(publicFiles()), testName);

} // namespace

} // namespace inversight::test
