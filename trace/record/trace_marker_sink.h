// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/unique_fd.h"
#include "core/event/marker.h"

#include <atomic>
#include <cstdint>

namespace inversight {

/// Writes markers into an instance's trace_marker: one write(2) each, nothing allocated. A marker
/// that cannot be written is counted, never retried. Thread-safe; close() must come after the last
/// write of other threads has returned, writes after it count as lost.
class TraceMarkerSink final : public MarkerSink {
public:
    TraceMarkerSink() = default;
    explicit TraceMarkerSink(UniqueFd traceMarker) : traceMarker_(std::move(traceMarker)) {}

    void write(const Marker& marker) noexcept override;
    void open(UniqueFd traceMarker) { traceMarker_ = std::move(traceMarker); }
    void close() { traceMarker_.reset(); }
    [[nodiscard]] std::uint64_t lostCount() const { return lostCount_.load(); }

private:
    UniqueFd traceMarker_;
    std::atomic<std::uint64_t> lostCount_{0};
};

} // namespace inversight
