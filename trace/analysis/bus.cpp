// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/bus.h"

#include "trace/analysis/loss_map.h"
#include "trace/analysis/table_walk.h"

#include <algorithm>

namespace inversight {

namespace {

constexpr std::uint32_t kNoTransfer = 0xffffffff;

class TransferFinder {
public:
    explicit TransferFinder(const TraceStore& store)
        : store_(store), losses_(LossMap::of<MarkerRow>(store)),
          continuity_(losses_, store.threads().size()), slices_(store.threads().size()) {}

    void on(EventIndex event, const MarkerRow& row) {
        const ThreadId thread = store_.thread(event);
        if (!thread.valid())
            return;
        const std::int64_t time = store_.time(event);
        // Which slice an end closes is only known while none of the thread's markers is missing.
        if (const auto gap = continuity_.note(thread, store_.cpu(event), time))
            cutAll(thread, gap->begin);
        std::vector<std::uint32_t>& slices = slices_[thread.index()];
        if (row.kind == MarkerKind::TransferBegin) {
            slices.push_back(static_cast<std::uint32_t>(out_.transfers.size()));
            out_.transfers.push_back({row.subject, row.detail, thread, {time, time}, false});
        } else if (row.kind == MarkerKind::WaitBegin || row.kind == MarkerKind::SliceBegin) {
            slices.push_back(kNoTransfer);
        } else if (row.kind == MarkerKind::SliceEnd && !slices.empty()) {
            end(slices.back(), time, true);
            slices.pop_back();
        }
    }

    Bus finish() {
        for (std::uint32_t i = 0; i < slices_.size(); ++i) {
            const ThreadId thread{i};
            const auto gap = continuity_.afterLast(thread);
            const std::int64_t last =
                store_.threads()[thread].exitTime.value_or(store_.range().end);
            cutAll(thread, gap ? std::min(gap->begin, last) : last);
        }
        std::ranges::stable_sort(out_.transfers, {},
                                 [](const BusTransfer& transfer) { return transfer.range.begin; });
        out_.byThread.resize(slices_.size());
        for (std::uint32_t i = 0; i < out_.transfers.size(); ++i)
            out_.byThread[out_.transfers[i].thread.index()].push_back(i);
        return std::move(out_);
    }

private:
    void end(std::uint32_t transfer, std::int64_t time, bool seen) {
        if (transfer == kNoTransfer)
            return;
        BusTransfer& row = out_.transfers[transfer];
        row.range.end = std::max(row.range.begin, time);
        row.endSeen = seen;
    }
    void cutAll(ThreadId thread, std::int64_t time) {
        for (const std::uint32_t transfer : slices_[thread.index()])
            end(transfer, time, false);
        slices_[thread.index()].clear();
    }

    const TraceStore& store_;
    LossMap losses_;
    ThreadContinuity continuity_;
    std::vector<std::vector<std::uint32_t>> slices_; ///< open ones: a transfer or kNoTransfer
    Bus out_;
};

} // namespace

Result<Bus> findBusTransfers(const TraceStore& store, const JobContext& job) {
    TransferFinder finder(store);
    TableWalk<MarkerRow> walk(store);
    TRY(walk.run(job, "finding transfers", finder));
    return finder.finish();
}

} // namespace inversight
