// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/trace_store_builder.h"

#include "trace/model/cpu_columns.h"
#include "trace/model/store_merger.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <utility>

namespace inversight {

namespace {

constexpr std::int64_t kEarliest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max();

/// A part of what one CPU recorded.
struct Part {
    Part(StreamId stream, int cpu) : columns(stream, cpu) {}

    CpuColumns columns;
    std::vector<StringId> strings; ///< the columns' own ids -> the store's
    /// The latest time so far, filled once a time steps back.
    SegmentedColumn<std::int64_t> latest;
    std::size_t prepared = 0; ///< events whose keys are known
    std::size_t merged = 0;   ///< events that are in the store
    std::size_t settled = 0;  ///< events that the merge under way puts there
    std::size_t losses = 0;   ///< losses that are known to the store
};

/// A CPU of a stream.
struct Lane {
    std::unique_ptr<Part> steady; ///< what cpuSink() gave out, before all parts
    std::deque<std::unique_ptr<Part>> parts;
    std::vector<std::unique_ptr<Part>> spare;
    std::uint16_t id = 0;
    std::int64_t latest = kEarliest; ///< nothing may be merged before
    bool anyEvent = false;
    std::int64_t lastTime = 0;           ///< of the last event whose losses were looked at
    std::vector<std::size_t> openLosses; ///< rows whose gap ends with this CPU's next event
};

} // namespace

class TraceStoreBuilder::Implementation {
public:
    Result<void> settle(std::int64_t time, const JobContext& job);
    Result<std::shared_ptr<const TraceStore>> finish(const JobContext& job);
    Lane& lane(StreamId stream, int cpu);
    Part& nextPart(StreamId stream, int cpu);

    std::vector<StreamInfo> streams;
    std::vector<EventTypeInfo> types;
    std::map<std::pair<StreamId, int>, Lane> lanes; // merge order on ties
    StringPool strings;
    ThreadTableBuilder threads;

private:
    void prepare(Lane& lane, Part& part);
    void collectLosses(Lane& lane, Part& part);
    void addSource(const Lane& lane, Part& part, std::int64_t before,
                   std::vector<MergeSource>& sources);
    static bool advance(Part& part);
    void removeMerged(Lane& lane, std::int64_t before);
    void finishLosses();
    void collectCpus();
    void countTypes();

