// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/store_merger.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace inversight {

namespace {

constexpr std::string_view kPhase = "merging events";
/// About how many events of one CPU lie between two cuts.
constexpr std::size_t kCutEvery = std::size_t{1} << 12;

} // namespace

/// Merges one stretch. Thread-bound; different stretches run at the same time.
class StoreMerger::Stretch {
public:
    Stretch(StoreMerger& merger, std::size_t cut, StretchResult& result)
        : merger_(merger), store_(merger.store_), result_(result), event_(merger.cuts_[cut].event),
          rows_(merger.cuts_[cut].rows), taken_(merger.sources_.size()) {
        for (std::size_t order = 0; order < merger.sources_.size(); ++order) {
            const MergeSource& source = merger.sources_[order];
            const std::size_t begin = merger.begin(cut, order);
            const std::size_t end = merger.begin(cut + 1, order);
            if (begin == end)
                continue;
            taken_[order] = source.columns->rowsBefore(begin);
            cursors_.push_back({&source, begin, end, order, &taken_[order]});
        }
        std::ranges::sort(cursors_, &Stretch::isEarlier);
    }

    void run() {
        while (!cursors_.empty()) {
            // Runs of one CPU are common: stay with it while it is not later than the next one.
            Cursor& first = cursors_.front();
            do {
                take(first);
                ++first.next;
            } while (first.next < first.end &&
                     (cursors_.size() == 1 || isEarlier(first, cursors_[1])));
            if (first.next == first.end)
                cursors_.erase(cursors_.begin());
            else
                sinkFirst();
        }
    }

private:
    struct Cursor {
        const MergeSource* source;
        std::size_t next;
        std::size_t end;
        std::size_t order;
        RowCounts* taken; ///< rows of this CPU that are in the store

        [[nodiscard]] std::int64_t key() const { return (*source)[next]; }
    };

    static bool isEarlier(const Cursor& a, const Cursor& b) {
        return std::pair(a.key(), a.order) < std::pair(b.key(), b.order);
    }
    /// Brings the first cursor to its place. CPUs are few and near each other.
    void sinkFirst() {
        for (std::size_t place = 0;
             place + 1 < cursors_.size() && isEarlier(cursors_[place + 1], cursors_[place]);
             ++place)
            std::swap(cursors_[place], cursors_[place + 1]);
    }

    void take(const Cursor& cursor);

    template <class Row>
    void takeRow(std::uint32_t number) {
        Row row = source_->columns->row<Row>(number);
        learn(row);
        EventTable<Row>& table = std::get<EventTable<Row>>(store_.tables_);
        const std::uint32_t place = rows_[kTableOf<Row>]++;
        table.rows_.set(place, row, std::get<WideRows<Row>>(result_.wide));
        table.events_.set(place, EventIndex{static_cast<std::uint32_t>(event_)});
    }

    void named(std::int32_t tid, StringId& name) {
        name = source_->strings[name.index()];
        const std::int32_t cpu = source_->columns->cpu();
        if (merger_.placeholders_[name.index()])
            result_.threads.seen(tid, cpu, header_->time);
        else
            result_.threads.named(tid, cpu, header_->time, name);
    }
    void learn(SchedSwitchRow& row) {
        named(row.prevTid, row.prevComm);
        named(row.nextTid, row.nextComm);
    }
    void learn(SchedWakeRow& row) {
        if (row.tid != 0)
            named(row.tid, row.comm);
        else
            row.comm = source_->strings[row.comm.index()];
    }
    void learn(PiSetprioRow& row) { named(row.tid, row.comm); }
    void learn(SchedForkRow& row) {
        const std::int32_t cpu = source_->columns->cpu();
        named(row.parentTid, row.parentComm);
        result_.threads.forked(row.parentTid, row.childTid, cpu, header_->time);
        named(row.childTid, row.childComm);
    }
    void learn(SchedExitRow& row) {
        named(row.tid, row.comm);
        result_.threads.exited(row.tid, source_->columns->cpu(), header_->time);
    }
    void learn(SchedMigrateRow& row) { named(row.tid, row.comm); }
    void learn(MarkerRow& row) {
        row.subject = source_->strings[row.subject.index()];
        row.detail = source_->strings[row.detail.index()];
        // Our markers and atrace's carry the process of the thread that wrote them.
        if (row.tgid > 0 && header_->tid > 0)
            result_.threads.threadGroup(header_->tid, source_->columns->cpu(), header_->time,
                                        row.tgid);
    }
    template <class Row>
    void learn(Row&) {}

