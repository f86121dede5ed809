// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/lane_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <set>

namespace inversight {

namespace {

/// Data of the entry that asks for nothing.
QVariant anything() {
    return QVariant();
}

std::optional<std::int32_t> chosenNumber(const QComboBox& box) {
    const QVariant data = box.currentData();
    return data.isValid() ? std::optional(data.toInt()) : std::nullopt;
}

void chooseNumber(QComboBox& box, std::optional<std::int32_t> number) {
    box.setCurrentIndex(number ? std::max(box.findData(*number), 0) : 0);
}

} // namespace

LaneBar::LaneBar(TimelineState& state, QWidget* parent)
    : QToolBar(tr("Lanes"), parent), state_(state), text_(new QLineEdit), class_(new QComboBox),
      cpu_(new QComboBox), process_(new QComboBox), grouping_(new QComboBox),
      inverted_(new QCheckBox(tr("In an inversion"))), measures_(new QLabel) {
    setObjectName(QStringLiteral("lanes"));
    setMovable(false);
    text_->setPlaceholderText(tr("Filter lanes"));
    text_->setClearButtonEnabled(true);
    class_->addItem(tr("Any priority"), anything());
    class_->addItem(tr("Real time"), static_cast<int>(PriorityClass::RealTime));
    class_->addItem(tr("Deadline"), static_cast<int>(PriorityClass::Deadline));
    class_->addItem(tr("Fair"), static_cast<int>(PriorityClass::Fair));
    cpu_->addItem(tr("Any CPU"), anything());
    process_->addItem(tr("Any process"), anything());
    grouping_->addItems({tr("Grouped by kind"), tr("Grouped by process"), tr("Grouped by lock")});
    const auto add = [this](QWidget* widget, const QString& name) {
        widget->setAccessibleName(name);
        widget->setToolTip(name);
        addWidget(widget);
    };
    add(text_, tr("Part of a lane's name, class or id"));
    add(class_, tr("Priority class of threads"));
    add(cpu_, tr("Threads that ran on a CPU"));
    add(process_, tr("Threads of a process"));
    add(inverted_, tr("Threads that take part in an inversion"));
    add(grouping_, tr("How lanes are grouped"));
    addSeparator();
    add(measures_, tr("What is shown, and the markers' difference"));
    connect(text_, &QLineEdit::textChanged, this, &LaneBar::apply);
    for (QComboBox* box : {class_, cpu_, process_, grouping_})
        connect(box, &QComboBox::currentIndexChanged, this, &LaneBar::apply);
    connect(inverted_, &QCheckBox::toggled, this, &LaneBar::apply);
    connect(&state_.lanes, &LaneState::changed, this, &LaneBar::show);
    connect(&state_.view, &ViewState::visibleChanged, this, &LaneBar::updateMeasures);
    connect(&state_.marks, &TimelineMarks::changed, this, &LaneBar::updateMeasures);
    connect(&state_.selection, &SelectionState::changed, this, &LaneBar::updateMeasures);
}

void LaneBar::setModel(std::shared_ptr<const TrackModel> model) {
    model_ = std::move(model);
    showing_ = true;
    cpu_->clear();
    process_->clear();
    cpu_->addItem(tr("Any CPU"), anything());
    process_->addItem(tr("Any process"), anything());
    std::set<std::int32_t> processes;
    for (std::size_t lane = 0; model_ && lane < model_->laneCount(); ++lane) {
        const LaneInfo& info = model_->lane(lane);
        if (info.kind == LaneKind::Cpu)
            cpu_->addItem(tr("CPU %1").arg(info.cpu), info.cpu);
        else if (info.kind == LaneKind::Thread && info.process >= 0)
            processes.insert(info.process);
    }
    for (const std::int32_t process : processes)
        process_->addItem(tr("Process %1").arg(process), process);
    inverted_->setEnabled(model_ && !model_->inversions().empty());
    showing_ = false;
    show();
    updateMeasures();
}

void LaneBar::focusFilter() {
    text_->setFocus(Qt::ShortcutFocusReason);
    text_->selectAll();
}

void LaneBar::apply() {
    if (showing_)
        return;
    LaneSettings settings = state_.lanes.settings();
    settings.filter.text = text_->text().toStdString();
    const auto wantedClass = chosenNumber(*class_);
    settings.filter.priorityClass =
        wantedClass ? std::optional(static_cast<PriorityClass>(*wantedClass)) : std::nullopt;
    settings.filter.cpu = chosenNumber(*cpu_);
    settings.filter.process = chosenNumber(*process_);
    settings.filter.invertedOnly = inverted_->isChecked();
    settings.grouping = static_cast<LaneGrouping>(grouping_->currentIndex());
    state_.lanes.setSettings(std::move(settings));
}

void LaneBar::show() {
    if (showing_)
        return;
    showing_ = true;
    const LaneSettings& settings = state_.lanes.settings();
    if (text_->text().toStdString() != settings.filter.text)
        text_->setText(QString::fromStdString(settings.filter.text));
    const auto wantedClass = settings.filter.priorityClass;
    chooseNumber(*class_, wantedClass ? std::optional(static_cast<std::int32_t>(*wantedClass))
                                      : std::nullopt);
    chooseNumber(*cpu_, settings.filter.cpu);
    chooseNumber(*process_, settings.filter.process);
    inverted_->setChecked(settings.filter.invertedOnly);
    grouping_->setCurrentIndex(static_cast<int>(settings.grouping));
    showing_ = false;
}

QString LaneBar::measures() const {
    return measures_->text();
}

void LaneBar::updateMeasures() {
    if (!model_) {
        measures_->clear();
        return;
    }
    const auto span = [this](std::int64_t length) {
        return QString::fromStdString(formatSpan(length, model_->clockUnit()));
    };
    const TimeRange visible = state_.view.visible();
    QStringList parts{
        tr("%1 from %2")
            .arg(span(visible.length()), span(visible.begin - model_->wholeRange().begin))};
    if (const auto difference = state_.marks.difference())
        parts << tr("B - A: %1").arg(span(*difference));
    if (const auto& range = state_.selection.range())
        parts << tr("selected: %1").arg(span(range->length()));
    measures_->setText(parts.join(QStringLiteral("   ")));
}

} // namespace inversight
