// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// How many scheduling events (switches, wake-ups, priority changes) the virtual engine does per
// second of real time, without a trace: bench_virtual [SCENARIO [LOOPS [REPEATS]]].
#include "core/lock/lock_policies.h"
#include "core/virtual/virtual_engine.h"
#include "core/workload/scenario.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

namespace inversight {
namespace {

/// Millions of events per second of each repetition, slowest first; empty if the policy refuses.
std::vector<double> measure(const WorkloadSpec& spec, const LockPolicyRow& policy, int repeats) {
    std::vector<double> rates;
    for (int i = 0; i < repeats; ++i) {
        VirtualEngine engine(spec, policy, {});
        const auto begin = std::chrono::steady_clock::now();
        const auto result = engine.run({}, {});
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        if (!result)
            return {};
        rates.push_back(static_cast<double>(result->schedulingEventCount) / taken.count() / 1e6);
    }
    std::ranges::sort(rates);
    return rates;
}

int benchmarkVirtual(const char* name, std::uint64_t loops, int repeats) {
    const auto scenario = loadScenario(name, {.loops = loops});
    if (!scenario) {
        fmt::print(stderr, "{}\n", scenario.error().sentence());
        return 1;
    }
    for (const LockPolicyRow& policy : lockPolicies()) {
        if (!policy.makeModel)
            continue;
        const std::vector<double> rates = measure(scenario->spec, policy, repeats);
        if (!rates.empty())
            fmt::print("{:16} {:6.2f} M events/s (median of {}, worst {:.2f})\n", policy.name,
                       rates[rates.size() / 2], rates.size(), rates.front());
    }
    return 0;
}

} // namespace
} // namespace inversight

int main(int argc, char** argv) {
    const char* name = argc > 1 ? argv[1] : "i2c-bus-2009";
    const auto loops = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 200'000;
    const int repeats = argc > 3 ? std::atoi(argv[3]) : 7;
    return inversight::benchmarkVirtual(name, std::max<std::uint64_t>(loops, 1),
                                        std::max(repeats, 1));
}
