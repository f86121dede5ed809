// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/lane_spans.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace inversight {

namespace {

/// The span that shows before others: greatest kind, then latest begin.
struct ShowsLater {
    bool operator()(const LaneSpan& a, const LaneSpan& b) const {
        return std::tie(a.kind, a.range.begin, a.item) < std::tie(b.kind, b.range.begin, b.item);
    }
};

class Flattener {
public:
    void add(const LaneSpan& span) {
        showUntil(span.range.begin);
        open_.push(span);
    }
    std::vector<LaneSpan> finish() && {
        showUntil(INT64_MAX);
        return std::move(shown_);
    }

private:
    /// Emits what shows from `now_` up to `time`.
    void showUntil(std::int64_t time) {
        while (!open_.empty() && now_ < time) {
            const LaneSpan top = open_.top();
            const std::int64_t end = std::min(top.range.end, time);
            if (end > now_)
                emit(top, {std::max(now_, top.range.begin), end});
            if (top.range.end <= time)
                open_.pop();
            else
                break;
        }
        now_ = std::max(now_, time);
    }
    void emit(const LaneSpan& span, TimeRange range) {
        if (!shown_.empty() && shown_.back().range.end == range.begin &&
            shown_.back().item == span.item && shown_.back().kind == span.kind)
            shown_.back().range.end = range.end;
        else
            shown_.push_back({range, span.item, span.kind});
        now_ = range.end;
    }

    std::priority_queue<LaneSpan, std::vector<LaneSpan>, ShowsLater> open_;
    std::vector<LaneSpan> shown_;
    std::int64_t now_ = INT64_MIN;
};

} // namespace

std::vector<LaneSpan> flattenSpans(std::vector<LaneSpan> spans) {
    std::erase_if(spans, [](const LaneSpan& span) { return span.range.length() <= 0; });
    std::sort(spans.begin(), spans.end(),
              [](const LaneSpan& a, const LaneSpan& b) { return a.range.begin < b.range.begin; });
    Flattener flattener;
    for (const LaneSpan& span : spans)
        flattener.add(span);
    return std::move(flattener).finish();
}

} // namespace inversight
