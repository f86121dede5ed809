// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/kernel_event_encoder.h"

#include "trace/file/byte_writer.h"
#include "trace/file/kernel_event_formats.h"
#include "trace/file/ring_page_builder.h"

#include <string_view>

namespace inversight {

namespace {

constexpr std::size_t kCommSize = 16;
constexpr std::int32_t kFutexSyscall = 202; ///< x86-64
static_assert(16 + kMaxPrintBytes + 2 <= RingPageBuilder::kMaxRecordBytes);

/// One record as it grows. Fields are appended in the order of the format text; numbers are
/// little endian.
class Record {
public:
    struct Context {
        std::int32_t tid = 0;
        std::uint8_t flags = 0;
    };
    Record(KernelEventId id, const Context& context) {
        add(static_cast<std::uint16_t>(id));
        add(context.flags);
        add(std::uint8_t{0}); // common_preempt_count
        add(context.tid);
    }
    template <std::integral Integer>
    void add(Integer value) {
        appendInteger(bytes_, value, ByteOrder::Little);
    }
    void addComm(std::string_view comm) {
        const std::size_t end = bytes_.size() + kCommSize;
        addBytes(comm.substr(0, kCommSize - 1));
        bytes_.resize(end);
    }
    void addBytes(std::string_view text) {
        for (const char c : text)
            bytes_.push_back(static_cast<std::byte>(c));
    }
    /// Reserves a __data_loc word; `fillString` puts the text behind the fixed fields.
    [[nodiscard]] std::size_t reserveString() {
        add(std::uint32_t{0});
        return bytes_.size() - 4;
    }
    void fillString(std::size_t location, std::string_view comm) {
        const std::string_view text = comm.substr(0, kCommSize - 1);
        const std::size_t word = (text.size() + 1) << 16U | bytes_.size();
        storeInteger(bytes_.data() + location, static_cast<std::uint32_t>(word), ByteOrder::Little);
        addBytes(text);
        bytes_.push_back(std::byte{0});
    }
    [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

KernelEventId wakeId(WakeKind kind) {
    switch (kind) {
    case WakeKind::Waking:
        return KernelEventId::SchedWaking;
    case WakeKind::Wakeup:
        return KernelEventId::SchedWakeup;
    case WakeKind::WakeupNew:
        break;
    }
    return KernelEventId::SchedWakeupNew;
}

/// One overload per event type.
struct Encoder {
    Record::Context context;

    Record operator()(const SchedSwitchEvent& event) const {
        Record record(KernelEventId::SchedSwitch, context);
        record.addComm(event.prevComm);
        record.add(event.prevTid);
        record.add(event.prevPrio);
        record.add(event.prevState);
        record.addComm(event.nextComm);
        record.add(event.nextTid);
        record.add(event.nextPrio);
        return record;
    }
    Record operator()(const SchedWakeEvent& event) const {
        Record record(wakeId(event.kind), context);
        record.addComm(event.comm);
        record.add(event.tid);
        record.add(event.prio);
        record.add(event.targetCpu);
        return record;
    }
    Record operator()(const SchedPiSetprioEvent& event) const {
        Record record(KernelEventId::SchedPiSetprio, context);
        const std::size_t comm = record.reserveString();
        record.add(event.tid);
        record.add(event.oldPrio);
        record.add(event.newPrio);
        record.fillString(comm, event.comm);
        return record;
    }
    Record operator()(const SchedForkEvent& event) const {
        Record record(KernelEventId::SchedProcessFork, context);
        const std::size_t parent = record.reserveString();
        record.add(event.parentTid);
        const std::size_t child = record.reserveString();
        record.add(event.childTid);
        record.fillString(parent, event.parentComm);
        record.fillString(child, event.childComm);
        return record;
    }
    Record operator()(const SchedExitEvent& event) const {
        Record record(KernelEventId::SchedProcessExit, context);
        record.addComm(event.comm);
        record.add(event.tid);
        record.add(event.prio);
        return record;
    }
    Record operator()(const SchedMigrateEvent& event) const {
        Record record(KernelEventId::SchedMigrateTask, context);
        const std::size_t comm = record.reserveString();
        record.add(event.tid);
        record.add(event.prio);
        record.add(event.fromCpu);
        record.add(event.toCpu);
        record.fillString(comm, event.comm);
        return record;
    }
    Record operator()(const ContentionBeginEvent& event) const {
        Record record(KernelEventId::ContentionBegin, context);
        record.add(event.lockAddress);
        record.add(event.flags);
        return record;
    }
    Record operator()(const ContentionEndEvent& event) const {
        Record record(KernelEventId::ContentionEnd, context);
        record.add(event.lockAddress);
        record.add(event.ret);
        return record;
    }
    Record operator()(const FutexEnterEvent& event) const {
        Record record(KernelEventId::FutexEnter, context);
        record.add(kFutexSyscall);
        record.add(std::uint32_t{0}); // up to the first argument, which is aligned
        record.add(event.uaddr);
        record.add(std::uint64_t{event.op});
        record.add(std::uint64_t{event.val});
        for (int unused = 0; unused < 3; ++unused) // utime, uaddr2, val3
            record.add(std::uint64_t{0});
        return record;
    }
    Record operator()(const FutexExitEvent& event) const {
        Record record(KernelEventId::FutexExit, context);
        record.add(kFutexSyscall);
        record.add(std::uint32_t{0});
        record.add(event.ret);
        return record;
    }
    Record operator()(const PrintEvent& event) const {
        Record record(KernelEventId::Print, context);
        record.add(kMarkerAddress);
        record.addBytes(std::string_view(event.text).substr(0, kMaxPrintBytes));
        record.addBytes(std::string_view("\n\0", 2));
        return record;
    }
};

} // namespace

std::vector<std::byte> encodeKernelEvent(const KernelEvent& event) {
    return std::visit(Encoder{{event.tid, event.flags}}, event.body).take();
}

} // namespace inversight
