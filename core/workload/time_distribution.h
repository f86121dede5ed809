// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/random_source.h"

#include <chrono>
#include <cstdint>

namespace inversight {

/// A span of time that may vary from use to use: fixed, uniform, normal or exponential. Draws are
/// computed in integers only, so that a seed gives the same nanoseconds everywhere.
class TimeDistribution {
public:
    using Duration = std::chrono::nanoseconds;
    enum class Kind { Fixed, Uniform, Normal, Exponential };

    /// Implicit, because a plain time is the usual case. No time may be negative.
    constexpr TimeDistribution(Duration fixed = Duration(0)) : a_(fixed), b_(fixed) {}
    /// Both ends included; `low` <= `high`.
    [[nodiscard]] static TimeDistribution uniform(Duration low, Duration high);
    /// Cut off at 0.
    [[nodiscard]] static TimeDistribution normal(Duration mean, Duration deviation);
    [[nodiscard]] static TimeDistribution exponential(Duration mean);

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] bool isFixed() const { return kind_ == Kind::Fixed; }
    /// The value of a fixed time, the middle of any other (a cut-off at 0 not considered).
    [[nodiscard]] Duration mean() const;
    /// No draw is above it: ten deviations, or 45 means of an exponential time.
    [[nodiscard]] Duration upperBound() const;
    /// A fixed time takes no number from `random`.
    [[nodiscard]] Duration draw(RandomSource& random) const {
        return isFixed() ? a_ : drawVarying(random);
    }
    bool operator==(const TimeDistribution&) const = default;

private:
    TimeDistribution(Kind kind, Duration a, Duration b) : kind_(kind), a_(a), b_(b) {}
    [[nodiscard]] Duration drawVarying(RandomSource& random) const;

    Kind kind_ = Kind::Fixed;
    Duration a_; ///< the value, the lower end or the mean
    Duration b_; ///< the upper end or the deviation
};

} // namespace inversight
