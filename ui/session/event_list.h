// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/trace_source.h"
#include "trace/view/event_filter.h"

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace inversight {

/// An event as a line of a table.
struct EventLine {
    QString time; ///< from the trace's first event
    QString cpu;
    QString thread;
    QString name;
    QString text;
    [[nodiscard]] QString joined() const;
};

/// The events of a trace, all of them or those that pass a filter, as rows. Scans run in a thread
/// of their own and deliver rows as they find them; the GUI thread never waits. Thread-bound (GUI).
class EventList final : public QObject {
    Q_OBJECT
public:
    enum class Direction { Forward, Backward };

    explicit EventList(QObject* parent = nullptr) : QObject(parent) {}
    ~EventList() override;

    void setTrace(std::shared_ptr<const LoadedTrace> trace);
    /// See EventFilter; "" for all events. A filter that cannot be read changes nothing.
    void setFilter(const QString& expression);
    [[nodiscard]] const QString& filter() const { return expression_; }

    [[nodiscard]] std::size_t rowCount() const;
    [[nodiscard]] EventIndex event(std::size_t row) const;
    /// The first row at or after `time`; rowCount() if there is none.
    [[nodiscard]] std::size_t rowAt(std::int64_t time) const;
    [[nodiscard]] EventLine line(std::size_t row) const;
    [[nodiscard]] bool scanning() const { return scanning_; }

    /// Looks for the next row that matches, behind or before `row`.
    void find(const QString& expression, std::size_t row, Direction direction);

signals:
    /// Other rows, or more of them.
    void rowsChanged();
    /// The scan is over.
    void scanned();
    void found(qulonglong row);
    void notFound();
    /// The expression cannot be read.
    void failed(const QString& sentence);

private:
    class Scan;
    [[nodiscard]] std::optional<EventFilter> parse(const QString& expression);
    void stopScan();
    void append(std::uint64_t generation, std::vector<std::uint32_t> events, bool last);

    std::shared_ptr<const LoadedTrace> trace_;
    QString expression_;
    bool filtered_ = false;
    bool scanning_ = false;
    std::vector<std::uint32_t> matching_; ///< while filtered
    std::uint64_t generation_ = 0;
    std::uint64_t search_ = 0;
    std::jthread scanner_;
    std::jthread finder_;
};

} // namespace inversight
