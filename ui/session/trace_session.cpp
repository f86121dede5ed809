// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/session/trace_session.h"

#include "ui/session/trace_facts.h"

#include <QFile>
#include <QMetaObject>
#include <algorithm>
#include <functional>

namespace inversight {

/// What the worker thread does, and how it reports. Its session outlives it: the session's
/// destructor joins first.
class TraceSession::Job {
public:
    Job(TraceSession* session, std::uint64_t generation, std::string path, std::stop_token stop)
        : session_(session), generation_(generation), path_(std::move(path)),
          context_(std::move(stop), [this](const Progress& progress) { relay(progress); }) {}

    void run() {
        const Result<void> done = work();
        const bool cancelled = !done && done.error().code == ErrorCode::Cancelled;
        const State state = done ? State::Ready : cancelled ? State::Cancelled : State::Failed;
        std::optional<Error> error;
        if (state == State::Failed)
            error = done.error();
        post([state, error](TraceSession& session) { session.setFinished(state, error); });
    }

private:
    Result<void> work() {
        auto trace = std::make_shared<const LoadedTrace>(TRY(loadTrace(path_, context_)));
        auto results = std::make_shared<AnalysisResults>();
        post([trace, results](TraceSession& session) {
            session.trace_ = trace;
            session.results_ = results;
            emit session.loaded();
        });
        TRY(runAnalyses(*trace->store, *results, context_, [&](AnalysisId id) {
            post([id](TraceSession& session) { emit session.resultReady(id); });
            // The lanes appear as soon as states are known, while other analyses go on.
            if (id == AnalysisId::ThreadStates && anyPending(*results))
                (void)makeModel(*trace, *results);
        }));
        return makeModel(*trace, *results);
    }

    static bool anyPending(const AnalysisResults& results) {
        return std::any_of(analyses().begin(), analyses().end(), [&](const AnalysisRow& row) {
            return results.state(row.id) == AnalysisState::Pending;
        });
    }

    Result<void> makeModel(const LoadedTrace& trace, const AnalysisResults& results) {
        auto model = TRY(TrackModel::build(TrackInputs::from(trace.store, results),
                                           leadThreads(trace.report), context_));
        post([model](TraceSession& session) {
            session.model_ = model;
            emit session.modelReady();
        });
        return {};
    }

    /// Runs `what` in the GUI thread, unless another file was opened meanwhile.
    void post(std::function<void(TraceSession&)> what) {
        QMetaObject::invokeMethod(
            session_,
            [session = session_, generation = generation_, what = std::move(what)] {
                if (session->generation_ == generation)
                    what(*session);
            },
            Qt::QueuedConnection);
    }

    /// From any thread. At most one report waits in the GUI thread's queue: a fast decoder must not
    /// flood it.
    void relay(const Progress& progress) {
        {
            const std::scoped_lock lock(latest_->mutex);
            latest_->phase = QString::fromUtf8(progress.phase.data(),
                                               static_cast<qsizetype>(progress.phase.size()));
            latest_->done = progress.done;
            latest_->total = progress.total;
            if (std::exchange(latest_->posted, true))
                return;
        }
        post([latest = latest_](TraceSession& session) {
            QString phase;
            std::uint64_t done = 0;
            std::uint64_t total = 0;
            {
                const std::scoped_lock lock(latest->mutex);
                phase = latest->phase;
                done = latest->done;
                total = latest->total;
                latest->posted = false;
            }
            emit session.progress(phase, done, total);
        });
    }

    struct Latest {
        std::mutex mutex;
        QString phase;
        std::uint64_t done = 0;
        std::uint64_t total = 0;
        bool posted = false;
    };

    TraceSession* session_;
    std::uint64_t generation_;
    std::string path_;
    std::shared_ptr<Latest> latest_ = std::make_shared<Latest>();
    JobContext context_;
};

TraceSession::TraceSession(QObject* parent) : QObject(parent) {
    qRegisterMetaType<AnalysisId>("inversight::AnalysisId");
}

TraceSession::~TraceSession() {
    stop();
}

void TraceSession::open(const QString& path) {
    stop();
    ++generation_;
    path_ = path;
    trace_.reset();
    results_.reset();
    model_.reset();
    error_.reset();
    state_ = State::Loading;
    emit started();
    worker_ = std::jthread([this, generation = generation_,
                            file = QFile::encodeName(path).toStdString()](std::stop_token token) {
        Job(this, generation, file, std::move(token)).run();
    });
}

void TraceSession::cancel() {
    worker_.request_stop();
}

void TraceSession::stop() {
    worker_.request_stop();
    if (worker_.joinable())
        worker_.join();
}

void TraceSession::setFinished(State state, std::optional<Error> error) {
    state_ = state;
    error_ = std::move(error);
    emit finished();
}

} // namespace inversight
