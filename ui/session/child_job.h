// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace inversight {

/// What a running job says of itself; -1: not said.
struct ChildProgress {
    QString phase;
    QString policy;
    qint64 done = 0;
    qint64 total = 0;
    qint64 operations = -1;
    qint64 maxLatencyNs = -1;
    qint64 events = -1;
    qint64 lost = -1;
};

/// `inversight run` or `record` as a child process that speaks the child protocol: the window runs
/// workloads only this way. Lines of unknown type are ignored. Destroying it ends the child by
/// closing its input, and waits a moment for it to keep what it recorded. Thread-bound (GUI).
class ChildJob final : public QObject {
    Q_OBJECT
public:
    explicit ChildJob(QObject* parent = nullptr);
    ~ChildJob() override;

    /// The command-line program: beside this one, else on PATH; "" if there is none.
    [[nodiscard]] static QString findProgram();
    void setProgram(const QString& path) { program_ = path; }

    /// `arguments` without --progress and --control, which are added.
    void start(const QStringList& arguments);
    /// Ends it cleanly; what was recorded is kept and its result still comes.
    void stop();
    [[nodiscard]] bool running() const;

signals:
    void progressed(const inversight::ChildProgress& progress);
    void warned(const QString& text);
    void finished(const QJsonObject& document);
    /// `remedy` may be "".
    void failed(const QString& what, const QString& remedy);
    /// After everything else, however it went.
    void ended();

private:
    void readLines();
    void readLine(const QByteArray& line);
    void onEnded();

    QString program_ = findProgram();
    QProcess process_;
    bool answered_ = false; ///< a result or an error came
};

} // namespace inversight
