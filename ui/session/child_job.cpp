// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/session/child_job.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStandardPaths>

namespace inversight {

namespace {

constexpr int kPatienceMs = 3000;
constexpr int kProtocolVersion = 1;

QString sentenceOf(const QJsonObject& error) {
    const QString where = error[u"where"].toString();
    const QString what = error[u"what"].toString();
    return where.isEmpty() ? what : QStringLiteral("%1 (%2)").arg(what, where);
}

ChildProgress progressOf(const QJsonObject& object) {
    return {object[u"phase"].toString(),         object[u"policy"].toString(),
            object[u"done"].toInteger(),         object[u"total"].toInteger(),
            object[u"operations"].toInteger(-1), object[u"max_latency_ns"].toInteger(-1),
            object[u"events"].toInteger(-1),     object[u"lost"].toInteger(-1)};
}

} // namespace

QString ChildJob::findProgram() {
    const QString name = QStringLiteral("inversight");
    const QString beside = QCoreApplication::applicationDirPath() + QLatin1Char('/') + name;
    return QFileInfo(beside).isExecutable() ? beside : QStandardPaths::findExecutable(name);
}

ChildJob::ChildJob(QObject* parent) : QObject(parent) {
    connect(&process_, &QProcess::readyReadStandardOutput, this, &ChildJob::readLines);
    connect(&process_, &QProcess::finished, this, &ChildJob::onEnded);
    connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            emit failed(tr("%1 could not be started: %2").arg(program_, process_.errorString()),
                        tr("install the package inversight"));
            emit ended();
        }
    });
}

ChildJob::~ChildJob() {
    process_.disconnect(this);
    if (!running())
        return;
    process_.closeWriteChannel();
    if (!process_.waitForFinished(kPatienceMs))
        process_.terminate();
    process_.waitForFinished(kPatienceMs);
}

bool ChildJob::running() const {
    return process_.state() != QProcess::NotRunning;
}

void ChildJob::start(const QStringList& arguments) {
    answered_ = false;
    if (program_.isEmpty()) {
        emit failed(tr("The program inversight is not there"),
                    tr("install the package inversight"));
        emit ended();
        return;
    }
    // Its options stand before a command that follows "--".
    QStringList all = arguments;
    const auto dashes = all.indexOf(QStringLiteral("--"));
    const auto place = dashes < 0 ? all.size() : dashes;
    all.insert(place, QStringLiteral("--control=stdin"));
    all.insert(place, QStringLiteral("--progress=json"));
    process_.setProcessChannelMode(QProcess::SeparateChannels);
    process_.start(program_, all);
}

void ChildJob::stop() {
    process_.write("stop\n");
}

void ChildJob::readLines() {
    while (process_.canReadLine())
        readLine(process_.readLine());
}

void ChildJob::readLine(const QByteArray& line) {
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const QString type = object[u"type"].toString();
    if (type == u"hello" && object[u"protocol"].toInt() > kProtocolVersion) {
        emit warned(tr("The program speaks a newer protocol than this window."));
    } else if (type == u"progress") {
        emit progressed(progressOf(object));
    } else if (type == u"warning") {
        emit warned(object[u"text"].toString());
    } else if (type == u"result") {
        answered_ = true;
        emit finished(object[u"document"].toObject());
    } else if (type == u"error") {
        answered_ = true;
        emit failed(sentenceOf(object), object[u"remedy"].toString());
    }
}

void ChildJob::onEnded() {
    readLines();
    if (!answered_) {
        const QString words = QString::fromLocal8Bit(process_.readAllStandardError()).trimmed();
        emit failed(words.isEmpty() ? tr("The program ended without a result.") : words, {});
    }
    emit ended();
}

} // namespace inversight
