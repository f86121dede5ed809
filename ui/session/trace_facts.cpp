// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/session/trace_facts.h"

#include "trace/analysis/boosts.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <algorithm>
#include <tuple>

namespace inversight {

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("TraceFacts", text);
}

QString scenarioName(const RunManifest& manifest) {
    const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(manifest.scenario));
    return document.object().value(QStringLiteral("name")).toString();
}

QString titleOf(const QString& fileName, const std::optional<RunManifest>& manifest) {
    if (!manifest)
        return fileName;
    const QString scenario = scenarioName(*manifest);
    const QString policy = QString::fromStdString(manifest->policy);
    if (scenario.isEmpty())
        return words("%1: policy %2").arg(fileName, policy);
    return words("%1: %2 under %3").arg(fileName, scenario, policy);
}

QString lossWords(const LossTotal& total) {
    if (total.gaps == 0)
        return words("no events lost");
    if (!total.countKnown && total.count == 0)
        return total.gaps == 1
                   ? words("EVENTS LOST: an unknown number")
                   : words("EVENTS LOST: an unknown number in %1 places").arg(total.gaps);
    const QString number = groupDigits(total.count);
    return total.countKnown ? words("%1 EVENTS LOST").arg(number)
                            : words("AT LEAST %1 EVENTS LOST").arg(number);
}

std::string chipOf(const ManifestThread& thread) {
    if (thread.schedulingClass == "fifo")
        return "FIFO " + std::to_string(thread.priority);
    if (thread.schedulingClass == "rr")
        return "RR " + std::to_string(thread.priority);
    if (thread.schedulingClass == "deadline")
        return "DEADLINE";
    return "nice " + std::to_string(thread.nice);
}

} // namespace

QString groupDigits(std::uint64_t value) {
    return QLocale(QLocale::English, QLocale::UnitedStates)
        .toString(static_cast<qulonglong>(value));
}

LossTotal lossTotal(const TraceStore& store) {
    LossTotal total;
    for (const LossRow& loss : store.losses()) {
        ++total.gaps;
        total.count += loss.count.value_or(0);
        total.countKnown = total.countKnown && loss.count.has_value();
    }
    return total;
}

std::vector<LeadThread> leadThreads(const LoadReport& report) {
    std::vector<LeadThread> leads;
    if (!report.manifest)
        return leads;
    std::vector<ManifestThread> threads = report.manifest->threads;
    std::sort(threads.begin(), threads.end(), [](const ManifestThread& a, const ManifestThread& b) {
        return std::tuple(-a.priority, a.nice, a.tid) < std::tuple(-b.priority, b.nice, b.tid);
    });
    for (const ManifestThread& thread : threads)
        leads.push_back({thread.tid, chipOf(thread)});
    return leads;
}

QString boostStatement(const Boosts* boosts) {
    if (!boosts)
        return {};
    const auto nominal =
        static_cast<std::size_t>(std::count_if(boosts->boosts.begin(), boosts->boosts.end(),
                                               [](const Boost& each) { return each.nominal; }));
    const std::size_t real = boosts->boosts.size() - nominal;
    QString text = real == 0   ? words("no boosts")
                   : real == 1 ? words("1 boost")
                               : words("%1 boosts").arg(groupDigits(real));
    if (nominal > 0)
        text += words(" and %1 nominal").arg(groupDigits(nominal));
    return text;
}

TraceFacts traceFacts(const LoadedTrace& trace) {
    TraceFacts facts;
    facts.fileName = QFileInfo(QString::fromStdString(trace.info.path)).fileName();
    facts.title = titleOf(facts.fileName, trace.report.manifest);
    const auto streams = trace.store->streams();
    const std::string clock = streams.empty() ? "unknown" : streams.front().clock.name;
    facts.clock = words("clock %1").arg(QString::fromStdString(clock));
    facts.events = words("%1 events").arg(groupDigits(trace.store->eventCount()));
    facts.system = QString::fromStdString(trace.info.systemName).simplified();
    const LossTotal total = lossTotal(*trace.store);
    facts.losses = lossWords(total);
    facts.incomplete = total.gaps > 0 || !trace.report.complete;
    for (const std::string& warning : trace.report.warnings)
        facts.warnings.append(QString::fromStdString(warning));
    return facts;
}

} // namespace inversight
