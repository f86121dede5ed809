// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/trace_store_builder.h"

#include "trace/model/cpu_columns.h"
#include "trace/model/thread_table_builder.h"

#include <algorithm>
#include <map>
#include <utility>

namespace inversight {

namespace {

/// ftrace writes "<...>" or "<idle>" where it knows no name.
bool isPlaceholder(std::string_view name) {
    return name.empty() || name.front() == '<';
}

} // namespace

class TraceStoreBuilder::Implementation {
public:
    Result<std::shared_ptr<const TraceStore>> finish(const JobContext& job);

    std::vector<StreamInfo> streams;
    std::vector<EventTypeInfo> types;
    std::map<std::pair<StreamId, int>, std::unique_ptr<CpuColumns>> cpus; // merge order on ties
    StringPool strings;
    ThreadTableBuilder threads;

private:
    /// One CPU on its way into the store.
    struct Source {
        const CpuColumns* columns = nullptr;
        std::size_t next = 0;
        std::vector<StringId> strings; ///< the CPU's own ids -> the store's

        [[nodiscard]] bool done() const { return next == columns->size(); }
        [[nodiscard]] std::int64_t time() const { return columns->header(next).time; }
        [[nodiscard]] StringId text(StringId own) const { return strings[own.index()]; }
    };
    /// What a row is learned from besides itself.
    struct Context {
        const Source& source;
        EventIndex event;
        std::int64_t time;
        int cpu;
    };

    std::vector<Source> makeSources();
    Result<void> merge(std::vector<Source>& sources, const JobContext& job);
    void take(Source& source);
    std::uint32_t takeRow(EventKind kind, const Context& context, std::uint32_t row);

    template <class Row>
    std::uint32_t keep(const Context& context, std::uint32_t id) {
        auto& table = std::get<EventTable<Row>>(store_->tables_);
        Row row = context.source.columns->row<Row>(id);
        learn(row, context);
        table.append(context.event, row);
        return static_cast<std::uint32_t>(table.size() - 1);
    }

    void name(const Context& context, std::int32_t tid, StringId comm, int cpu) {
        threads.named(tid, cpu, context.time, comm, isPlaceholder(strings.text(comm)));
    }
    void learn(SchedSwitchRow& row, const Context& context);
    void learn(SchedWakeRow& row, const Context& context);
    void learn(PiSetprioRow& row, const Context& context);
    void learn(SchedForkRow& row, const Context& context);
    void learn(SchedExitRow& row, const Context& context);
    void learn(SchedMigrateRow& row, const Context& context);
    void learn(MarkerRow& row, const Context& context);
    void learn(ContentionBegin&, const Context&) {}
    void learn(ContentionEnd&, const Context&) {}
    void learn(FutexEnter&, const Context&) {}
    void learn(FutexExit&, const Context&) {}

    void collectCpus();
    void collectLosses();

