// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/workload_engine.h"

#include "core/lock/lock_policies.h"
#include "engine_test_support.h"

#include <chrono>
#include <csignal>
#include <stdexcept>

#include <gmock/gmock.h>
#include <sys/prctl.h>

namespace inversight {
namespace {

using testing::HasSubstr;

/// Answers every wait as its script says.
class ScriptedLock final : public LockPolicy {
public:
    using Script = AcquireOutcome (*)(const Waiter&, const std::stop_token&);
    explicit ScriptedLock(Script script) : script_(script) {}

    AcquireOutcome acquire(Waiter& waiter, std::stop_token stop) override {
        return script_(waiter, stop);
    }
    AcquireOutcome tryAcquire(Waiter&) override { return WouldBlock{}; }
    void release(Waiter&) override {}
    [[nodiscard]] std::uint64_t futexAddress() const override { return 0; }

private:
    Script script_;
};

template <ScriptedLock::Script script>
LockPolicyRow scripted() {
    return {.name = "scripted",
            .text = "for tests",
            .makeReal = [](const LockSetup&) -> std::unique_ptr<LockPolicy> {
                return std::make_unique<ScriptedLock>(script);
            },
            .makeModel = nullptr,
            .traits = {}};
}

Result<RunResult> runWith(const std::string& json, const LockPolicyRow& policy,
                          const RunObserver& observer = {}) {
    const Scenario scenario = TRY(parseScenario(json));
    NullMarkerSink sink;
    WorkloadEngine engine(scenario.spec, policy, cpusOfThisMachine(), sink);
    return engine.run({}, observer);
}

TEST(WorkloadEngineError, FifoWithoutTheRight) {
    const bool tried = withoutSchedulingRights([] {
        const auto scenario = loadScenario("i2c-bus-2009", {.loops = 1});
        ASSERT_TRUE(scenario) << scenario.error().sentence();
        // Without the nice -5 worker, so that the FIFO worker is the one refused.
        WorkloadSpec spec = scenario->spec;
        spec.threads.erase(spec.threads.begin() + 1);
        NullMarkerSink sink;
        const std::size_t threads = threadCount();
        WorkloadEngine engine(spec, **findLockPolicy("rt_mutex"), cpusOfThisMachine(), sink);
        const auto result = engine.run({}, {});
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::PermissionDenied);
        EXPECT_EQ(result.error().where, "worker fifo-99 cannot be set to FIFO 99");
        EXPECT_THAT(result.error().what, HasSubstr("no CAP_SYS_NICE"));
        EXPECT_THAT(result.error().remedy, HasSubstr("rtprio 99"));
        EXPECT_EQ(threadCount(), threads) << "a worker was left behind";
    });
    if (!tried)
        GTEST_SKIP() << "needs RLIMIT_RTPRIO and RLIMIT_NICE at 0";
}

TEST(WorkloadEngineError, NegativeNiceWithoutTheRight) {
    const bool tried = withoutSchedulingRights([] {
        const auto result = runWith(fairScenario(1, -5), **findLockPolicy("mutex-2009"));
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::PermissionDenied);
        EXPECT_EQ(result.error().where, "worker lonely cannot be set to nice -5");
        EXPECT_THAT(result.error().remedy, HasSubstr("nice -20"));
    });
    if (!tried)
        GTEST_SKIP() << "needs RLIMIT_RTPRIO and RLIMIT_NICE at 0";
}

TEST(WorkloadEngineError, UnknownBackend) {
    const auto result = runWith(fairScenario(1, 0, "pigeon"), **findLockPolicy("rt_mutex"));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::NotFound);
    EXPECT_EQ(result.error().what, "no bus backend is called \"pigeon\"");
}

TEST(WorkloadEngineError, PolicyOfVirtualTimeOnly) {
    const LockPolicyRow row{.name = "model", .text = "for tests", .traits = {}};
    const auto result = runWith(fairScenario(1), row);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(result.error().what, "policy model exists in virtual time only");
}

