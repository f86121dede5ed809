// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/record/trace_marker_sink.h"

#include <unistd.h>

namespace inversight {

void TraceMarkerSink::write(const Marker& marker) noexcept {
    MarkerCodec::Buffer buffer;
    const std::string_view text = MarkerCodec::encode(marker, buffer);
    const ssize_t written = ::write(traceMarker_.get(), text.data(), text.size());
    if (written != static_cast<ssize_t>(text.size()))
        lostCount_.fetch_add(1, std::memory_order_relaxed);
}

} // namespace inversight
