// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The house: which room may see which (docs/architecture.md, "Allowed directions"). The include
// lines of every file and the target graph that CMake wrote are both held against one table.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace inversight {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

const fs::path kRoot = INVERSIGHT_SOURCE_DIR;

/// Room -> the rooms it may include and link. "trace/*" stands for all rooms of that floor.
const std::map<std::string, Names> kAllowed{
    {"core/base", {}},
    {"core/event", {"core/base"}},
    {"core/stats", {"core/base"}},
    {"core/workload", {"core/base"}},
    {"core/lock", {"core/base"}},
    {"core/bus", {"core/base", "core/workload"}},
    {"core/engine",
     {"core/base", "core/event", "core/workload", "core/lock", "core/bus", "core/stats"}},
    {"core/virtual",
     {"core/base", "core/event", "core/workload", "core/lock", "core/bus", "core/stats"}},
    {"trace/model", {"core/base"}},
    {"trace/file", {"core/base", "core/event"}},
    {"trace/record", {"core/base", "core/event", "trace/file"}},
    {"trace/decode", {"core/base", "core/event", "trace/model", "trace/file"}},
    {"trace/analysis", {"core/base", "core/stats", "trace/model"}},
    {"trace/view", {"core/base", "trace/model", "trace/analysis"}},
    {"trace/export",
     {"core/base", "trace/model", "trace/file", "trace/decode", "trace/analysis", "trace/view"}},
    {"trace/report",
     {"core/base", "core/stats", "trace/model", "trace/analysis", "trace/view"}},
    {"ui/theme", {"core/base", "trace/*"}},
    {"ui/session", {"core/base", "trace/*"}},
    {"ui/timeline", {"core/base", "trace/*", "ui/session", "ui/theme"}},
    {"ui/plots", {"core/base", "trace/*", "ui/session", "ui/theme"}},
    {"ui/models", {"core/base", "trace/*", "ui/session", "ui/theme"}},
    {"ui/windows",
     {"core/base", "trace/*", "ui/session", "ui/theme", "ui/timeline", "ui/plots", "ui/models"}},
    {"app/cli", {"core/*", "trace/*"}},
    {"app/gui", {"core/*", "trace/*", "ui/*"}},
    {"tests/support", {"core/*", "trace/*"}},
};

std::string floorOf(const std::string& room) {
    return room.substr(0, room.find('/'));
}

bool allowed(const std::string& from, const std::string& to) {
    if (from == to)
        return true;
    const auto row = kAllowed.find(from);
    return row != kAllowed.end() &&
           (row->second.contains(to) || row->second.contains(floorOf(to) + "/*"));
}

/// "core/base" of "core/base/result.h" or of a path below the root; nothing for other paths.
std::optional<std::string> roomOf(const std::string& path) {
    const auto first = path.find('/');
    const auto second = path.find('/', first + 1);
    if (first == std::string::npos || second == std::string::npos)
        return std::nullopt;
    const std::string floor = path.substr(0, first);
    if (floor != "core" && floor != "trace" && floor != "ui" && floor != "app")
        return std::nullopt;
    return path.substr(0, second);
}

std::vector<std::string> includesOf(const std::string& text) {
    std::vector<std::string> includes;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("#include"))
            continue;
        const auto begin = line.find_first_of("<\"");
        const auto end = line.find_last_of(">\"");
        if (begin != std::string::npos && end > begin)
            includes.push_back(line.substr(begin + 1, end - begin - 1));
    }
    return includes;
}

bool isQt(const std::string& include) {
    return include.starts_with("Qt") ||
           (include.size() > 1 && include[0] == 'Q' && std::isupper(include[1])) ||
           include == "qcustomplot.h";
}

bool isTracefs(const std::string& include) {
    return include.starts_with("tracefs") || include.starts_with("event-parse") ||
           include.starts_with("traceevent") || include.starts_with("trace-cmd") ||
           include.starts_with("kbuffer");
}

/// What is wrong with the includes of one file of `room`.
std::vector<std::string> violations(const std::string& room, const std::string& text) {
    std::vector<std::string> found;
    const std::string floor = floorOf(room);
    for (const std::string& include : includesOf(text)) {
        const auto target = roomOf(include);
        if (target && !allowed(room, *target))
            found.push_back(room + " must not include " + include);
        if (isQt(include) && floor != "ui" && room != "app/gui")
            found.push_back(room + " must not include Qt: " + include);
        if (isTracefs(include) && room != "trace/record")
            found.push_back(room + " must not include libtracefs or libtraceevent: " + include);
    }
    return found;
}

