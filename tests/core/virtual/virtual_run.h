// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/event/kernel_event.h"
#include "core/virtual/virtual_engine.h"
#include "core/workload/scenario.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace inversight::test {

/// In ns.
inline constexpr std::int64_t kUs = 1000;
inline constexpr std::int64_t kMs = 1'000'000;

/// Keeps what it is given.
class EventCollector final : public KernelEventSink {
public:
    void emit(const KernelEvent& event) override { events.push_back(event); }
    std::vector<KernelEvent> events;
};

/// A virtual run and everything it emitted. A run that fails fails the test.
struct VirtualRun {
    VirtualRunResult result;
    std::map<std::int32_t, std::int32_t> basePrios; ///< of all threads, by tid
    std::vector<KernelEvent> events;

    [[nodiscard]] const VirtualThreadResult& thread(std::string_view name) const;
    /// Who ran when on `cpu`, in ms from the start, with the boosted FIFO priority behind an @:
    /// "L[0,2) H[2,3) L@3[3,6)". Idle time is left out.
    [[nodiscard]] std::string timeline(int cpu = 0) const;
    /// sched_pi_setprio in user space's priorities, with the time in ms: "L 1->3 at 3".
    [[nodiscard]] std::vector<std::string> setprios() const;
};

[[nodiscard]] VirtualRun runVirtual(const WorkloadSpec& spec, std::string_view policy);
/// A built-in scenario.
[[nodiscard]] VirtualRun runVirtual(const char* scenario, std::string_view policy,
                                    const ScenarioOverrides& overrides = {});

/// The spec of a document without its head: `"threads": [...]` and the like.
[[nodiscard]] WorkloadSpec specWith(const std::string& members);

} // namespace inversight::test
