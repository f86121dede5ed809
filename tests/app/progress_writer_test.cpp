// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/progress_writer.h"

#include "tests/app/schema.h"

#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

namespace inversight {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

/// A pipe whose reader the test plays; small, so that it is soon full.
struct SmallPipe {
    int read = -1;
    int write = -1;

    SmallPipe() {
        std::array<int, 2> fds{};
        EXPECT_EQ(pipe(fds.data()), 0);
        read = fds[0];
        write = fds[1];
        EXPECT_GT(fcntl(write, F_SETPIPE_SZ, 4096), 0);
    }
    ~SmallPipe() {
        close(write);
        closeReader();
    }
    void closeReader() {
        if (read >= 0)
            close(read);
        read = -1;
    }

    /// Everything up to the line with the result.
    std::string readToResult() const {
        std::string text;
        std::array<char, 1024> bytes{};
        while (text.find("\"type\":\"result\"") == std::string::npos || !text.ends_with('\n')) {
            const auto count = ::read(read, bytes.data(), bytes.size());
            if (count <= 0)
                break;
            text.append(bytes.data(), static_cast<std::size_t>(count));
        }
        return text;
    }
};

JobProgress progressAt(std::uint64_t done) {
    JobProgress progress;
    progress.phase = "run";
    progress.policy = "rt_mutex";
    progress.done = done;
    progress.total = 100'000;
    progress.operations = done;
    progress.maxLatencyNs = 1'282'000;
    progress.events = 12;
    progress.lost = 0;
    return progress;
}

std::vector<std::string> typesOf(const std::vector<json>& lines) {
    std::vector<std::string> types;
    for (const json& line : lines)
        types.push_back(line.at("type"));
    return types;
}

TEST(ProgressWriter, EveryKindOfLineIsValidBySchema) {
    SmallPipe pipe;
    ProgressWriter writer(pipe.write);
    writer.hello("inversight-1-2");
    writer.plan({{"verb", "run"}, {"scenario", "i2c-bus-2009"}});
    writer.progress(progressAt(7));
    writer.warning("name \xff is no UTF-8"); // kernel names may be any bytes
    writer.error({ErrorCode::PermissionDenied, "no", "there", "sudo"});
    writer.result({{"schema", "inversight.run/1"}, {"tool", "t"}, {"data", json::object()}});
    const std::string text = pipe.readToResult();
    const std::vector<json> lines = parseLines(text);
    EXPECT_THAT(typesOf(lines),
                testing::ElementsAre("hello", "plan", "progress", "warning", "error", "result"));
    std::vector<std::string> documents;
    for (const json& line : lines)
        documents.push_back(line.dump());
    EXPECT_TRUE(validBySchema("protocol", documents));
    EXPECT_FALSE(validBySchema("protocol", {R"({"type":"hello","protocol":2})"}));
    EXPECT_EQ(lines[0].at("instance"), "inversight-1-2");
    EXPECT_EQ(lines[2].at("max_latency_ns"), 1'282'000);
    EXPECT_EQ(lines[4].at("code"), "permission_denied");
}

TEST(ProgressWriter, ReaderThatDoesNotReadHoldsUpNobodyAndStillGetsTheResult) {
    SmallPipe pipe;
    ProgressWriter writer(pipe.write);
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < 20'000; ++i)
        writer.progress(progressAt(i));
    writer.warning("kept");
    writer.result({{"schema", "s"}, {"tool", "t"}, {"data", json::object()}});
    // 20 000 lines are some 2 MB, 500 times what the pipe takes: had one call waited for the
    // reader, this would never return.
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);

    const std::vector<std::string> types = typesOf(parseLines(pipe.readToResult()));
    ASSERT_GE(types.size(), 3U);
    EXPECT_LT(types.size(), 2000U) << "progress lines were to be dropped";
    EXPECT_EQ(types.back(), "result");
    EXPECT_EQ(types[types.size() - 2], "warning");
}

TEST(ProgressWriter, ReaderThatIsGoneEndsTheWaiting) {
    std::signal(SIGPIPE, SIG_IGN); // as the program does
    SmallPipe pipe;
    ProgressWriter writer(pipe.write);
    pipe.closeReader();
    writer.result({{"schema", "s"}});
    writer.finish(std::stop_token()); // must return
    writer.result({{"schema", "s"}});
    writer.finish(std::stop_token());
}

TEST(ProgressWriter, AbandonEndsTheWaitingForASlowReader) {
    SmallPipe pipe;
    ProgressWriter writer(pipe.write);
    writer.result({{"schema", std::string(100'000, 'x')}});
    std::stop_source abandon;
    std::jthread secondCtrlC([&] {
        std::this_thread::sleep_for(50ms);
        abandon.request_stop();
    });
    writer.finish(abandon.get_token()); // must return
    SUCCEED();
}

} // namespace
} // namespace inversight
