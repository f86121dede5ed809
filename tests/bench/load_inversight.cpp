// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
//
// bench_load FILE [--digest] [--analyses]: loads a trace into the frozen store; prints seconds,
// events, anonymous memory and, outside the time taken, the digest.
#include "tests/bench/event_digest.h"
#include "trace/analysis/analysis_runner.h"
#include "trace/decode/trace_source.h"

#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <malloc.h>

using namespace inversight;
using namespace inversight::bench;

namespace {

/// Bytes of anonymous memory of this process.
std::uint64_t anonymousBytes() {
    ::malloc_trim(0);
    std::ifstream rollup("/proc/self/smaps_rollup");
    for (std::string line; std::getline(rollup, line);) {
        if (line.starts_with("Anonymous:"))
            return std::stoull(line.substr(10)) * 1024;
    }
    return 0;
}

/// Adds the fields of typed rows, event by event.
class Digester {
public:
    explicit Digester(const TraceStore& store) : store_(store) {}

    std::uint64_t run() {
        std::vector<std::string> names;
        for (const EventTypeInfo& type : store_.types())
            names.push_back(type.name);
        for (std::uint32_t i = 0; i < store_.eventCount(); ++i) {
            const EventIndex event{i};
            digest_.begin(store_.time(event), store_.cpu(event), store_.tid(event),
                          names[store_.type(event).index()], store_.flags(event));
            std::apply([&](auto&... cursors) { (addRow(cursors, event), ...); }, cursors_);
        }
        return digest_.value();
    }

private:
    template <class Row>
    struct Cursor {
        std::uint32_t next = 0;
    };

    template <class Row>
    void addRow(Cursor<Row>& cursor, EventIndex event) {
        const auto& table = store_.table<Row>();
        if (cursor.next < table.size() && table.event(cursor.next) == event)
            add(table[cursor.next++]);
    }
    void text(StringId id) { digest_.text(store_.text(id)); }
    void numbers(std::initializer_list<std::int64_t> values) {
        for (const std::int64_t value : values)
            digest_.number(value);
    }
    void add(const SchedSwitchRow& row) {
        text(row.prevComm);
        numbers({row.prevTid, row.prevPrio, row.rawState});
        text(row.nextComm);
        numbers({row.nextTid, row.nextPrio});
    }
    void add(const SchedWakeRow& row) {
        text(row.comm);
        numbers({row.tid, row.prio, row.targetCpu});
    }
    void add(const PiSetprioRow& row) {
        text(row.comm);
        numbers({row.tid, row.oldPrio, row.newPrio});
    }
    void add(const SchedForkRow& row) {
        text(row.parentComm);
        numbers({row.parentTid});
        text(row.childComm);
        numbers({row.childTid});
    }
    void add(const SchedExitRow& row) {
        text(row.comm);
        numbers({row.tid, row.prio});
    }
    void add(const SchedMigrateRow& row) {
        text(row.comm);
        numbers({row.tid, row.prio, row.fromCpu, row.toCpu});
    }
    void add(const ContentionBegin& row) {
        numbers({static_cast<std::int64_t>(row.address), row.flags});
    }
    void add(const ContentionEnd& row) {
        numbers({static_cast<std::int64_t>(row.address), row.ret});
    }
    void add(const FutexEnter& row) {
        numbers({static_cast<std::int64_t>(row.uaddr), row.op, row.val});
    }
    void add(const FutexExit& row) { numbers({row.ret}); }
    void add(const BusEvent& row) {
        const auto object = static_cast<std::int64_t>(row.object);
        numbers({row.adapter});
        switch (row.kind) {
        case BusEventKind::I2cWrite:
        case BusEventKind::I2cRead:
        case BusEventKind::I2cReply:
            return numbers({row.number, row.device, row.flags, row.length});
        case BusEventKind::I2cResult:
            return numbers({row.number, row.result});
        case BusEventKind::SmbusWrite:
        case BusEventKind::SmbusReply:
            return numbers({row.device, row.flags, row.command, row.protocol, row.length});
        case BusEventKind::SmbusRead:
            return numbers({row.device, row.flags, row.command, row.protocol});
        case BusEventKind::SmbusResult:
            return numbers(
                {row.device, row.flags, row.command, row.protocol, row.readWrite, row.result});
        case BusEventKind::SpiControllerIdle:
        case BusEventKind::SpiControllerBusy:
            return;
        case BusEventKind::SpiMessageSubmit:
        case BusEventKind::SpiMessageStart:
            return numbers({row.device, object});
        case BusEventKind::SpiMessageDone:
            return numbers({row.device, object, row.length, row.number});
        case BusEventKind::SpiTransferStart:
        case BusEventKind::SpiTransferStop:
            return numbers({row.device, object, row.length});
        case BusEventKind::SpiSetCs:
            return numbers({row.device});
        }
    }
    void add(const MarkerRow&) {} // a text both sides have; its meaning is ours alone

    const TraceStore& store_;
    EventDigest digest_;
    PerRowType<Cursor> cursors_;
};

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2)
        return 2;
    const auto wants = [&](const char* option) {
        return std::any_of(argv + 2, argv + argc,
                           [&](const char* given) { return std::strcmp(given, option) == 0; });
    };
    const std::uint64_t before = anonymousBytes();
    const auto begin = std::chrono::steady_clock::now();
    auto trace = loadTrace(argv[1], JobContext());
    if (!trace) {
        fmt::print(stderr, "{}\n", trace.error().sentence());
        return 1;
    }
    const double loadSeconds = secondsSince(begin);
    fmt::print("seconds {:.6f}\nevents {}\nanonymous_bytes {}\n", loadSeconds,
               trace->store->eventCount(), anonymousBytes() - before);
    if (wants("--digest"))
        fmt::print("digest {:016x}\n", Digester(*trace->store).run());
    return 0;
}
