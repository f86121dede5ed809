// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/unique_fd.h"
#include "tests/trace/record/recorder_fixture.h"
#include "trace/record/instance_name.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

/// What is left when a recording cannot start, or does not end as it should.
namespace inversight {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Fails the test unless starting fails; nothing may be left then.
Error startError(const RecorderOptions& options) {
    const auto recorder = Recorder::start(options);
    EXPECT_FALSE(recorder);
    return recorder ? Error{} : recorder.error();
}

TEST_F(RecorderTest, WithoutAnyEventItRefuses) {
    const Error error =
        startError({.output = output(), .events = {"sched:nothing"}, .recorderCpus = {}});
    EXPECT_EQ(error.code, ErrorCode::NotFound);
    EXPECT_EQ(error.what, "this kernel has none of the events");
    EXPECT_THAT(folder_.names(), IsEmpty());
}

TEST_F(RecorderTest, MalformedEventNamesAreRefused) {
    for (const char* name : {"", ":", "sched:", ":sched_switch", "../../x", "sched:../x"}) {
        const Error error = startError({.output = output(), .events = {name}, .recorderCpus = {}});
        EXPECT_EQ(error.code, ErrorCode::InvalidArgument) << name;
        EXPECT_EQ(error.where, "\"" + std::string(name) + "\"");
    }
}

TEST_F(RecorderTest, AnUnknownClockIsRefusedWithTheChoices) {
    const Error error =
        startError({.output = output(), .events = {}, .recorderCpus = {}, .clock = "sundial"});
    EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
    EXPECT_THAT(error.sentence(), HasSubstr("this kernel has no such clock (sundial); choose one"));
    EXPECT_THAT(error.remedy, HasSubstr(" mono "));
    EXPECT_THAT(folder_.names(), IsEmpty());
}

TEST_F(RecorderTest, CpusThatAreNotThereAreRefused) {
    const Error missing = startError({.output = output(), .events = {}, .recorderCpus = {1000}});
    EXPECT_EQ(missing.what, "cannot pin the recorder to its CPUs: Invalid argument");
    const Error impossible = startError({.output = output(), .events = {}, .recorderCpus = {-1}});
    EXPECT_EQ(impossible.code, ErrorCode::InvalidArgument);
    EXPECT_EQ(impossible.where, "CPU -1");
    EXPECT_THAT(folder_.names(), IsEmpty());
}

TEST_F(RecorderTest, AFolderThatIsNotThereIsSaid) {
    const Error error =
        startError({.output = folder_.file("no/a.dat"), .events = {}, .recorderCpus = {}});
    EXPECT_EQ(error.code, ErrorCode::NotFound);
    EXPECT_EQ(error.where, folder_.file("no/a.dat.partial"));
}

TEST_F(RecorderTest, OneProcessRecordsOnce) {
    const auto first = startRecorder({.output = output(), .events = {}, .recorderCpus = {}});
    ASSERT_TRUE(first);
    const Error error =
        startError({.output = folder_.file("b.dat"), .events = {}, .recorderCpus = {}});
    EXPECT_EQ(error.code, ErrorCode::Busy);
    EXPECT_EQ(error.where, first->instanceName());
    ASSERT_TRUE(first->stop());
    EXPECT_THAT(folder_.names(), ElementsAre("a.dat"));
}

std::string restore(const std::string& file) {
    return "restore -i " + file + ".partial -o " + file + " " + file + ".partial.cpu0 " + file +
           ".partial.cpu1";
}

TEST_F(RecorderTest, DestroyedWithoutStopItLeavesTheSpoolAndNoInstance) {
    if (std::thread::hardware_concurrency() != 2)
        GTEST_SKIP() << "written for two CPUs";
    {
        const auto recorder = startRecorder({.output = output(), .events = {}, .recorderCpus = {}});
        ASSERT_TRUE(recorder);
        recorder->markers().write({1, Note{"the last word"}});
    }
    EXPECT_THAT(ownInstances(), IsEmpty());
    EXPECT_THAT(folder_.names(),
                ElementsAre("a.dat.partial", "a.dat.partial.cpu0", "a.dat.partial.cpu1"));
    EXPECT_EQ(runTraceCmd(restore(output())).exitCode, 0);
    EXPECT_THAT(linesWith(reportTrace(output()), "I|1|the last word"), SizeIs(1));
}

/// A full disk while recording.
TEST_F(RecorderTest, AFailedSpoolIsReportedAtTheEndWithTheWayOut) {
    const auto recorder = startRecorder({.output = output(), .events = {}, .recorderCpus = {}});
    ASSERT_TRUE(recorder);
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limit{1, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit); // the readers block SIGXFSZ and get EFBIG
    std::this_thread::sleep_for(250ms);
    ::setrlimit(RLIMIT_FSIZE, &before);
    const auto summary = recorder->stop();
    ASSERT_FALSE(summary);
    EXPECT_EQ(summary.error().code, ErrorCode::Io);
    EXPECT_THAT(summary.error().what, HasSubstr("File too large"));
    EXPECT_THAT(summary.error().remedy, HasSubstr("a.dat.partial*; with trace-cmd restore"));
    EXPECT_TRUE(std::filesystem::exists(output() + ".partial"));
    EXPECT_FALSE(std::filesystem::exists(output()));
}

/// Runs `body` in a child process; its exit code, or -1 if it was killed.
int inChild(const std::function<int()>& body) {
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(body());
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A child that records until it is killed.
pid_t startKilledRecorder(const std::string& output) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto recorder = Recorder::start({.output = output, .events = {}, .recorderCpus = {}});
        if (!recorder)
            ::_exit(1);
        (*recorder)->markers().write({1, Note{"before the kill"}});
        std::this_thread::sleep_for(400ms); // readers wake at least every 100 ms
        [[maybe_unused]] const ssize_t told = ::write(ready[1], "x", 1);
        for (;;)
            ::pause();
    }
    ::close(ready[1]);
    char byte = 0;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    ::close(ready[0]);
    ::kill(child, SIGKILL);
    EXPECT_EQ(::waitpid(child, nullptr, 0), child);
    return child;
}

