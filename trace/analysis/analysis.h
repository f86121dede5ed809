// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "trace/model/trace_store.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

/// The frame every analysis stands in: a function with typed inputs and one frozen output, one row
/// of analyses.cpp. Example:
///
///     struct Boosts { static constexpr AnalysisId kId = AnalysisId::Boosts; ... };
///     Result<Boosts> findBoosts(const TraceStore&, const SchedRuns&, const LockWaits&,
///                               const JobContext&);
///     // analyses.cpp:  makeAnalysis<&findBoosts>("boosts", "who was boosted by whom, ...")
///
/// The row's inputs are read off the function's parameters, so they cannot disagree with it.
namespace inversight {

enum class AnalysisId : std::uint8_t {
    SchedRuns,
    Priorities,
    Wakeups,
    LockEvents,
    Ownership,
    LockWaits,
    Boosts,
    Bus,
    HelperWaits,
    ThreadStates,
    Decomposition,
    Inversions,
    Latency,
};
inline constexpr std::size_t kAnalysisCount = 13;

/// How sure an inference is (docs/architecture.md, "Truth before beauty").
enum class Confidence : std::uint8_t { Certain, High, Low, Unknown };
[[nodiscard]] const char* confidenceName(Confidence confidence); ///< "certain", "high", ...

enum class AnalysisState : std::uint8_t { Pending, Ready, Failed, Unavailable };

/// The results of one trace as they become ready. Thread-safe; a result, once there, never changes.
class AnalysisResults {
public:
    /// Null until ready, and for good when failed or unavailable.
    template <class T>
    [[nodiscard]] std::shared_ptr<const T> get() const {
        return std::static_pointer_cast<const T>(value(T::kId));
    }
    [[nodiscard]] AnalysisState state(AnalysisId id) const;
    /// Why it failed or is unavailable.
    [[nodiscard]] std::optional<Error> error(AnalysisId id) const;

    void publish(AnalysisId id, std::shared_ptr<const void> result);
    void publishError(AnalysisId id, AnalysisState state, Error error);

private:
    [[nodiscard]] std::shared_ptr<const void> value(AnalysisId id) const;

    struct Slot {
        AnalysisState state = AnalysisState::Pending;
        std::shared_ptr<const void> value;
        std::optional<Error> error;
    };
    mutable std::mutex mutex_;
    std::array<Slot, kAnalysisCount> slots_;
};

/// A row of the analysis table.
struct AnalysisRow {
    AnalysisId id;
    std::string_view name; ///< "boosts"
    std::string_view text; ///< one line for `list analyses`
    std::vector<AnalysisId> inputs;
    /// Runs with all inputs ready.
    Result<std::shared_ptr<const void>> (*run)(const TraceStore&, const AnalysisResults&,
                                               const JobContext&);
};

namespace analysis_detail {

template <class T>
struct ResultValue;
template <class T>
struct ResultValue<Result<T>> {
    using Type = T;
};

template <class Tuple, std::size_t... Index>
std::vector<AnalysisId> inputIds(std::index_sequence<Index...>) {
    // Parameter 0 is the store, the last one the job.
    return {std::remove_cvref_t<std::tuple_element_t<Index + 1, Tuple>>::kId...};
}

template <class R, class... Parameters>
struct Traits {
    using Output = typename ResultValue<R>::Type;
    using ParameterTuple = std::tuple<Parameters...>;
    static constexpr std::size_t kInputCount = sizeof...(Parameters) - 2;
};
template <class R, class... Parameters>
Traits<R, Parameters...> traitsOf(R (*)(Parameters...));

template <auto Function, class T, std::size_t... Index>
Result<std::shared_ptr<const void>> call(const TraceStore& store, const AnalysisResults& results,
                                         const JobContext& job, std::index_sequence<Index...>) {
    using Parameters = typename T::ParameterTuple;
    // Held for the length of the call: inputs outlive it whatever the publisher does.
    [[maybe_unused]] const auto inputs = std::make_tuple(
        results.get<std::remove_cvref_t<std::tuple_element_t<Index + 1, Parameters>>>()...);
    auto output = Function(store, *std::get<Index>(inputs)..., job);
    if (!output)
        return std::unexpected(std::move(output).error());
    return std::shared_ptr<const void>(
        std::make_shared<const typename T::Output>(*std::move(output)));
}

} // namespace analysis_detail

/// Makes a table row of a function `Result<Out>(const TraceStore&, const In1&, ..., const
/// JobContext&)`, where Out and each In have a kId.
template <auto Function>
AnalysisRow makeAnalysis(std::string_view name, std::string_view text) {
    using Traits = decltype(analysis_detail::traitsOf(Function));
    using Indices = std::make_index_sequence<Traits::kInputCount>;
    return {Traits::Output::kId, name, text,
            analysis_detail::inputIds<typename Traits::ParameterTuple>(Indices{}),
            [](const TraceStore& store, const AnalysisResults& results, const JobContext& job) {
                return analysis_detail::call<Function, Traits>(store, results, job, Indices{});
            }};
}

/// The table (analyses.cpp), any order; the runner sorts it by inputs.
[[nodiscard]] std::span<const AnalysisRow> analyses();

/// An order in which every analysis follows its inputs; an error names the cycle.
[[nodiscard]] Result<std::vector<std::size_t>> analysisOrder(std::span<const AnalysisRow> table);

/// Called from a worker thread as soon as a result (or its error) is published.
using ResultReady = std::function<void(AnalysisId)>;

/// Runs all analyses, independent ones in parallel on at most `workers` threads, publishing each
/// into `results` at once. A failed analysis leaves its error, its dependents become Unavailable,
/// the rest go on. Returns when all are settled; Cancelled if the job was stopped.
[[nodiscard]] Result<void> runAnalyses(const TraceStore& store, AnalysisResults& results,
                                       const JobContext& job, const ResultReady& ready = {},
                                       unsigned workers = 2);

} // namespace inversight