std::string contentOf(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool isSource(const fs::path& path) {
    return path.extension() == ".h" || path.extension() == ".cpp";
}

std::vector<fs::path> sourcesBelow(const std::string& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
        if (entry.is_regular_file() && isSource(entry.path()))
            files.push_back(entry.path());
    }
    return files;
}

TEST(House, IncludesFollowTheAllowedDirections) {
    std::size_t files = 0;
    for (const char* floor : {"core", "trace", "ui", "app"}) {
        for (const fs::path& path : sourcesBelow(floor)) {
            const std::string relative = fs::relative(path, kRoot).generic_string();
            const auto room = roomOf(relative);
            ASSERT_TRUE(room) << relative << " stands in no room";
            ASSERT_TRUE(kAllowed.contains(*room)) << *room << " is not in the table of rooms";
            EXPECT_THAT(violations(*room, contentOf(path)), testing::IsEmpty()) << relative;
            ++files;
        }
    }
    EXPECT_GT(files, 100u) << "the scan did not find the sources";
}

TEST(House, TheTargetGraphFollowsThemToo) {
    std::ifstream house(INVERSIGHT_HOUSE_FILE);
    std::size_t rooms = 0;
    for (std::string line; std::getline(house, line); ++rooms) {
        const std::string room = line.substr(0, line.find(':'));
        ASSERT_TRUE(kAllowed.contains(room)) << room << " is not in the table of rooms";
        std::istringstream depends(line.substr(line.find(':') + 1));
        for (std::string target; depends >> target;)
            EXPECT_TRUE(allowed(room, target)) << room << " must not link " << target;
    }
    EXPECT_GE(rooms, 15u);
}

TEST(House, EveryRoomSaysWhatLivesInIt) {
    for (const auto& [room, targets] : kAllowed) {
        if (room == "tests/support" || !fs::exists(kRoot / room))
            continue;
        EXPECT_TRUE(fs::exists(kRoot / room / "README.md")) << room << " has no README.md";
    }
}

TEST(House, EveryFileStatesItsLicence) {
    for (const char* floor : {"core", "trace", "ui", "app", "tests"}) {
        for (const fs::path& path : sourcesBelow(floor))
            EXPECT_THAT(contentOf(path).substr(0, 200),
                        testing::HasSubstr("SPDX-License-Identifier: GPL-"))
                << path;
    }
}

/// "`Suite.Name`" of a document's table.
Names testsNamedIn(const std::string& document) {
    Names names;
    for (std::size_t begin = document.find("| `"); begin != std::string::npos;
         begin = document.find('`', begin + 1)) {
        const std::size_t open = document.find('`', begin);
        const std::size_t close = document.find('`', open + 1);
        if (close == std::string::npos)
            break;
        const std::string name = document.substr(open + 1, close - open - 1);
        if (name.find('.') != std::string::npos && name.find_first_of(" /<") == std::string::npos)
            names.insert(name);
        begin = close;
    }
    return names;
}

TEST(House, ReportedFaultsNameTestsThatExist) {
    std::string tests;
    for (const fs::path& path : sourcesBelow("tests"))
        tests += contentOf(path);
    const Names named = testsNamedIn(contentOf(kRoot / "docs/reported-faults.md"));
    EXPECT_GT(named.size(), 60U);
    for (const std::string& name : named) {
        const std::size_t dot = name.find('.');
        const std::string call = "(" + name.substr(0, dot) + ", " + name.substr(dot + 1) + ")";
        EXPECT_NE(tests.find(call), std::string::npos) << name;
    }
}

// The scan itself can fail: each rule against a text that breaks it.
TEST(House, TheScanSeesViolations) {
    using testing::ElementsAre;
    EXPECT_THAT(violations("core/engine", "#include \"trace/model/ids.h\"\n"),
                ElementsAre("core/engine must not include trace/model/ids.h"));
    EXPECT_THAT(violations("trace/analysis", "#include \"core/event/marker.h\"\n"),
                ElementsAre("trace/analysis must not include core/event/marker.h"));
    EXPECT_THAT(violations("trace/view", "#include <QPainter>\n"),
                ElementsAre("trace/view must not include Qt: QPainter"));
    EXPECT_THAT(violations("trace/decode", "#include <tracefs/tracefs.h>\n"),
                ElementsAre("trace/decode must not include libtracefs or libtraceevent: "
                            "tracefs/tracefs.h"));
    EXPECT_THAT(violations("app/cli", "#include \"ui/session/trace_session.h\"\n"),
                ElementsAre("app/cli must not include ui/session/trace_session.h"));
    EXPECT_THAT(violations("ui/windows", "#include \"trace/model/ids.h\"\n#include <QWidget>\n"),
                ElementsAre());
}

} // namespace
} // namespace inversight
