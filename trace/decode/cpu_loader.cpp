// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/cpu_loader.h"

#include "trace/file/page_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace inversight {

namespace {

constexpr std::string_view kPhase = "decoding events";
constexpr std::uint64_t kReportBytes = 1 << 20;

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

/// Reads one CPU. Thread-bound.
class CpuLoader {
public:
    CpuLoader(const DatFile& file, const CpuTask& task, CpuDecoder decoder, CpuOutcome& outcome)
        : task_(task), layout_(*task.layout), stream_(*file.records, layout_, *task.pages),
          decoder_(std::move(decoder)), outcome_(outcome) {}

    void run(const JobContext& job, SharedProgress& progress) {
        std::uint64_t unreported = 0;
        for (std::size_t index = 0; index < stream_.batchCount(); ++index) {
            if (job.cancelled())
                return;
            readBatch(index);
            unreported += stream_.batchSize(index);
            if (unreported >= kReportBytes)
                progress.add(std::exchange(unreported, 0));
        }
        progress.add(unreported);
        if (damaged_ > kMostWarnings)
            outcome_.warnings.push_back(fmt::format("CPU {}: {} more damaged pages",
                                                    task_.pages->cpu, damaged_ - kMostWarnings));
        outcome_.findings = decoder_.findings();
    }

private:
    static constexpr std::uint64_t kMostWarnings = 10;

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
            task_.sink->lost(reader->missed()->count);
        RingRecord record;
        PageReader::Step step;
        while ((step = reader->next(record)) == PageReader::Step::Record)
            decoder_.decode(record, task_.time.apply(record.time), offset + record.pageOffset);
        if (step == PageReader::Step::Damaged)
            damagedPage(offset, reader->damage());
    }

    void damagedPage(std::uint64_t offset, const Error& error) {
        damaged(fmt::format("page at offset {}", offset), error);
    }

    /// What was on the rest of the page, or in the chunk, is lost, in an unknown number.
    void damaged(const std::string& where, const Error& error) {
        task_.sink->lost(std::nullopt);
        if (damaged_++ < kMostWarnings)
            outcome_.warnings.push_back(
                fmt::format("CPU {}, {}: {}", task_.pages->cpu, where, error.what));
    }

    const CpuTask& task_;
    const PageLayout& layout_;
    PageStream stream_;
    CpuDecoder decoder_;
    CpuOutcome& outcome_;
    std::uint64_t damaged_ = 0;
};

std::uint64_t totalBytes(std::span<const CpuTask> tasks) {
    std::uint64_t total = 0;
    for (const CpuTask& task : tasks)
        total += task.pages->size;
    return total;
}

} // namespace

Result<std::vector<CpuOutcome>> loadCpus(const DatFile& file, const EventCatalog& catalog,
                                         std::span<const EventTypeId> typeIds,
                                         std::span<const CpuTask> tasks, const JobContext& job) {
    std::vector<CpuOutcome> outcomes(tasks.size());
    SharedProgress progress(job, totalBytes(tasks));
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t index = next++; index < tasks.size(); index = next++) {
            CpuDecoder decoder(catalog, typeIds, file.order, *tasks[index].sink);
            CpuLoader(file, tasks[index], std::move(decoder), outcomes[index]).run(job, progress);
        }
    };
    {
        const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
        std::vector<std::jthread> workers;
        for (std::size_t count = std::min(processors, tasks.size()); count > 0; --count)
            workers.emplace_back(work);
    }
    TRY(job.check(kPhase));
    return outcomes;
}

} // namespace inversight
