// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "trace/model/ids.h"
#include "ui/theme/theme.h"

#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>
#include <string>

namespace inversight {

/// A picture of a trace, as the window shows it.
struct ShotOptions {
    std::string file;
    std::string output; ///< PNG
    QSize size{1600, 900};
    std::optional<TimeRange> range; ///< ns from the first event; none = where most is to be seen
    ThemeKind theme = ThemeKind::Light;
};

struct ShotReport {
    bool complete = true; ///< false: events were lost, or a part of the file could not be read
    QStringList warnings;
};

/// "A:B": seconds from the trace's first event, or numbers with a unit of their own ("120ms:150ms",
/// units ns, us, ms, s). B must be after A.
[[nodiscard]] Result<TimeRange> parseShotRange(std::string_view text);

/// "WxH", each 640..16384 and 400..16384.
[[nodiscard]] Result<QSize> parseShotSize(std::string_view text);

/// Loads, analyses, draws and writes the PNG (as OUTPUT.partial until it is whole). Needs a
/// QApplication, no display. Call in the GUI thread.
[[nodiscard]] Result<ShotReport> takeShot(const ShotOptions& options, const JobContext& job);

} // namespace inversight
