// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/focus_range.h"

#include "trace/view/time_scale.h"

#include <algorithm>
#include <tuple>

namespace inversight {

namespace {

/// When operations ended, ascending.
std::vector<std::int64_t> operationEnds(const TrackInputs& inputs, const Latency* latency) {
    std::vector<std::int64_t> ends;
    if (latency) {
        for (const ThreadLatency& thread : latency->threads) {
            for (const Operation& operation : thread.operations)
                ends.push_back(operation.range.end);
        }
    }
    if (ends.empty() && inputs.ownership) {
        for (const LockHold& hold : inputs.ownership->holds)
            ends.push_back(hold.range.end);
    }
    std::sort(ends.begin(), ends.end());
    return ends;
}

/// How long `count` operations usually take: the median over the trace. 0 where it has fewer.
std::int64_t usualLength(const std::vector<std::int64_t>& ends, std::size_t count) {
    std::vector<std::int64_t> lengths;
    for (std::size_t i = count; i < ends.size(); ++i)
        lengths.push_back(ends[i] - ends[i - count]);
    if (lengths.empty())
        return 0;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    return *middle;
}

/// The boosts that count, by begin.
std::vector<TimeRange> boostRanges(const Boosts* boosts) {
    std::vector<TimeRange> real;
    std::vector<TimeRange> nominal;
    if (boosts) {
        for (const Boost& boost : boosts->boosts)
            (boost.nominal ? nominal : real).push_back(boost.range);
    }
    return real.empty() ? nominal : real;
}

struct BoostWindow {
    std::size_t first = 0;
    std::size_t count = 0;
};

/// The `length` long window, beginning with a boost, in which most time is boosted; no boost counts
/// for more than a quarter of the window, so that many beat a single long one. A boost longer than
/// the window stands alone.
BoostWindow densestWindow(const std::vector<TimeRange>& boosts, std::int64_t length) {
    const auto worth = [&](std::size_t i) {
        return length > 0 ? std::min(boosts[i].length(), length / 4) : boosts[i].length();
    };
    BoostWindow best;
    std::int64_t bestWorth = -1;
    std::int64_t sum = 0; // of [first, end)
    std::size_t end = 0;
    for (std::size_t first = 0; first < boosts.size(); ++first) {
        if (end == first)
            sum = worth(end++);
        while (end < boosts.size() && boosts[end].end <= boosts[first].begin + length)
            sum += worth(end++);
        if (sum > bestWorth) {
            bestWorth = sum;
            best = {first, end - first};
        }
        sum -= worth(first);
    }
    return best;
}

TimeRange padded(TimeRange range, std::int64_t length) {
    const std::int64_t rest = std::max<std::int64_t>(length - range.length(), 0);
    return {range.begin - rest / 2, range.end + (rest - rest / 2)};
}

const LockWait* longestWait(const LockWaits* waits) {
    if (!waits)
        return nullptr;
    const auto worth = [](const LockWait& wait) {
        // What a marker names is what the trace was made for; a program's other futexes are not.
        return std::make_tuple(wait.source == LockSource::Marker, wait.endSeen, wait.contended,
                               wait.range.length());
    };
    const auto best =
        std::max_element(waits->waits.begin(), waits->waits.end(),
                         [&](const LockWait& a, const LockWait& b) { return worth(a) < worth(b); });
    return best == waits->waits.end() ? nullptr : &*best;
}

} // namespace

FocusRange findFocus(const TrackInputs& inputs, const Latency* latency,
                     std::size_t operationCount) {
    TimeRange whole = inputs.store->range();
    whole.end = std::max(whole.end, whole.begin + 1);
    const std::int64_t usual = usualLength(operationEnds(inputs, latency), operationCount);
    FocusRange focus{.range = whole, .thread = {}};
    if (const std::vector<TimeRange> boosts = boostRanges(inputs.boosts.get()); !boosts.empty()) {
        const BoostWindow window = densestWindow(boosts, usual);
        const TimeRange span = {boosts[window.first].begin,
                                boosts[window.first + window.count - 1].end};
        focus.reason = FocusRange::Reason::Boosts;
        focus.boostCount = window.count;
        focus.range = usual > span.length() ? padded(span, usual) : frameRange(span);
    } else if (const LockWait* wait = longestWait(inputs.waits.get())) {
        focus.reason = FocusRange::Reason::Wait;
        focus.thread = wait->thread;
        focus.range = padded(frameRange(wait->range), usual);
    }
    focus.range = clampRange(focus.range, whole, 1);
    return focus;
}

} // namespace inversight
