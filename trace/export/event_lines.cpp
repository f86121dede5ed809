// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/event_lines.h"

#include "trace/export/stream_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace inversight {

namespace {

constexpr std::string_view kPhase = "writing events";

// common_flags, include/linux/trace_events.h
constexpr unsigned kIrqsOff = 0x01;
constexpr unsigned kNeedReschedLazy = 0x02; // since 6.13; before that set by no machine we know
constexpr unsigned kNeedResched = 0x04;
constexpr unsigned kHardIrq = 0x08;
constexpr unsigned kSoftIrq = 0x10;
constexpr unsigned kPreemptResched = 0x20;
constexpr unsigned kNmi = 0x40;
constexpr unsigned kBottomHalvesOff = 0x80;

char irqsLetter(unsigned flags) {
    if ((flags & kIrqsOff) != 0)
        return (flags & kBottomHalvesOff) != 0 ? 'D' : 'd';
    return (flags & kBottomHalvesOff) != 0 ? 'b' : '.';
}
char reschedLetter(unsigned flags) {
    switch (flags & (kNeedResched | kNeedReschedLazy | kPreemptResched)) {
    case kNeedResched | kNeedReschedLazy | kPreemptResched:
        return 'B';
    case kNeedResched | kPreemptResched:
        return 'N';
    case kNeedReschedLazy | kPreemptResched:
        return 'L';
    case kNeedReschedLazy | kNeedResched:
        return 'b';
    case kNeedResched:
        return 'n';
    case kNeedReschedLazy:
        return 'l';
    case kPreemptResched:
        return 'p';
    default:
        return '.';
    }
}
char interruptLetter(unsigned flags) {
    const bool hard = (flags & kHardIrq) != 0;
    if ((flags & kNmi) != 0)
        return hard ? 'Z' : 'z';
    if (hard)
        return (flags & kSoftIrq) != 0 ? 'H' : 'h';
    return (flags & kSoftIrq) != 0 ? 's' : '.';
}
char depthLetter(unsigned depth) {
    return depth == 0 ? '.' : "0123456789abcdef"[depth & 0xf];
}

/// The five letters (kernel/trace/trace_output.c, trace_print_lat_fmt()).
std::array<char, 5> flagLetters(unsigned flags, unsigned preemptCount) {
    return {irqsLetter(flags), reschedLetter(flags), interruptLetter(flags),
            depthLetter(preemptCount & 0xf), depthLetter(preemptCount >> 4)};
}

/// A control character in a name or a text must not steer the reader's terminal, and a newline not
/// look like the begin of another event: one event is one line.
void appendVisible(std::string_view text, std::string& out) {
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '\n')
            out += "\\n";
        else
            out += (code < 0x20 && c != '\t') || code == 0x7f ? '?' : c;
    }
}

/// The losses of one CPU of one stream, in the order of time.
class PendingLosses {
public:
    explicit PendingLosses(const TraceStore& store) {
        for (const LossRow& loss : store.losses())
            losses_[{loss.stream, loss.cpu}].rows.push_back(&loss);
        for (auto& [key, queue] : losses_)
            std::ranges::stable_sort(queue.rows, {},
                                     [](const LossRow* loss) { return loss->gap.end; });
    }

    /// Calls `use` with each loss that ended by `time`.
    template <class Use>
    void take(StreamId stream, std::int32_t cpu, std::int64_t time, const Use& use) {
        if (losses_.empty())
            return;
        const auto found = losses_.find({stream, cpu});
        if (found == losses_.end())
            return;
        Queue& queue = found->second;
        for (; queue.next < queue.rows.size() && queue.rows[queue.next]->gap.end <= time;
             ++queue.next)
            use(*queue.rows[queue.next]);
    }
    /// Those after the last event of their CPU.
    template <class Use>
    void takeRest(const Use& use) {
        for (auto& [key, queue] : losses_)
            for (; queue.next < queue.rows.size(); ++queue.next)
                use(*queue.rows[queue.next]);
    }

private:
    struct Queue {
        std::vector<const LossRow*> rows;
        std::size_t next = 0;
    };
    std::map<std::pair<StreamId, std::int32_t>, Queue> losses_;
};

/// Makes the lines. Thread-bound.
class LineWriter {
public:
    LineWriter(const LoadedTrace& trace, std::ostream& out)
        : trace_(trace), store_(*trace.store), out_(out), losses_(store_) {
        std::size_t longest = 0;
        for (const StreamInfo& stream : store_.streams())
            longest = std::max(longest, stream.name.size());
        if (store_.streams().size() > 1)
            bufferWidth_ = std::max(kLeastBufferWidth, longest + 2);
    }

