// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/virtual/event_reporter.h"

#include <string>

namespace inversight {

void EventReporter::write(const Marker& marker) noexcept {
    if (markers_)
        markers_->write(marker);
    if (!events_)
        return;
    MarkerCodec::Buffer buffer;
    emit(PrintEvent{std::string(MarkerCodec::encode(marker, buffer))});
}

} // namespace inversight
