// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Random bars at random scales against a slow and obvious count: no bar may break or fuse.
#include "trace/view/lane_index.h"
#include "trace/view/lane_spans.h"

#include <gmock/gmock.h>

#include <random>

namespace inversight {
namespace {

using testing::ElementsAre;

constexpr std::size_t kKinds = 3;

struct Piece {
    TimeRange range;
    std::uint8_t kind = 0;
};
std::size_t kindReads = 0;
std::size_t laneKind(const Piece& piece) {
    ++kindReads;
    return piece.kind;
}
using Index = LaneIndex<Piece, kKinds>;

std::vector<Piece> randomPieces(std::mt19937_64& random, std::size_t count, bool gaps) {
    std::vector<Piece> pieces;
    std::int64_t time = static_cast<std::int64_t>(random() % 100);
    for (std::size_t i = 0; i < count; ++i) {
        if (gaps && random() % 3 == 0)
            time += static_cast<std::int64_t>(random() % 200);
        const std::int64_t length =
            1 + static_cast<std::int64_t>(random() % (random() % 10 == 0 ? 2000 : 20));
        pieces.push_back({{time, time + length}, static_cast<std::uint8_t>(random() % kKinds)});
        time += length;
    }
    return pieces;
}

/// What a column should be told about, by looking at every interval.
struct Expected {
    std::size_t first = 0;
    std::size_t count = 0;
    Index::Totals totals{};
};
std::vector<Expected> slowColumns(const std::vector<Piece>& pieces, const TimeScale& scale) {
    std::vector<Expected> columns(static_cast<std::size_t>(scale.width));
    for (int c = 0; c < scale.width; ++c) {
        const TimeRange slot = scale.columnRange(c);
        Expected& column = columns[static_cast<std::size_t>(c)];
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            if (!pieces[i].range.overlaps(slot))
                continue;
            if (column.count++ == 0)
                column.first = i;
            column.totals[pieces[i].kind] += std::min(pieces[i].range.end, slot.end) -
                                             std::max(pieces[i].range.begin, slot.begin);
        }
    }
    return columns;
}

void expectSameAsSlow(const std::vector<Piece>& pieces, const Index& index,
                      const TimeScale& scale) {
    const std::vector<Expected> expected = slowColumns(pieces, scale);
    int next = 0; // columns before it are accounted for
    const auto skipEmpty = [&](int column) {
        for (; next < column; ++next)
            EXPECT_EQ(expected[static_cast<std::size_t>(next)].count, 0u) << "column " << next;
    };
    foldColumns(
        index, scale,
        [&](std::size_t i, int first, int last) {
            ASSERT_LE(first, last);
            ASSERT_GE(first, next);
            skipEmpty(first);
            for (; next <= last; ++next) {
                const Expected& column = expected[static_cast<std::size_t>(next)];
                ASSERT_EQ(column.count, 1u) << "column " << next;
                ASSERT_EQ(column.first, i) << "column " << next;
            }
        },
        [&](int at, const Index::Totals& totals, std::size_t first, std::size_t last) {
            ASSERT_GE(at, next);
            skipEmpty(at);
            const Expected& column = expected[static_cast<std::size_t>(at)];
            ASSERT_GE(column.count, 2u) << "column " << at;
            ASSERT_EQ(column.first, first);
            ASSERT_EQ(column.count, last - first);
            ASSERT_EQ(column.totals, totals) << "column " << at;
            next = at + 1;
        });
    skipEmpty(scale.width);
}

TEST(LaneIndex, ColumnsEqualABruteForceCountAtAnyZoom) {
    std::mt19937_64 random(20090903);
    for (int round = 0; round < 150; ++round) {
        const std::vector<Piece> pieces =
            randomPieces(random, random() % 400, /*gaps=*/round % 2 == 0);
        const Index index{pieces};
        const std::int64_t end = pieces.empty() ? 500 : pieces.back().range.end;
        for (int zoom = 0; zoom < 8; ++zoom) {
            const int width = 1 + static_cast<int>(random() % 150);
            const auto begin =
                static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end + 100)) - 50;
            const auto length =
                static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end + 100));
            expectSameAsSlow(pieces, index, TimeScale::of({begin, begin + length}, width));
            if (HasFatalFailure())
                FAIL() << "round " << round << " zoom " << zoom;
        }
    }
}