    Result<void> write(const JobContext& job) {
        const std::size_t count = store_.eventCount();
        for (std::size_t index = 0; index < count; ++index) {
            TRY(writeEvent(EventIndex{static_cast<std::uint32_t>(index)}));
            if (line_.size() >= kFlushBytes)
                TRY(flush());
            if (index % kReportEvents == 0) {
                TRY(job.check(kPhase));
                job.report({kPhase, index, count});
            }
        }
        losses_.takeRest([&](const LossRow& loss) { appendLoss(loss); });
        job.report({kPhase, count, count});
        return flush();
    }

private:
    static constexpr std::size_t kLeastBufferWidth = 8;
    static constexpr std::size_t kFlushBytes = 1 << 16;
    static constexpr std::size_t kReportEvents = 1 << 12;

    Result<void> flush() {
        out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
        line_.clear();
        return out_ ? Result<void>() : finishOutput(out_);
    }

    Result<void> writeEvent(EventIndex event) {
        const RecordRef record = store_.record(event);
        losses_.take(record.stream, store_.cpu(event), store_.time(event),
                     [&](const LossRow& loss) { appendLoss(loss); });
        appendBuffer(record.stream);
        appendTask(event);
        const auto letters = flagLetters(store_.flags(event), store_.preemptCount(event));
        fmt::format_to(std::back_inserter(line_), " [{:03}] {} ", store_.cpu(event),
                       std::string_view(letters.data(), letters.size()));
        appendTime(record.stream, store_.time(event));
        const std::string& name = store_.types()[store_.type(event).index()].name;
        const std::size_t begin = line_.size();
        appendVisible(name, line_);
        line_ += ':';
        constexpr std::size_t kNameWidth = 22; // as trace-cmd aligns the texts
        const std::size_t used = line_.size() - begin;
        line_.append(used < kNameWidth ? kNameWidth - used : 1, ' ');
        TRY(appendText(record));
        line_ += '\n';
        return {};
    }

    Result<void> appendText(RecordRef record) {
        text_.clear();
        TRY(trace_.source->appendText(record, text_));
        appendVisible(text_, line_);
        return {};
    }

    void appendBuffer(StreamId stream) {
        if (bufferWidth_ == 0)
            return;
        const std::size_t begin = line_.size();
        const std::string& name = store_.streams()[stream.index()].name;
        appendVisible(name, line_);
        line_ += name.empty() ? "" : ":";
        const std::size_t used = line_.size() - begin;
        line_.append(used < bufferWidth_ ? bufferWidth_ - used : 0, ' ');
    }

    /// "comm-pid", the name that the thread had then.
    void appendTask(EventIndex event) {
        const ThreadId thread = store_.thread(event);
        const std::size_t begin = line_.size();
        appendVisible(nameAt(thread, store_.time(event)), line_);
        constexpr std::size_t kTaskWidth = 16;
        const std::size_t used = line_.size() - begin;
        line_.insert(begin, used < kTaskWidth ? kTaskWidth - used : 0, ' ');
        fmt::format_to(std::back_inserter(line_), "-{:<5}", store_.tid(event));
    }
    std::string_view nameAt(ThreadId thread, std::int64_t time) const {
        if (!thread.valid())
            return "<...>";
        const ThreadInfo& info = store_.threads()[thread];
        if (info.isIdle())
            return "<idle>";
        // A name is known backwards too: what it was called first, it was called before.
        StringId name = info.names.empty() ? info.name : info.names.front().name;
        for (const NameChange& change : info.names)
            if (change.time <= time)
                name = change.name;
        return name.valid() ? store_.text(name) : "<...>";
    }

    void appendTime(StreamId stream, std::int64_t time) {
        auto out = std::back_inserter(line_);
        constexpr std::uint64_t kSecond = 1'000'000'000;
        const bool negative = time < 0;
        const std::uint64_t size =
            negative ? 0 - static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
        if (store_.streams()[stream.index()].clock.unit == ClockUnit::Ticks)
            fmt::format_to(out, "{:>15}: ", time);
        else
            fmt::format_to(
                out, "{:>5}.{:09}: ", fmt::format("{}{}", negative ? "-" : "", size / kSecond),
                size % kSecond);
    }

    void appendLoss(const LossRow& loss) {
        appendBuffer(loss.stream);
        if (loss.count)
            fmt::format_to(std::back_inserter(line_), "CPU:{} [LOST {} EVENTS]\n", loss.cpu,
                           *loss.count);
        else
            fmt::format_to(std::back_inserter(line_), "CPU:{} [LOST EVENTS]\n", loss.cpu);
    }

    const LoadedTrace& trace_;
    const TraceStore& store_;
    std::ostream& out_;
    PendingLosses losses_;
    std::size_t bufferWidth_ = 0; ///< 0: one buffer, which is not named
    std::string line_;
    std::string text_;
};

} // namespace

Result<void> writeEventLines(const LoadedTrace& trace, const JobContext& job, std::ostream& out) {
    if (trace.source == nullptr)
        return std::unexpected(Error{ErrorCode::Unavailable,
                                     "the text of events is only in the file they came from",
                                     trace.info.path, "open the file itself"});
    TRY(LineWriter(trace, out).write(job));
    return finishOutput(out);
}

} // namespace inversight
