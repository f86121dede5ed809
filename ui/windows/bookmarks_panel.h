// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_model.h"
#include "ui/session/timeline_state.h"

#include <QWidget>
#include <memory>

class QTableWidget;

namespace inversight {

/// The bookmarks with their notes, which are edited in place; Delete removes. Thread-bound.
class BookmarksPanel final : public QWidget {
    Q_OBJECT
public:
    explicit BookmarksPanel(TimelineState& state, QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const TrackModel> model);
    [[nodiscard]] QTableWidget& table() { return *table_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void goTo(int row);

    TimelineState& state_;
    std::shared_ptr<const TrackModel> model_;
    QTableWidget* table_;
    bool refreshing_ = false;
};

} // namespace inversight
