// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/string_pool.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace inversight {

/// In front of a StringPool: task names are at most 16 bytes and few, so that nearly every one is
/// found by comparing two words. Longer texts go straight to the pool. Thread-bound.
class NameCache {
public:
    explicit NameCache(StringPool& pool) : pool_(pool) {}

    StringId intern(std::string_view text) {
        if (text.size() > kLongest)
            return pool_.intern(text);
        const Entry key = keyOf(text);
        Entry& entry = entries_[slotOf(key)];
        if (entry.first != key.first || entry.last != key.last || entry.size != key.size)
            [[unlikely]] {
            entry = key;
            entry.id = pool_.intern(text);
        }
        return entry.id;
    }

private:
    static constexpr std::size_t kLongest = 16;
    static constexpr std::size_t kEntries = 256;

    /// A text of up to 16 bytes is its size with its first and its last eight bytes.
    struct Entry {
        std::uint64_t first = 0;
        std::uint64_t last = 0;
        std::uint32_t size = ~std::uint32_t{0};
        StringId id;
    };

    template <class Word>
    static std::uint64_t load(const char* bytes) {
        Word word;
        std::memcpy(&word, bytes, sizeof word);
        return word;
    }
    static Entry keyOf(std::string_view text) {
        const char* const begin = text.data();
        const std::size_t size = text.size();
        Entry key;
        key.size = static_cast<std::uint32_t>(size);
        if (size >= 8) {
            key.first = load<std::uint64_t>(begin);
            key.last = load<std::uint64_t>(begin + size - 8);
        } else if (size >= 4) {
            key.first = load<std::uint32_t>(begin);
            key.last = load<std::uint32_t>(begin + size - 4);
        } else {
            for (std::size_t i = 0; i < size; ++i)
                key.first = key.first << 8 | static_cast<unsigned char>(begin[i]);
        }
        return key;
    }
    static std::size_t slotOf(const Entry& key) {
        const std::uint64_t mixed =
            (key.first * 0x9e3779b97f4a7c15U) ^ (key.last * 0xc2b2ae3d27d4eb4fU);
        return (mixed >> 40) % kEntries;
    }

    StringPool& pool_;
    std::array<Entry, kEntries> entries_{};
};

} // namespace inversight
