// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/event/marker.h"

#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include <unistd.h>

namespace inversight {

/// A marker as it was written, with its own copies of the names.
struct WrittenMarker {
    std::int32_t tid = 0;
    std::int32_t tgid = 0;
    std::string
        kind; ///< "wait", "xfer", "end", "hold", "unhold", "lock", "release", "note", "other"
    std::string name;
    std::uint64_t number = 0;   ///< cookie, address or job
    std::int64_t plannedNs = 0; ///< of a release
};

/// Keeps markers in memory, in the order they were written. Thread-safe.
class RecordingSink final : public MarkerSink {
public:
    void write(const Marker& marker) noexcept override {
        WrittenMarker written{.tid = gettid(), .tgid = marker.tgid, .kind = "other", .name = ""};
        std::visit([&](const auto& body) { describe(body, written); }, marker.body);
        const std::lock_guard lock(mutex_);
        markers_.push_back(std::move(written));
    }
    /// Only once nobody writes any more.
    [[nodiscard]] const std::vector<WrittenMarker>& markers() const { return markers_; }

    [[nodiscard]] std::vector<WrittenMarker> ofThread(std::int32_t tid) const {
        std::vector<WrittenMarker> own;
        for (const WrittenMarker& marker : markers_) {
            if (marker.tid == tid)
                own.push_back(marker);
        }
        return own;
    }

private:
    static void fill(WrittenMarker& written, const char* kind, std::string_view name,
                     std::uint64_t number = 0) {
        written.kind = kind;
        written.name = name;
        written.number = number;
    }
    static void describe(const WaitBegin& body, WrittenMarker& w) { fill(w, "wait", body.lock); }
    static void describe(const SliceEnd&, WrittenMarker& w) { fill(w, "end", ""); }
    static void describe(const HoldBegin& body, WrittenMarker& w) {
        fill(w, "hold", body.lock, body.cookie);
    }
    static void describe(const HoldEnd& body, WrittenMarker& w) {
        fill(w, "unhold", body.lock, body.cookie);
    }
    static void describe(const TransferBegin& body, WrittenMarker& w) {
        fill(w, "xfer", std::string(body.bus) + " " + std::string(body.operation));
    }
    static void describe(const LockAnnouncement& body, WrittenMarker& w) {
        fill(w, "lock", body.lock, body.address);
    }
    static void describe(const Release& body, WrittenMarker& w) {
        fill(w, "release", "", body.index);
        w.plannedNs = body.plannedNs;
    }
    static void describe(const Note& body, WrittenMarker& w) { fill(w, "note", body.text); }
    template <class Other>
    static void describe(const Other&, WrittenMarker&) {}

    std::mutex mutex_;
    std::vector<WrittenMarker> markers_;
};

} // namespace inversight
