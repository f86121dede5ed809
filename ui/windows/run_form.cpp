// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/run_form.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

namespace inversight {

namespace {

QString valueText(const QJsonValue& value) {
    return value.isString() ? value.toString() : value.toVariant().toString();
}

void addValues(const QString& kind, const QJsonArray& items, std::vector<ScenarioValue>& out) {
    for (const QJsonValue& item : items) {
        const QJsonObject object = item.toObject();
        const QString name = object[u"name"].toString();
        for (auto it = object.begin(); it != object.end(); ++it) {
            if (it.key() != u"name" && (it.value().isDouble() || it.value().isString()))
                out.push_back(
                    {QStringLiteral("%1.%2.%3").arg(kind, name, it.key()), valueText(it.value())});
        }
    }
}

} // namespace

std::vector<ScenarioFacts> builtInScenarioFacts() {
    std::vector<ScenarioFacts> all;
    const QDir folder(QStringLiteral(":/scenarios"));
    for (const QString& entry : folder.entryList({QStringLiteral("*.json")}, QDir::Files)) {
        QFile file(folder.filePath(entry));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QJsonObject document = QJsonDocument::fromJson(file.readAll()).object();
        all.push_back({document[u"name"].toString(), document[u"description"].toString(),
                       document[u"source"].toString(), document});
    }
    return all;
}

std::vector<ScenarioValue> scenarioValues(const QJsonObject& document) {
    std::vector<ScenarioValue> values;
    addValues(QStringLiteral("thread"), document[u"threads"].toArray(), values);
    addValues(QStringLiteral("bus"), document[u"buses"].toArray(), values);
    return values;
}

QStringList runArguments(const RunChoice& choice) {
    QStringList arguments{QStringLiteral("run"), choice.scenario};
    if (!choice.policies.isEmpty())
        arguments << QStringLiteral("--policy") << choice.policies.join(QLatin1Char(','));
    if (!choice.engine.isEmpty())
        arguments << QStringLiteral("--engine") << choice.engine;
    if (choice.seconds > 0)
        arguments << QStringLiteral("--duration") << QString::number(choice.seconds);
    else if (choice.loops > 0)
        arguments << QStringLiteral("--loops") << QString::number(choice.loops);
    for (const ScenarioValue& each : choice.overrides)
        arguments << QStringLiteral("--set") << QStringLiteral("%1=%2").arg(each.path, each.value);
    return arguments << QStringLiteral("-o") << choice.output;
}

QStringList recordArguments(const RecordChoice& choice) {
    QStringList arguments{QStringLiteral("record"), QStringLiteral("-o"), choice.output};
    for (const QString& event : choice.events)
        arguments << QStringLiteral("-e") << event;
    if (choice.bufferKib > 0)
        arguments << QStringLiteral("-b") << QString::number(choice.bufferKib);
    if (choice.seconds > 0)
        arguments << QStringLiteral("--duration") << QString::number(choice.seconds);
    if (!choice.command.isEmpty())
        arguments << QStringLiteral("--") << choice.command;
    return arguments;
}

} // namespace inversight
