// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/session/event_list.h"

#include "core/base/time_format.h"
#include "trace/view/range_figures.h"

#include <QMetaObject>
#include <algorithm>

namespace inversight {

namespace {

constexpr std::size_t kFirstBatch = 4096;
constexpr std::size_t kLargestBatch = std::size_t{1} << 18;
constexpr std::size_t kStopEvery = 1024;

EventFilter::TextOf textOf(const LoadedTrace& trace) {
    return [&trace](EventIndex event, std::string& out) {
        // A record that cannot be printed has no text.
        if (trace.source)
            (void)trace.source->appendText(trace.store->record(event), out);
    };
}

} // namespace

QString EventLine::joined() const {
    return QStringList{time, cpu, thread, name, text}.join(QLatin1Char('\t'));
}

EventList::~EventList() {
    scanner_.request_stop();
    finder_.request_stop();
}

void EventList::stopScan() {
    scanner_.request_stop();
    ++generation_;
    scanning_ = false;
}

void EventList::setTrace(std::shared_ptr<const LoadedTrace> trace) {
    stopScan();
    ++search_;
    finder_.request_stop();
    trace_ = std::move(trace);
    filtered_ = false;
    expression_.clear();
    matching_.clear();
    emit rowsChanged();
}

std::optional<EventFilter> EventList::parse(const QString& expression) {
    auto filter = EventFilter::parse(expression.toStdString(), *trace_->store);
    if (!filter) {
        emit failed(QString::fromStdString(filter.error().sentence()));
        return std::nullopt;
    }
    return *std::move(filter);
}

void EventList::setFilter(const QString& expression) {
    if (!trace_)
        return;
    std::optional<EventFilter> filter = parse(expression);
    if (!filter)
        return;
    stopScan();
    expression_ = expression;
    matching_.clear();
    filtered_ = !filter->everything();
    emit rowsChanged();
    if (!filtered_) {
        emit scanned();
        return;
    }
    scanning_ = true;
    scanner_ = std::jthread([this, generation = generation_, trace = trace_,
                             filter = *std::move(filter)](const std::stop_token& stop) {
        const EventFilter::TextOf text = textOf(*trace);
        const std::size_t count = trace->store->eventCount();
        std::size_t batch = kFirstBatch;
        for (std::size_t begin = 0; begin < count || begin == 0;) {
            std::vector<std::uint32_t> found;
            const std::size_t end = std::min(begin + batch, count);
            for (std::size_t i = begin; i < end; ++i) {
                if (i % kStopEvery == 0 && stop.stop_requested())
                    return;
                const auto index = static_cast<std::uint32_t>(i);
                if (filter.matches(EventIndex{index}, text))
                    found.push_back(index);
            }
            const bool last = end == count;
            if (!found.empty() || last)
                QMetaObject::invokeMethod(
                    this,
                    [this, generation, last, found = std::move(found)]() mutable {
                        append(generation, std::move(found), last);
                    },
                    Qt::QueuedConnection);
            if (last)
                return;
            begin = end;
            batch = std::min(batch * 2, kLargestBatch);
        }
    });
}

void EventList::append(std::uint64_t generation, std::vector<std::uint32_t> events, bool last) {
    if (generation != generation_)
        return;
    matching_.insert(matching_.end(), events.begin(), events.end());
    scanning_ = !last;
    emit rowsChanged();
    if (last)
        emit scanned();
}

std::size_t EventList::rowCount() const {
    if (!trace_)
        return 0;
    return filtered_ ? matching_.size() : trace_->store->eventCount();
}

EventIndex EventList::event(std::size_t row) const {
    return EventIndex{filtered_ ? matching_[row] : static_cast<std::uint32_t>(row)};
}

std::size_t EventList::rowAt(std::int64_t time) const {
    if (!trace_)
        return 0;
    const std::size_t first = firstEventAt(*trace_->store, time);
    if (!filtered_)
        return first;
    return static_cast<std::size_t>(std::lower_bound(matching_.begin(), matching_.end(), first) -
                                    matching_.begin());
}

EventLine EventList::line(std::size_t row) const {
    const TraceStore& store = *trace_->store;
    const EventIndex index = event(row);
    const std::int64_t offset = store.time(index) - store.range().begin;
    const auto& streams = store.streams();
    const bool ticks = !streams.empty() && streams.front().clock.unit == ClockUnit::Ticks;
    const ThreadId thread = store.thread(index);
    const std::string name = thread.valid() ? store.threadName(thread) : "<...>";
    EventLine line;
    line.time = ticks ? QString::number(offset) : QString::fromStdString(formatSeconds(offset));
    line.cpu = QString::number(store.cpu(index));
    line.thread = QStringLiteral("%1 (%2)").arg(QString::fromStdString(name)).arg(store.tid(index));
    line.name = QString::fromStdString(store.types()[store.type(index).index()].name);
    std::string text;
    textOf (*trace_)(index, text);
    line.text = QString::fromStdString(text).replace(QLatin1Char('\n'), QStringLiteral("\\n"));
    return line;
}

void EventList::find(const QString& expression, std::size_t row, Direction direction) {
    std::optional<EventFilter> filter = trace_ ? parse(expression) : std::nullopt;
    if (!filter || rowCount() == 0)
        return;
    finder_.request_stop();
    const std::uint64_t search = ++search_;
    // The rows as they are now; a filter's rows are copied.
    auto rows = filtered_ ? std::make_shared<const std::vector<std::uint32_t>>(matching_) : nullptr;
    finder_ = std::jthread([this, search, trace = trace_, rows, row, direction, count = rowCount(),
                            filter = *std::move(filter)](const std::stop_token& stop) {
        const EventFilter::TextOf text = textOf(*trace);
        const auto step = direction == Direction::Forward ? 1 : -1;
        auto at = static_cast<std::ptrdiff_t>(row) + step;
        bool hit = false;
        for (; at >= 0 && at < static_cast<std::ptrdiff_t>(count); at += step) {
            if (at % static_cast<std::ptrdiff_t>(kStopEvery) == 0 && stop.stop_requested())
                return;
            const auto place = static_cast<std::size_t>(at);
            const EventIndex index{rows ? (*rows)[place] : static_cast<std::uint32_t>(place)};
            if ((hit = filter.matches(index, text)))
                break;
        }
        QMetaObject::invokeMethod(
            this,
            [this, search, hit, at] {
                if (search != search_)
                    return;
                if (hit)
                    emit found(static_cast<qulonglong>(at));
                else
                    emit notFound();
            },
            Qt::QueuedConnection);
    });
}

} // namespace inversight
