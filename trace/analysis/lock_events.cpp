// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/lock_events.h"

#include "trace/analysis/futex_operations.h"
#include "trace/analysis/lock_table.h"
#include "trace/analysis/loss_map.h"
#include "trace/analysis/table_walk.h"

#include <algorithm>

namespace inversight {

const char* lockSourceName(LockSource source) {
    switch (source) {
    case LockSource::Marker:
        return "marker";
    case LockSource::Futex:
        return "futex";
    case LockSource::Contention:
        break;
    }
    return "contention";
}

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
/// More nested contentions than any kernel path has: older ones are leftovers of lost ends.
constexpr std::size_t kMaxOpenContentions = 8;
/// A wait's own slice is the innermost, or nearly: keeps traces of unended slices linear.
constexpr std::size_t kMaxSlicesSearched = 8;

/// What one thread is in the middle of.
struct ThreadLocks {
    struct Slice {
        MarkerKind kind = MarkerKind::SliceBegin;
        LockId lock;
    };
    struct Contention {
        std::uint64_t address = 0;
        std::size_t request = 0; ///< index of its Request
    };
    std::vector<Slice> slices;
    std::vector<Contention> contentions;
    // The futex call it is in.
    bool inFutex = false;
    FutexOperation operation = FutexOperation::Other;
    LockId futexLock;
    std::size_t futexEvent = kNone; ///< index of its Request or Release
    // A wait slice that ended, while it is open whether the lock was got.
    LockId ended;
    EventIndex endedAt;
};

class LockEventFinder {
public:
    explicit LockEventFinder(const TraceStore& store)
        : store_(store), table_(store), threads_(store.threads().size()),
          losses_(
              LossMap::of<MarkerRow, FutexEnter, FutexExit, ContentionBegin, ContentionEnd>(store)),
          continuity_(losses_, store.threads().size()) {}

    void on(EventIndex event, const MarkerRow& row);
    void on(EventIndex event, const FutexEnter& row);
    void on(EventIndex event, const FutexExit& row);
    void on(EventIndex event, const ContentionBegin& row);
    void on(EventIndex event, const ContentionEnd& row);

    LockEvents finish();

private:
    struct Context {
        EventIndex event;
        ThreadId thread;
        ThreadLocks& locks;
    };

    std::optional<Context> begin(EventIndex event);
    std::size_t add(const Context& context, LockId lock, LockEventKind kind, LockSource source,
                    std::uint64_t cookie = 0, std::uint32_t flags = 0);
    void sliceEnd(const Context& context);
    void holdBegin(const Context& context, const MarkerRow& row);
    void settleEnded(ThreadId thread, ThreadLocks& locks);

