// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/figures_codec.h"

#include <nlohmann/json.hpp>

namespace inversight {

namespace {

using nlohmann::json;

json histogramJson(const LatencyHistogram& histogram) {
    json buckets = json::array();
    for (const LatencyHistogram::Bucket& bucket : histogram.buckets())
        buckets.push_back({bucket.low, bucket.count});
    return {histogram.sum(), histogram.min(), histogram.max(), std::move(buckets)};
}

LatencyHistogram histogramOf(const json& value) {
    std::vector<LatencyHistogram::Bucket> buckets;
    for (const json& bucket : value.at(3))
        buckets.push_back(
            {.low = bucket.at(0).get<std::int64_t>(), .count = bucket.at(1).get<std::uint64_t>()});
    return LatencyHistogram::restored(buckets, value.at(0).get<std::int64_t>(),
                                      value.at(1).get<std::int64_t>(),
                                      value.at(2).get<std::int64_t>());
}

/// Calls `visit(key, member)` for every plain member, in either direction.
template <class Figures, class Visit>
void forEachPlain(Figures& figures, Visit visit) {
    visit("operations", figures.operationCount);
    visit("errors", figures.errorCount);
    visit("try_failed", figures.tryFailedCount);
    visit("jobs", figures.jobCount);
    visit("deadline_misses", figures.deadlineMissCount);
    visit("wait", figures.waitNs);
    visit("max_wait", figures.maxWaitNs);
    visit("end", figures.endNs);
    visit("last_operation_end", figures.lastOperationEndNs);
    visit("finished", figures.finishedAllLoops);
    visit("deadlock", figures.deadlock);
}

/// The same for every histogram.
template <class Figures, class Visit>
void forEachHistogram(Figures& figures, Visit visit) {
    visit("latency", figures.latency);
    visit("response", figures.response);
    visit("release_to_request", figures.parts.releaseToRequest);
    visit("lock_wait", figures.parts.lockWait);
    visit("to_wire", figures.parts.toWire);
    visit("wire", figures.parts.wire);
    visit("from_wire", figures.parts.fromWire);
}

ThreadFigures figuresOf(const json& document) {
    ThreadFigures figures;
    forEachPlain(figures, [&](const char* key, auto& member) { document.at(key).get_to(member); });
    forEachHistogram(figures, [&](const char* key, LatencyHistogram& member) {
        member = histogramOf(document.at(key));
    });
    if (const json& failure = document.at("failure"); !failure.is_null())
        figures.failure = Error{static_cast<ErrorCode>(failure.at(0).get<int>()),
                                failure.at(1).get<std::string>(), failure.at(2).get<std::string>(),
                                failure.at(3).get<std::string>()};
    return figures;
}

} // namespace

std::string encodeFigures(const ThreadFigures& figures) {
    json document;
    forEachPlain(figures, [&](const char* key, const auto& member) { document[key] = member; });
    forEachHistogram(figures, [&](const char* key, const LatencyHistogram& member) {
        document[key] = histogramJson(member);
    });
    if (const auto& failure = figures.failure)
        document["failure"] = {static_cast<int>(failure->code), failure->what, failure->where,
                               failure->remedy};
    else
        document["failure"] = nullptr;
    return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<ThreadFigures> decodeFigures(std::string_view text) {
    try {
        return figuresOf(json::parse(text));
    } catch (const json::exception& error) {
        return std::unexpected(Error{ErrorCode::Corrupt, error.what(), "a worker's figures"});
    }
}

} // namespace inversight
