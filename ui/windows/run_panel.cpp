// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/run_panel.h"

#include "core/base/time_format.h"

#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace inversight {

namespace {

constexpr int kMostLoops = 100'000'000;
constexpr double kMostSeconds = 86'400;
constexpr int kPoliciesShown = 5;

QString htmlOf(const ScenarioFacts& scenario) {
    return QStringLiteral("%1<br><br><small>%2</small>")
        .arg(scenario.description.toHtmlEscaped(), scenario.source.toHtmlEscaped());
}

/// A line per thread of each run: who waited how long.
QString resultText(const QJsonObject& document) {
    QString html;
    for (const QJsonValue& run : document[u"data"][u"runs"].toArray()) {
        html += QStringLiteral("<b>%1</b>").arg(run[u"policy"].toString().toHtmlEscaped());
        for (const QJsonValue& thread : run[u"threads"].toArray()) {
            const auto time = [&](const QString& key) {
                return QString::fromStdString(
                    formatDuration(thread[u"latency_ns"][key].toInteger()));
            };
            html += RunPanel::tr("<br>%1: avg %2, max %3")
                        .arg(thread[u"name"].toString().toHtmlEscaped(),
                             time(QStringLiteral("avg")), time(QStringLiteral("max")));
        }
        html += QStringLiteral("<br>");
    }
    return html;
}

} // namespace

RunPanel::RunPanel(QWidget* parent)
    : QWidget(parent), scenarios_(builtInScenarioFacts()), scenario_(new QComboBox),
      description_(new QLabel), policies_(new QListWidget), engine_(new QComboBox),
      loops_(new QSpinBox), seconds_(new QDoubleSpinBox), overrides_(new QTableWidget(0, 2)),
      output_(new QLineEdit(QDir::home().filePath(QStringLiteral("inversight-runs")))),
      status_(new JobStatus(tr("Start"))), result_(new QLabel) {
    auto* inner = new QWidget;
    auto* form = new QFormLayout(inner);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    const auto add = [form](const QString& label, QWidget* widget) {
        widget->setAccessibleName(label);
        form->addRow(label, widget);
    };
    add(tr("Scenario"), scenario_);
    form->addRow(description_);
    add(tr("Policies"), policies_);
    add(tr("Engine"), engine_);
    add(tr("Loops"), loops_);
    add(tr("Seconds"), seconds_);
    form->addRow(new QLabel(tr("Other values (edit to override)")));
    overrides_->setAccessibleName(tr("Values of the scenario"));
    form->addRow(overrides_);
    add(tr("Folder"), output_);
    form->addRow(status_);
    form->addRow(result_);
    auto* scroll = new QScrollArea;
    scroll->setWidget(inner);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(scroll);

    description_->setWordWrap(true);
    result_->setWordWrap(true);
    result_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (const ScenarioFacts& each : scenarios_)
        scenario_->addItem(each.name);
    engine_->addItem(tr("real threads where permitted"), QStringLiteral("auto"));
    engine_->addItem(tr("real threads"), QStringLiteral("real"));
    engine_->addItem(tr("virtual time"), QStringLiteral("virtual"));
    loops_->setRange(0, kMostLoops);
    loops_->setSpecialValueText(tr("as the scenario says"));
    seconds_->setRange(0, kMostSeconds);
    seconds_->setSpecialValueText(tr("as many loops as it takes"));
    overrides_->setHorizontalHeaderLabels({tr("Value of"), tr("is")});
    overrides_->horizontalHeader()->setStretchLastSection(true);
    overrides_->verticalHeader()->hide();
    overrides_->setTabKeyNavigation(false);
    fillPolicies();
    connect(scenario_, &QComboBox::currentIndexChanged, this, &RunPanel::showScenario);
    connect(status_, &JobStatus::startRequested, this, [this] {
        result_->clear();
        status_->job().start(runArguments(choice()));
    });
    connect(&status_->job(), &ChildJob::finished, this, &RunPanel::onFinished);
    chooseScenario(QStringLiteral("i2c-bus-2009"));
    showScenario();
}

