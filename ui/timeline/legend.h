// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "ui/theme/theme.h"

#include <QString>
#include <QWidget>
#include <vector>

namespace inversight {

/// What colours and shapes mean, in as many lines as the width needs. Thread-bound.
class Legend final : public QWidget {
    Q_OBJECT
public:
    explicit Legend(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Entry {
        ThemeRole role;
        RectShape shape;
        double share; ///< of the swatch's height, as in a lane
        QString words;
    };
    /// The left top corner of each entry at the widget's width; the last one is the end.
    [[nodiscard]] std::vector<QPoint> places(int width) const;
    [[nodiscard]] int entryWidth(const Entry& entry) const;

    const Theme* theme_;
    std::vector<Entry> entries_;
};

} // namespace inversight
