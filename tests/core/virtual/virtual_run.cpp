// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/core/virtual/virtual_run.h"

#include "core/lock/lock_policies.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace inversight::test {

namespace {

double milliseconds(std::int64_t timeNs) {
    return static_cast<double>(timeNs - kVirtualStartNs) / 1e6;
}

std::int32_t userPriority(std::int32_t prio) {
    return 99 - prio;
}

/// Draws one CPU's timeline from its events.
class TimelineWriter {
public:
    TimelineWriter(const std::map<std::int32_t, std::int32_t>& basePrios, int cpu)
        : cpu_(cpu), base_(basePrios) {}

    void add(const KernelEvent& event) {
        if (const auto* change = std::get_if<SchedSwitchEvent>(&event.body)) {
            if (event.cpu == cpu_)
                become(event.timeNs, change->nextTid, change->nextComm, change->nextPrio);
        } else if (const auto* boost = std::get_if<SchedPiSetprioEvent>(&event.body)) {
            if (boost->tid == tid_)
                become(event.timeNs, tid_, comm_, boost->newPrio);
        }
    }

    [[nodiscard]] std::string text() const { return text_; }

private:
    void become(std::int64_t timeNs, std::int32_t tid, const std::string& comm, std::int32_t prio) {
        if (timeNs > sinceNs_ && base_.contains(tid_)) {
            const std::string boost =
                prio_ == base_.at(tid_) ? "" : fmt::format("@{}", userPriority(prio_));
            text_ += fmt::format("{}{}{}[{:g},{:g})", text_.empty() ? "" : " ", comm_, boost,
                                 milliseconds(sinceNs_), milliseconds(timeNs));
        }
        tid_ = tid;
        comm_ = comm;
        prio_ = prio;
        sinceNs_ = timeNs;
    }

    int cpu_;
    const std::map<std::int32_t, std::int32_t>& base_;
    std::int32_t tid_ = 0;
    std::string comm_;
    std::int32_t prio_ = 0;
    std::int64_t sinceNs_ = kVirtualStartNs;
    std::string text_;
};

} // namespace

const VirtualThreadResult& VirtualRun::thread(std::string_view name) const {
    const auto found = std::ranges::find(result.threads, name, &VirtualThreadResult::name);
    if (found != result.threads.end())
        return *found;
    ADD_FAILURE() << "no thread is called " << name;
    static const VirtualThreadResult nobody;
    return nobody;
}

std::string VirtualRun::timeline(int cpu) const {
    TimelineWriter writer(basePrios, cpu);
    for (const KernelEvent& event : events)
        writer.add(event);
    return writer.text();
}

std::vector<std::string> VirtualRun::setprios() const {
    std::vector<std::string> lines;
    for (const KernelEvent& event : events) {
        if (const auto* change = std::get_if<SchedPiSetprioEvent>(&event.body))
            lines.push_back(fmt::format("{} {}->{} at {:g}", change->comm,
                                        userPriority(change->oldPrio),
                                        userPriority(change->newPrio), milliseconds(event.timeNs)));
    }
    return lines;
}

VirtualRun runVirtual(const WorkloadSpec& spec, std::string_view policy) {
    const auto row = findLockPolicy(policy);
    EXPECT_TRUE(row) << policy;
    EventCollector collector;
    VirtualEngine engine(spec, **row, {.events = &collector});
    auto result = engine.run({}, {});
    EXPECT_TRUE(result) << result.error().sentence();
    if (!result)
        return {};
    VirtualRun run{*std::move(result), {}, std::move(collector.events)};
    for (std::size_t i = 0; i < spec.threads.size(); ++i)
        run.basePrios[kVirtualTgid + 1 + static_cast<std::int32_t>(i)] =
            spec.threads[i].scheduling.kernelPriority();
    return run;
}

VirtualRun runVirtual(const char* scenario, std::string_view policy,
                      const ScenarioOverrides& overrides) {
    const auto loaded = loadScenario(scenario, overrides);
    EXPECT_TRUE(loaded) << loaded.error().sentence();
    return runVirtual(loaded->spec, policy);
}

WorkloadSpec specWith(const std::string& members) {
    const auto scenario = parseScenario(R"({"scenario": 1, "name": "x", )" + members + "}");
    EXPECT_TRUE(scenario) << scenario.error().sentence();
    return scenario ? scenario->spec : WorkloadSpec{};
}

} // namespace inversight::test
