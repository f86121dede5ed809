// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/lane_index.h"
#include "trace/view/lane_spans.h"
#include "trace/view/track_geometry.h"

#include <algorithm>
#include <cmath>
#include <string>

/// What lanes of all kinds draw with.
namespace inversight {

/// No text of use fits into less.
inline constexpr float kMinLabelWidth = 16;
/// A stretch of folded columns narrower than this says no number.
inline constexpr int kMinCountWidth = 90;

[[nodiscard]] inline float columnWidth(int first, int last) {
    return static_cast<float>(last - first + 1);
}

[[nodiscard]] inline PixelColumn pixelColumn(int x, ThemeRole role, std::uint8_t coverage,
                                             float top, float bottom, Tint tint = 0) {
    const auto clampByte = [](float value) {
        return static_cast<std::uint8_t>(std::clamp(std::round(value), 0.0F, 255.0F));
    };
    return {x, role, coverage, clampByte(top), clampByte(bottom), tint};
}

inline void addStrip(TrackGeometry& out, ColumnStrip strip) {
    if (!strip.columns.empty())
        out.strips.push_back(std::move(strip));
}

template <class Totals>
[[nodiscard]] std::int64_t sumOf(const Totals& totals) {
    std::int64_t sum = 0;
    for (const std::int64_t each : totals)
        sum += each;
    return sum;
}

/// The interval at `time`, else the nearest one at most `tolerance` away.
template <class Index>
[[nodiscard]] auto nearestInterval(const Index& index, std::int64_t time, std::int64_t tolerance) {
    const std::size_t next = index.firstEndingAfter(time);
    decltype(&index[0]) best = nullptr;
    std::int64_t bestDistance = tolerance + 1;
    const auto consider = [&](std::size_t i, std::int64_t distance) {
        if (distance < bestDistance) {
            best = &index[i];
            bestDistance = distance;
        }
    };
    if (next < index.size())
        consider(next, std::max<std::int64_t>(index[next].range.begin - time, 0));
    if (next > 0)
        consider(next - 1, time - index[next - 1].range.end + 1);
    return best;
}

/// The first interval that begins after `time`, or null.
template <class Index>
[[nodiscard]] auto intervalAfter(const Index& index, std::int64_t time) {
    std::size_t i = index.firstEndingAfter(time);
    if (i < index.size() && index[i].range.begin <= time)
        ++i;
    return i < index.size() ? &index[i] : nullptr;
}

/// The last interval that begins before `time`, or null.
template <class Index>
[[nodiscard]] auto intervalBefore(const Index& index, std::int64_t time) {
    const std::size_t i = index.firstEndingAfter(time);
    if (i < index.size() && index[i].range.begin < time)
        return &index[i];
    return i > 0 ? &index[i - 1] : nullptr;
}

/// Counts what is folded into neighbouring columns, and says it where there is room.
class FoldCounter {
public:
    FoldCounter(TrackGeometry& out, float y, float height) : out_(out), y_(y), height_(height) {}
    FoldCounter(const FoldCounter&) = delete;
    FoldCounter& operator=(const FoldCounter&) = delete;
    ~FoldCounter() { close(); }

    /// Items first..last-1 share this column.
    void add(int column, std::size_t first, std::size_t last) {
        if (column != end_) {
            close();
            begin_ = column;
            first_ = first;
        }
        end_ = column + 1;
        last_ = last;
    }

private:
    void close() {
        if (end_ - begin_ >= kMinCountWidth) {
            const std::string count = std::to_string(last_ - first_);
            out_.labels.push_back({static_cast<float>(begin_),
                                   y_,
                                   static_cast<float>(end_ - begin_),
                                   height_,
                                   ThemeRole::FoldedCount,
                                   {"\u00d7 " + count}});
        }
        begin_ = end_ = -1;
    }

    TrackGeometry& out_;
    float y_;
    float height_;
    int begin_ = -1;
    int end_ = -1;
    std::size_t first_ = 0;
    std::size_t last_ = 0;
};

} // namespace inversight
