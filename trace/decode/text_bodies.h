// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/marker_fields.h"
#include "trace/decode/text_line.h"
#include "trace/decode/text_states.h"
#include "trace/model/event_sink.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What follows an event's name, per event: the row of the table that knows the name reads the
/// fields and hands them to the sink.
namespace inversight {

/// Where the reader of a body delivers to, and what it learns besides. Thread-bound.
struct TextBodyContext {
    CpuEventSink* sink = nullptr;
    EventHeader header;
    StateLetters letters = StateLetters::Kernel; ///< of a body in the old style
    std::string unescaped;                       ///< room for a marker's names with escapes
    std::string names[2];                        ///< room for names written as numbers
    std::int32_t nextTid = -1;                   ///< of a switch: who runs now
    std::uint64_t numericStates = 0;
    std::uint64_t pluginStates = 0;
    std::uint64_t wholeCalls = 0; ///< entry and end of a call in one line of the graph tracer
    struct ManifestText {
        ManifestPlace place;
        std::string text;
    };
    std::vector<ManifestText> manifestTexts; ///< the first kMostManifestTexts
    /// A manifest is some KiB, written twice.
    static constexpr std::size_t kMostManifestTexts = 4096;
};

/// Reads a body and delivers its event; false, with nothing delivered, if the fields are not there.
using TextBodyReader = bool (*)(std::string_view body, TextBodyContext& context);

/// An event this version knows the fields of.
struct TextEventRow {
    std::string_view system;
    std::string_view name;
    EventKind kind;
    TextBodyReader read;
};

/// The row of an event, or one of kind Other without a reader; `name` with or without its system.
[[nodiscard]] TextEventRow findTextEvent(std::string_view name);

/// A body without the blanks around it, also where it goes on on a line of its own, and without
/// libtraceevent's mark that it could not read it.
[[nodiscard]] std::string_view bodyOf(std::string_view text);

/// A name that a body gives to a thread: "comm=Thread-103 pid=3979", "newcomm=x", "prev_comm=...".
struct TextNaming {
    std::string_view name;
    std::int32_t tid = 0;
};
/// Takes the next one from the begin of `body`.
[[nodiscard]] bool takeNaming(std::string_view& body, TextNaming& naming);

} // namespace inversight
