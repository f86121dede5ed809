// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/figures_codec.h"

#include <gtest/gtest.h>

namespace inversight {
namespace {

ThreadFigures someFigures() {
    ThreadFigures figures;
    figures.operationCount = 7;
    figures.tryFailedCount = 2;
    figures.deadlineMissCount = 1;
    figures.waitNs = 12'345'678'901;
    figures.finishedAllLoops = true;
    figures.deadlock = {"L", "B", "H", "A", "L"};
    for (const std::int64_t value : {3, 300'000, 77'000'000})
        figures.latency.record(value);
    figures.parts.wire.record(390'001);
    figures.failure = Error{ErrorCode::Busy, "what", "where", "remedy"};
    return figures;
}

TEST(FiguresCodec, ComesBackWhole) {
    const auto back = decodeFigures(encodeFigures(someFigures()));
    ASSERT_TRUE(back) << back.error().sentence();
    EXPECT_EQ(back->operationCount, 7u);
    EXPECT_EQ(back->tryFailedCount, 2u);
    EXPECT_EQ(back->deadlineMissCount, 1u);
    EXPECT_EQ(back->waitNs, 12'345'678'901);
    EXPECT_TRUE(back->finishedAllLoops);
    EXPECT_EQ(back->deadlock, someFigures().deadlock);
    EXPECT_EQ(back->latency.count(), 3u);
    EXPECT_EQ(back->latency.max(), 77'000'000);
    EXPECT_EQ(back->latency.percentile(0.5), someFigures().latency.percentile(0.5));
    EXPECT_EQ(back->parts.wire.sum(), 390'001);
    EXPECT_EQ(back->response.count(), 0u);
    ASSERT_TRUE(back->failure);
    EXPECT_EQ(back->failure->code, ErrorCode::Busy);
    EXPECT_EQ(back->failure->remedy, "remedy");
}

TEST(FiguresCodec, CutShortIsCorrupt) {
    const std::string whole = encodeFigures(someFigures());
    for (const std::size_t length :
         {std::size_t{0}, std::size_t{1}, whole.size() / 2, whole.size() - 1}) {
        const auto back = decodeFigures(whole.substr(0, length));
        ASSERT_FALSE(back) << length;
        EXPECT_EQ(back.error().code, ErrorCode::Corrupt);
    }
    EXPECT_FALSE(decodeFigures("{}"));
}

} // namespace
} // namespace inversight
