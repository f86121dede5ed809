// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/cpu_loader.h"

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
        : file_(file), task_(task), decoder_(std::move(decoder)), outcome_(outcome) {}

    void run(const JobContext& job, SharedProgress& progress) {
        const CpuPages& pages = *task_.pages;
        std::uint64_t unreported = 0;
        for (std::uint64_t done = 0; done < pages.size; done += file_.layout.pageSize) {
            if (job.cancelled())
                return;
            readPage(pages.offset + done);
            unreported += file_.layout.pageSize;
            if (unreported >= kReportBytes)
                progress.add(std::exchange(unreported, 0));
        }
        progress.add(unreported);
        if (damagedPages_ > kMostWarnings)
            outcome_.warnings.push_back(fmt::format(
                "CPU {}: {} more damaged pages", task_.pages->cpu, damagedPages_ - kMostWarnings));
        outcome_.findings = decoder_.findings();
    }

private:
    static constexpr std::uint64_t kMostWarnings = 10;

    void readPage(std::uint64_t offset) {
        const auto page = file_.records->bytes().subspan(offset, file_.layout.pageSize);
        // Hardware prefetchers stop at a page's end.
        __builtin_prefetch(page.data() + page.size());
        Result<PageReader> reader = PageReader::open(page, file_.layout);
        if (!reader)
            return damaged(offset, reader.error());
        if (reader->missed())
            task_.sink->lost(reader->missed()->count);
        RingRecord record;
        PageReader::Step step;
        while ((step = reader->next(record)) == PageReader::Step::Record)
            decoder_.decode(record, file_.time.apply(record.time), offset + record.pageOffset);
        if (step == PageReader::Step::Damaged)
            damaged(offset, reader->damage());
    }

    /// What was on the rest of the page is lost, in an unknown number.
    void damaged(std::uint64_t offset, const Error& error) {
        task_.sink->lost(std::nullopt);
        if (damagedPages_++ < kMostWarnings)
            outcome_.warnings.push_back(
                fmt::format("CPU {}, page at offset {}: {}", task_.pages->cpu, offset, error.what));
    }

    const DatFile& file_;
    const CpuTask& task_;
    CpuDecoder decoder_;
    CpuOutcome& outcome_;
    std::uint64_t damagedPages_ = 0;
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