TEST_F(RecorderTest, AKilledRecordingIsRestorableAndItsInstanceRemovedByTheNext) {
    if (std::thread::hardware_concurrency() != 2)
        GTEST_SKIP() << "written for two CPUs";
    const pid_t child = startKilledRecorder(output());
    ASSERT_FALSE(HasFailure());
    EXPECT_EQ(runTraceCmd(restore(output())).exitCode, 0);
    const auto report = reportTrace(output());
    EXPECT_THAT(linesWith(report, "I|1|before the kill"), SizeIs(1));
    EXPECT_THAT(linesWith(report, "sched_switch:"), Not(IsEmpty()));

    const auto isChilds = [&](const std::filesystem::directory_entry& entry) {
        const auto owner = parseInstanceName(entry.path().filename().string());
        return owner && owner->pid == child;
    };
    const std::filesystem::path instances = tracefs("instances");
    const auto countChilds = [&] {
        return std::count_if(std::filesystem::directory_iterator(instances),
                             std::filesystem::directory_iterator(), isChilds);
    };
    // Another test's recorder, running at the same time, may have removed it already.
    EXPECT_LE(countChilds(), 1);
    const auto next =
        startRecorder({.output = folder_.file("b.dat"), .events = {}, .recorderCpus = {}});
    ASSERT_TRUE(next);
    EXPECT_EQ(countChilds(), 0);
    ASSERT_TRUE(next->stop());
}

/// An instance of the test's own making, removed at the end.
class ForeignInstance {
public:
    explicit ForeignInstance(std::string path) : path_(std::move(path)) {
        EXPECT_EQ(::mkdir(path_.c_str(), 0755), 0) << path_ << ": " << std::strerror(errno);
    }
    ~ForeignInstance() { ::rmdir(path_.c_str()); }
    ForeignInstance(const ForeignInstance&) = delete;
    ForeignInstance& operator=(const ForeignInstance&) = delete;
    [[nodiscard]] bool exists() const { return std::filesystem::exists(path_); }

private:
    std::string path_;
};

TEST_F(RecorderTest, OnlyInstancesOfDeadInversightProcessesAreRemoved) {
    const auto parentStart = processStartTime(::getppid());
    ASSERT_TRUE(parentStart);
    const std::string own = std::to_string(::getpid());
    const ForeignInstance stranger(tracefs("instances/stranger-" + own));
    const ForeignInstance odd(tracefs("instances/inversight-" + own));
    const ForeignInstance living(tracefs("instances/" + instanceName({::getppid(), *parentStart})));
    const ForeignInstance reused(
        tracefs("instances/" + instanceName({::getppid(), *parentStart + 1})));
    const auto recorder = startRecorder({.output = output(), .events = {}, .recorderCpus = {}});
    ASSERT_TRUE(recorder);
    EXPECT_TRUE(stranger.exists());
    EXPECT_TRUE(odd.exists());
    EXPECT_TRUE(living.exists());
    EXPECT_FALSE(reused.exists());
    ASSERT_TRUE(recorder->stop());
}

/// The sentence of the error that starting gives in a child process prepared by `prepare`, which
/// returns false if this machine does not let it.
std::string startErrorInChild(const std::string& output, const std::function<bool()>& prepare,
                              const std::string& answerFile) {
    const int exitCode = inChild([&] {
        const auto answer = UniqueFd::open(answerFile, O_CREAT | O_WRONLY, 0666);
        if (!answer || !prepare())
            return 2;
        const auto recorder = Recorder::start({.output = output, .events = {}, .recorderCpus = {}});
        const std::string text = recorder ? "started" : recorder.error().sentence();
        return writeAll(answer->get(), text, answerFile) ? 0 : 1;
    });
    return exitCode == 0 ? readBytes(answerFile) : "exit code " + std::to_string(exitCode);
}

TEST_F(RecorderTest, WithoutTracefsItSaysHowToMountIt) {
    const std::string sentence = startErrorInChild(
        output(),
        [&] {
            if (::unshare(CLONE_NEWNS) != 0 ||
                ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
                return false;
            while (::umount2("/sys/kernel/debug/tracing", MNT_DETACH) == 0 ||
                   ::umount2("/sys/kernel/debug", MNT_DETACH) == 0 ||
                   ::umount2(tracefsPath_.c_str(), MNT_DETACH) == 0)
                continue;
            return true;
        },
        folder_.file("answer"));
    if (sentence == "exit code 2")
        GTEST_SKIP() << "needs a mount namespace of its own";
    EXPECT_EQ(sentence, "tracefs is not mounted; the kernel's events are read there "
                        "(/sys/kernel/tracing); sudo mount -t tracefs tracefs /sys/kernel/tracing");
}

TEST_F(RecorderTest, WithoutTheRightItSaysHowToGetIt) {
    const std::string sentence = startErrorInChild(
        output(), [] { return ::setgid(65534) == 0 && ::setuid(65534) == 0; },
        folder_.file("answer"));
    if (sentence == "exit code 2")
        GTEST_SKIP() << "needs root, to give it up";
    EXPECT_EQ(sentence, "tracefs is not writable for this user; recording makes a private tracing "
                        "instance there (" +
                            tracefs("instances") + "); run the same command with sudo");
}

} // namespace
} // namespace inversight
