// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/cpu_loader.h"

#include "core/base/worker_pool.h"
#include "trace/file/page_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>
#include <utility>

namespace inversight {

namespace {

constexpr std::string_view kPhase = "decoding events";
constexpr std::uint64_t kMostDamageWarnings = 10;
/// Some ten thousand events: enough to be worth a thread, few enough to stay in its cache.
constexpr std::size_t kPartBatches = 4;

/// Counts the bytes all workers have read. Thread-safe.
class SharedProgress {
public:
    SharedProgress(const JobContext& job, std::uint64_t total) : job_(job), total_(total) {}

    void add(std::uint64_t bytes) {
        const std::uint64_t done = done_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
        job_.report({kPhase, done, total_});
    }

private:
    const JobContext& job_;
    std::uint64_t total_;
    std::atomic<std::uint64_t> done_ = 0;
};

/// Some batches of one CPU, from `first` to before `last`.
struct PartTask {
    std::size_t task = 0;
    std::size_t first = 0;
    std::size_t last = 0;
    CpuEventSink* sink = nullptr;
    CpuOutcome outcome = {};
    std::optional<std::int64_t> reached = {}; ///< the latest time of an event
};

/// Reads a part of one CPU. Thread-bound.
class PartLoader {
public:
    PartLoader(const DatFile& file, const CpuTask& task, PartTask& part, CpuDecoder decoder)
        : task_(task), layout_(*task.layout), stream_(*file.records, layout_, *task.pages),
          part_(part), decoder_(std::move(decoder)) {}

    void run(const JobContext& job, SharedProgress& progress) {
        for (std::size_t index = part_.first; index < part_.last && !job.cancelled(); ++index) {
            readBatch(index);
            progress.add(stream_.batchSize(index));
        }
        part_.outcome.findings = decoder_.takeFindings();
        if (any_)
            part_.reached = reached_;
    }

private:
    void readBatch(std::size_t index) {
        const Result<PageBatch> batch = stream_.batch(index);
        if (!batch)
            return damaged(batch.error().where, batch.error());
        for (std::uint64_t done = 0; done < batch->pages.size(); done += layout_.pageSize)
            readPage(batch->pages.subspan(done, layout_.pageSize), batch->offset + done);
    }

    void readPage(std::span<const std::byte> page, std::uint64_t offset) {
        // Hardware prefetchers stop at a page's end.
        __builtin_prefetch(page.data() + page.size());
        Result<PageReader> reader = PageReader::open(page, layout_);
        if (!reader)
            return damagedPage(offset, reader.error());
        if (reader->missed())
            part_.sink->lost(reader->missed()->count);
        RingRecord record;
        PageReader::Step step;
        while ((step = reader->next(record)) == PageReader::Step::Record) {
            const std::int64_t time = task_.time.apply(record.time);
            decoder_.decode(record, time, offset + record.pageOffset);
            reached_ = std::max(reached_, time);
            any_ = true;
        }
        if (step == PageReader::Step::Damaged)
            damagedPage(offset, reader->damage());
    }

    void damagedPage(std::uint64_t offset, const Error& error) {
        damaged(fmt::format("page at offset {}", offset), error);
    }

    /// What was on the rest of the page, or in the chunk, is lost, in an unknown number.
    void damaged(const std::string& where, const Error& error) {
        part_.sink->lost(std::nullopt);
        if (part_.outcome.damagedCount++ < kMostDamageWarnings)
            part_.outcome.warnings.push_back(
                fmt::format("CPU {}, {}: {}", task_.pages->cpu, where, error.what));
    }

    const CpuTask& task_;
    const PageLayout& layout_;
    PageStream stream_;
    PartTask& part_;
    CpuDecoder decoder_;
    std::int64_t reached_ = std::numeric_limits<std::int64_t>::min();
    bool any_ = false;
};

/// How far a CPU is.
struct CpuState {
    std::size_t next = 0; ///< batch
    std::size_t count = 0;
    std::int64_t reached = std::numeric_limits<std::int64_t>::min();
    std::uint64_t damagedCount = 0;

    [[nodiscard]] bool done() const { return next == count; }
};

/// Reads all CPUs, each time some batches of those that are behind. Thread-bound.
class CpusLoader {
public:
    CpusLoader(const DatFile& file, const EventCatalog& catalog,
               std::span<const EventTypeId> typeIds, std::span<const CpuTask> tasks,
               StreamId stream, EventSink& sink)
        : file_(file), catalog_(catalog), typeIds_(typeIds), tasks_(tasks), stream_(stream),
          sink_(sink), states_(tasks.size()) {
        for (std::size_t task = 0; task < tasks.size(); ++task)
            states_[task].count =
                PageStream(*file.records, *tasks[task].layout, *tasks[task].pages).batchCount();
    }