    std::shared_ptr<TraceStore> store_ = std::make_shared<TraceStore>();
    StoreMerger merger_{*store_, threads};
};

Lane& TraceStoreBuilder::Implementation::lane(StreamId stream, int cpu) {
    const auto [place, isNew] = lanes.try_emplace({stream, cpu});
    if (isNew) {
        place->second.id = static_cast<std::uint16_t>(store_->lanes_.size());
        store_->lanes_.push_back({stream, cpu});
    }
    return place->second;
}

Part& TraceStoreBuilder::Implementation::nextPart(StreamId stream, int cpu) {
    Lane& lane = this->lane(stream, cpu);
    if (lane.spare.empty()) {
        lane.parts.push_back(std::make_unique<Part>(stream, cpu));
    } else {
        lane.parts.push_back(std::move(lane.spare.back()));
        lane.spare.pop_back();
    }
    return *lane.parts.back();
}

/// Looks at what came since the last time.
void TraceStoreBuilder::Implementation::prepare(Lane& lane, Part& part) {
    const CpuColumns& columns = part.columns;
    for (auto id = static_cast<std::uint32_t>(part.strings.size()); id < columns.strings().size();
         ++id)
        part.strings.push_back(strings.intern(columns.strings().text(StringId{id})));
    collectLosses(lane, part);
    if (columns.size() == part.prepared)
        return;
    if (part.latest.empty() && columns.ascending() &&
        columns.header(part.prepared).time >= lane.latest) {
        lane.latest = columns.header(columns.size() - 1).time;
    } else {
        // Until now times were the keys, and stay those of what was looked at before.
        for (std::size_t event = part.latest.size(); event < part.prepared; ++event)
            part.latest.append(columns.header(event).time);
        for (std::size_t event = part.prepared; event < columns.size(); ++event) {
            lane.latest = std::max(lane.latest, columns.header(event).time);
            part.latest.append(lane.latest);
        }
    }
    part.prepared = columns.size();
}

void TraceStoreBuilder::Implementation::collectLosses(Lane& lane, Part& part) {
    const CpuColumns& columns = part.columns;
    const auto close = [&](std::int64_t time) {
        for (const std::size_t row : lane.openLosses)
            store_->losses_[row].gap.end = time;
        lane.openLosses.clear();
    };
    const auto visit = [&](std::size_t begin, std::size_t end) {
        if (begin >= end)
            return;
        close(columns.header(begin).time);
        lane.lastTime = columns.header(end - 1).time;
        lane.anyEvent = true;
    };
    std::size_t seen = part.prepared;
    for (; part.losses < columns.losses().size(); ++part.losses) {
        const CpuColumns::Loss& loss = columns.losses()[part.losses];
        visit(seen, loss.before);
        seen = loss.before;
        lane.openLosses.push_back(store_->losses_.size());
        // The trace's begin and end are not known yet.
        store_->losses_.push_back({columns.stream(),
                                   columns.cpu(),
                                   {lane.anyEvent ? lane.lastTime : kEarliest, kLatest},
                                   loss.count});
    }
    visit(seen, columns.size());
}

void TraceStoreBuilder::Implementation::addSource(const Lane& lane, Part& part, std::int64_t before,
                                                  std::vector<MergeSource>& sources) {
    MergeSource source{&part.columns, part.strings, part.latest.empty() ? nullptr : &part.latest,
                       lane.id,       part.merged,  part.columns.size()};
    if (before != kLatest)
        source.end = lowerBound(source, source.begin, source.end, before);
    part.settled = source.end;
    if (source.begin < source.end)
        sources.push_back(source);
}

/// After the merge of what addSource() took: false if events of the part are left.
bool TraceStoreBuilder::Implementation::advance(Part& part) {
    part.merged = part.settled;
    if (part.merged < part.columns.size())
        return false;
    part.columns.rewind();
    part.latest.rewind();
    part.prepared = part.merged = part.losses = 0;
    return true;
}

void TraceStoreBuilder::Implementation::removeMerged(Lane& lane, std::int64_t before) {
    if (lane.steady)
        advance(*lane.steady);
    while (!lane.parts.empty() && advance(*lane.parts.front())) {
        lane.spare.push_back(std::move(lane.parts.front()));
        lane.parts.pop_front();
    }
    if (before != kLatest)
        lane.latest = std::max(lane.latest, before);
}

Result<void> TraceStoreBuilder::Implementation::settle(std::int64_t time, const JobContext& job) {
    std::vector<MergeSource> sources;
    for (auto& [key, lane] : lanes) {
        const auto take = [&](Part& part) {
            prepare(lane, part);
            addSource(lane, part, time, sources);
        };
        if (lane.steady)
            take(*lane.steady);
        for (const std::unique_ptr<Part>& part : lane.parts)
            take(*part);
    }
    TRY(merger_.merge(sources, strings, job));
    for (auto& [key, lane] : lanes)
        removeMerged(lane, time);
    return {};
}

void TraceStoreBuilder::Implementation::countTypes() {
    store_->eventCounts_.assign(types.size(), 0);
    const auto add = [this](const Part& part) {
        const std::vector<std::uint64_t>& counts = part.columns.typeCounts();
        for (std::size_t type = 0; type < counts.size(); ++type)
            store_->eventCounts_[type] += counts[type];
    };
    for (const auto& [key, lane] : lanes) {
        if (lane.steady)
            add(*lane.steady);
        for (const std::unique_ptr<Part>& part : lane.parts)
            add(*part);
        for (const std::unique_ptr<Part>& part : lane.spare)
            add(*part);
    }
}

void TraceStoreBuilder::Implementation::collectCpus() {
    for (const auto& [key, lane] : lanes) {
        if (lane.anyEvent)
            store_->cpuList_.push_back(key.second);
    }
    std::ranges::sort(store_->cpuList_);
    const auto repeated = std::ranges::unique(store_->cpuList_);
    store_->cpuList_.erase(repeated.begin(), repeated.end());
}

void TraceStoreBuilder::Implementation::finishLosses() {
    for (LossRow& loss : store_->losses_) {
        if (loss.gap.begin == kEarliest)
            loss.gap.begin = store_->range_.begin;
        if (loss.gap.end == kLatest)
            loss.gap.end = store_->range_.end;
    }
    std::ranges::stable_sort(store_->losses_, {}, [](const LossRow& row) {
        return std::tuple(row.gap.end, row.stream, row.cpu);
    });
}

Result<std::shared_ptr<const TraceStore>>
TraceStoreBuilder::Implementation::finish(const JobContext& job) {
    if (lanes.size() > 0xffff)
        return std::unexpected(
            Error{ErrorCode::Unsupported, "more than 65535 CPUs of buffers in one trace"});
    TRY(settle(kLatest, job));
    merger_.trim();
    countTypes();
    finishLosses();
    collectCpus();
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
    if (!isPlaceholderName(comm))
        implementation_->threads.savedName(tid, implementation_->strings.intern(comm));
}

void TraceStoreBuilder::threadGroup(std::int32_t tid, std::int32_t tgid) {
    implementation_->threads.threadGroup(tid, tgid);
}

CpuEventSink& TraceStoreBuilder::cpuSink(StreamId stream, int cpu) {
    Lane& lane = implementation_->lane(stream, cpu);
    if (!lane.steady)
        lane.steady = std::make_unique<Part>(stream, cpu);
    return lane.steady->columns;
}

CpuEventSink& TraceStoreBuilder::cpuPart(StreamId stream, int cpu) {
    return implementation_->nextPart(stream, cpu).columns;
}

Result<void> TraceStoreBuilder::settle(std::int64_t time, const JobContext& job) {
    return implementation_->settle(time, job);
}

Result<std::shared_ptr<const TraceStore>> TraceStoreBuilder::finish(const JobContext& job) && {
    return implementation_->finish(job);
}

} // namespace inversight
