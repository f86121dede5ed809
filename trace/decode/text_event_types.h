// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/text_bodies.h"
#include "trace/decode/text_line.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
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

/// What decides which type a line has. A view into the line.
struct TextEventKey {
    std::string_view name;
    std::uint8_t form = 0;
    bool operator==(const TextEventKey&) const = default;
};
[[nodiscard]] TextEventKey textEventKey(const TextLine& line);

/// The event types of a text in the order of their first lines. Texts may hold anything as names:
/// beyond kMostTypes all are "other events". Thread-bound while it grows.
class TextEventTypes {
public:
    static constexpr std::size_t kMostTypes = 4096;

    TextEventTypes() = default;
    TextEventTypes(TextEventTypes&&) = default;
    TextEventTypes& operator=(TextEventTypes&&) = default;

    /// The type of a key, made when it is new.
    std::uint16_t add(const TextEventKey& key);
    /// Adds what the text behind has, as if it were read on.
    void add(const TextEventTypes& later);
    /// The type of a key that was added.
    [[nodiscard]] std::uint16_t find(const TextEventKey& key) const;

    [[nodiscard]] const std::vector<TextEventType>& types() const { return types_; }

private:
    struct KeyHash {
        std::size_t operator()(const TextEventKey& key) const {
            return std::hash<std::string_view>()(key.name) * 31 + key.form;
        }
    };
    [[nodiscard]] std::uint16_t addType(TextEventType type);

    std::unordered_map<TextEventKey, std::uint16_t, KeyHash> byKey_;
    std::vector<TextEventKey> keys_; ///< in the order of their first lines
    std::deque<std::string> names_;  ///< of the keys, where they stay
    std::unordered_map<std::string, std::uint16_t> byFullName_;
    std::vector<TextEventType> types_;
    std::optional<std::uint16_t> other_; ///< of the keys beyond the most
};

/// In front of TextEventTypes: nearly every line's type is found by one comparison. Thread-bound.
class TextTypeCache {
public:
    /// The type of a line; `lookUp(key)` finds those that are not cached.
    template <class LookUp>
    [[nodiscard]] std::uint16_t indexOf(const TextLine& line, const LookUp& lookUp) {
        const TextEventKey key = textEventKey(line);
        Slot& cached = slots_[slotOf(key)];
        if (!cached.used || cached.key != key) [[unlikely]]
            cached = {key, lookUp(key), true};
        return cached.type;
    }

private:
    struct Slot {
        TextEventKey key;
        std::uint16_t type = 0;
        bool used = false;
    };
    static constexpr std::size_t kSlots = 256;

    [[nodiscard]] static std::size_t slotOf(const TextEventKey& key) {
        std::size_t slot = key.name.size() + key.form * std::size_t{32};
        if (!key.name.empty())
            slot += static_cast<unsigned char>(key.name.back()) * std::size_t{7} +
                    static_cast<unsigned char>(key.name[key.name.size() / 2]) * std::size_t{3};
        return slot % kSlots;
    }

    std::array<Slot, kSlots> slots_;
};

} // namespace inversight
