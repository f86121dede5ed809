// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "virtual_trace.h"

#include "core/lock/lock_policies.h"
#include "tests/support/marker_free_copy.h"
#include "tests/support/temporary_folder.h"
#include "trace/decode/trace_source.h"
#include "trace/file/kernel_event_writer.h"

#include <fmt/format.h>
#include <numeric>

namespace inversight::test {

namespace {

std::string milliseconds(std::int64_t ns) {
    return fmt::format("{:g}", static_cast<double>(ns) / 1e6);
}

void record(const WorkloadSpec& spec, const std::string& policy, const std::string& file,
            VirtualRunResult& result) {
    const auto row = findLockPolicy(policy);
    ASSERT_TRUE(row) << policy;
    auto writer = KernelEventWriter::create(file, {.cpuCount = spec.cpuCount});
    ASSERT_TRUE(writer) << writer.error().sentence();
    auto run = VirtualEngine(spec, **row, {.events = writer->get()}).run({}, {});
    ASSERT_TRUE(run) << run.error().sentence();
    const auto finished = (*writer)->finish();
    ASSERT_TRUE(finished) << finished.error().sentence();
    result = *std::move(run);
}

} // namespace

VirtualTrace traceOf(const WorkloadSpec& spec, const std::string& policy, Markers markers) {
    VirtualTrace out;
    const TemporaryFolder folder;
    std::string file = folder.file("run.dat");
    record(spec, policy, file, out.result);
    if (markers == Markers::TakenOut) {
        const auto copied = copyWithoutMarkers(file, folder.file("bare.dat"));
        EXPECT_TRUE(copied) << copied.error().sentence();
        file = folder.file("bare.dat");
    }
    auto loaded = loadTrace(file, JobContext());
    EXPECT_TRUE(loaded) << loaded.error().sentence();
    if (loaded)
        out.trace = std::make_unique<AnalyzedStore>(loaded->store);
    return out;
}

VirtualTrace traceOf(const char* scenario, const std::string& policy, Markers markers,
                     const ScenarioOverrides& overrides) {
    const auto loaded = loadScenario(scenario, overrides);
    EXPECT_TRUE(loaded) << loaded.error().sentence();
    return traceOf(loaded->spec, policy, markers);
}

ThreadId VirtualTrace::thread(const std::string& name) const {
    for (std::uint32_t i = 0; i < store().threads().size(); ++i)
        if (store().threadName(ThreadId{i}) == name)
            return ThreadId{i};
    ADD_FAILURE() << "no thread is called " << name;
    return {};
}

const VirtualThreadResult& VirtualTrace::measured(const std::string& name) const {
    return *std::ranges::find(result.threads, name, &VirtualThreadResult::name);
}

std::string VirtualTrace::parts(const std::string& name) const {
    const auto& waits = trace->get<LockWaits>();
    PartTotals sum{};
    for (const std::uint32_t i : waits.byThread[thread(name).index()]) {
        const PartTotals parts = trace->get<Decomposition>().partsOfLockWait(waits, i);
        for (std::size_t part = 0; part < kWaitPartCount; ++part)
            sum[part] += parts[part];
    }
    std::string text;
    for (std::size_t part = 0; part < kWaitPartCount; ++part)
        if (sum[part] > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : " ",
                                waitPartName(static_cast<WaitPart>(part)), milliseconds(sum[part]));
    return text;
}

std::string VirtualTrace::holds(const std::string& name) const {
    const auto& decomposition = trace->get<Decomposition>();
    std::string text;
    for (std::uint32_t i = 0; i < decomposition.waits.size(); ++i) {
        if (decomposition.waits[i].thread != thread(name))
            continue;
        for (const HoldShare& share : decomposition.holds(i))
            text += fmt::format("{}{} {} {}", text.empty() ? "" : "; ",
                                share.owner.valid() ? store().threadName(share.owner) : "nobody",
                                holdKindName(share.kind), milliseconds(share.ns));
    }
    return text;
}

std::vector<std::string> VirtualTrace::inversions(const std::string& name) const {
    std::vector<std::string> lines;
    for (const Inversion& inversion : trace->get<Inversions>().inversions) {
        if (inversion.victim != thread(name))
            continue;
        const std::string lock = inversion.lock.valid()
                                     ? trace->get<LockEvents>().locks[inversion.lock.index()].name
                                     : "no lock";
        std::string line =
            fmt::format("on {} by {}:", lock,
                        inversion.owner.valid() ? store().threadName(inversion.owner) : "unknown");
        for (const InversionKind kind : kInversionKinds)
            line += inversion.is(kind) ? std::string(" ") + inversionKindName(kind) : "";
        line += " " + milliseconds(inversion.invertedNs);
        for (const MidShare& share : inversion.midBy)
            line += fmt::format(", {} {}", store().threadName(share.by), milliseconds(share.ns));
        lines.push_back(line);
    }
    return lines;
}

void expectSums(const AnalyzedStore& trace) {
    const auto& decomposition = trace.get<Decomposition>();
    for (std::uint32_t i = 0; i < decomposition.waits.size(); ++i) {
        const DecomposedWait& wait = decomposition.waits[i];
        const auto segments = decomposition.segmentsOf(i);
        ASSERT_FALSE(segments.empty());
        ASSERT_EQ(segments.front().begin, wait.range.begin);
        for (std::size_t k = 0; k < segments.size(); ++k)
            ASSERT_LT(segments[k].begin, decomposition.endOf(i, k));
        const PartTotals parts = decomposition.parts(i);
        ASSERT_EQ(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}),
                  wait.range.length());
        std::int64_t held = 0;
        for (const HoldShare& share : decomposition.holds(i))
            held += share.ns;
        ASSERT_EQ(held, wait.range.length());
    }
}

} // namespace inversight::test
