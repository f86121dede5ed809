// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"
#include "trace/decode/trace_source.h"
#include "trace/view/track_model.h"

#include <QObject>
#include <QString>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace inversight {

/// A trace being opened or open: loads and analyses in a thread of its own and tells the GUI thread
/// what is ready, part by part. What it hands out is frozen. Thread-bound (GUI); the worker only
/// posts to it. Opening another file stops and waits for the running job, which looks at its stop
/// token between blocks of events.
class TraceSession final : public QObject {
    Q_OBJECT
public:
    enum class State { Empty, Loading, Ready, Failed, Cancelled };

    explicit TraceSession(QObject* parent = nullptr);
    ~TraceSession() override;

    void open(const QString& path);
    void cancel();

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] const QString& path() const { return path_; }
    /// Null until loaded.
    [[nodiscard]] const std::shared_ptr<const LoadedTrace>& trace() const { return trace_; }
    /// Null until loaded; results appear in it one by one.
    [[nodiscard]] const std::shared_ptr<AnalysisResults>& results() const { return results_; }
    /// Null until the states of the threads are known; another one, with everything in it, when all
    /// analyses are settled.
    [[nodiscard]] const std::shared_ptr<const TrackModel>& model() const { return model_; }
    /// Why the state is Failed.
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

signals:
    void started();
    /// `total` 0: unknown.
    void progress(const QString& phase, qulonglong done, qulonglong total);
    void loaded();
    void resultReady(inversight::AnalysisId id);
    /// Once or twice, see model().
    void modelReady();
    /// The job is over: state() is Ready, Failed or Cancelled.
    void finished();

private:
    class Job;

    void stop();
    void setFinished(State state, std::optional<Error> error);

    State state_ = State::Empty;
    QString path_;
    std::shared_ptr<const LoadedTrace> trace_;
    std::shared_ptr<AnalysisResults> results_;
    std::shared_ptr<const TrackModel> model_;
    std::optional<Error> error_;
    std::uint64_t generation_ = 0; ///< of open(): posts of an older job are dropped
    std::jthread worker_;
};

} // namespace inversight
