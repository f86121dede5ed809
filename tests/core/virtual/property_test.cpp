// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// What theory promises for any set of tasks, on random ones.
#include "core/workload/time_distribution.h"
#include "tests/core/virtual/virtual_run.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace inversight {
namespace {

using std::chrono::nanoseconds;
using test::runVirtual;
using test::VirtualRun;

using test::kUs;
using test::kMs;
constexpr std::uint64_t kSets = 40;

/// A set of FIFO tasks on one CPU: locks in alphabetical order only, so that none can deadlock.
class TaskSet {
public:
    explicit TaskSet(std::uint64_t seed) : random_(seed, 7) {
        for (const char* lock : {"A", "B", "C"})
            spec_.locks.push_back({.name = lock, .events = LockEventKinds::None, .policy = {}});
        const std::uint64_t count = 3 + random_.upTo(3);
        for (std::uint64_t i = 0; i < count; ++i)
            addTask(static_cast<std::int32_t>(10 + 10 * i));
    }
    [[nodiscard]] const WorkloadSpec& spec() const { return spec_; }

private:
    nanoseconds span(std::int64_t lowUs, std::int64_t highUs) {
        const auto width = static_cast<std::uint64_t>(highUs - lowUs);
        return nanoseconds((lowUs + static_cast<std::int64_t>(random_.upTo(width))) * kUs);
    }
    void addSection(std::vector<Step>& body, std::size_t lock) {
        body.emplace_back(LockStep{spec_.locks[lock].name});
        body.emplace_back(RunStep{span(10, 300)});
        if (lock + 1 < spec_.locks.size() && random_.upTo(2) == 0) {
            addSection(body, lock + 1);
            body.emplace_back(RunStep{span(10, 100)});
        }
        body.emplace_back(UnlockStep{spec_.locks[lock].name});
    }
    void addTask(std::int32_t priority) {
        ThreadSpec thread;
        thread.name = fmt::format("t{}", priority);
        thread.scheduling = {SchedulingClass::Fifo, 0, priority};
        thread.startOffset = span(0, 3000);
        thread.period = span(8000, 40000);
        thread.duration = nanoseconds(300 * kMs);
        thread.loops = 0;
        for (std::uint64_t sections = 1 + random_.upTo(1); sections > 0; --sections) {
            thread.body.emplace_back(RunStep{span(10, 500)});
            addSection(thread.body, random_.upTo(2));
        }
        thread.body.emplace_back(RunStep{span(10, 500)});
        thread.body.emplace_back(NextPeriodStep{});
        spec_.threads.push_back(std::move(thread));
    }

    RandomSource random_;
    WorkloadSpec spec_;
};

/// Time in which some thread waited for a lock while one less urgent than itself ran, ns: without
/// suspension that is never the owner under inheritance, since the owner is as urgent as its
/// waiter.
class MidTime {
public:
    explicit MidTime(const VirtualRun& run) {
        for (const VirtualThreadResult& thread : run.result.threads)
            base_[thread.tid] = thread.scheduling.kernelPriority();
        for (const KernelEvent& event : run.events)
            add(event);
    }
    [[nodiscard]] std::int64_t totalNs() const { return totalNs_; }

private:
    void add(const KernelEvent& event) {
        for (const std::int32_t waiter : waiting_) {
            if (waiter != running_ && prio_ > base_[waiter])
                totalNs_ += event.timeNs - lastNs_;
        }
        lastNs_ = event.timeNs;
        if (const auto* change = std::get_if<SchedSwitchEvent>(&event.body)) {
            running_ = change->nextTid;
            prio_ = change->nextPrio;
        } else if (const auto* boost = std::get_if<SchedPiSetprioEvent>(&event.body)) {
            prio_ = boost->tid == running_ ? boost->newPrio : prio_;
        } else if (const auto* print = std::get_if<PrintEvent>(&event.body)) {
            addMarker(event.tid, print->text);
        }
    }
    void addMarker(std::int32_t tid, const std::string& text) {
        std::string scratch;
        const auto marker = MarkerCodec::decode(text, scratch);
        if (marker && std::holds_alternative<WaitBegin>(marker->body))
            waiting_.insert(tid);
        else if (marker && std::holds_alternative<SliceEnd>(marker->body))
            waiting_.erase(tid);
    }

