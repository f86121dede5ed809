// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace inversight {

/// A binary heap of at most `capacity` numbered items, each with a key; the least key first. Every
/// item's place is known, so any may be moved or taken out: O(log n), and nothing is allocated
/// after construction. Keys must differ, or the order of equal ones is arbitrary.
template <class Key>
class FlatHeap {
public:
    explicit FlatHeap(std::size_t capacity) : places_(capacity, kNowhere) {
        entries_.reserve(capacity);
    }

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] bool contains(std::size_t item) const { return places_[item] != kNowhere; }
    [[nodiscard]] std::size_t first() const { return entries_.front().item; }
    [[nodiscard]] const Key& firstKey() const { return entries_.front().key; }
    [[nodiscard]] const Key& keyOf(std::size_t item) const { return entries_[places_[item]].key; }

    /// Puts the item in, or gives it a new key.
    void set(std::size_t item, const Key& key) {
        std::uint32_t place = places_[item];
        if (place == kNowhere) {
            place = static_cast<std::uint32_t>(entries_.size());
            entries_.push_back({key, static_cast<std::uint32_t>(item)});
            places_[item] = place;
            up(place);
            return;
        }
        const bool earlier = key < entries_[place].key;
        entries_[place].key = key;
        if (earlier)
            up(place);
        else
            down(place);
    }

    /// Does nothing if the item is not in.
    void remove(std::size_t item) {
        const std::uint32_t place = places_[item];
        if (place == kNowhere)
            return;
        places_[item] = kNowhere;
        const Entry last = entries_.back();
        entries_.pop_back();
        if (place == entries_.size())
            return;
        entries_[place] = last;
        places_[last.item] = place;
        up(place);
        down(places_[last.item]);
    }

    /// Calls `visit(item, key)` for all items, in no order.
    template <class Visit>
    void forEach(Visit visit) const {
        for (const Entry& entry : entries_)
            visit(std::size_t{entry.item}, entry.key);
    }

private:
    static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
    struct Entry {
        Key key;
        std::uint32_t item;
    };

    void place(std::uint32_t where, const Entry& entry) {
        entries_[where] = entry;
        places_[entry.item] = where;
    }

    void up(std::uint32_t at) {
        const Entry entry = entries_[at];
        while (at > 0) {
            const std::uint32_t parent = (at - 1) / 2;
            if (!(entry.key < entries_[parent].key))
                break;
            place(at, entries_[parent]);
            at = parent;
        }
        place(at, entry);
    }

    void down(std::uint32_t at) {
        const Entry entry = entries_[at];
        const auto count = static_cast<std::uint32_t>(entries_.size());
        for (;;) {
            std::uint32_t child = 2 * at + 1;
            if (child >= count)
                break;
            if (child + 1 < count && entries_[child + 1].key < entries_[child].key)
                ++child;
            if (!(entries_[child].key < entry.key))
                break;
            place(at, entries_[child]);
            at = child;
        }
        place(at, entry);
    }

    std::vector<Entry> entries_;
    std::vector<std::uint32_t> places_;
};

} // namespace inversight
