// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/record/cpu_reader.h"

#include "tests/support/temporary_folder.h"
#include "tests/trace/file_write/trace_cmd.h"
#include "trace/file/kernel_event_encoder.h"
#include "trace/file/kernel_event_formats.h"
#include "trace/file/ring_page_builder.h"

#include <chrono>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <time.h>
#include <unistd.h>

/// CpuReader on an ordinary pipe in place of the kernel's trace_pipe_raw.
namespace inversight {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::EndsWith;

class CpuReaderTest : public testing::Test {
protected:
    void SetUp() override {
        int pipe[2];
        ASSERT_EQ(::pipe2(pipe, O_NONBLOCK | O_CLOEXEC), 0);
        pipe_ = UniqueFd(pipe[0]);
        writer_ = UniqueFd(pipe[1]);
        metadata_.cpuCount = 1;
        auto spool = Spool::create(folder_.file("a.dat"), metadata_);
        ASSERT_TRUE(spool) << spool.error().sentence();
        spool_ = *std::move(spool);
    }
    [[nodiscard]] std::unique_ptr<CpuReader> start() {
        auto reader = CpuReader::start(0, std::move(pipe_), PageLayout{}, *spool_, {});
        EXPECT_TRUE(reader);
        return reader ? *std::move(reader) : nullptr;
    }
    void writePage(const std::string& text, std::size_t size = 4096) {
        RingPageBuilder builder;
        builder.lose(7);
        builder.add(1, encodeKernelEvent({1, 0, 7, PrintEvent{text}}));
        builder.flush();
        EXPECT_TRUE(writeAll(writer_.get(), builder.pages().first(size), "pipe"));
    }

    TemporaryFolder folder_;
    TraceMetadata metadata_ = kernelEventMetadata();
    std::optional<Spool> spool_;
    UniqueFd pipe_;
    UniqueFd writer_;
};

TEST_F(CpuReaderTest, StoppingReadsWhatIsLeft) {
    writePage("one");
    const auto reader = start();
    ASSERT_TRUE(reader);
    writePage("two");
    writePage("three");
    const auto stopped = reader->stop();
    ASSERT_TRUE(stopped) << stopped.error().sentence();
    EXPECT_EQ(reader->bytes(), 3U * 4096);
    EXPECT_EQ(reader->lostCount(), 21U);
    ASSERT_TRUE(spool_->finish(metadata_));
    const auto report = reportTrace(folder_.file("a.dat"));
    ASSERT_EQ(report.size(), 6U);
    EXPECT_THAT(report[1], EndsWith(": one"));
    EXPECT_THAT(report[3], EndsWith(": two"));
    EXPECT_THAT(report[5], EndsWith(": three"));
}

TEST_F(CpuReaderTest, PagesReachTheSpoolWithoutAStop) {
    const auto reader = start();
    ASSERT_TRUE(reader);
    writePage("one");
    const auto deadline = std::chrono::steady_clock::now() + 10s;
    while (reader->bytes() == 0 && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(5ms);
    EXPECT_EQ(reader->bytes(), 4096U);
    EXPECT_EQ(std::filesystem::file_size(folder_.file("a.dat.partial.cpu0")), 4096U);
}

TEST_F(CpuReaderTest, APieceOfAPageIsAnError) {
    const auto reader = start();
    ASSERT_TRUE(reader);
    writePage("one", 100);
    const auto stopped = reader->stop();
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().sentence(),
              "the kernel's page is not whole (trace_pipe_raw of CPU 0)");
    EXPECT_EQ(std::filesystem::file_size(folder_.file("a.dat.partial.cpu0")), 0U);
}

/// What poll says of a CPU that has no ring buffer, too.
TEST_F(CpuReaderTest, AnEndedPipeIsNotPolledInABusyLoop) {
    const auto reader = start();
    ASSERT_TRUE(reader);
    writer_.reset();
    timespec before{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    std::this_thread::sleep_for(400ms);
    timespec after{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    EXPECT_TRUE(reader->stop());
    const auto used = (after.tv_sec - before.tv_sec) * 1000000000L + after.tv_nsec - before.tv_nsec;
    EXPECT_LT(used, 50000000L);
}

} // namespace
} // namespace inversight