    Result<std::vector<CpuOutcome>> run(const JobContext& job) {
        std::uint64_t total = 0;
        for (const CpuTask& task : tasks_)
            total += task.pages->size;
        SharedProgress progress(job, total);
        while (!allDone()) {
            std::vector<PartTask> parts = sink_.takesParts() ? partsBehind() : wholeCpus();
            pool_.forEach(parts.size(), [&](std::size_t index) {
                PartTask& part = parts[index];
                CpuDecoder decoder(catalog_, typeIds_, file_.order, *part.sink);
                PartLoader(file_, tasks_[part.task], part, std::move(decoder)).run(job, progress);
            });
            TRY(job.check(kPhase));
            for (PartTask& part : parts)
                take(part);
            if (!allDone())
                TRY(settle(job));
        }
        for (std::size_t task = 0; task < tasks_.size(); ++task)
            warnOfMore(task);
        return std::move(outcomes_);
    }

private:
    [[nodiscard]] bool allDone() const { return std::ranges::all_of(states_, &CpuState::done); }

    std::vector<PartTask> wholeCpus() {
        std::vector<PartTask> parts;
        for (std::size_t task = 0; task < tasks_.size(); ++task) {
            parts.push_back(
                {task, 0, states_[task].count, &sink_.cpuSink(stream_, tasks_[task].pages->cpu)});
            states_[task].next = states_[task].count;
        }
        return parts;
    }

    /// At the start all CPUs are behind, afterwards mostly one.
    std::vector<PartTask> partsBehind() {
        const std::int64_t reached = slowest();
        const auto isBehind = [&](const CpuState& state) {
            return !state.done() && state.reached == reached;
        };
        const auto behind = static_cast<std::size_t>(std::ranges::count_if(states_, isBehind));
        const std::size_t wanted = 2 * std::max(1U, std::thread::hardware_concurrency());
        const std::size_t each = (wanted + behind - 1) / behind;
        std::vector<PartTask> parts;
        for (std::size_t task = 0; task < tasks_.size(); ++task) {
            CpuState& state = states_[task];
            if (!isBehind(state))
                continue;
            for (std::size_t part = 0; part < each && !state.done(); ++part) {
                const std::size_t first = state.next;
                state.next = std::min(first + kPartBatches, state.count);
                parts.push_back(
                    {task, first, state.next, &sink_.cpuPart(stream_, tasks_[task].pages->cpu)});
            }
        }
        return parts;
    }

    [[nodiscard]] std::int64_t slowest() const {
        std::int64_t reached = std::numeric_limits<std::int64_t>::max();
        for (const CpuState& state : states_) {
            if (!state.done())
                reached = std::min(reached, state.reached);
        }
        return reached;
    }

    void take(PartTask& part) {
        CpuState& state = states_[part.task];
        if (part.reached)
            state.reached = std::max(state.reached, *part.reached);
        const std::uint64_t said = std::min(state.damagedCount, kMostDamageWarnings);
        if (part.outcome.warnings.size() > kMostDamageWarnings - said)
            part.outcome.warnings.resize(kMostDamageWarnings - said);
        state.damagedCount += part.outcome.damagedCount;
        outcomes_.push_back(std::move(part.outcome));
    }

    Result<void> settle(const JobContext& job) {
        const std::int64_t reached = slowest();
        if (reached == std::numeric_limits<std::int64_t>::min())
            return {};
        return sink_.settle(reached, job);
    }

    void warnOfMore(std::size_t task) {
        if (states_[task].damagedCount > kMostDamageWarnings)
            outcomes_.back().warnings.push_back(
                fmt::format("CPU {}: {} more damaged pages", tasks_[task].pages->cpu,
                            states_[task].damagedCount - kMostDamageWarnings));
    }

    const DatFile& file_;
    const EventCatalog& catalog_;
    std::span<const EventTypeId> typeIds_;
    std::span<const CpuTask> tasks_;
    StreamId stream_;
    EventSink& sink_;
    std::vector<CpuState> states_;
    std::vector<CpuOutcome> outcomes_;
    WorkerPool pool_;
};

} // namespace

Result<std::vector<CpuOutcome>> loadCpus(const DatFile& file, const EventCatalog& catalog,
                                         std::span<const EventTypeId> typeIds,
                                         std::span<const CpuTask> tasks, StreamId stream,
                                         EventSink& sink, const JobContext& job) {
    return CpusLoader(file, catalog, typeIds, tasks, stream, sink).run(job);
}

} // namespace inversight
