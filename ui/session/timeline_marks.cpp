// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/session/timeline_marks.h"

#include <algorithm>

namespace inversight {

namespace {
bool isEarlier(const Bookmark& a, const Bookmark& b) {
    return a.time < b.time;
}
} // namespace

void TimelineMarks::setMarker(Marker marker, std::optional<std::int64_t> time) {
    (marker == Marker::A ? a_ : b_) = time;
    emit changed();
}

std::optional<std::int64_t> TimelineMarks::difference() const {
    return a_ && b_ ? std::optional(*b_ - *a_) : std::nullopt;
}

void TimelineMarks::addBookmark(Bookmark bookmark) {
    const auto place = std::upper_bound(bookmarks_.begin(), bookmarks_.end(), bookmark, isEarlier);
    bookmarks_.insert(place, std::move(bookmark));
    emit changed();
}

void TimelineMarks::setNote(std::size_t index, const QString& note) {
    bookmarks_[index].note = note;
    emit changed();
}

void TimelineMarks::removeBookmark(std::size_t index) {
    bookmarks_.erase(bookmarks_.begin() + static_cast<std::ptrdiff_t>(index));
    emit changed();
}

void TimelineMarks::setBookmarks(std::vector<Bookmark> bookmarks) {
    bookmarks_ = std::move(bookmarks);
    std::stable_sort(bookmarks_.begin(), bookmarks_.end(), isEarlier);
    emit changed();
}

std::optional<Bookmark> TimelineMarks::after(std::int64_t time) const {
    const auto found = std::find_if(bookmarks_.begin(), bookmarks_.end(),
                                    [time](const Bookmark& each) { return each.time > time; });
    return found == bookmarks_.end() ? std::nullopt : std::optional(*found);
}

std::optional<Bookmark> TimelineMarks::before(std::int64_t time) const {
    const auto found = std::find_if(bookmarks_.rbegin(), bookmarks_.rend(),
                                    [time](const Bookmark& each) { return each.time < time; });
    return found == bookmarks_.rend() ? std::nullopt : std::optional(*found);
}

void TimelineMarks::clear() {
    a_.reset();
    b_.reset();
    bookmarks_.clear();
    emit changed();
}

} // namespace inversight
