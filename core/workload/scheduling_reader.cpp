// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/scheduling_reader.h"

#include "core/workload/scenario_reader.h"
#include "core/workload/step_reader.h"

#include <algorithm>

#include <fmt/format.h>

namespace inversight {

namespace {

using std::chrono::nanoseconds;

Result<SchedulingClass> readClass(ObjectReader& reader) {
    const std::string name = TRY(reader.name("class", kMaxNameBytes));
    for (const auto known : {SchedulingClass::Other, SchedulingClass::Fifo,
                             SchedulingClass::RoundRobin, SchedulingClass::Deadline}) {
        if (name == schedulingClassName(known))
            return known;
    }
    return std::unexpected(expected("one of other, fifo, rr, deadline", reader.pathOf("class")));
}

/// An error for the first member that belongs to another class.
Result<void> refuseForeign(const ObjectReader& reader, SchedulingClass schedulingClass) {
    struct Member {
        const char* key;
        bool foreign;
    };
    const bool fair = schedulingClass == SchedulingClass::Other;
    const bool deadline = schedulingClass == SchedulingClass::Deadline;
    const char* own = fair       ? "\"nice\" for class other"
                      : deadline ? "\"sched_runtime_ns\" and its like for class deadline"
                                 : "\"priority\" for a real-time class";
    for (const auto& [key, foreign] :
         {Member{"nice", !fair}, Member{"priority", fair || deadline},
          Member{"sched_runtime_ns", !deadline}, Member{"sched_deadline_ns", !deadline},
          Member{"sched_period_ns", !deadline}}) {
        if (foreign && reader.has(key))
            return std::unexpected(expected(own, reader.pathOf(key)));
    }
    return {};
}

/// sched_attr's values, as the kernel demands them: runtime <= deadline <= period.
Result<void> readDeadlineClass(ObjectReader& reader, Scheduling& scheduling) {
    scheduling.runtime = nanoseconds(TRY(reader.integer("sched_runtime_ns", 1024, kMaxStepNs)));
    scheduling.deadline = nanoseconds(
        TRY(reader.integer("sched_deadline_ns", scheduling.runtime.count(), kMaxStepNs)));
    scheduling.period = TRY(timeOr(reader, "sched_period_ns", scheduling.deadline.count(),
                                   kMaxStepNs, scheduling.deadline));
    return {};
}

} // namespace

Result<Scheduling> readScheduling(ObjectReader& reader) {
    Scheduling scheduling;
    scheduling.schedulingClass = TRY(readClass(reader));
    TRY(refuseForeign(reader, scheduling.schedulingClass));
    if (scheduling.schedulingClass == SchedulingClass::Other)
        scheduling.nice = static_cast<std::int32_t>(TRY(reader.integerOr("nice", -20, 19, 0)));
    else if (scheduling.schedulingClass == SchedulingClass::Deadline)
        TRY(readDeadlineClass(reader, scheduling));
    else
        scheduling.priority = static_cast<std::int32_t>(TRY(reader.integer("priority", 1, 99)));
    return scheduling;
}

Result<std::vector<int>> readCpus(ObjectReader& reader, const WorkloadSpec& spec) {
    std::vector<int> cpus;
    if (!reader.has("affinity"))
        return cpus;
    const Json* array = TRY(reader.array("affinity", kMaxCpus));
    for (std::size_t i = 0; i < array->size(); ++i) {
        const Json& cpu = (*array)[i];
        const bool valid = cpu.is_number_integer() && cpu >= 0 && cpu < spec.cpuCount;
        if (!valid || std::ranges::find(cpus, cpu.get<int>()) != cpus.end())
            return std::unexpected(
                expected(fmt::format("a CPU from 0 to {}, each once", spec.cpuCount - 1),
                         fmt::format("{}[{}]", reader.pathOf("affinity"), i)));
        cpus.push_back(cpu.get<int>());
    }
    return cpus;
}

} // namespace inversight