    using Taker = void (Stretch::*)(std::uint32_t);
    template <std::size_t... Table>
    static constexpr std::array<Taker, kTableCount> makeTakers(std::index_sequence<Table...>) {
        return {
            &Stretch::takeRow<typename std::tuple_element_t<Table, PerRowType<Identity>>::type>...};
    }

    StoreMerger& merger_;
    TraceStore& store_;
    StretchResult& result_;
    std::size_t event_;            ///< where the next event goes
    RowCounts rows_;               ///< where the next rows go
    std::vector<RowCounts> taken_; ///< by source
    std::vector<Cursor> cursors_;  ///< the earliest first
    const MergeSource* source_ = nullptr;
    const EventHeader* header_ = nullptr;
};

void StoreMerger::Stretch::take(const Cursor& cursor) {
    const CpuColumns& columns = *cursor.source->columns;
    const EventHeader& header = columns.header(cursor.next);
    store_.times_.set(event_, header.time);
    store_.offsets_.set(event_, static_cast<std::int64_t>(header.offset));
    store_.tids_.set(event_, header.tid);
    store_.laneIds_.set(event_, cursor.source->lane);
    store_.typeIds_.set(event_, header.type);
    store_.flags_.set(event_, header.flags);
    store_.preemptCounts_.set(event_, header.preemptCount);
    result_.threads.seen(header.tid, columns.cpu(), header.time);
    if (const std::uint8_t table = columns.table(cursor.next); table != CpuColumns::kNoTable) {
        static constexpr std::array<Taker, kTableCount> kTakers =
            makeTakers(std::make_index_sequence<kTableCount>());
        source_ = cursor.source;
        header_ = &header;
        (this->*kTakers[table])((*cursor.taken)[table]++);
    }
    ++event_;
}

void StoreMerger::learnStrings(const StringPool& strings) {
    for (auto id = static_cast<std::uint32_t>(placeholders_.size()); id < strings.size(); ++id)
        placeholders_.push_back(isPlaceholderName(strings.text(StringId{id})));
}

void StoreMerger::placeCuts() {
    std::vector<std::int64_t> keys;
    std::vector<std::size_t> begins;
    std::size_t next = kCutEvery;
    for (const MergeSource& source : sources_) {
        begins.push_back(source.begin);
        std::size_t event = source.begin;
        for (; source.end - event > next; next = kCutEvery) {
            event += next;
            keys.push_back(source[event]);
        }
        next -= source.end - event; // parts may be shorter than that
    }
    std::ranges::sort(keys);
    const auto repeated = std::ranges::unique(keys);
    keys.erase(repeated.begin(), repeated.end());

    cuts_.assign(1, end_);
    begins_ = begins;
    keys_ = keys;
    for (const std::int64_t key : keys) {
        for (std::size_t order = 0; order < sources_.size(); ++order)
            begins[order] = lowerBound(sources_[order], begins[order], sources_[order].end, key);
        addCut(begins);
    }
    for (std::size_t order = 0; order < sources_.size(); ++order)
        begins[order] = sources_[order].end;
    addCut(begins);
}

/// A cut in front of these events, behind the cut before.
void StoreMerger::addCut(std::span<const std::size_t> begins) {
    Cut cut = cuts_.back();
    for (std::size_t order = 0; order < sources_.size(); ++order) {
        const std::size_t before = begin(cuts_.size() - 1, order);
        if (begins[order] == before)
            continue;
        cut.event += begins[order] - before;
        const RowCounts first = sources_[order].columns->rowsBefore(before);
        const RowCounts last = sources_[order].columns->rowsBefore(begins[order]);
        for (std::size_t table = 0; table < kTableCount; ++table)
            cut.rows[table] += last[table] - first[table];
    }
    cuts_.push_back(cut);
    begins_.insert(begins_.end(), begins.begin(), begins.end());
}

