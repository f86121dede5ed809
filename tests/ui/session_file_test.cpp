// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/session/session_file.h"

#include <gmock/gmock.h>

namespace inversight {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kStart = 5'000'000'000'000'000'123;

TEST(SessionFile, ComesBackAsItWas) {
    TimelineState state;
    state.view.reset({kStart, kStart + 1'000'000}, {kStart + 10, kStart + 5'000});
    state.selection.selectRange({kStart + 100, kStart + 200});
    state.marks.setMarker(TimelineMarks::Marker::B, kStart + 7);
    state.marks.setBookmarks({{kStart + 9, QStringLiteral("a \"note\"")}});
    LaneSettings lanes;
    lanes.filter.text = "fifo";
    lanes.filter.priorityClass = PriorityClass::RealTime;
    lanes.filter.cpu = 1;
    lanes.filter.process = 42;
    lanes.filter.invertedOnly = true;
    lanes.grouping = LaneGrouping::Lock;
    lanes.pinned = {"cpu:0"};
    lanes.moved = {"thread:10:low", "thread:30:high"};
    lanes.hidden = {"bus:i2c-2"};
    lanes.collapsed = {{LaneGroupKind::Process, 42}};
    state.lanes.setSettings(lanes);

    TimelineState again;
    again.view.reset({kStart, kStart + 1'000'000}, {kStart, kStart + 1'000'000});
    QString filter;
    const QByteArray json = sessionToJson(state, QStringLiteral("cpu=0"), kStart);
    const Result<void> read = sessionFromJson(json, kStart, again, filter);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(again.view.visible(), state.view.visible());
    EXPECT_EQ(again.selection.range(), state.selection.range());
    EXPECT_EQ(again.marks.marker(TimelineMarks::Marker::A), std::nullopt);
    EXPECT_EQ(again.marks.marker(TimelineMarks::Marker::B), kStart + 7);
    EXPECT_EQ(again.marks.bookmarks(), state.marks.bookmarks());
    EXPECT_EQ(again.lanes.settings(), lanes);
    EXPECT_EQ(filter, QStringLiteral("cpu=0"));
}

TEST(SessionFile, WhatCannotBeReadChangesNothing) {
    TimelineState state;
    state.marks.setMarker(TimelineMarks::Marker::A, 7);
    QString filter = QStringLiteral("kept");
    for (const char* json : {"", "{", "[]", "{}", "{\"schema\": \"inversight.run/1\"}"}) {
        const Result<void> read = sessionFromJson(json, 0, state, filter);
        ASSERT_FALSE(read.has_value()) << json;
        EXPECT_EQ(read.error().code, ErrorCode::Corrupt) << json;
    }
    const Result<void> newer =
        sessionFromJson("{\"schema\": \"inversight.session/2\"}", 0, state, filter);
    ASSERT_FALSE(newer.has_value());
    EXPECT_THAT(newer.error().sentence(), HasSubstr("newer version"));
    EXPECT_EQ(state.marks.marker(TimelineMarks::Marker::A), 7);
    EXPECT_EQ(filter, QStringLiteral("kept"));
    // Nonsense in a document of ours is left out.
    const Result<void> odd = sessionFromJson(
        "{\"schema\": \"inversight.session/1\", \"view\": 3, \"lanes\": {\"grouping\": 9, "
        "\"collapsed\": [{\"kind\": 99}]}, \"marks\": {\"bookmarks\": [{}]}}",
        0, state, filter);
    ASSERT_TRUE(odd.has_value());
    EXPECT_EQ(state.lanes.settings(), LaneSettings{});
}

} // namespace
} // namespace inversight
