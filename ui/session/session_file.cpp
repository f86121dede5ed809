// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/session/session_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <array>

namespace inversight {

namespace {

constexpr int kSessionVersion = 1;
const char* const kSchemaPrefix = "inversight.session/";
constexpr std::array kGroupings{"kind", "process", "lock"};
constexpr std::array kClasses{"", "fair", "real_time", "deadline"};

QJsonObject rangeObject(TimeRange range, std::int64_t origin) {
    return {{QStringLiteral("begin_ns"), static_cast<qint64>(range.begin - origin)},
            {QStringLiteral("end_ns"), static_cast<qint64>(range.end - origin)}};
}

std::optional<TimeRange> rangeFrom(const QJsonValue& value, std::int64_t origin) {
    const QJsonObject object = value.toObject();
    if (!object[u"begin_ns"].isDouble() || !object[u"end_ns"].isDouble())
        return std::nullopt;
    const TimeRange range{object[u"begin_ns"].toInteger() + origin,
                          object[u"end_ns"].toInteger() + origin};
    return range.end > range.begin ? std::optional(range) : std::nullopt;
}

QJsonArray textArray(const auto& texts) {
    QJsonArray array;
    for (const std::string& text : texts)
        array.append(QString::fromStdString(text));
    return array;
}

std::vector<std::string> textsFrom(const QJsonValue& value) {
    std::vector<std::string> texts;
    for (const QJsonValue& each : value.toArray())
        texts.push_back(each.toString().toStdString());
    return texts;
}

QJsonObject filterObject(const LaneFilter& filter) {
    QJsonObject object{{QStringLiteral("text"), QString::fromStdString(filter.text)},
                       {QStringLiteral("inverted_only"), filter.invertedOnly}};
    if (filter.priorityClass)
        object[QStringLiteral("class")] =
            QLatin1String(kClasses[static_cast<std::size_t>(*filter.priorityClass)]);
    if (filter.cpu)
        object[QStringLiteral("cpu")] = *filter.cpu;
    if (filter.process)
        object[QStringLiteral("process")] = *filter.process;
    return object;
}

LaneFilter filterFrom(const QJsonObject& object) {
    LaneFilter filter;
    filter.text = object[u"text"].toString().toStdString();
    filter.invertedOnly = object[u"inverted_only"].toBool();
    for (std::size_t i = 1; i < kClasses.size(); ++i) {
        if (object[u"class"].toString() == QLatin1String(kClasses[i]))
            filter.priorityClass = static_cast<PriorityClass>(i);
    }
    if (object[u"cpu"].isDouble())
        filter.cpu = object[u"cpu"].toInt();
    if (object[u"process"].isDouble())
        filter.process = object[u"process"].toInt();
    return filter;
}

QJsonObject lanesObject(const LaneSettings& settings) {
    QJsonArray collapsed;
    for (const LaneGroup& group : settings.collapsed)
        collapsed.append(QJsonObject{{QStringLiteral("kind"), static_cast<int>(group.kind)},
                                     {QStringLiteral("id"), static_cast<qint64>(group.id)}});
    return {{QStringLiteral("filter"), filterObject(settings.filter)},
            {QStringLiteral("grouping"),
             QLatin1String(kGroupings[static_cast<std::size_t>(settings.grouping)])},
            {QStringLiteral("pinned"), textArray(settings.pinned)},
            {QStringLiteral("moved"), textArray(settings.moved)},
            {QStringLiteral("hidden"), textArray(settings.hidden)},
            {QStringLiteral("collapsed"), collapsed}};
}

LaneSettings lanesFrom(const QJsonObject& object) {
    LaneSettings settings;
    settings.filter = filterFrom(object[u"filter"].toObject());
    for (std::size_t i = 0; i < kGroupings.size(); ++i) {
        if (object[u"grouping"].toString() == QLatin1String(kGroupings[i]))
            settings.grouping = static_cast<LaneGrouping>(i);
    }
    settings.pinned = textsFrom(object[u"pinned"]);
    settings.moved = textsFrom(object[u"moved"]);
    const std::vector<std::string> hidden = textsFrom(object[u"hidden"]);
    settings.hidden = {hidden.begin(), hidden.end()};
    for (const QJsonValue& each : object[u"collapsed"].toArray()) {
        const int kind = each.toObject()[u"kind"].toInt(-1);
        if (kind >= 0 && kind <= static_cast<int>(LaneGroupKind::Lock))
            settings.collapsed.insert(
                {static_cast<LaneGroupKind>(kind), each.toObject()[u"id"].toInteger()});
    }
    return settings;
}

QJsonObject marksObject(const TimelineMarks& marks, std::int64_t origin) {
    QJsonObject object;
    const auto put = [&](const QString& name, std::optional<std::int64_t> time) {
        if (time)
            object[name] = static_cast<qint64>(*time - origin);
    };
    put(QStringLiteral("a_ns"), marks.marker(TimelineMarks::Marker::A));
    put(QStringLiteral("b_ns"), marks.marker(TimelineMarks::Marker::B));
    QJsonArray bookmarks;
    for (const Bookmark& each : marks.bookmarks())
        bookmarks.append(
            QJsonObject{{QStringLiteral("time_ns"), static_cast<qint64>(each.time - origin)},
                        {QStringLiteral("note"), each.note}});
    object[QStringLiteral("bookmarks")] = bookmarks;
    return object;
}

void marksFrom(const QJsonObject& object, std::int64_t origin, TimelineMarks& marks) {
    const auto time = [&](const QJsonValue& value) {
        return value.isDouble() ? std::optional<std::int64_t>(value.toInteger() + origin)
                                : std::nullopt;
    };
    marks.setMarker(TimelineMarks::Marker::A, time(object[u"a_ns"]));
    marks.setMarker(TimelineMarks::Marker::B, time(object[u"b_ns"]));
    std::vector<Bookmark> bookmarks;
    for (const QJsonValue& each : object[u"bookmarks"].toArray()) {
        if (const auto at = time(each.toObject()[u"time_ns"]))
            bookmarks.push_back({*at, each.toObject()[u"note"].toString()});
    }
    marks.setBookmarks(std::move(bookmarks));
}

Error unreadable(std::string what) {
    return {ErrorCode::Corrupt, std::move(what), "session file",
            "remove the file to start with the usual view"};
}

} // namespace

QByteArray sessionToJson(const TimelineState& state, const QString& eventFilter,
                         std::int64_t origin) {
    QJsonObject document{
        {QStringLiteral("schema"), QLatin1String(kSchemaPrefix) + QString::number(kSessionVersion)},
        {QStringLiteral("view"), rangeObject(state.view.visible(), origin)},
        {QStringLiteral("marks"), marksObject(state.marks, origin)},
        {QStringLiteral("lanes"), lanesObject(state.lanes.settings())},
        {QStringLiteral("event_filter"), eventFilter}};
    if (state.selection.range())
        document[QStringLiteral("selected")] = rangeObject(*state.selection.range(), origin);
    return QJsonDocument(document).toJson();
}

Result<void> sessionFromJson(const QByteArray& json, std::int64_t origin, TimelineState& state,
                             QString& eventFilter) {
    QJsonParseError error;
    const QJsonObject document = QJsonDocument::fromJson(json, &error).object();
    const QString schema = document[u"schema"].toString();
    if (error.error != QJsonParseError::NoError || !schema.startsWith(QLatin1String(kSchemaPrefix)))
        return std::unexpected(unreadable("this is no session of Inversight"));
    if (schema.mid(static_cast<qsizetype>(qstrlen(kSchemaPrefix))).toInt() > kSessionVersion)
        return std::unexpected(Error{ErrorCode::Unsupported,
                                     "the session was saved by a newer version",
                                     schema.toStdString(), "open it with that version"});
    state.lanes.setSettings(lanesFrom(document[u"lanes"].toObject()));
    marksFrom(document[u"marks"].toObject(), origin, state.marks);
    if (const auto selected = rangeFrom(document[u"selected"], origin))
        state.selection.selectRange(*selected);
    if (const auto view = rangeFrom(document[u"view"], origin))
        state.view.setVisible(*view);
    eventFilter = document[u"event_filter"].toString();
    return {};
}

} // namespace inversight