/// Between two cuts lie the times between their keys, where no CPU's times step back.
void StoreMerger::layOutTimes(const NarrowColumn::Bounds& all) {
    const bool ascending = std::ranges::all_of(
        sources_, [](const MergeSource& source) { return source.latest == nullptr; });
    if (!ascending)
        return store_.times_.grow(cuts_.back().event, all);
    for (std::size_t cut = 0; cut <= keys_.size(); ++cut) {
        const std::int64_t least = cut == 0 ? all.least : keys_[cut - 1];
        const std::int64_t most = cut == keys_.size() ? all.most : keys_[cut];
        store_.times_.grow(cuts_[cut + 1].event, {least, most, all.bits});
    }
}

void StoreMerger::layOutColumns() {
    const Cut& end = cuts_.back();
    NarrowColumn::Bounds times{INT64_MAX, INT64_MIN, ~std::uint64_t{0}};
    NarrowColumn::Bounds offsets{0, 0, 0};
    for (const MergeSource& source : sources_) {
        const bool ascending = source.latest == nullptr;
        times.least =
            std::min(times.least, ascending ? source[source.begin] : source.columns->leastTime());
        times.most =
            std::max(times.most, ascending ? source[source.end - 1] : source.columns->mostTime());
        offsets.most =
            std::max(offsets.most, static_cast<std::int64_t>(source.columns->mostOffset()));
        offsets.bits |= source.columns->offsetBits();
    }
    TimeRange& range = store_.range_;
    range.begin = end_.event == 0 ? times.least : std::min(range.begin, times.least);
    range.end = end_.event == 0 ? times.most : std::max(range.end, times.most);
    layOutTimes(times);
    store_.offsets_.grow(end.event, offsets);
    store_.tids_.resize(end.event);
    store_.laneIds_.resize(end.event);
    store_.typeIds_.resize(end.event);
    store_.flags_.resize(end.event);
    store_.preemptCounts_.resize(end.event);
    std::apply([&, index = std::size_t{0}](
                   auto&... tables) mutable { (resize(tables, end.rows[index++]), ...); },
               store_.tables_);
}

void StoreMerger::trim() {
    store_.times_.trim();
    store_.offsets_.trim();
    store_.tids_.trim();
    store_.laneIds_.trim();
    store_.typeIds_.trim();
    store_.flags_.trim();
    store_.preemptCounts_.trim();
    std::apply([](auto&... tables) { (trim(tables), ...); }, store_.tables_);
}

void StoreMerger::StretchResult::clear() {
    threads.clear();
    std::apply([](auto&... rows) { (rows.clear(), ...); }, wide);
}

void StoreMerger::join(std::span<const StretchResult> results) {
    for (const StretchResult& result : results) {
        threads_.add(result.threads);
        std::apply([&](auto&... tables) { (adopt(tables, result.wide), ...); }, store_.tables_);
    }
    end_ = cuts_.back();
}

Result<void> StoreMerger::merge(std::span<const MergeSource> sources, const StringPool& strings,
                                const JobContext& job) {
    sources_ = sources;
    if (sources_.empty())
        return {};
    std::uint64_t total = end_.event;
    for (const MergeSource& source : sources_)
        total += source.end - source.begin;
    if (total >= EventIndex::none().value)
        return std::unexpected(
            Error{ErrorCode::Unsupported, "more than 4294967294 events in one trace"});
    learnStrings(strings);
    placeCuts();
    layOutColumns();
    const std::size_t stretches = cuts_.size() - 1;
    results_.resize(std::max(results_.size(), stretches));
    pool_.forEach(stretches, [&](std::size_t cut) {
        results_[cut].clear();
        if (!job.cancelled())
            Stretch(*this, cut, results_[cut]).run();
    });
    TRY(job.check(kPhase));
    join(std::span(results_).first(stretches));
    job.report({kPhase, total, 0});
    return {};
}

} // namespace inversight