    std::shared_ptr<TraceStore> store_ = std::make_shared<TraceStore>();
};

void TraceStoreBuilder::Implementation::learn(SchedSwitchRow& row, const Context& context) {
    row.prevComm = context.source.text(row.prevComm);
    row.nextComm = context.source.text(row.nextComm);
    name(context, row.prevTid, row.prevComm, context.cpu);
    name(context, row.nextTid, row.nextComm, context.cpu);
}

void TraceStoreBuilder::Implementation::learn(SchedWakeRow& row, const Context& context) {
    row.comm = context.source.text(row.comm);
    if (row.tid != 0)
        name(context, row.tid, row.comm, context.cpu);
}

void TraceStoreBuilder::Implementation::learn(PiSetprioRow& row, const Context& context) {
    row.comm = context.source.text(row.comm);
    name(context, row.tid, row.comm, context.cpu);
}

void TraceStoreBuilder::Implementation::learn(SchedForkRow& row, const Context& context) {
    row.parentComm = context.source.text(row.parentComm);
    row.childComm = context.source.text(row.childComm);
    threads.forked(context.time, row, isPlaceholder(strings.text(row.childComm)));
}

void TraceStoreBuilder::Implementation::learn(SchedExitRow& row, const Context& context) {
    row.comm = context.source.text(row.comm);
    name(context, row.tid, row.comm, context.cpu);
    threads.exited(row.tid, context.time);
}

void TraceStoreBuilder::Implementation::learn(SchedMigrateRow& row, const Context& context) {
    row.comm = context.source.text(row.comm);
    name(context, row.tid, row.comm, context.cpu);
}

void TraceStoreBuilder::Implementation::learn(MarkerRow& row, const Context& context) {
    row.subject = context.source.text(row.subject);
    row.detail = context.source.text(row.detail);
    // Our markers and atrace's carry the process of the thread that wrote them.
    const std::int32_t tid = context.source.columns->header(context.source.next).tid;
    if (row.tgid > 0 && tid > 0)
        threads.threadGroup(tid, row.tgid);
}

std::uint32_t TraceStoreBuilder::Implementation::takeRow(EventKind kind, const Context& context,
                                                         std::uint32_t row) {
    switch (kind) {
    case EventKind::SchedSwitch:
        return keep<SchedSwitchRow>(context, row);
    case EventKind::SchedWake:
        return keep<SchedWakeRow>(context, row);
    case EventKind::PiSetprio:
        return keep<PiSetprioRow>(context, row);
    case EventKind::SchedFork:
        return keep<SchedForkRow>(context, row);
    case EventKind::SchedExit:
        return keep<SchedExitRow>(context, row);
    case EventKind::SchedMigrate:
        return keep<SchedMigrateRow>(context, row);
    case EventKind::ContentionBegin:
        return keep<ContentionBegin>(context, row);
    case EventKind::ContentionEnd:
        return keep<ContentionEnd>(context, row);
    case EventKind::FutexEnter:
        return keep<FutexEnter>(context, row);
    case EventKind::FutexExit:
        return keep<FutexExit>(context, row);
    case EventKind::Marker:
        return keep<MarkerRow>(context, row);
    case EventKind::Other:
        break;
    }
    return TraceStore::kNoRow;
}

void TraceStoreBuilder::Implementation::take(Source& source) {
    const EventHeader& header = source.columns->header(source.next);
    const EventIndex event{static_cast<std::uint32_t>(store_->times_.size())};
    const int cpu = source.columns->cpu();
    threads.seen(header.tid, cpu, header.time);
    std::uint32_t row = source.columns->rowId(source.next);
    if (row != TraceStore::kNoRow)
        row = takeRow(types[header.type.index()].kind, {source, event, header.time, cpu}, row);

    // Not simply the first and last of the order: within a CPU times may step back.
    TimeRange& range = store_->range_;
    const bool first = store_->times_.empty();
    range.begin = first ? header.time : std::min(range.begin, header.time);
    range.end = first ? header.time : std::max(range.end, header.time);
    store_->times_.append(header.time);
    store_->offsets_.append(header.offset);
    store_->tids_.append(header.tid);
    store_->rows_.append(row);
    store_->cpus_.append(static_cast<std::uint16_t>(cpu));
    store_->streams16_.append(source.columns->stream().value);
    store_->typeIds_.append(header.type);
    store_->flags_.append(header.flags);
    store_->preemptCounts_.append(header.preemptCount);
    ++store_->eventCounts_[header.type.index()];
    ++source.next;
}

std::vector<TraceStoreBuilder::Implementation::Source>
TraceStoreBuilder::Implementation::makeSources() {
    std::vector<Source> sources;
    for (const auto& [key, columns] : cpus) {
        Source source{columns.get(), 0, {}};
        for (std::uint32_t id = 0; id < columns->strings().size(); ++id)
            source.strings.push_back(strings.intern(columns->strings().text(StringId{id})));
        sources.push_back(std::move(source));
    }
    return sources;
}

/// A k-way merge by (time, stream, CPU): sources stand in (stream, CPU) order, so that the first of
/// equal times is the right one. Linear in k per event would be slow for many CPUs: a heap.
Result<void> TraceStoreBuilder::Implementation::merge(std::vector<Source>& sources,
                                                      const JobContext& job) {
    std::uint64_t total = 0;
    std::vector<std::uint32_t> heap;
    const auto later = [&sources](std::uint32_t a, std::uint32_t b) {
        return std::pair(sources[a].time(), a) > std::pair(sources[b].time(), b);
    };
    for (std::uint32_t index = 0; index < sources.size(); ++index) {
        total += sources[index].columns->size();
        if (!sources[index].done())
            heap.push_back(index);
    }
    if (total >= EventIndex::none().value)
        return std::unexpected(
            Error{ErrorCode::Unsupported, "more than 4294967294 events in one trace"});
    std::ranges::make_heap(heap, later);

    constexpr std::uint64_t kReportEvery = 1 << 16;
    std::uint64_t done = 0;
    while (!heap.empty()) {
        std::ranges::pop_heap(heap, later);
        Source& source = sources[heap.back()];
        // Runs of one CPU are common: stay with it while it is not later than the next one.
        const bool alone = heap.size() == 1;
        do {
            take(source);
            if (++done % kReportEvery == 0) {
                TRY(job.check("merging events"));
                job.report({"merging events", done, total});
            }
        } while (!source.done() && (alone || !later(heap.back(), heap.front())));
        if (source.done())
            heap.pop_back();
        else
            std::ranges::push_heap(heap, later);
    }
    return {};
}

void TraceStoreBuilder::Implementation::collectCpus() {
    for (const auto& [key, columns] : cpus) {
        if (columns->size() > 0)
            store_->cpuList_.push_back(columns->cpu());
    }
    std::ranges::sort(store_->cpuList_);
    const auto repeated = std::ranges::unique(store_->cpuList_);
    store_->cpuList_.erase(repeated.begin(), repeated.end());
}

void TraceStoreBuilder::Implementation::collectLosses() {
    for (const auto& [key, columns] : cpus) {
        for (const CpuColumns::Loss& loss : columns->losses()) {
            const TimeRange gap{loss.before > 0 ? columns->header(loss.before - 1).time
                                                : store_->range_.begin,
                                loss.before < columns->size() ? columns->header(loss.before).time
                                                              : store_->range_.end};
            store_->losses_.push_back({columns->stream(), columns->cpu(), gap, loss.count});
        }
    }
    std::ranges::stable_sort(store_->losses_, {}, [](const LossRow& row) { return row.gap.end; });
}

Result<std::shared_ptr<const TraceStore>>
TraceStoreBuilder::Implementation::finish(const JobContext& job) {
    store_->eventCounts_.assign(types.size(), 0);
    collectCpus();
    std::vector<Source> sources = makeSources();
    TRY(merge(sources, job));
    collectLosses();
    store_->threads_ = std::move(threads).build();
    store_->strings_ = std::move(strings);
    store_->streams_ = std::move(streams);
    store_->types_ = std::move(types);
    return std::shared_ptr<const TraceStore>(std::move(store_));
}

TraceStoreBuilder::TraceStoreBuilder() : implementation_(std::make_unique<Implementation>()) {}
TraceStoreBuilder::~TraceStoreBuilder() = default;

StreamId TraceStoreBuilder::declareStream(const StreamInfo& info) {
    implementation_->streams.push_back(info);
    return StreamId{static_cast<std::uint16_t>(implementation_->streams.size() - 1)};
}

EventTypeId TraceStoreBuilder::declareType(const EventTypeInfo& info) {
    implementation_->types.push_back(info);
    return EventTypeId{static_cast<std::uint16_t>(implementation_->types.size() - 1)};
}

void TraceStoreBuilder::nameThread(std::int32_t tid, std::string_view comm) {
    if (!isPlaceholder(comm))
        implementation_->threads.savedName(tid, implementation_->strings.intern(comm));
}

void TraceStoreBuilder::threadGroup(std::int32_t tid, std::int32_t tgid) {
    implementation_->threads.threadGroup(tid, tgid);
}

CpuEventSink& TraceStoreBuilder::cpuSink(StreamId stream, int cpu) {
    auto& columns = implementation_->cpus[{stream, cpu}];
    if (!columns)
        columns = std::make_unique<CpuColumns>(stream, cpu);
    return *columns;
}

Result<std::shared_ptr<const TraceStore>> TraceStoreBuilder::finish(const JobContext& job) && {
    return implementation_->finish(job);
}

} // namespace inversight
