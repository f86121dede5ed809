// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/inspector.h"

#include "trace/view/range_figures.h"
#include "trace/view/state_look.h"
#include "ui/session/trace_facts.h"
#include "ui/timeline/hit_text.h"

#include <QLabel>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

namespace inversight {

namespace {

QString spanText(const TrackModel& model, std::int64_t length) {
    return QString::fromStdString(formatSpan(length, model.clockUnit()));
}

/// The figures of a range change with every pixel of a drag: they are made when it rests.
constexpr int kRestMs = 60;

} // namespace

Inspector::Inspector(TimelineState& state, QWidget* parent)
    : QWidget(parent), state_(state), theme_(&Theme::of(ThemeKind::Light)), text_(new QLabel),
      partsTitle_(new QLabel), parts_(new PartsBar) {
    auto* inner = new QWidget;
    auto* column = new QVBoxLayout(inner);
    column->addWidget(text_);
    column->addWidget(partsTitle_);
    column->addWidget(parts_);
    column->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(inner);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
    for (QLabel* label : {text_, partsTitle_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::RichText);
        label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    }
    text_->setAccessibleName(tr("What is selected"));
    connect(text_, &QLabel::linkActivated, this, &Inspector::follow);
    auto* rest = new QTimer(this);
    rest->setSingleShot(true);
    connect(rest, &QTimer::timeout, this, &Inspector::refresh);
    connect(&state_.selection, &SelectionState::changed, this, [this, rest] {
        if (state_.selection.range())
            rest->start(kRestMs);
        else
            refresh();
    });
    refresh();
}

void Inspector::setTheme(const Theme& theme) {
    theme_ = &theme;
    parts_->setTheme(theme);
    refresh(); // links carry their colour
}

void Inspector::setModel(std::shared_ptr<const TrackModel> model,
                         std::shared_ptr<const Latency> latency) {
    model_ = std::move(model);
    latency_ = std::move(latency);
    refresh();
}

QString Inspector::text() const {
    return text_->text();
}

void Inspector::refresh() {
    partsTitle_->clear();
    parts_->setParts({}, ClockUnit::Nanoseconds);
    if (model_ && state_.selection.item())
        showItem(*state_.selection.item());
    else if (model_ && state_.selection.range())
        showRange(*state_.selection.range());
    else
        text_->setText(tr("Nothing is selected.<br><br>Click a bar to see everything about it, or "
                          "drag over the timeline to measure a range."));
}

QString Inspector::threadLink(ThreadId thread, std::int64_t time, const QString& what) const {
    return QStringLiteral("<a href=\"%1:%2\" style=\"color:%3\">%4</a>")
        .arg(thread.value)
        .arg(time)
        .arg(theme_->colours.accent.name(),
             what.arg(QString::fromStdString(model_->threadName(thread)).toHtmlEscaped()));
}

void Inspector::follow(const QString& link) {
    const QStringList parts = link.split(QLatin1Char(':'));
    if (parts.size() == 2)
        emit threadWanted(ThreadId{parts[0].toUInt()}, parts[1].toLongLong());
}

QString Inspector::links(const TrackHit& item) const {
    QStringList lines;
    const std::int64_t begin = item.range().begin;
    const auto add = [&](ThreadId thread, const QString& what) {
        if (thread.valid() && model_->laneOf(thread))
            lines << threadLink(thread, begin, what);
    };
    if (const auto* wait = item.as<LockWait>())
        add(wait->owner, tr("Go to the owner, %1"));
    if (const auto* boost = item.as<Boost>())
        add(boost->donor, tr("Go to the donor, %1"));
    if (const auto* queue = item.as<LockQueue>()) {
        for (const ThreadId waiter : queue->waiters)
            add(waiter, tr("Go to %1, who waits"));
    }
    if (item.as<ThreadStateInterval>() == nullptr || lines.isEmpty())
        add(item.thread, tr("Go to %1"));
    return lines.join(QStringLiteral("<br>"));
}

void Inspector::showItem(const TrackHit& item) {
    text_->setText(hitText(*model_, item) + QStringLiteral("<br><br>") + links(item));
    const LockWait* wait = item.as<LockWait>();
    const auto* state = item.as<ThreadStateInterval>();
    const auto lane = model_->laneOf(item.thread);
    if (!wait && state && state->state == ThreadState::BlockedLock && lane)
        wait = model_->waitAt(*lane, state->range.begin);
    if (wait && wait->owner.valid())
        showParts(
            wait->owner, wait->range,
            tr("<b>Meanwhile the owner, %1:</b>")
                .arg(QString::fromStdString(model_->threadName(wait->owner)).toHtmlEscaped()));
    else if (state && state->state == ThreadState::Unknown && lane)
        showParts(item.thread, item.range(), tr("<b>What it consists of:</b>"));
}

void Inspector::showParts(ThreadId thread, TimeRange range, const QString& title) {
    const auto lane = model_->laneOf(thread);
    if (!lane)
        return;
    const ThreadLane::StateTotals totals = model_->stateTotals(*lane, range);
    std::vector<TimePart> parts;
    for (std::size_t i = 0; i < totals.size(); ++i) {
        const auto state = static_cast<ThreadState>(i);
        const StateLook& look = stateLook(state);
        parts.push_back(
            {look.role, look.shape.value_or(RectShape::Outline), stateWords(state), totals[i]});
    }
    partsTitle_->setText(title);
    parts_->setParts(std::move(parts), model_->clockUnit());
}

void Inspector::showRange(TimeRange range) {
    const RangeFigures figures = rangeFigures(*model_, latency_.get(), range);
    QString html = tr("<b>Range of %1</b> (%2 ns)<br>%3 events, %4 boosts, %5 lock waits")
                       .arg(spanText(*model_, range.length()))
                       .arg(range.length())
                       .arg(groupDigits(figures.eventCount), groupDigits(figures.boostCount),
                            groupDigits(figures.waitCount));
    if (figures.waitCount > 0)
        html += tr("<br>longest wait %1").arg(spanText(*model_, figures.longestWait));
    for (const ThreadFigures& thread : figures.threads) {
        html += QStringLiteral("<br><br><b>%1</b>")
                    .arg(QString::fromStdString(thread.name).toHtmlEscaped());
        for (std::size_t i = 0; i < thread.states.size(); ++i) {
            if (thread.states[i] > 0)
                html += QStringLiteral("<br>%1 %2")
                            .arg(spanText(*model_, thread.states[i]),
                                 stateWords(static_cast<ThreadState>(i)));
        }
        if (thread.latency)
            html += tr("<br>%1 operations: avg %2, p99 %3, max %4")
                        .arg(groupDigits(thread.latency->count),
                             spanText(*model_, thread.latency->average),
                             spanText(*model_, thread.latency->p99),
                             spanText(*model_, thread.latency->max));
    }
    text_->setText(html);
}

} // namespace inversight