    const TraceStore& store_;
    LockTable table_;
    std::vector<ThreadLocks> threads_;
    LossMap losses_;
    ThreadContinuity continuity_;
    LockEvents out_;
    bool unordered_ = false;
};

/// Finds the thread, and forgets what it was in the middle of if events of it may be missing.
std::optional<LockEventFinder::Context> LockEventFinder::begin(EventIndex event) {
    const ThreadId thread = store_.thread(event);
    if (!thread.valid())
        return std::nullopt;
    ThreadLocks& locks = threads_[thread.index()];
    if (continuity_.note(thread, store_.cpu(event), store_.time(event)))
        locks = {};
    return Context{event, thread, locks};
}

std::size_t LockEventFinder::add(const Context& context, LockId lock, LockEventKind kind,
                                 LockSource source, std::uint64_t cookie, std::uint32_t flags) {
    out_.events.push_back({context.event, lock, context.thread, kind, source, cookie, flags});
    return out_.events.size() - 1;
}

/// Decides about a wait slice that ended without a hold: given up, where this lock's holds are
/// marked at all; else the end of the slice is the only sign of success there is.
void LockEventFinder::settleEnded(ThreadId thread, ThreadLocks& locks) {
    if (!locks.ended.valid())
        return;
    const LockEventKind kind =
        table_.hasHolds(locks.ended) ? LockEventKind::GiveUp : LockEventKind::Acquired;
    out_.events.push_back({locks.endedAt, locks.ended, thread, kind, LockSource::Marker, 0, 0});
    unordered_ = true; // the event of the slice's end lies before what was added since
    locks.ended = LockId::none();
}

void LockEventFinder::sliceEnd(const Context& context) {
    std::vector<ThreadLocks::Slice>& slices = context.locks.slices;
    if (slices.empty())
        return; // its begin precedes the trace
    const ThreadLocks::Slice slice = slices.back();
    slices.pop_back();
    if (slice.kind != MarkerKind::WaitBegin || !slice.lock.valid())
        return;
    context.locks.ended = slice.lock;
    context.locks.endedAt = context.event;
}

void LockEventFinder::holdBegin(const Context& context, const MarkerRow& row) {
    const LockId lock = table_.marked(row.tgid, row.subject);
    if (context.locks.ended == lock)
        context.locks.ended = LockId::none();
    settleEnded(context.thread, context.locks);
    // A hold that begins inside its wait slice ends the wait: the slice's end has nothing to add.
    std::vector<ThreadLocks::Slice>& slices = context.locks.slices;
    const std::size_t depth = std::min(slices.size(), kMaxSlicesSearched);
    const auto wait =
        std::find_if(slices.rbegin(), slices.rbegin() + static_cast<std::ptrdiff_t>(depth),
                     [&](const ThreadLocks::Slice& slice) {
                         return slice.kind == MarkerKind::WaitBegin && slice.lock == lock;
                     });
    if (wait != slices.rbegin() + static_cast<std::ptrdiff_t>(depth))
        wait->lock = LockId::none();
    add(context, lock, LockEventKind::Acquired, LockSource::Marker, row.value);
}

void LockEventFinder::on(EventIndex event, const MarkerRow& row) {
    const std::optional<Context> context = begin(event);
    if (!context)
        return;
    ThreadLocks& locks = context->locks;
    switch (row.kind) {
    case MarkerKind::WaitBegin: {
        settleEnded(context->thread, locks);
        const LockId lock = table_.marked(row.tgid, row.subject);
        locks.slices.push_back({row.kind, lock});
        add(*context, lock, LockEventKind::Request, LockSource::Marker);
        break;
    }
    case MarkerKind::TransferBegin:
    case MarkerKind::SliceBegin:
        locks.slices.push_back({row.kind, LockId::none()});
        break;
    case MarkerKind::SliceEnd:
        settleEnded(context->thread, locks);
        sliceEnd(*context);
        break;
    case MarkerKind::HoldBegin:
        holdBegin(*context, row);
        break;
    case MarkerKind::HoldEnd:
        add(*context, table_.marked(row.tgid, row.subject), LockEventKind::Release,
            LockSource::Marker, row.value);
        break;
    case MarkerKind::Release:
    case MarkerKind::LockAddress:
    case MarkerKind::ManifestPart:
    case MarkerKind::Note:
    case MarkerKind::Text:
        break;
    }
}

void LockEventFinder::on(EventIndex event, const FutexEnter& row) {
    const std::optional<Context> context = begin(event);
    if (!context)
        return;
    ThreadLocks& locks = context->locks;
    locks.inFutex = true;
    locks.operation = futexOperation(row.op);
    locks.futexEvent = kNone;
    if (locks.operation == FutexOperation::Other)
        return;
    locks.futexLock = table_.futex(context->thread, row.uaddr, event);
    const LockEventKind kind = locks.operation == FutexOperation::UnlockPi ? LockEventKind::Release
                                                                           : LockEventKind::Request;
    locks.futexEvent = add(*context, locks.futexLock, kind, LockSource::Futex, 0, row.op);
}

void LockEventFinder::on(EventIndex event, const FutexExit& row) {
    const std::optional<Context> context = begin(event);
    if (!context || !context->locks.inFutex)
        return;
    ThreadLocks& locks = context->locks;
    locks.inFutex = false;
    const bool done = row.ret == 0;
    switch (locks.operation) {
    case FutexOperation::LockPi:
        add(*context, locks.futexLock, done ? LockEventKind::Acquired : LockEventKind::GiveUp,
            LockSource::Futex);
        break;
    case FutexOperation::Wait:
        add(*context, locks.futexLock, LockEventKind::GiveUp, LockSource::Futex);
        break;
    case FutexOperation::UnlockPi:
        if (!done) // refused: it did not own the lock
            out_.events[locks.futexEvent].lock = LockId::none();
        break;
    case FutexOperation::Other:
        break;
    }
}

void LockEventFinder::on(EventIndex event, const ContentionBegin& row) {
    const std::optional<Context> context = begin(event);
    if (!context)
        return;
    auto& open = context->locks.contentions;
    const auto same = std::ranges::find(open, row.address, &ThreadLocks::Contention::address);
    if (same != open.end()) {
        // Another phase (spinning, then sleeping) of the same wait.
        out_.events[same->request].flags |= row.flags;
        return;
    }
    if (open.size() == kMaxOpenContentions)
        open.erase(open.begin());
    const std::size_t request = add(*context, table_.kernel(row.address, event),
                                    LockEventKind::Request, LockSource::Contention, 0, row.flags);
    open.push_back({row.address, request});
}

void LockEventFinder::on(EventIndex event, const ContentionEnd& row) {
    const std::optional<Context> context = begin(event);
    if (!context)
        return;
    auto& open = context->locks.contentions;
    const auto same = std::ranges::find(open, row.address, &ThreadLocks::Contention::address);
    const bool known = same != open.end();
    const std::uint32_t flags = known ? out_.events[same->request].flags : 0;
    if (known)
        open.erase(same);
    add(*context, table_.kernel(row.address, event),
        row.ret == 0 ? LockEventKind::Acquired : LockEventKind::GiveUp, LockSource::Contention, 0,
        flags);
}

LockEvents LockEventFinder::finish() {
    for (std::uint32_t i = 0; i < threads_.size(); ++i)
        settleEnded(ThreadId{i}, threads_[i]);
    std::erase_if(out_.events, [](const LockEvent& event) { return !event.lock.valid(); });
    if (unordered_)
        std::ranges::stable_sort(out_.events, {}, &LockEvent::event);
    out_.locks = table_.takeLocks();
    return std::move(out_);
}

} // namespace

Result<LockEvents> findLockEvents(const TraceStore& store, const JobContext& job) {
    LockEventFinder finder(store);
    TableWalk<MarkerRow, FutexEnter, FutexExit, ContentionBegin, ContentionEnd> walk(store);
    TRY(walk.run(job, "finding lock events", finder));
    return finder.finish();
}

} // namespace inversight
