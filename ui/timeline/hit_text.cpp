// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/timeline/hit_text.h"

#include "core/base/time_format.h"
#include "ui/timeline/lane_header.h"

#include <QCoreApplication>
#include <QStringList>

namespace inversight {

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("HitText", text);
}
QString qt(const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped();
}

class Describer {
public:
    explicit Describer(const TrackModel& model, ThreadId thread) : model_(model), thread_(thread) {}

    QString operator()(std::monostate) const { return {}; }

    QString operator()(const ThreadStateInterval& state) const {
        QStringList lines{title(stateWords(state.state))};
        if (state.cpu >= 0)
            lines << words("on CPU %1").arg(state.cpu);
        if (state.state == ThreadState::BlockedLock)
            lines << waitLines(state.range.begin);
        return finish(lines, state.range);
    }
    QString operator()(const PriorityStep& step) const {
        QStringList lines{title(words("priority %1").arg(priority(step.effective)))};
        if (step.boosted())
            lines << words("boosted from %1").arg(priority(step.base));
        return finish(lines, step.range);
    }
    QString operator()(const Boost& boost) const {
        QStringList lines{title(
            words("boosted from %1 to %2").arg(priority(boost.fromPrio), priority(boost.toPrio)))};
        lines << words("because of %1").arg(nameOr(boost.donor, words("an unknown thread")));
        if (boost.lock.valid())
            lines << words("lock: %1").arg(qt(model_.lockName(boost.lock)));
        if (boost.nominal)
            lines << words("nominal: both priorities are fair ones, no scheduling effect");
        lines << words("evidence: %1").arg(QLatin1String(confidenceName(boost.confidence)));
        if (!boost.beginSeen)
            lines << words("began before the trace");
        if (!boost.endSeen)
            lines << words("did not end in the trace");
        return finish(lines, boost.range);
    }
    QString operator()(const LockHold& hold) const {
        QStringList lines{title(words("holds %1").arg(qt(model_.lockName(hold.lock))))};
        lines << words("evidence: %1, %2")
                     .arg(QLatin1String(ownerEvidenceName(hold.evidence)),
                          QLatin1String(confidenceName(hold.confidence)));
        if (!hold.endSeen)
            lines << words("did not end in the trace");
        return finish(lines, hold.range);
    }
    QString operator()(const LockWait& wait) const {
        QStringList lines{title(words("waits for %1").arg(qt(model_.lockName(wait.lock))))};
        lines << ownerLine(wait);
        if (!wait.endSeen)
            lines << words("did not end in the trace");
        else if (!wait.acquired)
            lines << words("given up");
        return finish(lines, wait.range);
    }
    QString operator()(const BusTransfer& transfer) const {
        const TraceStore& store = *model_.inputs().store;
        QStringList lines{
            title(words("transfer on %1").arg(qt(std::string(store.text(transfer.bus)))))};
        lines << qt(std::string(store.text(transfer.operation)));
        if (!transfer.endSeen)
            lines << words("did not end in the trace");
        return finish(lines, transfer.range);
    }

