// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/trace_page.h"

#include "trace/view/focus_range.h"
#include "ui/timeline/lane_header.h"

#include <QPainter>
#include <QVBoxLayout>

namespace inversight {

TraceHeader::TraceHeader(QWidget* parent) : QWidget(parent), theme_(&Theme::of(ThemeKind::Light)) {
    setFixedHeight(theme_->sizes.header);
}

void TraceHeader::setTheme(const Theme& theme) {
    theme_ = &theme;
    setFixedHeight(theme.sizes.header);
    update();
}

void TraceHeader::setFacts(TraceFacts facts) {
    facts_ = std::move(facts);
    setToolTip(facts_.warnings.join(QLatin1Char('\n')));
    update();
}

void TraceHeader::setBoosts(const QString& statement, bool any) {
    boosts_ = statement;
    anyBoosts_ = any;
    update();
}

void TraceHeader::setFocusNote(const QString& note) {
    focus_ = note;
    update();
}

void TraceHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColours& colours = theme_->colours;
    painter.fillRect(rect(), colours.panel);
    const QRect inner = rect().adjusted(theme_->sizes.margin, theme_->sizes.spacing,
                                        -theme_->sizes.margin, -theme_->sizes.spacing);
    const QRect firstLine(inner.left(), inner.top(), inner.width(), inner.height() / 2);
    const QRect secondLine(inner.left(), firstLine.bottom() + 1, inner.width(), inner.height() / 2);

    painter.setFont(theme_->font(theme_->sizes.bodyFont, QFont::DemiBold));
    int right = firstLine.right();
    if (!facts_.losses.isEmpty())
        right = paintChip(painter, *theme_, firstLine, right, facts_.losses,
                          facts_.incomplete ? colours.danger : colours.chip,
                          facts_.incomplete ? colours.dangerText : colours.chipText) -
                theme_->sizes.spacing;
    if (!boosts_.isEmpty()) {
        const RoleStyle& boost = theme_->role(ThemeRole::BoostTick);
        right = paintChip(painter, *theme_, firstLine, right, boosts_,
                          anyBoosts_ ? boost.fill : colours.chip,
                          anyBoosts_ ? boost.text : colours.chipText) -
                theme_->sizes.spacing;
    }
    const auto draw = [&](const QRect& line, int width, const QFont& font, const QColor& ink,
                          const QString& text) {
        painter.setFont(font);
        painter.setPen(ink);
        painter.drawText(QRect(line.left(), line.top(), width, line.height()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(font).elidedText(text, Qt::ElideRight, width));
    };
    draw(firstLine, right - inner.left(), theme_->font(theme_->sizes.titleFont, QFont::Bold),
         colours.text, facts_.title);
    QStringList parts{facts_.events, facts_.clock, focus_, facts_.system};
    parts.removeAll(QString());
    draw(secondLine, inner.width(), theme_->font(theme_->sizes.bodyFont), colours.mutedText,
         parts.join(QStringLiteral("   \u00b7   ")));
    painter.setPen(colours.separator);
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

TracePage::TracePage(QWidget* parent)
    : QWidget(parent), header_(new TraceHeader(this)), overview_(new OverviewStrip(state_, this)),
      tracks_(new TrackView(state_, this)), legend_(new Legend(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(header_);
    column->addWidget(overview_);
    column->addWidget(tracks_, 1);
    column->addWidget(legend_);
    connect(&state_.view, &ViewState::visibleChanged, this, &TracePage::dropFocusNote);
}

void TracePage::setTheme(const Theme& theme) {
    header_->setTheme(theme);
    overview_->setTheme(theme);
    tracks_->setTheme(theme);
    legend_->setTheme(theme);
}

void TracePage::setFacts(TraceFacts facts) {
    header_->setFacts(std::move(facts));
}

void TracePage::setBoosts(const Boosts* boosts) {
    header_->setBoosts(boostStatement(boosts), boosts && !boosts->boosts.empty());
}

void TracePage::setModel(const std::shared_ptr<const TrackModel>& model, const Latency* latency) {
    const std::shared_ptr<const TrackModel> before = tracks_->model();
    const bool sameTrace = model && before && before->inputs().store == model->inputs().store;
    const bool untouched = sameTrace && state_.view.visible() == focus_;
    tracks_->setModel(model);
    overview_->setModel(model);
    if (!model || (sameTrace && !untouched))
        return;
    header_->setFocusNote({});
    showFocus(*model, latency);
}

void TracePage::showFocus(const TrackModel& model, const Latency* latency) {
    const FocusRange focus = findFocus(model.inputs(), latency);
    state_.view.reset(model.wholeRange(), focus.range);
    focus_ = state_.view.visible();
    if (focus.reason == FocusRange::Reason::Boosts)
        header_->setFocusNote(
            focus.boostCount == 1
                ? tr("shown: around a boost")
                : tr("shown: where %1 boosts are close together").arg(focus.boostCount));
    else if (focus.reason == FocusRange::Reason::Wait)
        header_->setFocusNote(tr("shown: around the longest wait, of %1")
                                  .arg(QString::fromStdString(model.threadName(focus.thread))));
}

void TracePage::dropFocusNote() {
    if (state_.view.visible() != focus_)
        header_->setFocusNote({});
}

} // namespace inversight