    std::map<std::int32_t, std::int32_t> base_;
    std::set<std::int32_t> waiting_;
    std::int32_t running_ = 0;
    std::int32_t prio_ = 139;
    std::int64_t lastNs_ = 0;
    std::int64_t totalNs_ = 0;
};

TEST(Property, UnderInheritanceNobodyInTheMiddleRuns) {
    std::uint64_t waits = 0;
    for (std::uint64_t seed = 1; seed <= kSets; ++seed) {
        const TaskSet set(seed);
        for (const char* policy : {"rt_mutex", "rt_mutex-nice", "late-boost"}) {
            const VirtualRun run = runVirtual(set.spec(), policy);
            EXPECT_EQ(MidTime(run).totalNs(), 0) << policy << ", seed " << seed;
            for (const VirtualLockResult& lock : run.result.locks)
                waits += lock.contendedCount;
        }
    }
    EXPECT_GT(waits, 100u) << "the sets must contend";
}

/// The measure itself can fail.
TEST(Property, WithoutInheritanceItDoes) {
    std::int64_t total = 0;
    for (std::uint64_t seed = 1; seed <= kSets; ++seed) {
        const TaskSet set(seed);
        total += MidTime(runVirtual(set.spec(), "mutex-2009")).totalNs();
    }
    EXPECT_GT(total, kMs);
}

std::int64_t runNs(const Step& step) {
    const auto* run = std::get_if<RunStep>(&step);
    return run ? run->duration.mean().count() : 0;
}

std::int64_t computationNs(const ThreadSpec& thread) {
    std::int64_t sum = 0;
    for (const Step& step : thread.body)
        sum += runNs(step);
    return sum;
}

/// The least urgent user's view: is `lock` used at or above `priority`?
bool reaches(const WorkloadSpec& spec, const std::string& lock, std::int32_t priority) {
    return std::ranges::any_of(spec.threads, [&](const ThreadSpec& thread) {
        return thread.scheduling.priority >= priority &&
               std::ranges::any_of(thread.body, [&](const Step& step) {
                   const auto* taken = std::get_if<LockStep>(&step);
                   return taken && taken->lock == lock;
               });
    });
}

/// The longest section of a lower task under a lock whose ceiling is at or above `priority`.
std::int64_t blockingNs(const WorkloadSpec& spec, std::int32_t priority) {
    std::int64_t longest = 0;
    for (const ThreadSpec& thread : spec.threads) {
        if (thread.scheduling.priority >= priority)
            continue;
        std::vector<std::pair<bool, std::int64_t>> open; // reaches, length so far
        for (const Step& step : thread.body) {
            for (auto& [high, length] : open)
                length += runNs(step);
            if (const auto* lock = std::get_if<LockStep>(&step))
                open.emplace_back(reaches(spec, lock->lock, priority), 0);
            if (std::holds_alternative<UnlockStep>(step)) {
                longest = std::max(longest, open.back().first ? open.back().second : 0);
                open.pop_back();
            }
        }
    }
    return longest;
}

/// R = C + B + sum over higher tasks of ceil(R / T) C, or nothing beyond the task's own period.
std::optional<std::int64_t> responseBoundNs(const WorkloadSpec& spec, const ThreadSpec& task) {
    const std::int64_t own = computationNs(task) + blockingNs(spec, task.scheduling.priority);
    std::int64_t response = own;
    for (;;) {
        std::int64_t next = own;
        for (const ThreadSpec& other : spec.threads) {
            const std::int64_t period = other.period.count();
            if (other.scheduling.priority > task.scheduling.priority)
                next += (response + period - 1) / period * computationNs(other);
        }
        if (next == response)
            return response;
        response = next;
        if (response > task.period.count())
            return std::nullopt;
    }
}

TEST(Property, UnderACeilingResponsesStayBelowTheAnalysis) {
    std::size_t bounded = 0;
    std::size_t near = 0;
    for (std::uint64_t seed = 1; seed <= kSets; ++seed) {
        const TaskSet set(seed);
        const VirtualRun run = runVirtual(set.spec(), "ceiling");
        for (const ThreadSpec& task : set.spec().threads) {
            const auto bound = responseBoundNs(set.spec(), task);
            if (!bound)
                continue;
            const std::int64_t measured = run.thread(task.name).response.max();
            EXPECT_LE(measured, *bound) << task.name << ", seed " << seed;
            ++bounded;
            near += measured * 10 >= *bound * 8 ? 1 : 0;
        }
    }
    EXPECT_GT(bounded, 100u);
    EXPECT_GT(near, 10u) << "the bound must mean something";
}

/// Without suspension a job never waits for a lock under a ceiling: it starts late instead.
TEST(Property, UnderACeilingNobodyWaitsForALock) {
    for (std::uint64_t seed = 1; seed <= kSets; ++seed) {
        const TaskSet set(seed);
        for (const VirtualThreadResult& thread : runVirtual(set.spec(), "ceiling").result.threads)
            EXPECT_EQ(thread.maxWaitNs, 0) << thread.name << ", seed " << seed;
    }
}

/// With suspension inside a section there is one more blocking per suspension: H waits twice.
TEST(Property, ASuspensionInsideASectionAllowsAnotherBlocking) {
    const WorkloadSpec spec = test::specWith(R"(
        "locks": [ { "name": "A" }, { "name": "C" } ],
        "threads": [
            { "name": "L1", "class": "fifo", "priority": 1, "body": [ { "lock": "A" },
              { "run": { "duration_ns": 20000 } }, { "sleep": { "duration_ns": 1000000 } },
              { "run": { "duration_ns": 20000 } }, { "unlock": "A" } ] },
            { "name": "L2", "class": "fifo", "priority": 2, "start_ns": 100000, "body": [
              { "lock": "C" }, { "run": { "duration_ns": 20000 } },
              { "sleep": { "duration_ns": 2000000 } }, { "run": { "duration_ns": 20000 } },
              { "unlock": "C" } ] },
            { "name": "H", "class": "fifo", "priority": 9, "start_ns": 200000, "body": [
              { "lock": "A" }, { "run": { "duration_ns": 100000 } }, { "unlock": "A" },
              { "lock": "C" }, { "run": { "duration_ns": 100000 } }, { "unlock": "C" } ] } ])");
    const VirtualRun run = runVirtual(spec, "ceiling");
    EXPECT_EQ(run.result.locks[0].maxWaitNs, 840 * kUs);
    EXPECT_EQ(run.result.locks[1].maxWaitNs, 1000 * kUs);
    EXPECT_EQ(run.thread("H").waitNs, 1840 * kUs);
}

WorkloadSpec periodicSet(std::initializer_list<std::pair<int, int>> periodsAndCosts) {
    std::string threads;
    int priority = 90;
    for (const auto& [period, cost] : periodsAndCosts) {
        threads += fmt::format(
            R"({}{{ "name": "T{}", "class": "fifo", "priority": {}, "period_ns": {}, )"
            R"("duration_ns": 420000000, "body": [ {{ "run": {{ "duration_ns": {} }} }}, )"
            R"({{ "next_period": {{}} }} ] }})",
            threads.empty() ? "" : ",", period, priority, period * kMs, cost * kMs);
        priority -= 10;
    }
    return test::specWith("\"threads\": [" + threads + "]");
}

TEST(Property, ResponsesAtTheCriticalInstantAreTheAnalysis) {
    const VirtualRun first = runVirtual(periodicSet({{7, 3}, {12, 3}, {20, 5}}), "rt_mutex");
    EXPECT_EQ(first.thread("T7").response.max(), 3 * kMs);
    EXPECT_EQ(first.thread("T12").response.max(), 6 * kMs);
    EXPECT_EQ(first.thread("T20").response.max(), 20 * kMs);
    const VirtualRun second = runVirtual(periodicSet({{20, 5}, {50, 10}, {100, 20}}), "rt_mutex");
    EXPECT_EQ(second.thread("T20").response.max(), 5 * kMs);
    EXPECT_EQ(second.thread("T50").response.max(), 15 * kMs);
    EXPECT_EQ(second.thread("T100").response.max(), 40 * kMs);
}

} // namespace
} // namespace inversight
