// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

namespace inversight {

/// A place in a trace with a note.
struct Bookmark {
    std::int64_t time = 0;
    QString note;
    bool operator==(const Bookmark&) const = default;
};

/// What a person put into a timeline: the markers A and B, and bookmarks in the order of time.
/// Thread-bound (GUI).
class TimelineMarks final : public QObject {
    Q_OBJECT
public:
    enum class Marker { A, B };

    explicit TimelineMarks(QObject* parent = nullptr) : QObject(parent) {}

    void setMarker(Marker marker, std::optional<std::int64_t> time);
    [[nodiscard]] std::optional<std::int64_t> marker(Marker marker) const {
        return marker == Marker::A ? a_ : b_;
    }
    /// B - A; none unless both are there.
    [[nodiscard]] std::optional<std::int64_t> difference() const;

    void addBookmark(Bookmark bookmark);
    void setNote(std::size_t index, const QString& note);
    void removeBookmark(std::size_t index);
    void setBookmarks(std::vector<Bookmark> bookmarks);
    [[nodiscard]] const std::vector<Bookmark>& bookmarks() const { return bookmarks_; }
    /// The nearest bookmark after or before `time`.
    [[nodiscard]] std::optional<Bookmark> after(std::int64_t time) const;
    [[nodiscard]] std::optional<Bookmark> before(std::int64_t time) const;

    void clear();

signals:
    void changed();

private:
    std::optional<std::int64_t> a_;
    std::optional<std::int64_t> b_;
    std::vector<Bookmark> bookmarks_;
};

} // namespace inversight
