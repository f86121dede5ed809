// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/models/table_words.h"

#include "core/base/time_format.h"
#include "trace/view/thread_lane.h"
#include "trace/view/time_scale.h"
#include "ui/models/result_tables.h"

namespace inversight {

ClockUnit TableWords::unit() const {
    const auto streams = inputs_.store->streams();
    return streams.empty() ? ClockUnit::Nanoseconds : streams.front().clock.unit;
}

QString TableWords::time(std::int64_t time) const {
    const std::int64_t offset = time - inputs_.store->range().begin;
    return QString::fromStdString(unit() == ClockUnit::Nanoseconds ? formatSeconds(offset)
                                                                   : formatSpan(offset, unit()));
}

QString TableWords::span(std::int64_t length) const {
    return QString::fromStdString(formatSpan(length, unit()));
}

QString TableWords::thread(ThreadId thread) const {
    if (!thread.valid())
        return tableWords("not known");
    return QStringLiteral("%1 (%2)")
        .arg(QString::fromStdString(inputs_.store->threadName(thread)))
        .arg(inputs_.store->threads()[thread].tid);
}

QString TableWords::lock(LockId lock) const {
    const std::string name = lockNameOf(inputs_, lock);
    return name.empty() ? tableWords("not known") : QString::fromStdString(name);
}

TableColumn textColumn(QString title, std::function<QString(std::size_t)> text) {
    return {std::move(title), TableColumn::Kind::Text, std::move(text), {}};
}

TableColumn numberColumn(QString title, std::function<QString(std::size_t)> text,
                         std::function<std::int64_t(std::size_t)> key) {
    return {std::move(title), TableColumn::Kind::Number, std::move(text), std::move(key)};
}

} // namespace inversight
