// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/cpu_decoder.h"

#include "trace/decode/marker_fields.h"

#include <variant>

namespace inversight {

/// Loads the fields of one record by its plan and hands them to the sink.
struct CpuDecoder::Emitter {
    CpuDecoder& decoder;
    const EventHeader& header;
    std::span<const std::byte> record;

    [[nodiscard]] std::int32_t load32(const IntegerField& field) const {
        return field.load32(record.data(), decoder.order_);
    }
    [[nodiscard]] std::int64_t load64(const IntegerField& field) const {
        return field.load(record.data(), decoder.order_);
    }
    [[nodiscard]] std::string_view text(const TextField& field) const {
        return field.load(record, decoder.order_);
    }
    template <class Fields>
    void emit(const Fields& fields) const {
        decoder.sink_.event(header, fields);
    }

    void operator()(std::monostate) const { decoder.sink_.event(header); }
    void operator()(const SwitchPlan& plan) const {
        const auto raw = static_cast<std::uint64_t>(load64(plan.prevState));
        const TaskStateTable::State state = plan.states.decode(raw);
        emit(SchedSwitchFields{load32(plan.prevTid), load32(plan.prevPrio), load32(plan.nextTid),
                               load32(plan.nextPrio), text(plan.prevComm), text(plan.nextComm),
                               static_cast<std::uint32_t>(raw), state.state, state.preempted});
    }
    void operator()(const WakePlan& plan) const {
        // An attempt that woke nobody is an event, but no wake-up.
        if (plan.success.present() && load32(plan.success) == 0)
            return decoder.sink_.event(header);
        const std::int32_t cpu = plan.targetCpu.present() ? load32(plan.targetCpu) : -1;
        emit(SchedWakeFields{plan.kind, load32(plan.tid), load32(plan.prio), cpu, text(plan.comm)});
    }
    void operator()(const PiSetprioPlan& plan) const {
        emit(PiSetprioFields{load32(plan.tid), load32(plan.oldPrio), load32(plan.newPrio),
                             text(plan.comm)});
    }
    void operator()(const ForkPlan& plan) const {
        emit(SchedForkFields{load32(plan.parentTid), load32(plan.childTid), text(plan.parentComm),
                             text(plan.childComm)});
    }
    void operator()(const ExitPlan& plan) const {
        emit(SchedExitFields{load32(plan.tid), load32(plan.prio), text(plan.comm)});
    }
    void operator()(const MigratePlan& plan) const {
        emit(SchedMigrateFields{load32(plan.tid), load32(plan.prio), load32(plan.fromCpu),
                                load32(plan.toCpu), text(plan.comm)});
    }
    void operator()(const ContentionBeginPlan& plan) const {
        emit(ContentionBegin{static_cast<std::uint64_t>(load64(plan.address)),
                             static_cast<std::uint32_t>(load64(plan.flags))});
    }
    void operator()(const ContentionEndPlan& plan) const {
        emit(ContentionEnd{static_cast<std::uint64_t>(load64(plan.address)), load32(plan.ret)});
    }
    void operator()(const FutexEnterPlan& plan) const {
        emit(FutexEnter{static_cast<std::uint64_t>(load64(plan.uaddr)),
                        static_cast<std::uint32_t>(load64(plan.op)),
                        static_cast<std::uint32_t>(load64(plan.val))});
    }
    void operator()(const FutexExitPlan& plan) const { emit(FutexExit{load64(plan.ret)}); }
    void operator()(const BusPlan& plan) const {
        const auto word = [&](const IntegerField& field) {
            return static_cast<std::uint32_t>(load64(field));
        };
        BusEvent event;
        event.kind = plan.kind;
        event.command = static_cast<std::uint8_t>(load64(plan.command));
        event.readWrite = static_cast<std::uint8_t>(load64(plan.readWrite));
        event.adapter = load32(plan.adapter);
        event.device = plan.device.present() ? load32(plan.device) : -1;
        event.flags = word(plan.flags);
        event.length = word(plan.length);
        event.number = word(plan.number);
        event.protocol = word(plan.protocol);
        event.result = load32(plan.result);
        event.object = static_cast<std::uint64_t>(load64(plan.object));
        emit(event);
    }
    void operator()(const MarkerPlan& plan) const {
        ManifestPlace place;
        const MarkerFields fields = decodeMarker(text(plan.text), decoder.unescaped_, place);
        if (fields.kind == MarkerKind::ManifestPart)
            keepManifest(place, fields.subject);
        emit(fields);
    }

    void keepManifest(const ManifestPlace& place, std::string_view part) const {
        // A manifest is some KiB, written twice; more is not one run's.
        constexpr std::size_t kMostParts = 4096;
        auto& parts = decoder.findings_.manifestTexts;
        if (parts.size() < kMostParts)
            parts.push_back({place.index, place.count, std::string(part)});
    }
};

void CpuDecoder::decode(const RingRecord& record, std::int64_t time, std::uint64_t offset) {
    const std::byte* bytes = record.data.data();
    const std::size_t size = record.data.size();
    if (size < rawId_.offset + rawId_.size) {
        ++findings_.headlessRecords;
        return;
    }
    const auto rawId = static_cast<std::uint16_t>(rawId_.load(bytes, order_));
    const std::size_t index = catalog_.indexOf(rawId);
    const CatalogType& type = catalog_.types()[index];
    if (size < type.headerSize) {
        ++findings_.headlessRecords;
        return;
    }
    const EventHeader header{time,
                             offset,
                             type.tid.load32(bytes, order_),
                             typeIds_[index],
                             static_cast<std::uint8_t>(type.flags.load(bytes, order_)),
                             static_cast<std::uint8_t>(type.preemptCount.load(bytes, order_))};
    if (size < type.planSize) {
        ++findings_.shortRecords[index];
        return sink_.event(header);
    }
    if (index == catalog_.unknownType())
        ++findings_.unknownIds[rawId];
    std::visit(Emitter{*this, header, record.data}, type.plan);
}

} // namespace inversight
