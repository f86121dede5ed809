// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/spool.h"

#include "core/event/kernel_event.h"
#include "tests/support/temporary_folder.h"
#include "tests/trace/file_write/trace_cmd.h"
#include "trace/file/kernel_event_encoder.h"
#include "trace/file/kernel_event_formats.h"
#include "trace/file/ring_page_builder.h"

#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inversight {
namespace {

using testing::ElementsAre;
using testing::EndsWith;

TraceMetadata metadata() {
    TraceMetadata metadata = kernelEventMetadata();
    metadata.cpuCount = 2;
    metadata.traceClock = "[mono]";
    return metadata;
}

/// One page with one marker.
std::vector<std::byte> page(std::int64_t timeNs, const std::string& text) {
    RingPageBuilder builder;
    builder.add(static_cast<std::uint64_t>(timeNs),
                encodeKernelEvent({timeNs, 0, 7, PrintEvent{text}}));
    builder.flush();
    return {builder.pages().begin(), builder.pages().end()};
}

std::string restoreCommand(const std::string& file, const std::string& out) {
    return "restore -i " + file + ".partial -o " + out + " " + file + ".partial.cpu0 " + file +
           ".partial.cpu1";
}

TEST(Spool, WhatIsAppendedIsInTheFinishedFile) {
    const TemporaryFolder folder;
    auto spool = Spool::create(folder.file("a.dat"), metadata());
    ASSERT_TRUE(spool) << spool.error().sentence();
    ASSERT_TRUE(spool->appendPages(1, page(1, "one")));
    ASSERT_TRUE(spool->appendPages(0, page(2, "two")));
    ASSERT_TRUE(spool->appendPages(1, page(3, "three")));
    EXPECT_THAT(folder.names(),
                ElementsAre("a.dat.partial", "a.dat.partial.cpu0", "a.dat.partial.cpu1"));
    TraceMetadata last = metadata();
    last.savedCmdlines = "7 worker\n";
    const auto finished = spool->finish(last);
    ASSERT_TRUE(finished) << finished.error().sentence();
    EXPECT_THAT(folder.names(), ElementsAre("a.dat"));
    EXPECT_THAT(reportTrace(folder.file("a.dat")),
                ElementsAre(EndsWith("worker-7     [001]     0.000000001: print:                "
                                     "tracing_mark_write: one"),
                            EndsWith("tracing_mark_write: two"),
                            EndsWith("tracing_mark_write: three")));
}

TEST(Spool, ThePartialFileAloneIsAnEmptyTrace) {
    const TemporaryFolder folder;
    const auto spool = Spool::create(folder.file("a.dat"), metadata());
    ASSERT_TRUE(spool);
    EXPECT_THAT(reportTrace(folder.file("a.dat.partial")), ElementsAre());
}

TEST(Spool, AKilledWriterLeavesWhatTraceCmdRestores) {
    const TemporaryFolder folder;
    const pid_t child = ::fork();
    if (child == 0) {
        auto spool = Spool::create(folder.file("a.dat"), metadata());
        if (spool && spool->appendPages(0, page(1, "one")) && spool->appendPages(1, page(2, "two")))
            ::kill(::getpid(), SIGKILL);
        ::_exit(1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_FALSE(std::filesystem::exists(folder.file("a.dat")));
    EXPECT_EQ(runTraceCmd(restoreCommand(folder.file("a.dat"), folder.file("b.dat"))).exitCode, 0);
    EXPECT_THAT(
        reportTrace(folder.file("b.dat")),
        ElementsAre(EndsWith("tracing_mark_write: one"), EndsWith("tracing_mark_write: two")));
}

TEST(Spool, ADestroyedSpoolStays) {
    const TemporaryFolder folder;
    {
        auto spool = Spool::create(folder.file("a.dat"), metadata());
        ASSERT_TRUE(spool);
        ASSERT_TRUE(spool->appendPages(0, page(1, "one")));
    }
    EXPECT_EQ(runTraceCmd(restoreCommand(folder.file("a.dat"), folder.file("b.dat"))).exitCode, 0);
    EXPECT_THAT(reportTrace(folder.file("b.dat")), ElementsAre(EndsWith(": one")));
}

TEST(Spool, SomebodyElsesRecordingIsNotTouched) {
    const TemporaryFolder folder;
    const auto first = Spool::create(folder.file("a.dat"), metadata());
    ASSERT_TRUE(first);
    const std::string before = readBytes(folder.file("a.dat.partial"));
    const auto second = Spool::create(folder.file("a.dat"), metadata());
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::Busy);
    EXPECT_EQ(second.error().where, folder.file("a.dat.partial"));
    EXPECT_THAT(second.error().remedy, testing::HasSubstr("trace-cmd restore -i "));
    EXPECT_EQ(readBytes(folder.file("a.dat.partial")), before);
}

TEST(Spool, LeftOverPagesAreNotMixedWithNewOnes) {
    const TemporaryFolder folder;
    ASSERT_TRUE(UniqueFd::open(folder.file("a.dat.partial.cpu1"), O_CREAT | O_WRONLY));
    const auto spool = Spool::create(folder.file("a.dat"), metadata());
    ASSERT_FALSE(spool);
    EXPECT_EQ(spool.error().code, ErrorCode::Busy);
    EXPECT_EQ(spool.error().where, folder.file("a.dat.partial.cpu1"));
    EXPECT_THAT(folder.names(), ElementsAre("a.dat.partial.cpu1"));
}

TEST(Spool, AFolderThatIsNotThereIsSaid) {
    const TemporaryFolder folder;
    const auto spool = Spool::create(folder.file("no/a.dat"), metadata());
    ASSERT_FALSE(spool);
    EXPECT_EQ(spool.error().code, ErrorCode::NotFound);
    EXPECT_EQ(spool.error().where, folder.file("no/a.dat.partial"));
}

TEST(Spool, AFailedFinishKeepsTheSpool) {
    const TemporaryFolder folder;
    auto spool = Spool::create(folder.file("a.dat"), metadata());
    ASSERT_TRUE(spool);
    ASSERT_TRUE(spool->appendPages(0, page(1, "one")));
    std::filesystem::create_directory(folder.file("a.dat")); // nothing can be renamed over it
    const auto finished = spool->finish(metadata());
    ASSERT_FALSE(finished);
    EXPECT_EQ(finished.error().code, ErrorCode::Io);
    EXPECT_EQ(finished.error().where, folder.file("a.dat"));
    EXPECT_THAT(folder.names(),
                ElementsAre("a.dat", "a.dat.partial", "a.dat.partial.cpu0", "a.dat.partial.cpu1"));
    EXPECT_EQ(runTraceCmd(restoreCommand(folder.file("a.dat"), folder.file("b.dat"))).exitCode, 0);
    EXPECT_THAT(reportTrace(folder.file("b.dat")), ElementsAre(EndsWith(": one")));
}

TEST(Spool, DiscardLeavesNothing) {
    const TemporaryFolder folder;
    auto spool = Spool::create(folder.file("a.dat"), metadata());
    ASSERT_TRUE(spool);
    spool->discard();
    EXPECT_THAT(folder.names(), ElementsAre());
}

/// A limit on the size of files, for a scope: writes beyond it fail as on a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

TEST(Spool, AFullDiskLeavesWholePagesOnly) {
    const TemporaryFolder folder;
    auto spool = Spool::create(folder.file("a.dat"), metadata());
    ASSERT_TRUE(spool);
    std::vector<std::byte> two = page(1, "one");
    const std::vector<std::byte> second = page(2, "two");
    two.insert(two.end(), second.begin(), second.end());
    Result<void> appended;
    {
        const FileSizeLimit limit(5000);
        appended = spool->appendPages(0, two);
    }
    ASSERT_FALSE(appended);
    EXPECT_EQ(appended.error().code, ErrorCode::Io);
    EXPECT_EQ(appended.error().where, folder.file("a.dat.partial.cpu0"));
    EXPECT_EQ(std::filesystem::file_size(folder.file("a.dat.partial.cpu0")), 4096U);
    ASSERT_TRUE(spool->finish(metadata()));
    EXPECT_THAT(reportTrace(folder.file("a.dat")), ElementsAre(EndsWith(": one")));
}

} // namespace
} // namespace inversight
