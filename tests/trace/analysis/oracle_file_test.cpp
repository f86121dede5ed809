// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Worked examples with known results, run by the virtual engine into a file and read back: what the
// analyses say of them is exact to the nanosecond. Times in the tables are ms.
#include "virtual_trace.h"

namespace inversight::test {

namespace {

struct PartsOracle {
    const char* scenario;
    const char* policy;
    const char* thread;
    const char* parts;
    const char* holds;
};

const PartsOracle kPartsOracles[] = {
    {"classic", "mutex-2009", "H", "critical_section 3 mid 10", "L at_request 13"},
    {"classic", "rt_mutex", "H", "critical_section 3", "L at_request 3"},
    {"classic", "late-boost", "H", "critical_section 3", "L at_request 3"},
    {"classic", "pthread", "H", "critical_section 3 mid 10", "L at_request 13"},
    {"classic", "ceiling", "H", "", ""},
    {"bus", "mutex-2009", "H", "critical_section 0.02 wire 0.4 mid 19.7", "L at_request 20.12"},
    {"bus", "rt_mutex", "H", "critical_section 0.02 wire 0.4", "L at_request 0.42"},
    {"bus", "ceiling", "H", "critical_section 0.02 wire 0.4", "L at_request 0.42"},
    {"chain", "mutex-2009", "T4", "critical_section 6 mid 10", "T2 at_request 16"},
    {"chain", "rt_mutex", "T4", "critical_section 6", "T2 at_request 6"},
    {"chain", "ceiling", "T4", "", ""},
    {"multi", "mutex-2009", "H", "critical_section 3 mid 6", "L1 at_request 9"},
    {"multi", "rt_mutex", "H", "critical_section 9",
     "L1 at_request 3; L2 at_request 3; L3 at_request 3"},
    {"multi", "ceiling", "H", "", ""},
    {"queue", "mutex-2009", "H", "wire 3.6",
     "O at_request 0.6; W1 fifo_order 1; W2 fifo_order 1; W3 fifo_order 1"},
    {"queue", "rt_mutex", "H", "wire 0.6", "O at_request 0.6"},
    {"queue", "priority-queue", "H", "wire 0.6", "O at_request 0.6"},
    {"queue", "ceiling", "H", "wire 0.6", "O at_request 0.6"},
    {"two-cpus", "mutex-2009", "H", "critical_section 3 mid 9", "L at_request 12"},
    {"two-cpus", "rt_mutex", "H", "critical_section 3", "L at_request 3"},
    {"two-cpus", "ceiling", "H", "critical_section 2", "L at_request 2"},
    {"nested", "mutex-2009", "H2", "critical_section 2 mid 5", "L at_request 7"},
    {"nested", "mutex-2009", "H1", "critical_section 5 mid 5 interference 1", "L at_request 11"},
    {"nested", "rt_mutex", "H2", "critical_section 2", "L at_request 2"},
    {"nested", "rt_mutex", "H1", "critical_section 5 interference 1", "L at_request 6"},
    {"nested", "ceiling", "H1", "", ""},
};

TEST(OracleFile, WaitsAreDecomposedExactly) {
    for (const PartsOracle& oracle : kPartsOracles) {
        SCOPED_TRACE(std::string(oracle.scenario) + " " + oracle.policy + " " + oracle.thread);
        const VirtualTrace run = traceOf(oracle.scenario, oracle.policy);
        EXPECT_EQ(run.parts(oracle.thread), oracle.parts);
        EXPECT_EQ(run.holds(oracle.thread), oracle.holds);
        expectSums(*run.trace);
    }
}

struct InversionOracle {
    const char* scenario;
    const char* policy;
    const char* thread;
    std::vector<std::string> inversions;
};

const InversionOracle kInversionOracles[] = {
    {"classic", "mutex-2009", "H", {"on R by L: unbounded 13, M 10"}},
    {"classic", "rt_mutex", "H", {"on R by L: bounded 3"}},
    {"classic", "rt_mutex", "M", {"on R by L: push_through 2"}},
    {"classic", "ceiling", "H", {}},
    {"bus", "mutex-2009", "H", {"on B bus lock by L: unbounded 20.12, M 19.7"}},
    {"bus", "rt_mutex", "H", {"on B bus lock by L: bounded 0.42"}},
    {"chain", "mutex-2009", "T4", {"on B by T2: unbounded chained 16, T3 10"}},
    {"chain", "rt_mutex", "T4", {"on B by T2: bounded chained 6"}},
    {"multi",
     "rt_mutex",
     "H",
     {"on A by L1: bounded 3", "on B by L2: bounded 3", "on C by L3: bounded 3"}},
    {"queue", "mutex-2009", "H", {"on B bus lock by O: bounded 3.6"}},
    {"two-cpus", "mutex-2009", "H", {"on R by L: unbounded 12, M 9"}},
    {"two-cpus", "rt_mutex", "H", {"on R by L: bounded 3"}},
    {"nested", "mutex-2009", "H1", {"on A by L: unbounded 10, M 5"}},
    {"nested", "rt_mutex", "H1", {"on A by L: bounded 5"}},
};

TEST(OracleFile, InversionsAreNamed) {
    for (const InversionOracle& oracle : kInversionOracles) {
        SCOPED_TRACE(std::string(oracle.scenario) + " " + oracle.policy + " " + oracle.thread);
        const VirtualTrace run = traceOf(oracle.scenario, oracle.policy);
        EXPECT_EQ(run.inversions(oracle.thread), oracle.inversions);
        for (const Inversion& inversion : run.trace->get<Inversions>().inversions)
            EXPECT_EQ(inversion.violationNs, 0);
    }
}

/// What only markers tell is where the wire was: to a kernel its owner sleeps.
std::string asTheKernelSeesIt(std::string parts) {
    const std::size_t wire = parts.find("wire");
    return wire == std::string::npos ? parts : parts.replace(wire, 4, "owner_blocked");
}

TEST(OracleFile, WithoutMarkersInheritanceStillNamesEveryOwner) {
    for (const PartsOracle& oracle : kPartsOracles) {
        if (std::string_view(oracle.policy) != "rt_mutex")
            continue;
        SCOPED_TRACE(std::string(oracle.scenario) + " " + oracle.thread);
        const VirtualTrace run = traceOf(oracle.scenario, oracle.policy, Markers::TakenOut);
        expectSums(*run.trace);
        EXPECT_EQ(run.parts(oracle.thread), asTheKernelSeesIt(oracle.parts));
        EXPECT_EQ(run.holds(oracle.thread), oracle.holds);
    }
}

} // namespace

} // namespace inversight::test