TEST(LaneIndex, TotalsOfAnyRange) {
    std::mt19937_64 random(5);
    const std::vector<Piece> pieces = randomPieces(random, 300, true);
    const Index index{pieces};
    for (int round = 0; round < 500; ++round) {
        const auto begin = static_cast<std::int64_t>(random() % 20'000);
        const TimeRange range{begin, begin + static_cast<std::int64_t>(random() % 9'000)};
        Index::Totals slow{};
        for (const Piece& piece : pieces)
            slow[piece.kind] += std::max<std::int64_t>(
                0, std::min(piece.range.end, range.end) - std::max(piece.range.begin, range.begin));
        ASSERT_EQ(index.totals(range), slow) << range.begin << ".." << range.end;
    }
}

TEST(LaneIndex, FindsTheIntervalAtATime) {
    const std::vector<Piece> pieces{{{10, 20}, 0}, {{20, 30}, 1}, {{40, 50}, 2}};
    const Index index{pieces};
    EXPECT_EQ(index.at(9), nullptr);
    EXPECT_EQ(index.at(10), &index[0]);
    EXPECT_EQ(index.at(20), &index[1]);
    EXPECT_EQ(index.at(35), nullptr);
    EXPECT_EQ(index.at(49), &index[2]);
    EXPECT_EQ(index.at(50), nullptr);
}

/// The cost of a whole-trace query, in intervals looked at.
std::size_t readsOfQuery(std::size_t intervals, int width) {
    std::mt19937_64 random(1);
    const std::vector<Piece> pieces = randomPieces(random, intervals, false);
    const Index index{pieces};
    const TimeScale scale = TimeScale::of({0, pieces.back().range.end}, width);
    kindReads = 0;
    foldColumns(
        index, scale, [](std::size_t, int, int) {},
        [](int, const Index::Totals&, std::size_t, std::size_t) {});
    return kindReads;
}

TEST(LaneIndex, CostFollowsPixelsNotIntervals) {
    constexpr int width = 800;
    constexpr std::size_t bound = std::size_t{width} * 2 * 34;
    EXPECT_LE(readsOfQuery(20'000, width), bound);
    EXPECT_LE(readsOfQuery(1'000'000, width), bound);
}

TEST(DominantKind, QuietKindsGiveWay) {
    const std::array<std::int64_t, 3> totals{90, 4, 6};
    EXPECT_EQ(dominantKind(totals, [](std::size_t kind) { return kind == 0; }), 2u);
    EXPECT_EQ(dominantKind(totals, [](std::size_t) { return false; }), 0u);
    EXPECT_EQ(dominantKind(std::array<std::int64_t, 3>{0, 7, 0},
                           [](std::size_t kind) { return kind == 1; }),
              1u);
}

TEST(Coverage, NeverVanishesAndNeverExceedsAll) {
    EXPECT_EQ(coverageOf(1, 1'000'000), 1);
    EXPECT_EQ(coverageOf(50, 100), 128);
    EXPECT_EQ(coverageOf(100, 100), 255);
}

TEST(FlattenSpans, TheGreaterKindAndTheInnerSpanShow) {
    // A hold of two nested locks with a wait inside.
    const std::vector<LaneSpan> flat =
        flattenSpans({{{0, 100}, 1, 0}, {{20, 60}, 2, 0}, {{30, 40}, 3, 1}, {{150, 150}, 9, 0}});
    EXPECT_THAT(flat, ElementsAre(LaneSpan{{0, 20}, 1, 0}, LaneSpan{{20, 30}, 2, 0},
                                  LaneSpan{{30, 40}, 3, 1}, LaneSpan{{40, 60}, 2, 0},
                                  LaneSpan{{60, 100}, 1, 0}));
}

TEST(FlattenSpans, AgreesWithLookingAtEveryInstant) {
    std::mt19937_64 random(3);
    for (int round = 0; round < 200; ++round) {
        std::vector<LaneSpan> spans;
        for (std::uint32_t i = 0; i < random() % 12; ++i) {
            const auto begin = static_cast<std::int64_t>(random() % 60);
            spans.push_back({{begin, begin + static_cast<std::int64_t>(random() % 30)},
                             i,
                             static_cast<std::uint8_t>(random() % 2)});
        }
        const std::vector<LaneSpan> flat = flattenSpans(spans);
        for (std::int64_t time = 0; time < 100; ++time) {
            const LaneSpan* best = nullptr;
            for (const LaneSpan& span : spans) {
                const auto rank = [](const LaneSpan& each) {
                    return std::tuple(each.kind, each.range.begin, each.item);
                };
                if (span.range.contains(time) && (!best || rank(span) > rank(*best)))
                    best = &span;
            }
            const auto shown = std::find_if(flat.begin(), flat.end(), [time](const LaneSpan& each) {
                return each.range.contains(time);
            });
            ASSERT_EQ(best != nullptr, shown != flat.end()) << time;
            if (best) {
                ASSERT_EQ(best->item, shown->item) << time;
            }
        }
    }
}

} // namespace
} // namespace inversight
