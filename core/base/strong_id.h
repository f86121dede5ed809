// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace inversight {

/// An index that cannot be mixed up with an index of another kind.
///
///     using ThreadId = StrongId<struct ThreadIdTag>;
///
/// Default construction gives `none()`, the largest value, which is never a valid index.
template <class Tag, class Rep = std::uint32_t>
struct StrongId {
    using Value = Rep;

    Rep value = std::numeric_limits<Rep>::max();

    [[nodiscard]] static constexpr StrongId none() { return {}; }
    [[nodiscard]] constexpr bool valid() const { return value != none().value; }
    [[nodiscard]] constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
    constexpr auto operator<=>(const StrongId&) const = default;
};

} // namespace inversight

template <class Tag, class Rep>
struct std::hash<inversight::StrongId<Tag, Rep>> {
    std::size_t operator()(inversight::StrongId<Tag, Rep> id) const noexcept {
        return std::hash<Rep>{}(id.value);
    }
};