TEST(WorkloadEngineError, CpuThatDoesNotExist) {
    const auto scenario = parseScenario(fairScenario(1));
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    NullMarkerSink sink;
    const CpuPlan plan{.workerCpus = {1000}, .otherCpus = {0}};
    WorkloadEngine engine(scenario->spec, **findLockPolicy("rt_mutex"), plan, sink);
    const auto result = engine.run({}, {});
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().what, HasSubstr("worker lonely cannot be pinned to CPU 1000"));
}

AcquireOutcome closeACycle(const Waiter&, const std::stop_token&) {
    return Deadlock{{{"lonely", "A"}, {"other", "B"}}};
}

TEST(WorkloadEngineError, DeadlockOfTheLockIsPartOfTheResult) {
    const auto result = runWith(fairScenario(5), scripted<closeACycle>());
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_TRUE(result->interrupted);
    EXPECT_EQ(result->deadlock, (std::vector<std::string>{"lonely", "A", "other", "B", "lonely"}));
    EXPECT_THAT(result->warnings,
                testing::Contains(HasSubstr("lonely waits for A, held by other, which waits for B, "
                                            "held by lonely")));
}

AcquireOutcome refuse(const Waiter&, const std::stop_token&) {
    return NotPermitted{{ErrorCode::PermissionDenied, "not for you"}};
}

TEST(WorkloadEngineError, RefusalOfTheLockIsHandedOn) {
    const auto result = runWith(fairScenario(5), scripted<refuse>());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::PermissionDenied);
    EXPECT_EQ(result.error().what, "not for you");
}

TEST(WorkloadEngineError, ThrowingObserverLeavesNoThreadBehind) {
    RunObserver observer;
    observer.started = [](const std::vector<ManifestThread>&) { throw std::runtime_error("no"); };
    const std::size_t threads = threadCount();
    EXPECT_THROW(
        static_cast<void>(runWith(fairScenario(1), **findLockPolicy("rt_mutex"), observer)),
        std::runtime_error);
    EXPECT_EQ(threadCount(), threads);
}

AcquireOutcome waitForStop(const Waiter&, const std::stop_token& stop) {
    while (!stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return Interrupted{};
}

/// Takes 10 s: that is the limit, and no test-only way around it exists.
TEST(WorkloadEngineError, WatchdogEndsARunThatDoesNotGetOn) {
    const auto begin = std::chrono::steady_clock::now();
    const auto result = runWith(fairScenario(5), scripted<waitForStop>());
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Busy);
    EXPECT_EQ(result.error().what, "no worker got on for 10 s: all were demoted to SCHED_OTHER and "
                                   "the run was ended");
    EXPECT_GE(elapsed, std::chrono::seconds(10));
    EXPECT_LT(elapsed, std::chrono::seconds(15));
}

struct WorkerView {
    bool blocksInterrupt = false;
    bool blocksTerminate = false;
    int timerSlackNs = 0;
    int cpu = -1;
    std::string name;
};
WorkerView workerView;

AcquireOutcome lookAround(const Waiter&, const std::stop_token&) {
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    std::array<char, 16> name{};
    pthread_getname_np(pthread_self(), name.data(), name.size());
    workerView = {sigismember(&blocked, SIGINT) == 1, sigismember(&blocked, SIGTERM) == 1,
                  prctl(PR_GET_TIMERSLACK), sched_getcpu(), name.data()};
    return Acquired{};
}

TEST(WorkloadEngine, WorkersAreNamedPinnedPreciseAndDeafToSignals) {
    const auto result = runWith(fairScenario(1), scripted<lookAround>());
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_TRUE(workerView.blocksInterrupt);
    EXPECT_TRUE(workerView.blocksTerminate);
    EXPECT_EQ(workerView.timerSlackNs, 1);
    EXPECT_EQ(workerView.cpu, cpusOfThisMachine().workerCpus.front());
    EXPECT_EQ(workerView.name, "lonely");
    sigset_t own;
    pthread_sigmask(SIG_SETMASK, nullptr, &own);
    EXPECT_EQ(sigismember(&own, SIGINT), 0) << "the caller must still hear its signals";
}

} // namespace
} // namespace inversight