    QString operator()(const SchedRun& run) const {
        QStringList lines{title(words("runs on CPU %1").arg(run.cpu))};
        lines << words("priority %1").arg(priority(run.prio));
        if (!run.endSeen)
            lines << words("did not end in the trace");
        return finish(lines, run.range);
    }
    QString operator()(const LockQueue& queue) const {
        QStringList lines{QStringLiteral("<b>%1</b>: %2")
                              .arg(qt(model_.lockName(queue.lock)),
                                   queue.waiterCount == 1
                                       ? words("1 thread waits")
                                       : words("%1 threads wait").arg(queue.waiterCount))};
        QStringList names;
        for (const ThreadId waiter : queue.waiters)
            names << qt(model_.threadName(waiter));
        if (queue.waiterCount > queue.waiters.size())
            names << words("%1 more").arg(queue.waiterCount - queue.waiters.size());
        lines << names.join(words(", "));
        if (queue.urgent)
            lines << words("the first has a higher priority than the owner");
        return finish(lines, queue.range);
    }

private:
    [[nodiscard]] QString title(const QString& text) const {
        return QStringLiteral("<b>%1</b>: %2").arg(qt(model_.threadName(thread_)), text);
    }
    static QString priority(std::int32_t prio) {
        return QStringLiteral("%1 [%2]").arg(qt(formatKernelPriority(prio))).arg(prio);
    }
    [[nodiscard]] QString nameOr(ThreadId thread, const QString& otherwise) const {
        return thread.valid() ? qt(model_.threadName(thread)) : otherwise;
    }
    [[nodiscard]] QString ownerLine(const LockWait& wait) const {
        return wait.owner.valid() ? words("held by %1 (%2)")
                                        .arg(qt(model_.threadName(wait.owner)),
                                             QLatin1String(confidenceName(wait.confidence)))
               : wait.contended ? words("the owner is not known")
                                : words("nobody was seen to hold it");
    }
    [[nodiscard]] QStringList waitLines(std::int64_t time) const {
        const auto lane = model_.laneOf(thread_);
        const LockWait* wait = lane ? model_.waitAt(*lane, time) : nullptr;
        if (!wait)
            return {};
        return {words("lock: %1").arg(qt(model_.lockName(wait->lock))), ownerLine(*wait)};
    }
    [[nodiscard]] QString at(std::int64_t time) const {
        const std::int64_t offset = time - model_.inputs().store->range().begin;
        return model_.clockUnit() == ClockUnit::Nanoseconds
                   ? words("%1 s").arg(qt(formatSeconds(offset)))
                   : qt(formatSpan(offset, model_.clockUnit()));
    }
    [[nodiscard]] QString finish(QStringList lines, const TimeRange& range) const {
        const QString exact = model_.clockUnit() == ClockUnit::Nanoseconds
                                  ? words(" (%1 ns)").arg(range.length())
                                  : QString();
        lines << words("%1 to %2").arg(at(range.begin), at(range.end));
        lines << words("for %1%2").arg(qt(formatSpan(range.length(), model_.clockUnit())), exact);
        return lines.join(QStringLiteral("<br>"));
    }

    const TrackModel& model_;
    ThreadId thread_;
};

} // namespace

QString stateWords(ThreadState state) {
    switch (state) {
    case ThreadState::Running:
        return words("running");
    case ThreadState::RunnableWoken:
        return words("woken, waits for a CPU");
    case ThreadState::RunnablePreempted:
        return words("preempted, waits for a CPU");
    case ThreadState::BlockedLock:
        return words("blocked on a lock");
    case ThreadState::Wire:
        return words("waits for the bus transfer");
    case ThreadState::Sleeping:
        return words("sleeping");
    case ThreadState::Uninterruptible:
        return words("uninterruptible sleep");
    case ThreadState::Idle:
        return words("idle");
    case ThreadState::Stopped:
        return words("stopped");
    case ThreadState::Dead:
        return words("has ended");
    case ThreadState::Unknown:
        return words("state not known");
    }
    return {};
}

QString hitText(const TrackModel& model, const TrackHit& hit) {
    return std::visit(Describer(model, hit.thread), hit.item);
}

QString inversionText(const TrackModel& model, const InversionMark& mark) {
    QStringList lines{QStringLiteral("<b>%1</b>: %2")
                          .arg(qt(model.threadName(mark.victim)),
                               mark.unbounded ? words("unbounded priority inversion")
                                              : words("priority inversion"))};
    if (mark.responsible.valid())
        lines << words("because of %1").arg(qt(model.threadName(mark.responsible)));
    if (mark.lock.valid())
        lines << words("lock: %1").arg(qt(model.lockName(mark.lock)));
    lines << words("for %1").arg(qt(formatSpan(mark.range.length(), model.clockUnit())));
    return lines.join(QStringLiteral("<br>"));
}

QString laneText(const TrackModel& model, const LaneInfo& lane) {
    QStringList lines{QStringLiteral("<b>%1</b>").arg(laneName(lane).toHtmlEscaped())};
    const QString time = qt(formatSpan(lane.runningTime, model.clockUnit()));
    switch (lane.kind) {
    case LaneKind::Thread:
        lines << words("thread %1").arg(lane.tid);
        if (!lane.chip.empty())
            lines << qt(lane.chip);
        if (lane.process >= 0)
            lines << words("process %1").arg(lane.process);
        lines << words("ran for %1").arg(time);
        break;
    case LaneKind::Lock:
        lines << words("held %1 times, for %2").arg(lane.itemCount).arg(time);
        break;
    case LaneKind::Bus:
        lines << words("%1 transfers, %2 in all").arg(lane.itemCount).arg(time);
        break;
    case LaneKind::Cpu:
        lines << words("busy for %1").arg(time);
        break;
    }
    return lines.join(QStringLiteral("<br>"));
}

} // namespace inversight
