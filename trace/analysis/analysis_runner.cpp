// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/analysis_runner.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <new>
#include <system_error>
#include <thread>

namespace inversight {

namespace {

/// Hands rows to workers as their inputs settle. All members but the constants are guarded by
/// mutex_; results are published outside of it.
class AnalysisRunner {
public:
    AnalysisRunner(std::span<const AnalysisRow> table, std::vector<std::size_t> order,
                   const TraceStore& store, AnalysisResults& results, const JobContext& job,
                   const ResultReady& ready)
        : table_(table), order_(std::move(order)), store_(store), results_(results), job_(job),
          ready_(ready), states_(table.size(), State::Waiting) {}

    void run(unsigned workers) {
        std::vector<std::jthread> threads;
        try {
            for (unsigned i = 1; i < workers; ++i)
                threads.emplace_back([this] { work(); });
        } catch (const std::system_error&) {
            // No more threads to be had: those that exist, and this one, do the work.
        }
        work();
    }

private:
    enum class State : std::uint8_t { Waiting, Taken, Settled };

    void work() {
        while (const std::optional<std::size_t> row = take())
            settle(*row);
    }

    /// The next row whose inputs have settled; nothing once every row is taken.
    std::optional<std::size_t> take() {
        std::unique_lock lock(mutex_);
        for (;;) {
            bool waiting = false;
            for (const std::size_t row : order_) {
                if (states_[row] != State::Waiting)
                    continue;
                waiting = true;
                if (inputsSettled(row)) {
                    states_[row] = State::Taken;
                    return row;
                }
            }
            if (!waiting)
                return std::nullopt;
            changed_.wait(lock);
        }
    }

    bool inputsSettled(std::size_t row) const {
        return std::ranges::all_of(table_[row].inputs, [this](AnalysisId input) {
            const auto producer = std::ranges::find(table_, input, &AnalysisRow::id);
            return states_[static_cast<std::size_t>(producer - table_.begin())] == State::Settled;
        });
    }

    void settle(std::size_t row) {
        publish(table_[row]);
        if (ready_)
            ready_(table_[row].id);
        {
            const std::scoped_lock lock(mutex_);
            states_[row] = State::Settled;
        }
        changed_.notify_all();
    }

    void publish(const AnalysisRow& row) {
        if (auto stopped = job_.check(row.name); !stopped)
            return results_.publishError(row.id, AnalysisState::Unavailable, stopped.error());
        for (const AnalysisId input : row.inputs)
            if (results_.state(input) != AnalysisState::Ready)
                return results_.publishError(row.id, AnalysisState::Unavailable,
                                             missingInput(row, input));
        Result<std::shared_ptr<const void>> result = guarded(row);
        if (result)
            results_.publish(row.id, *std::move(result));
        else
            results_.publishError(row.id, AnalysisState::Failed, std::move(result).error());
    }

    Error missingInput(const AnalysisRow& row, AnalysisId input) const {
        const auto producer = std::ranges::find(table_, input, &AnalysisRow::id);
        return {ErrorCode::Unavailable,
                std::string(row.name) + " needs " + std::string(producer->name) +
                    ", which is not available",
                std::string(row.name)};
    }

    /// An exception in one analysis (memory, above all) must not take the others down.
    Result<std::shared_ptr<const void>> guarded(const AnalysisRow& row) const {
        try {
            return row.run(store_, results_, job_);
        } catch (const std::bad_alloc&) {
            return std::unexpected(Error{ErrorCode::Unavailable,
                                         "not enough memory for the analysis",
                                         std::string(row.name), "analyze a shorter trace"});
        } catch (const std::exception& exception) {
            return std::unexpected(
                Error{ErrorCode::Unavailable, exception.what(), std::string(row.name)});
        }
    }

    const std::span<const AnalysisRow> table_;
    const std::vector<std::size_t> order_;
    const TraceStore& store_;
    AnalysisResults& results_;
    const JobContext& job_;
    const ResultReady& ready_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<State> states_;
};

} // namespace

Result<void> runAnalysisTable(std::span<const AnalysisRow> table, const TraceStore& store,
                              AnalysisResults& results, const JobContext& job,
                              const ResultReady& ready, unsigned workers) {
    AnalysisRunner(table, TRY(analysisOrder(table)), store, results, job, ready)
        .run(std::clamp(workers, 1U, static_cast<unsigned>(kAnalysisCount)));
    return job.check("analysis");
}

Result<void> runAnalyses(const TraceStore& store, AnalysisResults& results, const JobContext& job,
                         const ResultReady& ready, unsigned workers) {
    return runAnalysisTable(analyses(), store, results, job, ready, workers);
}

} // namespace inversight
