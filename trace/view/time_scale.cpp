// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/time_scale.h"

#include "core/base/time_format.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace inversight {

namespace {

// Products of two int64 need more than 64 bits; ISO C++ has no name for it.
__extension__ using Wide = __int128;

std::int64_t saturate(Wide value) {
    constexpr Wide low = std::numeric_limits<std::int64_t>::min();
    constexpr Wide high = std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(std::clamp(value, low, high));
}

Wide floorDivide(Wide numerator, Wide denominator) {
    const Wide quotient = numerator / denominator;
    return quotient - (numerator % denominator < 0 ? 1 : 0);
}

Wide lengthOf(const TimeRange& range) {
    return Wide{range.end} - range.begin;
}

struct LabelUnit {
    std::int64_t scale;
    const char* name;
};
constexpr std::array kUnits{LabelUnit{1, "ns"}, LabelUnit{1'000, "us"}, LabelUnit{1'000'000, "ms"},
                            LabelUnit{1'000'000'000, "s"}};

struct Step {
    std::int64_t major = 1;
    int minorCount = 1; ///< minor steps per major one
};

/// The smallest of 1, 2, 5 x 10^n that is at least `minimum`.
Step roundStep(double minimum) {
    for (std::int64_t power = 1;; power *= 10) {
        for (const std::int64_t digit : {1, 2, 5}) {
            if (static_cast<double>(digit * power) >= minimum)
                return {digit * power, power == 1 ? static_cast<int>(digit) : digit == 2 ? 4 : 5};
        }
        if (power >= 1'000'000'000'000'000'000)
            return {power, 5};
    }
}

const LabelUnit& unitFor(std::int64_t magnitude) {
    const LabelUnit* best = &kUnits.front();
    for (const LabelUnit& unit : kUnits) {
        if (magnitude >= unit.scale)
            best = &unit;
    }
    return *best;
}

std::string tickLabel(std::int64_t offset, std::int64_t step, const LabelUnit& unit) {
    int decimals = 0;
    for (std::int64_t scale = unit.scale; scale > step; scale /= 10)
        ++decimals;
    return fmt::format("{:.{}f} {}", static_cast<double>(offset) / static_cast<double>(unit.scale),
                       decimals, unit.name);
}

} // namespace

TimeScale TimeScale::of(TimeRange range, int width) {
    TimeScale scale;
    scale.width = std::max(width, 1);
    const Wide missing = scale.width - lengthOf(range);
    if (missing > 0) {
        range.begin = saturate(Wide{range.begin} - missing / 2);
        range.end = saturate(Wide{range.begin} + scale.width);
    }
    scale.range = range;
    return scale;
}

std::int64_t TimeScale::columnBegin(int column) const {
    // Rounded up: t >= begin + column * length / width, for integer t, is exactly
    // columnOf(t) >= column.
    const Wide offset = -floorDivide(-Wide{column} * lengthOf(range), width);
    return saturate(range.begin + offset);
}

TimeRange TimeScale::columnRange(int column) const {
    return {columnBegin(column), columnBegin(column + 1)};
}

std::int64_t TimeScale::columnOf(std::int64_t time) const {
    return saturate(floorDivide((Wide{time} - range.begin) * width, lengthOf(range)));
}

double TimeScale::positionOf(std::int64_t time) const {
    const Wide offset = Wide{time} - range.begin;
    return static_cast<double>(offset) * width / static_cast<double>(lengthOf(range));
}

double TimeScale::timePerPixel() const {
    return static_cast<double>(lengthOf(range)) / width;
}

TimeRange clampRange(TimeRange range, TimeRange whole, std::int64_t minLength) {
    const Wide longest = std::max(lengthOf(whole), Wide{minLength});
    const Wide length = std::clamp(lengthOf(range), Wide{minLength}, longest);
    // A range that had to change its length keeps its middle.
    Wide begin = Wide{range.begin} + (lengthOf(range) - length) / 2;
    if (length >= lengthOf(whole))
        begin = Wide{whole.begin} - (length - lengthOf(whole)) / 2;
    else
        begin = std::clamp(begin, Wide{whole.begin}, Wide{whole.end} - length);
    return {saturate(begin), saturate(begin + length)};
}

TimeRange zoomRange(TimeRange range, std::int64_t anchor, double factor) {
    assert(factor > 0);
    const auto scaled = [factor](Wide distance) {
        const double value = std::round(static_cast<double>(distance) * factor);
        return static_cast<Wide>(std::clamp(value, -9e18, 9e18));
    };
    return {saturate(anchor - scaled(Wide{anchor} - range.begin)),
            saturate(anchor + scaled(Wide{range.end} - anchor))};
}

TimeRange panRange(TimeRange range, std::int64_t offset) {
    constexpr Wide low = std::numeric_limits<std::int64_t>::min();
    constexpr Wide high = std::numeric_limits<std::int64_t>::max();
    const Wide move = std::clamp(Wide{offset}, low - range.begin, high - range.end);
    return {static_cast<std::int64_t>(range.begin + move),
            static_cast<std::int64_t>(range.end + move)};
}

TimeRange frameRange(TimeRange item) {
    const Wide length = std::max(lengthOf(item), Wide{1});
    return {saturate(item.begin - length), saturate(Wide{item.begin} + 2 * length)};
}

std::vector<RulerTick> rulerTicks(const TimeScale& scale, std::int64_t origin, int minSpacing,
                                  ClockUnit unit) {
    const Step step = roundStep(std::max(1.0, scale.timePerPixel() * minSpacing));
    const std::int64_t minor = std::max<std::int64_t>(step.major / step.minorCount, 1);
    const Wide from = Wide{scale.range.begin} - origin;
    const Wide to = Wide{scale.range.end} - origin;
    const Wide reach = std::max(from < 0 ? -from : from, to < 0 ? -to : to);
    const LabelUnit& labels = unit == ClockUnit::Ticks ? kUnits.front() : unitFor(saturate(reach));

    std::vector<RulerTick> ticks;
    for (Wide k = -floorDivide(-from, minor); k * minor < to; ++k) {
        const std::int64_t offset = saturate(k * minor);
        RulerTick tick{.time = saturate(Wide{origin} + offset), .label = {}};
        tick.x = scale.positionOf(tick.time);
        tick.major = offset % step.major == 0;
        if (tick.major)
            tick.label = unit == ClockUnit::Ticks ? fmt::format("{}", offset)
                                                  : tickLabel(offset, step.major, labels);
        ticks.push_back(std::move(tick));
    }
    return ticks;
}

std::string formatSpan(std::int64_t length, ClockUnit unit) {
    return unit == ClockUnit::Nanoseconds ? formatDuration(length)
                                          : fmt::format("{} ticks", length);
}

} // namespace inversight