RunPanel::~RunPanel() {
    lister_.disconnect(this);
    lister_.kill();
    lister_.waitForFinished();
}

/// The policies as the command-line program knows them.
void RunPanel::fillPolicies() {
    connect(&lister_, &QProcess::finished, this, [this] {
        const QJsonObject document =
            QJsonDocument::fromJson(lister_.readAllStandardOutput()).object();
        const QStringList chosen = choice().policies;
        policies_->clear();
        for (const QJsonValue& policy : document[u"data"][u"policies"].toArray()) {
            auto* item = new QListWidgetItem(policy[u"name"].toString(), policies_);
            item->setToolTip(policy[u"text"].toString());
        }
        choosePolicies(chosen);
    });
    for (const char* name : {"mutex-2009", "rt_mutex"})
        policies_->addItem(QLatin1String(name));
    choosePolicies({QStringLiteral("mutex-2009"), QStringLiteral("rt_mutex")});
    policies_->setFixedHeight(policies_->sizeHintForRow(0) * kPoliciesShown +
                              2 * policies_->frameWidth());
    if (!ChildJob::findProgram().isEmpty())
        lister_.start(ChildJob::findProgram(),
                      {QStringLiteral("list"), QStringLiteral("policies"),
                       QStringLiteral("--format"), QStringLiteral("json")});
}

void RunPanel::chooseScenario(const QString& name) {
    scenario_->setCurrentIndex(std::max(scenario_->findText(name), 0));
}

void RunPanel::choosePolicies(const QStringList& names) {
    for (const QString& name : names) {
        if (policies_->findItems(name, Qt::MatchExactly).isEmpty())
            policies_->addItem(name);
    }
    for (int i = 0; i < policies_->count(); ++i) {
        QListWidgetItem* item = policies_->item(i);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(names.contains(item->text()) ? Qt::Checked : Qt::Unchecked);
    }
}

void RunPanel::chooseEngine(const QString& name) {
    engine_->setCurrentIndex(std::max(engine_->findData(name), 0));
}

void RunPanel::setLoops(int loops) {
    loops_->setValue(loops);
}

void RunPanel::setOutput(const QString& folder) {
    output_->setText(folder);
}

void RunPanel::showScenario() {
    const int index = scenario_->currentIndex();
    if (index < 0)
        return;
    const ScenarioFacts& scenario = scenarios_[static_cast<std::size_t>(index)];
    description_->setText(htmlOf(scenario));
    const std::vector<ScenarioValue> values = scenarioValues(scenario.document);
    overrides_->setRowCount(static_cast<int>(values.size()));
    for (int row = 0; row < overrides_->rowCount(); ++row) {
        const ScenarioValue& value = values[static_cast<std::size_t>(row)];
        auto* path = new QTableWidgetItem(value.path);
        path->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        auto* edited = new QTableWidgetItem(value.value);
        edited->setData(Qt::UserRole, value.value);
        overrides_->setItem(row, 0, path);
        overrides_->setItem(row, 1, edited);
    }
    overrides_->resizeColumnToContents(0);
}

RunChoice RunPanel::choice() const {
    RunChoice choice;
    choice.scenario = scenario_->currentText();
    for (int i = 0; i < policies_->count(); ++i) {
        if (policies_->item(i)->checkState() == Qt::Checked)
            choice.policies << policies_->item(i)->text();
    }
    choice.engine = engine_->currentData().toString();
    choice.loops = loops_->value();
    choice.seconds = seconds_->value();
    choice.output = output_->text();
    for (int row = 0; row < overrides_->rowCount(); ++row) {
        const QTableWidgetItem* item = overrides_->item(row, 1);
        if (item->text() != item->data(Qt::UserRole).toString())
            choice.overrides.push_back({overrides_->item(row, 0)->text(), item->text()});
    }
    return choice;
}

void RunPanel::onFinished(const QJsonObject& document) {
    result_->setText(resultText(document));
    QStringList traces;
    for (const QJsonValue& run : document[u"data"][u"runs"].toArray()) {
        if (run[u"trace"].isString())
            traces << run[u"trace"].toString();
    }
    emit recorded(traces);
}

} // namespace inversight
