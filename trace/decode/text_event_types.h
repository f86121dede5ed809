// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/text_bodies.h"
#include "trace/decode/text_line.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace inversight {

/// An event type of a text.
struct TextEventType {
    std::string system;
    std::string name;
    EventKind kind = EventKind::Other;
    TextBodyReader read = nullptr;
};

/// The event types of a text, found by the name a line has, in a few comparisons for the usual
/// case. Texts may hold anything as names: beyond kMostTypes all are "other events". Thread-bound.
class TextEventTypes {
public:
    static constexpr std::size_t kMostTypes = 4096;

    /// The type of a line, made when it is new.
    [[nodiscard]] std::uint16_t indexOf(const TextLine& line);

    [[nodiscard]] const std::vector<TextEventType>& types() const { return types_; }

private:
    /// What decides which type a line has.
    struct Key {
        std::string_view name;
        std::uint8_t form = 0;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            return std::hash<std::string_view>()(key.name) * 31 + key.form;
        }
    };
    struct Slot {
        Key key;
        std::uint16_t type = 0;
        bool used = false;
    };
    static constexpr std::size_t kSlots = 256;

    [[nodiscard]] static Key keyOf(const TextLine& line);
    [[nodiscard]] std::uint16_t find(const Key& key);
    [[nodiscard]] std::uint16_t add(TextEventType type);

    std::array<Slot, kSlots> slots_;
    std::unordered_map<Key, std::uint16_t, KeyHash> byKey_;
    std::unordered_map<std::string, std::uint16_t> byFullName_;
    std::vector<TextEventType> types_;
};

} // namespace inversight
