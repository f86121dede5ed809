// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/model/trace_store.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace inversight {

/// Which events a person wants to see, as an expression:
///
///     name=sched_switch cpu=0                 both
///     tid=1234 or thread~fifo                 either
///     time>=1.5s time<1600ms not name~irq     from the trace's first event
///     text~"prev_comm=low"                    what the event says
///     switch                                  part of the name, the thread's name or the text
///
/// Fields: name, cpu, tid, thread, time, text. Operators: = != < <= > >= ~ (contains). Terms beside
/// each other are and; or, not and parentheses as usual. Case does not matter in texts. Cheap
/// conditions are asked before the text, which has to be printed. Reentrant.
class EventFilter {
public:
    /// Gives the text of an event; "" where there is none.
    using TextOf = std::function<void(EventIndex event, std::string& out)>;

    /// "" lets every event through. The error says what was expected and at which character.
    [[nodiscard]] static Result<EventFilter> parse(std::string_view expression,
                                                   const TraceStore& store);

    [[nodiscard]] bool matches(EventIndex event, const TextOf& text) const;
    [[nodiscard]] bool everything() const { return nodes_.empty(); }
    [[nodiscard]] bool needsText() const;

private:
    friend class EventFilterParser;

    enum class Field : std::uint8_t { And, Or, Not, Name, Cpu, Tid, Thread, Time, Text, Any };
    enum class Compare : std::uint8_t { Equal, Unequal, Less, LessEqual, Greater, GreaterEqual };
    struct Node {
        Field field = Field::Any;
        Compare compare = Compare::Equal;
        std::int64_t number = 0;
        std::string text;          ///< lower case
        std::vector<bool> types;   ///< Name, Any: which event types match
        std::vector<bool> threads; ///< Thread, Any: by ThreadId
        std::size_t left = 0;
        std::size_t right = 0;
        bool needsText = false; ///< it, or a part of it
    };

    explicit EventFilter(const TraceStore& store) : store_(&store) {}
    [[nodiscard]] bool evaluate(std::size_t node, EventIndex event, const TextOf& text) const;
    [[nodiscard]] bool textMatches(const Node& node, EventIndex event, const TextOf& text) const;
    [[nodiscard]] bool threadMatches(const Node& node, EventIndex event) const;

    const TraceStore* store_;
    std::vector<Node> nodes_; ///< the last one is the root
};

/// Whether `text` contains `lowerPart`, whose letters are lower case, in any case.
[[nodiscard]] bool containsLower(std::string_view text, std::string_view lowerPart);

} // namespace inversight
