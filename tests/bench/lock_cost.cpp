// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
//
// What a lock costs that nobody else wants: every policy of the table, bare, and as the real engine
// uses it (wait-for graph, markers off, figures recorded). The engine's share is the difference;
// the budget is 100 ns per lock and unlock. A ceiling costs little where it is the thread's own
// priority, and two changes of priority where it is above: the column "raised".
#include "core/bus/thread_clock.h"
#include "core/engine/thread_runner.h"
#include "core/lock/lock_policies.h"
#include "core/workload/scenario.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

namespace inversight {
namespace {

constexpr int kPriority = 1;
constexpr const char* kPairs = "pairs"; ///< in an iteration, where it is not one

/// A ceiling is for real-time threads; all policies are measured as one, on one CPU.
bool becomeRealTime() {
    const sched_param parameters{.sched_priority = kPriority};
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0;
}

Waiter benchThread() {
    return {.tid = gettid(), .name = "bench", .kernelPriority = 99 - kPriority};
}

void takeAndRelease(benchmark::State& state, const LockPolicyRow* row, std::int32_t ceiling) {
    const auto lock = row->makeReal({.ceiling = ceiling});
    Waiter waiter = benchThread();
    const std::stop_token never;
    for (auto _ : state) {
        AcquireOutcome outcome = lock->acquire(waiter, never);
        benchmark::DoNotOptimize(outcome);
        lock->release(waiter);
    }
}

void bareLock(benchmark::State& state, const LockPolicyRow* row) {
    takeAndRelease(state, row, kPriority);
}

void raisedLock(benchmark::State& state, const LockPolicyRow* row) {
    takeAndRelease(state, row, kPriority + 1);
}

void watchedLock(benchmark::State& state, const LockPolicyRow* row) {
    WatchedLock lock("A", row->makeReal({.ceiling = kPriority}), row->traits);
    WaitingThread thread(benchThread());
    const std::stop_token never;
    for (auto _ : state) {
        AcquireOutcome outcome = lock.acquire(thread, never);
        benchmark::DoNotOptimize(outcome);
        lock.release(thread);
    }
}

/// A thread of the engine that does nothing but lock and unlock, `loops` times; 32 pairs a loop, so
/// that what a loop costs by itself is not counted as the lock's.
std::string lockingScenario(std::uint64_t loops) {
    std::string body;
    for (int i = 0; i < 32; ++i)
        body += std::string(i == 0 ? "" : ",") + R"({"lock":"A"},{"unlock":"A"})";
    return R"({"scenario":1,"name":"cost","locks":[{"name":"A"}],"threads":[{"name":"bench",
               "class":"fifo","priority":1,"loops":)" +
           std::to_string(loops) + R"(,"body":[)" + body + "]}]}";
}

void engineLock(benchmark::State& state, const LockPolicyRow* row) {
    constexpr std::uint64_t kLoops = 5000;
    constexpr int kPairsInLoop = 32;
    const auto scenario = parseScenario(lockingScenario(kLoops));
    auto resources = RunResources::open(scenario->spec, *row, LockScope::Process);
    if (!resources) {
        state.SkipWithError(resources.error().sentence().c_str());
        return;
    }
    NullMarkerSink nowhere;
    WorkerGauges gauges;
    WaitingThread thread(benchThread());
    for (auto _ : state) {
        state.PauseTiming();
        const ThreadSpec& spec = scenario->spec.threads.front();
        std::optional<ThreadRunner> runner(std::in_place, spec, resolveBody(spec, *resources),
                                           thread, RandomSource(0, 0),
                                           RunnerContext{nowhere, getpid(), {}, gauges});
        state.ResumeTiming();
        runner->run(monotonicNs());
        state.PauseTiming();
        runner.reset();
        state.ResumeTiming();
    }
    // Of one pair, as the other rows.
    state.counters[kPairs] = kLoops * kPairsInLoop;
}

void registerAll() {
    for (const LockPolicyRow& row : lockPolicies()) {
        if (!row.makeReal)
            continue;
        const std::string name(row.name);
        benchmark::RegisterBenchmark(("bare/" + name).c_str(), bareLock, &row);
        if (row.traits.realTimeOnly)
            benchmark::RegisterBenchmark(("raised/" + name).c_str(), raisedLock, &row);
        benchmark::RegisterBenchmark(("watched/" + name).c_str(), watchedLock, &row);
        benchmark::RegisterBenchmark(("engine/" + name).c_str(), engineLock, &row);
    }
}

/// One line per policy, in ns per lock and unlock.
class TableReporter final : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context& /*context*/) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            const std::string name = run.benchmark_name();
            const std::size_t slash = name.find('/');
            const auto pairs = run.counters.find(kPairs);
            const double each = pairs == run.counters.end() ? 1 : pairs->second.value;
            costs_[name.substr(slash + 1)][name.substr(0, slash)] =
                run.error_occurred ? std::nan("") : run.GetAdjustedCPUTime() / each;
        }
    }
    void Finalize() override {
        std::printf("ns of CPU time per lock and unlock, uncontended\n%-16s %8s %8s %8s %8s %14s\n",
                    "policy", "bare", "raised", "watched", "engine", "engine - bare");
        for (const LockPolicyRow& row : lockPolicies()) {
            if (row.makeReal)
                print(std::string(row.name));
        }
    }

private:
    void print(const std::string& policy) {
        auto& cost = costs_[policy];
        const std::string raised =
            cost.contains("raised") ? fmt::format("{:.1f}", cost["raised"]) : "-";
        std::printf("%-16s %8.1f %8s %8.1f %8.1f %14.1f\n", policy.c_str(), cost["bare"],
                    raised.c_str(), cost["watched"], cost["engine"],
                    cost["engine"] - cost["bare"]);
    }

    std::map<std::string, std::map<std::string, double>> costs_;
};

} // namespace
} // namespace inversight

int main(int argc, char** argv) {
    if (!inversight::becomeRealTime()) {
        std::fputs("needs the right to set SCHED_FIFO\n", stderr);
        return EXIT_FAILURE;
    }
    inversight::registerAll();
    benchmark::Initialize(&argc, argv);
    inversight::TableReporter table;
    benchmark::RunSpecifiedBenchmarks(&table);
    return EXIT_SUCCESS;
}
