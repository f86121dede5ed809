// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "collecting_sink.h"

namespace inversight::test {

using nlohmann::json;

namespace {

/// JSON text as the expected files hold it: each byte one character up to U+00FF.
std::string latin1(std::string_view bytes) {
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xc0 | (byte >> 6));
            text += static_cast<char>(0x80 | (byte & 0x3f));
        }
    }
    return text;
}

json i2cFields(const BusEvent& e) {
    if (e.kind == BusEventKind::I2cResult)
        return {{"adapter_nr", e.adapter}, {"nr_msgs", e.number}, {"ret", e.result}};
    return {{"adapter_nr", e.adapter},
            {"msg_nr", e.number},
            {"addr", e.device},
            {"flags", e.flags},
            {"len", e.length}};
}

json smbusFields(const BusEvent& e) {
    json fields{{"adapter_nr", e.adapter},
                {"addr", e.device},
                {"flags", e.flags},
                {"command", e.command},
                {"protocol", e.protocol}};
    if (e.kind == BusEventKind::SmbusResult) {
        fields["read_write"] = e.readWrite;
        fields["res"] = e.result;
    } else if (e.kind != BusEventKind::SmbusRead) {
        fields["len"] = e.length;
    }
    return fields;
}

json spiFields(const BusEvent& e) {
    json fields{{"bus_num", e.adapter}};
    if (e.device >= 0)
        fields["chip_select"] = e.device;
    const bool isTransfer =
        e.kind == BusEventKind::SpiTransferStart || e.kind == BusEventKind::SpiTransferStop;
    if (e.object != 0)
        fields[isTransfer ? "xfer" : "msg"] = e.object;
    if (isTransfer)
        fields["len"] = e.length;
    if (e.kind == BusEventKind::SpiMessageDone) {
        fields["frame"] = e.length;
        fields["actual"] = e.number;
    }
    return fields;
}

} // namespace

class CollectingSink::Cpu final : public CpuEventSink {
public:
    void event(const EventHeader& header) override { add(header, nullptr); }
    void event(const EventHeader& header, const SchedSwitchFields& f) override {
        CollectedEvent& event = add(header, {{"prev_comm", latin1(f.prevComm)},
                                             {"prev_pid", f.prevTid},
                                             {"prev_prio", f.prevPrio},
                                             {"prev_state", f.rawState},
                                             {"next_comm", latin1(f.nextComm)},
                                             {"next_pid", f.nextTid},
                                             {"next_prio", f.nextPrio}});
        event.prevState = f.prevState;
        event.preempted = f.preempted;
    }
    void event(const EventHeader& header, const SchedWakeFields& f) override {
        add(header, {{"comm", latin1(f.comm)},
                     {"pid", f.tid},
                     {"prio", f.prio},
                     {"target_cpu", f.targetCpu}});
    }
    void event(const EventHeader& header, const PiSetprioFields& f) override {
        add(header, {{"comm", latin1(f.comm)},
                     {"pid", f.tid},
                     {"oldprio", f.oldPrio},
                     {"newprio", f.newPrio}});
    }
    void event(const EventHeader& header, const SchedForkFields& f) override {
        add(header, {{"parent_comm", latin1(f.parentComm)},
                     {"parent_pid", f.parentTid},
                     {"child_comm", latin1(f.childComm)},
                     {"child_pid", f.childTid}});
    }
    void event(const EventHeader& header, const SchedExitFields& f) override {
        add(header, {{"comm", latin1(f.comm)}, {"pid", f.tid}, {"prio", f.prio}});
    }
    void event(const EventHeader& header, const SchedMigrateFields& f) override {
        add(header, {{"comm", latin1(f.comm)},
                     {"pid", f.tid},
                     {"prio", f.prio},
                     {"orig_cpu", f.fromCpu},
                     {"dest_cpu", f.toCpu}});
    }
    void event(const EventHeader& header, const ContentionBegin& f) override {
        add(header, {{"lock_addr", f.address}, {"flags", f.flags}});
    }
    void event(const EventHeader& header, const ContentionEnd& f) override {
        add(header, {{"lock_addr", f.address}, {"ret", f.ret}});
    }
    void event(const EventHeader& header, const FutexEnter& f) override {
        add(header, {{"uaddr", f.uaddr}, {"op", f.op}, {"val", f.val}});
    }
    void event(const EventHeader& header, const FutexExit& f) override {
        add(header, {{"ret", f.ret}});
    }
    void event(const EventHeader& header, const BusEvent& f) override {
        add(header, f.kind <= BusEventKind::I2cResult     ? i2cFields(f)
                    : f.kind <= BusEventKind::SmbusResult ? smbusFields(f)
                                                          : spiFields(f));
    }
    void event(const EventHeader& header, const MarkerFields& f) override {
        add(header, {{"tgid", f.tgid}, {"subject", latin1(f.subject)}}).markerKind = f.kind;
    }
    void lost(std::optional<std::uint64_t> count) override {
        lost_ = count ? static_cast<std::int64_t>(*count) : -1;
    }

    std::vector<CollectedEvent> events;

private:
    CollectedEvent& add(const EventHeader& header, json fields) {
        return events.emplace_back(
            CollectedEvent{.header = header,
                           .fields = std::move(fields),
                           .prevState = {},
                           .markerKind = {},
                           .lostBefore = std::exchange(lost_, std::nullopt)});
    }

    std::optional<std::int64_t> lost_;
};

StreamId CollectingSink::declareStream(const StreamInfo& info) {
    streams.push_back(info);
    return StreamId{static_cast<std::uint16_t>(streams.size() - 1)};
}

EventTypeId CollectingSink::declareType(const EventTypeInfo& info) {
    types.push_back(info);
    return EventTypeId{static_cast<std::uint16_t>(types.size() - 1)};
}

void CollectingSink::nameThread(std::int32_t tid, std::string_view comm) {
    names[tid] = comm;
}

CpuEventSink& CollectingSink::cpuSink(StreamId stream, int cpu) {
    auto& sink = cpus_[{stream, cpu}];
    if (!sink)
        sink = std::make_shared<Cpu>();
    return *sink;
}

const std::vector<CollectedEvent>& CollectingSink::events(StreamId stream, int cpu) const {
    static const std::vector<CollectedEvent> none;
    const auto found = cpus_.find({stream, cpu});
    return found == cpus_.end() ? none : found->second->events;
}

std::string CollectingSink::typeName(const CollectedEvent& event) const {
    return type(event).system + "/" + type(event).name;
}

std::size_t CollectingSink::eventCount() const {
    std::size_t count = 0;
    for (const auto& [key, cpu] : cpus_)
        count += cpu->events.size();
    return count;
}

std::size_t CollectingSink::count(std::string_view name) const {
    std::size_t count = 0;
    for (const auto& [key, cpu] : cpus_) {
        for (const CollectedEvent& event : cpu->events)
            count += type(event).name == name ? 1 : 0;
    }
    return count;
}

} // namespace inversight::test
